"""What the rules ask of noise that a problem states, and of a normal form; loaded for no answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from core.enclose import Arithmetic, Interval
from core.zero import Form, Sum


class Noise(Protocol):
    """Noise with exponential tails."""

    @property
    def rate(self) -> Form:
        """1/scale."""

    @property
    def step(self) -> Fraction | None:
        """Of the lattice that it lives on."""

    @property
    def bound(self) -> Fraction | None:
        """Of its size, where it is truncated."""

    @property
    def window(self) -> tuple[Fraction, Fraction] | None:
        """The ends of outputs, where it is renormalised between them."""

    def decay(self, distance: Fraction) -> Form:
        """The exponent of e^(-distance/scale)."""


class Difference(Protocol):
    """g = p - e^epsilon q of a goal in a normal form (of the pointwise form with a delta, less that
    delta too), with what a step says of it: what the rules of `calculus` and `refutations` ask."""

    @property
    def facts(self) -> set[str]:
        """The facts by which the answers stand, of those that were asked for."""

    def positive(self) -> str | None:
        """What is said where g <= 0 is not established, the first such part of a cover of all
        outputs; None: it is established on all of them."""

    def require_area(self) -> None:
        """Rejected unless the sum of [g]_+ over a cover is established to be at most delta."""

    def require_at(self, margin: Fraction, *, ratio: bool) -> None:
        """Rejected unless at the step's output p > 0 and p >= e^(epsilon + margin) q (`ratio`), or
        p - e^epsilon q - delta >= margin, is established."""

    def require_on(self, margin: Fraction) -> None:
        """Rejected unless P(B) - e^epsilon Q(B) - delta >= margin is established, B the step's."""


class Moment(Protocol):
    """R of a goal, the integral of p^a q^(1-a) for its order a > 1: e^((a-1) D)."""

    @property
    def facts(self) -> set[str]:
        """The facts by which the answers stand, of those that were asked for."""

    def enclosed(self, ar: Arithmetic) -> Interval | None:
        """An enclosure of R; None: it is infinite."""

    def exact(self) -> tuple[Sum, Sum]:
        """Exponential sums N and D > 0 with R = N/D, of one that is finite; Undecided where there
        are none."""


class Profile(Protocol):
    """The outputs of a goal, as `composed` puts them together with others: from above by their
    divergence at every E, from below by cells of them.  Its epsilon and delta are not asked for."""

    @property
    def goal(self) -> Any:
        """The goal."""

    @property
    def facts(self) -> set[str]:
        """The facts by which the answers stand, of those that were asked for."""

    @property
    def at_cuts(self) -> bool:
        """Whether a divergence needs a cut."""

    @property
    def on_line(self) -> bool:
        """Whether cells are between cuts."""

    def above(self, growth: Form, cut: Fraction | None) -> Interval:
        """An interval, whose upper end is at least sup over B of P(B) - e^growth Q(B)."""

    def cells(self, cuts: Sequence[Fraction], law: Any) -> list[Interval]:
        """The masses under a law, of P or Q or of the same outputs, of disjoint cells, which the
        goal and the cuts say."""
