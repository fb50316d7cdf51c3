"""On what grounds questions are reached: labels of variables and results, and the questions that others do not hear of.

A question with secret candidates is always asked, even if there is only one, or none. A question that is reached on
secret grounds is "dark": the others are not told that it is asked. What a player chooses counts as open: it shows in
what follows from it.
"""

from __future__ import annotations

from interpreter.lang import nodes as n
from interpreter.lang.labels import CLOSED, PUBLIC, SECRET, Labels, Question, bind, is_secret, label_of
from interpreter.lang.scope import Bend, Callable, Checked, Local, Settling
from interpreter.lang.walk import statements
from interpreter.reading.model import PhaseDef


def find_questions(checked: Checked) -> None:
    """Fills `checked.hidden` and `checked.dark`, for a game without errors."""
    labels = find_labels(checked)
    checked.hidden = frozenset(q for q in labels.questions if is_secret(q, labels))
    checked.dark = frozenset(labels.dark)


def find_labels(checked: Checked) -> Labels:
    """The labels of a checked game without errors."""
    labels = Labels(checked)
    if not checked.sight.secretive and not checked.sight.fields:
        return labels
    labels.changed = True
    while labels.changed:
        labels.changed = False
        for target in checked.callables.values():
            _callable(target, labels)
        for bend in checked.bends:
            _bend(bend, labels)
        for rule in checked.settling:
            _settling(rule, labels)
        for scenario in checked.game.scenarios:
            if scenario.setup is not None:
                _tree(checked.phases.get(scenario.setup), False, labels)
        for phase in checked.game.phases:
            _phase(phase, False, labels)
        adds = [a for option in checked.game.options for a in option.adds]
        adds += [a for scenario in checked.game.scenarios for a in scenario.adds]
        for add in adds:
            _tree(checked.phases.get(add.do), False, labels)
    return labels


# ---- where rule text stands -----------------------------------------------------------------------------------------


def _callable(target: Callable, labels: Labels) -> None:
    node = target.node
    if node is None:
        return
    dark = target in labels.dark_calls
    if isinstance(node, n.Fun) and node.value is not None:
        _result(target, label_of(node.value, labels), labels)
    else:
        _body(node.body, dark, target, labels)


def _bend(bend: Bend, labels: Labels) -> None:
    for own, given in zip(bend.params, bend.target.params, strict=False):
        labels.raise_local(own, labels.locals.get(given, PUBLIC))
    test = max((label_of(x, labels) for x in bend.conditions), default=PUBLIC)
    if bend.value is not None:
        _result(bend.target, max(test, label_of(bend.value, labels)), labels)
    elif bend.verb in ("allow", "forbid"):
        _result(bend.target, test, labels)
    if bend.effect is not None:
        for own, given in zip(bend.effect.params, bend.target.params, strict=False):
            labels.raise_local(own, labels.locals.get(given, PUBLIC))
        _called(bend.effect, test == SECRET or bend.target in labels.dark_calls, labels)
        if test == SECRET:
            _called(bend.target, True, labels)
        _result(bend.target, labels.results.get(bend.effect, PUBLIC), labels)


def _settling(rule: Settling, labels: Labels) -> None:
    test = PUBLIC if rule.when is None else label_of(rule.when, labels)
    if rule.each is not None:
        test = bind(rule.each, labels)
        for p in rule.do.params:
            labels.raise_local(p, min(test, CLOSED))
    _called(rule.do, test == SECRET, labels)


def _phase(phase: PhaseDef, dark: bool, labels: Labels) -> None:
    trees = labels.checked.phases
    for text in (phase.while_, phase.skip_if, phase.each_from):
        tree = trees.get(text)
        if tree is not None and not isinstance(tree, tuple):
            dark = dark or label_of(tree, labels) == SECRET
    if phase.do is not None:
        _tree(trees.get(phase.do), dark, labels)
    for inner in phase.phases:
        _phase(inner, dark, labels)


def _tree(tree: n.Body | n.Expr | None, dark: bool, labels: Labels) -> None:
    if isinstance(tree, tuple):
        _body(tree, dark, None, labels)


def _called(target: Callable, dark: bool, labels: Labels) -> None:
    if dark and target not in labels.dark_calls:
        labels.dark_calls.add(target)
        labels.changed = True


def _result(target: Callable, label: int, labels: Labels) -> None:
    if label > labels.results.get(target, PUBLIC):
        labels.results[target] = label
        labels.changed = True


# ---- statements -----------------------------------------------------------------------------------------------------


def _body(body: n.Body, dark: bool, owner: Callable | None, labels: Labels) -> bool:
    """Walks over statements; whether what comes behind them is reached on secret grounds."""
    for node in body:
        dark = _statement(node, dark, owner, labels)
    return dark


