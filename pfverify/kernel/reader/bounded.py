"""The release of a number X with Laplace noise that is renormalised in a window of outputs.

Around each x in the window the density is that of Laplace noise over what of it is in the window,
and 0 elsewhere (F81): `line`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, Number, canonical
from core.kinds import Beliefs, Kind, Pairs
from core.line import noisy
from core.shapes import number, rational, table
from core.value import require_range
from core.work import spend
from reader.noise import Noise
from reader.noises import require_known_rest

if TYPE_CHECKING:
    from reader.protocols import Notion


KIND = Kind({}, {}, "the rule is not for atoms with bounded-laplace noise")


class Bounded(Noise):
    """So much of it; its amount is its scale, which does not change."""

    made_of_x = True
    same_for_all = False
    def __new__(cls, amount: Number | None, low: Fraction, high: Fraction) -> Bounded:
        """Noise of this kind."""
        return super().__new__(cls, "bounded-laplace", amount, None)

    def __init__(self, amount: Number | None, low: Fraction, high: Fraction) -> None:
        self.window = low, high

    @property
    def _ends(self) -> tuple[Fraction, Fraction]:
        """Those of its window."""
        if self.window is None:
            raise Malformed("bounded-laplace noise without its window")
        return self.window

    def at(self, amount: Number | None) -> Noise:
        """The same, as another amount of it has other laws; X itself where there is none."""
        if amount != self.amount or amount is None:
            raise Malformed("bounded-laplace noise has its own scale")
        return self if amount else Noise("none", None, None)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """Laws of atoms in the window, which keeps its density."""
        low, high = self._ends
        found = {}
        for name, laws in beliefs.items():
            for law in laws.values():
                if not isinstance(law, dict):
                    raise Malformed("bounded-laplace noise needs priors of atoms")
                spend(64 + 16 * len(law))
                if any(not low <= x <= high for x in law):
                    raise Malformed("an atom is not in the window of the noise")
            found[name] = {s: noisy(law, self) for s, law in laws.items()}
        return found if self.amount else beliefs

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise with its window, and such a notion, as they go into a digest."""
        found = super().canonical(notion)
        ends = dict(zip(("low", "high"), map(canonical, self._ends), strict=True))
        return {**found, "noise": {**found["noise"], **ends}}


def noise(value: Any) -> Bounded:
    """Such noise, as a problem states it."""
    require_known_rest(value)
    stated = table(value["noise"], "noise", {"kind", "low", "high"}, {"scale"})
    low, high = (rational(stated[key], key) for key in ("low", "high"))
    if low >= high:
        raise Malformed("the window must end above where it begins")
    scale = number(stated["scale"], "scale") if "scale" in stated else None
    if scale is not None:
        require_range("scale", scale, decide=False)
    return Bounded(scale, low, high)
