"""The release of a number X with Laplace noise that is truncated: at most `bound` in size.

All of the line keeps its density, in pieces between the atoms and what the noise reaches: `line`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, Number, canonical
from core.kinds import Beliefs, Kind, Pairs
from core.line import noisy
from core.shapes import number, rational, table
from core.value import require_range
from core.work import spend
from reader.noise import Noise

if TYPE_CHECKING:
    from reader.protocols import Notion


KIND = Kind({}, {}, "the rule is not for atoms with truncated-laplace noise")


class Truncated(Noise):
    """So much of it; its amount is its scale, which does not change."""

    made_of_x = True

    def at(self, amount: Number | None) -> Noise:
        """The same, as another amount of it has other laws; X itself where there is none."""
        if amount != self.amount or amount is None:
            raise Malformed("truncated-laplace noise has its own scale")
        return self if amount else Noise("none", None, None)

    def laws(self, beliefs: Beliefs, pairs: Pairs) -> Beliefs:
        """Laws of atoms, of which all of the line keeps its density."""
        if self.amount == 0:
            return beliefs
        found = {}
        for name, laws in beliefs.items():
            spend(64 * len(laws))
            if any(not isinstance(law, dict) for law in laws.values()):
                raise Malformed("truncated-laplace noise needs priors of atoms")
            found[name] = {s: noisy(law, self) for s, law in laws.items()}
        return found

    def canonical(self, notion: Notion) -> dict[str, Any]:
        """The noise with its bound, and such a notion, as they go into a digest."""
        found = super().canonical(notion)
        bound = None if self.bound is None else canonical(self.bound)
        return {**found, "noise": {**found["noise"], "bound": bound}}


def noise(value: Any) -> Truncated:
    """Such noise, as a problem states it."""
    stated = table(value["noise"], "noise", {"kind", "bound"}, {"scale"})
    bound = rational(stated["bound"], "bound")
    if bound <= 0:
        raise Malformed("the bound must be positive")
    scale = number(stated["scale"], "scale") if "scale" in stated else None
    if scale is not None:
        require_range("scale", scale, decide=False)
    return Truncated("truncated-laplace", scale, None, bound)
