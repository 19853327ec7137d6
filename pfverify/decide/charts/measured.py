"""P against e**epsilon Q after the noise, at one working precision: what charts ask of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction

from pfverify.decide.breach import Place
from pfverify.decide.charts.chart import Chart, End
from pfverify.decide.charts.density import SignCell
from pfverify.decide.charts.signed import Signed, Term
from pfverify.exact.ball import Raw
from pfverify.laws.law import Smooth


class Measured(ABC):
    """P against e**epsilon Q (plus the flat part of a bound on one output), released.

    `factor` is e**epsilon; `p` and `q` are the released laws of P and of Q.
    """

    signed: Signed
    factor: Raw
    p: Smooth
    q: Smooth

    @abstractmethod
    def values(self, y: Fraction) -> tuple[Raw, Raw]:
        """Return the released densities of both sides at y: p, and e**epsilon q plus delta."""

    @abstractmethod
    def log_ratio(self, y: Fraction) -> Raw:
        """Return the logarithm of the quotient of the two `values` at y."""

    @abstractmethod
    def chart(self, tolerance: float, known: Sequence[SignCell] = ()) -> Chart:
        """Return the sign chart of the difference of the densities.

        Cells that are `known` from a lower precision are not looked for again.
        """

    @abstractmethod
    def limits(self) -> list[tuple[Raw, Place]]:
        """Return log p/(e**epsilon q) where it is a limit, or the ratio of bare atoms."""

    def tails(self) -> dict[int, Raw]:
        """Return the limit of log p/(e**epsilon q) for each tail (-1, 1) that tells of a scale."""
        return {}

    def bare_atoms(self) -> list[tuple[Term, Raw]]:
        """Return the atoms that no noise has smoothed, each with its p - e**epsilon q."""
        return []

    def ties_far_out(self, sides: Sequence[int]) -> bool:
        """Whether p/q is proved to tend to e**epsilon exactly, in one of these tails."""
        del sides
        return False

    def exact_sign(self, chart: Chart) -> int | None:
        """Return the sign of divergence - delta where all masses are rational, else None."""
        del chart
        return None

    def mass(self, low: End, high: End) -> tuple[Raw, Raw]:
        """Return the released mass of an interval under P and under Q (without e**epsilon)."""
        return self.p.between(low, high), self.q.between(low, high)

    def worst_atom(self) -> Fraction | None:
        """Return the place of a bare atom proved to exceed e**epsilon q, if there is one."""
        return next((atom.mean for atom, value in self.bare_atoms() if value > 0), None)

    def atoms_proved(self) -> bool:
        """Whether every bare atom is proved not to exceed e**epsilon q."""
        return all(value <= 0 for _, value in self.bare_atoms())
