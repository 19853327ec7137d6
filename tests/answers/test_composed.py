"""Several problems together, beside what adding their losses would say."""

from __future__ import annotations

import json
from fractions import Fraction
from math import cosh, log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    DiscreteLaplace,
    GaussianNoise,
    InputError,
    Laplace,
    Problem,
    Protection,
    certify,
)
from pfverify.answers.composed import Adding, bound_of_unknown, composed
from pfverify.edge.cli import main
from pfverify.model.composed import NamedPart, jointly, repeatedly
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Repeated

U = Discrete(dict.fromkeys(range(5), "1/5"))
T = Discrete({2: 1})
EVEN = Discrete({0: "1/2", 1: "1/2"})
NAMES = ["income", "age"]
BOTH = {
    "a": Joint(NAMES, [[0, 0, "1/2"], [1, 1, "1/2"]]),
    "b": Joint(NAMES, [[0, 1, "1/2"], [1, 0, "1/2"]]),
}


def one(name: str, first: Any, second: Any, noise: Noise, epsilon: Any = 1, **more: Any) -> Any:
    laws = {"a": first, "b": second}
    return NamedPart(name, Problem(laws, noise=noise, epsilon=epsilon, **more))


def independent(first: Discrete, second: Discrete) -> Joint:
    rows = [[x, y, p * q] for x, p in first.mass.items() for y, q in second.mass.items()]
    return Joint(NAMES, rows)


def together(parts: list[NamedPart], laws: dict[str, Joint], epsilon: Any = 1) -> Any:
    joint = Problem(laws, noise=Laplace(), epsilon=epsilon)
    return composed(jointly(parts, joint), parts)


def test_adding_is_unsound_where_each_leaks_nothing_alone() -> None:
    parts = [one("income", EVEN, EVEN, Laplace(1)), one("age", EVEN, EVEN, Laplace(1))]
    found = together(parts, BOTH, "2/5")
    assert found.refuted  # log cosh(1) = 0.433780830483
    assert [part.loss.upper for part in found.parts] == [0, 0]
    assert found.added.adding is Adding.TOO_SMALL
    assert found.added.verdict.value == "certified"


def test_log_cosh_is_what_both_lose() -> None:
    parts = [one("income", EVEN, EVEN, Laplace(1)), one("age", EVEN, EVEN, Laplace(1))]
    found = together(parts, BOTH)
    assert found.together.loss.lower <= Fraction("0.433780830483") <= found.together.loss.upper
    assert found.ranges == 2
    scales = [one("income", EVEN, EVEN, Laplace(1)), one("age", EVEN, EVEN, Laplace("1/2"))]
    value = log(cosh(3 / 2) / cosh(1 / 2))  # (a + b)/2 and (a - b)/2 of a, b = 1/scale
    assert abs(float(together(scales, BOTH).together.loss.lower) - value) < 1e-11


def test_adding_is_wasteful_where_the_worst_orders_differ() -> None:
    """Independent coordinates, U against T beside T against U, at scale 3: .4767 and .7364."""
    parts = [one("income", U, T, Laplace(3)), one("age", T, U, Laplace(3))]
    found = together(parts, {"a": independent(U, T), "b": independent(T, U)})
    assert found.added.adding is Adding.WASTEFUL
    assert round(float(found.together.loss.upper), 4) == 0.4767
    assert round(float(found.added.loss.upper), 4) == 0.7364
    same = [one("income", U, T, Laplace(3)), one("age", U, T, Laplace(3))]
    found = together(same, {"a": independent(U, U), "b": independent(T, T)})
    assert found.added.adding is Adding.RIGHT


def test_releases_of_one_number() -> None:
    """At scale 3 a sum is too small from five releases of one X on; of fresh draws it is right."""
    parts = [one(f"day {k}", U, T, Laplace(3), 2) for k in range(5)]
    five = composed(repeatedly(parts, "same"), parts)
    assert five.added.adding is Adding.TOO_SMALL
    assert five.together.loss.lower <= Fraction("1.93298887178") <= five.together.loss.upper
    four = composed(repeatedly(parts[:4], "same"), parts[:4])
    assert four.added.adding is Adding.WASTEFUL
    fresh = composed(repeatedly(parts, "fresh"), parts)
    assert fresh.added.adding is Adding.RIGHT
    assert fresh.draws == "fresh"


def test_gaussian_releases_at_their_shares_of_delta() -> None:
    sigmas = [GaussianNoise(3), GaussianNoise(4)]
    parts = [one("x", EVEN, T, noise, 2, delta="1/100") for noise in sigmas]
    found = composed(repeatedly(parts, "same"), parts)
    assert found.certified
    assert found.ranges is None
    assert found.added.adding is Adding.WASTEFUL
    assert bound_of_unknown(parts) is None


