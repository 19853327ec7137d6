"""Tupling as a channel of a problem, against the same mechanism written out as a matrix."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from contract.channel_cases import problems
from support import tally
from support.kernel_run import accepted_certificate
from support.tuples import tuple_law, written_out

from pfverify import Channel, Problem, certify, loss
from pfverify.answers.outcome import Directed
from pfverify.errors import InputError, UndecidedError
from pfverify.exact.ball import precision
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.number import number
from pfverify.model.channels.released import released
from pfverify.model.channels.tupling import Tupling
from pfverify.model.priors.finite import Finite

F = Fraction
BASE = {"kind": "matrix", "inputs": ["a", "b"], "outputs": ["u", "v"],
        "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}  # fmt: skip
POINTS = {"a": Finite({"a": 1, "b": 0}), "b": Finite({"a": 0, "b": 1})}


def tupling(dummies: int, **keys: object) -> Channel:
    return Channel.of({"kind": "tupling", "base": BASE, "dummies": dummies, **keys})


def as_pairs(outcomes: list[Directed]) -> dict[tuple[str, str], Directed]:
    return {(one.from_, one.to): one for one in outcomes}


def margin_of(problem: Problem, one: Directed) -> Fraction:
    """P(B) - growth Q(B) - delta at a growth just above e**epsilon, by enumeration."""
    channel = problem.release
    assert isinstance(channel, Tupling)
    (table,) = problem.beliefs.values()
    p, q = (
        tuple_law(released(channel.base, table[name].support), channel.dummy, channel.dummies)
        for name in (one.from_, one.to)
    )
    assert one.witness is not None
    assert one.witness.growth is not None
    if one.witness.growth == "inf":
        event = [t for t in p if p[t] and not q[t]]
    else:
        event = [t for t in p if p[t] > F(one.witness.growth) * q[t]]
    growth = F(problem.epsilon.exp().ball().midpoint()) * (1 + F(1, 10**12))
    return sum(p[t] - growth * q[t] for t in event) - F(problem.delta.text)


def test_every_answer_is_that_of_the_matrix_of_all_tuples() -> None:
    counts: Counter[str] = Counter()
    for problem in problems("tupling", "written out", 40):
        assert isinstance(problem.release, Tupling)
        other = problem.under(written_out(problem.release))
        one, two = certify(problem), certify(other)
        assert one.verdict is two.verdict
        matrix = as_pairs(two.pairs)
        for names, found in as_pairs(one.pairs).items():
            assert found.verdict is matrix[names].verdict
            assert found.loss == matrix[names].loss
            assert found.delta == matrix[names].delta
            counts[found.verdict.value] += 1
            if found.refuted:
                assert found.rule == "tupling-refuted"
                assert found.witness is not None
                assert 0 < F(found.witness.margin) <= margin_of(problem, found) + F(1, 10**9)
            else:
                assert (found.rule, found.tie) == ("tupling", matrix[names].tie)
        first, second = loss(problem), loss(other)
        assert first.epsilon_star == second.epsilon_star
        assert first.delta == second.delta
        assert first.epsilon_at_delta == second.epsilon_at_delta
    tally.reached(counts, "certified", "refuted")


def test_the_largest_ratio_of_all_tuples_names_the_output_of_the_value() -> None:
    for dummies in (1, 5, 10**30):
        result = certify(Problem(POINTS, channel=tupling(dummies), epsilon="log(3)"))
        assert result.certified
        assert {(pair.worst_y, pair.tie) for pair in result.pairs} == {("u", True), ("v", True)}
        assert str(result.pairs[0].loss.lower).startswith("1.0986122886")


def test_an_impossible_tuple_is_found_with_any_number_of_dummies() -> None:
    """No sums are needed: the mass of what is impossible under the other law has a closed form."""
    base = {**BASE, "rows": [["1/2", "1/2"], ["1", "0"]]}
    channel = Channel.of({"kind": "tupling", "base": base, "dummies": 3000})
    result = certify(Problem(POINTS, channel=channel, epsilon=1))
    assert result.refuted
    assert result.pairs[0].witness is not None
    assert result.pairs[0].witness.growth == "inf"
    assert F(result.pairs[0].witness.margin) <= F(1, 2**3001)


def near(table: dict[str, Any], epsilon: str) -> dict[str, Any]:
    """A randomized response at a rational growth that agrees with e**epsilon in 60 digits."""
    with precision(256):
        ends = number(epsilon).exp().ball().ends()
    assert ends is not None
    growth = F(ends[0][0]) * F(2) ** ends[0][1]
    return {**table, "truth": str(growth / (growth + len(table["inputs"]) - 1))}


@pytest.mark.parametrize("epsilon", ["1", "sqrt(2)", "1/3"])
@pytest.mark.parametrize("dummies", [1, 6])
def test_irrational_masses_are_enclosed(epsilon: str, dummies: int) -> None:
    """Beside rational masses that agree with them in 60 digits."""
    table = {"kind": "randomized-response", "inputs": ["a", "b", "c"]}
    counts: Counter[str] = Counter()
    priors = {
        "a": Finite({"a": "1/2", "b": "1/3", "c": "1/6"}),
        "b": Finite({"a": 0, "b": "1/5", "c": "4/5"}),
    }
    for dummy in ("uniform", {"a": "1/2", "b": "1/2"}):
        for target, delta in (("0", "1/50"), ("1/10", "1/10"), ("1/8", "0"), ("2", "1/100")):
            found, rational = (
                Problem(
                    priors,
                    channel=Channel.of({
                        "kind": "tupling", "base": base, "dummies": dummies, "dummy": dummy,
                    }),
                    epsilon=target,
                    delta=delta,
                )
                for base in ({**table, "epsilon": epsilon}, near(table, epsilon))
            )  # fmt: skip
            one, two = certify(found), certify(rational)
            others = as_pairs(two.pairs)
            for names, pair in as_pairs(one.pairs).items():
                assert pair.verdict is others[names].verdict
                assert pair.delta == others[names].delta
                assert pair.loss == others[names].loss
                counts[pair.verdict.value] += 1
            assert loss(found).delta == loss(rational).delta
            assert loss(found).epsilon_at_delta == loss(rational).epsilon_at_delta
            assert accepted_certificate(found.to_table(), found, one)[1] == one.verdict
    tally.reached(counts, "certified", "refuted")


def test_with_irrational_masses_ties_of_the_ratio_are_decided_and_those_of_delta_are_not() -> None:
    base = {"kind": "randomized-response", "inputs": ["a", "b"], "epsilon": "1"}
    channel = Channel.of({"kind": "tupling", "base": base, "dummies": 2})
    tied = certify(Problem(POINTS, channel=channel, epsilon=1))
    assert tied.certified
    assert [pair.tie for pair in tied.pairs] == [True, True]
    # of four tuples aa counts, and of eight aab, aba, baa half: P - Q of the value, times 1/2
    delta = "(exp(1)-1)/(exp(1)+1)/2"
    open_ = certify(Problem(POINTS, channel=channel, epsilon=0, delta=delta))
    assert open_.undecided
    assert open_.reasons[0].startswith("the masses are not rational")


@pytest.mark.parametrize("slack", ["1e-20", "1e-45", "1e-60", "1e-400"])
def test_irrational_masses_near_delta_are_decided_with_more_bits(slack: str) -> None:
    base = {"kind": "randomized-response", "inputs": ["a", "b"], "epsilon": "1"}
    channel = Channel.of({"kind": "tupling", "base": base, "dummies": 2})
    for sign, verdict in (("+", "certified"), ("-", "refuted")):
        delta = f"(exp(1)-1)/(exp(1)+1)/2{sign}{slack}"
        problem = Problem(POINTS, channel=channel, epsilon=0, delta=delta)
        result = certify(problem)
        assert result.verdict == verdict
        assert accepted_certificate(problem.to_table(), problem, result)[1] == verdict


def test_irrational_masses_of_dummies_are_refused_in_one_line() -> None:
    dummy = tupling(2, dummy={"u": "exp(-1)", "v": "1-exp(-1)"})
    with pytest.raises(InputError, match=r"^channel\.dummy: a mass is not rational"):
        certify(Problem(POINTS, channel=dummy, epsilon=1))


def test_the_pointwise_form_is_refused() -> None:
    problem = Problem(POINTS, channel=tupling(2), epsilon=1, delta="1/10", form="pointwise")
    with pytest.raises(InputError, match="no route decides a channel of kind tupling"):
        certify(problem)


def test_ten_outputs_and_twenty_dummies() -> None:
    """Ten to the twenty-first tuples; the same divergence by another way: two outputs, merged."""
    names = [f"y{k}" for k in range(10)]
    row = ["1/5"] * 5 + ["0"] * 5
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": names, "rows": [row, row[::-1]]}
    channel = Channel.of({"kind": "tupling", "base": base, "dummies": 20})
    found = loss(Problem(POINTS, channel=channel, epsilon="log(3/2)", delta="1/100"))
    two = Channel.of({"kind": "tupling", "dummies": 20,
                      "base": {**BASE, "rows": [["1", "0"], ["0", "1"]]}})  # fmt: skip
    merged = loss(Problem(POINTS, channel=two, epsilon="log(3/2)", delta="1/100"))
    assert found.delta == merged.delta
    assert found.epsilon_at_delta == merged.epsilon_at_delta
    assert found.epsilon_star == Enclosure("inf", "inf")


@pytest.mark.parametrize(("delta", "verdict"), [("1/10", "refuted"), ("51/100", "certified")])
def test_an_event_above_a_long_ratio_is_written_by_a_shorter_one(delta: str, verdict: str) -> None:
    """At u, P is more than e^5000 Q; at v only more than 2^4096 Q, which is less."""
    small = [f"1/1{'0' * n}" for n in (2200, 1300)]
    rows = [["1/2", "1/4", "1/4", "0"], [*small, f"1-{small[0]}-{small[1]}", "0"]]
    base = {"kind": "matrix", "inputs": ["a", "b"], "outputs": [*"uvwx"], "rows": rows}
    hidden = Channel.of({"kind": "tupling", "base": base, "dummies": 1, "dummy": {"x": 1}})
    problem = Problem(POINTS, channel=hidden, epsilon=5000, delta=delta)
    result = certify(problem)
    assert result.verdict == verdict
    assert accepted_certificate(problem.to_table(), problem, result)[1] == verdict


def test_a_ratio_that_no_shorter_one_stands_for_is_undecided_in_one_line() -> None:
    """The masses of priors times rows: a ratio of 8000 digits, and e^15000 has 6515."""
    small = f"1/1{'0' * 4000}"
    rows = [["1/2", "1/2", "0"], [small, f"1-{small}", "0"], ["0", "1", "0"]]
    base = {"kind": "matrix", "inputs": ["a", "b", "c"], "outputs": ["u", "v", "w"], "rows": rows}
    hidden = Channel.of({"kind": "tupling", "base": base, "dummies": 1, "dummy": {"w": 1}})
    priors = {"p": Finite({"a": 1}), "q": Finite({"b": small, "c": f"1-{small}"})}
    problem = Problem(priors, channel=hidden, epsilon=15000, delta="1/10")
    with pytest.raises(UndecidedError, match="has over 4300 digits"):
        certify(problem)
