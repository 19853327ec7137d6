"""Releases in fractions: where e^(-step/scale) and e^epsilon are rational nothing is rounded.

A prior is a dictionary integer -> mass; the atoms are these integers times a unit, and the scale is
unit/log(base), so that e^(-unit/scale) = 1/base.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

Law = dict[int, Fraction]


class Rational:
    """One ordered pair: sums over atoms, the divergence, the largest ratio, all exact.

    The divergence of Laplace noise is `whole` minus the sum of the square roots of `roots`.
    """

    def __init__(self, p: Law, q: Law, base: int, factor: int) -> None:
        self.t = Fraction(1, base)
        self.p, self.q = p, q
        self.mu = {x: p.get(x, 0) - factor * q.get(x, 0) for x in {*p, *q}}
        self.atoms = sorted(self.mu)

    def _sum(self, law: Law, y: int) -> Fraction:
        return sum((m * self.t ** abs(y - x) for x, m in law.items()), Fraction(0))

    def g(self, y: int) -> Fraction:
        """p - e^epsilon q at one output, without the constant of the noise."""
        return self._sum(self.mu, y)

    def largest_ratio(self) -> Fraction:
        """The supremum of p/q over all outputs: it is reached at an atom."""
        return max(self._sum(self.p, a) / self._sum(self.q, a) for a in self.atoms)

    def lattice(self) -> Fraction:
        """The divergence under discrete Laplace noise with the unit as step."""
        first, last = self.atoms[0], self.atoms[-1]
        inner = sum((max(self.g(y), Fraction(0)) for y in range(first, last + 1)), Fraction(0))
        tails = (max(self.g(first), 0) + max(self.g(last), 0)) * self.t / (1 - self.t)
        return (inner + tails) * (1 - self.t) / (1 + self.t)

    def highest(self) -> Fraction:
        """The largest mass p - e^epsilon q at one output, discrete Laplace noise (at least 0)."""
        first, last = self.atoms[0], self.atoms[-1]
        top = max(self.g(y) for y in range(first, last + 1))
        return max(top, Fraction(0)) * (1 - self.t) / (1 + self.t)

    def laplace(self) -> tuple[Fraction, list[Fraction]]:
        """The divergence under Laplace noise."""
        whole = (max(self.g(self.atoms[0]), Fraction(0)) + max(self.g(self.atoms[-1]), 0)) / 2
        roots = []
        for low, high in pairwise(self.atoms):
            tau = self.t ** (high - low)
            a = sum((m * self.t ** (low - x) for x, m in self.mu.items() if x <= low), Fraction(0))
            b = sum(
                (m * self.t ** (x - high) for x, m in self.mu.items() if x >= high), Fraction(0)
            )
            ends = (a + b * tau, a * tau + b)
            if min(ends) >= 0:
                whole += (a + b) * (1 - tau) / 2
            elif max(ends) > 0:
                large, small = (a, b) if a > 0 else (b, a)
                whole += (large - small * tau) / 2
                roots.append(-large * small * tau)
        return whole, roots

    def laplace_text(self) -> str:
        """The divergence under Laplace noise as a number of a problem file."""
        whole, roots = self.laplace()
        return "-".join([str(whole), *(f"exp(log({r})/2)" for r in roots)])
