"""The types of the effect language, and which value may stand where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:  # the world holds types, types name members of the world
    from interpreter.lang.world import Die, Enum, Kind, Sort, Zone


@dataclass(frozen=True, slots=True)
class IntT:
    """A whole number."""

    def __str__(self) -> str:
        return "int"


@dataclass(frozen=True, slots=True)
class RangeT:
    """Whole numbers from `low` to `high`: what numbers an indexed field or a pair takes. A value of it is an `int`."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"number from {self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class BoolT:
    """True or false."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True, slots=True)
class EnumT:
    """A value of an enum."""

    enum: Enum

    def __str__(self) -> str:
        return self.enum.name


@dataclass(frozen=True, slots=True)
class KindT:
    """An entity of a kind, or of one of its sorts."""

    kind: Kind
    sort: Sort | None = None

    def __str__(self) -> str:
        return self.sort.name if self.sort else self.kind.name


@dataclass(frozen=True, slots=True)
class PlaceT:
    """Where a piece of `piece` can be: any of its declared places, or `unused`."""

    piece: Kind

    def __str__(self) -> str:
        return f"place of {article(self.piece.name)}"


@dataclass(frozen=True, slots=True)
class ZoneT:
    """A zone itself, as a place."""

    zone: Zone

    def __str__(self) -> str:
        return f"zone {self.zone.name}"


@dataclass(frozen=True, slots=True)
class NoneT:
    """The type of `none` alone."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class EmptyT:
    """The type of `[]`: a set or list of anything."""

    def __str__(self) -> str:
        return "empty list"


@dataclass(frozen=True, slots=True)
class MaybeT:
    """A value, or none."""

    of: Ty

    def __str__(self) -> str:
        return f"maybe {self.of}"


@dataclass(frozen=True, slots=True)
class SetT:
    """A set of entities, enum values or small whole numbers."""

    of: Ty

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class ListT:
    """A list, in order: a path, a ray, a literal."""

    of: Ty

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True, slots=True)
class RollT:
    """What several throws of a die have come to: how often each face came."""

    die: Die

    def __str__(self) -> str:
        return f"roll of {self.die.name}"


@dataclass(frozen=True, slots=True)
class OddsT:
    """How likely something is: so many of `total` cases. Only texts show it."""

    total: int

    def __str__(self) -> str:
        return "chance"


@dataclass(frozen=True, slots=True)
class ErrorT:
    """What has been complained about already; fits anywhere, so that one mistake gives one message."""

    def __str__(self) -> str:
        return "unknown"


Ty = Union[IntT, RangeT, BoolT, EnumT, KindT, PlaceT, ZoneT, NoneT, EmptyT, MaybeT, SetT, ListT, RollT, OddsT, ErrorT]

INT = IntT()
BOOL = BoolT()
NONE = NoneT()
EMPTY = EmptyT()
ERROR = ErrorT()


def article(word: str) -> str:
    """A word with its article."""
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def strip(ty: Ty) -> Ty:
    """`maybe T` as T, others as they are."""
    return ty.of if isinstance(ty, MaybeT) else ty


def maybe(ty: Ty) -> Ty:
    """T as `maybe T`, once."""
    return ty if isinstance(ty, MaybeT | ErrorT) else MaybeT(ty)


def fits(have: Ty, want: Ty) -> bool:
    """Whether a value of type `have` may stand where `want` is asked for."""
    if have == want or isinstance(have, ErrorT) or isinstance(want, ErrorT):
        return True
    match want:
        case RangeT():
            return isinstance(have, IntT)
        case MaybeT(of):
            return isinstance(have, NoneT) or fits(strip(have), of)
        case KindT(kind, sort):
            return isinstance(have, KindT) and have.kind is kind and (sort is None or have.sort is sort)
        case PlaceT(piece):
            if isinstance(have, KindT):
                return have.kind in piece.place_kinds
            return isinstance(have, ZoneT) and (have.zone in piece.place_zones or have.zone.unused)
        case SetT(of):
            return isinstance(have, EmptyT) or (isinstance(have, SetT | ListT) and fits(have.of, of))
        case ListT(of):
            return isinstance(have, EmptyT) or (isinstance(have, ListT) and fits(have.of, of))
        case _:
            return False