def _statement(node: n.Stmt, dark: bool, owner: Callable | None, labels: Labels) -> bool:
    """One statement; whether what follows is reached on secret grounds."""
    match node:
        case n.Let():
            local = labels.checked.locals.get(node.name)
            label = _right(node.value, dark, labels)
            if local is not None:
                labels.raise_local(local, SECRET if dark else label)
        case n.Assign():
            ref = labels.checked.refs.get(node.target)
            label = _right(node.value, dark, labels)
            if isinstance(ref, Local):
                labels.raise_local(ref, SECRET if dark else label)
        case n.CallStmt():
            _right(node.call, dark, labels)
        case n.Return():
            label = PUBLIC if node.value is None else _right(node.value, dark, labels)
            if owner is not None:
                _result(owner, SECRET if dark else label, labels)
        case n.If():
            return _if(node, dark, owner, labels)
        case n.Match():
            inside = dark or label_of(node.subject, labels) == SECRET
            bodies = [*(c.body for c in node.cases), *([node.other] if node.other else [])]
            return _branches(bodies, inside, dark, owner, labels)
        case n.Repeat():
            return _loop(node.body, dark, label_of(node.times, labels), owner, labels)
        case n.While():
            return _loop(node.body, dark, label_of(node.cond, labels), owner, labels)
        case n.ForEach():
            return _loop(node.body, dark, bind(node.binder, labels), owner, labels)
        case n.ForChosen():
            _ask(node, dark, labels)
            label = bind(node.binder, labels)
            labels.raise_local(labels.checked.locals[node.binder.var], min(label, CLOSED))
            return _loop(node.body, dark, PUBLIC, owner, labels)
        case n.Choose():
            return _choose(node, dark, owner, labels)
        case n.Secretly():
            _ask(node, dark or bind(node.binder, labels) == SECRET, labels)
            return _body(node.body, dark, owner, labels) or dark
        case n.Alternate() | n.Scene():
            return _body(node.body, dark, owner, labels) or dark
    return dark


def _choose(node: n.Choose, dark: bool, owner: Callable | None, labels: Labels) -> bool:
    _ask(node, dark, labels)
    after = dark
    for option in node.options:
        for binder in option.binders:
            label = min(bind(binder, labels, chosen=True), CLOSED)
            for name in (binder.var, binder.set_name):
                if name is not None:
                    labels.raise_local(labels.checked.locals[name], label)
        after = _body(option.body, dark, owner, labels) or after
    if node.other is not None:
        after = _body(node.other, dark, owner, labels) or after
    return after


def _ask(node: Question, dark: bool, labels: Labels) -> None:
    labels.questions.add(node)
    if dark and node not in labels.dark:
        labels.dark.add(node)
        labels.changed = True


def _if(node: n.If, dark: bool, owner: Callable | None, labels: Labels) -> bool:
    inside = dark
    bodies = []
    for cond, body in node.branches:
        inside = inside or label_of(cond, labels) == SECRET
        bodies.append((body, inside))
    if node.other is not None:
        bodies.append((node.other, inside))
    after = dark
    for body, below in bodies:
        found = _body(body, below, owner, labels)
        after = after or (found if not below else _leaves(body))
    return after


def _branches(bodies: list[n.Body], inside: bool, dark: bool, owner: Callable | None, labels: Labels) -> bool:
    after = dark
    for body in bodies:
        found = _body(body, inside, owner, labels)
        after = after or (found if not inside else _leaves(body))
    return after


def _loop(body: n.Body, dark: bool, label: int, owner: Callable | None, labels: Labels) -> bool:
    inside = dark or label == SECRET
    found = _body(body, inside, owner, labels)
    if found and not inside:  # what a round leads to holds for the rounds after it
        _body(body, True, owner, labels)
    return dark or (found if not inside else _leaves(body))


def _leaves(body: n.Body) -> bool:
    """Whether statements may leave what stands around them, so that what follows is not always reached."""
    return any(isinstance(x, n.Return | n.Break | n.Pass) for x in statements(body))


def _right(node: n.Expr, dark: bool, labels: Labels) -> int:
    """A right side or a call, which may be that of an effect."""
    if isinstance(node, n.Apply):
        target = labels.checked.refs.get(node)
        if isinstance(target, Callable):
            receiver = label_of(node.func.target, labels) if isinstance(node.func, n.Field) else PUBLIC
            below = dark or (receiver == SECRET)
            _called(target, below, labels)
            for filling in target.fillings or ():
                _called(filling.body, below, labels)
    if isinstance(node, n.Roll):
        return PUBLIC if node.times is None else label_of(node.times, labels)
    return label_of(node, labels)
