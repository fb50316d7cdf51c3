"""The core: the small typed tree that every game becomes, and that every backend takes.

Its meaning is defined here, once.

**Values.** All integers are 32-bit signed. A bool is 0 or 1; an enum value, an entity and a face of a die are indices
from 0; `none` is -1. A set of `size` members is that many bits (member i is bit i). A count per face (`Counts`) is a
set type too, of 16 bits a face: face f lies in bits 16f … 16f+15. A list holds integers, at most `size` of them; it
never outlives the block that made it, except that `For` keeps its own frozen copy.

**Position.** A block of 32-bit cells (see `layout`). `Load(base, index, count)` reads cell `base + index`. A set of
`size` bits in a position takes `2 * ceil(size / 64)` cells, little-endian, lowest bits first, starting at an even cell.

**Variables.** A `Var` lives in a local of the function or block; if `home` is not None it lives in the position at that
cell (sets: from that even cell on). Only variables of pausing effects have homes.

**Faults.** A node with a `site` may fault: the backend stops the whole `apply` with (site, a, b); the host restores the
old bytes and prints the site's place and message with {0} and {1} replaced by a and b. `site` None means: proved that
it cannot happen, no check needed. Reads of set members, `Has` and `SetOf` treat -1 as "nothing" (`Has` is false;
`SetOf` skips it).

**Steps.** Cell STEPS is 0 between calls. `weight` is added to it at each iteration of a `While` or `For` and at each
entry of a `Block` with weight > 0; when it exceeds the program's budget that is a fault at the node's site (a = the
budget). Loops with weight 0 are leaves: bounded, and cheap. An iteration counts when its body is about to run (of a
`While`: once `cond` holds). Steps count from the taking of an answer on (finding its candidates again is free), in
`advance` and `evaluate` from the call on.

**Order.** Expressions have no effects, so only faults make order visible: operands are evaluated left to right (as the
fields stand in the node), `Both`, `Either` and `Cond` evaluate what they need only; in queries `where` before `value`,
members in rising order (lists: list order). A check comes right after the last operand it concerns (`Store`: index, its
check, value, its check; `SetOf`: item by item). `any`, `all`, `first` and `leading` stop as soon as they know; all
other queries look at every member. The player of a Decision is evaluated last, and only if the machine waits.
"""

from interpreter.core.nodes.expressions import *
from interpreter.core.nodes.program import *
from interpreter.core.nodes.statements import *
