"""Chance, defined once for all backends.

The generator of a position is PCG32 (XSH-RR 64/32, M. E. O'Neill 2014), its seed scrambled by SplitMix64 (Steele, Lea
and Flood 2014) so that seeds 1, 2, 3 … give unrelated games. Bounded draws are unbiased (rejection as in
`pcg32_boundedrand`).

Choices of a random player never touch it: they are a hash of (seed, seat, answers given so far), so that resuming and
undo repeat them.
"""

from __future__ import annotations

MASK64 = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
MULTIPLIER = 6364136223846793005


def splitmix64(value: int) -> int:
    """One output of SplitMix64 for the state `value`; 64 bits in, 64 bits out."""
    z = (value + GOLDEN) & MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return z ^ (z >> 31)


def seeded(seed: int) -> tuple[int, int]:
    """(state, increment) of a fresh generator for any integer seed (taken modulo 2**64)."""
    first = splitmix64(seed & MASK64)
    second = splitmix64(first)
    increment = (second << 1 | 1) & MASK64
    state = (increment + first) & MASK64
    return (state * MULTIPLIER + increment) & MASK64, increment


def next32(state: int, increment: int) -> tuple[int, int]:
    """(new state, 32 random bits)."""
    shifted = ((state >> 18) ^ state) >> 27 & 0xFFFFFFFF
    turn = state >> 59
    out = (shifted >> turn | shifted << (-turn & 31)) & 0xFFFFFFFF
    return (state * MULTIPLIER + increment) & MASK64, out


def bounded(state: int, increment: int, bound: int) -> tuple[int, int]:
    """(new state, a number from 0 … bound-1, all alike); 1 <= bound < 2**32. A bound of 1 draws as well."""
    threshold = (2**32 - bound) % bound
    while True:
        state, out = next32(state, increment)
        if out >= threshold:
            return state, out % bound


def stream(seed: int, seat: int) -> int:
    """The key of a random player's choices in a game: constant for game and seat (0, 1 …)."""
    return splitmix64(splitmix64(seed & MASK64) ^ ((seat + 1) * GOLDEN & MASK64))


def choice(key: int, answers: int, bound: int) -> int:
    """A random player's answer number `answers`: 0 … bound-1, all alike (Lemire's bounded draw, with rejection)."""
    x = splitmix64((key + answers * GOLDEN) & MASK64)
    threshold = (2**32 - bound) % bound
    while True:
        product = (x >> 32) * bound
        if product & 0xFFFFFFFF >= threshold:
            return product >> 32
        x = splitmix64(x)
