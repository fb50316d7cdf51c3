"""Checking bots: the questions that they answer, and rules over the names that these questions give to what is chosen.

A question may stand in several places, and be answered in steps; a rule must make sense in one of them at least, and is
followed in those in which it does.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang import nodes as n
from interpreter.lang.check_base import a
from interpreter.lang.check_text import RULES, snippet
from interpreter.lang.parse import RESERVED, parse_expression
from interpreter.lang.questions import Question, Shape, questions
from interpreter.lang.scope import BotCheck, BotTake, Checked, Local, Scope, declared_at
from interpreter.lang.types import INT, BoolT, ErrorT, IntT, KindT
from interpreter.reading.model import BotDef, BotRule, DecideDef
from interpreter.source import Name, Text


def check_bots(checked: Checked, bag: Bag) -> None:
    """Fills `checked.bots`."""
    if not checked.game.bots:
        return
    asked = questions(checked)
    for bot in checked.game.bots:
        made = BotCheck(bot, Local("p", KindT(checked.world.players), bot.span), _levels(bot, checked, bag))
        players = [e.id for e in checked.world.players.entities]
        _known(bot.for_, "player", players, bag)
        for option in bot.options:
            _known([option.name], "option", [o.name.text for o in checked.game.options], bag)
            _known(option.players, "player", players, bag)
            _known(option.levels, "level", [level.text for level, _ in bot.levels], bag)
        for decide in bot.decide:
            _decide(decide, made, asked, checked, bag)
        checked.bots[bot.name.text] = made


def _known(names: Iterable[Name], what: str, known: list[str], bag: Bag) -> None:
    """Complains of names that nothing has."""
    for name in names:
        if name.text not in known:
            hint = did_you_mean(name.text, known) or (
                f"{what}s: {', '.join(known)}" if known else f"there is no {what}"
            )
            bag.error("unknown-name", f"there is no {what} `{name.text}`", name.span, help=hint)


def _levels(bot: BotDef, checked: Checked, bag: Bag) -> dict[str, Local]:
    """The numbers of all levels as variables."""
    found: dict[str, Local] = {}
    for _, numbers in bot.levels:
        for name, _ in numbers:
            if name.text in found:
                continue
            if name.text in RESERVED:
                bag.error(
                    "reserved-word",
                    f"`{name.text}` is a word of the language and can't name a number",
                    name.span,
                    help="choose another name",
                )
            elif name.text == "p" or name.text in checked.symbols:
                span = declared_at(checked.symbols[name.text][0]) if name.text in checked.symbols else None
                bag.error(
                    "hidden-name",
                    f"`{name.text}` already means something here",
                    name.span,
                    notes=[Note(f"`{name.text}` is declared here", span)] if span else [],
                    help="choose another name for the number",
                )
            found[name.text] = Local(name.text, INT, name.span)
    return found


def _decide(decide: DecideDef, bot: BotCheck, asked: dict[str, list[Question]], checked: Checked, bag: Bag) -> None:
    here = asked.get(decide.id.text)
    if here is None:
        bag.error(
            "unknown-name",
            f"there is no question `{decide.id.text}`",
            decide.id.span,
            label="not the id of a decision",
            help=did_you_mean(decide.id.text, asked) or _listed(asked),
        )
        return
    for rule in decide.rules:
        takes = _takes(rule, decide.id, bot, here, checked, bag)
        if takes:
            bot.rules.setdefault(decide.id.text, []).append((rule, tuple(takes)))


def _listed(names: Iterable[str]) -> str:
    words = sorted(names)
    return "questions: " + ", ".join(f"`{w}`" for w in words[:12]) if words else "this game asks nothing"


def _takes(rule: BotRule, id_: Name, bot: BotCheck, here: list[Question], checked: Checked, bag: Bag) -> list[BotTake]:
    """A rule in all places where it makes sense; if there is none, what is wrong with it in the first."""
    shapes = [s for q in here for s in q.shapes]
    stops = [s for q in here for s in q.stops]
    word = rule.take.text if rule.take else None
    fitting = [s for s in shapes if word is None or s.word == word] + [s for s in stops if s.word == word]
    if not fitting:
        assert rule.take is not None
        words = list(dict.fromkeys(s.word for s in (*shapes, *stops)))
        bag.error(
            "unknown-name",
            f"`{id_.text}` offers no `{word}`",
            rule.take.span,
            notes=[Note("it is asked here", here[0].span)],
            help=did_you_mean(rule.take.text, words) or f"it offers: {', '.join(f'`{w}`' for w in words)}",
        )
        return []
    made: list[BotTake] = []
    first: Bag | None = None
    for shape in fitting:
        mine = Bag()
        take = _take(rule, shape, bot, checked, mine)
        if not mine.has_errors:
            made.append(take)
        first = first or mine
    if not made and first is not None:
        bag.items += first.items
    return made


def _take(rule: BotRule, shape: Shape, bot: BotCheck, checked: Checked, bag: Bag) -> BotTake:
    names = {**shape.around, "p": bot.player, **bot.levels, **{local.name: local for local in shape.names}}
    when = _expression(rule.when, names, shape, checked, bag)
    if when is not None and not isinstance(checked.types.get(when), BoolT | ErrorT):
        have = checked.types[when]
        bag.error(
            "type-mismatch", f"`if` must be a condition, and this is {a(have)}", when.span, label=f"this is {a(have)}"
        )
    ranks = []
    for text in rule.rank:
        rank = _expression(text, names, shape, checked, bag)
        if rank is None:
            continue
        have = checked.types[rank]
        if not isinstance(have, IntT | BoolT | ErrorT):
            bag.error(
                "type-mismatch",
                f"a rank is a number or a condition, and this is {a(have)}",
                rank.span,
                label=f"this is {a(have)}",
            )
        ranks.append(rank)
    return BotTake(shape.at, shape.number, shape.names, when, tuple(ranks))


def _expression(text: Text | None, names: dict[str, Local], shape: Shape, checked: Checked, bag: Bag) -> n.Expr | None:
    node = parse_expression(text, bag) if text is not None else None
    if node is not None:
        owner = snippet(node.span, is_effect=False)
        scope = Scope(RULES, checked, bag, dict(names), dict(shape.facts), owner)
        scope.scenes = frozenset(checked.world.scenes)  # whatever is open when the question is asked
        scope.expr(node)
    return node
