"""What no scale can make up for: reasons that hold for every kind of noise."""

from __future__ import annotations

from dataclasses import dataclass

from pfverify.decide.comparison import Never
from pfverify.decide.step import Step
from pfverify.model.notion import Bound
from pfverify.model.question import Question
from pfverify.model.target import Target


@dataclass(frozen=True)
class NoScale(Never):
    """A reason that the kernel sees from the problem alone."""

    reason: str

    @property
    def words(self) -> str:
        """The reason in words."""
        return self.reason

    def step(self, bits: int) -> Step:
        """Return the rule alone."""
        del bits
        return {"rule": "no-scale"}


def equal_only(item: Question, target: Target) -> NoScale | None:
    """Return the reason where the target asks for equal releases and the priors differ."""
    if target.bound is not Bound.RATIO or target.epsilon.sign() != 0:
        return None
    return NoScale(
        f"epsilon = delta = 0 and the priors of {item.first!r} and {item.second!r} differ: no "
        "noise makes them equal"
    )
