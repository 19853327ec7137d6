"""What the commands print about normal priors, mixtures and Gaussian noise."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support.examples import smooth_examples
from support.smooth_oracle import Law, ctx, real

from pfverify.answers.outcome import Witness
from pfverify.edge.cli import main
from pfverify.edge.packaged import load_example
from pfverify.edge.words import (
    between,
    brief,
    interval,
    noise_words,
    place_words,
    plain,
    witness_words,
)
from pfverify.exact.enclosure import Enclosure

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")


def run(capsys: Capture, *arguments: object) -> tuple[int, str]:
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, captured.out


def line_of(text: str, words: str) -> str:
    (line,) = [line for line in text.splitlines() if words in line]
    return line


def excess_of(name: str, row: dict[str, Any]) -> Any:
    """What a refuted method's witness is about, without pfverify: log p/q, or P(B) - e^eps Q(B)."""
    problem, witness = load_example(name), row["witness"]
    priors = problem.beliefs[witness["belief"]]
    b = Fraction(row["scale"])
    p, q = (Law(priors[witness[end]].components, ("laplace", b)) for end in ("from", "to"))
    if "y" in witness:
        y = Fraction(witness["y"])
        return ctx.log(p.at(y) / q.at(y))
    growth = ctx.exp(real(problem.epsilon.fraction))
    total = ctx.mpf(0)
    for low, high in witness["event"]:
        assert (low == "-inf") + (high == "inf") < 2
        for law, sign in ((p, 1), (q, -growth)):
            left = 0 if low == "-inf" else law.below(Fraction(low))
            right = 1 if high == "inf" else law.below(Fraction(high))
            total += sign * (right - left)
    return total


@pytest.mark.parametrize(
    ("name", "method", "bound"),
    [("theorem-2-fails", "mixture_published", "1/10"),
     ("theorem-2-fails", "mixture_translation_published", "1/10"),
     ("corollary-2-fails", "mixture_translation_published", "log(4)")],
)  # fmt: skip
def test_a_refuted_scale_comes_with_a_true_witness(
    capsys: Capture, name: str, method: str, bound: str
) -> None:
    code, out = run(capsys, "calibrate", f"example:{name}", "--json")
    row = json.loads(out)["methods"][method]
    assert (code, row["verdict"]) == (0, "refuted")
    target = ctx.log(4) if bound == "log(4)" else real(Fraction(bound))
    margin = real(Fraction(row["witness"]["margin"]))
    assert 0 < margin <= excess_of(name, row) - target
    assert margin > (excess_of(name, row) - target) * ctx.mpf("0.99")


@pytest.mark.parametrize("name", smooth_examples())
def test_only_refuted_scales_have_a_witness(capsys: Capture, name: str) -> None:
    data = json.loads(run(capsys, "calibrate", f"example:{name}", "--json")[1])
    for method, row in data["methods"].items():
        assert (row["witness"] is not None) == (row["verdict"] == "refuted"), method


def test_the_table_of_scales_shows_where_published_ones_fail(capsys: Capture) -> None:
    code, out = run(capsys, "calibrate", "example:theorem-2-fails")
    assert code == 0
    assert "refuted" in line_of(out, "mixture_published ")
    line = line_of(out, "at scale 5: ")
    assert line == (
        "  mixture_published, mixture_translation_published fail at scale 5: apart -> together, "
        "B = [8.8, inf): P(B) - e^epsilon Q(B) above delta by 0.00517349"
    )
    one = line_of(run(capsys, "calibrate", "example:corollary-2-fails")[1], " at scale 1.44")
    assert one.startswith("  mixture_translation_published fails at scale 1.44269504089: after -> ")
    assert "log ratio above epsilon by 0.2231" in one


def test_methods_that_do_not_apply_for_one_reason_share_a_line(capsys: Capture) -> None:
    text = run(capsys, "calibrate", "example:laplace-or-gaussian")[1]
    line = line_of(text, "not applicable")
    assert line.startswith("  l1, wasserstein, ")
    assert "mixture_safe: not applicable: the noise is gaussian" in line
    data = json.loads(run(capsys, "calibrate", "example:gaussian-pair", "--json")[1])
    text = run(capsys, "calibrate", "example:gaussian-pair")[1]
    reasons = set(data["not_applicable"].values())
    assert text.count("not applicable") == len(reasons) < len(data["not_applicable"])
    assert all(name in text for name in data["not_applicable"])


