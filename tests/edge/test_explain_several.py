"""certify --explain of several numbers and of many releases: every number is recomputed here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import mpmath
import pytest

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Problem,
    certify,
    loss,
)
from pfverify.edge.cli import main
from pfverify.edge.explain import explained
from pfverify.edge.latex import fragment
from pfverify.many.plain import plain_result, result_of
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.joint import Joint
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.repeated import Budget, Repeated

NAMES = ["income", "age"]
P = Joint(NAMES, [[0, 0, "1/2"], [1, 2, "1/4"], [3, 1, "1/4"]])
Q = Joint(NAMES, [[0, 1, "1/3"], [2, 2, "1/3"], [3, 0, "1/3"]])
U = Discrete(dict.fromkeys(range(5), "1/5"))
T = Discrete({2: 1})
NUMBER = r"[-+0-9.e/]+"


def told(first: Any, second: Any, noise: Any, epsilon: Any = 1, delta: Any = 0) -> list[str]:
    asked = Problem({"a": first, "b": second}, noise=noise, epsilon=epsilon, delta=delta)
    return explained(asked, certify(asked)).lines


def last(lines: Sequence[str], start: str) -> float:
    """The last number of the line that starts so."""
    line = next(line for line in lines if line.strip().startswith(start))
    return float(Fraction(re.findall(NUMBER, line)[-1].rstrip(".")))


def power(distance: Any, scale: Fraction) -> Any:
    """e**(-distance/scale)."""
    exponent = Fraction(distance) / scale
    return mpmath.exp(-mpmath.mpf(exponent.numerator) / exponent.denominator)


def noise_at(distance: Any, scale: Fraction, step: int | None) -> Any:
    if step is None:
        return power(distance, scale) * scale.denominator / (2 * scale.numerator)
    t = power(step, scale)
    return (1 - t) / (1 + t) * power(distance, scale)


def density(law: Any, y: Sequence[Any], scales: Sequence[Any], step: int | None) -> Any:
    return mpmath.fsum(
        mpmath.mpf(m.numerator) / m.denominator
        * mpmath.fprod(noise_at(abs(c - a), s, step) for a, c, s in zip(x, y, scales, strict=True))
        for x, m in law.items()
    )  # fmt: skip


@pytest.mark.parametrize("step", [None, 1])
@pytest.mark.parametrize("epsilon", [1, "1/2"])
def test_the_worst_point_is_worked_out_atom_by_atom(step: int | None, epsilon: Any) -> None:
    kind = Laplace() if step is None else DiscreteLaplace(1, step)
    scales = [Fraction(1), Fraction(3, 2)]
    lines = told(P, Q, Coordinates(kind, scales), epsilon)
    laws = {"a": P.mass, "b": Q.mass}
    first, second = re.findall(r"from (\w) against (\w)", lines[0])[0]
    y = [Fraction(c) for c in re.findall(r"y = \((.*?)\)", lines[0])[0].split(",")]
    values = [density(laws[name], y, scales, step) for name in (first, second)]
    sums = [float(line.split()[-1]) for line in lines if line.startswith("  = ")]
    assert sums == [pytest.approx(float(v), rel=2e-9) for v in values]
    for name in (first, second):
        start = next(k for k, x in enumerate(lines) if x.startswith(f"p(y | {name}) is "))
        front = mpmath.fprod(noise_at(0, s, step) for s in scales)
        for line in lines[start + 1 : start + 1 + len(laws[name])]:
            x = tuple(Fraction(c) for c in re.findall(r"x = \((.*?)\)", line)[0].split(","))
            own = density({x: laws[name][x]}, y, scales, step) / front
            assert float(line.split()[-1]) == pytest.approx(float(own), rel=2e-9)
            text = line.partition(": ")[2].rpartition(" = ")[0]  # as a person would work it out
            for k, scale in enumerate(scales, 1):
                text = text.replace(f"scale_{k}", f"({scale})")
            worked = mpmath.fprod(
                mpmath.exp(eval(part[3:-1], {}, {})) if "e^" in part else float(Fraction(part))
                for part in text.split(" * ")
            )
            assert float(worked) == pytest.approx(float(own), rel=1e-9)
    ratio = float(mpmath.log(values[0] / values[1]))
    line = next(line for line in lines if line.startswith("log p(y"))
    assert float(re.findall(r"= ([-0-9.]+),", line)[0]) == pytest.approx(ratio, rel=2e-9)
    grid = product(sorted({x[0] for x in (*P.mass, *Q.mass)}), sorted({x[1] for x in P.mass}))
    most = max(density(laws[first], c, scales, step) / density(laws[second], c, scales, step)
               for c in grid)  # fmt: skip
    assert ratio == pytest.approx(float(mpmath.log(most)))
    verdict = "refuted" if ratio > Fraction(epsilon) else "certified"
    assert any(line.startswith("So ") and verdict in line for line in lines)
    assert any("(F42)" in line for line in lines) == (verdict == "certified")


def weighted(places: Sequence[Fraction], scale: Fraction, step: int | None) -> list[dict[Any, Any]]:
    """The pieces of an axis: its corners with their weights, as the explanation has them."""
    t = mpmath.mpf(1) if step is None else power(step, scale)
    tail = t / (1 + t)
    pieces = [{places[0]: tail}, {places[-1]: tail}]
    pieces += [] if step is None else [{x: (1 - t) / (1 + t)} for x in places]
    for a, b in pairwise(places):
        u = power(b - a, scale)
        weight = (t - u) / (1 + u) / (1 + t)
        pieces.append({a: weight, b: weight})
    return pieces


@pytest.mark.parametrize(("step", "delta"), [(None, "1/20"), (None, "1/5"), (1, "1/20"),
                                             (1, "1/5")])  # fmt: skip
def test_both_sums_over_the_grid_are_those_of_its_words(step: int | None, delta: str) -> None:
    kind = Laplace() if step is None else DiscreteLaplace(1, step)
    scales = [Fraction(1), Fraction(3, 2)]
    lines = told(P, Q, Coordinates(kind, scales), "1/4", delta)
    first, second = re.findall(r"from (\w) against (\w)", lines[0])[0]
    laws = {"a": P.mass, "b": Q.mass}
    said = next(line for line in lines if line.startswith("The grid has "))
    axes = []
    for k, name in enumerate(NAMES):
        cuts = re.findall(rf"{name}: ([^;)]*)", said)
        assert "more" not in said
        own = [Fraction(c) for c in cuts[0].split(",")] if cuts else []
        axes.append(sorted({*(x[k] for x in (*P.mass, *Q.mass)), *own}))
    assert f"{len(axes[0])} x {len(axes[1])} points" in said
    front = mpmath.fprod(noise_at(0, s, step) for s in scales)
    growth = mpmath.exp(mpmath.mpf(1) / 4)
    p, q = laws[first], laws[second]
    g = {c: (density(p, c, scales, step) - growth * density(q, c, scales, step)) / front
         for c in product(*axes)}  # fmt: skip
    cells, points, above = mpmath.mpf(0), dict.fromkeys(g, mpmath.mpf(0)), 0
    for one, two in product(*(weighted(a, s, step) for a, s in zip(axes, scales, strict=True))):
        total = mpmath.mpf(0)
        for (x, v), (y, w) in product(one.items(), two.items()):
            points[x, y] += v * w
            total += v * w * g[x, y]
        above += total > 0
        cells += max(total, 0)
    upper = mpmath.fsum(w * max(g[c], 0) for c, w in points.items())
    line = next(line for line in lines if line.startswith("Sum over the cells"))
    assert f"of which {above} {'is' if above == 1 else 'are'} > 0" in line
    assert last(lines, "Sum over the cells") == pytest.approx(float(cells), rel=2e-9)
    assert last(lines, "Sum over the points") == pytest.approx(float(upper), rel=2e-9)
    refuted = [line for line in lines if line.startswith("These cells exceed delta")]
    assert bool(refuted) == any(line.endswith(": refuted.") for line in lines)
    for line in refuted:
        margin = float(cells) - float(Fraction(delta))
        assert float(line.split()[-1]) == pytest.approx(margin, rel=1e-4)


def test_a_bounded_ratio_leaves_no_event() -> None:
    lines = told(P, Q, Laplace(1), 5, "1/10")
    assert "No output has p(y) > e^epsilon q(y): B is empty." in lines
    assert told(P, P, Laplace(1))[-1] == "So p(y) <= e^epsilon q(y): certified here."
    assert "Both priors are the same law." in told(P, P, Laplace(1), 1, "1/10")


def test_points_without_noise_have_masses() -> None:
    lines = told(P, Joint(NAMES, [[0, 0, "1/4"], [1, 2, "3/4"]]), NoNoise(), 1)
    assert lines[0] == "The worst output is y = (3, 1), from a against b."
    assert "P(y | a) = 1/4" in lines
    lines = told(P, Q, NoNoise(), 1, "1/10")
    assert "  y = (0, 0): 1/2 under a, 0 under b" in lines


@pytest.mark.parametrize(
    ("release", "scale", "variance"),
    [(Repeated(Laplace(3), count=10), "3/10", None),
     (Repeated(Laplace(1), scales=[3, 2, 3]), "6/7", None),
     (Repeated(DiscreteLaplace(3, 1), count=4), "3/4", None),
     (Budget(Laplace(), "6/5"), "5/6", None),
     (Repeated(GaussianNoise(1), scales=[5, 6]), None, "900/61"),
     (Budget(GaussianNoise(), "6/5"), None, "5/6")],
    ids=["ten", "listed", "lattice", "total", "gaussian", "gaussian-total"],
)  # fmt: skip
@pytest.mark.parametrize("delta", [0, "99/100"])
def test_releases_of_one_number_are_written_out_as_the_one(
    release: Any, scale: str | None, variance: str | None, delta: Any
) -> None:
    one = GaussianNoise(variance=variance) if scale is None else release.noise.with_scale(scale)
    lines, alone = (told(U, T, noise, 1, delta) for noise in (release, one))
    assert lines[-len(alone) :] == alone
    size = scale or variance or ""
    shown = str(float(Fraction(size))) if size == "3/10" or size == "3/4" else size
    assert f"one with {'variance' if scale is None else 'scale'} {shown}" in lines[0]
    assert ("F41" if scale is None else "F40") in lines[0]


def test_releases_of_several_numbers_say_every_scale() -> None:
    lines = told(P, Q, Repeated(Coordinates(Laplace(), [3, 2]), count=3), 4)
    assert lines[0].startswith("3 releases of scales 3, 2 by coordinate, all of one X: ")
    assert "scales 1, 2/3 by coordinate" in lines[0]
    alone = told(P, Q, Coordinates(Laplace(), [1, "2/3"]), 4)
    assert lines[-len(alone) :] == alone


def test_the_release_that_refutes_by_itself_is_written_out() -> None:
    lines = told(U, T, Repeated(Laplace(1), scales=[3, "1/2"]), "1/2", "1/10")
    assert "One release with scale 0.5 refutes by itself, and all of them tell no less. " in (
        lines[1].partition("About")[0]
    )
    alone = told(U, T, Laplace("1/2"), "1/2", "1/10")
    assert lines[-len(alone) :] == alone


def test_a_grid_of_all_outputs_decides_some() -> None:
    lines = told(Discrete({0: 1}), Discrete({1: 1}), Repeated(Laplace(1), count=2), "1/2", "2/5")
    assert any("a grid of all outputs together does (F42b)" in line for line in lines)
    assert 0.350495989981 <= last(lines, "Sum over the points") <= 0.4


@pytest.mark.parametrize(("draws", "delta"), [("same", "1/5"), ("fresh", "0.04725")])
def test_what_is_undecided_has_both_bounds(draws: str, delta: str) -> None:
    release = Repeated(Laplace(3), count=9, draws=draws)
    lines = told(U, T, release, "1/2", delta)
    asked = Problem({"a": U, "b": T}, noise=release, epsilon="1/2", delta=delta)
    found = certify(asked).pairs[0]
    assert found.undecided
    assert found.delta is not None

    def single(scale: Any, epsilon: Any) -> Any:
        one = Problem({"a": U, "b": T}, noise=Laplace(scale), epsilon=epsilon, delta="1/5")
        pairs = certify(one).pairs
        return next(x.delta for x in pairs if (x.from_, x.to) == (found.from_, found.to))

    least = last(lines, "It is at least that of one release with scale 3")
    assert least == pytest.approx(float(single(3, "1/2")), rel=1e-8)
    if draws == "same":
        most, bound = last(lines, "That one release bounds it"), single("1/3", "1/2")
    else:
        most, bound = last(lines, "Basic composition bounds it"), 9 * float(single(3, "1/18"))
    assert most == pytest.approx(float(bound), rel=1e-8)
    assert "Neither bound decides." in lines
    for word, end in (("most", found.delta.upper), ("least", found.delta.lower)):
        said = last(lines, f"So the divergence is at {word}")
        assert said == pytest.approx(float(end), rel=1e-3)  # delta may be known better


@pytest.mark.parametrize(("epsilon", "verdict"), [("127/100", "certified"), (1, "refuted")])
def test_fresh_draws_are_a_sum_of_their_losses(epsilon: Any, verdict: str) -> None:
    lines = told(U, T, Repeated(Laplace(1), scales=[3, 2, 3], draws="fresh"), epsilon)
    losses = [float(certify(Problem({"a": U, "b": T}, noise=Laplace(s), epsilon=1)).pairs[0].loss)
              for s in (3, 2)]  # fmt: skip
    own = [max(mpmath.log(5 / mpmath.fsum(mpmath.exp(-mpmath.mpf(abs(x - 2)) / s)
                                          for x in range(5))), 0) for s in (3, 2)]  # fmt: skip
    assert losses == [pytest.approx(float(x)) for x in own]
    total = 2 * own[0] + own[1]
    line = next(line for line in lines if line.startswith("All together: "))
    ends = [float(x) for x in re.findall(r"[0-9.]+", line)]
    assert ends[0] <= total <= ends[1]
    assert any(line.startswith("So [") and verdict in line for line in lines)
    parts = [line for line in lines if "at epsilon = " in line]
    held = [Fraction(re.findall(r"epsilon = (\d+(?:[./]\d+)?)", line)[0]) for line in parts]
    assert (2 * held[0] + held[1] >= Fraction(epsilon)) == (verdict == "refuted")
    assert sum(line.strip().startswith("So ") and verdict in line for line in lines) == 3


def test_fresh_draws_with_a_delta_are_composed() -> None:
    lines = told(U, T, Repeated(Laplace(1), scales=[3, 2, 3], draws="fresh"), "1/2", "1/4")
    assert sum("delta = 1/12" in line for line in lines) == 4  # each with its own verdict
    assert lines[-2].endswith("<= delta = 1/4: certified.")


def test_normal_laws_are_written_out_too() -> None:
    pair = Gaussian(0, variance=1), Gaussian(1, variance=1)
    for release in (Repeated(Laplace(3), count=2), Repeated(Laplace(3), count=2, draws="fresh"),
                    Repeated(GaussianNoise(3), count=2)):  # fmt: skip
        lines = told(*pair, release, 2, "1/20")
        assert any(line.startswith("So ") for line in lines)


def test_latex_states_none_of_them_and_says_so() -> None:
    refused = {
        "a law of several numbers is not stated": Laplace(1),
        "of kind coordinates is not stated": Coordinates(Laplace(), [1, 2]),
        "of kind releases is not stated": Repeated(Laplace(1), count=2),
    }
    for why, noise in refused.items():
        asked = Problem({"a": P, "b": Q}, noise=noise, epsilon=1)
        with pytest.raises(InputError, match=why):
            fragment(asked, certify(asked))


def test_one_release_that_refutes_is_named_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = Repeated(Laplace(1), scales=[3, "1/2"])
    asked = Problem({"a": U, "b": T}, noise=release, epsilon="1/2", delta="1/10")
    pair = certify(asked).pairs[0]
    assert pair.rule == "one-refuted"
    assert pair.proof is not None
    step = pair.proof.step(64)
    assert (step["rule"], step["release"]) == (pair.rule, 1)
    asked.save(tmp_path / "one.toml")
    assert main(["certify", str(tmp_path / "one.toml")]) == 1
    told = capsys.readouterr().out
    assert "of one release alone: P(B) - e^epsilon Q(B) above delta by 0.282506" in told
    assert "delta: an upper bound; pfverify loss and --json show the lower one too." in told
    again = result_of("certify", asked, [(None, plain_result(certify(asked)))])
    assert again.to_dict() == certify(asked).to_dict()  # as an answer of another process


def witness(release: Any, epsilon: Any, delta: Any = 0) -> Any:
    asked = Problem({"a": U, "b": T}, noise=release, epsilon=epsilon, delta=delta)
    pairs = certify(asked).pairs
    return next(pair for pair in pairs if pair.refuted and pair.from_ == "a").witness


@pytest.mark.parametrize(
    ("release", "about", "scales"),
    [
        (Repeated(Laplace(2), count=5), "every release", [2] * 5),
        (Repeated(Laplace(1), scales=[2, 3, 3]), "every release", [2, 3, 3]),
        (Budget(Laplace(), 2), "one release that spends the whole total", [Fraction(1, 2)]),
        (Laplace(1), None, [1]),
        (Repeated(Laplace(1), count=1), None, [1]),
    ],
)
def test_an_output_of_many_releases_says_where_they_all_are(
    release: Any, about: str | None, scales: Sequence[Any]
) -> None:
    found = witness(release, "1/10")
    assert found.about == about
    where = [Fraction(str(found.y))] * len(scales)
    p, q = (
        density({(x,) * len(where): m for x, m in law.mass.items()}, where,
                [Fraction(s) for s in scales], None)
        for law in (U, T)
    )  # fmt: skip
    exceeds = mpmath.log(p / q) - mpmath.mpf(1) / 10
    assert 0 <= exceeds - mpmath.mpf(str(found.margin)) < mpmath.mpf("1e-5")


@pytest.mark.parametrize(
    ("sigmas", "about"),
    [
        ([3] * 10, "the mean of the releases"),
        ([3, 4, 5], "the mean of the releases, weighted by 1/variance"),
    ],
)
def test_an_event_of_gaussian_releases_is_one_of_their_mean(sigmas: list[int], about: str) -> None:
    found = witness(Repeated(GaussianNoise(3), scales=sigmas), 1, "1/1000")
    assert found.about == about
    sigma = mpmath.sqrt(1 / mpmath.fsum(mpmath.mpf(1) / s**2 for s in sigmas))
    total = mpmath.mpf(0)
    for low, high in found.event:
        for law, factor in ((U, 1), (T, -mpmath.e)):
            total += factor * mpmath.fsum(
                float(m) * (mpmath.ncdf(float(str(high)), float(x), sigma)
                            - mpmath.ncdf(float(str(low)), float(x), sigma))
                for x, m in law.mass.items()
            )  # fmt: skip
    assert 0 <= total - mpmath.mpf("0.001") - mpmath.mpf(str(found.margin)) < mpmath.mpf("1e-5")


def test_outputs_of_fresh_draws_and_behind_steps_say_of_which_they_are() -> None:
    fresh = witness(Repeated(Laplace(1), scales=[2, 3, 3], draws="fresh"), "1/10")
    assert fresh.about == "every release, those of one scale at the same output"
    assert len(fresh.point) == 2
    both = Problem(
        {"a": P, "b": Q}, noise=Laplace(1), epsilon="1/20",
        post=[{"coordinate": "age", "round": {"to": "1"}}],
    )  # fmt: skip
    pair = next(pair for pair in certify(both).pairs if pair.refuted)
    assert pair.rule == "part-refuted"
    assert pair.witness is not None
    assert pair.witness.about in ("age alone", "income alone")
    together = witness(Repeated(Laplace(1), count=2), "1/10", "1/4")
    assert (together.cells is None, together.about) == (False, None)


def test_of_single_points_the_sum_of_their_losses_is_told() -> None:
    """No grid is spoken of, of which there would be 2**30 points."""
    names = [f"w{k}" for k in range(30)]
    first, second = (Joint(names, [[*[x] * 30, 1]]) for x in (0, 1))
    lines = told(first, second, Laplace(2), epsilon=16)
    assert "no output is worse (F43d)." in " ".join(lines)
    assert not any("grid" in line for line in lines)
    assert last(lines, "log p(y | a)") == 16  # epsilon, beside the loss
    assert any("= 15, and epsilon = 16" in line for line in lines)
    two = Joint(names[:1], [[0, "1/2"], [1, "1/2"]])
    assert "(F42)" in " ".join(told(two, Joint(names[:1], [[1, 1]]), Laplace(2)))


def test_a_divergence_of_one_x_is_told_from_both_sides_rounded_outwards() -> None:
    """Of four releases at 1/log(2), the point against the uniform law: too many for cells."""
    asked = Problem({"u": U, "t": T}, noise=Repeated(Laplace("1/log(2)"), count=4),
                    epsilon=9, form={"kind": "renyi", "order": "5/2"})  # fmt: skip
    lines = explained(asked, certify(asked)).lines
    low, high = last(lines, "From below"), last(lines, "From above")
    worst = next(line for line in lines if line.startswith("The worst order")).split()[5]
    (pair,) = (one for one in loss(asked).pairs if one.from_ == worst)
    assert pair.divergence is not None
    assert low <= float(pair.divergence.lower) <= low + 1e-9
    assert float(pair.divergence.upper) <= high <= float(pair.divergence.upper) + 1e-9
    assert any("<= 9: certified here" in line for line in lines)
