"""Discrete Laplace noise cut at a bound: against sums, tables of the same weights, and the kernel.

Sums are written out here, in fractions where e**(-step/scale) is rational, in mpmath else.
"""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import mpmath
import pytest
from support.kernel_run import accepted_certificate, kernel_digest, kernel_said

from pfverify import (
    Channel,
    Discrete,
    DiscreteLaplace,
    Finite,
    InputError,
    Problem,
    TableNoise,
    TruncatedDiscreteLaplace,
    calibrate,
    certify,
    loss,
    sample,
)
from pfverify.decide.verdict import Verdict
from pfverify.edge.cli import main
from pfverify.edge.views.data import as_data
from pfverify.model.digest import problem_digest
from pfverify.model.kinds import read_noise

POINTS = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
Law = dict[Fraction, Any]


def cut(n: int, s: Any, step: Fraction = Fraction(1)) -> Law:
    """The masses of the noise, by their definition: in proportion to s**|k|, with sum 1."""
    whole = sum(s ** abs(k) for k in range(-n, n + 1))
    return {k * step: s ** abs(k) / whole for k in range(-n, n + 1)}


def released(prior: Discrete, noise: Law) -> Law:
    found: Law = {}
    for x, mass in prior.mass.items():
        for n, weight in noise.items():
            share = weight * mass.numerator / mass.denominator
            found[x + n] = found.get(x + n, 0) + share
    return found


def divergence(p: Law, q: Law, growth: Any) -> Any:
    return sum(max(p.get(y, 0) - growth * q.get(y, 0), 0) for y in {*p, *q})


def kernel_word(problem: Problem) -> str:
    return accepted_certificate(problem.to_table(), problem, certify(problem))[1]


def random_laws(rng: Random, step: Fraction) -> dict[str, Discrete]:
    laws = {}
    for name in "ab":
        places = rng.sample(range(6), rng.randint(1, 4))
        weights = [rng.randint(1, 5) for _ in places]
        laws[name] = Discrete({
            k * step: Fraction(w, sum(weights)) for k, w in zip(places, weights, strict=True)
        })
    return laws


# ------------------------------------------------------------------------------- the wished case


def test_a_count_of_a_protocol_is_decided_and_the_kernel_accepts() -> None:
    problem = Problem(
        POINTS, noise=TruncatedDiscreteLaplace(1, bound=14), epsilon=1, delta="1e-6"
    )
    result = certify(problem)
    assert result.verdict is Verdict.CERTIFIED
    assert {pair.proof.rule for pair in result.pairs if pair.proof is not None} == {"channel"}
    assert kernel_word(problem) == "certified"
    found = loss(problem)
    assert str(found.epsilon_star.upper) == "inf"
    mpmath.mp.dps = 50
    delta = cut(14, mpmath.exp(-1))[Fraction(14)]
    assert mpmath.mpf(str(found.delta.lower)) <= delta <= mpmath.mpf(str(found.delta.upper))
    tight = problem.replaced(delta="3.8e-7")
    assert certify(tight).verdict is Verdict.REFUTED
    assert kernel_word(tight) == "refuted"


EXACT = "exp(-14)*(1-exp(-1))/(1+exp(-1)-2*exp(-15))"


@pytest.mark.parametrize(
    ("scale", "epsilon", "bound", "delta"),
    [("1", "1", 14, EXACT), ("1/log(2)", "log(2)", 3, "1/22"), ("2/log(3)", "log(3)/2", 2, None)],
)
def test_a_delta_that_is_met_exactly_holds(
    scale: str, epsilon: str, bound: int, delta: str | None
) -> None:
    """At epsilon = 1/scale neighbours differ by the mass that one of them alone reaches."""
    root = "sqrt(1/3)"
    delta = delta or f"{root}^2*(1-{root})/(1+{root}-2*{root}^3)".replace(
        f"{root}^2", "(1/3)").replace(f"{root}^3", f"({root}/3)")
    noise = TruncatedDiscreteLaplace(scale, bound=bound)
    problem = Problem(POINTS, noise=noise, epsilon=epsilon, delta=delta)
    result = certify(problem)
    assert result.verdict is Verdict.CERTIFIED
    assert all(pair.tie for pair in result.pairs)
    assert kernel_word(problem) == "certified"
    less = problem.replaced(delta=f"({delta})-1e-25")
    assert certify(less).verdict is Verdict.REFUTED
    assert kernel_word(less) == "refuted"


