"""Throws and draws: from the script if there is one, else from the position's generator (`rng`)."""

from __future__ import annotations

from interpreter.backends.wasm.bits import constant
from interpreter.backends.wasm.code import Code
from interpreter.backends.wasm.forms import type_of
from interpreter.backends.wasm.integers import population
from interpreter.backends.wasm.maps import in_memory, spilled
from interpreter.backends.wasm.memory import LISTENING, SCRIPT, SCRIPT_END
from interpreter.core import nodes as n
from interpreter.core.header import KNOWN

MOST_THROWS = 1000
_SCRIPT_GOES_ON = f"i32.const 0 i32.load offset={SCRIPT} i32.const 0 i32.load offset={SCRIPT_END} i32.lt_u"


def roll_die(code: Code, stmt: n.RollDie) -> None:
    """One throw."""
    face = _thrown(code, stmt.die, stmt.site)
    at = _row(code)
    code.put(f"i32.const 0 local.get {face} i32.store offset={at}")
    _learn(code)
    _record(code, -1 - stmt.die, -1, at, "i32.const 1")
    code.put(f"local.get {face}")
    code.store_integer(stmt.var)


def roll_dice(code: Code, stmt: n.RollDice) -> None:
    """Many throws, counted per face in 16 bits each; their order is kept for the record only."""
    times = code.kept(stmt.times)
    code.put(f"local.get {times} i32.const {MOST_THROWS} i32.gt_s")
    code.fault_if(stmt.site, f"local.get {times}")
    counts = code.frozen(constant(0, stmt.var.type.size))
    at = _row(code)
    done = code.local("i32", "done")
    again = code.label("throw")
    code.put(f"local.get {times} i32.const 0 i32.gt_s", "if", f"i32.const 0 local.set {done}", f"loop {again}")
    face = _thrown(code, stmt.die, stmt.site)
    for i, name in enumerate(counts):
        here = f"local.get {face} i32.const 2 i32.shr_u i32.const {i} i32.eq i64.extend_i32_u"
        one = f"{here} local.get {face} i32.const 4 i32.shl i64.extend_i32_u i64.shl"
        code.put(f"local.get {name} {one} i64.add local.set {name}")
    code.put(f"local.get {done} i32.const 2 i32.shl local.get {face} i32.store offset={at}")
    code.put(f"local.get {done} i32.const 1 i32.add local.tee {done} local.get {times} i32.lt_s br_if {again}", "end")
    _learn(code)
    _record(code, -1 - stmt.die, -1, at, f"local.get {times}")
    code.put("end")
    code.store_members(stmt.var, [f"local.get {name}" for name in counts])


def pick_one(code: Code, stmt: n.PickOne) -> None:
    """A member of a set, all alike."""
    size = type_of(code.world.program, stmt.pool).size
    pool = code.frozen(code.members(stmt.pool))
    address = spilled(code, [f"local.get {name}" for name in pool])
    count, member = code.local("i32", "count"), code.local("i32", "member")
    code.put(f"i32.const -1 local.set {member}")
    code.put(population([f"local.get {name}" for name in pool]) + f" local.tee {count}", "if", _SCRIPT_GOES_ON, "if")
    _take(code, member, address, size, stmt.site)
    code.world.uses.update(("draw", "pick"))
    code.put(
        "else", f"i32.const {address} local.get $b local.get {count} call $draw call $pick local.set {member}", "end"
    )
    _learn(code)
    at = _row(code)
    code.put(f"i32.const 0 local.get {member} i32.store offset={at}")
    _record(code, -1 - len(code.world.program.dice), 0, at, "i32.const 1")
    code.put("end", f"local.get {member}")
    code.store_integer(stmt.var)


def scripted(code: Code, stmt: n.Scripted) -> None:
    """What the script says, if it goes on."""
    size = type_of(code.world.program, stmt.pool).size
    address = spilled(code, code.members(stmt.pool))
    member = code.local("i32", "member")
    code.put(f"i32.const -1 local.set {member}", _SCRIPT_GOES_ON, "if")
    _take(code, member, address, size, stmt.site)
    code.put("end", f"local.get {member}")
    code.store_integer(stmt.var)


def _take(code: Code, member: str, pool: str, size: int, site: int) -> None:
    """The next word of the script, which must be a member of the set at a constant address."""
    code.put(f"{next_of_script()} local.set {member}")
    code.put(f"local.get {member} i32.const {size} i32.lt_u", "if (result i32)")
    code.put(in_memory(pool, member), "else", "i32.const 0", "end", "i32.eqz")
    code.fault_if(site, f"local.get {member}")


def next_of_script() -> str:
    """Text that pushes the next word of the script and moves on."""
    here = f"i32.const 0 i32.load offset={SCRIPT}"
    return f"{here} i32.load i32.const 0 {here} i32.const 4 i32.add i32.store offset={SCRIPT}"


def _thrown(code: Code, number: int, site: int) -> str:
    """The local that holds the face of one throw."""
    weights = code.world.program.dice[number].weights
    face = code.local("i32", "face")
    code.world.uses.add("draw")
    code.put(_SCRIPT_GOES_ON, "if", f"{next_of_script()} local.tee {face} i32.const {len(weights)} i32.ge_u")
    code.fault_if(site, f"local.get {face}")
    code.put("else", f"local.get $b i32.const {sum(weights)} call $draw local.set {face}")
    if set(weights) != {1}:  # the face is the number of bounds that the draw has reached
        code.put("i32.const 0")
        for i in range(1, len(weights)):
            code.put(f"local.get {face} i32.const {sum(weights[:i])} i32.ge_u i32.add")
        code.put(f"local.set {face}")
    code.put("end")
    return face


def _learn(code: Code) -> None:
    code.put(f"local.get $b local.get $b i32.load offset={4 * KNOWN} i32.const 1 i32.add i32.store offset={4 * KNOWN}")


def _row(code: Code) -> int:
    """The address of room for the faces of one statement, shared by all."""
    key = ("throws", 0)
    if key not in code.world.tables:
        code.world.tables[key] = (code.world.memory.room(4 * MOST_THROWS), MOST_THROWS)
    return code.world.tables[key][0]


def _record(code: Code, event: int, to: int, row: int, count: str) -> None:
    code.world.uses.add("record")
    code.put(f"i32.const 0 i32.load offset={LISTENING}", "if")
    code.put(f"i32.const {event} i32.const {to} i32.const {row} {count} call $record", "end")
