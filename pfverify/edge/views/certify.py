"""The view of a verdict: what was decided, what was assumed, then the pairs, worst first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pfverify.answers.outcome import CertifyResult, Directed
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, Paragraph, Section, Table, Toned, say, title, toned
from pfverify.edge.sentences import sentence
from pfverify.edge.views.numbers import brief_upper
from pfverify.edge.views.pairs import (
    Cells,
    beliefs_of,
    direction,
    pair_table,
    shown_names,
)
from pfverify.edge.views.released import ReleasedView
from pfverify.edge.views.view import Columns, DecidedCase
from pfverify.edge.words import (
    between,
    counted,
    excess_word,
    failure_words,
    inequality,
    notion_words,
    order_words,
    place_header,
    plain,
    release_words,
    witness_words,
)
from pfverify.errors import shorten
from pfverify.exact.enclosure import Enclosure
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


class CertifyView(ReleasedView[CertifyResult]):
    """A verdict on a problem."""

    schema = "certify"
    exact = (
        "epsilon", "delta", "order", "scale", "pairs.epsilon", "pairs.worst_y", "pairs.ties",
        "pairs.witness.y", "pairs.witness.event", "pairs.witness.growth",
        "pairs.witness.loss_step", "pairs.witness.order",
    )
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "scale": "scale", "form": "form",
        "order": "order",
        "belief": "pairs.belief", "from": "pairs.from_", "to": "pairs.to",
        "verdict": "pairs.verdict", "tie": "pairs.tie", "loss_lower": "pairs.loss.lower",
        "loss_upper": "pairs.loss.upper", "delta_lower": "pairs.delta.lower",
        "delta_upper": "pairs.delta.upper", "worst_y": "pairs.worst_y",
        "divergence_lower": "pairs.divergence.lower", "divergence_upper": "pairs.divergence.upper",
    }
    outputs = frozenset({"worst_y"})

    def section(self) -> Section:
        """Return the verdict, its reasons, and the pairs."""
        result = self.result
        table, more = self._table()
        return Section(
            headline=say(title(self.name), ": ", toned(result.verdict), level=0),
            said=[*self._said()],
            assumed=[*result.assumed, *self._exact()],
            undecided=[say(f"Undecided because {why}") for why in dict.fromkeys(result.reasons)],
            tables=[table],
            notes=[
                say("loss: the largest log ratio of the two laws of the output, rounded up."),
                *self._members(),
                *self._wide(),
                *more,
            ],
        )

    def _exact(self) -> list[str]:
        """What is assumed of counts."""
        return [] if self.result.problem is None else exact_counts(self.result.problem)

    def _members(self) -> list[Paragraph]:
        """What the names of members of families mean."""
        if not self._of_families:
            return []
        count = len(self.result.pairs)
        rows = len(self._worst_of_members())
        worst = sentence("certify.members-worst", count=count) if rows < count else ""
        return [say(sentence("certify.members", worst=worst))]

    def _wide(self) -> list[Paragraph]:
        """That a column shows a bound, where what it bounds is not known to its digits."""
        if not self._shows_delta or not any(
            pair.delta is not None and float(pair.delta.width) > _WIDE * float(pair.delta.upper)
            for pair in self.result.pairs
        ):
            return []
        name = excess_word(self.result.form)
        return [say(f"{name}: an upper bound; pfverify loss and --json show the lower one too.")]

    def word(self) -> Toned:
        """Return the verdict."""
        return toned(self.result.verdict)

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

    def point(self) -> dict[str, Inline]:
        """Return the verdict and the pair that it is about: one that fails, or the closest."""
        result = self.result
        shown = shown_names(result.pairs)
        worst = next((pair for pair in result.pairs if pair.refuted), result.pairs[0])
        excess = f"{excess_word(result.form)} found"
        return {
            **self.asked_at(result.epsilon, result.delta),
            "verdict": toned(result.verdict),
            **({} if worst.divergence is None else {"divergence": _upper(worst.divergence)}),
            "loss": _upper(worst.loss),
            **({excess: _upper(worst.delta)} if self._shows_delta else {}),
            "worst pair": direction(worst, shown),
            place_header(result.form, result.delta): self.place(worst.worst_y),
        }

    def _said(self) -> Iterator[Paragraph]:
        result = self.result
        formula = inequality(result.form, result.epsilon, result.delta, result.notion)
        yield say(f"{_STATED[result.verdict]}: {formula}  ({self._scope()})")
        if result.refuted:
            yield say(f"It fails {self._failure()}")
        yield say(f"{release_words(result)}{notion_words(result.notion)}")

    def _scope(self) -> str:
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

    def _failure(self) -> str:
        """Where a refuted problem fails, and by how much of what."""
        shown = shown_names(self.result.pairs)
        worst = next(pair for pair in self.result.pairs if pair.refuted)
        failed = worst.witness
        words = "at an output or event" if failed is None else (
            failure_words(failed, self.result.delta)
        )
        belief = "" if worst.belief == DEFAULT_BELIEF else f" under belief {shown[worst.belief]}"
        return f"from {shown[worst.from_]} against {shown[worst.to]}{belief} {words}"

    def _table(self) -> tuple[Table, list[Paragraph]]:
        result = self.result
        columns: Cells[Directed] = {
            "epsilon": lambda pair: None if pair.epsilon is None else plain(pair.epsilon),
            "verdict": lambda pair: toned(pair.verdict, f"{pair.verdict}{' (tie)' * pair.tie}"),
            "divergence": lambda pair: (
                None if pair.divergence is None else str(pair.divergence.upper)
            ),
            "loss": lambda pair: "" if pair.loss is None else str(pair.loss.upper),
            excess_word(result.form): self._excess,
            place_header(result.form, result.delta): lambda pair: self.place(pair.worst_y),
            "witness": lambda pair: witness_words(pair.witness, result.delta),
        }
        return pair_table(self._worst_of_members(), columns)

    def _worst_of_members(self) -> list[Directed]:
        """The pairs; of families one for each direction, its worst members, which come first."""
        found: dict[tuple[str, str], Directed] = {}
        if not self._of_families:
            return [*self.result.pairs]
        for pair in self.result.pairs:
            found.setdefault((pair.from_, pair.to), pair)
        return [*found.values()]

    @property
    def _of_families(self) -> bool:
        problem = self.result.problem
        return problem is not None and problem.source.stands_for is not None

    def _excess(self, pair: Directed) -> str | None:
        if not self._shows_delta:
            return None
        return "0" if pair.delta is None else str(pair.delta.upper)

    @property
    def _shows_delta(self) -> bool:
        return self.result.delta != "0"


def _upper(enclosure: Enclosure | None) -> str:
    return "" if enclosure is None else brief_upper(enclosure.upper)
