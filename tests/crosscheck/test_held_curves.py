"""Points of somebody's curve, held to the proved one."""

from __future__ import annotations

import json
from fractions import Fraction
from math import exp, inf, nan
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import Discrete, GaussianNoise, InputError, Laplace, NoNoise, Problem, certify, curve
from pfverify.answers.curves.places import curve_at
from pfverify.answers.outcome import CertifyResult
from pfverify.crosscheck.curves.held import CurveQuestion, held_points
from pfverify.crosscheck.curves.result import HeldPoint
from pfverify.crosscheck.curves.stated import places_of, points_of, points_of_file
from pfverify.crosscheck.finding import CaseOutcome
from pfverify.crosscheck.run import CrosscheckFindings
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.exact.number import Number
from pfverify.testing import assert_sound

FIVE = Problem(
    priors={"U": Discrete(dict.fromkeys(range(5), "1/5")), "T": Discrete({2: 1})},
    noise=Laplace(3), epsilon=1,
)  # fmt: skip
TWO = Problem(
    priors={"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(1), epsilon=1
)
KINDS = ("profile", "trade-off", "odds", "renyi")
PLACES = {
    "profile": ["0", "1/10", "log(5/4)", "3/10"],
    "trade-off": ["0", "1/10", "1/2", "1"],
    "odds": ["1/3", "1/2", "3/5"],
    "renyi": ["3/2", "2", "7"],
}
"""Of each kind some places at which a small divergence of FIVE and TWO is not 0."""
SOUND, UNSOUND, WASTEFUL = CaseOutcome.SOUND, CaseOutcome.UNSOUND, CaseOutcome.WASTEFUL


def held(problem: Problem, kind: str, said: Any, waste: float = 2.0) -> list[HeldPoint]:
    return held_points(points_of(said, kind), "it", CurveQuestion(problem, kind, waste)).points


# ---------------------------------------------------------------- against closed forms


@given(st.fractions(0, 1, max_denominator=50), st.integers(-9, 9))
def test_two_points_with_laplace_noise_have_a_closed_profile(at: Fraction, off: int) -> None:
    """delta = 1 - e^((epsilon - 1)/2), where two points are one scale apart."""
    truth = 1 - exp((float(at) - 1) / 2)
    said = truth + off / 1000
    if not 0 <= said <= 1:
        return
    (found,) = held(TWO, "profile", {str(at): said}, waste=inf)
    if off < 0:
        assert found.outcome is UNSOUND
        assert found.unsound_by is not None
        assert float(found.unsound_by) == pytest.approx(-off / 1000, rel=1e-3)
    elif off > 0:
        assert found.outcome is SOUND
        assert found.loose_by is not None
        assert float(found.loose_by) == pytest.approx(off / 1000, rel=1e-3)
    assert found.truth is not None
    assert float(found.truth) == pytest.approx(truth, abs=1e-14)


@settings(deadline=None, max_examples=30)
@given(st.fractions(0, 1, max_denominator=50), st.integers(-9, 9))
def test_two_points_with_laplace_noise_have_a_closed_trade_off(at: Fraction, off: int) -> None:
    """Type II: 1 - e a for a below 1/2e, 1/4ea up to 1/2, (1 - a)/e beyond."""
    a = float(at)
    if a < exp(-1) / 2:
        truth = 1 - exp(1) * a
    else:
        truth = exp(-1) / (4 * a) if a <= 1 / 2 else (1 - a) * exp(-1)
    said = truth + off / 1000
    if not 0 <= said <= 1:
        return
    (found,) = held(TWO, "trade-off", {str(at): said}, waste=inf)
    if off > 0:
        assert found.outcome is UNSOUND
        assert found.loose_by is None
    elif off < 0:
        assert found.outcome is SOUND
        assert found.unsound_by is None
        assert found.loose_by is not None
        assert float(found.loose_by) == pytest.approx(-off / 1000, rel=1e-3)
    assert found.truth is not None
    assert found.truth.lower - Fraction(1, 10**12) <= truth <= found.truth.upper + 1e-12


@pytest.mark.parametrize(("kind", "at", "digits"), [
    ("trade-off", "1/2", "0.442670510425"),
    ("renyi", "2", "0.0247692003518"),
    ("renyi", "3/2", "0.0181175420005"),
])  # fmt: skip
def test_known_values_are_enclosed(kind: str, at: str, digits: str) -> None:
    low, high = curve_at(FIVE, kind)(Number.parse(at))
    assert low - Fraction(1, 10**12) <= Fraction(digits) <= high + Fraction(1, 10**12)
    assert high - low <= Fraction(1, 10**9)


@given(st.sampled_from(["0", "1/10", "1/5"]), st.fractions(0, "1/2", max_denominator=1000))
def test_a_delta_is_sound_where_certify_says_so(at: str, said: Fraction) -> None:
    result = certify(FIVE.replaced(epsilon=at, delta=said))
    assert isinstance(result, CertifyResult)
    (found,) = held(FIVE, "profile", {at: said})
    assert (found.outcome is UNSOUND) is (result.verdict is Verdict.REFUTED)


@pytest.mark.parametrize("kind", ["profile", "odds", "renyi"])
def test_the_points_of_the_curve_itself_agree_or_are_loose(kind: str) -> None:
    found = curve(FIVE, kind, gap="1/100")
    for one in found.curve:
        if kind == "profile":
            assert one.growth is not None
            at, value = f"log({one.growth})", one.delta
        else:
            at = str(one.weight if kind == "odds" else one.order)
            value = one.success if kind == "odds" else one.divergence
        assert value is not None
        (upper,) = held(FIVE, kind, {at: str(value.upper)}, waste=inf)
        assert upper.unsound_by is None
        if value.lower < value.upper - Fraction(1, 10**9):
            (below,) = held(FIVE, kind, {at: str(value.lower)})
            assert below.loose_by is None


@pytest.mark.parametrize("kind", KINDS)
def test_beyond_either_bound_is_told_by_how_much(kind: str) -> None:
    most = -1 if kind == "trade-off" else 1
    bounds = curve_at(FIVE, kind)
    for at in PLACES[kind]:
        low, high = (Fraction(end) for end in bounds(Number.parse(at)))
        step = Fraction(1, 10**6)
        for said in (low - step, high + step, (low + high) / 2):
            if not 0 <= said <= 1:
                continue
            (found,) = held(FIVE, kind, {at: said}, waste=inf)
            side = (said > high) - (said < low)
            assert (found.outcome is UNSOUND) is (side == -most)
            assert (found.unsound_by is not None) is (side == -most)
            assert (found.loose_by is not None) is (side == most)
            by = found.loose_by if found.unsound_by is None else found.unsound_by
            if by is not None:
                assert step * Fraction(999, 1000) <= by <= step


# ---------------------------------------------------------------- what is no point


def test_what_is_no_claim_is_told_of_its_row() -> None:
    rows = [{"epsilon": "1/10", "delta": said} for said in (nan, -0.1, 1.5, inf, "nan", 1)]
    result = held_points(points_of(rows, "profile"), "it", CurveQuestion(FIVE))
    assert [one.outcome.value for one in result.points] == [
        *["not an answer"] * 5, "wasteful",
    ]  # fmt: skip
    assert result.found is CrosscheckFindings.FAILED
    gated = CurveQuestion(FIVE, gated=True)
    assert held_points(points_of({"0.1": 1}, "profile"), "it", gated).found is result.found


def test_an_infinite_divergence_is_met_by_nothing_finite() -> None:
    bare = Problem(
        priors={"a": Discrete({0: 1}), "b": Discrete({0: "1/2", 1: "1/2"})},
        noise=NoNoise(), epsilon=1,
    )  # fmt: skip
    finite, infinite = held(bare, "renyi", [
        {"order": 2, "divergence": 100}, {"order": 2, "divergence": "inf"},
    ])  # fmt: skip
    assert (finite.outcome, str(finite.unsound_by)) == (UNSOUND, "inf")
    assert infinite.outcome is SOUND
    (found,) = held(FIVE, "renyi", {2: "inf"})
    assert (found.outcome, str(found.loose_by)) == (WASTEFUL, "inf")


def test_normal_laws_are_held_too() -> None:
    normal = Problem(
        priors={"a": Discrete({0: 1}), "b": Discrete({1: 1})},
        noise=GaussianNoise(variance=1), epsilon=1, delta="1/10",
    )  # fmt: skip
    (found,) = held(normal, "renyi", {3: "3/2"})  # a Delta^2 / 2 sigma^2
    assert found.outcome is SOUND
    assert held(normal, "profile", {0: "0.3829"})[0].outcome is UNSOUND  # 2 Phi(1/2) - 1
    assert held(normal, "profile", {0: "0.383"})[0].outcome is SOUND


PLACES_REFUSED = [
    ("profile", {"-1": 0}, "point 1: epsilon -1: -1 is below 0"),
    ("profile", {"101": 0}, "101 is above 100"),
    ("trade-off", {"2": 0}, r"expected chances in \[0, 1\]"),
    ("trade-off", {"log(2)": 0}, "expected a rational number"),
    ("odds", {"0": 0}, r"expected weights in \(0, 1\)"),
    ("renyi", {"1": 0}, "expected orders above 1"),
    ("profile", {True: 0}, "row 1: epsilon: True"),
    ("profile", {inf: 0}, "epsilon: inf is no place"),
    ("profile", {"0": "log(2)"}, "delta: expected a rational number"),
    ("profile", {"0": None}, "delta: None"),
    ("profile", {}, "0 rows, expected 1 to 1000"),
    ("profile", 3, "3 is no list of epsilon, delta"),
    ("profile", [3], "row 1: 3 is no table of epsilon, delta"),
    ("profile", [{"epsilon": 1}], "row 1: delta is missing"),
    ("profile", [{"delta": 1}], "row 1: epsilon is missing"),
    ("profile", [{"epsilon": 1, "delta": 0, "rho": 1}], "'rho' is not known"),
    ("odds", [{"weight": "1/2", "success": 1, "chance": 1}], "success and chance are the same"),
    ("rho", {"1": 0}, "curve: 'rho' is none of profile, trade-off, odds, renyi"),
]


@pytest.mark.parametrize(("kind", "said", "words"), PLACES_REFUSED)
def test_what_is_no_point_is_refused_in_a_line(kind: str, said: Any, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        held(FIVE, kind, said)
    assert "\n" not in str(caught.value)


def test_files_are_read_exactly(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('[{"weight": 0.1, "chance": 0.52}]')
    (found,) = points_of_file(path, "odds")
    assert (found.place.fraction, found.said) == (Fraction(1, 10), Fraction(13, 25))
    path = tmp_path / "p.csv"
    path.write_text(" weight ,success\n1/3, 0.9\n\n")
    (found,) = points_of_file(path, "odds")
    assert (found.place.fraction, found.said) == (Fraction(1, 3), Fraction(9, 10))
    (place,) = places_of("0.1", "odds")
    assert place.fraction == Fraction(0.1)


# ---------------------------------------------------------------- commands and tests

GIVEN = """
def delta(epsilon):
    return 0.05

def low(epsilon):
    return 0.001

def type_2(type_1):
    return 1 - type_1

def fails(epsilon):
    raise ValueError("no curve")

def ends(epsilon):
    import os
    os._exit(3)

def hangs(epsilon):
    while True:
        pass

def two(a, b):
    return 1
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "given.py").write_text(GIVEN)
    (tmp_path / "p.csv").write_text("epsilon,delta\n0,0.05\n0.25,0.0089\n1,0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def ran(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["crosscheck", *words, "--kind", "curve", "--problem", "example:census"])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_file_of_points_is_held_to_a_problem(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = ran(capsys, "p.csv")
    assert code == 1
    assert "unsound at epsilon 0.25: delta 0.0089 is below the truth, between 0.0089483" in out
    assert "by at least 0.00004836" in out
    assert "sound at epsilon 0: delta 0.05 is sound, and loose by at least 0.009114" in out
    assert "delta 0.0 agrees with the truth, 0" in out
    code, out, _ = ran(capsys, "p.csv", "--csv")
    assert [row.split(",")[1] for row in out.splitlines()[1:]] == ["sound", "unsound", "sound"]


@pytest.mark.parametrize(("words", "code", "said"), [
    (["given.py:delta", "--places", "0,0.25"], 0, "no failure found"),
    (["given.py:delta", "--places", "0,0.25", "--waste", "1.1"], 1, "wasteful at epsilon 0.25"),
    (["given.py:low", "--places", "0"], 1, "unsound at epsilon 0.0"),
    (["given.py:type_2", "--places", "0.5", "--curve", "trade-off"], 1, "unsound at type_1 0.5"),
    (["given.py:fails", "--places", "0"], 1, "crash at epsilon 0.0: it raised ValueError"),
    (["given.py:ends", "--places", "0"], 1, "crash at epsilon 0.0"),
    (["given.py:hangs", "--places", "0", "--timeout", "0.5"], 1, "timeout at epsilon 0.0"),
])  # fmt: skip
def test_a_function_is_asked_at_places(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    found, out, _ = ran(capsys, *words)
    assert (found, said in out) == (code, True), out


def test_json_has_all_points(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "p.csv", "--json")
    found = json.loads(out)
    assert (code, found["schema"], found["curve_kind"]) == (1, "pfverify/held-curve/1", "profile")
    assert [one["unsound_by"] is None for one in found["points"]] == [True, False, True]


REFUSED = [
    (["given.py:delta"], "at which places? expected --places"),
    (["p.csv", "--places", "1"], "a file has its own places"),
    (["given.py:two", "--places", "1"], "wrong signature, expected delta(epsilon)"),
    (["given.py:none", "--places", "1"], "none"),
    (["given.py:delta", "--places", "x"], "epsilon: 'x' is no number"),
    (["given.py:delta", "--places", "inf"], "epsilon: inf is no finite float"),
    (["given.py:delta", "--places", "1" + "0" * 399], "is no finite float"),
    (["p.csv", "--curve", "odds"], "line 1: the columns are 'epsilon, delta'"),
    (["p.csv", "--draws", "3"], "--kind curve: takes --problem, --curve"),
    (["p.csv", "--cases", "3"], "--kind curve: takes --problem, --curve"),
    (["p.csv", "--d-in", "3"], "--d-in, --map, --delta: only with --kind map"),
    (["none.csv"], "none.csv: No such file"),
    ([], "expected MODULE:FUNCTION or FILE, and --problem"),
]


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_asks_nothing_is_refused_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    code, out, err = ran(capsys, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_its_options_are_those_of_no_other_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crosscheck", "mine:scale", "--kind", "scale", "--places", "1"]) == 2
    assert "--curve, --places: only with --kind curve" in capsys.readouterr().err


def test_assert_sound_takes_functions_and_tables() -> None:
    assert_sound({0: 0.5, "1/4": "0.1"}, kind="curve", problem=FIVE)
    assert_sound([{"order": 2, "divergence": 1}], kind="curve", problem=FIVE, curve="renyi")
    assert_sound(lambda epsilon: 1 - epsilon, kind="curve", problem=FIVE, places=[0, 0.5])
    with pytest.raises(AssertionError, match=r"unsound at epsilon 0: delta 0\.001 is below"):
        assert_sound({0: 0.001}, kind="curve", problem=FIVE)
    with pytest.raises(AssertionError, match=r"crash at epsilon 0\.0: it raised ZeroDivision"):
        assert_sound(lambda epsilon: 1 / 0, kind="curve", problem=FIVE, places=0)
    with pytest.raises(AssertionError, match="failed"):
        assert_sound({0: 0.9}, kind="curve", problem=FIVE, waste=1.5)
    for given_, said in (
        ({}, "problem: missing"),
        ({"problem": FIVE, "places": 1}, "a table has its own"),
        ({"problem": FIVE, "curve": "rho"}, "curve: 'rho' is none of"),
        ({"problem": FIVE, "draws": 9}, "draws: nothing that the kind curve takes"),
        ({"problem": FIVE, "claims": {1: 1}}, "claims: nothing that the kind curve takes"),
    ):
        with pytest.raises(InputError, match=said):
            assert_sound({0: 0.5}, kind="curve", **given_)
    with pytest.raises(InputError, match="places: at which ones"):
        assert_sound(float, kind="curve", problem=FIVE)
    with pytest.raises(InputError, match="places: nothing that the kind scale takes"):
        assert_sound(float, kind="scale", places=[1])
