"""What proves a refutation: the witness as it is written."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pfverify.answers.outcome import Witness
from pfverify.decide.step import Evidence, Step
from pfverify.exact.published import Extended, Infinite


@dataclass(frozen=True)
class Refutation(Evidence):
    """An output or event that breaks the bound by a margin, as its rule names it."""

    rule: str
    witness: Witness

    def step(self, bits: int) -> Step:
        """Return the rule, its precision, the margin, and the output or event."""
        step: Step = {"rule": self.rule, "bits": bits, "margin": str(self.witness.margin)}
        if self.witness.outputs is not None:
            step["outputs"] = self.witness.outputs
        elif self.witness.output is not None:
            step["output"] = self.witness.output
        elif self.witness.growth is not None:
            step["growth"] = str(self.witness.growth)
        elif self.witness.event is not None:
            step["event"] = [[_end(low), _end(high)] for low, high in self.witness.event]
        elif self.witness.y is not None:
            step["y"] = _end(self.witness.y)
        return step


def _end(end: Extended) -> str:
    return str(end) if isinstance(end, Infinite) else str(Fraction(end))
