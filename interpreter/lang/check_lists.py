"""Lists and questions: a list is never kept while somebody is asked, for a position has no cells for it.

Only the frozen list of a `for each` outlives a question. Runs when it is known which effects ask.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.diagnostics import Bag, Note
from interpreter.lang import nodes as n
from interpreter.lang.scope import Callable, Checked, Local
from interpreter.lang.types import ListT
from interpreter.lang.walk import statements
from interpreter.source import Span

HELP = "compute it again behind the question, or keep a set"


def check_lists(checked: Checked, bag: Bag) -> None:
    """Reports lists that effects would have to keep while they wait."""
    for target in checked.callables.values():
        if target.is_effect and target.pauses:
            _check_effect(target, checked, bag)
    for tree in checked.phases.values():
        if isinstance(tree, tuple):
            _Walk(checked, bag, {}).body(tree)


def _check_effect(target: Callable, checked: Checked, bag: Bag) -> None:
    for p in target.params:
        if isinstance(p.type, ListT):
            _report(p.name, p.span, "this effect asks a player, and a list can't wait for the answer", bag, target.asks)
    if isinstance(target.result, ListT):
        message = "this effect asks a player, and its result can't be a list"
        bag.error("list-kept", message, target.span, help="give back a set, or compute the list where it is needed")
    if target.node is not None:
        _Walk(checked, bag, {}).body(target.node.body)


def _report(name: str, span: Span, message: str, bag: Bag, asks: Span | None, help: str = "give it a set") -> None:
    notes = [Note("it asks here", asks)] if asks is not None else []
    bag.error("list-kept", message, span, label=f"`{name}` is a list", notes=notes, help=help)


@dataclass
class _Walk:
    """`lists`: list variables in force, and where somebody was asked since they were made (None: nowhere)."""

    checked: Checked
    bag: Bag
    lists: dict[Local, Span | None]

    def body(self, body: n.Body) -> None:
        for statement in body:
            self.statement(statement)

    def statement(self, node: n.Stmt) -> None:
        asks = self.asks(node)
        if isinstance(node, n.Repeat | n.ForEach):  # these look at it once, before all else
            for part in _own(node):
                self.uses(part)
        if asks is not None and isinstance(node, n.While | n.Repeat | n.ForEach | n.ForChosen | n.Choose):
            self.age(asks)  # what stands inside may come again behind a question, and candidates are found anew
        for part in _own(node) if not isinstance(node, n.Repeat | n.ForEach) else ():
            self.uses(part)
        for inner in _bodies(node):
            self.body(inner)
        if asks is not None:
            self.age(asks)
        if isinstance(node, n.Let):
            local = self.checked.locals[node.name]
            if isinstance(local.type, ListT):
                self.lists[local] = None

    def age(self, asks: Span) -> None:
        for local, before in self.lists.items():
            self.lists[local] = before or asks

    def asks(self, node: n.Stmt) -> Span | None:
        """Where somebody is asked in a statement."""
        for x in statements((node,)):
            if isinstance(x, n.Choose | n.ForChosen):
                return x.span
            call = x.call if isinstance(x, n.CallStmt) else getattr(x, "value", None)
            target = self.checked.refs.get(call) if isinstance(call, n.Apply) else None
            if isinstance(target, Callable) and target.pauses:
                return x.span
        return None

    def uses(self, node: object) -> None:
        for name in _names(node):
            local = self.checked.refs.get(name)
            if isinstance(local, Local) and self.lists.get(local) is not None:
                asked = self.lists[local]
                message = "a list can't be kept while a player is asked"
                _report(name.name, name.span, message, self.bag, asked, HELP)
                del self.lists[local]  # once is enough


def _own(node: n.Stmt) -> Iterator[object]:
    """The parts of a statement that are no statements."""
    for slot in getattr(type(node), "__slots__", ()):
        part = getattr(node, slot)
        if slot == "body" or slot == "other":
            continue
        if isinstance(node, n.If) and slot == "branches":
            yield from (cond for cond, _ in node.branches)
        elif isinstance(node, n.Match) and slot == "cases":
            yield from (case.values for case in node.cases)
        elif isinstance(node, n.Choose) and slot == "options":
            yield from ((o.binders, o.clauses) for o in node.options)
        else:
            yield part


def _bodies(node: n.Stmt) -> Iterator[n.Body]:
    match node:
        case n.If():
            yield from (body for _, body in node.branches)
            yield node.other or ()
        case n.Match():
            yield from (case.body for case in node.cases)
            yield node.other or ()
        case n.Choose():
            yield from (option.body for option in node.options)
            yield node.other or ()
        case _:
            yield getattr(node, "body", ())


def _names(node: object) -> Iterator[n.NameRef]:
    if isinstance(node, n.NameRef):
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _names(part)
    elif not isinstance(node, Span):
        for slot in getattr(type(node), "__slots__", ()):
            yield from _names(getattr(node, slot))
