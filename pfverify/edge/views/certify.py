"""The view of a verdict: what was decided, what was assumed, then the pairs, worst first."""

from __future__ import annotations

from collections.abc import Sequence

from pfverify.answers.outcome import CertifyResult, Directed
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, counted, toned
from pfverify.edge.ordered import beliefs_of, shown_names
from pfverify.edge.views.released import PairsView
from pfverify.edge.views.view import DecidedCase
from pfverify.edge.words import (
    between,
    brief_upper,
    failure_words,
    notion_words,
    order_words,
    place_header,
    plain,
    release_words,
    witness_words,
)
from pfverify.errors import shorten
from pfverify.model.counted import exact_counts
from pfverify.model.notion import EVENTS
from pfverify.model.sources.source import DEFAULT_BELIEF

_NAME = 200  # characters of a secret's name in a sentence
_WIDE = 1e-6  # of a number: how far apart its bounds are from which that is said
_STATED = {
    Verdict.CERTIFIED: "Proved, for all outputs",
    Verdict.REFUTED: "Disproved",
    Verdict.UNDECIDED: "Neither proved nor disproved",
}


class CertifyView(PairsView):
    """A verdict on a problem: what was decided, its reasons, and the pairs."""

    schema = "certify"
    result: CertifyResult

    def cases(self) -> list[DecidedCase]:
        """Return one case per ordered pair."""
        result = self.result
        target = f"epsilon {result.epsilon}, delta {result.delta}, scale {result.scale}"
        return [
            DecidedCase(pair.verdict, self._words(pair), pair.belief, pair.from_, pair.to, target)
            for pair in result.pairs
        ]

    def _words(self, pair: Directed) -> str:
        """An ordered pair in a sentence."""
        result = self.result
        epsilon = result.epsilon if pair.epsilon is None else pair.epsilon
        target = f"epsilon = {plain(epsilon)}, delta = {plain(result.delta)}"
        names = f"{shorten(pair.from_, _NAME)} against {shorten(pair.to, _NAME)}"
        said = f"{names}: {pair.verdict} for {target}"
        if result.form != EVENTS.name and result.delta != "0":
            said += f" in the {result.form} form, of single outputs and not of events"
        if pair.divergence is not None:
            of = order_words(result.order)
            said += f"; the divergence {of} is {between(pair.divergence)}"
        if pair.loss is not None:
            said += f"; the loss is {between(pair.loss)}"
        if pair.witness is not None:
            said += f"; it fails {failure_words(pair.witness, result.delta)}"
        if pair.reason is not None:
            said += f"; {pair.reason}"
        return f"{said}."

    def stated(self) -> str:
        """What is said of the formula."""
        return _STATED[self.result.verdict]

    def release(self) -> str:
        """What releases, and what is kept apart."""
        return f"{release_words(self.result)}{notion_words(self.result.notion)}"

    def assumed(self) -> list[str]:
        """What is assumed, of counts too."""
        problem = self.result.problem
        return [*self.result.assumed, *([] if problem is None else exact_counts(problem))]

    def reasons(self) -> list[str]:
        """Why something is undecided, each reason once."""
        return [*dict.fromkeys(self.result.reasons)]

    def scope(self) -> str:
        """Of how many pairs that is, and beliefs."""
        count, beliefs = len(self.result.pairs) // 2, len(beliefs_of(self.result.pairs))
        problem = self.result.problem
        if problem is not None and problem.source.stands_for is not None:
            secrets = counted(len(problem.pairs), "pair")
            decide = "one pair of laws decides" if beliefs == 1 else f"{beliefs} pairs decide"
            return f"{secrets} of secrets, both orders, {problem.source.stands_for}: {decide}"
        scope = f"{counted(count, 'pair')}, both orders"
        if problem is not None and problem.source.pairs_stand_for is not None:
            scope = f"{scope}, {problem.source.pairs_stand_for}"
        return f"{scope}, {beliefs} beliefs" if beliefs > 1 else scope

    def worst(self) -> Directed:
        """The pair that the verdict is about: one that fails, or the closest."""
        pairs = self.result.pairs
        return next((pair for pair in pairs if pair.refuted), pairs[0])

    def failure(self) -> str:
        """Where a refuted problem fails, and by how much of what."""
        worst, shown = self.worst(), shown_names(self.result.pairs)
        failed = worst.witness
        words = "at an output or event" if failed is None else (
            failure_words(failed, self.result.delta)
        )
        # the belief tells which members of families they are, where it is the only one too
        belief = "" if worst.belief == DEFAULT_BELIEF else f" under belief {shown[worst.belief]}"
        return f"from {shown[worst.from_]} against {shown[worst.to]}{belief} {words}"

    def families(self) -> bool:
        """Whether pairs are of members of families, whose names have to be explained."""
        problem = self.result.problem
        return problem is not None and problem.source.stands_for is not None

    def shown_pairs(self) -> Sequence[Directed]:
        """The pairs; of families one for each direction, its worst members, which come first."""
        if not self.families():
            return self.result.pairs
        found: dict[tuple[str, str], Directed] = {}
        for pair in self.result.pairs:
            found.setdefault((pair.from_, pair.to), pair)
        return [*found.values()]

    def unshown_members(self) -> str:
        """That only the worst members are shown, where it is so."""
        count = len(self.result.pairs)
        every = f"Of {count} pairs of members each row is the worst one (--csv or --json has all). "
        return every if len(self.shown_pairs()) < count else ""

    def is_wide(self) -> bool:
        """Whether a column shows a bound, and what it bounds is not known to its digits."""
        found = (pair.delta for pair in self.result.pairs if self.result.delta != "0")
        return any(
            delta is not None and float(delta.width) > _WIDE * float(delta.upper)
            for delta in found
        )

    def place_header(self) -> str:
        """What the place is called."""
        return place_header(self.result.form, self.result.delta)

    def decided(self, pair: Directed) -> Inline:
        """Return the verdict of a pair."""
        return toned(pair.verdict, f"{pair.verdict}{' (tie)' * pair.tie}")

    def excess(self, pair: Directed) -> str | None:
        """Return the number that delta bounds, where there is a delta."""
        if self.result.delta == "0":
            return None
        return "0" if pair.delta is None else str(pair.delta.upper)

    def witness(self, pair: Directed) -> str:
        """Return where a pair fails."""
        return witness_words(pair.witness, self.result.delta)

    def worst_excess(self) -> str | None:
        """Its excess, where there is a delta."""
        found = self.worst().delta
        if self.result.delta == "0":
            return None
        return "" if found is None else brief_upper(found.upper)
