"""A real game as a hand-made core program: sixteen pieces on ten times ten squares, moved by reach, captured along
lines.

It is what a good lowering of the game's rules would give, so it shows early what backends make of them. The numbers of
move sequences from the start are known: 80, 6,400, 545,120.
"""

from __future__ import annotations

import struct

from core_build import board, c, eq

from interpreter.core import nodes as n
from interpreter.core.header import HEADER, MOVER, PC, RANDOM, WINNER
from interpreter.core.rng import MASK64, seeded

SIZE = 10
SQUARES = SIZE * SIZE
MEN = 16  # 0 … 7 belong to player 0
ALL_MEN = n.SetConst(2**MEN - 1, MEN)

AT = HEADER  # square of each man, -1 captured
HERO = AT + MEN
OWNER = HERO + MEN  # of each square that is a city; -1 elsewhere
MAN = OWNER + SQUARES  # on each square, or -1
FIGHTER = MAN + SQUARES  # the choice
GOAL = FIGHTER + 1
CELLS = GOAL + 1

CITIES = [row * SIZE + column for row in (4, 5) for column in (1, 3, 6, 8)]
DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))  # across, up
OWNER_OF = 0  # tables of integers
RAYS = 0  # table of lists: 8 * square + direction
OWN = 0  # table of sets: the men of each player
IN_RANGE = 0  # a site for everything that ought not to happen
BUDGET = 1


def ray(square: int, direction: int) -> tuple[int, ...]:
    """The squares from one square, not included, to the edge."""
    across, up = DIRECTIONS[direction]
    row, column = divmod(square, SIZE)
    squares = []
    while 0 <= (row := row + up) < SIZE and 0 <= (column := column + across) < SIZE:
        squares.append(row * SIZE + column)
    return tuple(squares)


def var(name: str, kind: n.Type = n.INT, home: int | None = None) -> n.Var:
    return n.Var(name, kind, home)


def all_of(*parts: n.Expr) -> n.Expr:
    """And."""
    whole = parts[-1]
    for part in reversed(parts[:-1]):
        whole = n.Both(part, whole)
    return whole


def field(base: int, index: n.Expr, count: int) -> n.Expr:
    return n.Load(base, index, count, IN_RANGE)


def put(base: int, index: n.Expr, count: int, value: n.Expr, low: int, high: int) -> n.Stmt:
    return n.Store(base, index, count, value, low, high, False, IN_RANGE, IN_RANGE)


def rival(player: n.Expr) -> n.Expr:
    return n.Arith("-", c(1), player, None)


MOVING = n.Load(MOVER, c(0), 1, None)
SQUARE_SET = n.Type("set", SQUARES)
LINE = n.Type("list", SIZE)


def side() -> n.Function:
    """The owner of the man on a square, -1 if it is empty."""
    square, man = var("square"), var("man")
    return n.Function(
        "side",
        (square,),
        n.INT,
        (
            n.Let(man, field(MAN, n.Get(square), SQUARES)),
            n.Return(n.Cond(n.Compare("<", n.Get(man), c(0)), c(-1), n.Table(OWNER_OF, n.Get(man), None))),
        ),
        pure=True,
    )


SIDE, EMPTY, HELD, CAPTURE, SETTLE, JUDGE, MOVE = range(7)


def empty() -> n.Function:
    """The set of empty squares."""
    man = var("man")
    full = n.Query("map", man, ALL_MEN, None, field(AT, n.Get(man), MEN), SQUARES)
    return n.Function(
        "empty",
        (),
        SQUARE_SET,
        (n.Return(n.SetOp("-", n.SetConst(2**SQUARES - 1, SQUARES), full)),),
        pure=True,
    )


def held() -> n.Function:
    """How long the run of a player's men along a line is if a man of the other side stands at its far end; else -1."""
    line, player, step = var("line", LINE), var("player"), var("step")
    run, length = var("run", LINE), var("length")
    return n.Function(
        "held",
        (line, player),
        n.INT,
        (
            n.Let(
                run,
                n.Query("leading", step, n.Get(line), eq(n.Call(SIDE, (n.Get(step),)), n.Get(player)), None),
            ),
            n.Let(length, n.Size(n.Get(run))),
            n.If(
                all_of(
                    n.Compare("<", n.Get(length), n.Size(n.Get(line))),
                    eq(n.Call(SIDE, (n.Item(n.Get(line), n.Get(length), IN_RANGE),)), rival(n.Get(player))),
                ),
                (n.Return(n.Get(length)),),
            ),
            n.Return(c(-1)),
        ),
        pure=True,
    )


