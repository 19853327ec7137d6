"""Whether what an accepted certificate of couplings claims holds, by other means than the kernel's:
quantile functions for the distances, and a float linear programme for the couplings."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import exp
from typing import Any

import mpmath
import numpy as np
from scipy.optimize import linprog

Json = dict[str, Any]
Prior = dict[Fraction, Fraction]


def prior_of(value: Json, secret: str, belief: str) -> Prior:
    table = value["priors"] if "priors" in value else value["beliefs"][belief]["priors"]
    entry = table[secret]
    masses = {Fraction(k): Fraction(v) for k, v in entry.get("mass", entry.get("counts")).items()}
    whole = sum(masses.values())
    return {k: v / whole for k, v in masses.items() if v}


def distances(p: Prior, q: Prior) -> tuple[Fraction, Fraction]:
    """W_1 and W_infinity from the quantile functions, at the midpoints of their common steps."""

    def steps(prior: Prior) -> list[tuple[Fraction, Fraction]]:
        total, found = Fraction(0), []
        for x in sorted(prior):
            total += prior[x]
            found.append((total, x))
        return found

    def quantile(table: list[tuple[Fraction, Fraction]], u: Fraction) -> Fraction:
        return next(x for level, x in table if u <= level)

    a, b = steps(p), steps(q)
    levels = sorted({Fraction(0), *(u for u, _ in a), *(u for u, _ in b)})
    mean, largest = Fraction(0), Fraction(0)
    for low, high in pairwise(levels):
        gap = abs(quantile(a, (low + high) / 2) - quantile(b, (low + high) / 2))
        mean, largest = mean + gap * (high - low), max(largest, gap)
    return mean, largest


def smallest_line(p: Prior, q: Prior, scale: float) -> float:
    """The least over couplings of the largest column mean of e^(|x - x'|/scale), in floats."""
    rows, columns = sorted(p), sorted(q)
    n, m = len(rows), len(columns)
    growth = np.array([[exp(min(700.0, float(abs(x - z)) / scale)) for z in columns] for x in rows])
    equal, right = [], []
    for i, x in enumerate(rows):
        line = np.zeros((n, m))
        line[i] = 1
        equal.append([*line.ravel(), 0])
        right.append(float(p[x]))
    for j, z in enumerate(columns):
        line = np.zeros((n, m))
        line[:, j] = 1
        equal.append([*line.ravel(), 0])
        right.append(float(q[z]))
    upper = []
    for j, z in enumerate(columns):
        line = np.zeros((n, m))
        line[:, j] = growth[:, j]
        upper.append([*line.ravel(), -float(q[z])])
    found = linprog([0] * (n * m) + [1], A_ub=upper, b_ub=[0] * m, A_eq=equal, b_eq=right)
    return float(found.fun)


def step_is_true(value: Json, step: Json) -> bool:
    p, q = (prior_of(value, step[key], step["belief"]) for key in ("from", "to"))
    mean, largest = distances(p, q)
    if step["rule"] == "coupling":
        return largest <= Fraction(step["within"])
    if step["rule"] == "no-coupling":
        return largest >= Fraction(step["below"])
    if step["rule"] == "cost":
        return mean == Fraction(step["cost"])
    epsilon = str(value["epsilon"]).strip()  # "log(n)", or a rational
    if epsilon.startswith("log("):
        limit = float(Fraction(epsilon[4:-1]))
    else:
        limit = float(min(mpmath.exp(float(Fraction(epsilon))), mpmath.mpf(10) ** 300))
    if step["side"] == "rows":
        p, q = q, p
    best = smallest_line(p, q, float(Fraction(step["scale"])))
    return best <= limit + 1e-7 if step["rule"] == "lines-fit" else best >= limit - 1e-7
