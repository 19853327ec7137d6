"""The pairs of a problem whose digits are looked at, and what an event is allowed in each order."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite

from pfverify.crosscheck.samplers.leaks import DigitLeak, LeakPair
from pfverify.crosscheck.samplers.parts import Chance
from pfverify.crosscheck.samplers.reading import Key
from pfverify.crosscheck.samplers.result import TestedLeak
from pfverify.decide.routes import comparison
from pfverify.decide.targets import target_of
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import fraction_of, precision
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.published import Exact, Extended, Infinite
from pfverify.exact.refined import Between
from pfverify.exact.written import written
from pfverify.model.notion import EVENTS
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.target import Target

_DIGITS = 12
_BITS = 128
_NONE = Fraction(0)
_LARGEST = 10**300  # of what is passed as a float
_PAIRS = 32  # each takes a second for 100,000 draws


def pairs_of(
    problem: Problem, priors: Mapping[Key, Prior], numeric: bool, *, claimed: bool
) -> tuple[list[LeakPair], str | None]:
    """Return the pairs of which events about digits are tested; of which they are not, and why.

    `numeric`: whether outputs are numbers; `claimed`: whether the claim is tested beside the law.
    Example: ``pairs_of(problem, {}, False, claimed=False)`` is
    ``([], "of any pair, as outputs are names")``.
    """
    if problem.notion != EVENTS:
        return [], f"of any pair, as the form {problem.form} is not about events"
    if not numeric:
        return [], "of any pair, as outputs are names"
    questions = list(problem.questions())
    try:
        found = [_pair(problem, item, priors, claimed) for item in questions[:_PAIRS]]
    except (InputError, UndecidedError) as error:  # the law can be tested all the same
        return [], f"of any pair, as no delta is known: {error}"
    more = len(questions) - len(found)
    return found, f"of {more} of {len(questions)} pairs" if more else None


def claimed_delta(target: Target) -> Chance:
    """Return the delta that is claimed, between two rationals.

    Example: ``claimed_delta(Target(number("1"), number("1/4")))`` is ``(1/4, 1/4)``.
    """
    exact = target.delta.fraction
    if exact is not None:
        return exact, exact
    with precision(_BITS):
        found = target.delta.ball().ends()
    if found is None:
        return Fraction(0), Fraction(1)
    return fraction_of(found[0]), fraction_of(found[1])


def float_scale(problem: Problem) -> float | None:
    """Return the scale of the noise as the float that samplers are given, None where it is none.

    Example: ``float_scale(problem)`` is ``2.0``.
    """
    scale = problem.release.noise.scale
    if scale is None:
        return None
    try:
        near = float(scale.fraction) if scale.fraction is not None else scale.ball().midpoint()
    except OverflowError:  # a number beyond all floats
        return None
    return near if isfinite(near) else None


def told(leak: DigitLeak) -> TestedLeak:
    """Return a tested event about digits in decimals, rounded outward.

    Example: ``told(DigitLeak((("", "a"), ("", "b")), "lowest bit", "y = 0", 1, Fraction(0), (9, 9),
    (9, 0), (Fraction(0), Fraction(1)), Fraction(1), Fraction(1))).event`` is ``"y = 0"``.
    """
    (belief, first), (_, second) = leak.keys
    return TestedLeak(
        belief, first, second, leak.kind, leak.event, leak.classes, upward(leak.allowed),
        leak.drawn[0], leak.counts[0], leak.drawn[1], leak.counts[1],
        written(Between(*(max(end, _NONE) for end in leak.delta)), _DIGITS),
        upward(leak.seen), upward(leak.alone), leak.refuted,
    )  # fmt: skip


def upward(value: Fraction) -> Extended:
    """Return a number of a result as a decimal of six digits, rounded up.

    Example: ``upward(Fraction(1, 3))`` is ``0.333334``.
    """
    return Exact(decimal_upper(value, _DIGITS // 2))


def _pair(
    problem: Problem, item: Question, priors: Mapping[Key, Prior], claimed: bool
) -> LeakPair:
    """What every event is allowed in both orders of a pair: delta of the law, or the claim's."""
    target = target_of(item)
    keys = (item.belief, item.first), (item.belief, item.second)
    allowed = []
    for compared in comparison(item):
        most = written(compared.exceeding(), _DIGITS).upper
        own = Fraction(1) if isinstance(most, Infinite) else Fraction(most)
        allowed.append(min(own, claimed_delta(target)[1]) if claimed else own)
    places = _places(priors[keys[0]], priors[keys[1]])
    return LeakPair(keys, target, (allowed[0], allowed[1]), places, float_scale(problem))


def _places(first: Prior, second: Prior) -> tuple[float, ...]:
    """Values that X has, as floats, those first whose chances differ most; none of a density."""
    masses = [
        dict(prior.atoms()) if isinstance(prior, Nothing) else dict(prior.mass)
        for prior in (first, second) if isinstance(prior, Nothing | Discrete)
    ]  # fmt: skip
    if len(masses) < 2:
        return ()
    apart = {x: abs(masses[0].get(x, 0) - masses[1].get(x, 0)) for x in masses[0] | masses[1]}
    ranked = sorted((x for x in apart if abs(x) < _LARGEST), key=lambda x: (-apart[x], x))
    return tuple(dict.fromkeys(map(float, ranked)))