def capture() -> n.Function:
    """Takes off all men that the arrival at a square leaves between two enemies, judged on the same board."""
    goal, player, lost = var("goal"), var("player"), var("lost", SQUARE_SET)
    direction, line, back, length, behind = var("d"), var("line", LINE), var("back", LINE), var("length"), var("behind")
    square, man, i = var("square"), var("man"), var("i")

    def along(direction: n.Expr) -> n.Expr:
        index = n.Arith("+", n.Arith("*", n.Get(goal), c(8), None), direction, None)
        return n.ListTable(RAYS, index, IN_RANGE)

    def first(line: n.Var, length: n.Var) -> n.Stmt:
        """lost += the first squares of a line."""
        return n.For(
            i,
            n.Span(c(0), n.Arith("-", n.Get(length), c(1), None)),
            (
                n.Let(
                    lost,
                    n.SetOp(
                        "|",
                        n.Get(lost),
                        n.SetOf((n.Item(n.Get(line), n.Get(i), IN_RANGE),), SQUARES, IN_RANGE),
                    ),
                ),
            ),
            0,
            BUDGET,
        )

    foes = n.For(
        direction,
        n.Span(c(0), c(7)),
        (
            n.Let(line, along(n.Get(direction))),
            n.Let(length, n.Call(HELD, (n.Get(line), rival(n.Get(player))))),
            first(line, length),
        ),
        0,
        BUDGET,
    )
    own = n.For(
        direction,
        n.Span(c(0), c(3)),
        (
            n.Let(line, along(n.Get(direction))),
            n.Let(length, n.Call(HELD, (n.Get(line), n.Get(player)))),
            n.If(
                n.Compare(">=", n.Get(length), c(0)),
                (
                    n.Let(back, along(n.Arith("+", n.Get(direction), c(4), None))),
                    n.Let(behind, n.Call(HELD, (n.Get(back), n.Get(player)))),
                    n.If(
                        n.Compare(">=", n.Get(behind), c(0)),
                        (
                            n.Let(lost, n.SetOp("|", n.Get(lost), n.SetOf((n.Get(goal),), SQUARES, IN_RANGE))),
                            first(line, length),
                            first(back, behind),
                        ),
                    ),
                ),
            ),
        ),
        0,
        BUDGET,
    )
    remove = n.For(
        square,
        n.Get(lost),
        (
            n.Let(man, field(MAN, n.Get(square), SQUARES)),
            put(AT, n.Get(man), MEN, c(-1), -1, SQUARES - 1),
            put(MAN, n.Get(square), SQUARES, c(-1), -1, MEN - 1),
        ),
        1,
        BUDGET,
    )
    body = (n.Let(lost, n.SetConst(0, SQUARES)), foes, own, remove)
    return n.Function("capture", (goal, player), None, body, pure=False)


def settle() -> n.Function:
    """A man who arrives in his own city becomes a hero; another city he conquers."""
    man, square, owner = var("man"), var("square"), var("owner")
    mine = n.Table(OWNER_OF, n.Get(man), IN_RANGE)
    body = (
        n.Let(owner, field(OWNER, n.Get(square), SQUARES)),
        n.If(
            eq(n.Get(owner), mine),
            (put(HERO, n.Get(man), MEN, c(1), 0, 1),),
            (n.If(n.Compare(">=", n.Get(owner), c(0)), (put(OWNER, n.Get(square), SQUARES, mine, -1, 1),)),),
        ),
    )
    return n.Function("settle", (man, square), None, body, pure=False)


def judge() -> n.Function:
    """Ends the game if somebody owns every city, or if too few men are left."""
    player, city, man = var("player"), var("city"), var("man")
    south, north, lead = var("south"), var("north"), var("lead")
    cities = n.SetConst(sum(1 << city for city in CITIES), SQUARES)
    owner = field(OWNER, n.Get(city), SQUARES)

    def men(player: int) -> n.Expr:
        at = field(AT, n.Get(man), MEN)
        return n.Query("count", man, n.SetTable(OWN, c(player), None), n.Compare(">=", at, c(0)), None)

    def owned(player: int) -> n.Expr:
        return n.Query("count", city, cities, eq(owner, c(player)), None)

    def few(count: n.Var) -> n.Expr:
        return n.Compare("<=", n.Get(count), c(1))

    spent = n.Either(all_of(eq(n.Get(south), c(2)), eq(n.Get(north), c(2))), all_of(few(south), few(north)))
    body: n.Stmts = (
        n.For(
            player,
            n.Span(c(0), c(1)),
            (
                n.If(
                    n.Query("all", city, cities, None, eq(owner, n.Get(player))),
                    (n.End(n.Get(player), 1, (n.Get(player),)),),
                ),
            ),
            0,
            BUDGET,
        ),
        n.Let(south, men(0)),
        n.Let(north, men(1)),
        n.If(
            spent,
            (
                n.Let(lead, n.Arith("-", owned(0), owned(1), IN_RANGE)),
                n.If(eq(n.Get(lead), c(0)), (n.End(c(-1), 2, ()),)),
                n.End(n.Cond(n.Compare(">", n.Get(lead), c(0)), c(0), c(1)), 3, ()),
            ),
        ),
        n.If(few(south), (n.End(c(1), 4, ()),)),
        n.If(few(north), (n.End(c(0), 4, ()),)),
    )
    return n.Function("judge", (), None, body, pure=False, ends=True)


