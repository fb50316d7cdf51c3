"""On what grounds things happen: questions that others do not hear of, and what all see although it is a secret.

Every callable is walked through once for each combination of labels that it is called with, so that a function means
for open pieces what it says of them, and for closed ones that it is secret.

A question with secret candidates is always asked, even if there is only one, or none. A question that is reached on
secret grounds is "dark": the others are not told that it is asked. What a player chooses counts as open: it shows in
what follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from interpreter.diagnostics import Bag
from interpreter.lang import nodes as n
from interpreter.lang.asking import Question, asked_unawares, chosen_blindly, is_secret
from interpreter.lang.labels import (
    CLOSED,
    KNOWN,
    OPEN,
    SECRET,
    Frame,
    element,
    given_to,
    given_values,
    join,
    label_of,
    names_pieces,
    opened_by,
    secretive_kind,
)
from interpreter.lang.scope import Bend, Callable, Checked, Local, Settling
from interpreter.lang.shows import Findings, Ground, moved_label, seen_in, unseen_write
from interpreter.lang.walk import statements
from interpreter.lang.world import Field
from interpreter.reading.model import PhaseDef

Key = tuple[Callable, tuple[int, ...], bool, int, frozenset[Field]]


def find_questions(checked: Checked, bag: Bag) -> None:
    """Fills `checked.hidden` and `checked.dark`, for a game without errors; says what tells a secret."""
    if not checked.sight.secretive and not checked.sight.fields:
        return
    found = Walker(checked)
    found.game()
    while found.more_unseen:  # what was taken to be seen was not
        found = Walker(checked, unseen=found.unseen)
        found.game()
    checked.hidden = frozenset(found.hidden)
    checked.dark = frozenset(found.dark)
    found.findings.report(bag)
    for binder in found.blind:
        bag.error(
            "chosen-unseen",
            "this offers pieces that whoever is asked does not see",
            binder.domain.span,
            help="let them be seen first, or take one at random: `draw 1 from …`",
        )


@dataclass(eq=False)
class Summary:
    """What a callable comes to: the label of its result, the parameters whose pieces are open when it is done, and the
    flags that are set then.
    """

    result: int = OPEN
    opened: frozenset[int] = frozenset()
    flags: frozenset[Field] = frozenset()


@dataclass(eq=False)
class Walker:
    """A walk through all rules of a game."""

    checked: Checked
    known: dict[Key, Summary] = field(default_factory=dict)
    met: set[Callable] = field(default_factory=set)
    hidden: set[Question] = field(default_factory=set)
    dark: set[Question] = field(default_factory=set)
    blind: set[n.Binder] = field(default_factory=set)  # that offer what whoever is asked does not see
    findings: Findings = field(default_factory=Findings)
    unseen: set[Field] = field(default_factory=set)
    more_unseen: bool = False

    # ---- where rule text stands -------------------------------------------------------------------------------------

    def game(self) -> None:
        """Everything that is carried out in play, then what nothing calls."""
        checked = self.checked
        for phase in checked.game.phases:
            self._phase(phase, None)
        adds = [a for option in checked.game.options for a in option.adds]
        adds += [a for scenario in checked.game.scenarios for a in scenario.adds]
        for add in adds:
            self._tree(add.do, None)
        for rule in checked.settling:
            self._settling(rule)
        setups = [s.setup for s in checked.game.scenarios] + [c.interphase for c in checked.game.campaigns]
        with self.findings.silent():  # how a war begins is known from the rulebook
            for text in setups:
                self._tree(text, None)
        for target in checked.callables.values():
            if target not in self.met and target.node is not None:
                self.call(target, self._usual(target), None, self._fresh())

    @cached_property
    def bends(self) -> dict[Callable, list[Bend]]:
        """The exceptions to each callable."""
        found: dict[Callable, list[Bend]] = {}
        for bend in self.checked.bends:
            found.setdefault(bend.target, []).append(bend)
        return found

    def _fresh(self) -> Frame:
        return Frame(self.checked, self)

    def _named(self, me: Local, label: int) -> int:
        """The label of `self`, which is open if its kind has no secrets."""
        return label if secretive_kind(me.type, self.checked) is not None else OPEN

    def _usual(self, target: Callable) -> tuple[int, ...]:
        return tuple(CLOSED if secretive_kind(p.type, self.checked) else OPEN for p in target.params)

    def _tree(self, text: object, dark: Ground | None) -> None:
        tree = self.checked.phases.get(text)
        if isinstance(tree, tuple):
            Walk(self, self._fresh(), None).body(tree, dark)

    def _phase(self, phase: PhaseDef, dark: Ground | None) -> None:
        for text in (phase.while_, phase.skip_if, phase.each_from):
            tree = self.checked.phases.get(text)
            if tree is not None and not isinstance(tree, tuple):
                dark = dark or Ground.of(tree, self._fresh())
        if phase.do is not None:
            self._tree(phase.do, dark)
        for inner in phase.phases:
            self._phase(inner, dark)

    def _settling(self, rule: Settling) -> None:
        frame = self._fresh()
        dark = None if rule.when is None else Ground.of(rule.when, frame)
        given: tuple[int, ...] = ()
        if rule.each is not None:
            walk = Walk(self, frame, None)
            dark = walk.bind(rule.each) or dark
            given = tuple(min(frame.label(self.checked.locals[rule.each.var]), CLOSED) for _ in rule.do.params)
        self.call(rule.do, given, dark, frame)

    # ---- calls ------------------------------------------------------------------------------------------------------

    def result(self, target: Callable, given: tuple[int, ...], at: Frame) -> int:
        """The label of what a function or effect gives."""
        return self.call(target, given, None, at).result

    def call(
        self, target: Callable, given: tuple[int, ...], dark: Ground | None, at: Frame, me: int = KNOWN
    ) -> Summary:
        """What a call comes to; its body is walked through once for each combination. `me`: the label of `self`."""
        key = (target, given, dark is not None, me, at.flags)
        if key not in self.known:
            self.met.add(target)
            self.known[key] = self._walk(target, given, dark, at, me)  # callables do not call each other in circles
        return self.known[key]

    def _walk(self, target: Callable, given: tuple[int, ...], dark: Ground | None, at: Frame, me: int) -> Summary:
        labels, tests = [], []
        for bend in self.bends.get(target, ()):
            own = Frame(self.checked, self, dict(zip(bend.params, given, strict=False)), at.flags)
            if bend.me is not None:
                own.locals[bend.me[0]] = self._named(bend.me[0], KNOWN)
            test = next((g for g in (Ground.of(x, own) for x in bend.conditions) if g is not None), None)
            tests += [test] if test is not None else []
            if bend.value is not None:
                labels.append(label_of(bend.value, own))
            if bend.effect is not None:
                labels.append(self.call(bend.effect, given, dark or test, at).result)
        for filling in target.fillings or ():
            labels.append(self.call(filling.body, given, dark, at, given[0]).result)
        frame = Frame(self.checked, self, dict(zip(target.params, given, strict=True)), at.flags)
        if target.me is not None:
            frame.locals[target.me[0]] = self._named(target.me[0], me)
        node = target.node
        if isinstance(node, n.Fun) and node.value is not None:
            labels.append(label_of(node.value, frame))
        elif node is not None:
            walk = Walk(self, frame, target)
            walk.body(node.body, dark or (tests[0] if tests else None))
            labels.append(walk.result)
        opened = frozenset(i for i, p in enumerate(target.params) if given[i] != OPEN and frame.label(p) == OPEN)
        return Summary(SECRET if tests else join(*labels), opened, frame.flags)


# ---- statements -----------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Walk:
    """A walk through one body: labels change as it goes."""

    walker: Walker
    at: Frame
    owner: Callable | None
    result: int = OPEN

    @property
    def checked(self) -> Checked:
        return self.at.checked

    def body(self, body: n.Body, dark: Ground | None) -> Ground | None:
        """Walks over statements; on what secret grounds what comes behind them is reached."""
        for node in body:
            dark = self.statement(node, dark)
        return dark

    def set(self, local: Local | None, label: int, dark: Ground | None) -> None:
        """A variable takes a value."""
        if local is not None:
            self.at.locals[local] = SECRET if dark is not None else label

    def statement(self, node: n.Stmt, dark: Ground | None) -> Ground | None:
        """One statement; on what secret grounds what follows is reached."""
        self.walker.findings.add(seen_in(node, dark, self.at))
        unseen = unseen_write(node, dark, self.at)
        if unseen is not None and unseen not in self.walker.unseen and not self.walker.findings.muted:
            self.walker.unseen.add(unseen)
            self.walker.more_unseen = True
        match node:
            case n.Let():
                label = self.right(node.value, dark)
                self.set(self.checked.locals.get(node.name), label, dark)
            case n.Assign():
                label = self.right(node.value, dark)
                ref = self.checked.refs.get(node.target)
                if isinstance(ref, Local):
                    label = label if node.op == "=" else join(label, self.at.label(ref))
                    self.set(ref, label, dark)
                else:
                    self._opened(node)
            case n.CallStmt():
                self.right(node.call, dark)
            case n.Return():
                label = OPEN if node.value is None else self.right(node.value, dark)
                self.result = join(self.result, SECRET if dark is not None else label)
            case n.Move():
                self._moved(node)
            case n.If():
                return self._if(node, dark)
            case n.Match():
                inside = dark or Ground.of(node.subject, self.at)
                bodies = [*(c.body for c in node.cases), *([node.other] if node.other else [()])]
                return self._branches([((), body, inside) for body in bodies], dark)
            case n.Repeat():
                return self._loop(node.body, dark, Ground.of(node.times, self.at))
            case n.While():
                return self._loop(node.body, dark, Ground.of(node.cond, self.at), node.cond)
            case n.ForEach():
                return self._loop(node.body, dark, self.bind(node.binder))
            case n.ForChosen():
                return self._for_chosen(node, dark)
            case n.Choose():
                return self._choose(node, dark)
            case n.Secretly():
                self._ask(node, dark or self.bind(node.binder))
                return self.body(node.body, dark) or dark
            case n.Alternate():
                return self._loop(node.body, dark, None)
            case n.Scene():
                return self.body(node.body, dark) or dark
        return dark

    def _opened(self, node: n.Assign) -> None:
        """`u.shown = true` opens u, and a flag of the game may open what is hidden until it is set."""
        sets = isinstance(node.value, n.BoolLit) and node.value.value
        ref = self.checked.refs.get(node.target)
        if isinstance(ref, Field) and ref.owner is None:
            self.at.flags = self.at.flags | {ref} if sets else self.at.flags - {ref}
        if not sets:
            return
        for local in opened_by(node.target, self.at):
            self.at.locals[local] = OPEN

    def _moved(self, node: n.Move) -> None:
        """A move to where all see what lies there opens a piece."""
        ref = self.checked.refs.get(node.what)
        if isinstance(ref, Local):
            self.at.locals[ref] = moved_label(node, self.at)

    def _if(self, node: n.If, dark: Ground | None) -> Ground | None:
        inside = dark
        branches: list[tuple[tuple[Local, ...], n.Body, Ground | None]] = []
        for cond, body in node.branches:
            inside = inside or Ground.of(cond, self.at)
            branches.append((tuple(opened_by(cond, self.at)), body, inside))
        branches.append(((), node.other or (), inside))
        return self._branches(branches, dark)

    def _branches(
        self, branches: list[tuple[tuple[Local, ...], n.Body, Ground | None]], dark: Ground | None
    ) -> Ground | None:
        """Bodies of which one is carried out, each with the pieces that are open in it."""
        before, after, ends = dict(self.at.locals), dark, []
        flags, left = self.at.flags, []
        for opened, body, below in branches:
            self.at.locals = {**before, **dict.fromkeys(opened, OPEN)}
            self.at.flags = flags
            found = self.body(body, below)
            ends.append({local: label for local, label in self.at.locals.items() if local not in opened})
            left.append(self.at.flags)
            if below is not dark and not _leaves(body):
                found = None
            after = after or found
        self.at.flags = frozenset.intersection(*left)
        self._joined(before, ends)
        return after

    def _joined(self, before: dict[Local, int], ends: list[dict[Local, int]]) -> None:
        merged = dict(before)
        for local in {x for end in ends for x in end}:
            merged[local] = join(*(end.get(local, before.get(local, OPEN)) for end in ends))
        self.at.locals = merged

    def _loop(
        self, body: n.Body, dark: Ground | None, ground: Ground | None, cond: n.Expr | None = None
    ) -> Ground | None:
        """A body that may be repeated: as often as its labels still change."""
        inside, left = dark or ground, None
        while True:
            before = dict(self.at.locals)
            found = self.body(body, inside)
            again = inside or (None if cond is None else Ground.of(cond, self.at))
            self._joined(before, [before, self.at.locals])
            left = found if found is not None and _leaves(body, loop=True) else left
            if self.at.locals == before and (again or found) is inside:
                return dark or left
            inside = again or found

    def _for_chosen(self, node: n.ForChosen, dark: Ground | None) -> Ground | None:
        self.bind(node.binder)
        local = self.checked.locals[node.binder.var]
        self._ask(node, dark)
        self.at.locals[local] = _chosen(local, self.at)
        return self._loop(node.body, None, None) or dark

    def _choose(self, node: n.Choose, dark: Ground | None) -> Ground | None:
        ends, after = [], dark
        for option in node.options:
            for binder in option.binders:
                self.bind(binder)
        before = dict(self.at.locals)
        self._ask(node, dark)
        for option in node.options:
            for binder in option.binders:
                for name in (binder.var, binder.set_name):
                    if name is not None:
                        local = self.checked.locals[name]
                        self.at.locals[local] = _chosen(local, self.at)
            found = (
                self._loop(option.body, None, None) if node.mood.startswith("keep") else self.body(option.body, None)
            )
            after = after or found
            ends.append(self.at.locals)
            self.at.locals = dict(before)
        after = self.body(node.other or (), dark) or after
        self._joined(before, [*ends, self.at.locals])
        return after

    def _ask(self, node: Question, dark: Ground | None) -> None:
        if dark is not None:
            self.walker.dark.add(node)
            self.walker.findings.add(asked_unawares(node, dark, self.owner, self.at))
        if is_secret(node, self.at):
            self.walker.hidden.add(node)
        self.walker.blind.update(chosen_blindly(node, self.at))

    def bind(self, binder: n.Binder) -> Ground | None:
        """Labels a binder's variable by its domain; whether which and how many there are is secret."""
        at = self.at
        domain = label_of(binder.domain, at)
        local = at.checked.locals.get(binder.var)
        if local is not None:
            at.locals[local] = element(binder.domain, domain, at)
        ground = Ground.of(binder.domain, at)
        for test in (binder.where, binder.most, binder.limit):
            ground = ground or (None if test is None else Ground.of(test, at))
        if binder.where is not None:
            for opened in list(opened_by(binder.where, at)):
                at.locals[opened] = OPEN
        return ground

    def right(self, node: n.Expr, dark: Ground | None) -> int:
        """A right side or a call, which may be that of an effect."""
        target = self.checked.refs.get(node) if isinstance(node, n.Apply) else None
        if not isinstance(target, Callable) or not isinstance(node, n.Apply):
            return label_of(node, self.at)
        receiver = Ground.of(node.func.target, self.at) if isinstance(node.func, n.Field) else None
        made = self.walker.call(target, given_to(node, target, self.at), dark or receiver, self.at)
        self.at.flags = made.flags if target.is_effect else self.at.flags
        for i in made.opened:
            value = given_values(node, target)[i]
            ref = self.checked.refs.get(value) if value is not None else None
            if isinstance(ref, Local):
                self.at.locals[ref] = OPEN
        return made.result if names_pieces(node, self.at) or made.result == SECRET else OPEN


def _chosen(local: Local, at: Frame) -> int:
    """The label of what a player has chosen."""
    return min(at.label(local), CLOSED) if secretive_kind(local.type, at.checked) is not None else OPEN


def _leaves(body: n.Body, *, loop: bool = False) -> bool:
    """Whether statements may leave what stands around them (a loop: more than that), so that what follows is not always
    reached.
    """
    return any(isinstance(x, n.Return | n.Pass) or (isinstance(x, n.Break) and not loop) for x in statements(body))
