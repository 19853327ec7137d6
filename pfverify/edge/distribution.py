"""The properties of distribution privacy, each at an instance that shows what its bound is worth.

Instances are those of the audit of the paper: where a printed bound fails, its counterexample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pfverify.edge.distribution_facts import FactRow, facts
from pfverify.errors import UndecidedError
from pfverify.exact.argument import Number
from pfverify.exact.ball import precision
from pfverify.exact.decimals import decimal_upper
from pfverify.exact.no_truth import NoTruth
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry, as_number
from pfverify.model.channels.matrix import Matrix
from pfverify.model.channels.randomized_response import RandomizedResponse
from pfverify.model.places import Ground
from pfverify.model.priors.finite import Finite
from pfverify.scales.distribution import (
    Guarantee,
    Judgement,
    bayes_factor,
    close_beliefs,
    extended_channel,
    independent_inputs,
    post_processing,
    pre_processing,
    private_channel,
    same_input,
    tupled,
)
from pfverify.scales.tupling_bound import Reading

_DIGITS, _BITS = 6, 128  # of a delta that is not rational, rounded up


@dataclass(frozen=True)
class Promise(NoTruth, ask="read .epsilon and .delta"):
    """An (epsilon, delta) as text: exact, but a delta that is not rational is rounded up."""

    epsilon: str
    delta: str


@dataclass(frozen=True)
class PropertyRow(NoTruth, ask="compare .holds with True"):
    """A printed property at one instance.

    `exact` is the loss epsilon* and the delta at the published epsilon; `true` the tightest true
    statement that we know, None where nothing can be promised; `event` the outputs that have the
    exact delta (none listed for tuples).
    """

    source: str
    instance: str
    published: Promise
    exact: Promise
    true: Promise | None
    holds: bool
    event: list[str]
    proof: str


@dataclass(frozen=True)
class PropertiesResult(NoTruth, ask="read .rows"):
    """All bounds, how many of them fail as printed, and what else the paper states."""

    rows: list[PropertyRow]
    failing: int
    others: list[FactRow]


def properties(progress: Callable[[int, int], None] | None = None) -> PropertiesResult:
    """Judge Table 1, Theorems 1 to 3, Proposition 1 and (3.3) of the paper at their instances.

    Example: ``properties().failing`` is 8.
    Source: distribution-privacy paper; ledger rows D06 to D16, D22 to D24.
    """
    rows = []
    for done, (instance, judge) in enumerate(INSTANCES, 1):
        rows.append(_row(instance, judge()))
        if progress:
            progress(done, len(INSTANCES))
    return PropertiesResult(rows, sum(not row.holds for row in rows), facts())


def _row(instance: str, found: Judgement) -> PropertyRow:
    return PropertyRow(
        source=found.source,
        instance=instance,
        published=_promise(found.published),
        exact=Promise(epsilon_text(found.ratio), str(found.delta)),
        true=None if found.true is None else _promise(found.true),
        holds=found.holds,
        event=list(found.event),
        proof=found.proof,
    )


def _promise(found: Guarantee) -> Promise:
    return Promise(epsilon_text(found.growth), _delta_text(found.delta))


def epsilon_text(growth: Fraction | None) -> str:
    """Return the logarithm of a rational as the grammar writes it, "inf" for None.

    Example: ``epsilon_text(Fraction(4))`` is ``"log(4)"``.
    """
    if growth is None:
        return "inf"
    return "0" if growth == 1 else f"log({growth})"


def _delta_text(delta: Entry) -> str:
    if isinstance(delta, Fraction):
        return str(delta)
    with precision(_BITS):
        ends = as_number(delta).ball().ends()
    if ends is None:
        raise UndecidedError(f"delta: {delta.text} is not enclosed")
    upper, power = ends[1]
    return decimal_upper(upper * Fraction(2) ** power, _DIGITS)


def _law(**masses: Number) -> Finite:
    return Finite(masses)


def _numbered(*masses: Number) -> Finite:
    """A law over the inputs 0, 1, 2, ..."""
    return Finite({str(k): mass for k, mass in enumerate(masses)})


def _shown(count: int) -> Channel:
    """The channel that publishes its input."""
    names = [str(k) for k in range(count)]
    return Matrix(names, names, [[int(k == j) for j in range(count)] for k in range(count)])


def _bits(*chances: object) -> Channel:
    """A yes/no answer to the inputs 0, 1, 2, ..., with these chances of yes."""
    rows = [[1 - Fraction(str(chance)), Fraction(str(chance))] for chance in chances]
    return Matrix([str(k) for k in range(len(rows))], ["no", "yes"], rows)


_RESPONSE = RandomizedResponse(["a", "b"], truth="3/4")
_EITHER, _A, _B = _law(a="1/2", b="1/2"), _law(a=1), _law(b=1)
_HALVES = _bits(0, "1/2", 1)
_POINTS = [_numbered(*(int(k == j) for j in range(3))) for k in range(3)]
_MEMBERS = (_numbered("1/2", "1/2"), _numbered("1/3", "2/3"))
_BELIEFS = (_numbered(1, 0), _numbered(0, 1))
_STEPS = [("0", "1"), ("1", "2")]
_LEFT, _RIGHT = _numbered("1/2", "1/2", 0), _numbered(0, "1/2", "1/2")
_HEAVY = _numbered("5/6", *["1/60"] * 10)
_TWICE = "two randomized responses with truth 3/4"
_HALF = "yes with chance x/2, for x = 0, 1, 2"
_TWO = Fraction(2)


def _numbers(count: int) -> Ground:
    return Ground.of([str(k) for k in range(count)], None, None)


INSTANCES: tuple[tuple[str, Callable[[], Judgement]], ...] = (
    (
        "randomized response with truth 3/4; (1/2, 1/2) against (1, 0), the first with "
        "chance 1/3",
        lambda: bayes_factor(_RESPONSE, (_EITHER, _A), Fraction(1, 3)),
    ),
    (
        "the value itself, (1/2, 1/2) against (1/3, 2/3) at distance 1; believed: (1, 0) and "
        "(0, 1)",
        lambda: close_beliefs(
            _shown(2), _numbers(2), Fraction(3, 2), [_MEMBERS, _MEMBERS[::-1]], _MEMBERS, _BELIEFS
        ),
    ),
    (
        "the same beliefs, promised too: yes with chance 1/4 and 3/4, epsilon = log(3)",
        lambda: close_beliefs(
            _bits("1/4", "3/4"), _numbers(2), Fraction(3), [_MEMBERS, _BELIEFS], _MEMBERS, _BELIEFS
        ),
    ),
    (
        f"{_TWICE}, one input; (1/2, 1/2) against (1, 0)",
        lambda: same_input(_RESPONSE, _RESPONSE, (_EITHER, _A)),
    ),
    (
        f"two answers, each {_HALF}, one input; (1/2, 0, 1/2) against (0, 1, 0)",
        lambda: same_input(
            _HALVES, _HALVES, (_numbered("1/2", 0, "1/2"), _POINTS[1]), (Fraction(1), Fraction(1))
        ),
    ),
    (
        "two bits that agree for 0 and 1, and differ for 2 and 3, one input; either of 0, 1 "
        "against either of 2, 3",
        lambda: same_input(
            _bits(0, 1, 0, 1), _bits(0, 1, 1, 0),
            (_numbered("1/2", "1/2", 0, 0), _numbered(0, 0, "1/2", "1/2")),
            (Fraction(1), Fraction(1)),
        ),
    ),
    (
        f"{_TWICE}, an input each; (1/2, 1/2) against (1, 0) twice",
        lambda: independent_inputs(_RESPONSE, _RESPONSE, ((_EITHER, _A), (_EITHER, _A))),
    ),
    (
        f"{_TWICE}, one after the other; (1, 0) against (0, 1)",
        lambda: post_processing(_RESPONSE, _RESPONSE, (_A, _B)),
    ),
    (
        f"{_HALF}; a map to 0 and to 2, two steps apart; epsilon = 0",
        lambda: pre_processing(_HALVES, _POINTS, Fraction(1)),
    ),
    (
        "the same, epsilon = log(2)",
        lambda: pre_processing(_HALVES, _POINTS, _TWO),
    ),
    (
        "randomized response with truth 3/4; (1, 0), (1/2, 1/2), (0, 1) are two steps; delta = 0",
        lambda: pre_processing(_RESPONSE, [_A, _EITHER, _B]),
    ),
    (
        f"{_HALF}; 0 to 1 and 1 to 2 related; (1/2, 1/2, 0) against (0, 1/2, 1/2), epsilon "
        "= 0",
        lambda: private_channel(_HALVES, _STEPS, (_LEFT, _RIGHT), Fraction(1)),
    ),
    (
        f"{_HALF}; 0 to 1 and 1 to 2 related; (0, 1, 0) against (0, 0, 1), log(2) per unit",
        lambda: extended_channel(_HALVES, _numbers(3), _STEPS, (_POINTS[1], _POINTS[2]), _TWO),
    ),
    (
        "the value itself, 2 outputs, 3 dummies; (3/4, 1/4) against (1/4, 3/4); beta 3/4, "
        "alpha 1",
        lambda: tupled(
            _shown(2), 3, (_numbered("3/4", "1/4"), _numbered("1/4", "3/4")), Fraction(1),
            Fraction(3, 4),
        ),
    ),
    (
        "the value itself, 3 outputs, 6 dummies; (1/2, 1/2, 0) against (0, 1/2, 1/2); beta "
        "1/2, alpha 3/2",
        lambda: tupled(_shown(3), 6, (_LEFT, _RIGHT), Fraction(3, 2), Fraction(1, 2)),
    ),
    (
        "the value itself, 3 outputs, 1 dummy; (1, 0, 0) against (0, 1, 0); eta 1/3, beta 1/20, "
        "alpha 1/10",
        lambda: tupled(
            _shown(3), 1, (_POINTS[0], _POINTS[1]), Fraction(1, 10), Fraction(1, 20),
            Fraction(1, 3),
        ),
    ),
    (
        "the value itself, 24 outputs, 1 dummy; one of mass 5/6 and ten of 1/60 against eleven "
        "others; the outputs of eta as released; eta 5/6, beta 1/60, alpha 7/240",
        lambda: tupled(
            _shown(24), 1, (_HEAVY, _numbered(*[0] * 11, *_HEAVY.mass.values(), 0, 0)),
            Fraction(7, 240), Fraction(1, 60), Fraction(5, 6), Reading.RELEASED,
        ),
    ),
)  # fmt: skip