# ------------------------------------------------------------------------------- oracles


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("form", ["events", "pointwise"])
def test_where_masses_are_rational_it_is_that_noise_table(seed: int, form: str) -> None:
    rng = Random(f"{seed} {form}")
    step, n = rng.choice([Fraction(1), Fraction(1, 2), Fraction(3)]), rng.randint(1, 5)
    s = Fraction(rng.randint(1, 5), 6)
    laws = random_laws(rng, step)
    cut_noise = TruncatedDiscreteLaplace(f"{step}/log({1 / s})", step, n * step)
    table = TableNoise(cut(n, s, step))
    target = {"epsilon": rng.choice(["0", "1/5", "log(2)", "2"]),
              "delta": rng.choice(["0", "1/20", "1/3"]), "form": form}  # fmt: skip
    one, other = (Problem(laws, noise=noise, **target) for noise in (cut_noise, table))  # type: ignore[arg-type]
    for ask in (certify, loss):
        found, expected = (as_data(ask(problem)) for problem in (one, other))
        for key in ("noise", "scale", "assumed"):
            found.pop(key), expected.pop(key)
        for pair in [*found["pairs"], *expected["pairs"]]:
            pair.pop("rule", None)
        assert found == expected
    assert kernel_word(one) == kernel_word(other) == certify(one).verdict


@pytest.mark.parametrize("seed", range(12))
def test_delta_and_loss_are_those_of_sums_to_many_digits(seed: int) -> None:
    rng = Random(seed)
    mpmath.mp.dps = 60
    step, n = rng.choice([Fraction(1), Fraction(1, 2)]), rng.randint(1, 8)
    scale, epsilon = Fraction(rng.randint(1, 9), 3), Fraction(rng.randint(0, 6), 4)
    laws = random_laws(rng, step)
    problem = Problem(
        laws, noise=TruncatedDiscreteLaplace(scale, step, n * step), epsilon=epsilon, delta="1/50"
    )
    s = mpmath.exp(-mpmath.mpf(step.numerator) / step.denominator
                   * scale.denominator / scale.numerator)  # fmt: skip
    p, q = (released(laws[name], cut(n, s, step)) for name in "ab")
    growth = mpmath.exp(mpmath.mpf(epsilon.numerator) / epsilon.denominator)
    for pair in loss(problem).pairs:
        one, other = (p, q) if pair.from_ == "a" else (q, p)
        delta = divergence(one, other, growth)
        low, high = (mpmath.mpf(str(end)) for end in (pair.delta.lower, pair.delta.upper))
        assert low - mpmath.mpf(10) ** -50 <= delta <= high + mpmath.mpf(10) ** -50
        alone = any(y not in other for y in one)
        assert (str(pair.epsilon_star.upper) == "inf") == alone
        if not alone:
            ratio = mpmath.log(max(one[y] / other[y] for y in one))
            ends = pair.epsilon_star
            assert mpmath.mpf(str(ends.lower)) - mpmath.mpf(10) ** -50 <= ratio
            assert ratio <= mpmath.mpf(str(ends.upper)) + mpmath.mpf(10) ** -50
    expected = max(divergence(p, q, growth), divergence(q, p, growth)) <= mpmath.mpf("0.02")
    verdict = certify(problem).verdict
    assert verdict is (Verdict.CERTIFIED if expected else Verdict.REFUTED)
    assert kernel_word(problem) == verdict


