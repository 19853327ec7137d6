"""Independent noise on several numbers: of one point each coordinate is an output of its own.

Of several points the coordinates are independent given X alone.
Source: design facts F43 and F74.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pfverify.decide.comparison import Comparison, Orders, Settled, Supremum
from pfverify.decide.composed.compared import Composed, FromAbove, atom_text, together
from pfverify.decide.composed.parts import ComparedPart
from pfverify.decide.composed.wholes import AtomLaw, ComposedParts, CoupledCoordinates, Decide
from pfverify.decide.several.reduced import Goal, Reduced
from pfverify.decide.several.summed import Fresh, SummedLosses
from pfverify.decide.targets import target_of
from pfverify.errors import InputError
from pfverify.exact.refined import ANYTHING, INFINITE, PROBABILITY, ZERO, Refined
from pfverify.model.priors.joint import Joint
from pfverify.model.question import Question
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import Repeated
from pfverify.model.target import Target

_OPEN = (
    "with delta = 0 nothing is known of several numbers with this noise, unless X is a point under "
    "either secret, but that they lose at least what each of them does"
)
_NO_BOUND = "the priors differ, and nothing is said of them here"


def compared(item: Question, decide: Decide) -> Orders:
    """Return both orders of several numbers with noise of which only single ones are decided."""
    parts = leaves([(item, 1)], decide)
    return _of_parts(item, parts, [part.orders for part in parts], parts, decide)


def repeated(item: Question, parts: Sequence[ComparedPart], decide: Decide) -> Orders:
    """Return both orders of many releases of several numbers, of which `parts` are the kinds."""
    release = item.release
    if not isinstance(release, Repeated):
        raise InputError("this decision is about many releases")
    alone = [
        decide(one.under(Repeated(one.release.noise, count=release.count)))
        for one in (_coordinate(item, k) for k in range(len(joint_laws(item)[0].names)))
    ]
    each = leaves([(part.item, part.times) for part in parts], decide)
    return _of_parts(item, parts, alone, each, decide)


def _of_parts(
    item: Question, parts: Sequence[ComparedPart], alone: Sequence[Orders],
    each: Sequence[ComparedPart], decide: Decide,
) -> Orders:  # fmt: skip
    """Both orders by the parts of all outputs, each coordinate `alone`, and each of each release.
    """
    target, known = target_of(item), _together(each, item, decide)
    laws, points = joint_laws(item), are_points(item)

    def order(side: int) -> Reduced:
        one = [Fresh(part.orders[side], part.times) for part in parts]
        whole = SummedLosses(one, target) if points else SameLaw(laws, target, side, len(each))
        below = [
            Goal(orders[side], part=[name])
            for orders, name in zip(alone, laws[0].names, strict=True)
        ]
        exact = [] if known is None else [Goal(known[side])]
        # an infinite loss is shown by one coordinate
        decides = points and whole.loss().value != INFINITE
        why = _OPEN if known is None else None
        return Reduced([whole], below, exact, same=whole if decides else None, why=why)

    return order(0), order(1)


def joint_laws(item: Question) -> tuple[Joint, Joint]:
    """Return both laws of several numbers; InputError for others."""
    first, second = item.priors
    if not (isinstance(first, Joint) and isinstance(second, Joint)):
        raise InputError("this decision is about several numbers")
    return first, second


def are_points(item: Question) -> bool:
    """Say whether X is one point under either secret."""
    return all(len(law.mass) == 1 for law in joint_laws(item))


def leaves(releases: Sequence[tuple[Question, int]], decide: Decide) -> list[ComparedPart]:
    """Return the coordinates of every release, of which there are so many, in order."""
    found = []
    for item, times in releases:
        for k in range(len(joint_laws(item)[0].names)):
            one = _coordinate(item, k)
            found.append(ComparedPart(one, decide(one), times))
    return found


def _coordinate(item: Question, place: int) -> Question:
    first, second = (law.one(place) for law in joint_laws(item))
    return replace(item, first_prior=first, second_prior=second, release=noises_of(item)[place])


def noises_of(item: Question) -> Sequence[Noise]:
    """Return the noise of every coordinate; InputError for a release that is more than noise."""
    release = item.release
    match release.one if isinstance(release, Repeated) else release:
        case Coordinates(each=each):
            return each
        case Noise() as noise:
            return [noise] * len(joint_laws(item)[0].names)
    raise InputError(f"{item.release.kind} is no noise by coordinate")


def composed(parts: Sequence[ComparedPart], item: Question, decide: Decide) -> Orders | None:
    """Return both orders of many releases of several numbers; None where delta is 0."""
    return _together(leaves([(part.item, part.times) for part in parts], decide), item, decide)


def _together(found: Sequence[ComparedPart], item: Question, decide: Decide) -> Orders | None:
    target = target_of(item)
    if not are_points(item):
        return together(CoupledCoordinates(found, decide, joint_laws(item)), target)
    return together(ComposedParts(found), target, OfPoints)


class OfPoints(Composed):
    """One order of independent parts, whose losses add up."""

    tells_loss = True

    def loss(self) -> Supremum:
        """Return epsilon*, the sum of those of all parts, at the output of each."""
        parts = [Fresh(part.orders[self.side], part.times) for part in self.whole.parts]

        def where() -> str:
            return f"({', '.join(str(part.order.loss().where) for part in parts)})"

        return Supremum(SummedLosses(parts, self.target).loss().value, where)


class SameLaw(Comparison):
    """One order of two laws of atoms that may be the same; else nothing is known.

    `outputs`: how many independent kinds of outputs there are given X.
    """

    tells_loss = False
    no_witness = _NO_BOUND

    def __init__(
        self, laws: tuple[AtomLaw, AtomLaw], target: Target, side: int, outputs: int = 1
    ) -> None:
        self.laws, self.target, self.side, self.outputs = laws, target, side, outputs

    @property
    def equal(self) -> bool:
        """Whether the two priors are the same law."""
        return self.laws[0] == self.laws[1]

    def against(self, target: Target) -> SameLaw:
        """Return the same order, held to another target."""
        return SameLaw(self.laws, target, self.side, self.outputs)

    def settled(self) -> Settled:
        """Decide the target: equal laws meet it."""
        if not self.equal:
            return Settled(None, None, _NO_BOUND)
        plan = [[atom_text(x), atom_text(x), str(mass)] for x, mass in self.laws[0].mass.items()]
        parts = [{"levels": [[0, 0, 1]]}] * self.outputs
        said = {"grid": "1", "digits": 20, "window": [-1, 1], "parts": parts, "plan": plan}
        return Settled(-1, FromAbove(said, "composed-coupled"))

    def loss(self) -> Supremum:
        """Return epsilon*, which is 0 of equal laws."""
        return Supremum(ZERO if self.equal else ANYTHING, lambda: "")

    def exceeding(self) -> Refined:
        """Return what delta bounds, which is 0 of equal laws."""
        return ZERO if self.equal else PROBABILITY

    def least_epsilon(self) -> Refined:
        """Return the least epsilon, which is 0 of equal laws."""
        return ZERO if self.equal else ANYTHING
