"""What `curve` answers: a curve of every ordered pair, and that of the problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pfverify.answers.curves.orders import OrdersPair
from pfverify.answers.curves.pair import KnownPair
from pfverify.answers.outcome import ordered_line
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.published import Real
from pfverify.model.problem import Problem
from pfverify.results import UNSAID, WHERE_SAID, Brief, Certifiable


@dataclass(frozen=True)
class CurvePoint(NoTruth, ask="read its attributes"):
    """A place of a curve, and what is proved there; what a kind has not is None.

    profile: `growth` is e**epsilon, exactly, `epsilon` its logarithm, and `delta` the largest
    P(B) - growth Q(B). trade-off: `type_1` a chance of rejecting P though it is true, and `type_2`
    the least chance of keeping P though Q is true. odds: `weight` that of P, and `success` the
    largest chance of a right guess. renyi: `order`, and the `divergence`.
    """

    growth: Real | None = field(default=None, metadata=WHERE_SAID)
    epsilon: Enclosure | None = field(default=None, metadata=WHERE_SAID)
    type_1: Real | None = field(default=None, metadata=WHERE_SAID)
    weight: Real | None = field(default=None, metadata=WHERE_SAID)
    order: Real | None = field(default=None, metadata=WHERE_SAID)
    delta: Enclosure | None = field(default=None, metadata=WHERE_SAID)
    type_2: Enclosure | None = field(default=None, metadata=WHERE_SAID)
    success: Enclosure | None = field(default=None, metadata=WHERE_SAID)
    divergence: Enclosure | None = field(default=None, metadata=WHERE_SAID)


@dataclass(frozen=True, repr=False)
class OrderedCurve(Brief, NoTruth, ask="compare the ends of .points"):
    """The curve of one ordered pair, P the law under `from_`; `widest`: its bounds apart, at most.

    That is so at the points and between them.
    """

    belief: str
    from_: str
    to: str
    widest: Enclosure
    points: list[CurvePoint]

    def _line(self) -> str:
        said = f"{len(self.points)} points, bounds at most {self.widest.upper} apart"
        return ordered_line(self.from_, self.to, said)


@dataclass(frozen=True, repr=False)
class CurveResult(Certifiable, NoTruth, ask="compare .widest.upper, or the ends of .points"):
    """Curves of one kind: `pairs` of each ordered pair, `curve` of the problem.

    That is the largest of all; of `trade-off` the largest convex function below all of them, which
    is what the problem guarantees. From `start` to `end` the bounds of no pair are farther apart
    than `widest`, also between points; `gap` is what was asked for. `known` and `stated` are what
    a certificate says.
    """

    kind: str
    start: Enclosure
    end: Enclosure
    gap: Real
    widest: Enclosure
    curve: list[CurvePoint]
    pairs: list[OrderedCurve]
    scale: Real
    noise: str
    assumed: list[str]
    channel: str | None = field(default=None, metadata=WHERE_SAID)
    notion: str | None = field(default=None, metadata=WHERE_SAID)
    several: str | None = field(default=None, metadata=WHERE_SAID)
    problem: Problem | None = field(default=None, metadata=UNSAID, repr=False, compare=False)
    known: Sequence[KnownPair] | Sequence[OrdersPair] = field(
        default=(), metadata=UNSAID, repr=False, compare=False
    )
    stated: Mapping[str, str] = field(
        default_factory=dict, metadata=UNSAID, repr=False, compare=False
    )

    def _line(self) -> str:
        return (
            f"{self.kind} from {self.start.text} to {self.end.text}, bounds at most "
            f"{self.widest.upper} apart"
        )

    def _parts(self) -> Sequence[Brief]:
        return self.pairs