@pytest.mark.parametrize(
    "post",
    [
        [{"threshold": {"at": 1}}], [{"clamp": [0, 2]}], [{"modulo": 3}],
        [{"round": {"to": 2, "ties": "up"}}], [{"clamp": [-1, 3]}, {"bins": {"edges": [0, 2]}}],
    ],
)
def test_steps_after_it_are_those_after_the_table(post: Any) -> None:
    laws = {"a": Discrete({0: "1/2", 2: "1/2"}), "b": Discrete({1: "2/3", 2: "1/3"})}
    noises = TruncatedDiscreteLaplace("1/log(3)", bound=2), TableNoise(cut(2, Fraction(1, 3)))
    for delta in ("0", "1/8", "1/3"):
        one, other = (
            Problem(laws, noise=noise, post=post, epsilon="1/4", delta=delta) for noise in noises
        )
        verdict = certify(one).verdict
        assert verdict is certify(other).verdict
        assert loss(one).delta == loss(other).delta
        assert kernel_word(one) == verdict
    irrational = Problem(
        laws, noise=TruncatedDiscreteLaplace(1, bound=2), post=post, epsilon="1/4", delta="1/3"
    )
    assert kernel_word(irrational) == certify(irrational).verdict


def test_many_releases_are_composed_as_those_of_the_table() -> None:
    from pfverify.model.releases.repeated import Repeated

    laws = {"a": Discrete({0: "1/2", 1: "1/2"}), "b": Discrete({0: "1/3", 1: "2/3"})}
    noises = TruncatedDiscreteLaplace("1/log(2)", bound=3), TableNoise(cut(3, Fraction(1, 2)))
    for epsilon, delta in (("1", "0"), ("2", "1/10")):
        one, other = (
            Problem(laws, noise=Repeated(noise, count=3, draws="fresh"), epsilon=epsilon,
                    delta=delta) for noise in noises  # type: ignore[arg-type]
        )  # fmt: skip
        verdict = certify(one).verdict
        assert verdict is certify(other).verdict
        assert kernel_word(one) == verdict


def test_a_far_bound_is_nearly_discrete_laplace_noise() -> None:
    far = Problem(POINTS, noise=TruncatedDiscreteLaplace(1, bound=60), epsilon="1/2", delta="1/5")
    bare = far.under(DiscreteLaplace(1))
    one, other = (mpmath.mpf(str(loss(problem).delta.upper)) for problem in (far, bare))
    assert abs(one - other) < mpmath.mpf(10) ** -9


def test_a_channel_with_the_same_masses_says_the_same() -> None:
    """The matrix of both rows, entered as expressions."""
    s, whole = "exp(-1/2)", "(1+2*exp(-1/2)+2*exp(-1))"
    shares = [f"{t}/{whole}" for t in ("exp(-1)", s, "1", s, "exp(-1)")]
    names = [str(y) for y in range(-2, 4)]
    rows = {"a": [*shares, "0"], "b": ["0", *shares]}
    channel = Channel.of({"kind": "matrix", "inputs": ["a", "b"], "outputs": names,
                          "rows": [rows["a"], rows["b"]]})  # fmt: skip
    noise = TruncatedDiscreteLaplace(2, bound=2)
    for delta in ("1/10", "1/7", "1/5"):
        through = certify(Problem(
            {name: Finite({x: int(x == name) for x in "ab"}) for name in "ab"}, channel=channel,
            epsilon="1/2", delta=delta,
        ))  # fmt: skip
        added = certify(Problem(POINTS, noise=noise, epsilon="1/2", delta=delta))
        assert through.verdict is added.verdict
        assert [str(pair.delta) for pair in through.pairs] == [
            str(pair.delta) for pair in added.pairs]  # fmt: skip


# ------------------------------------------------------------------------------- the kernel refuses


