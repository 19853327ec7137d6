"""What is true of a Renyi divergence, by sums and quadrature in mpmath: no code of the kernel."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
from kernel_builder import real
from numpy.polynomial.legendre import leggauss as legendre_rule

Json = dict[str, Any]
TINY = mp.mpf("1e-12")
ROOT = float(mp.sqrt(2 * mp.pi))


def is_renyi(problem: Json) -> bool:
    """Whether a problem bounds one."""
    return problem.get("form") in ("renyi", "zcdp")


def is_true(problem: Json, certificate: Json, word: str) -> bool:
    """Whether the divergences are what a certificate says; a tie counts as met."""
    found, epsilon = both(problem), real(problem["epsilon"])
    if word == "certified":
        return all(value <= epsilon + TINY for value in found.values())
    step = certificate["steps"][0]
    return bool(found[step["from"]] >= epsilon + mp.mpf(step["margin"]) - TINY)


def both(problem: Json) -> dict[str, Any]:
    """The divergence of each secret's law from the other one's."""
    if "parts" in problem:
        given = {key: x for key, x in problem.items() if key != "parts"}
        found = [(both({**given, **part}), part.get("times", 1)) for part in problem["parts"]]
        return {s: mp.fsum(n * one[s] for one, n in found) for s in "ab"}
    if problem["noise"].get("draws") == "same" or "total" in problem["noise"] or any(
        law["kind"] == "joint" for law in problem["priors"].values()
    ):
        return of_one_x(problem)
    if any("mass" not in problem["priors"][s] for s in "ab"):
        p, q = (_components(problem["priors"][s]) for s in "ab")
        return {"a": _of_densities(problem, p, q), "b": _of_densities(problem, q, p)}
    one, two = ({real(x): real(m) for x, m in problem["priors"][s]["mass"].items()} for s in "ab")
    return {"a": _bounded(problem, one, two), "b": _bounded(problem, two, one)}


def _bounded(problem: Json, p: Json, q: Json) -> Any:
    """What is bounded of two laws: of all orders the largest over its order, of many that are
    looked at."""
    if problem["form"] == "renyi":
        return divergence(problem, p, q)
    orders = [1 + mp.mpf(2) ** k for k in range(-12, 6, 3)]
    return max(divergence({**problem, "order": a}, p, q) / a for a in orders)


def divergence(problem: Json, p: Json, q: Json) -> Any:
    """That of the first law from the second one, of all releases together."""
    noise, a = problem["noise"], problem["order"]
    a = a if isinstance(a, mp.mpf) else real(a)
    times = noise.get("releases", 1)
    if noise["kind"] == "none":
        if not p.keys() <= q.keys():
            return mp.inf
        return mp.log(mp.fsum(m**a * q[x] ** (1 - a) for x, m in p.items())) / (a - 1)
    if noise["kind"] in ("truncated-laplace", "discrete-gaussian"):
        return _of_listed(noise, p, q, a)
    shape, width = _shape(noise)

    def h(y: Any) -> Any:
        one, two = (mp.fsum(m * shape(abs(y - x)) for x, m in law.items()) for law in (p, q))
        return one**a * two ** (1 - a)

    places = sorted({*p, *q})
    if noise["kind"] == "discrete-laplace":
        reach = range(int(places[0] - 60 * width), int(places[-1] + 60 * width) + 1)
        total = mp.fsum(h(mp.mpf(y)) for y in reach)
    else:
        far = [k * width for k in (1, 3, 6, 10, 20, 40)]
        cuts = [places[0] - x for x in reversed(far)] + places + [places[-1] + x for x in far]
        total = mp.quad(h, cuts)
    return times * mp.log(total) / (a - 1)


def _of_listed(noise: Json, p: Json, q: Json, a: Any) -> Any:
    """With noise that ends, by pieces; with discrete Gaussian noise on the integers, by points."""
    if noise["kind"] == "discrete-gaussian":
        v, reach = real(noise["variance"]), range(-60, 61)
        whole = mp.fsum(mp.exp(-mp.mpf(k) ** 2 / (2 * v)) for k in reach)

        def mass(law: Json, y: int) -> Any:
            return mp.fsum(m * mp.exp(-((y - x) ** 2) / (2 * v)) for x, m in law.items()) / whole

        return mp.log(mp.fsum(mass(p, y) ** a * mass(q, y) ** (1 - a) for y in reach)) / (a - 1)
    scale, bound = real(noise["scale"]), real(noise["bound"])
    cuts = sorted({x + side * bound for x in (*p, *q) for side in (-1, 0, 1)} | {*p, *q})
    total = mp.mpf(0)
    for low, high in pairwise(cuts):
        inside = [{x: m for x, m in law.items() if x - bound <= low and high <= x + bound}
                  for law in (p, q)]  # fmt: skip
        if inside[0] and not inside[1]:
            return mp.inf

        def h(y: Any, laws: Any = inside) -> Any:
            one, two = (mp.fsum(m * mp.exp(-abs(y - x) / scale) for x, m in law.items())
                        for law in laws)  # fmt: skip
            return one**a * two ** (1 - a)

        if inside[0]:
            total += mp.quad(h, [low, high])
    return mp.log(total / (2 * scale * (1 - mp.exp(-bound / scale)))) / (a - 1)


def _shape(noise: Json) -> tuple[Any, Any]:
    """The density or mass at a distance, and a unit of length."""
    if noise["kind"] == "gaussian":
        v = real(noise["variance"])
        return lambda d: mp.exp(-d * d / (2 * v)) / mp.sqrt(2 * mp.pi * v), mp.sqrt(v)
    scale = real(noise["scale"])
    if noise["kind"] == "laplace":
        return lambda d: mp.exp(-d / scale) / (2 * scale), scale
    if not re.fullmatch("1", str(noise["step"])):
        raise ValueError("only the integers")
    t = mp.exp(-1 / scale)
    return lambda d: t**d * (1 - t) / (1 + t), scale


Parts = list[tuple[Any, Any, Any]]


def _components(prior: Json) -> Parts:
    """Weights, means and variances of normal laws without noise."""
    parts = prior.get("components") or [prior | {"weight": 1}]
    return [(real(x["weight"]), real(x["mean"]), real(x["variance"])) for x in parts]


def _of_densities(problem: Json, p: Parts, q: Parts) -> Any:
    """Infinite, or by quadrature in a window that all but nothing is in."""
    a = real(problem["order"])
    for way in (1, -1):
        (_, m, v), (_, n, w) = (max(law, key=lambda x: (x[2], way * x[1])) for law in (p, q))
        bend, slope = a / v + (1 - a) / w, -way * (a * m / v + (1 - a) * n / w)
        if bend < -TINY or (abs(bend) <= TINY and slope <= 0):
            return mp.inf

    def at(law: Parts, y: Any) -> Any:
        return mp.fsum(w * mp.npdf(y, m, mp.sqrt(v)) for w, m, v in law)

    cuts = mp.linspace(-60, 60, 61)
    return mp.log(mp.quad(lambda y: at(p, y) ** a * at(q, y) ** (1 - a), cuts)) / (a - 1)


# ---------------------------------------------------------------- several outputs of one X

NODES = legendre_rule(24)
FAR = (0.0, 0.5, 1.0, 2.0, 4.0, 7.0, 11.0, 16.0, 24.0, 36.0)


def of_one_x(problem: Json) -> dict[str, Any]:
    """Of releases of one X, or of numbers with noise each, by a rule of Gauss on a grid."""
    noise, a = problem["noise"], float(real(problem["order"]))
    if "total" in noise:
        scales = [1 / float(real(noise["total"]))]
    elif "scales" in noise:
        scales = [float(real(x)) for x in noise["scales"]]
    else:
        scale = noise["scale"]
        each = scale if isinstance(scale, list) else [scale] * noise.get("releases", 1)
        scales = [float(real(x)) for x in each]
    laws = {s: _points(problem["priors"][s], len(scales)) for s in "ab"}
    places = [sorted({x[k] for law in laws.values() for x in law}) for k in range(len(scales))]
    if all(len(law) == 1 for law in laws.values()):  # independent
        found = dict.fromkeys("ab", mp.mpf(0))
        for k, scale in enumerate(scales):
            one = {s: {(x[k],): m for x, m in law.items()} for s, law in laws.items()}
            for s, t in ("ab", "ba"):
                found[s] += _on_grid(one[s], one[t], [places[k]], [scale], noise["kind"], a)
        return found
    return {
        s: _on_grid(laws[s], laws[t], places, scales, noise["kind"], a) for s, t in ("ab", "ba")
    }


def _points(prior: Json, size: int) -> dict[tuple[float, ...], float]:
    if prior["kind"] == "joint":
        return {tuple(float(real(x)) for x in xs): float(real(m)) for *xs, m in prior["rows"]}
    return {(float(real(x)),) * size: float(real(m)) for x, m in prior["mass"].items()}


def _on_grid(
    p: Json, q: Json, places: list[list[float]], scales: list[float], kind: str, a: float
) -> Any:
    """Of the first law from the second one, all outputs together."""
    far = FAR if kind == "laplace" else FAR[:7]  # behind it squares are 0 in floats
    axes = [_axis(xs, scale, far) for xs, scale in zip(places, scales, strict=True)]
    ratio = [_density(law, axes, scales, kind) for law in (p, q)]
    weights = axes[0][1]
    for _, more in axes[1:]:
        weights = np.multiply.outer(weights, more)
    return mp.log(float((weights * ratio[0] ** a * ratio[1] ** (1 - a)).sum())) / (a - 1)


def _axis(xs: list[float], scale: float, far: tuple[float, ...]) -> tuple[Any, Any]:
    ends = sorted({*xs, *(xs[0] - f * scale for f in far), *(xs[-1] + f * scale for f in far)})
    nodes, weights = NODES
    cuts = [*pairwise(ends)]
    at = np.concatenate([(a + b) / 2 + (b - a) / 2 * nodes for a, b in cuts])
    return at, np.concatenate([(b - a) / 2 * weights for a, b in cuts])


def _density(law: Json, axes: list[Any], scales: list[float], kind: str) -> Any:
    total = 0.0
    for x, mass in law.items():
        found = np.array(mass)
        for (at, _), v, scale in zip(axes, x, scales, strict=True):
            z = (at - v) / scale
            one = np.exp(-abs(z)) / 2 if kind == "laplace" else np.exp(-z * z / 2) / ROOT
            found = np.multiply.outer(found, one / scale)
        total = total + found
    return total
