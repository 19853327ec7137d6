"""The views of couplings: of numbers, of inputs of a channel, and the judgement on a plan."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from pfverify.answers.coupling import PairCoupling
from pfverify.answers.lifting import LiftedPair
from pfverify.answers.plan_check import PlanCheck, Property
from pfverify.edge.document import Paragraph, Toned, and_more, bad, good, title
from pfverify.edge.ordered import shown_names
from pfverify.edge.views.pairs import direction
from pfverify.edge.views.view import View

PAIRS = 10  # pairs that are shown, each with its coupling
_POINTS = 8  # of a Hall set that are shown
Pair = PairCoupling | LiftedPair


class _PairsView(View[Any]):
    """A section for each of the first ordered pairs, with the first edges of its plan."""

    def first_pairs(self) -> Sequence[Pair]:
        """Return the pairs that are shown."""
        return self.result.pairs[:PAIRS]  # type: ignore[no-any-return]

    def unshown_pairs(self) -> list[Paragraph]:
        """Return how many are not."""
        more = len(self.result.pairs) - PAIRS
        return and_more(more, "pair", "--pair A,B shows one, --json has all")

    def way(self, pair: Pair) -> Toned:
        """Return the names of a pair, with its belief where that has a name."""
        return title(direction(pair, shown_names(self.result.pairs)))


class CouplingsView(_PairsView):
    """Each pair's plan, distances, and what its best coupling allows."""

    schema = "coupling"

    def equal(self, pair: PairCoupling) -> bool:
        """Say whether the priors are equal."""
        return pair.w_infinity == "0"

    def hall(self, pair: PairCoupling) -> list[str]:
        """Return what forbids that no mass moves farther."""
        return [] if pair.hall is None else [_because(pair.hall, "nearer")]

    def mean(self, pair: PairCoupling) -> str:
        """Return how far the cheapest coupling moves mass."""
        low, high = str(pair.w_1.lower), str(pair.w_1.upper)
        mean = low if low == high else f"in [{low}, {high}]"
        return f"{mean} (about {float(Fraction(high)):.4g})" if "/" in mean else mean

    def best(self, pair: PairCoupling) -> str | None:
        """Return how good the best coupling is; 0 below: the search found no proof of a lower end.
        """
        best = pair.coupling_lp
        if best is None or best["upper"] == "0":
            return None
        if best["lower"] == "0":
            return "no smaller scale is excluded"
        return f"at {best['lower']} no coupling's do"

    def none(self, pair: PairCoupling) -> bool:
        """Say whether it is told why there is no best coupling."""
        return self.best(pair) is None and bool(pair.coupling_lp_not_applicable)

    def is_related(self, pair: PairCoupling) -> str | None:
        """Return whether a pair is in the lifted relation."""
        return None if pair.lifting is None else "is" if pair.lifting["related"] else "is not"

    def lifted_hall(self, pair: PairCoupling) -> list[str]:
        """Return what forbids that."""
        found = None if pair.lifting is None else pair.lifting["hall"]
        return [_because(found, "related")] if found else []

    def properties(self, pair: PairCoupling) -> list[str]:
        """Return what the plan is."""
        return properties(pair.properties)


class LiftingsView(_PairsView):
    """Each ordered pair with its coupling, or with the event that forbids one."""

    schema = "lifting"

    def distance(self, pair: LiftedPair) -> bool:
        """Say whether only the distance was asked about."""
        return pair.related is None

    def is_related(self, pair: LiftedPair) -> bool:
        """Say whether a coupling stays inside the relation."""
        return pair.related is not None and pair.hall is None

    def is_unrelated(self, pair: LiftedPair) -> bool:
        """Say whether none does."""
        return pair.related is not None and pair.hall is not None

    def hall(self, pair: LiftedPair) -> list[str]:
        """Return what forbids it."""
        near = "nearer" if pair.related is None else "related"
        return [] if pair.hall is None else [_because(pair.hall, near)]


class PlanCheckView(View[PlanCheck]):
    """The judgement on a given plan: whether it is valid, what failed, and its properties."""

    schema = "plan"

    def judged(self) -> Toned:
        """Return whether the plan is valid."""
        return good("valid") if self.result.valid else bad("invalid")

    def way(self) -> str:
        """Return of which pair it is."""
        return direction(self.result, shown_names([self.result]))

    def properties(self) -> list[str]:
        """Return what the plan is."""
        return properties(self.result.properties)


def _because(hall: dict[str, Any], near: str) -> str:
    """Return the sentence of a Hall set; `near` says what its neighbours are."""
    points = hall["event"]
    event = ", ".join(points[:_POINTS])
    if near == "nearer" and len(points) > _POINTS:
        event += ", ..."
    mass, reachable = hall["mass"], hall["reachable"]
    return f"because {{{event}}} has mass {mass}, all that is {near} has {reachable}"


def properties(found: list[Property]) -> list[str]:
    """Return a sentence for every property of a plan that was asked about."""
    return [f"{p.name} {p.verdict}{f': {p.detail}' if p.detail else ''}"
            for p in found if p.verdict != "not asked"]  # fmt: skip
