"""The release of a number X with discrete Laplace noise that is truncated: at most `bound` in size.

With s = e^(-step/scale) and n = bound/step a distance of k <= n steps has the mass
(s^k - s^(k+1))/(1 + s - 2 s^(n+1)) (F80).  Outputs are finitely many: the rules are those of atoms.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, Number, bounded, canonical
from core.kinds import Beliefs, Mass, Pairs
from core.masses import total_of
from core.quotients import quotient
from core.shapes import number, rational, table
from core.value import require_range
from core.work import price, spend, table_of
from core.zero import NIL, Sum, add
from reader.listed import Law, Listed
from reader.noise import Noise
from reader.noises import require_lattice

if TYPE_CHECKING:
    from reader.protocols import Notion

MOST = 1_000_000  # masses of a law
ONE, TWO = Fraction(1), Fraction(2)


class TruncatedLattice(Listed):
    """So much of it; its amount is its scale, which does not change."""

    listed_by = "F80"

    def at(self, amount: Number | None) -> Noise:
        """The same, as another amount of it has other laws; X itself where there is none."""
        if amount != self.amount or amount is None:
            raise Malformed("truncated-discrete-laplace noise has its own scale")
        return self if amount else Noise("none", None, None)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """The laws of Y, of atoms on one lattice."""
        found = super().laws(beliefs, pairs) if self.amount else beliefs
        require_lattice(beliefs, pairs, self._step)
        return found

    @property
    def _step(self) -> Fraction:
        if self.step is None:
            raise Malformed("discrete-laplace noise without its step")
        return self.step

    @cached_property
    def sizes(self) -> tuple[Mass, ...]:
        """The masses of 0, 1, ... n steps."""
        count = int((self.bound or 0) / self._step)
        if 2 * count + 1 > MOST:
            raise Malformed("noise with too many perturbations")
        spend(256 * (count + 2))
        powers = [self.decay(k * self._step) if k else NIL for k in range(count + 2)]
        whole: Sum = add({NIL: ONE}, {powers[1]: ONE})
        whole = add(whole, {powers[-1]: -TWO})
        return tuple(
            quotient(add({powers[k]: ONE}, {powers[k + 1]: -ONE}), whole) for k in range(count + 1)
        )

    def drawn(self, x: Fraction) -> Iterable[tuple[Fraction, Mass]]:
        """The multiples of the step, with their masses."""
        last = len(self.sizes) - 1
        for k in range(-last, last + 1):
            yield k * self._step, self.sizes[abs(k)]

    def convolved(self, law: object) -> Law:
        """The law of X + N, or such a measure."""
        if not isinstance(law, dict):
            raise Malformed("truncated-discrete-laplace noise needs priors of atoms")
        if len(law) * (2 * len(self.sizes) - 1) > MOST:
            raise Malformed("noise with too many perturbations of so many atoms")
        found: dict[Fraction, list[tuple[Mass, Mass]]] = {}
        for x, m in law.items():
            size = x.denominator.bit_length() + x.numerator.bit_length()
            for n, w in self.drawn(x):
                spend(192 + price(size + n.denominator.bit_length()))
                found.setdefault(bounded(x + n), []).append((m, w))
        table_of(found)
        return {y: total_of(found[y]) for y in sorted(found)}

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise with its bound, and such a notion, as they go into a digest."""
        found = super().canonical(notion)
        bound = None if self.bound is None else canonical(self.bound)
        return {**found, "noise": {**found["noise"], "bound": bound}}


def noise(value: Any) -> TruncatedLattice:
    """Such noise, as a problem states it."""
    stated = table(value["noise"], "noise", {"kind", "step", "bound"}, {"scale"})
    step, bound = (rational(stated[key], key) for key in ("step", "bound"))
    if step <= 0 or bound <= 0 or (bound / step).denominator != 1:
        raise Malformed("the step must be positive, and the bound a multiple of it")
    scale = number(stated["scale"], "scale") if "scale" in stated else None
    if scale is not None:
        require_range("scale", scale, decide=False)
    return TruncatedLattice("truncated-discrete-laplace", scale, step, bound)
