"""The least number of dummies, against one verdict after another."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from contract.channel_cases import problems
from support import tally

from pfverify import Channel, DummiesResult, Problem, calibrate, certify
from pfverify.answers.dummies import LeastDummies, least_dummies
from pfverify.decide.tupling import types
from pfverify.edge.cli import main
from pfverify.errors import InputError
from pfverify.model.channels.tupling import Tupling
from pfverify.model.priors.finite import Finite

MOST = 12
ROWS = [["3/4", "1/4", "0"], ["1/4", "3/4", "0"], ["1/2", "1/4", "1/4"]]


def mechanism(dummies: int = 1, **keys: object) -> Channel:
    base = {"kind": "matrix", "inputs": ["a", "b", "c"], "outputs": ["u", "v", "w"], "rows": ROWS}
    return Channel.of({"kind": "tupling", "base": base, "dummies": dummies, **keys})


def points(*names: str) -> dict[str, Finite]:
    return {name: Finite({n: int(n == name) for n in "abc"}) for name in names}


def with_dummies(problem: Problem, dummies: int) -> Problem:
    channel = problem.release
    assert isinstance(channel, Tupling)
    if dummies == 0:
        return problem.under(channel.base)
    law = dict(zip(channel.base.outputs, map(str, channel.dummy), strict=True))
    return problem.under(Tupling(channel.base, dummies, law))


def test_it_is_the_first_number_that_is_certified() -> None:
    counts: Counter[str] = Counter()
    for problem in problems("tupling", "dummies", 40):
        found = least_dummies(problem)
        verdicts = [certify(with_dummies(problem, k)).certified for k in range(MOST)]
        assert verdicts == sorted(verdicts)  # more dummies never lose more
        if found.upper is None:
            assert not any(verdicts)
            counts["never"] += 1
        elif found.upper < MOST:
            assert verdicts.index(True) == found.upper
            assert found.lower == max(0, found.upper - 1)
            counts["none" if found.upper == 0 else "some"] += 1
        else:
            assert not any(verdicts)
            assert found.lower == found.upper - 1
    tally.reached(counts, "never", "none", "some")


def test_a_small_delta_takes_many_dummies() -> None:
    problem = Problem(points("a", "b"), channel=mechanism(), epsilon="1/4", delta="1/1000")
    found = least_dummies(problem)
    assert found.upper is not None
    assert found.lower + 1 == found.upper > 50
    assert certify(with_dummies(problem, found.upper)).certified
    assert certify(with_dummies(problem, found.lower)).refuted


def test_all_pairs_are_met_and_the_worst_one_decides() -> None:
    calls: list[tuple[int, int]] = []
    target = {"channel": mechanism(), "epsilon": "1/2", "delta": "1/50"}
    found = least_dummies(
        Problem(points("a", "b", "c"), **target),
        progress=lambda done, total: calls.append((done, total)),
    )
    each = [least_dummies(Problem(points(*pair), **target)) for pair in ("ab", "ac", "bc")]
    assert found == max(each, key=lambda one: one.upper or 0)
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_without_delta_no_number_makes_up_for_a_ratio() -> None:
    problem = Problem(points("a", "b"), channel=mechanism(), epsilon="log(3)-1/1000")
    found = least_dummies(problem)
    assert (found.lower, found.upper) == (0, None)
    assert "delta = 0" in (found.reason or "")
    enough = least_dummies(problem.replaced(epsilon="log(3)"))
    assert (enough.lower, enough.upper) == (0, 0)
    assert "no dummies are needed" in (enough.reason or "")


@pytest.mark.parametrize(
    ("delta", "lower", "upper"),
    [("24/100", 0, None), ("1/4", 0, None), ("26/100", 13, 14), ("1/2", 0, 0)],
)
def test_what_is_no_dummy_is_shown_and_its_excess_stays(
    delta: str, lower: int, upper: int | None
) -> None:
    """c against b at e**epsilon = 1: w, a quarter of c, is never a dummy, so that 1/4 stays.

    The rest of the excess, at u, falls with every dummy and is never gone: 1/4 is not enough.
    """
    channel = mechanism(dummy={"u": "1/2", "v": "1/2"})
    found = least_dummies(Problem(points("b", "c"), channel=channel, epsilon=0, delta=delta))
    assert (found.lower, found.upper) == (lower, upper)


def test_an_excess_that_dummies_cannot_lower_may_be_exactly_delta() -> None:
    """c against a at e**epsilon = 2: all of the excess is at w, with any number of dummies."""
    channel = mechanism(dummy={"u": "1/2", "v": "1/2"})
    problem = Problem(points("a", "c"), channel=channel, epsilon="log(2)", delta="1/4")
    assert least_dummies(problem).upper == 0
    less = least_dummies(problem.replaced(delta="1/4-1e-30"))
    assert (less.lower, less.upper) == (0, None)


def test_a_size_beyond_the_bound_leaves_the_upper_end_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(types, "MOST_SUMS", 100)
    problem = Problem(points("a", "b"), channel=mechanism(), epsilon="1/4", delta="1/1000")
    found = least_dummies(problem)
    assert found.upper is None
    assert found.lower >= 16
    assert (found.reason or "").startswith(f"with {2 * found.lower} dummies: tupling: half of")
    assert isinstance(found, LeastDummies)


@pytest.mark.parametrize(
    ("epsilon", "delta"), [("1/4", "1/50"), ("1/4", "1/5"), ("1/2", "0"), ("1", "0")]
)
def test_irrational_masses_take_as_many_as_rational_ones_beside_them(
    epsilon: str, delta: str
) -> None:
    table = {"kind": "randomized-response", "inputs": ["a", "b", "c"]}
    truth = "0.576116884765829"  # e/(e + 2), cut: the ratio is below e
    found = [
        least_dummies(
            Problem(
                points("a", "b"),
                channel=Channel.of({"kind": "tupling", "base": {**table, **how}, "dummies": 1}),
                epsilon=epsilon,
                delta=delta,
            )
        )
        for how in ({"epsilon": "1"}, {"truth": truth})
    ]
    assert found[0] == found[1]


def test_another_channel_is_refused() -> None:
    channel = mechanism()
    assert isinstance(channel, Tupling)
    with pytest.raises(InputError, match="dummies belong to tupling"):
        least_dummies(Problem(points("a", "b"), channel=channel.base, epsilon=1))


@pytest.mark.parametrize("name", ["dummies", "tupling-dummies"])
def test_calibrate_in_python_answers_as_the_command_does(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """It refused a channel that its command calibrates."""
    assert main(["calibrate", f"example:{name}", "--json"]) == 0
    found = calibrate(f"example:{name}")
    assert isinstance(found, DummiesResult)
    assert (found.minimum.lower, found.minimum.upper) == (
        found.dummies.lower, found.dummies.upper
    )  # fmt: skip
    said = json.loads(capsys.readouterr().out)
    assert found.to_dict()["dummies"] == said["dummies"]
    with pytest.raises(InputError, match=r"channel \(randomized-response\)"):
        calibrate("example:home-and-out")
