"""What proves a decision, where a rule and a few numbers do: each writes its certificate step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pfverify.decide.step import Evidence, Step


@dataclass(frozen=True)
class ByRule(Evidence):
    """Nothing but the rule, exact: no precision is needed."""

    rule: str

    def step(self, bits: int) -> Step:
        """Return the rule alone."""
        del bits
        return {"rule": self.rule}


@dataclass(frozen=True)
class AtAtoms(Evidence):
    """A bound checked at every atom; `ties`, where a rule wants them: those with equality."""

    rule: str
    ties: Sequence[Fraction] | None = None

    def step(self, bits: int) -> Step:
        """Return the rule, its precision, and the ties."""
        step: Step = {"rule": self.rule, "bits": bits}
        return step if self.ties is None else step | {"ties": [str(atom) for atom in self.ties]}


@dataclass(frozen=True)
class KeptStep(Evidence):
    """The step that evidence wrote at 0 bits, in another process: only the bits may differ."""

    rule: str
    written: Step

    def step(self, bits: int) -> Step:
        """Return the step, worked out at this precision or at the higher one that it asks for."""
        if "bits" not in self.written:
            return dict(self.written)
        return self.written | {"bits": max(bits, self.written["bits"])}
