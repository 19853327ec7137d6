"""A curve of a problem at single places: bounds of what its worst ordered pair comes to there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from pfverify.answers.curves import alarms
from pfverify.answers.curves.curve import known_pair, look, orders_pair, require_curves
from pfverify.answers.curves.kinds import Odds, PrivacyProfile, RenyiOrders, TradeOff
from pfverify.answers.curves.pair import KnownPair
from pfverify.answers.profile import band
from pfverify.decide.gap import within
from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.exact.refined import End
from pfverify.model.problem import Problem

_FINE = Fraction(1, 10**8)  # bounds at a place are far nearer than that where they can be
_TESTS = Fraction(1, 10**9)  # how near the bounds of a type II error are to be
_RELEASES = Fraction(1, 10**5)  # and those of many releases, of delta
_MOST = 200  # places that are looked at for one type II error of an order
Bounds = tuple[End, End]
"""What is proved at a place: a lower and an upper bound, of which both may be infinite."""
Places = Callable[[Number], Bounds]
_Kind = TypeVar("_Kind", PrivacyProfile, Odds, TradeOff, RenyiOrders)


def curve_at(problem: Problem, kind: str) -> Places:
    """Return what bounds a curve of a problem at a place; `kind` is as that of `curve`.

    Of tests that is the least type II error of all ordered pairs, of all else the largest number.
    What is returned raises InputError for what is no place of the kind, and UndecidedError.
    Raises InputError as `curve` does for a problem without such curves.
    Example: ``curve_at(problem, "odds")(Number.parse("1/2"))[0]``.
    Source: design facts F99 to F104.
    """
    if kind not in _MADE:
        raise InputError(f"curve: {shorten(kind)!r} is none of {', '.join(_MADE)}")
    require_curves(problem, kind)
    return _MADE[kind](problem)


def _profile(problem: Problem) -> Places:
    pairs = _pairs(problem)

    def at(place: Number) -> Bounds:
        _asked(PrivacyProfile, place)
        with within(_RELEASES):
            return _largest(pair.bounds(order, place) for pair in pairs for order in (0, 1))

    return at


def _odds(problem: Problem) -> Places:
    made = _pairs(problem)

    def at(place: Number) -> Bounds:
        weight, _ = _asked(Odds, place).places
        growth = (1 - weight) / weight
        pairs = [one.afresh() for one in made]  # else each place merges all before
        with within(_RELEASES):
            for pair in pairs:
                pair.find(0, growth)
                pair.find(1, growth)
        low, high = _largest(band(pair.known(order), growth) for pair in pairs for order in (0, 1))
        return 1 - weight + weight * low, 1 - weight + weight * high

    return at


def _tests(problem: Problem) -> Places:
    made = _pairs(problem)

    def at(place: Number) -> Bounds:
        asked = _asked(TradeOff, place)
        alarm, ends = asked.places[0], []
        # what is known near other places would only be in the way
        for pair in (one.afresh() for one in made):
            with within(_RELEASES):
                look(asked, pair, _TESTS, _MOST)
            for known in (asked.known(pair, 0), asked.known(pair, 1)):
                ends.append((alarms.below(known).at(alarm), alarms.above(known).at(alarm)))
        return min(low for low, _ in ends), min(high for _, high in ends)

    return at


def _renyi(problem: Problem) -> Places:
    pairs = [orders_pair(problem, item, _FINE) for item in problem.questions()]

    def at(place: Number) -> Bounds:
        order, _ = _asked(RenyiOrders, place).places
        return _largest(pair.bounds(k, order) for pair in pairs for k in (0, 1))

    return at


_MADE: dict[str, Callable[[Problem], Places]] = {
    PrivacyProfile.name: _profile,
    TradeOff.name: _tests,
    Odds.name: _odds,
    RenyiOrders.name: _renyi,
}


def _asked(kind: type[_Kind], place: Number) -> _Kind:
    """A curve from a place to itself. Raises InputError where that is no place of the kind."""
    try:
        return kind(place, place)
    except InputError as error:  # of the ends of a curve
        raise InputError(str(error).partition(": ")[2]) from None


def _pairs(problem: Problem) -> list[KnownPair]:
    return [known_pair(problem, item, _FINE) for item in problem.questions()]


def _largest(every: Iterable[tuple[End, End]]) -> Bounds:
    lows, highs = zip(*every, strict=True)
    return max(lows), max(highs)