def test_gaussian_noise_is_named_by_sigma_or_variance(capsys: Capture) -> None:
    name = "example:laplace-or-gaussian"
    assert "Noise: gaussian, variance 2\n" in run(capsys, "certify", name)[1]
    assert "Noise: gaussian, sigma 1.5\n" in run(capsys, "certify", name, "--scale", "3/2")[1]
    assert "at sigma 1.5 the privacy loss" in run(capsys, "loss", name, "--scale", "3/2")[1]
    text = run(capsys, "calibrate", name)[1]
    assert "noise scales (gaussian: sigma)" in text
    assert "smallest private sigma is above 1.430013321" in text
    assert "┃ sigma " in text


def test_a_limit_is_said_to_be_one(capsys: Capture) -> None:
    text = run(capsys, "loss", "example:gaussian-pair")[1]
    assert "exactly 7/8, in the limit y -> inf, from wide against narrow." in text
    assert "y = inf" not in text
    text = run(capsys, "certify", "example:gaussian-pair")[1]
    assert line_of(text, "in the limit y -> inf").startswith("wide  ")
    text = run(capsys, "loss", "example:laplace-or-gaussian")[1]
    assert "the privacy loss is infinite, in the limit y -> -inf, from low against high" in text
    census = run(capsys, "loss", "example:census")[1]
    assert ", reached at y = 6, from " in census


def test_machines_get_the_numbers_whole(capsys: Capture, tmp_path: Path) -> None:
    rows = run(capsys, "certify", "example:gaussian-pair", "--csv")[1]
    assert ",inf," in rows
    scale = "2." + "1" * 40  # longer than a table shows
    code, out = run(capsys, "certify", "example:gaussian-pair", "--scale", scale)
    assert (code, "Noise: laplace, scale 2.11111111111... (sha256 " in out) == (0, True)
    out = run(capsys, "certify", "example:gaussian-pair", "--scale", scale, "--json")[1]
    assert Fraction(json.loads(out)["scale"]) == Fraction(scale)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.1", "0.1"), ("-1/3", "-1/3"), ("1" * 24, "1" * 24), ("1" * 25, "1.11111111111...e24"),
     ("0.0009765625", "0.0009765625"),
     ("-1234567890123456789012/1024", "-1.20563270519...e18"),
     ("1/1073741824000000000000000", "9.31322574615...e-25"),
     ("0.6666666666666666666666667", "0.666666666666...")],
)  # fmt: skip
def test_long_numbers_are_cut_towards_zero(text: str, expected: str) -> None:
    assert brief(text) == expected
    found = expected.replace("...", "")
    assert 0 <= abs(Fraction(text)) - abs(Fraction(found)) <= abs(Fraction(text)) / 10**11
    assert (Fraction(found) < 0) == (Fraction(text) < 0)


def test_words() -> None:
    assert interval("-inf", "-2.5") == "(-inf, -2.5]"
    assert interval("8.8", "inf") == "[8.8, inf)"
    assert between(Enclosure("inf", "inf")) == "infinite"
    assert between(Enclosure("1", "2")) == "between 1 and 2"
    assert between(Enclosure("0", "0")) == "exactly 0"
    assert place_words("-inf") == "in the limit y -> -inf"
    assert place_words(Fraction(1, 1024)) == "0.0009765625"
    assert noise_words("laplace", "2/log(4)") == "scale 2/log(4)"
    assert noise_words("discrete-laplace", "5/2") == "scale 2.5"
    assert noise_words("gaussian", "exp((log(2)/2))") == "variance 2"
    assert noise_words("gaussian", "3/2") == "sigma 1.5"
    assert plain("(2/log(4))") == "2/log(4)"
    event = Witness(margin="0.1", event=[["0", "1"], ["2", "3"], ["4", "inf"]])
    assert witness_words(event, "1/2") == (
        "B = [0, 1] [2, 3] and 1 more: P(B) - e^epsilon Q(B) above delta by 0.1"
    )
    assert witness_words(Witness(margin="0.1", y="3"), "0").startswith("y = 3: log ratio above")
    assert witness_words(None, "0") == ""
