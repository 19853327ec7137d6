"""What is true of a Renyi divergence, by sums and quadrature in mpmath: no code of the kernel."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import mpmath as mp
from kernel_builder import real

Json = dict[str, Any]
TINY = mp.mpf("1e-12")


def is_renyi(problem: Json) -> bool:
    """Whether a problem bounds one."""
    return problem.get("form") == "renyi"


def is_true(problem: Json, certificate: Json, word: str) -> bool:
    """Whether the divergences are what a certificate says; a tie counts as met."""
    found, epsilon = both(problem), real(problem["epsilon"])
    if word == "certified":
        return all(value <= epsilon + TINY for value in found.values())
    step = certificate["steps"][0]
    return bool(found[step["from"]] >= epsilon + mp.mpf(step["margin"]) - TINY)


def both(problem: Json) -> dict[str, Any]:
    """The divergence of each secret's law from the other one's."""
    if any("mass" not in problem["priors"][s] for s in "ab"):
        p, q = (_density(problem["priors"][s]) for s in "ab")
        return {"a": _of_densities(problem, p, q), "b": _of_densities(problem, q, p)}
    one, two = ({real(x): real(m) for x, m in problem["priors"][s]["mass"].items()} for s in "ab")
    return {"a": divergence(problem, one, two), "b": divergence(problem, two, one)}


def divergence(problem: Json, p: Json, q: Json) -> Any:
    """That of the first law from the second one, of all releases together."""
    noise, a = problem["noise"], real(problem["order"])
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


def _density(prior: Json) -> Parts:
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
