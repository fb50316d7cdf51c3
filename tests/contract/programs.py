"""Small programs of the language at random: arithmetic, control flow, searches, sets, moves, dice, questions."""

from __future__ import annotations

from pathlib import Path
from random import Random

GAME = """\
game: trial
players: [red, blue]
enums: {colour: [amber, green, white]}
dice: {d6: 1..6, coin: {heads: 1, tails: 2}}
kinds:
  player: {purse: {type: int, min: 0, default: 9}}
  node:
    worth: int
    held_by: maybe player
    hue: colour
    level: {type: int, track: 0..5}
    holds: {stone: 1, inverse: stone_here}
  stone:
    piece: [node, box]
    side: player
    weight: int
    home: maybe node
zones: {box: {of: stone, per: player}}
globals:
  total: int
  rounds: int
  count_by: {type: int, per: colour}
  marks: set of node
map:
  edges: [[n1, n2], [n2, n3], [n3, n4], [n4, n5], [n5, n6], [n6, n1], [n2, n5], [n6, n7]]
  spaces:
    - {node: n1, worth: 1, hue: amber}
    - {node: n2, worth: 4, hue: green}
    - {node: n3, worth: -2, hue: white}
    - {node: n4, worth: 7, hue: amber}
    - {node: n5, worth: 0, hue: green}
    - {node: n6, worth: 3, hue: white}
    - {node: n7, worth: 5, hue: green}
phases:
  turn: {repeat: true, each: player, do: step(mover)}
"""
PIECES = """\
- stone: rock
  copies: 3
  side: red
  weight: 2
- stone: pebble
  copies: 3
  side: blue
  weight: 3
"""
SCENARIO = """\
scenario: start
place: {rock_1: n1, rock_2: n2, pebble_1: n4, pebble_2: n6, rock_3: "box[red]", pebble_3: "box[blue]"}
"""
FRAME = """\
fun worth_of(a: node, x: int) -> int = a.worth + x
fun strongest(p: player) -> maybe stone = first(s in stones where s.side == p and s.at is node)
effect nudge(a: node, by_how: int) -> int:
    a.worth += by_how
    return a.worth
effect ask_one(p: player) -> int:
    choose z in nodes where z.worth > 0 by p as pick_one "Pick {{z}}":
        z.worth -= 1
        return z.worth
    return 0
effect step(p: player):
    rounds += 1
    if rounds > 12:
        finish as "time"
{body}"""


