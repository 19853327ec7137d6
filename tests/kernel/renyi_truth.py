"""What is true of a Renyi divergence, by sums and quadrature in mpmath: no code of the kernel."""

from __future__ import annotations

import re
from typing import Any

import mpmath as mp
from kernel_builder import real

Json = dict[str, Any]
TINY = mp.mpf("1e-12")


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
    one, two = ({real(x): real(m) for x, m in problem["priors"][s]["mass"].items()} for s in "ab")
    return {"a": _bounded(problem, one, two), "b": _bounded(problem, two, one)}


def _bounded(problem: Json, p: Json, q: Json) -> Any:
    """What is bounded of two laws: of all orders the largest over its order, of many that are
    looked at."""
    if problem["form"] == "renyi":
        return divergence(problem, p, q)
    orders = [1 + mp.mpf(2) ** k for k in range(-12, 6)]
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
