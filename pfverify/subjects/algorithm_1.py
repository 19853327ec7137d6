"""Algorithm 1 of the noise-reduction paper, line by line as printed, in float64.

What the text leaves open is read in its favour: N of line 5 is the n of the text; a column without
mass off the diagonal, where line 4 divides by 0, is left out; the tolerance and the number of
iterations, which are not given, are below. Nothing is repaired. The comments give its lines.

Source: "Noise Reduction for Pufferfish Privacy: A Practical Noise Calibration Method",
Algorithm 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from pfverify.subjects.line import Array, monotone_plan

TOLERANCE = 1e-9  # nu
MAX_ITERATIONS = 200


def scale(atoms: Array, p: Array, q: Array, epsilon: float) -> float:
    """Return the scale of line 22 for the plan of `p` and `q`; 0.0 where no column is left.

    Example: ``round(scale(np.array([0.0, 2]), np.array([0.5, 0.5]), np.array([1.0, 0]),
    np.log(2.5)), 4)`` is ``1.0195``; the root is 1/log(2), about 1.4427.
    """
    columns: defaultdict[int, dict[float, float]] = defaultdict(dict)
    for i, j, mass in monotone_plan(p, q):
        distance = abs(float(atoms[i]) - float(atoms[j]))
        columns[j][distance] = columns[j].get(distance, 0.0) + float(mass)
    n = max(distance for column in columns.values() for distance in column)
    with np.errstate(all="ignore"):  # what overflows goes on, as float64 does
        candidates = [  # lines 1, 2 and 20
            _column(column, n, epsilon) for column in columns.values() if set(column) != {0.0}
        ]
    return max(candidates, default=0.0)  # lines 21 and 22


def _column(column: Mapping[float, float], n: float, epsilon: float) -> float:
    """Lines 3 to 20 for one column: its mass at each distance."""
    distances, masses = np.array(list(column)), np.array(list(column.values()))
    e = np.exp(epsilon)

    def f(t: np.float64) -> np.float64:  # line 3
        return np.float64(np.sum((t**distances - e) * masses))

    whole, stay = np.sum(masses), np.float64(column.get(0.0, 0.0))
    phi = np.log((e * whole - stay) / (whole - stay))  # line 4
    theta_a, theta_b = 1 / phi, n / phi  # line 5
    t_a, t_b = np.exp(1 / theta_a), np.exp(1 / theta_b)  # line 6
    if abs(f(t_b)) > abs(f(t_a)):  # line 7
        t_a, t_b = t_b, t_a
    t_c = t_a  # line 8
    iterations = 0
    while abs(t_b - t_c) > TOLERANCE and iterations < MAX_ITERATIONS:  # line 9
        f_a, f_b, f_c = f(t_a), f(t_b), f(t_c)
        if f_a != f_c and f_b != f_c:  # line 10
            t = _inverse_quadratic(t_a, t_b, t_c, f_a, f_b, f_c)  # line 11
        elif f_a != f_b:  # line 12
            t = (t_a * f_b - t_b * f_a) / (f_b - f_a)  # line 13
        else:  # line 14
            t = (t_b + t_c) / 2  # line 15
        if not min(t_b, t_c) < t < max(t_b, t_c):  # line 16
            t = (t_b + t_c) / 2  # line 17
        t_a, t_c, t_b = t_c, t_b, t  # line 18
        iterations += 1
    return float(max(1 / np.log(t_c), 1 / np.log(t_b)))  # lines 19 and 20


def _inverse_quadratic(
    a: np.float64, b: np.float64, c: np.float64, f_a: np.float64, f_b: np.float64, f_c: np.float64
) -> np.float64:
    """Return the value at 0 of the quadratic in f through three points."""
    return (
        a * f_b * f_c / ((f_a - f_b) * (f_a - f_c))
        + b * f_a * f_c / ((f_b - f_a) * (f_b - f_c))
        + c * f_a * f_b / ((f_c - f_a) * (f_c - f_b))
    )
