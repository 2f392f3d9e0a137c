"""Amounts of several kinds of resource: tuples of Fractions, one entry a kind."""

from fractions import Fraction

Vector = tuple[Fraction, ...]


def nothing(kinds: int) -> Vector:
    return (Fraction(0),) * kinds


def plus(a: Vector, b: Vector) -> Vector:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def minus(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def times(a: Vector, factor: Fraction) -> Vector:
    return tuple(x * factor for x in a)


def total(vectors, kinds: int) -> Vector:
    found = nothing(kinds)
    for vector in vectors:
        found = plus(found, vector)
    return found


def within(a: Vector, b: Vector) -> bool:
    """No entry of a is above b's."""
    return all(x <= y for x, y in zip(a, b, strict=True))


def fraction_of(a: Vector, whole: Vector) -> Vector:
    return tuple(x / y for x, y in zip(a, whole, strict=True))


def alignment(demand: Vector, free: Vector, capacity: Vector) -> Fraction:
    """Of a task with what is free, as Tetris has it: policies.md, 6.2."""
    return dot(fraction_of(demand, capacity), fraction_of(free, capacity))


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