def join(a: Ty, b: Ty) -> Ty | None:
    """The type of "a or b", if there is one."""
    if isinstance(a, ErrorT) or isinstance(b, ErrorT):
        return ERROR
    if fits(a, b):
        return b
    if fits(b, a):
        return a
    if isinstance(a, NoneT):
        return maybe(b)
    if isinstance(b, NoneT):
        return maybe(a)
    if isinstance(a, MaybeT) or isinstance(b, MaybeT):
        inner = join(strip(a), strip(b))
        return maybe(inner) if inner else None
    if isinstance(a, KindT) and isinstance(b, KindT) and a.kind is b.kind:
        return KindT(a.kind)
    if isinstance(a, SetT | ListT) and isinstance(b, SetT | ListT):
        inner = join(a.of, b.of)
        if inner is None:
            return None
        return ListT(inner) if isinstance(a, ListT) and isinstance(b, ListT) else SetT(inner)
    return None


def comparable(a: Ty, b: Ty) -> bool:
    """Whether `a == b` can ever hold: equal types, one optional, or a place with one of its members."""
    a, b = strip(a), strip(b)
    if isinstance(a, NoneT) or isinstance(b, NoneT):
        return True
    if isinstance(a, KindT) and isinstance(b, KindT):
        return a.kind is b.kind and (a.sort is None or b.sort is None or a.sort is b.sort)
    if isinstance(a, SetT | ListT | EmptyT) and isinstance(b, SetT | ListT | EmptyT):
        return join(a, b) is not None
    return fits(a, b) or fits(b, a) or (isinstance(a, PlaceT) and isinstance(b, PlaceT))


def element(ty: Ty) -> Ty | None:
    """What a set, list or roll holds; None if it is none of these."""
    if isinstance(ty, SetT | ListT):
        return ty.of
    if isinstance(ty, RollT):
        return face_type(ty.die)
    return ERROR if isinstance(ty, ErrorT) else None


def face_type(die: Die) -> Ty:
    """What a single throw gives: a value of the die's enum, or a number."""
    return INT if die.enum is None else EnumT(die.enum)


def bounds(ty: Ty) -> tuple[int, int]:
    """What integers stand for values of a type."""
    match ty:
        case BoolT():
            return 0, 1
        case RangeT(low, high):
            return low, high
        case EnumT(enum):
            return 0, len(enum.values) - 1
        case KindT(kind, sort):
            return (sort.low, sort.high - 1) if sort else (0, kind.size - 1)
        case MaybeT(of):
            return min(-1, bounds(of)[0]), bounds(of)[1]
        case _:
            return -(2**31), 2**31 - 1


ENDING_CELLS = 4  # what the last word on a game can show is kept in so many cells
ENDING_BITS = 31  # members of a set in each of them


def ending_cells(ty: Ty) -> int:
    """How many of these cells a value takes; lists have no room in them."""
    match ty:
        case ListT():
            return ENDING_CELLS + 1
        case RollT(die):
            return -(-16 * len(die.faces) // ENDING_BITS)
        case SetT(of):
            return -(-universe(of) // ENDING_BITS)
    return 1


INT_SET = 256  # sets of numbers hold 0 … 255


def universe(ty: Ty) -> int:
    """How many members a set of this element type can have (numbers: 0 … 255)."""
    if isinstance(ty, IntT):
        return INT_SET
    return max(bounds(ty)[1] + 1 - low_of(ty), 1)


def low_of(ty: Ty) -> int:
    """The number of the first member of a type, from which sets of it count."""
    return ty.sort.low if isinstance(ty, KindT) and ty.sort else 0
