"""Why a rule could not be carried out, in words."""

from __future__ import annotations

from interpreter.backends.machine import Fault
from interpreter.core.compiled import Compiled
from interpreter.diagnostics import Diagnostic, RuleFault


def explained(compiled: Compiled, fault: Fault) -> RuleFault:
    """What a machine stopped for, in words, with the place in the rules."""
    site = compiled.program.sites[fault.site]
    message = site.message.replace("{0}", str(fault.a)).replace("{1}", str(fault.b))
    return RuleFault(Diagnostic(site.code, message, None), site.place)
