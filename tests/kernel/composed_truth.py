"""What many releases diverge by, in floats: every combination of outputs, of which those of a line
are cells so narrow that nothing is lost to four digits.  Shares no code with the kernel, and no
idea: no loss, no grid of losses, no convolution."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import erf, exp, sqrt
from typing import Any

import kernel_builder as kb
import numpy as np
from joint_truth import TooLargeError, law

Json = dict[str, Any]
Vector = np.ndarray[Any, np.dtype[np.float64]]
Point = tuple[Fraction, ...]
WIDTH, REACH, NEAR = 0.02, 14.0, 2e-4
MOST = 30_000_000

FARTHEST = 700  # exponent


def is_composed(cert: Any) -> bool:
    """Whether a certificate composes."""
    return isinstance(cert, dict) and any(
        str(step.get("rule")).startswith("composed") for step in cert["steps"]
    )


def _cdf(noise: Json) -> Callable[[float], float]:
    if noise["kind"] == "gaussian":
        return lambda y: (1 + erf(y / (float(kb.real(noise["scale"])) * sqrt(2)))) / 2
    scale = float(kb.real(noise["scale"]))

    def laplace(y: float) -> float:
        return exp(y / scale) / 2 if y < 0 else 1 - exp(-y / scale) / 2

    if noise["kind"] == "laplace":
        return laplace
    bound = float(kb.real(noise["bound"]))
    below, above = laplace(-bound), laplace(bound)
    return lambda y: (laplace(min(max(y, -bound), bound)) - below) / (above - below)


def _outputs(noise: Json, x: Fraction) -> dict[float, float]:
    """The masses of outputs, or of cells by their middles."""
    kind = noise["kind"]
    if kind == "table":
        return {float(x + Fraction(n)): float(Fraction(w)) for n, w in noise["weights"].items()}
    if "step" in noise:
        scale, step = float(kb.real(noise["scale"])), float(kb.real(noise["step"]))
        size = (lambda k: abs(k) * step / scale) if kind == "discrete-laplace" else (
            lambda k: (k * step) ** 2 / (2 * scale**2))  # fmt: skip
        weights = {k: exp(-size(k)) for k in range(-60, 61)}
        total = sum(weights.values())
        return {float(x) + k * step: w / total for k, w in weights.items()}
    reach = REACH * float(kb.real(noise["scale"]))
    cdf, cuts = _cdf(noise), np.arange(-reach, reach + WIDTH / 2, WIDTH)
    ends = [0.0, *(cdf(float(y) - float(x)) for y in cuts), 1.0]
    middles = [float(cuts[0]) - 1, *(float(y) + WIDTH / 2 for y in cuts)]
    return dict(zip(middles, map(float, np.diff(ends)), strict=True))


def _after(steps: list[Json], y: float) -> float:
    """What steps make of an output."""
    for step in steps:
        if "bins" in step:
            y = float(sum(float(kb.real(edge)) <= y for edge in step["bins"]["edges"]))
        else:
            low, high = (float(kb.real(end)) for end in step["clamp"])
            y = min(max(y, low), high)
    return y


def _vectors(noise: Json, steps: list[Json], values: list[Fraction]) -> list[Vector]:
    return _known(json.dumps([noise, steps]), tuple(values))


@cache
def _known(told: str, values: tuple[Fraction, ...]) -> list[Vector]:
    """The masses of the outputs for each value of one number."""
    rows, (noise, steps) = [], json.loads(told)
    for x in values:
        found: dict[float, float] = {}
        for y, mass in _outputs(noise, x).items():
            at = round(_after(steps, y), 9)
            found[at] = found.get(at, 0.0) + mass
        rows.append(found)
    names = sorted({y for row in rows for y in row})
    return [np.array([row.get(y, 0.0) for y in names]) for row in rows]


def divergence(value: Json, belief: str, source: str, target: str) -> float:
    """P(B) - e^epsilon Q(B) of the best B."""
    noise, priors = value["noise"], kb.beliefs(value)[belief]
    p, q = (law(priors[name]) for name in (source, target))
    scales = noise.get("scales") or [noise.get("scale")] * int(noise.get("releases", 1))
    points: list[Point] = [*dict.fromkeys([*p, *q])]
    names = next(iter(priors.values())).get("names", [None])
    releases = []
    for scale in scales:
        for k, name in enumerate(names):
            steps = [s for s in value.get("post", []) if s.get("coordinate") == name]
            one = noise if scale is None else {**noise, "scale": scale}
            releases.append(_vectors(one, steps, [x[k] for x in points]))

    def joint(masses: dict[Point, Any], fresh: bool) -> Vector:
        weights = [float(masses.get(x, 0)) for x in points]
        if fresh:
            drawn = (sum(w * row for w, row in zip(weights, rows, strict=True))
                     for rows in releases)  # fmt: skip
            return _all([np.asarray(one) for one in drawn])
        total = sum(w * _all([rows[k] for rows in releases]) for k, w in enumerate(weights) if w)
        return np.asarray(total)

    fresh = noise.get("draws") == "fresh"
    epsilon, above, below = float(kb.real(value["epsilon"])), joint(p, fresh), joint(q, fresh)
    # beyond what floats hold all of it is covered, but where Q is nothing
    grown = exp(epsilon) * below if epsilon < FARTHEST else np.where(below > 0, np.inf, 0)
    excess = above - grown
    return float(excess[excess > 0].sum())


def _all(rows: list[Vector]) -> Vector:
    found = np.ones(1)
    for row in rows:
        found = np.outer(found, row).ravel()
        if found.size > MOST:
            raise TooLargeError("too many outputs")
    return found


def is_true(value: Json, cert: Json, word: str) -> bool:
    """Whether what an accepted certificate claims holds."""
    delta = float(kb.real(value.get("delta", 0)))
    if word == "certified":
        return all(divergence(value, *goal) <= delta + NEAR for goal in kb.ordered_goals(value))
    (step,) = cert["steps"]
    found = divergence(value, step["belief"], step["from"], step["to"])
    return found >= delta + float(step["margin"]) - NEAR


def of_normals(mean: float, epsilon: float) -> float:
    """The divergence of N(0, 1) from N(mean, 1) in closed form."""

    def phi(x: float) -> float:
        return (1 + erf(x / sqrt(2))) / 2

    return phi(mean / 2 - epsilon / mean) - exp(epsilon) * phi(-mean / 2 - epsilon / mean)


def of_bits(chances: tuple[float, float], count: int, epsilon: float) -> float:
    """That of so many bits, each 1 with either chance."""
    ways, total = 1.0, 0.0
    for k in range(count + 1):
        a, b = (c**k * (1 - c) ** (count - k) for c in chances)
        total += ways * max(0.0, a - exp(epsilon) * b)
        ways *= (count - k) / (k + 1)
    return total


