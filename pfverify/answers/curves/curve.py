"""A whole curve of a problem: what is proved of it at every place, not only at some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path

from pfverify.answers.curves.between import Open
from pfverify.answers.curves.kinds import KINDS, CurveKind, RenyiOrders
from pfverify.answers.curves.numbers import around, between, exactly
from pfverify.answers.curves.orders import OrdersPair
from pfverify.answers.curves.pair import KnownPair
from pfverify.answers.curves.result import CurveResult, OrderedCurve
from pfverify.answers.curves.search import MOST, refine
from pfverify.answers.outcome import checked_progress
from pfverify.answers.profile import Known
from pfverify.decide.assumptions import assumed
from pfverify.decide.comparison import Orders
from pfverify.decide.gap import within
from pfverify.decide.routes import comparison
from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.number import Number, number, rational
from pfverify.exact.published import real
from pfverify.model.notion import Events, Renyi
from pfverify.model.problem import Problem, as_problem
from pfverify.model.question import Question
from pfverify.model.requirement import Requirement

GAP = Fraction(1, 10_000)
"""How far apart bounds are, where nobody asks for another gap."""
_LEAST = Fraction(1, 10**15)
_DIGITS = 12  # of the gap in a certificate
_SPARE = 8  # decimal places of what is known beyond those of the gap
_NEAR, _NEAREST = Fraction(1, 1000), Fraction(1, 10**9)  # bounds of many releases, of delta
_FARTHEST = 16  # the epsilon to which a profile goes by itself, at most


def curve(
    problem: Problem | str | Path,
    kind: str = "profile",
    *,
    start: AnyNumber | None = None,
    end: AnyNumber | None = None,
    gap: AnyNumber = GAP,
    progress: Callable[[int, int], None] | None = None,
) -> CurveResult:
    """Return proved bounds of a whole curve of a problem, at all places from `start` to `end`.

    `kind`: "profile" (delta at every epsilon; without `end` to where it is at most `gap`),
    "trade-off" (the least type II error at every type I error of a test of one law against the
    other), "odds" (the largest chance of guessing the law right at every weight), or "renyi" (the
    Renyi divergence at every order). It looks at
    single places until the bounds between them are at most `gap` apart, or as near as they can be.
    `problem` may be the name of its file; its epsilon and delta are not asked for.
    Raises InputError for a range that is empty or none of the kind, and for a problem without such
    curves: of another form than events, a notion with a distance, a family, no scale.
    Example: ``curve(problem, "profile", end=2).curve[0].delta``.
    Source: design facts F99 to F104.
    """
    checked_progress(progress)
    problem = as_problem(problem)
    wanted = _gap(gap)
    require_curves(problem, kind)
    if kind == RenyiOrders.name:
        return _of_orders(problem, start, end, wanted, progress)
    pairs = [known_pair(problem, item, wanted) for item in problem.questions()]
    with within(min(max(wanted, _NEAREST), _NEAR)):
        asked = _asked(kind, start, end, pairs, wanted)
        for done, pair in enumerate(pairs, 1):
            look(asked, pair, wanted, MOST)
            if progress:
                progress(done, len(pairs))
    return _result(problem, asked, pairs, wanted)


def _gap(gap: AnyNumber) -> Fraction:
    found = rational(gap, "--gap")
    if not _LEAST <= found < 1:
        raise InputError(f"--gap: {shorten(gap)} is not from 1e-15 to less than 1")
    return found


def require_curves(problem: Problem, kind: str) -> None:
    """Raise InputError for a problem without curves of a kind.

    Example: ``require_curves(problem, "profile")`` is None.
    """
    problem.scale()
    of_orders = kind == RenyiOrders.name and type(problem.notion) is Renyi
    if type(problem.notion) is not Events and not of_orders:
        raise InputError(
            f"form: {problem.notion.text} has no curve of events, expected the form events"
        )
    if problem.protection.extended:
        raise InputError(
            f"notion: with {problem.protection.notion} epsilon is multiplied by a distance, "
            "expected a notion with one epsilon for all pairs"
        )
    if problem.source.ratio_only or problem.source.pairs_stand_for is not None:
        raise InputError(
            "priors: pairs that stand for others have no curve of their own, expected single laws"
        )


def known_pair(problem: Problem, item: Question, gap: Fraction) -> KnownPair:
    """Return a pair of the problem, compared with a delta and without.

    Example: ``known_pair(problem, next(problem.questions()), Fraction(1, 100)).places`` is 10.
    """
    @cache
    def orders(positive: bool) -> Orders:
        return comparison(question(problem, item, positive=positive))

    return KnownPair((item.belief, item.first, item.second), orders, _places(gap))


def _places(gap: Fraction) -> int:
    return _SPARE + next(n for n in range(20) if gap * 10**n >= 1)


def _of_orders(
    problem: Problem, start: AnyNumber | None, end: AnyNumber | None, gap: Fraction,
    progress: Callable[[int, int], None] | None,
) -> CurveResult:  # fmt: skip
    """The curve of Renyi divergences, of which each order is a question of its own."""
    low, high = RenyiOrders.usual
    asked = RenyiOrders(
        number(low if start is None else start, "--from"),
        number(high if end is None else end, "--to"),
    )
    pairs = [orders_pair(problem, item, gap) for item in problem.questions()]
    for done, pair in enumerate(pairs, 1):
        for order in (0, 1):
            for place in asked.places:
                pair.find(order, place)
            refine(partial(_opens, asked, pair, order), partial(pair.find, order), gap, MOST)
        if progress:
            progress(done, len(pairs))
    return _result(problem, asked, pairs, gap)


def orders_pair(problem: Problem, item: Question, gap: Fraction) -> OrdersPair:
    """Return a pair of the problem, compared at every order of the Renyi divergence.

    Example: ``orders_pair(problem, next(problem.questions()), Fraction(1, 100)).places`` is 10.
    """
    @cache
    def orders(order: Fraction) -> Orders:
        held = Requirement(1, 0, Renyi(order), problem.protection)
        return comparison(replace(item, requirement=held))

    return OrdersPair((item.belief, item.first, item.second), orders, _places(gap))


def question(problem: Problem, item: Question, *, positive: bool) -> Question:
    """Return a question of a problem, held to some delta above 0, or to 0."""
    delta = "1/2" if positive else 0
    for other in problem.replaced(epsilon=1, delta=delta).questions():
        if (other.belief, other.first, other.second) == (item.belief, item.first, item.second):
            return other
    raise RuntimeError("a question does not depend on its target")


def _asked(
    kind: str, start: AnyNumber | None, end: AnyNumber | None, pairs: list[KnownPair], gap: Fraction
) -> CurveKind:
    """The kind between both ends, of which the last may depend on the problem."""
    if kind not in KINDS:
        known = ", ".join((*KINDS, RenyiOrders.name))
        raise InputError(f"--kind: {shorten(kind)!r} is none of {known}")
    made = KINDS[kind]
    usual = made.usual
    low = number(usual[0] if start is None else start, "--from")
    if end is not None or usual[1] is not None:
        return made(low, number(usual[1] if end is None else end, "--to"))
    made(low, low)  # refused before any work
    top = Fraction(1)
    while True:
        high = Number.of_rational(top)
        if (high - low).sign() == 1:
            asked = made(low, high)
            last = asked.growths[1]
            for pair in pairs:
                pair.find(0, last)
                pair.find(1, last)
            most = max(pair.found[k][last].upper for pair in pairs for k in (0, 1))
            if most <= gap or top >= _FARTHEST:
                return asked
        top *= 2


def look(asked: CurveKind, pair: KnownPair, gap: Fraction, most: int) -> None:
    """Look at places of a pair until the bounds of its curve are as near as is asked.

    At most so many places of each order are looked at.
    """
    for order in (0, 1):
        side = asked.side(order)
        for place in asked.starts():
            pair.find(side, place)
        refine(partial(_opens, asked, pair, order), partial(pair.find, side), gap, most)


def _opens(
    asked: CurveKind | RenyiOrders, pair: KnownPair | OrdersPair, order: int
) -> list[Open]:
    return asked.opens(_known(asked, pair, order))


def _known(
    asked: CurveKind | RenyiOrders, pair: KnownPair | OrdersPair, order: int
) -> list[Known]:
    if isinstance(asked, RenyiOrders) or isinstance(pair, OrdersPair):
        return pair.known(order)
    return asked.known(pair, order)


def _result(
    problem: Problem, asked: CurveKind | RenyiOrders,
    pairs: list[KnownPair] | list[OrdersPair], gap: Fraction,
) -> CurveResult:  # fmt: skip
    curves, every, widest = [], [], Fraction(0)
    for pair in pairs:
        for order in (0, 1):
            known = _known(asked, pair, order)
            apart = max(one.gap for one in asked.opens(known))
            widest = max(widest, apart)
            every.append(known)
            belief, first, second = pair.names(order)
            points = asked.points([known])
            curves.append(OrderedCurve(belief, first, second, between(apart, apart), points))
    low, high = asked.places
    return CurveResult(
        kind=asked.name,
        start=around(asked.start),
        end=around(asked.end),
        gap=exactly(gap),
        widest=between(widest, widest),
        curve=asked.points(every),
        pairs=curves,
        scale=real(problem.scale()),
        noise=problem.release.noise.kind,
        assumed=assumed(problem, bare=problem.release.noise.adds_nothing),
        channel=problem.release.named_kind,
        notion=problem.named_notion,
        several=problem.release.several,
        problem=problem,
        known=pairs,
        stated={
            "kind": asked.name,
            "from": str(low),
            "to": str(high),
            "gap": decimal_upper(widest, _DIGITS),
        },
    )
