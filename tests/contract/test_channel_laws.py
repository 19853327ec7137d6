"""The laws of the comparison contract for channels, whatever their kind; every kind has a maker."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import chain, combinations
from random import Random

import pytest
from support import tally

from contract.channel_cases import MAKERS, law, matrix, names, problems
from pfverify.answers.certify import certify
from pfverify.decide.comparison import Comparison
from pfverify.decide.masses.finite import NamedOutputs
from pfverify.decide.masses.numbers import NumberMasses
from pfverify.decide.routes import comparison, routes_for
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import Number
from pfverify.exact.written import written
from pfverify.laws.kinds import THROUGH
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import as_number
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.channels.released import released
from pfverify.model.notion import Bound
from pfverify.model.priors.finite import Finite
from pfverify.model.problem import Problem
from pfverify.model.protection import Protection

DIGITS = 8
CASES = 25
WRITTEN_OUT = [name for name, kind in CHANNELS.items() if kind.written_out]


def ends(enclosure: Enclosure) -> tuple[Fraction | float, Fraction | float]:
    low, high = (x if x == "inf" else Fraction(x) for x in (enclosure.lower, enclosure.upper))
    return (float("inf") if low == "inf" else low), (float("inf") if high == "inf" else high)


def meet(one: Enclosure, other: Enclosure) -> bool:
    (a, b), (c, d) = ends(one), ends(other)
    return a <= d and c <= b


def both(problem: Problem) -> tuple[Comparison, Comparison]:
    (item,) = problem.questions()
    return comparison(item)


def laws(problem: Problem) -> tuple[list[Number], list[Number]]:
    """The two released laws, as the definition has them."""
    assert isinstance(problem.release, Channel)
    (item,) = problem.questions()
    first, second = (
        [as_number(x) for x in released(problem.release, prior.support)]
        for prior in (item.first_prior, item.second_prior)
    )
    return first, second


def test_every_kind_has_a_maker_and_a_route() -> None:
    assert set(MAKERS) == set(CHANNELS)
    assert set(THROUGH) == set(CHANNELS.values())


FEW = 8
"""Outputs whose events are all looked at."""


@pytest.mark.parametrize("kind", WRITTEN_OUT)
def test_the_sign_is_that_of_the_worst_of_all_events(kind: str) -> None:
    """By enumeration of events, or of outputs: the definition itself, at 60 digits."""
    counts: Counter[str] = Counter()
    for problem in problems(kind, "enumeration", CASES):
        p, q = laws(problem)
        growth = problem.epsilon.exp()
        for compared, (a, b) in zip(both(problem), ((p, q), (q, p)), strict=True):
            gaps = [float((x - growth * y).ball().midpoint()) for x, y in zip(a, b, strict=True)]
            delta = problem.delta.ball().midpoint()
            if problem.form == "events":
                indices = range(len(gaps)) if len(gaps) <= FEW else range(1)
                sizes = range(1, len(indices) + 1)
                sets = chain.from_iterable(combinations(indices, r) for r in sizes)
                most = max(sum(gaps[k] for k in chosen) for chosen in sets) - delta
            else:
                most = max(gaps) - delta
            sign = compared.settled().sign
            assert sign is not None
            if abs(most) > 1e-9 and len(gaps) <= FEW:
                assert (sign == 1) == (most > 0)
                counts["refuted" if sign == 1 else "certified"] += 1
    tally.reached(counts, "refuted", "certified")


@pytest.mark.parametrize("kind", WRITTEN_OUT)
def test_the_rational_and_the_general_way_agree(kind: str) -> None:
    counts: Counter[str] = Counter()
    for problem in problems(kind, "general", CASES):
        p, q = laws(problem)
        assert isinstance(problem.release, Channel)
        for compared, (a, b) in zip(both(problem), ((p, q), (q, p)), strict=True):
            other = NumberMasses(a, b, NamedOutputs(problem.release.outputs), compared.target)
            one, two = compared.decided(), other.decided()
            assert (one.sign == 1) == (two.sign == 1)
            assert (one.breach is None) == (two.breach is None)
            assert meet(written(one.loss, DIGITS), written(two.loss, DIGITS))
            if one.delta is not None and two.delta is not None:
                assert meet(written(one.delta, DIGITS), written(two.delta, DIGITS))
            counts["compared"] += 1
    tally.reached(counts, "compared", least=CASES)


@pytest.mark.parametrize("kind", MAKERS)
def test_an_enclosure_decides_as_the_decision_does(kind: str) -> None:
    """The divergence against delta, the loss against epsilon, and the least epsilon."""
    counts: Counter[str] = Counter()
    for problem in problems(kind, "enclosures", CASES):
        for compared in both(problem):
            sign = compared.settled().sign
            low, high = ends(written(compared.exceeding(), DIGITS))
            delta = Fraction(problem.delta.text)
            if compared.target.bound is not Bound.RATIO:
                if sign == 1:
                    assert high > delta
                else:
                    assert low <= delta
                found = written(compared.least_epsilon(), DIGITS)
                least_low, least_high = ends(found)
                epsilon = problem.epsilon.ball().midpoint()
                if sign == 1:
                    assert least_high > epsilon - 1e-9
                else:
                    assert least_low <= epsilon + 1e-9
                counts["delta"] += 1
            else:
                bottom, top = ends(written(compared.loss().value, DIGITS))
                epsilon = problem.epsilon.ball().midpoint()
                assert (top > epsilon - 1e-9) if sign == 1 else (bottom <= epsilon + 1e-9)
                counts["ratio"] += 1
    tally.reached(counts, "delta", "ratio")


@pytest.mark.parametrize("kind", WRITTEN_OUT)
def test_post_processing_loses_nothing(kind: str) -> None:
    """Outputs that are merged at random have at most the losses of the outputs themselves."""
    rng, counts = Random(f"merged {kind}"), Counter[str]()
    for problem in problems(kind, "merged", CASES):
        assert isinstance(problem.release, Channel)
        if problem.form != "events":
            continue
        p, q = ([x.fraction for x in law] for law in laws(problem))
        if None in p or None in q:
            continue
        outputs = list(problem.release.outputs)
        after = matrix(rng, outputs, names("m", 2))
        whole = {"kind": "cascade", "parts": [problem.release.to_table(), after]}
        merged = problem.under(Channel.of(whole))
        for one, two in zip(both(problem), both(merged), strict=True):
            if one.settled().sign != 1:
                assert two.settled().sign != 1
            least, most = (written(each.exceeding(), DIGITS) for each in (two, one))
            assert ends(least)[0] <= ends(most)[1]
            counts["merged"] += 1
    if kind not in ("exponential", "planar"):
        tally.reached(counts, "merged")


@pytest.mark.parametrize("kind", MAKERS)
def test_equal_priors_meet_every_target(kind: str) -> None:
    for problem in problems(kind, "equal", 6):
        (table,) = problem.beliefs.values()
        alike = Problem(
            {"a": table["a"], "b": table["a"]}, channel=problem.release, epsilon=0,
            protection=problem.protection,
        )  # fmt: skip
        for compared in both(alike):
            assert compared.equal
            assert compared.settled().sign in (-1, 0)
        assert certify(alike).certified


def test_the_first_route_of_a_channel_is_its_own() -> None:
    for kind in MAKERS:
        for problem in problems(kind, "route", 3):
            (item,) = problem.questions()
            name = "channels" if problem.release.written_out else "tupling"  # type: ignore[union-attr]
            assert next(routes_for(item)).name == name


def test_ties_are_decided_exactly() -> None:
    """P = e^epsilon Q at an output, with epsilon a logarithm and with weights e^-1."""
    response = {"kind": "randomized-response", "inputs": ["a", "b"]}
    points = {"a": Finite({"a": 1, "b": 0}), "b": Finite({"b": 1})}
    for how, epsilon in (({"truth": "3/4"}, "log(3)"), ({"epsilon": "1"}, "1"),
                         ({"epsilon": "sqrt(2)"}, "sqrt(2)")):  # fmt: skip
        problem = Problem(points, channel=Channel.of({**response, **how}), epsilon=epsilon)
        result = certify(problem)
        assert result.certified
        assert all(pair.tie for pair in result.pairs)
        less = Number.parse(epsilon) - Number.of_rational(Fraction(1, 10**30))
        assert certify(problem.replaced(epsilon=less)).refuted
    tied = Problem(points, channel=Channel.of({**response, "epsilon": "1"}), epsilon="1/2",
                   delta="(exp(1)-exp(1/2))/(exp(1)+1)")  # fmt: skip
    assert certify(tied).certified
    assert [pair.tie for pair in certify(tied).pairs] == [True, True]


def test_planar_weights_tie_at_their_own_epsilon() -> None:
    """Two places at distance sqrt(2): the ratio is e^(epsilon sqrt 2), an algebraic exponent."""
    table = {"kind": "planar", "points": {"a": [0, 0], "b": [1, 1]}, "epsilon": "1/2"}
    held = Protection("xdp", inputs=["a", "b"], points={"a": [0, 0], "b": [1, 1]})
    problem = Problem(channel=Channel.of(table), protection=held, epsilon="1/2")
    result = certify(problem)
    assert result.certified
    assert all(pair.tie for pair in result.pairs)
    assert certify(problem.replaced(epsilon="0.49999")).refuted


def test_infinite_losses_name_the_output() -> None:
    channel = Channel.of({"kind": "matrix", "inputs": ["a", "b"], "outputs": ["u", "v"],
                          "rows": [["1/2", "1/2"], ["1", "0"]]})  # fmt: skip
    result = certify(Problem(channel=channel, epsilon=3))
    worst = result.pairs[0]
    assert (worst.from_, worst.to, worst.loss.upper, worst.worst_y) == ("a", "b", "inf", "v")
    assert worst.witness is not None
    assert worst.witness.outputs == ["v"]
    assert law(Random(1), 3)  # masses that sum to 1