@pytest.mark.parametrize(
    ("other", "word"),
    [({"bound": "13"}, "rejected"), ({"scale": "11/10"}, "rejected"), ({"step": "2"}, "malformed"),
     ({"bound": "15"}, "certified"), ({"kind": "discrete-laplace"}, "malformed")],
)  # fmt: skip
def test_the_proof_of_one_noise_is_tried_on_another(other: dict[str, str], word: str) -> None:
    problem = Problem(
        POINTS, noise=TruncatedDiscreteLaplace(1, bound=14), epsilon=1, delta="4e-7"
    )
    steps = [
        {"rule": "channel", "belief": "default", "from": a, "to": b} for a, b in ("ab", "ba")
    ]
    assert kernel_said(problem, Verdict.CERTIFIED, steps)[0] == "certified"
    table = problem.to_table()
    table["noise"] |= other
    try:
        changed = Problem.from_table(table)
    except InputError:
        assert word == "malformed"
        return
    assert kernel_said(changed, Verdict.CERTIFIED, steps)[0] == word


def test_the_digest_is_that_of_the_kernel() -> None:
    noises: list[dict[str, Any]] = [
        {"kind": "truncated-discrete-laplace", "scale": "3/2", "step": "1/2", "bound": 2},
        {"kind": "geometric", "p": "1/3"}, {"kind": "geometric", "p": "0.25", "step": "1/2"},
        {"kind": "geometric", "p": "2/7", "bound": 4}, {"kind": "geometric", "bound": 4},
    ]  # fmt: skip
    for noise in noises:
        table = Problem(POINTS, noise=DiscreteLaplace(1), epsilon=1).to_table() | {"noise": noise}
        assert problem_digest(Problem.from_table(table)) == kernel_digest(table)
        written = Problem.from_table(table).to_table()
        assert problem_digest(Problem.from_table(written)) == kernel_digest(written)


# ------------------------------------------------------------------------------- geometric


def test_geometric_noise_is_read_as_discrete_laplace_noise() -> None:
    one = read_noise({"kind": "geometric", "p": "1/2"})
    assert one.canonical() == DiscreteLaplace("1/log(2)").canonical()
    found = read_noise({"kind": "geometric", "p": "3/4", "step": "1/2", "bound": 2})
    assert isinstance(found, TruncatedDiscreteLaplace)
    assert found.canonical() == TruncatedDiscreteLaplace("(1/2)/log(4)", "1/2", 2).canonical()
    without = read_noise({"kind": "geometric"})
    assert without.canonical() == DiscreteLaplace(None).canonical()
    assert found.by_steps[1] / found.by_steps[0] == Fraction(1, 4)


def test_a_file_with_geometric_noise_is_certified_checked_and_calibrated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Problem(POINTS, noise=DiscreteLaplace(1), epsilon="log(2)").to_table()
    path, proof, better = (tmp_path / name for name in ("p.json", "c.json", "better.json"))
    path.write_text(json.dumps(table | {"noise": {"kind": "geometric", "p": "1/2"}}), "utf-8")
    assert main(["certify", str(path), "-o", str(proof)]) == 0
    assert main(["check", str(path), str(proof), "--expect", "certified"]) == 0
    assert main(["calibrate", str(path), "--write", str(better)]) == 0
    noise = json.loads(better.read_text("utf-8"))["noise"]
    assert (noise["kind"], noise["step"]) == ("discrete-laplace", "1")
    assert "p" not in noise
    capsys.readouterr()


# ------------------------------------------------------------------------------- scales and draws


def test_scales_are_tried_one_by_one() -> None:
    problem = Problem(
        POINTS, noise=TruncatedDiscreteLaplace(1, bound=14), epsilon=1, delta="1e-6"
    )
    found = calibrate(problem)
    assert "not always more private" in found.not_applicable["minimum"]
    for method in found.methods.values():
        again = problem.under(problem.release.noise.with_scale(str(method.scale)))
        assert certify(again).verdict is method.verdict
    assert found.methods["tried"].verdict is Verdict.CERTIFIED


def test_more_of_it_may_show_more() -> None:
    """delta at epsilon = 1 rises with the scale: 14 steps are then less rare."""
    small, large = (
        mpmath.mpf(str(loss(Problem(
            POINTS, noise=TruncatedDiscreteLaplace(scale, bound=14), epsilon=1)).delta.upper))
        for scale in (1, 3)
    )  # fmt: skip
    assert small < large


