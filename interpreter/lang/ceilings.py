"""Greatest values that another field of the same thing holds: `max: full`."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.diagnostics import Bag, Note, did_you_mean
from interpreter.lang.scope import Checked, Values
from interpreter.lang.types import IntT, article
from interpreter.lang.values import defined_fields
from interpreter.lang.world import Field
from interpreter.source import Name, Span


def check_ceilings(checked: Checked, bag: Bag) -> None:
    """Fills `ceiling` of all fields, and checks that no first value is above it."""
    bounded: list[Field] = []
    named = [(d, fields) for d, fields in defined_fields(checked.game, checked.world) if d.ceiling is not None]
    above = {fields[d.name.text] for d, fields in named if d.name.text in fields}
    for d, fields in named:
        f = fields.get(d.name.text)
        assert d.ceiling is not None
        if f is not None and isinstance(f.type, IntT):  # of others it was said that they have no bounds
            f.ceiling = _named(d.ceiling, f, fields, above, bag)
            if f.ceiling is not None:
                f.high = min(f.high, f.ceiling.high)
                bounded.append(f)
    for f in bounded:
        _first_values(f, checked, bag)


def _named(name: Name, f: Field, fields: Mapping[str, Field], above: set[Field], bag: Bag) -> Field | None:
    found = fields.get(name.text)
    numbers = [x.name for x in fields.values() if isinstance(x.type, IntT) and not x.per and x not in above]
    known = did_you_mean(name.text, numbers) or (f"numbers: {', '.join(f'`{x}`' for x in numbers)}" if numbers else "")
    if found is None:
        what = f"`{f.owner.name}`" if f.owner else "the game"
        where = f"the scene `{f.scene.name}`" if f.scene else what
        mend = known or "write a number, or declare an `int` of that name beside this field"
        bag.error("unknown-name", f"{where} has no field `{name.text}`", name.span, help=mend)
        return None
    if found is f:
        wrong, mend = f"`{f.name}` would be its own greatest value", known
    elif not isinstance(found.type, IntT):
        wrong, mend = f"the greatest value is a number, and `{name.text}` is {article(str(found.type))}", known
    elif found.per:
        wrong, mend = f"`{name.text}` is indexed, and holds more than one number", known
    elif found in above:
        wrong = f"the greatest value of `{name.text}` is in a field itself"
        mend = f"give `{name.text}` a number as `max`, or name the other field here too"
    else:
        return found
    notes = [] if found is f else [Note(f"`{name.text}` is declared here", found.span)]
    bag.error("bad-bounds", wrong, name.span, notes=notes, help=mend or "write a number")
    return None


def _first_values(f: Field, checked: Checked, bag: Bag) -> None:
    """What entries say, then what each scenario makes of it."""
    said = _too_much(f, checked.values, {}, bag)
    for scenario in checked.game.scenarios:
        if not said:
            _too_much(f, checked.set_ups[scenario.name.text].values, checked.values, bag, scenario.name.span)


def _too_much(f: Field, values: Values, before: Values, bag: Bag, place: Span | None = None) -> bool:
    """Whether something was said of values above their ceiling, of those that `values` give one or the other."""
    ceiling = f.ceiling
    assert ceiling is not None
    either = {**before, **values}
    for owner in range(f.owner.size if f.owner else 1):
        most = either.get((ceiling, owner, 0), ceiling.default)
        for index in range(f.cells_each):
            value = either.get((f, owner, index), f.default)
            if value <= most:
                continue
            if place is not None and (f, owner, index) not in values and (ceiling, owner, 0) not in values:
                continue
            of = f"`{f.owner.entities[owner].id}.{f.name}`" if f.owner else f"`{f.name}`"
            span = place or (f.owner.entities[owner].span if f.owner else f.span)
            notes = [Note("declared here", f.span)]
            bag.error(
                "out-of-range",
                f"{of} begins with {value}, which is more than its `{ceiling.name}`, {most}",
                span,
                label="more than that",
                notes=notes,
            )
            return True
    return False
