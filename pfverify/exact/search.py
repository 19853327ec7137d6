"""Searches that only propose, and the exact decimal bracket that a predicate decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from math import exp, isfinite, log

from pfverify.errors import UndecidedError as UndecidedError
from pfverify.exact.ball import Ball, dyadic, fraction_of, precision
from pfverify.exact.grid import Grid

_NEAR = 1 << 10  # steps around a proposal that are searched before decades are
_SECANTS = 24
_STRAY = 100  # widths from a guess beyond which a search for its summit has lost it
_EXPONENTS = 10_000  # of 2: what lies beyond is no useful slope
_UNDECIDED = 24  # undecided numbers after which a search is given up
_ASIDE = Fraction(2)  # how far from an undecided power of ten the next number is
_HALVINGS = 80
_DECADES = 6000  # how far from the proposal a bracket is looked for, by doubling


def least_decimal(
    holds: Callable[[Fraction], bool], guess: Fraction | None, grid: Grid
) -> tuple[Fraction, Fraction]:
    """Return candidates (lower, upper): `holds` is False at lower, True at upper.

    `holds` must be monotone (False, then True) on the positive numbers; `guess` > 0 is only a
    proposal (None: there is none). The two ends are neighbours on the grid. Where `holds` raises
    UndecidedError a neighbouring decimal is asked, so that the ends are further apart by the
    decimals that could not be decided.

    Raises UndecidedError when no such place is found within thousands of decades, or when too
    many numbers on the way are undecided.
    Example: ``least_decimal(lambda x: x * x >= 2, Fraction(1), Grid(3))`` is
    ``(141/100, 71/50)``.
    """
    return _Search(holds).least(guess, grid)


class _Search:
    """A monotone predicate that may leave some numbers undecided, asked for decimals."""

    def __init__(self, holds: Callable[[Fraction], bool]) -> None:
        self.holds = holds
        self.undecided: set[Fraction] = set()
        self.allowed = _UNDECIDED  # undecided numbers before the search is given up
        self.last = UndecidedError("nothing was asked")

    def at(self, value: Fraction) -> bool | None:
        """Return the answer at a number, None where it is undecided."""
        if value in self.undecided:
            return None
        if len(self.undecided) >= self.allowed:
            raise self.last
        try:
            return self.holds(value)
        except UndecidedError as error:
            self.undecided.add(value)
            self.last = error
            return None

    def _go_on(self) -> None:
        """Allow as many undecided numbers again: some were decided, so that the search goes on."""
        self.allowed = len(self.undecided) + _UNDECIDED

    def least(self, guess: Fraction | None, grid: Grid) -> tuple[Fraction, Fraction]:
        """Return the decimals; see `least_decimal`."""
        found, step = None, Fraction(1)
        if guess is not None:
            step = grid.step(guess)
            found = self._gallop(max(1, (guess / step).__ceil__()), step)
        if found is None:  # the proposal was poor: find the right decade first
            self._go_on()
            low, high = self._decade(guess or Fraction(1))
            step = grid.step(low)
            found = (low / step).__floor__(), (high / step).__ceil__()
        below, above = found
        self._go_on()
        while above - below > 1:
            middle = (below + above) // 2
            answer = self.at(middle * step)
            if answer is None:
                below = self._edge(below, middle, step, answer=False)
                above = self._edge(above, middle, step, answer=True)
                break
            below, above = (below, middle) if answer else (middle, above)
        lower, upper = below * step, above * step
        fine = bool(self.undecided) and lower > 0 and step < grid.step(lower)
        if above - below > 1 or fine:  # undecided near: outward to the digits asked for (monotone)
            return grid.below(lower), grid.above(upper)
        if step not in (grid.step(lower), grid.step(upper)):
            return self.least(upper, grid)  # in another decade another grid is due
        return lower, upper

    def _edge(self, decided: int, undecided: int, step: Fraction, *, answer: bool) -> int:
        """Return the last multiple of the step with an answer on the way to an undecided one."""
        while abs(undecided - decided) > 1 and len(self.undecided) < self.allowed:
            middle = (decided + undecided) // 2
            if self.at(middle * step) is answer:
                decided = middle
            else:
                undecided = middle
        return decided

    def _beside(
        self, middle: int, below: int, above: int, step: Fraction
    ) -> tuple[int, bool] | None:
        """Return a decided multiple of the step near one of them, strictly between two others."""
        away = 0
        while below < middle - away or middle + away < above:
            for at in (middle - away, middle + away)[away == 0 :]:
                if len(self.undecided) >= self.allowed:
                    return None
                if below < at < above and (answer := self.at(at * step)) is not None:
                    return at, answer
            away = 2 * away or 1
        return None

    def _gallop(self, start: int, step: Fraction) -> tuple[int, int] | None:
        """Bracket the change near `start` (in steps), or None if it is not near."""
        first = self._beside(start, max(0, start - _NEAR), start + _NEAR, step)
        if first is None:
            return None
        self._go_on()
        at, answer = first
        way, size = -1 if answer else 1, 1
        while size <= _NEAR and at + way * size > 0:
            other = self.at((at + way * size) * step)
            if other is answer:
                at += way * size
            elif other is not None:
                return (at, at + size) if way == 1 else (at - size, at)
            size *= 2
        return None

    def _decade(self, start: Fraction) -> tuple[Fraction, Fraction]:
        """Return (low, high), high near 10 low, False at low and True at high; by doubling
        exponents."""
        low, high = _turn(lambda k: self._near(start * Fraction(10) ** k), 0, _DECADES // 2)
        if low is None or high is None:
            raise UndecidedError(
                f"nothing within {_DECADES} decades of the proposal can be decided"
            )
        # an undecided power of ten was answered for by a number within a factor of _ASIDE
        aside = _ASIDE if self.undecided else Fraction(1)
        return start * Fraction(10) ** low / aside, start * Fraction(10) ** high * aside

    def _near(self, value: Fraction) -> bool:
        """Return the answer at a number, or next to it where it is undecided."""
        for factor in (Fraction(1), _ASIDE, 1 / _ASIDE):
            if (answer := self.at(value * factor)) is not None:
                return answer
        raise self.last


def least_integer(
    answer: Callable[[int], bool | None], start: int, most: int, first: int = 1
) -> tuple[int | None, int | None]:
    """Return the largest integer found with the answer False, and the least with True.

    `answer` must be monotone (False, then True) but for what it leaves undecided, None: where that
    lies between, the two are no neighbours. None for an end that is not within `most` of `start`.
    `first` is the distance of the second integer that is asked from the first.
    Example: ``least_integer(lambda k: k * k * k >= -20, 5, 100)`` is ``(-3, -2)``.
    """
    asked = cache(answer)
    false, true = _turn(lambda k: asked(k) is True, start, most, first)
    if true is None or false is None or asked(false) is None:
        false = _turn(lambda k: asked(k) is not False, start if true is None else true, most)[0]
    return false, true


def _turn(
    is_up: Callable[[int], bool], start: int, most: int, first: int = 1
) -> tuple[int | None, int | None]:
    """The last integer before something holds and the first where it does: doubling, halving."""
    up = is_up(start)
    at, size = start, -first if up else first
    while is_up(at + size) is up:
        at, size = at + size, 2 * size
        if abs(at - start) > most:
            return (None, at) if up else (at, None)
    low, high = (at + size, at) if up else (at, at + size)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_up(middle) else (middle, high)
    return low, high


def halved(is_above: Callable[[Fraction], bool], grid: Grid, most: int) -> Fraction:
    """Return about where something stops to hold, at most 2 `most`: by doubling, then by halving.

    Example: ``float(halved(lambda x: x < 3, Grid(6), 64))`` is 3.0.
    """
    low, high = Fraction(0), Fraction(1)
    while high < most and is_above(high):
        low, high = high, 2 * high
    for _ in range(min(grid.bits + 8, _HALVINGS)):
        middle = (low + high) / 2
        low, high = (middle, high) if is_above(middle) else (low, middle)
    return high


def float_root(
    function: Callable[[float], float], low: float, high: float, near: float = 0
) -> float:
    """Return an approximate root of a decreasing function with f(low) > 0 >= f(high).

    Illinois variant of the secant method in the logarithm of the argument; a proposal only. A value
    of at most `near` counts as 0.
    Example: ``round(float_root(lambda x: 2 - x, 1, 3), 9)`` is ``2.0``.
    """
    a, b = log(low), log(high)
    fa, fb = function(low), function(high)
    for _ in range(80):
        if abs(b - a) < 1e-16 * max(1.0, abs(b)):
            break
        middle = (a + b) / 2
        if isfinite(fa) and fa != fb:
            secant = b - fb * (b - a) / (fb - fa)
            if min(a, b) < secant < max(a, b):
                middle = secant
        value = function(exp(middle))
        if abs(value) <= near:
            return exp(middle)
        if (value > 0) == (fb > 0):
            fa /= 2
        else:
            a, fa = b, fb
        b, fb = middle, value
        if abs(b - a) < 1e-15 * max(1.0, abs(b)):
            break
    return exp(b)


def fall(
    function: Callable[[float], float], up: Iterable[float], down: Iterable[float]
) -> tuple[float, float] | None:
    """Return (low, high) with f(low) > 0 >= f(high), around 1 or away from it; None: not found.

    `up` and `down` are the factors by which to go on, up where f(1) > 0 and else down.
    Example: ``fall(lambda x: 10 - x, [4, 4], [])`` is ``(4.0, 16.0)``.
    """
    at, above = 1.0, function(1.0) > 0
    for factor in up if above else down:
        last, at = at, at * factor
        value = function(at)
        if value <= 0 if above else value > 0:
            return min(last, at), max(last, at)
    return None


def polished(function: Callable[[Fraction], Ball], guess: Fraction, grid: Grid) -> Fraction:
    """Improve a guess of a root to a candidate of a grid by secant steps; still only a proposal.

    `function` is evaluated in balls at the precision that the grid needs. Returns the guess
    itself where the steps lead nowhere.
    """
    bits, finer = 64 + grid.bits, Grid(grid.digits + 20)

    def value(at: Fraction) -> Fraction | None:
        with precision(bits):
            ends = function(at).ends()
        if ends is None or abs(ends[0][1]) > 4 * bits + _EXPONENTS:
            return None
        return fraction_of(ends[0])

    a, b = guess, guess * (1 + Fraction(1, 10**9))
    fa, fb = value(a), value(b)
    for _ in range(_SECANTS):
        if fa is None or fb is None or fa == fb:
            return guess
        new = b - fb * (b - a) / (fb - fa)
        if not guess / 2 < new < guess * 2:
            return guess
        new = finer.nearest(new)
        if abs(new - b) * 1000 < grid.step(new):
            return new
        a, fa, b, fb = b, fb, new, value(new)
    return b


def summit(
    function: Callable[[Fraction], Ball], guess: Fraction, width: Fraction, grid: Grid
) -> Fraction:
    """Improve a guess of where a smooth function is largest, so that its value there has about

    the digits of a grid: secant steps on central differences, at the current precision, which
    should have about the bits of the grid. `width` > 0 is the size of the region in which the
    function bends. Only a proposal: the guess itself where no larger value was found.
    """
    half = width / 10 ** (grid.digits // 4 + 2)  # the value errs by its fourth power
    grain = half * half / width

    def middle(y: Fraction) -> Fraction:
        return fraction_of(dyadic(function(y).raw.mid()))

    try:
        a, b = guess, guess + width / 2**10
        fa, fb = (middle(y + half) - middle(y - half) for y in (a, b))
        for _ in range(_SECANTS):
            if fa == fb:
                break
            new = ((b - fb * (b - a) / (fb - fa)) / grain).__round__() * grain
            if abs(new - guess) > _STRAY * width:
                return guess
            a, fa, b = b, fb, new
            if abs(b - a) <= grain:
                break
            fb = middle(b + half) - middle(b - half)
        return b if middle(b) > middle(guess) else guess
    except (OverflowError, ValueError):  # not a number on the way
        return guess