def test_sizes_of_the_noise_are_sums() -> None:
    from pfverify.answers.error_bar import error_bar
    from pfverify.exact.number import Number

    noise = TruncatedDiscreteLaplace("3/2", "1/2", 4)
    weights = cut(8, mpmath.exp(mpmath.mpf(-1) / 3), Fraction(1, 2))
    sd = mpmath.sqrt(sum(float(n) ** 2 * w for n, w in weights.items()))
    mean = sum(abs(float(n)) * w for n, w in weights.items())
    assert abs(float(noise.sd(Fraction(3, 2)).mid()) - sd) < 1e-12
    assert abs(float(noise.mean_abs(Fraction(3, 2)).mid()) - mean) < 1e-12
    within = Fraction(error_bar(noise, Number.parse("3/2")).within)
    assert sum(w for n, w in weights.items() if abs(n) > within) <= 0.05
    assert sum(w for n, w in weights.items() if abs(n) > within - noise.step) > 0.05


def test_draws_have_its_law() -> None:
    count, noise = 20_000, TruncatedDiscreteLaplace("1/log(2)", "1/2", "3/2")
    found = Counter(sample(noise, count).draws)
    expected = cut(3, mpmath.sqrt(mpmath.mpf(1) / 2), Fraction(1, 2))
    assert {Fraction(x) for x in found} <= {*expected}
    for n, w in expected.items():
        sigma = mpmath.sqrt(count * w * (1 - w))
        drawn = sum(k for x, k in found.items() if Fraction(x) == n)
        assert abs(drawn - count * w) < 7 * sigma


# ------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("noise", "message"),
    [
        ({"bound": "1/2"}, "bound: 1/2 is no multiple of the step 1"),
        ({"bound": 0}, "bound: 0 is not > 0"),
        ({"bound": "exp(1)"}, "bound: "),
        ({"bound": None}, "bound: missing, expected the largest size of truncated-discrete"),
        ({"step": None}, "step: missing"),
        ({"scale": -1}, "scale: -1 is negative"),
        ({"bound": 10**9}, "bound: 1000000000 is 1000000000 steps"),
        ({"scale": None, "variance": 1}, "variance: only gaussian noise"),
        ({"kind": "geometric", "scale": None, "p": 1}, "p: 1 is not between 0 and 1"),
        ({"kind": "geometric", "scale": None, "p": "x"}, "p: cannot read"),
        ({"kind": "geometric", "p": "1/2"}, "scale: geometric noise has no such key"),
        ({"kind": "geometric", "scale": None, "bound": "1/2"}, "bound: 1/2 is no multiple"),
    ],
)
def test_bad_input_is_one_line(
    noise: dict[str, Any], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stated = {"kind": "truncated-discrete-laplace", "scale": 1, "step": 1, "bound": 2, **noise}
    table = Problem(POINTS, noise=DiscreteLaplace(1), epsilon=1).to_table()
    table["noise"] = {key: x for key, x in stated.items() if x is not None}
    path = tmp_path / "p.json"
    path.write_text(json.dumps(table), "utf-8")
    with pytest.raises(SystemExit) as left:
        raise SystemExit(main(["certify", str(path)]))
    told = capsys.readouterr().err
    assert (left.value.code, told.count("\n")) == (2, 1)
    assert message in told


def test_priors_off_the_lattice_or_without_atoms_are_refused() -> None:
    from pfverify import Gaussian

    noise = TruncatedDiscreteLaplace(1, bound=2)
    with pytest.raises(InputError, match="truncated discrete Laplace noise needs all atoms"):
        Problem({"a": Discrete({0: 1}), "b": Discrete({"1/2": 1})}, noise=noise, epsilon=1)
    with pytest.raises(InputError, match="needs atoms on a lattice"):
        Problem(POINTS | {"b": Gaussian(0, sd=1)}, noise=noise, epsilon=1)
