"""Random problems about atoms, in the shape of problem files: far from the edge, near it, on it.

Every generator takes a `Random` and returns a `Case`, or None where the draw leads nowhere. Needs
tests/kernel on the path, for its oracle.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import kernel_builder as kb
import mpmath
from mpmath import mpf

from support import oracles
from support.rational_truth import Law, Rational

Json = dict[str, Any]
FORMS = ("pure", "events", "pointwise")
NOISES = ("laplace", "discrete-laplace")
EPSILONS = (0, "1/10", "1/2", 1, "0.3", 2, "log(2)", "log(3)/2", "1/3+log(2)")
DELTAS = ("1/10", "1/1000", "0.52", "1-exp(-1/4)", "1e-6")
SCALES = ("1/2", 1, "3/2", "51/25", 4, "1/log(3)", "2/log(5/2)", "exp(1/3)", "7/2", 11)


class Case(NamedTuple):
    """A problem; `tie` where one of its ordered pairs meets its bound with equality, by algebra."""

    table: Json
    kind: str
    tie: bool = False


def noise_table(kind: str, scale: Any, step: Any = 1) -> Json:
    """The noise of a problem file."""
    table = {"kind": kind, "scale": scale}
    return table | {"step": step} if kind == "discrete-laplace" else table


def prior_table(prior: dict[Any, Fraction]) -> Json:
    """A prior of a problem file."""
    return {"kind": "discrete", "mass": {str(a): str(m) for a, m in prior.items()}}


def table(
    priors: list[dict[Any, Fraction]], noise: Json, epsilon: Any, delta: Any, form: str
) -> Json:
    """A problem whose secrets are a, b, c, ..."""
    return {
        "schema": "pfverify/problem/1",
        "epsilon": epsilon,
        "delta": delta,
        "form": "pointwise" if form == "pointwise" else "events",
        "noise": noise,
        "priors": {name: prior_table(prior) for name, prior in zip("abcd", priors, strict=False)},
    }


def releases(value: Json) -> list[kb.Release]:
    """The oracle for every ordered pair of a problem."""
    scale = kb.real(value["noise"]["scale"])
    return [kb.Release(value, *goal, scale) for goal in kb.ordered_goals(value)]


def worst(value: Json, form: str) -> mpf:
    """The least epsilon (pure) or delta that the problem meets."""
    found = releases(value)
    if form == "pure":
        return max(r.loss() for r in found)
    if form == "pointwise":
        return max(0, *(r.g(a) for r in found for a in r.atoms))
    return max(r.divergence() for r in found)


# ---------------------------------------------------------------- near the edge


SHIFTS = ("1e-30", "1e-20", "1e-12", "1e-6", "1/100", "1/4")


def edge(rng: Random, form: str, noise: str) -> Case | None:
    """Random priors, with the target a little or much above or below the true value."""
    kind = rng.choice([k for k in oracles.KINDS if noise == "laplace" or k != "rational"])
    priors = list(oracles.random_pair(rng, kind, 6))
    if rng.random() < 0.08:
        priors += oracles.random_pair(rng, kind, 3)[:1]
    if noise == "discrete-laplace":
        unit = rng.choice([Fraction(1), Fraction(5, 2), Fraction(1, 3)])
        priors = [{a * unit: m for a, m in prior.items()} for prior in priors]
        noisy = noise_table(noise, rng.choice(SCALES), str(rng.choice([unit, unit / 2])))
    else:
        size = Fraction(rng.randint(1, 40), rng.choice([4, 10, 20]))
        noisy = noise_table(noise, rng.choice([*SCALES, str(size), str(size)]))
    delta = 0 if form == "pure" else rng.choice(DELTAS)
    value = table(priors, noisy, rng.choice(EPSILONS), delta, form)
    if rng.random() < 0.15:
        return Case(value, f"{kind} as drawn")
    if form != "pure" and rng.random() < 0.5:  # epsilon near where delta still binds
        least = worst({**value, "delta": 0, "form": "events"}, "pure")
        value["epsilon"] = str(oracles.near(rng, oracles.real(str(kb.fraction_text(least))),
                                            ("0.1", "0.5", "0.9")))  # fmt: skip
    found = worst(value, form)
    if not mpf(10) ** -18 < found < (400 if form == "pure" else mpf("0.79")):
        return Case(value, f"{kind} as drawn")
    shift = kb.real(rng.choice(SHIFTS)) * rng.choice((-1, 1)) * (found if found < 1 else 1)
    value["epsilon" if form == "pure" else "delta"] = kb.fraction_text(found + shift)
    return Case(value, f"{kind} near the edge")


# ---------------------------------------------------------------- on the edge


TINY = ("1e-30", "1e-40")


def _law(rng: Random, low: int = -3, high: int = 6) -> Law:
    weights = {rng.randint(low, high): rng.randint(1, 9) for _ in range(rng.randint(1, 4))}
    return {x: Fraction(w, sum(weights.values())) for x, w in weights.items()}


def rational(rng: Random, form: str, noise: str) -> Case | None:
    """e^(-unit/scale) and e^epsilon rational: the exact value is the target, or 1e-30 away."""
    unit = rng.choice([Fraction(1), Fraction(2), Fraction(1, 3)])
    base, factor = rng.choice([2, 3, 4, 9]), rng.choice([1, 1, 2, 3])
    p, q = _law(rng), _law(rng)
    ways = [Rational(p, q, base, factor), Rational(q, p, base, factor)]
    epsilon, delta = f"log({factor})", "0"
    if form == "pure":
        epsilon = f"log({max(way.largest_ratio() for way in ways)})"
    elif noise == "laplace":
        delta = max((way.laplace_text() for way in ways), key=kb.real)
    else:
        delta = str(max(way.lattice() if form == "events" else way.highest() for way in ways))
    value = table(
        [{x * unit: m for x, m in law.items()} for law in (p, q)],
        noise_table(noise, f"{unit}/log({base})", str(unit)), epsilon, delta, form,
    )  # fmt: skip
    return _moved(rng, value, form, "rational")


def _moved(rng: Random, value: Json, form: str, kind: str) -> Case | None:
    """The tie itself, or a target a little beside it."""
    key = "epsilon" if form == "pure" else "delta"
    exact = kb.real(value[key])
    if not mpf(10) ** -9 < exact < (50 if form == "pure" else 1):
        return None
    if rng.random() < 0.5:
        return Case(value, f"{kind} tie", tie=True)
    value[key] = f"{value[key]}{rng.choice('+-')}{rng.choice(TINY)}"
    return Case(value, f"{kind} beside a tie")


def peak(rng: Random, form: str, noise: str) -> Case | None:
    """Two point masses with Laplace noise, pointwise: the height at an atom."""
    gap, scale = Fraction(rng.randint(1, 8)), Fraction(rng.randint(2, 12), 4)
    epsilon = rng.choice(["0", "1/2", "log(2)"])
    priors = [{Fraction(0): Fraction(1)}, {gap: Fraction(1)}]
    target = f"(1-exp({epsilon})*exp(-{gap / scale}))/(2*{scale})"
    if kb.real(target) >= 1:
        return None
    value = table(priors, noise_table(noise, str(scale)), epsilon, target, form)
    return _moved(rng, value, form, "peak")


def translated(rng: Random, form: str, noise: str) -> Case | None:
    """A prior and its translate at the published scale distance/epsilon: a tie at the tails."""
    p, gap = _law(rng), rng.randint(1, 9)
    q = {x + gap: m for x, m in p.items()}
    epsilon = rng.choice(["1/2", "3/10", "1", "2", "log(3)", "1/3+log(2)", "7/5"])
    scale = f"{gap}/({epsilon})"
    near = rng.random()
    if near < 0.5:
        scale = f"{scale}{'+' if near < 0.25 else '-'}{rng.choice(TINY)}"
    priors = [{Fraction(x): m for x, m in law.items()} for law in (p, q)]
    value = table(priors, noise_table(noise, scale), epsilon, 0, form)
    return Case(value, f"translated {'tie' if near >= 0.5 else 'beside a tie'}", near >= 0.5)


def _two_points(rng: Random) -> tuple[Fraction, Fraction, int]:
    """The masses of the upper of two points, and their distance."""
    a, b = (Fraction(rng.randint(0, 20), 20) for _ in range(2))
    return a, b, rng.randint(1, 5)


def bernoulli(rng: Random, form: str, noise: str) -> Case | None:
    """Two points at the closed form: t = e^(-gap/scale) solves p(atom) = e^epsilon q(atom)."""
    a, b, gap = _two_points(rng)
    epsilon = rng.choice(["1/4", "1/2", "1", "3/2", "log(2)"])
    e = f"exp({epsilon})"
    scales = []
    for p, q in ((a, b), (b, a), (1 - a, 1 - b), (1 - b, 1 - a)):  # order, and atom
        low, high = f"({p}-{e}*{q})", f"({e}*(1-{q})-(1-{p}))"
        if kb.real(low) > 0 and kb.real(high) > kb.real(low) * mpf("1.000001"):
            scales.append(f"{gap}/log({high}/{low})")
    if not scales:
        return None
    scale = max(scales, key=kb.real)
    near = rng.random()
    if near < 0.5:
        scale = f"{scale}{'+' if near < 0.25 else '-'}{rng.choice(TINY)}"
    priors = [{Fraction(0): 1 - m, Fraction(gap): m} for m in (a, b)]
    value = table(priors, noise_table(noise, scale), epsilon, 0, form)
    return Case(value, f"bernoulli {'tie' if near >= 0.5 else 'beside a tie'}", near >= 0.5)


def radical(rng: Random, form: str, noise: str) -> Case | None:
    """Two points, epsilon and gap/scale rational: delta is a closed form with one square root."""
    a, b, gap = _two_points(rng)
    scale, epsilon = Fraction(rng.randint(2, 20), 4), rng.choice(["0", "1/2", "1", "1/3"])
    e, tau = f"exp({epsilon})", f"exp(-{gap / scale})"
    texts = []
    for p, q in ((a, b), (b, a)):
        low, high = f"({1 - p}-{e}*{1 - q})", f"({p}-{e}*{q})"
        ends = f"({low}+{high}*{tau})", f"({low}*{tau}+{high})"
        at = [kb.real(end) for end in ends]
        whole = "+".join(["0", *(f"{end}/2" for end, v in zip(ends, at, strict=True) if v > 0)])
        if min(at) >= 0:
            texts.append(f"{whole}+({low}+{high})*(1-{tau})/2")
        elif max(at) > 0:
            large, small = (low, high) if kb.real(low) > 0 else (high, low)
            root = f"exp(log(-{large}*{small}*{tau})/2)"
            texts.append(f"{whole}+({large}-{small}*{tau})/2-{root}")
    if not texts:
        return None
    delta = max(texts, key=kb.real)
    priors = [{Fraction(0): 1 - m, Fraction(gap): m} for m in (a, b)]
    value = table(priors, noise_table(noise, str(scale)), epsilon, delta, form)
    return _moved(rng, value, form, "radical")


def bare(rng: Random, form: str, noise: str, tie: bool = True) -> Case:
    """Priors on the same atoms that meet the target, or nearly, without any noise.

    With epsilon = delta = 0 (now and then) no scale works.
    """
    atoms = sorted(rng.sample(range(-4, 9), rng.randint(2, 5)))
    p, q = (dict(zip(atoms, oracles.random_masses(rng, len(atoms), 9), strict=True)) for _ in "ab")
    delta, densities = Fraction(0), form == "pointwise" and noise == "laplace"
    ratio = max(max(p[a] / q[a], q[a] / p[a]) for a in atoms)
    if form == "pure" and rng.random() < 0.2:
        return Case(table([p, q], noise_table(noise, 1), 0, 0, form), "bare epsilon 0")
    if form == "pure" or densities:
        epsilon = f"log({ratio})"
        delta = Fraction(0) if form == "pure" else Fraction(1, 10)
    else:
        for factor in (rng.choice([1, Fraction(5, 4)]), 1):
            gaps = [[x[a] - factor * y[a] for a in atoms] for x, y in ((p, q), (q, p))]
            sums = [sum((g for g in found if g > 0), Fraction(0)) for found in gaps]
            delta = max(sums) if form == "events" else max(max(found) for found in gaps)
            if delta > 0:
                break
        epsilon = f"log({factor})"
    value = table([p, q], noise_table(noise, 1), epsilon, str(delta), form)
    if tie:
        return Case(value, "bare tie")
    key = "epsilon" if form == "pure" or densities else "delta"
    return Case({**value, key: f"{value[key]}*(1-{rng.choice(SHIFTS)})"}, "bare beside a tie")


Family = Callable[[Random, str, str], Case | None]
FAMILIES: dict[tuple[str, str], list[Family]] = {
    ("pure", "laplace"): [edge, rational, edge, translated, edge, bernoulli],
    ("pure", "discrete-laplace"): [edge, rational, edge, translated, edge, bernoulli],
    ("events", "laplace"): [edge, rational, edge, radical],
    ("events", "discrete-laplace"): [edge, rational],
    ("pointwise", "laplace"): [edge, edge, edge, peak],  # an irrational constant
    ("pointwise", "discrete-laplace"): [edge, rational],
}


def random_case(rng: Random, form: str | None = None, noise: str | None = None) -> Case:
    """One problem, of any family that fits the form and the noise."""
    form, noise = form or rng.choice(FORMS), noise or rng.choice(NOISES)
    while True:
        found = rng.choice(FAMILIES[form, noise])(rng, form, noise)
        if found is not None and _differ(found.table):
            return found


def _differ(value: Json) -> bool:
    laws = [kb.law(prior) for prior in value["priors"].values()]
    return any(law != laws[0] for law in laws[1:])


def near_one(x: mpf) -> bool:
    """Whether a number is too near 0 for an opinion of 60 digits."""
    return bool(abs(x) < mpmath.mpf(10) ** -45)


def unnoised(rng: Random, form: str, noise: str, tie: bool) -> Case:
    """The value itself is released: `noise` is none, or a noise whose scale is 0."""
    masses = noise in ("none", "discrete-laplace")
    case = bare(rng, form, "discrete-laplace" if masses else "laplace", tie)
    noisy = {
        "none": {"kind": "none"},
        "gaussian": {"kind": "gaussian", "variance": 0},
    }.get(noise, {**case.table["noise"], "scale": 0})
    return Case({**case.table, "noise": noisy}, case.kind, case.tie)
