"""certify --explain of steps and of newer noises: every number against another arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from pfverify import (
    Discrete,
    DiscreteGaussian,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    Joint,
    Laplace,
    Nothing,
    Problem,
    TableNoise,
    TruncatedDiscreteLaplace,
    TruncatedLaplace,
    certify,
)
from pfverify.edge.explain import explained
from pfverify.edge.packaged import load_example
from pfverify.model.releases.stepped import ManyCells
from pfverify.model.steps.step import published

Tail = Callable[[Fraction, Fraction], mpf]
INTERVAL = re.compile(
    r"(any Y|Y = \S+|Y <=? \S+|Y >=? \S+|\S+ <=? Y <=? \S+|no row)( up to multiples of \S+)?"
)


def tails(noise: Any) -> tuple[Tail, Callable[[Fraction], mpf] | None]:
    """P(N + spread >= d), and P(N = d) on a lattice, as definitions."""
    with mpmath.workdps(40):
        match noise:
            case Laplace():
                b = mpf(noise.scale.fraction.numerator) / noise.scale.fraction.denominator

                def laplace(d: Fraction, v: Fraction) -> mpf:
                    def one(u: mpf) -> mpf:
                        half = mpmath.exp(-abs(u) / b) / 2
                        return half if u >= 0 else 1 - half

                    if not v:
                        return one(num(d))
                    root, at = mpmath.sqrt(num(v)), num(d)
                    ends = sorted({at - 16 * root, at, at + 16 * root, mpf(0)})
                    return mpmath.quad(lambda u: mpmath.npdf(u, at, root) * one(u), ends)

                return laplace, None
            case TruncatedLaplace():
                b, a = num(noise.scale.fraction), num(noise.bound)

                def truncated(d: Fraction, v: Fraction) -> mpf:
                    d = min(max(num(d), -a), a)
                    end = mpmath.exp(-a / b)
                    upper = (mpmath.exp(-abs(d) / b) - end) / (2 * (1 - end))
                    return upper if d >= 0 else 1 - upper

                return truncated, None
            case GaussianNoise():
                return (lambda d, v: mpmath.ncdf(-num(d) / mpmath.sqrt(num(v + noise.variance))),
                        None)  # fmt: skip
    h = noise.step
    if isinstance(noise, DiscreteLaplace | TruncatedDiscreteLaplace):
        def size(d: Fraction) -> mpf:
            within = noise.bound is None or abs(d) <= noise.bound
            return within * mpmath.exp(-abs(num(d)) / num(noise.scale.fraction))
        reach = 120 * noise.scale.fraction if noise.bound is None else noise.bound
    else:
        def size(d: Fraction) -> mpf:
            return mpmath.exp(-num(d) ** 2 / (2 * num(noise.variance)))
        reach = Fraction(int(mpmath.sqrt(num(noise.variance)) * 15 + 15))
    points = [k * h for k in range(-int(reach / h), int(reach / h) + 1)]
    whole = mpmath.fsum(map(size, points))
    return (lambda d, v: mpmath.fsum(size(x) for x in points if x >= d) / whole,
            lambda d: size(d) / whole)  # fmt: skip


def density(noise: Any, mean: Fraction, v: Fraction, y: Fraction, side: int) -> mpf:
    """The density around a component just beside a number."""
    away = abs(num(y - mean))
    if isinstance(noise, GaussianNoise):
        return mpmath.npdf(away, 0, mpmath.sqrt(num(noise.variance + v)))
    b = num(noise.scale.fraction)
    if v:
        root = mpmath.sqrt(num(v))
        return mpmath.quad(
            lambda u: mpmath.npdf(u, away, root) * mpmath.exp(-abs(u) / b) / (2 * b),
            sorted({away - 16 * root, away, away + 16 * root, mpf(0)}))  # fmt: skip
    if not isinstance(noise, TruncatedLaplace):
        return mpmath.exp(-away / b) / (2 * b)
    within = abs(y + side * Fraction(1, 10**9) - mean) < noise.bound
    return within * mpmath.exp(-away / b) / (2 * b * (1 - mpmath.exp(-num(noise.bound) / b)))


def num(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def told(asked: Problem) -> list[str]:
    return explained(asked, certify(asked)).lines


def last(line: str) -> mpf:
    return mpf(re.findall(r"[-+0-9.e]+(?=\.?$)", line)[-1].rstrip("."))


def near(shown: mpf, true: mpf) -> bool:
    """Whether a number is the other rounded down to ten digits, or a shorter decimal next to it."""
    return abs(shown - true) <= abs(true) * mpf(10) ** -9


def inside(text: str, y: Fraction) -> bool:
    """Whether a number lies in an interval as it is written."""
    found = INTERVAL.fullmatch(text)
    assert found, text
    words = text
    if (more := found.group(2)) is not None:
        period = Fraction(more.split()[-1])
        words = found.group(1)
        ends = [Fraction(x) for x in re.findall(r"-?\d[\d.e/-]*", words)]
        y = ends[0] + (y - ends[0]) % period
    if words == "any Y":
        return True
    if words == "no row":
        return False
    words = re.sub(r"-?\d[\d.e/-]*", lambda m: f"F('{m.group()}')", words)
    return bool(eval(words.replace("Y = ", "Y == "), {"F": Fraction, "Y": y}))


def check(asked: Problem) -> list[str]:
    """Every number of an explanation, against masses by definitions."""
    result = certify(asked)
    lines = explained(asked, result).lines
    noise = asked.release.noise
    steps = getattr(asked.release, "steps", ())
    worst = result.pairs[0]
    priors = asked.beliefs["default"]
    behind = next((x for x in lines if " what becomes of " in x), None)
    texts = [] if behind is None else behind.split(" what becomes of ")[1][:-1].split(" or ")
    if texts and not any("more interval" in x for x in texts):
        check_preimage(texts, lines, steps, noise, priors, result)
    with mpmath.workdps(40):
        tail, point = tails(noise)
        values = check_sums(lines, noise, tail, point)
        if any("-> " in line for line in lines) or any("B is empty" in line for line in lines):
            assert not values
            return lines
        growth = mpmath.exp(num(asked.epsilon.fraction))
        for line in lines:
            if line.startswith("e^epsilon"):
                assert near(last(line), growth * values[1])
            if line.startswith("P(B | ") and " - e^epsilon" in line:
                true = values[0] - growth * values[1]
                assert abs(last(line) - true) < mpf(10) ** -9
                assert worst.delta is not None
                assert abs(last(line) - mpf(str(worst.delta.lower))) <= 2e-6 * last(line)
        if values and asked.delta.fraction == 0 and worst.loss is not None:
            ratio = mpmath.log(values[0] / values[1]) if values[1] else mpmath.inf
            loss = mpf(str(worst.loss.upper))
            assert ratio == loss or abs(ratio - loss) < 1e-6
    return lines


def check_sums(lines: list[str], noise: Any, tail: Tail, point: Any) -> list[mpf]:
    values, terms, v = list[mpf](), list[mpf](), Fraction(0)
    names: dict[str, Any] = {"F": Fraction, "b": None, "e": None}
    if noise.scale is not None and noise.scale.fraction is not None:
        names |= {"b": num(noise.scale.fraction)}
    for line in lines:
        if re.fullmatch(r"[pP]\(.* \| .*\) is the sum of", line):
            terms = []
        elif re.match(r"[pP]\(.* \| .*\) = 0: there is no row", line):
            values.append(mpf(0))
        elif line.startswith("  = "):
            if terms is not None:
                values.append(mpmath.fsum(terms))
                assert near(last(line), values[-1]), (line, values[-1])
        elif line.startswith("  no row"):
            terms.append(num(Fraction(line.split(": ")[1])))
        elif line.startswith("  ") and ("atom" in line or "N(" in line):
            name, _, rest = line.strip().partition(": ")
            weight = Fraction(name.split(" of ")[0]) if " of " in name else Fraction(1)
            v = Fraction(re.findall(r", (\S+)\)$", name)[0]) if "N(" in name else Fraction(0)
            if " = " not in rest or "A = " in rest:  # a density
                shown = [mpf(x) for x in re.findall(r"\d[\d.e-]*", rest)]
                side = 1 if any("just above" in line for line in lines) else -1
                mean = re.split(r"[(,]", name)[1] if "N(" in name else name.split("atom ")[1]
                true = density(noise, Fraction(mean), v,
                               Fraction(re.findall(r"y = (\S+),", lines[0])[0]), side)
                size = true * num(weight)
                assert near(shown[-1], size), (line, size)
                terms.append(size)
                continue
            sum_, _, rest = rest.rpartition(" = ")
            found = re.sub(r"([Tw])\(([^()]*)\)", r"\1(F('\2'))", sum_)
            found = re.sub(r"e\^\(-([^()]*)/b\)", r"exp(-num(F('\1'))/b)", found)
            names |= {"T": partial(tail, v=v), "w": point, "num": num, "exp": mpmath.exp}
            true = mpf(eval(found, names))
            shown = [mpf(x) for x in re.findall(r"[-0-9.e]+", rest.replace("weighted", ""))]
            assert near(shown[0], true), (line, true)
            terms.append(true * num(weight))
            if weight != 1:
                assert near(shown[-1], terms[-1]), line
    return values


def check_preimage(texts: list[str], lines: list[str], steps: Any, noise: Any, priors: Any,
                   result: Any) -> None:
    """Numbers lie in the intervals exactly where the steps make the output of them."""
    lattice = noise.step
    origin = Fraction(0)
    grid = ([origin + k * lattice for k in range(-40, 41)] if lattice
            else [Fraction(k, 16) + Fraction(1, 47) for k in range(-300, 300)])  # fmt: skip
    if noise.bound is not None:
        grid = [y for y in grid if -noise.bound <= y <= 2 + noise.bound]
    inner = {y for y in grid if any(inside(text, y) for text in texts)}
    if not any(line.startswith("The worst output") for line in lines):
        kinds = {published(steps, y) for y in inner} & {
            published(steps, y) for y in grid if y not in inner}
        assert not kinds, kinds  # B is made of whole outputs
        return
    first = re.match(r"The worst output is y = '(.*)', from", lines[0])
    assert first
    place = first.group(1)
    assert result.form == "pointwise" or place == str(result.pairs[0].worst_y)
    for y in grid:
        name = published(steps, y)
        if "[" in place and (place.startswith("less") or place.endswith("more")):
            continue
        if place.startswith("less than "):
            assert (y in inner) == (name != "suppressed" and
                                    Fraction(name) < Fraction(place.split()[-1]))
        elif place.endswith(" and more"):
            assert (y in inner) == (name != "suppressed" and
                                    Fraction(name) >= Fraction(place.split()[0]))
        else:
            assert (y in inner) == (name == place), (y, name, place)


ATOMS = Discrete({0: "1/2", 2: "1/2"}), Discrete({0: "1/3", 1: "1/3", 2: "1/3"})
STEPS = {
    "round": [{"round": {"to": "2", "ties": "even"}}],
    "floor": [{"floor": {"to": "3/2"}}],
    "clamp-round": [{"clamp": ["0", "3"]}, {"ceil": {"to": "1"}}],
    "bins": [{"bins": {"edges": ["0", "1", "5/2"]}}],
    "modulo": [{"floor": {"to": "1"}}, {"modulo": "3"}],
    "threshold-round": [{"threshold": {"at": "1", "keep": "above"}},
                        {"round": {"to": "1", "ties": "up"}}],
    "clamp": [{"clamp": ["-1", "2"]}],
    "threshold": [{"threshold": {"at": "1", "keep": "at-least"}}],
    "clamp-threshold": [{"clamp": ["-1", "2"]}, {"threshold": {"at": "1/2", "keep": "above"}}],
}  # fmt: skip
NOISES = {
    "laplace": Laplace("3/2"), "discrete-laplace": DiscreteLaplace("3/2", 1),
    "truncated": TruncatedLaplace("3/2", 4), "gaussian": GaussianNoise("3/2"),
    "discrete-gaussian": DiscreteGaussian(variance=2),
    "truncated-discrete": TruncatedDiscreteLaplace("3/2", 1, 2),
}  # fmt: skip


FEW = [("laplace", "clamp-round", "0"), ("laplace", "modulo", "0"), ("laplace", "clamp", "1/100"),
       ("laplace", "clamp-threshold", "0"), ("discrete-laplace", "modulo", "1/100"),
       ("truncated", None, "0"), ("truncated", None, "1/100"), ("truncated", "bins", "0"),
       ("gaussian", "clamp", "0"), ("gaussian", "round", "1/100"),
       ("discrete-gaussian", None, "0"), ("discrete-gaussian", "bins", "0"),
       ("discrete-gaussian", "threshold", "1/100"), ("truncated-discrete", "threshold", "1/100"),
       ("truncated-discrete", "round", "1/100"), ("truncated-discrete", "bins", "0")]  # fmt: skip
"""By default; all others are long."""


def cases() -> Iterator[Any]:
    for noise in NOISES:
        for steps in (*STEPS, None):
            own = ("laplace", "discrete-laplace", "gaussian", "truncated-discrete")
            if steps is None and noise in own:
                continue  # these have writers of their own
            if steps == "modulo" and noise in ("gaussian", "discrete-gaussian"):
                continue  # not decided
            for delta in ("0", "1/100"):
                few = (noise, steps, delta) in FEW
                marks = () if few else (pytest.mark.long,)
                yield pytest.param(noise, steps, delta, id=f"{noise}-{steps}-{delta}", marks=marks)


@pytest.mark.parametrize(("noise", "steps", "delta"), list(cases()))
def test_numbers_are_those_of_definitions(noise: str, steps: str | None, delta: str) -> None:
    post = None if steps is None else STEPS[steps]
    asked = Problem({"a": ATOMS[0], "b": ATOMS[1]}, noise=NOISES[noise], post=post,
                    epsilon="1/10", delta=delta)  # fmt: skip
    lines = check(asked)
    assert lines[-1].startswith("Rounding: ")


ROWS = {
    "nothing": (Nothing(ATOMS[1], "1/4"), Discrete({1: 1})),
    "normal": (Gaussian(0, variance=1), Gaussian(1, variance=2)),
    "both": (Nothing(), ATOMS[0]),
}  # fmt: skip


@pytest.mark.parametrize("delta", ["0", "1/100"])
@pytest.mark.parametrize(
    ("rows", "noise"),
    [(rows, noise) for rows in ROWS for noise in ("laplace", "gaussian", "discrete-gaussian")
     if (rows, noise) != ("normal", "discrete-gaussian")],
)  # fmt: skip
def test_no_row_and_normal_priors_are_written_out(rows: str, noise: str, delta: str) -> None:
    steps = STEPS["clamp-threshold"] if rows != "normal" else STEPS["floor"]
    first, second = ROWS[rows]
    check(Problem({"a": first, "b": second}, noise=NOISES[noise], post=steps,
                  epsilon="1/10", delta=delta))  # fmt: skip


def test_a_threshold_is_redone_by_hand() -> None:
    lines = told(load_example("threshold"))
    assert "B is what becomes of Y >= 5." in lines
    assert "  the atom 1: T(4) = 0.01338980493" in lines  # e^-4/(1+e^-1)
    assert "P(B | absent) = 0: there is no row" in lines
    assert any("= delta = (exp(-4)/(1+exp(-1))): certified." in line for line in lines)


def test_an_output_that_only_no_row_has_needs_no_interval() -> None:
    steps = [{"clamp": [2, 8]}, {"threshold": {"at": "1/2", "keep": "above"}}]
    asked = Problem({"a": Nothing(), "b": Discrete({-1: 1})}, noise=DiscreteLaplace(3, 1),
                    post=steps, epsilon=0)  # fmt: skip
    lines = told(asked)
    assert "It is what becomes of no row." in lines
    assert "So 1 > 0: refuted here." in lines


def test_steps_that_leave_one_output_leave_one_law() -> None:
    steps = [{"clamp": [0, "5/2"]}, {"threshold": {"at": "7/2", "keep": "at-least"}}]
    for noise in (GaussianNoise(2), Laplace(2), DiscreteGaussian(2)):
        asked = Problem({"a": Nothing(ATOMS[0], "1/3"), "b": Nothing()}, noise=noise,
                        post=steps, epsilon="1/2")  # fmt: skip
        assert any(line.startswith("So ") and "certified" in line for line in told(asked))


def test_many_outputs_are_found_by_their_names() -> None:
    one, two = (Discrete(counts={10 * x: 1 + (x * k) % 7 for x in range(12)}) for k in (3, 5))
    for delta in (0, "1/1000"):
        asked = Problem({"a": one, "b": two}, noise=Laplace(5), post=STEPS["round"],
                        epsilon="1/1000", delta=delta)  # fmt: skip
        assert any(isinstance(item.release, ManyCells) for item in asked.questions())
        check(asked)


def test_counted_outputs_say_what_the_steps_are() -> None:
    table = TableNoise({-1: "1/4", 0: "1/2", 1: "1/4"})
    asked = Problem({"a": ATOMS[0], "b": ATOMS[1]}, noise=table, post=STEPS["clamp"], epsilon=1)
    lines = told(asked)
    assert lines[0].endswith("that these steps take to it: clamp to [-1, 2].")
    assert "So 1/8 <= 0.2265234857...: certified here." in lines
    channel = {"kind": "truncated-geometric", "size": 4, "ratio": "1/2"}
    asked = Problem.from_table({"schema": "pfverify/problem/1", "epsilon": "1/2",
                                "channel": channel, "post": [{"clamp": ["0", "2"]}]})  # fmt: skip
    assert "So 2/3 > 0.1373934392...: refuted here." in told(asked)


def test_a_table_of_noise_is_written_out_without_steps() -> None:
    table = TableNoise({-1: "1/4", 0: "1/2", 1: "1/4"})
    lines = told(Problem({"a": ATOMS[0], "b": ATOMS[1]}, noise=table, epsilon=1))
    assert lines[1].startswith("Y = X + N, N from the noise table")


def test_several_numbers_with_noise_from_a_table_are_written_out() -> None:
    """The outputs are those of Y, not the points of X."""
    table = TableNoise({-1: "1/4", 0: "1/2", 1: "1/4"})
    first, second = (Joint(["x", "y"], [[0, k, 1]]) for k in range(2))
    lines = told(Problem({"a": first, "b": second}, noise=table, epsilon=1, delta="1/3"))
    assert any("y = (0, -1): 1/8 under a, 0 under b" in line for line in lines)


def test_steps_before_the_noise_are_said() -> None:
    rounded = [{"round": {"to": "1", "ties": "up"}}]
    asked = Problem({"a": Discrete({"1/2": 1}), "b": Discrete({7: 1})}, noise=Laplace(1),
                    pre=rounded, epsilon=1)  # fmt: skip
    lines = told(asked)
    assert lines[0].startswith("X goes through steps first (round to multiples of 1, halves up)")
    assert any("e^(-6/scale)" in line for line in lines)