def test_what_does_not_go_together_is_named() -> None:
    joint = Problem(BOTH, noise=Laplace(), epsilon=1)
    income, age = one("income", EVEN, EVEN, Laplace(1)), one("age", EVEN, EVEN, Laplace(1))
    wrong = {
        "two parts have the same name": [income, income],
        "the coordinates are income, age, and the parts income, height":
            [income, one("height", EVEN, EVEN, Laplace(1))],
        "age: the prior of 'b' is not that": [income, one("age", EVEN, T, Laplace(1))],
        "discrete-laplace with step 1 and laplace": [income, one("age", EVEN, EVEN,
                                                                 DiscreteLaplace(1))],
        "age: expected one release of one number": [
            income, NamedPart("age", age.problem.under(Repeated(Laplace(1), count=2)))],
        "noise.scale: missing": [income, one("age", EVEN, EVEN, Laplace())],
    }  # fmt: skip
    for words, parts in wrong.items():
        with pytest.raises(InputError, match=words):
            jointly(parts, joint)
    with pytest.raises(InputError, match="states several releases"):
        jointly([income, age], joint.under(Repeated(Laplace(1), count=2)))
    with pytest.raises(InputError, match="expected joint"):
        jointly([income, age], income.problem)
    with pytest.raises(InputError, match="not another release of the same number"):
        repeatedly([income, one("x", U, T, Laplace(1))], "same")
    with pytest.raises(InputError, match="x: the target is not that of income"):
        repeatedly([income, one("x", EVEN, EVEN, Laplace(1), 2)], "same")
    far = Problem(
        {"a": EVEN, "b": T}, noise=Laplace(1), epsilon=1,
        protection=Protection("xdistp", metric="winf"),
    )  # fmt: skip
    with pytest.raises(InputError, match="has an epsilon for every distance"):
        repeatedly([NamedPart("x", far)] * 2, "same")
    both = repeatedly([income, one("x", EVEN, EVEN, Laplace(1), 2)], "same", epsilon=3)
    assert both.epsilon.text == "3"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    one("", EVEN, EVEN, Laplace(3)).problem.save("income.toml")
    one("", EVEN, EVEN, Laplace("1/2")).problem.save("age.toml")
    Problem(BOTH, noise=Laplace(1), epsilon="1/4").save("both.toml")
    return tmp_path


def test_no_joint_law_is_no_answer(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compose", "income.toml", "age.toml"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "pfverify: compose: no joint law is known, so nothing follows from the parts but that "
        "epsilon is at most 2.33333333334, whatever that law, and never the sum of their losses"
    )
    assert said.count("\n") == 1


def test_a_composed_problem_is_written_and_certified(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["compose", "income.toml", "age.toml", "--joint", "both.toml"]
    assert main([*words, "--write", "all.toml"]) == 1
    said = capsys.readouterr().out
    assert "less than all lose together: adding is unsound here; it would call this priv" in said
    assert "Wrote all.toml, the composed problem.\n" in said
    asked = Problem.load("all.toml")
    assert [scale.text for scale in asked.release.scales] == ["3", "1/2"]  # type: ignore[attr-defined]
    assert certify(asked).refuted
    assert main([*words, "--epsilon", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["added"]["adding"] == "too small"
    assert data["together"]["verdict"] == "certified"
    assert data["ranges"] == "2.33333333334"
    assert main([*words, "--write", "all.toml", "-o", "all.cert"]) == 1
    assert main(["check", "all.toml", "all.cert"]) == 0
    assert "refuted: " in capsys.readouterr().out
    swapped = ["compose", "age.toml", "income.toml", "--joint", "both.toml", "--write", "all.toml"]
    assert main(swapped) == 1
    assert Problem.load("all.toml") == asked  # by name, in whatever order
    assert main(["compose", "age.toml", "age.toml", "--joint", "both.toml", "--names", "age,income",
                 "--epsilon", "3"]) == 0  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["income.toml"], "expected two problems or more"),
        (["income.toml", "age.toml", "--joint", "both.toml", "--draws", "same"],
         "--draws: not with --joint"),
        (["income.toml", "age.toml", "--draws", "same", "-o", "c.cert"], "with --write"),
        (["income.toml", "age.toml", "--draws", "same", "--names", "a"], "1 of them, and 2"),
        (["income.toml", "age.toml", "--draws", "same", "--write", "age.toml"], "is an input"),
    ],
)
def test_what_is_asked_for_wrongly(
    words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compose", *words]) == 2
    assert said in capsys.readouterr().err


masses = st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any)


@settings(max_examples=15, deadline=None)
@given(masses, masses, masses, masses, st.integers(1, 4), st.integers(1, 4))
def test_independent_parts_never_lose_more_than_the_sum(
    one_a: list[int], one_b: list[int], two_a: list[int], two_b: list[int], s: int, t: int
) -> None:
    """And never less than the worst part, whatever the priors (F43)."""
    laws = [Discrete(counts=dict(enumerate(law))) for law in (one_a, one_b, two_a, two_b)]
    parts = [one("income", *laws[:2], Laplace(s)), one("age", *laws[2:], Laplace(t))]
    found = together(
        parts, {"a": independent(laws[0], laws[2]), "b": independent(laws[1], laws[3])}
    )
    assert found.added.adding in (Adding.RIGHT, Adding.WASTEFUL)
    assert found.together.loss.upper >= max(part.loss.lower for part in found.parts)
    assert found.ranges is None or found.ranges >= found.together.loss.lower
