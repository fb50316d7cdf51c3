"""All questions that a game can ask, by their ids, with what there is to choose in each step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from interpreter.lang import nodes as n
from interpreter.lang.narrow import facts_if
from interpreter.lang.scope import Callable, Checked, Facts, Local
from interpreter.lang.walk import statements
from interpreter.source import Span

STOPS = {"choose": "", "may": "no", "keep": "done", "keep_each": "done"}


@dataclass(frozen=True, eq=False)
class Shape:
    """One alternative in one step: the word that its choices begin with, the variables that a choice gives values, and
    what is known of these.

    `at`: where the step is written; `number`: of the alternative in it, -1 for the way to stop; `around`: the variables
    that are there when it is asked, by their names.
    """

    word: str
    at: Span
    number: int
    names: tuple[Local, ...]
    facts: Facts
    around: Mapping[str, Local]


@dataclass(frozen=True, eq=False)
class Question:
    """A statement that asks: its alternatives in all their steps, and the ways to stop it."""

    id: str
    span: Span
    shapes: tuple[Shape, ...]
    stops: tuple[Shape, ...]


def questions(checked: Checked) -> dict[str, list[Question]]:
    """All questions of a game; those of one id may stand in several places."""
    found: dict[str, list[Question]] = {}
    for asked_as, body in _bodies(checked):
        for statement in statements(body):
            if isinstance(statement, n.Choose):
                made = _choose(statement, asked_as, checked)
            elif isinstance(statement, n.ForChosen):
                made = _for_chosen(statement, asked_as, checked)
            else:
                continue
            if made is not None:
                found.setdefault(made.id, []).append(made)
    return found


def _bodies(checked: Checked) -> Iterator[tuple[str, n.Body]]:
    """All statements, with the id of questions in them that have none of their own."""
    for target in checked.callables.values():
        if isinstance(target.node, n.Effect):
            yield asked_as(target), target.node.body
    for tree in checked.phases.values():
        if isinstance(tree, tuple):
            yield "game", tree


def asked_as(target: Callable) -> str:
    """The id of questions in an effect that have none of their own."""
    return target.asked_as or target.name


def _choose(node: n.Choose, owner: str, checked: Checked) -> Question | None:
    say = node.clauses.say
    id_ = say.id.text if say is not None and say.id is not None else owner
    shapes: list[Shape] = []
    around = checked.around.get(node, {})
    stops = [STOPS[node.mood]] if STOPS[node.mood] else []
    if node.mood == "may" and node.other is not None and any(isinstance(x, n.Pass) for x in node.other):
        stops.append("pass")
    for number, option in enumerate(node.options):
        word = option.name.text if option.name else ("yes" if node.mood == "may" and not option.binders else id_)
        names: list[Local] = []
        facts: Facts = {}
        for binder in option.binders:
            local = checked.locals.get(binder.var)
            if local is None:
                return None  # it was not checked to its end
            if binder.quantity == "one":
                names.append(local)
                facts |= _facts(binder.where, checked)
            else:
                shapes.append(Shape(id_, binder.span, 0, (local,), _facts(binder.where, checked), around))
                stops.append("done")
        if option.clauses.when is not None and option.clauses is not node.clauses:
            facts |= _facts(option.clauses.when, checked)
        if names or not option.binders:
            shapes.append(Shape(word, node.span, number, tuple(names), facts, around))
    steps = dict.fromkeys((node.span, *(shape.at for shape in shapes)))
    ends = tuple(Shape(word, at, -1, (), {}, around) for word in dict.fromkeys(stops) for at in steps)
    return Question(id_, node.span, tuple(shapes), ends)


def _for_chosen(node: n.ForChosen, owner: str, checked: Checked) -> Question | None:
    id_ = node.say.id.text if node.say is not None and node.say.id is not None else owner
    local = checked.locals.get(node.binder.var)
    if local is None:
        return None
    facts = _facts(node.binder.where, checked)
    shape = Shape(id_, node.span, 0, (local,), facts, checked.around.get(node, {}))
    return Question(id_, node.span, (shape,), ())


def _facts(node: n.Expr | None, checked: Checked) -> Facts:
    """What a condition tells about variables; what it tells about fields may have changed by the time it is used."""
    if node is None or node not in checked.types:
        return {}
    return {path: ty for path, ty in facts_if(node, True, checked).items() if len(path) >= 1}
