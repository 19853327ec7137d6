"""Steps of composition as the tests build them, and what independent outputs diverge by, in floats
and by enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import exp, prod
from typing import Any

from joint_corpus import proved, refuted

Json = dict[str, Any]
F = Fraction
SLIGHTLY = F(1, 10**9)


def point(x: Any) -> Json:
    """The law of one number."""
    return atoms({x: 1})


def atoms(masses: Mapping[Any, Any]) -> Json:
    """A law of numbers."""
    return {"kind": "discrete", "mass": {str(x): str(m) for x, m in masses.items()}}


def many(kind: str, releases: int = 2, draws: str = "same", **more: Any) -> Json:
    """Releases with a noise."""
    return {"kind": kind, **more, "releases": releases, "draws": draws}


def said(h: Any, window: int, *parts: Json, digits: int = 20, **more: Any) -> Json:
    """The keys of a step, of a window about 0."""
    return {"grid": str(h), "digits": digits, "window": [-window, window], "parts": [*parts],
            **more}  # fmt: skip


def levels(low: int, high: int, stride: int = 1, **more: Any) -> Json:
    """A part with its levels."""
    return {"levels": [[low, high, stride]], **more}


def composed(value: Json, first: Json, second: Json | None = None) -> Json:
    """A certificate of both orders."""
    return proved(value, "composed", first, second)


def composed_refuted(value: Json, margin: str, keys: Json) -> Json:
    """A certificate that the first order fails."""
    return refuted(value, "composed-refuted", margin=margin, **keys)


def texts(values: Iterable[Any]) -> list[str]:
    """Rationals as a step has them."""
    return [str(F(x)) for x in values]


def at_levels(
    low: int, high: int, h: F, loss: Callable[[float], float], *, falls: bool = False
) -> list[str]:
    """Where a monotone loss is a little less than each level, by bisection."""
    found = []
    for level in range(low, high + 1):
        a, b = -1e6, 1e6
        for _ in range(200):
            middle = (a + b) / 2
            if (loss(middle) < level * h) != falls:
                a = middle
            else:
                b = middle
        found.append(F(a).limit_denominator(10**12) + (SLIGHTLY if falls else -SLIGHTLY))
    return texts(found)


def enumerated(
    p: Mapping[Any, Any], q: Mapping[Any, Any], noise: Mapping[int, Any], count: int,
    epsilon: float, *, fresh: bool = False,
) -> float:  # fmt: skip
    """The divergence of so many numbers with noise from a table, output by output."""

    def one(law: Mapping[Any, Any]) -> dict[Any, float]:
        found: dict[Any, float] = {}
        for x, m in law.items():
            for n, w in noise.items():
                found[x + n] = found.get(x + n, 0.0) + float(F(m) * F(w))
        return found

    def law_of(law: Mapping[Any, Any]) -> dict[Any, float]:
        found: dict[Any, float] = {}
        draws = [(F(1), law)] if fresh else [(F(m), {x: 1}) for x, m in law.items()]
        for mass, of in draws:
            for outputs in product(one(of).items(), repeat=count):
                y = tuple(at for at, _ in outputs)
                found[y] = found.get(y, 0.0) + float(mass) * prod(w for _, w in outputs)
        return found

    first, second = law_of(p), law_of(q)
    return sum(max(0.0, a - exp(epsilon) * second.get(y, 0.0)) for y, a in first.items())