class Writer:
    """Writes statements and expressions of known types with the names that are in force."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.fresh = 0

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def name(self, prefix: str) -> str:
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    # ---- expressions ------------------------------------------------------------------------------------------------

    def number(self, names: Names, depth: int) -> str:
        if depth <= 0:
            return self.pick(str(self.rng.randrange(12)), "total", "p.purse", *(n for n, t in names if t == "int"))
        a, b = (lambda: self.number(names, depth - 1)), (lambda: self.condition(names, depth - 1))
        x = self.name("q")
        inner = [*names, (x, "node")]
        makers = (
            lambda: f"({a()} {self.pick('+', '-', '*')} {a()})",
            lambda: f"{self.pick('min', 'max')}({a()}, {a()})",
            lambda: f"clamp({a()}, -5, {self.rng.randrange(9)})",
            lambda: f"{self.pick('floor', 'ceil')}({a()} / {self.rng.choice((2, 3, -3))})",
            lambda: f"({a()} if {b()} else {a()})",
            lambda: f"(1 if {b()})",
            lambda: f"count({x} in {self.nodes(names, depth - 1)} where {self.condition(inner, depth - 1)})",
            lambda: f"sum({x} in {self.nodes(names, depth - 1)} of {self.number(inner, 0)})",
            lambda: f"size({self.nodes(names, depth - 1)})",
            lambda: f"{self.node(names)}.{self.pick('worth', 'level')}",
            lambda: f"worth_of({self.node(names)}, {a()})",
            lambda: f"count_by[{self.colour(names)}]",
            lambda: f"size(shortest_path([{self.node(names)}], {self.node(names)}))",
            lambda: f"sum(s{x} in stones where s{x}.side == p and s{x}.at is node of s{x}.weight)",
        )
        return self.rng.choice(makers)()

    def condition(self, names: Names, depth: int) -> str:
        a = lambda: self.number(names, depth - 1)  # noqa: E731
        x = self.name("k")
        inner = [*names, (x, "node")]
        makers = [
            lambda: f"{a()} {self.pick('<', '<=', '>', '>=', '==', '!=')} {a()}",
            lambda: f"{self.node(names)} {self.pick('in', 'not in')} {self.nodes(names, depth - 1)}",
            lambda: f"{self.node(names)}.held_by {self.pick('==', '!=')} {self.pick('p', 'none', 'red')}",
            lambda: f"{self.node(names)}.stone_here {self.pick('==', '!=')} none",
            lambda: f"{self.node(names)}.hue == {self.colour(names)}",
        ]
        if depth > 0:
            c = lambda: self.condition(names, depth - 1)  # noqa: E731
            makers += [
                lambda: f"({c()} {self.pick('and', 'or')} {c()})",
                lambda: f"not ({c()})",
                lambda: f"any({x} in {self.nodes(names, depth - 1)} where {self.condition(inner, depth - 1)})",
                lambda: f"all({x} in {self.nodes(names, depth - 1)} have {self.condition(inner, depth - 1)})",
                lambda: f"connected({self.node(names)}, {self.node(names)}, through = {x} where {x}.worth > 0)",
                lambda: f"strongest(p) {self.pick('==', '!=')} none",
            ]
        return self.rng.choice(makers)()

    def node(self, names: Names) -> str:
        return self.pick(*(f"n{i}" for i in range(1, 8)), *(n for n, t in names if t == "node"))

    def stone(self) -> str:
        return f"{self.pick('rock', 'pebble')}_{self.rng.randrange(1, 4)}"

    def colour(self, names: Names) -> str:
        return self.pick("amber", "green", "white", f"{self.node(names)}.hue")

    def nodes(self, names: Names, depth: int) -> str:
        x = self.name("m")
        inner = [*names, (x, "node")]
        if depth <= 0:
            one, other = self.node(names), self.node(names)
            return self.pick("nodes", "marks", f"[{one}, {other}]", f"neighbours({one})")
        s = lambda: self.nodes(names, depth - 1)  # noqa: E731
        makers = (
            lambda: f"those({x} in {s()} where {self.condition(inner, depth - 1)})",
            lambda: f"({s()} {self.pick('+', '-')} {s()})",
            lambda: f"reach([{self.node(names)}], within = {self.rng.randrange(4)})",
            lambda: f"reach([{self.node(names)}], through = {x} where {self.condition(inner, depth - 1)})",
            lambda: f"{self.pick('highest', 'lowest')}({x} in {s()} of {self.number(inner, 0)})",
        )
        return self.rng.choice(makers)()

    # ---- statements -------------------------------------------------------------------------------------------------

    def body(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        names = list(names)
        lines = [self.statement(names, depth, indent, loop) for _ in range(self.rng.randrange(1, 4))]
        return "".join(lines)

    def statement(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        pad = "    " * indent
        simple = (
            lambda: f"total {self.pick('=', '+=', '-=')} {self.number(names, 2)}",
            lambda: f"{self.node(names)}.worth {self.pick('=', '+=', '-=')} {self.number(names, 1)}",
            lambda: f"{self.node(names)}.level {self.pick('=', '+=', '-=')} {self.number(names, 1)}",
            lambda: f"{self.node(names)}.held_by = {self.pick('p', 'none', 'rival(p)')}",
            lambda: f"marks {self.pick('=', '+=', '-=')} {self.nodes(names, 2)}",
            lambda: f"count_by[{self.colour(names)}] += {self.number(names, 1)}",
            lambda: f"move {self.stone()} to {self.pick('box[p]', self.node(names))}",
            lambda: f"let {self.new(names, 'int')} = {self.number(names[:-1], 2)}",
            lambda: f"let {self.new(names, 'node')} = {self.node(names[:-1])}",
            lambda: f"let {self.new(names, 'int')} = roll d6",
            lambda: f"let {self.new(names, 'int')} = nudge({self.node(names[:-1])}, {self.number(names[:-1], 1)})",
            lambda: f"let {self.new(names, 'int')} = ask_one({self.pick('p', 'rival(p)')})",
            lambda: 'log "total {total} and {marks}"',
            lambda: "break" if loop else "total += 1",
        )
        if depth <= 0 or self.rng.random() < 0.45:
            return f"{pad}{self.rng.choice(simple)()}\n"
        return self.rng.choice((self._if, self._for, self._repeat, self._while, self._choose, self._may, self._keep))(
            names, depth, indent, loop
        )

    def new(self, names: Names, ty: str) -> str:
        made = self.name("v")
        names.append((made, ty))
        return made

    def _if(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        pad = "    " * indent
        text = f"{pad}if {self.condition(names, 2)}:\n{self.body(names, depth - 1, indent + 1, loop)}"
        if self.rng.random() < 0.5:
            text += f"{pad}else:\n{self.body(names, depth - 1, indent + 1, loop)}"
        return text

    def _for(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        del loop
        x = self.name("e")
        inner = [*names, (x, "node")]
        head = f"{'    ' * indent}for each {x} in {self.nodes(names, 1)} where {self.condition(inner, 1)}:\n"
        return head + self.body(inner, depth - 1, indent + 1, True)

    def _repeat(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        del loop
        return f"{'    ' * indent}repeat {self.rng.randrange(4)}:\n{self.body(names, depth - 1, indent + 1, True)}"

    def _while(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        del loop
        x = self.name("w")
        pad = "    " * indent
        test = f"{x} > 0 and {self.condition(names, 1)}"
        head = f"{pad}let {x} = {self.rng.randrange(5)}\n{pad}while {test}:\n{pad}    {x} -= 1\n"
        return head + self.body(names, depth - 1, indent + 1, True)

    def _binder(self, names: Names) -> tuple[str, str]:
        x = self.name("c")
        inner = [*names, (x, "node")]
        return x, f"{x} in {self.nodes(names, 1)} where {self.condition(inner, 1)}"

    def _choose(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        x, binder = self._binder(names)
        pad = "    " * indent
        said = self.name("d")
        text = f'{pad}choose {binder} by {self.pick("p", "rival(p)")} as {said} "Choose {{{x}}}":\n'
        text += self.body([*names, (x, "node")], depth - 1, indent + 1, loop)
        if self.rng.random() < 0.5:
            text += f"{pad}else:\n{self.body(names, depth - 1, indent + 1, loop)}"
        return text

    def _may(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        pad = "    " * indent
        price = f" costs {self.rng.randrange(3)} from p.purse" if self.rng.random() < 0.5 else ""
        return f'{pad}may by p{price} as {self.name("d")} "Do it":\n{self.body(names, depth - 1, indent + 1, loop)}'

    def _keep(self, names: Names, depth: int, indent: int, loop: bool) -> str:
        del loop
        x, binder = self._binder(names)
        text = f'{"    " * indent}keep choosing each {binder} by p as {self.name("d")} "Take {{{x}}}":\n'
        return text + self.body([*names, (x, "node")], depth - 1, indent + 1, True)


Names = list[tuple[str, str]]


def write_game(folder: Path, rng: Random) -> str:
    """Writes a whole game with a random turn into a folder; gives the rule text."""
    text = FRAME.format(body=Writer(rng).body([], 3, 1, False))
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "pieces.yaml").write_text(PIECES, encoding="utf-8")
    (folder / "scenarios.yaml").write_text(SCENARIO, encoding="utf-8")
    (folder / "rules" / "10_turn.effects").write_text(text, encoding="utf-8")
    return text
