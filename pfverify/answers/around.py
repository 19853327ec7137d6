"""Round values around those of a problem: proposed in floats, to be decided one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pfverify.exact.published import Exact, Extended, Real, real
from pfverify.model.problem import Problem

_APART = 4  # the outermost values are so many times the middle one
_LEAST = 1e-290
_FEW = 20  # values up to which two digits tell them apart


def in_order(values: Iterable[Real]) -> list[Real]:
    """Return different numbers from the smallest to the largest.

    Raises UndecidedError where two of them cannot be told apart.
    Example: ``in_order([Exact("2"), Exact("1/2"), Exact("2")])`` is ``[1/2, 2]``.
    """
    different: list[Real] = []
    for value in values:
        if not any(value >= other and value <= other for other in different):
            different.append(value)
    return sorted(different)


def around(middle: float, count: int) -> list[Real]:
    """Return so many decimals of few digits around a number > 0, evenly by their ratios.

    None around a number that is too large or too small for floats.
    Example: ``around(2.0, 3)`` is ``[1/2, 2, 8]``; ``around(2.0, 0)`` is ``[]``.
    """
    if not _LEAST < middle < 1 / _LEAST:
        return []
    digits = 2 if count <= _FEW else 4
    steps = [2 * k / (count - 1) - 1 for k in range(count)] if count > 1 else [1.0] * count
    texts = [f"{middle * _APART**step:.{digits - 1}e}" for step in steps]
    return in_order(Exact(Fraction(text)) for text in texts)


def scales_around(
    problem: Problem, ends: Sequence[Extended], count: int
) -> list[Real]:
    """Return at most so many scales: that of the problem, ends of the least one, others around.

    Where no end is a number > 0 the others are around the scale of the problem.
    Raises InputError as `Problem.scale` where nothing is known to be around.
    Example: ``scales_around(Problem.load("example:census"), [], 3)`` is ``[29/100, 23/20, 23/5]``.
    """
    own = problem.release.noise.scale
    known: list[Real] = [end for end in ends[::-1] if isinstance(end, Exact) and end > 0]
    if own is not None or not known:
        known.append(real(problem.scale()))  # which says that there is none
    kept = known[-1:] + known[:-1] if own is not None else known
    middle = float(known[0]) if known[0] > 0 else 1.0
    return in_order([*kept[:count], *around(middle, max(0, count - len(kept)))])


def epsilons_around(epsilon: Real, count: int) -> list[Real]:
    """Return at most so many epsilons to look at: one, and as many below it as above.

    Example: ``epsilons_around(Exact("1"), 4)`` is ``[1/4, 1, 4]``.
    """
    middle = float(epsilon) if epsilon > 0 else 1.0
    others = around(middle, count - 1 + count % 2)
    if count < 2:
        return [epsilon]
    if others and epsilon > 0:
        del others[len(others) // 2]  # about the middle itself
    return in_order([epsilon, *others])[:count]


def nearest_to(values: Sequence[Real], value: Fraction | Real) -> int:
    """Return which of some numbers is about nearest to another one.

    Example: ``nearest_to([Exact("1"), Exact("2")], Fraction(3))`` is 1.
    """
    return min(range(len(values)), key=lambda k: abs(float(values[k]) - float(value)))