def move() -> n.Function:
    """Moves a man to an empty square."""
    man, goal = var("man"), var("goal")
    body = (
        put(MAN, field(AT, n.Get(man), MEN), SQUARES, c(-1), -1, MEN - 1),
        put(AT, n.Get(man), MEN, n.Get(goal), -1, SQUARES - 1),
        put(MAN, n.Get(goal), SQUARES, n.Get(man), -1, MEN - 1),
        n.Emit(5, (n.Get(man), n.Get(goal)), c(-1)),
    )
    return n.Function("move", (man, goal), None, body, pure=False)


def grid_program() -> n.Program:
    """The game."""
    fighter, goal = var("fighter", home=FIGHTER), var("goal", home=GOAL)
    free, man = var("free", SQUARE_SET), var("man")
    here = field(AT, n.Get(fighter), MEN)
    pace = n.Cond(field(HERO, n.Get(fighter), MEN), c(3), c(2))
    reached = n.Reach(0, n.SetOf((here,), SQUARES, IN_RANGE), pace, n.Get(free), None)
    alive = n.Query(
        "those",
        man,
        n.SetTable(OWN, MOVING, IN_RANGE),
        n.Compare(">=", field(AT, n.Get(man), MEN), c(0)),
        None,
        MEN,
    )
    go = n.Option(
        "go",
        (n.Let(free, n.Call(EMPTY, ())),),
        None,
        (n.Binder(fighter, alive), n.Binder(goal, n.SetOp("&", reached, n.Get(free)))),
        2,
        True,
        0,
    )
    turn = n.Store(MOVER, c(0), 1, n.Cond(eq(MOVING, c(0)), c(1), c(0)), 0, 1, False, None, None)
    blocks = [
        n.Block("turn", (turn,), n.Jump(1), 1, BUDGET),
        n.Block("ask", (), n.Ask(0)),
        n.Block(
            "go",
            (
                n.Do(MOVE, (n.Get(fighter), n.Get(goal))),
                n.Do(SETTLE, (n.Get(fighter), n.Get(goal))),
                n.Do(CAPTURE, (n.Get(goal), MOVING)),
                n.Do(JUDGE, ()),
                n.Clear(FIGHTER, 2),
            ),
            n.Jump(0),
        ),
        n.Block("stuck", (n.End(rival(MOVING), 0, (MOVING,)),), n.Stop()),
    ]
    return n.Program(
        cells=CELLS,
        start=0,
        tables=[(0,) * 8 + (1,) * 8],
        set_tables=[(0x00FF, 0xFF00)],
        set_sizes=[MEN],
        list_tables=[tuple(ray(square, direction) for square in range(SQUARES) for direction in range(8))],
        graphs=[board(SIZE)],
        functions=[side(), empty(), held(), capture(), settle(), judge(), move()],
        blocks=blocks,
        decisions=[n.Decision("go", MOVING, (go,), None, 3, True, False, 0, IN_RANGE)],
        sites=[n.Site("index", "{0} is out of range", "grid:1:1"), n.Site("budget", "too many steps", "grid:2:1")],
    )


def grid_start(seed: int = 1) -> bytearray:
    """The position at the start, not advanced."""
    cells = [0] * CELLS
    state, increment = seeded(seed)
    cells[WINNER], cells[PC], cells[MOVER] = -1, 0, -1
    cells[OWNER : OWNER + SQUARES] = [-1] * SQUARES
    cells[MAN : MAN + SQUARES] = [-1] * SQUARES
    for man in range(MEN):
        square = 1 + man if man < 8 else 9 * SIZE + 1 + man - 8
        cells[AT + man], cells[MAN + square] = square, man
    for city in CITIES:
        cells[OWNER + city] = 0 if city < 5 * SIZE else 1
    block = bytearray(struct.pack(f"<{CELLS}i", *cells))
    struct.pack_into("<QQ", block, 4 * RANDOM, state & MASK64, increment)
    return block
