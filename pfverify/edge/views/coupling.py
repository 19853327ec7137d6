"""The views of couplings: of numbers, of inputs of a channel, and the judgement on a plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pfverify.answers.coupling import Couplings, PairCoupling
from pfverify.answers.lifting import LiftedPair, Liftings
from pfverify.answers.plan_check import PlanCheck, Property
from pfverify.edge.document import (
    Column,
    Paragraph,
    Section,
    Table,
    and_more,
    bad,
    good,
    say,
    title,
)
from pfverify.edge.sentences import sentence
from pfverify.edge.views.pairs import shown_names
from pfverify.edge.views.view import SingleView, View
from pfverify.edge.words import plain
from pfverify.model.sources.source import DEFAULT_BELIEF

PAIRS = 10  # pairs that are shown, each with its coupling
_EDGES = 12  # edges of a plan shown for one pair
_POINTS = 8  # of a Hall set that are shown


class CouplingsView(View[Couplings]):
    """Each pair's plan, distances, and what its best coupling allows."""

    schema = "coupling"
    exact = (
        "epsilon", "pairs.w_infinity", "pairs.w_1.*", "pairs.plan.*", "pairs.hall.*",
        "pairs.lifting.coupling.*", "pairs.lifting.hall.*",
    )

    def sections(self) -> list[Section]:
        """Return what is assumed, and a section per pair."""
        shown = shown_names(self.result.pairs)
        pairs = [self._pair(pair, shown) for pair in self.result.pairs[:PAIRS]]
        first = Section(assumed=self.result.assumed)
        return [first, *pairs, _more_pairs(len(self.result.pairs))]

    def _pair(self, pair: PairCoupling, shown: dict[str, str]) -> Section:
        more = and_more(len(pair.plan) - _EDGES, "edges", "--json has all")
        return _section(
            pair, shown, f" in {self.name}", [*_distances(pair), *self._best(pair), *_lifted(pair)],
            pair.plan, [*more, *properties(pair.properties)],
        )  # fmt: skip

    def _best(self, pair: PairCoupling) -> Iterator[Paragraph]:
        best, why = pair.coupling_lp, pair.coupling_lp_not_applicable
        if best is not None and best["upper"] != "0":
            # 0 where the search found no proof of a lower end
            tight = sentence(f"coupling.{'open' if best['lower'] == '0' else 'tight'}", best=best)
            epsilon = plain(self.result.epsilon)
            yield say(sentence("coupling.best", best=best, epsilon=epsilon, tight=tight))
        elif why:
            yield say(f"Best coupling: {why}", folds=True)


def _section(
    pair: PairCoupling | LiftedPair, shown: dict[str, str], where: str, said: Sequence[Paragraph],
    plan: list[dict[str, str]] | None, notes: Sequence[Paragraph] = (),
) -> Section:  # fmt: skip
    """What is said about an ordered pair, under its names, and the first edges of its plan."""
    belief = "" if pair.belief == DEFAULT_BELIEF else f" (belief {shown[pair.belief]})"
    way = title(f"{shown[pair.from_]} -> {shown[pair.to]}")
    return Section(
        headline=say(way, f"{belief}{where}", level=0, folds=True),
        said=said,
        tables=[] if plan is None else [_plan_table(plan)],
        notes=notes,
    )


def _distances(pair: PairCoupling) -> Iterator[Paragraph]:
    name = "equal" if pair.w_infinity == "0" else "farthest"
    yield say(sentence(f"coupling.{name}", distance=pair.w_infinity), folds=True)
    if pair.hall is not None:
        yield _because(pair.hall, "nearer")
    low, high = str(pair.w_1.lower), str(pair.w_1.upper)
    mean = low if low == high else f"in [{low}, {high}]"
    if "/" in mean:
        mean += f" (about {float(Fraction(high)):.4g})"
    yield say(sentence("coupling.cheapest", mean=mean))


def _because(hall: dict[str, Any], near: str) -> Paragraph:
    """Return the sentence of a Hall set; `near` says what its neighbours are."""
    points = hall["event"]
    event = ", ".join(points[:_POINTS])
    if near == "nearer" and len(points) > _POINTS:
        event += ", ..."
    return say(sentence("coupling.because", event=event, hall=hall, near=near), level=2)


def _lifted(pair: PairCoupling) -> Iterator[Paragraph]:
    if pair.lifting is None:
        return
    word = "is" if pair.lifting["related"] else "is not"
    yield say(f"The pair {word} in the lifted relation", folds=True)
    if pair.lifting["hall"]:
        yield _because(pair.lifting["hall"], "related")


def _more_pairs(count: int) -> Section:
    return Section(notes=and_more(count - PAIRS, "pairs", "--pair A,B shows one, --json has all"))


def _plan_table(plan: list[dict[str, str]]) -> Table:
    header = ("from", "to", "mass")
    rows = [[(edge[name],) for name in header] for edge in plan[:_EDGES]]
    return Table([Column(name, right=True) for name in header], rows, ruled=False)


class LiftingsView(View[Liftings]):
    """Each ordered pair with its coupling, or with the event that forbids one."""

    schema = "lifting"
    exact = ("pairs.w_infinity", "pairs.plan.mass", "pairs.hall.mass", "pairs.hall.reachable")

    def sections(self) -> list[Section]:
        """Return what was asked, and a section per ordered pair."""
        shown = shown_names(self.result.pairs)
        asked = f"{self.name}: couplings over {self.result.relation}"
        pairs = [_section(pair, shown, "", [*_related(pair)], pair.plan)
                 for pair in self.result.pairs[:PAIRS]]  # fmt: skip
        return [Section(say(asked, level=0, folds=True)), *pairs,
                _more_pairs(len(self.result.pairs))]  # fmt: skip


def _related(pair: LiftedPair) -> Iterator[Paragraph]:
    if pair.related is None:
        yield say(f"W-infinity = {pair.w_infinity}: no mass has to move farther", folds=True)
    elif pair.hall is None:
        yield say(good("related"), ": this coupling stays inside the relation", folds=True)
    else:
        yield say(bad("not related"), ": no coupling stays inside the relation", folds=True)
    if pair.hall is not None:
        yield _because(pair.hall, "nearer" if pair.related is None else "related")


class PlanCheckView(SingleView[PlanCheck]):
    """The judgement on a given plan."""

    schema = "plan"
    exact = ("defect",)

    def section(self) -> Section:
        """Return whether the plan is valid, what failed, and its properties."""
        result = self.result
        shown = shown_names([result])
        word = good("valid") if result.valid else bad("invalid")
        said = []
        if result.failed:
            said.append(say(f"failed: {', '.join(result.failed)}", folds=True))
        if result.floats:
            defect = f"the largest defect of a marginal is {result.defect}"
            said.append(say(f"the masses are floats; {defect}", folds=True))
        way = f" for {shown[result.from_]} -> {shown[result.to]}"
        return Section(
            headline=say(f"{self.name}: ", word, way, level=0, folds=True),
            said=[*said, *properties(result.properties)],
        )


def properties(found: list[Property]) -> list[Paragraph]:
    """Return a sentence for every property of a plan that was asked about."""
    return [
        say(f"{p.name} {p.verdict}{f': {p.detail}' if p.detail else ''}")
        for p in found
        if p.verdict != "not asked"
    ]
