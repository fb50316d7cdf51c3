"""How results of asking effects come back: a number in the header, a set in cells of the outermost frame.

Both are empty between.
"""

from __future__ import annotations

from interpreter.core import header
from interpreter.core import nodes as c
from interpreter.core.lower.context import core_type, header_load, header_store
from interpreter.core.lower.flow import Flow
from interpreter.core.lower.held import convert
from interpreter.lang.types import SetT, Ty


def _home(ty: Ty, flow: Flow) -> c.Var:
    """Where sets of this size wait for the caller: a variable of the frame that is never left."""
    root, want = flow.blocks.frames[0], core_type(ty)
    for var in root.params:
        if var.type == want:
            return var
    root.params.append(c.Var("result", want))
    return root.params[-1]


def leave_result(value: c.Expr, ty: Ty, flow: Flow) -> None:
    """Puts a result where the caller will look for it."""
    if isinstance(ty, SetT):
        flow.blocks.add(c.Let(_home(ty, flow), value))
    else:
        flow.blocks.add(header_store(header.RESULT, value))


def take_result(var: c.Var, have: Ty, want: Ty, flow: Flow) -> None:
    """Gives a variable for values of type `want` the result of type `have` that has just come back."""
    if isinstance(have, SetT):
        flow.blocks.add(c.Let(var, convert(c.Get(_home(have, flow)), have, want, flow.ctx)))
    else:
        flow.blocks.add(c.Let(var, convert(header_load(header.RESULT), have, want, flow.ctx)))
    drop_result(have, flow)


def drop_result(ty: Ty, flow: Flow) -> None:
    """Forgets a result that has come back."""
    if isinstance(ty, SetT):
        home = _home(ty, flow)
        flow.blocks.add(c.Let(home, c.SetConst(0, home.type.size)))
    else:
        flow.blocks.add(header_store(header.RESULT, c.Const(0)))
