"""The least threshold and the least bound of truncated noise: both ends against formulas."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pfverify import (
    Discrete,
    DiscreteLaplace,
    InputError,
    Laplace,
    LeastSizeResult,
    NoNoise,
    Nothing,
    Problem,
    TableNoise,
    TruncatedLaplace,
    Verdict,
    certify,
    least_size,
)
from pfverify.certificate.build import kernel_word
from pfverify.edge.cli import main
from pfverify.exact.search import least_integer
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.protection import Protection
from pfverify.model.releases.release import Noise

ROW = {"row": Discrete({1: 1}), "none": Nothing()}
AT_LEAST, ABOVE = {"at": 5, "keep": "at-least"}, {"at": 5, "keep": "above"}
POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}


def asked(noise: Noise, epsilon: Any, delta: Any, *steps: Any, laws: Any = ROW) -> Problem:
    return Problem(laws, noise=noise, post=[*steps] or None, epsilon=epsilon, delta=delta)


def threshold(problem: Problem, digits: int = 12) -> tuple[str, str]:
    found = least_size(problem, "threshold", digits=digits)
    return str(found.minimum.lower), str(found.minimum.upper)


@pytest.mark.parametrize(("scale", "row"), [(1, 1), (2, 3), ("1/3", 0)])
@pytest.mark.parametrize("delta", ["1e-6", "1e-3", "1/5"])
def test_the_least_threshold_of_a_count(scale: Any, row: int, delta: str) -> None:
    """delta is P(row + N >= T), the tail of the discrete Laplace law in closed form."""
    rate, least = 1 / Fraction(scale), 0
    t = mpmath.exp(-mpmath.mpf(rate.numerator) / rate.denominator)
    while True:
        k = least - row
        tail = t**k / (1 + t) if k > 0 else 1 - t ** (1 - k) / (1 + t)
        if tail <= float(Fraction(delta)):
            break
        least += 1
    laws = {"row": Discrete({row: 1}), "none": Nothing()}
    for keep, end in ((AT_LEAST, least), (ABOVE, least - 1)):
        problem = asked(DiscreteLaplace(scale), 1, delta, {"threshold": keep}, laws=laws)
        assert threshold(problem) == (str(end - 1), str(end))


def test_both_ends_are_what_the_kernel_says() -> None:
    found = least_size(asked(DiscreteLaplace(1), 1, "1e-6", {"threshold": AT_LEAST}), "threshold")
    assert (found.minimum.lower, found.minimum.upper, found.verdict) == ("14", "15", "certified")
    assert found.found is not None
    assert kernel_word(found.found.to_table()) == "certified"
    lower = asked(DiscreteLaplace(1), 1, "1e-6", {"threshold": {"at": 14}})
    assert kernel_word(lower.to_table()) == "refuted"
    tie = asked(DiscreteLaplace(1), 5, "exp(-4)/(1+exp(-1))", {"threshold": AT_LEAST})
    assert threshold(tie) == ("4", "5")


def test_thresholds_on_a_line_are_bracketed_by_decimals() -> None:
    """delta is e^-(T-1)/2 for T >= 1; at 0 and near it the digits are those of the threshold."""
    line = {"threshold": AT_LEAST}
    low, high = map(mpmath.mpf, threshold(asked(Laplace(1), 1, "1e-6", line)))
    assert low < 1 + mpmath.log(500000) <= high <= low + 2e-10
    assert threshold(asked(Laplace(1), 1, "1/2", line)) == ("0.99999999999", "1")
    zero = {"row": Discrete({0: 1}), "none": Nothing()}
    assert threshold(asked(Laplace(1), 1, "1/2", line, laws=zero)) == ("-1e-11", "0")
    found = threshold(asked(Laplace(1), 1, "1/2-1/10000000", line, laws=zero))
    assert found == ("2.0000002e-7", "2.00000020001e-7")
    assert threshold(asked(Laplace(1), 1, "1/100", {"round": {"to": "1/2"}}, line)) == ("5", "5.5")
    clamped = asked(Laplace(1), 1, "1/1000", {"clamp": [0, 5]}, line)
    assert threshold(clamped, 4) == ("5", "5.001")


@pytest.mark.parametrize(
    ("problem", "ends"),
    [
        (asked(NoNoise(), 1, "1/100", {"threshold": AT_LEAST}), ("1", "2")),
        (asked(TableNoise({0: "1/2", "3/2": "1/2"}), 1, "1/2", {"threshold": AT_LEAST}),
         ("1", "2.5")),
        (asked(TableNoise({0: "1/2", "3/2": "1/2"}), 1, "1/2", {"threshold": ABOVE}),
         ("-0.5", "1")),
        (asked(DiscreteLaplace(1), 1, "1/100", {"modulo": 8}, {"threshold": AT_LEAST}), ("7", "8")),
        (asked(DiscreteLaplace(1), 1, 0, {"threshold": AT_LEAST}), ("inf", "inf")),
        (asked(Laplace(1), 1, 0, {"threshold": AT_LEAST}), ("inf", "inf")),
        (asked(DiscreteLaplace(1), 1, 1, {"threshold": AT_LEAST}), ("-inf", "-inf")),
        (asked(DiscreteLaplace(1), 1, 0, {"threshold": AT_LEAST}, laws=POINTS), ("-inf", "-inf")),
        (asked(DiscreteLaplace("1/2"), 1, 0, {"threshold": AT_LEAST}, laws=POINTS), ("inf", "inf")),
        (asked(DiscreteLaplace("1/2"), 1, 0, {"clamp": [0, 5]}, {"threshold": AT_LEAST},
               laws=POINTS), ("5", "6")),
    ],
)  # fmt: skip
def test_known_thresholds(problem: Problem, ends: tuple[str, str]) -> None:
    assert threshold(problem) == ends


chances = st.fractions(min_value=0, max_value=1, max_denominator=40)


TABLE = TableNoise({-1: "1/4", 0: "1/2", 2: "1/4"})


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from([DiscreteLaplace("3/2"), TABLE, TABLE, Laplace(1)]),
    st.sampled_from(["at-least", "above"]), st.dictionaries(
        st.integers(-2, 3), st.integers(1, 4), min_size=1, max_size=3), chances, chances,
    st.integers(-3, 5), st.integers(0, 3),
)  # fmt: skip
def test_a_higher_threshold_is_never_less_private(
    noise: Noise, keep: str, counts: dict[int, int], chance: Fraction, delta: Fraction,
    low: int, more: int,
) -> None:  # fmt: skip
    """F46c: what is certified at a threshold is not refuted at a higher one."""
    laws = {"p": Discrete(counts=counts), "q": Nothing(Discrete({1: 1}), chance)}

    def verdict(at: int) -> str:
        step = {"threshold": {"at": at, "keep": keep}}
        return certify(asked(noise, "1/2", delta, step, laws=laws), digits=1).verdict

    if verdict(low) == "certified":
        assert verdict(low + more) == "certified"
    if verdict(low + more) == "refuted":
        assert verdict(low) == "refuted"


def test_the_ends_are_decided_as_said() -> None:
    seen: Counter[bool] = Counter()

    @settings(max_examples=25, deadline=None)
    @given(
        st.dictionaries(st.integers(-2, 3), st.integers(1, 4), min_size=1, max_size=3),
        st.dictionaries(st.integers(-2, 3), st.integers(1, 4), min_size=1, max_size=3),
        st.sampled_from([DiscreteLaplace(1), TABLE]),
        st.sampled_from(["1/10", "1/50", "1/3"]),
    )
    def decided(one: dict[int, int], other: dict[int, int], noise: Noise, delta: str) -> None:
        laws = {"p": Discrete(counts=one), "q": Discrete(counts=other)}
        problem = asked(noise, "1/2", delta, {"threshold": AT_LEAST}, laws=laws)
        found = least_size(problem, "threshold")
        seen[str(found.minimum.upper) == "-inf"] += 1
        for end, word in ((found.minimum.lower, "refuted"), (found.minimum.upper, "certified")):
            if str(end) not in ("inf", "-inf"):
                at = asked(noise, "1/2", delta, {"threshold": {"at": str(end)}}, laws=laws)
                assert certify(at).verdict == word

    decided()
    assert min(seen[True], seen[False]) >= 3


def bound(scale: Any, epsilon: Any, delta: Any, laws: Any = POINTS) -> LeastSizeResult:
    noise = TruncatedLaplace(scale, 3)
    return least_size(Problem(laws, noise=noise, epsilon=epsilon, delta=delta), "bound")


@pytest.mark.parametrize(
    ("scale", "epsilon", "delta"),
    [(1, 1, "1e-6"), (2, 1, "1e-6"), (1, 1, "49/100"), ("1/log(2)", "log(2)", "1e-3")],
)
def test_the_least_bound_of_points_is_the_published_one(
    scale: Any, epsilon: Any, delta: str
) -> None:
    """theta log(1 + (e^(1/theta) - 1)/(2 delta)) where theta >= 1/epsilon (F47, F47b)."""
    found = bound(scale, epsilon, delta)
    theta = 1 / mpmath.log(2) if "log" in str(scale) else mpmath.mpf(scale)
    top, _, below = delta.partition("/")
    value = mpmath.mpf(top) / int(below or 1)
    exact = theta * mpmath.log(1 + (mpmath.exp(1 / theta) - 1) / (2 * value))
    low, high = mpmath.mpf(str(found.minimum.lower)), mpmath.mpf(str(found.minimum.upper))
    assert low <= exact <= high <= low * (1 + mpmath.mpf(2) / 10**11)
    assert found.exact is not None
    assert found.found is not None
    assert kernel_word(found.found.to_table()) == "certified"
    lower = found.found.under(TruncatedLaplace(scale, str(found.minimum.lower)))
    assert kernel_word(lower.to_table()) == "refuted"


def test_the_known_bound() -> None:
    found = bound(1, 1, "1e-6")
    assert (found.minimum.lower, found.minimum.upper) == ("13.6636893959", "13.663689396")
    assert found.exact == "log(500000*exp(1)-499999)"  # 13.66368939597...
    three = POINTS | {"c": Discrete({"1/2": 1})}
    assert bound(1, 1, "1e-6", three).minimum == found.minimum


def test_a_distance_that_multiplies_epsilon_has_no_closed_form() -> None:
    half = {"a": Discrete({0: 1}), "b": Discrete({"1/2": 1})}
    problem = Problem(
        half, noise=TruncatedLaplace(1, 3), epsilon=1, delta="1/100",
        protection=Protection("xdistp", metric="winf"),
    )  # fmt: skip
    found = least_size(problem, "bound")
    assert (found.minimum.upper, found.exact) == ("3.50963506404", None)
    with mpmath.workdps(30):
        exact = mpmath.log(1 + 50 * (mpmath.exp(mpmath.mpf(1) / 2) - 1))
        assert mpmath.mpf("3.50963506403") < exact < mpmath.mpf("3.50963506404")


def test_bounds_that_are_none() -> None:
    assert bound(1, 1, 0).minimum.upper == bound("9/10", 1, "1/100").minimum.upper == "inf"
    assert bound("9/10", 1, "1/100").verdict is Verdict.REFUTED
    assert bound("9/10", 1, "1/10").minimum.upper == "2.73445029491"  # below 1/epsilon: no form
    same = {"a": Discrete({1: 1}), "b": Discrete({1: 1})}
    assert bound(1, 1, "1/9", same).minimum.upper == "0"
    tie = "1-exp(-1/4)"  # of Laplace noise of scale 1 at epsilon 1/2, met by no bound
    assert bound(1, "1/2", tie).verdict is Verdict.REFUTED


def test_what_has_no_least_size_is_said() -> None:
    hidden = asked(DiscreteLaplace(1), 1, "1/9", {"threshold": AT_LEAST})
    two = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({1: 1})}
    for problem, size, words in (
        (asked(Laplace(1), 1, 0, laws=POINTS), "threshold", "a threshold as the last step"),
        (hidden, "bound", "expected truncated-laplace"),
        (asked(TruncatedLaplace(1, 3), 1, "1/9", laws=two), "bound", "between single points"),
        (asked(TruncatedLaplace(1, 3), 1, "1/2", laws=POINTS), "bound", "delta is below 1/2"),
        (hidden, "scale", "size: 'scale' is unknown"),
        (Problem(ROW, noise=DiscreteLaplace(), post=[{"threshold": AT_LEAST}], epsilon=1),
         "threshold", "scale: missing"),
        (Problem(POINTS, noise=Laplace(1), epsilon=1, form="pointwise"), "bound", "events"),
        (asked(Laplace(1), 1, "1/9", {"threshold": AT_LEAST}, {"modulo": 4},
                   {"threshold": AT_LEAST}), "threshold", "modulo follows a threshold"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words):
            least_size(problem, size)  # type: ignore[arg-type]


def test_a_count_with_discrete_gaussian_noise() -> None:
    """delta is P(1 + N >= T), by a direct sum."""
    mass = {k: mpmath.exp(-mpmath.mpf(k) ** 2 / 8) for k in range(-60, 61)}
    whole = sum(mass.values())
    tails = [sum(m for k, m in mass.items() if 1 + k >= least) / whole for least in range(30)]
    least = next(k for k, tail in enumerate(tails) if tail <= mpmath.mpf("1e-6"))
    problem = asked(DiscreteGaussian(2), 1, "1e-6", {"threshold": AT_LEAST})
    assert threshold(problem) == (str(least - 1), str(least)) == ("10", "11")


@pytest.mark.parametrize(
    ("holds", "ends"),
    [
        (lambda k: k >= -7, (-8, -7)),
        (lambda k: None if 3 < k < 9 else k > 5, (3, 9)),
        (lambda k: True, (None, -130)),
        (lambda k: False, (130, None)),
        (lambda k: None, (None, None)),
        (lambda k: None if k > 3 else False, (3, None)),
    ],
)
def test_least_integers(holds: Any, ends: tuple[int | None, int | None]) -> None:
    low, high = least_integer(holds, 5, 100)
    assert [low is None, high is None] == [end is None for end in ends]
    if None not in ends:
        assert (low, high) == ends


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine.toml"
    command = ["calibrate", "example:threshold", "--threshold", "--delta", "1e-6"]
    assert main([*command, "--write", str(out)]) == 0
    assert "above 14 (refuted) and at most 15 (certified)" in capsys.readouterr().out
    assert main(["certify", str(out)]) == 0
    assert certify(out).verdict == "certified"
    line = asked(Laplace(1), 1, "1e-6", {"clamp": [-100, 100]}, {"threshold": AT_LEAST})
    (tmp_path / "line.toml").write_text(line.to_toml(), "utf-8")
    wanted = ["calibrate", str(tmp_path / "line.toml"), "--threshold", "--write", str(out)]
    assert main([*wanted, "--digits", "4"]) == 0
    assert 'at = "14.123"' in out.read_text("utf-8")
    capsys.readouterr()
    assert main(["calibrate", "example:threshold", "--threshold", "--delta", "1e-6,1e-9"]) == 0
    assert "22" in capsys.readouterr().out
    assert main(["calibrate", "example:threshold", "--threshold", "--delta", "0"]) == 0
    assert "No threshold works" in capsys.readouterr().out
    for more in (["-o", "x.cert"], ["--jobs", "2"], ["--method", "l1"], ["example:census"]):
        assert main([*command, *more]) == 2
    assert main([*command[:3], "--delta", "0", "--write", str(out)]) == 3
    assert main(["calibrate", "example:census", "--bound"]) == 2
