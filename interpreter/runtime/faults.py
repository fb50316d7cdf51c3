"""Why a rule could not be carried out, in words."""

from __future__ import annotations

from interpreter.backends.machine import Fault
from interpreter.core.compiled import Compiled
from interpreter.diagnostics import Diagnostic, RuleFault
from interpreter.lang.mending import header


def explained(compiled: Compiled, fault: Fault) -> RuleFault:
    """What a machine stopped for, in words, with the place in the rules."""
    site = compiled.program.sites[fault.site]
    message = site.message.replace("{0}", str(fault.a)).replace("{1}", str(fault.b))
    span = compiled.site_spans[fault.site] if fault.site < len(compiled.site_spans) else None
    return RuleFault(Diagnostic(site.code, message, header(span) if span else None), site.place)
