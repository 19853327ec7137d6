"""Copies of a channel and reports of one permanent response, of which outputs are counted."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product as tuples
from math import comb, prod
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import Channel, Finite, InputError, Problem, certify, loss
from pfverify.edge.cli import main
from pfverify.model.channels.counted import count_of_counts, counts
from pfverify.model.channels.entries import ball_of
from pfverify.model.digest import problem_digest

F = Fraction
RESPONSE = {"kind": "randomized-response", "inputs": ["yes", "no"], "truth": "3/4"}


def copies(n: int, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "composition", "parts": [*(parts or (RESPONSE,))], "copies": n}


def a_matrix(rng: Random, outputs: int) -> dict[str, Any]:
    rows = []
    for _ in "ab":
        weights = [rng.randint(0, 4) for _ in range(outputs)]
        weights[rng.randrange(outputs)] += 1
        rows.append([f"{w}/{sum(weights)}" for w in weights])
    return {"kind": "matrix", "inputs": ["a", "b"], "outputs": [*"uvwx"[:outputs]], "rows": rows}


@pytest.mark.parametrize(("outputs", "n"), [(1, 4), (2, 1), (2, 5), (3, 2), (3, 3), (4, 3), (5, 5)])
def test_every_count_is_there_once(outputs: int, n: int) -> None:
    found = [*counts(outputs, n)]
    drawn = {tuple(sorted(Counter(y).items())) for y in tuples(range(outputs), repeat=n)}
    assert len(found) == len({*found}) == count_of_counts(outputs, n)
    assert {*found} == drawn


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 4))
def test_a_count_has_the_mass_of_its_orders(seed: int, outputs: int, n: int) -> None:
    part = a_matrix(Random(seed), outputs)
    names = part["outputs"]
    counted, once = Channel.of(copies(n, part)), Channel.of(part)
    for x in "ab":
        masses, expected = dict(zip(names, once.row(x), strict=True)), Counter[str]()
        for drawn in tuples(names, repeat=n):
            each = Counter(sorted(drawn, key=names.index))
            name = ",".join(f"{k} x {y}" for y, k in each.items())
            expected[name] += prod(masses[y] for y in drawn)  # type: ignore[assignment]
        assert dict(zip(counted.outputs, counted.row(x), strict=True)) == expected


@pytest.mark.parametrize("truth", [{"truth": "2/3"}, {"epsilon": "1/2"}])
@pytest.mark.parametrize(("epsilon", "delta"), [
    (1, 0), ("1/4", "1/20"), ("5/2", "1/1000"), (3, 0), ("3*log(2)", 0), ("3/2", 0),
])  # fmt: skip
def test_counts_are_as_private_as_the_outputs_in_their_order(
    truth: dict[str, Any], epsilon: Any, delta: Any
) -> None:
    part = {"kind": "randomized-response", "inputs": ["yes", "no"], **truth}
    listed = {"kind": "composition", "parts": [part] * 3}
    both = [
        Problem(channel=Channel.of(table), epsilon=epsilon, delta=delta)
        for table in (copies(3, part), listed)
    ]
    ours, theirs = map(certify, both)
    assert ours.verdict == theirs.verdict
    assert [str(p.delta) for p in ours.pairs] == [str(p.delta) for p in theirs.pairs]
    assert [p.tie for p in ours.pairs] == [p.tie for p in theirs.pairs]
    for problem, found in zip(both, (ours, theirs), strict=True):
        _, word, message = accepted_certificate(problem.to_table(), problem, found)
        assert word == found.verdict, message


def test_two_parts_twice_are_four_and_priors_are_mixed_before_they_are_counted() -> None:
    first, second = a_matrix(Random(1), 2), a_matrix(Random(2), 2)
    priors = {"s": Finite({"a": "1/3", "b": "2/3"}), "t": Finite({"a": "3/4", "b": "1/4"})}
    two = Channel.of(copies(2, first, second))
    four = Channel.of({"kind": "composition", "parts": [first, second] * 2})
    assert len(two.outputs) == comb(5, 2) < len(four.outputs)
    for delta in (0, "1/50"):
        ours, theirs = (
            certify(Problem(priors, channel=x, epsilon="1/8", delta=delta)) for x in (two, four)
        )
        assert [str(p.delta) for p in ours.pairs] == [str(p.delta) for p in theirs.pairs]
        assert ours.verdict == theirs.verdict


KANON = {
    "kind": "matrix", "inputs": ["49", "50"], "outputs": ["below", "above"],
    "rows": [["1/(1+exp(-1/2))", "1/(1+exp(1/2))"], ["1/(1+exp(1/2))", "1/(1+exp(-1/2))"]],
}  # fmt: skip


@pytest.mark.parametrize(("delta", "verdict"), [
    ("0.642297995306", "certified"), ("0.642297995305", "refuted"),
])  # fmt: skip
def test_24_noisy_bits(delta: str, verdict: str) -> None:
    """Discrete Laplace noise of scale 2 on 49 and 50, at least 50 or not, 24 times."""
    problem = Problem(channel=Channel.of(copies(24, KANON)), epsilon=1, delta=delta)
    found = certify(problem)
    assert found.verdict == verdict
    assert accepted_certificate(problem.to_table(), problem, found)[1] == verdict


def test_what_is_said_of_copies(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    path = tmp_path / "copies.toml"
    path.write_text(
        'schema = "pfverify/problem/1"\nepsilon = 30\n[channel]\nkind = "composition"\n'
        'copies = 24\n[[channel.parts]]\nkind = "randomized-response"\n'
        'inputs = ["yes", "no"]\ntruth = "3/4"\n'
    )
    assert main(["certify", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Channel: composition" in said
    assert "how often each output came of 24 copies" in said
    assert main(["loss", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "through the channel (composition) the privacy loss is" in said


@pytest.mark.parametrize(("table", "said"), [
    (copies(0), "copies: 0 is no whole number >= 1"),
    (copies(True), "copies: True is no whole number >= 1"),
    (copies("2"), "copies: 2 is no whole number >= 1"),  # type: ignore[arg-type]
    (copies(10**7), r"copies: 10000000 copies of 2 outputs .* \[\[parts\]\] with times"),
    (copies(50, {"kind": "rappor", "inputs": [*"abcd"], "flip": "1/2"}),
     "are counted in 829498799286144 entries"),
    (copies(2, {"kind": "matrix", "inputs": ["yes"], "outputs": ["a", "b,1 x c", "a,1 x b", "c"],
                "rows": [["1/4"] * 4]}), "the same name"),
])  # fmt: skip
def test_copies_that_cannot_be_counted(table: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        _ = Channel.of(table).rows
    problem = {"schema": "pfverify/problem/1", "epsilon": 1, "channel": table}
    with pytest.raises(Exception, match=r"copies|counts|whole number|twice|integer|too"):
        kernel_digest(problem)


# ---------------------------------------------------------------- reports of a permanent response


@pytest.mark.parametrize("reports", [2, 3])
def test_reports_are_made_of_one_permanent_response(reports: int) -> None:
    """Summed over the permanent bits and over every order of the reports."""
    f, q, p = F(1, 3), F(3, 4), F(1, 5)
    table = {"kind": "rappor", "inputs": ["a", "b"], "codes": {"a": "10", "b": "11"},
             "flip": str(f), "one": str(q), "zero": str(p), "reports": reports}  # fmt: skip
    channel = Channel.of(table)
    for x, code in {"a": "10", "b": "11"}.items():
        expected = Counter[str]()
        for lasting in tuples("01", repeat=2):
            kept = prod(f / 2 + (1 - f) * (was == now)
                        for was, now in zip(code, lasting, strict=True))  # fmt: skip
            for told in tuples(tuples("01", repeat=2), repeat=reports):
                mass = kept
                for one in told:
                    for bit, seen in zip(lasting, one, strict=True):
                        up = q if bit == "1" else p
                        mass *= up if seen == "1" else 1 - up
                ones = (sum(one[k] == "1" for one in told) for k in (0, 1))
                expected[",".join(map(str, ones))] += mass  # type: ignore[assignment]
        assert dict(zip(channel.outputs, channel.row(x), strict=True)) == expected
    problem = Problem(channel=channel, epsilon="1/2", delta="1/100")
    assert kernel_digest(problem.to_table()) == problem_digest(problem)
    found = certify(problem)
    assert accepted_certificate(problem.to_table(), problem, found)[1] == found.verdict


def rappor(inputs: int, reports: int, epsilon: Any = 3, **more: Any) -> Problem:
    names = [f"s{k}" for k in range(inputs)]
    table = {"kind": "rappor", "inputs": names, "flip": "1/2", "one": "3/4", "zero": "1/2"}
    return Problem(channel=Channel.of({**table, "reports": reports}), epsilon=epsilon, **more)


def test_many_reports_tell_the_permanent_response_and_no_more() -> None:
    """For f = 1/2 it costs 2 log 3 with one bit for each value, which is never reached."""
    ends = [float(loss(rappor(2, n)).epsilon_star.upper) for n in (1, 5, 40)]
    assert ends == sorted(ends)
    assert ends[0] < 1.1
    problem = rappor(2, 40, "2*log(3)")
    found = certify(problem)
    assert (found.verdict, found.pairs[0].tie) == ("certified", False)


@pytest.mark.parametrize("reports", [1, 6, 70])
def test_the_two_bits_that_differ_stand_for_all(reports: int) -> None:
    few, many = rappor(2, reports), rappor(1000, reports)
    assert str(loss(few).epsilon_star.lower) == str(loss(many).epsilon_star.lower)
    found = certify(many)
    _, word, message = accepted_certificate(many.to_table(), many, found)
    assert (word, found.verdict) == ("certified", "certified")
    assert "(F84)" in message
    assert str(many.source.pairs_stand_for).startswith("which stands for all 499500 by symmetry")
    with pytest.raises(InputError, match="at most so many are written out"):
        _ = many.release.rows  # type: ignore[attr-defined]


def test_reports_without_an_instantaneous_response_are_refused() -> None:
    table = {"kind": "rappor", "inputs": ["a", "b"], "flip": "1/2", "reports": 2}
    with pytest.raises(InputError, match="reports: of one permanent response"):
        Channel.of(table)
    with pytest.raises(Exception, match="need one and zero"):
        kernel_digest({"schema": "pfverify/problem/1", "epsilon": 1, "channel": table})
    with pytest.raises(InputError, match=r"entries, at most 4000000 are written out"):
        rappor(2, 3000)


def test_irrational_masses_are_counted_too() -> None:
    part = {"kind": "randomized-response", "inputs": ["yes", "no"], "epsilon": 1}
    row = Channel.of(copies(7, part)).row("yes")
    truth = float(ball_of(Channel.of(part).row("yes")[0]).mid())
    for k, mass in enumerate(row):
        expected = comb(7, k) * truth ** (7 - k) * (1 - truth) ** k
        assert float(ball_of(mass).mid()) == pytest.approx(expected, rel=1e-12)


def test_the_kernel_counts_a_hundred_of_them_over_one_denominator() -> None:
    part = {"kind": "randomized-response", "inputs": ["yes", "no"], "epsilon": "1/10"}
    problem = Problem(channel=Channel.of(copies(100, part)), epsilon=5, delta="1e-3")
    found = certify(problem)
    _, word, message = accepted_certificate(problem.to_table(), problem, found)
    assert (word, found.verdict) == ("certified", "certified"), message
