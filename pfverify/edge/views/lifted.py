"""The view of priors over the inputs of a channel that are related, or are not."""

from __future__ import annotations

from pfverify.answers.lifting import LiftedPair, Liftings
from pfverify.edge.document import Paragraph, Section, Tone, Toned, say, title
from pfverify.edge.views.coupling import PAIRS, because, more_pairs, plan_table
from pfverify.edge.views.pairs import shown_names
from pfverify.edge.views.view import View
from pfverify.model.sources.source import DEFAULT_BELIEF


class LiftingsView(View[Liftings]):
    """Each ordered pair with its coupling, or with the event that forbids one."""

    schema = "lifting"
    exact = ("pairs.w_infinity", "pairs.plan.mass", "pairs.hall.mass", "pairs.hall.reachable")

    def sections(self) -> list[Section]:
        """Return what was asked, and a section per ordered pair."""
        shown = shown_names(self.result.pairs)
        first = Section(headline=say(f"{self.name}: couplings over {self.result.relation}",
                                     level=0, folds=True))  # fmt: skip
        pairs = [self._pair(pair, shown) for pair in self.result.pairs[:PAIRS]]
        return [first, *pairs, Section(notes=more_pairs(len(self.result.pairs)))]

    def _pair(self, pair: LiftedPair, shown: dict[str, str]) -> Section:
        belief = "" if pair.belief == DEFAULT_BELIEF else f" (belief {shown[pair.belief]})"
        return Section(
            headline=say(title(f"{shown[pair.from_]} -> {shown[pair.to]}"), belief, level=0,
                         folds=True),
            said=_said(pair),
            tables=[] if pair.plan is None else [plan_table(pair.plan)],
        )  # fmt: skip


def _said(pair: LiftedPair) -> list[Paragraph]:
    if pair.related is None:
        said = [say(f"W-infinity = {pair.w_infinity}: no mass has to move farther", folds=True)]
        return said if pair.hall is None else [*said, because(pair.hall, "nearer")]
    if pair.hall is None:
        words = Toned("related", Tone.GOOD), ": this coupling stays inside the relation"
    else:
        words = Toned("not related", Tone.BAD), ": no coupling stays inside the relation"
    said = [say(*words, folds=True)]
    return said if pair.hall is None else [*said, because(pair.hall, "related")]
