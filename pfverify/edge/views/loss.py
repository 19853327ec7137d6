"""The view of enclosed losses, largest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pfverify.answers.converted import Converted
from pfverify.answers.loss import DirectedLoss, LossResult
from pfverify.answers.released import has_names, of_parts
from pfverify.edge.document import Inline, Paragraph, Section, Table, say, title
from pfverify.edge.views.numbers import brief_upper
from pfverify.edge.views.pairs import (
    Cells,
    beliefs_of,
    direction,
    pair_table,
    shown_names,
)
from pfverify.edge.views.released import ReleasedView
from pfverify.edge.views.view import Columns, Row
from pfverify.edge.words import between, excess_word, order_words, plain, sizes_words
from pfverify.exact.enclosure import Enclosure
from pfverify.model.noises.none import NoNoise
from pfverify.model.releases.stepped import Stepped

_PER_UNIT = ("epsilon_star_per_unit_lower", "epsilon_star_per_unit_upper")


class LossView(ReleasedView[LossResult]):
    """The privacy loss of a problem."""

    schema = "loss"
    exact = (
        "epsilon", "delta_target", "order", "scale", "worst.epsilon", "worst.y", "pairs.epsilon",
        "pairs.y", "converted.delta",
    )
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta_target", "scale": "scale", "form": "form",
        "order": "order",
        "belief": "pairs.belief", "from": "pairs.from_", "to": "pairs.to",
        "epsilon_star_lower": "pairs.epsilon_star.lower",
        "epsilon_star_upper": "pairs.epsilon_star.upper",
        "epsilon_star_per_unit_lower": "pairs.epsilon_star_per_unit.lower",
        "epsilon_star_per_unit_upper": "pairs.epsilon_star_per_unit.upper",
        "delta_lower": "pairs.delta.lower", "delta_upper": "pairs.delta.upper",
        "epsilon_at_delta_lower": "pairs.epsilon_at_delta.lower",
        "epsilon_at_delta_upper": "pairs.epsilon_at_delta.upper", "y": "pairs.y",
        "divergence_lower": "pairs.divergence.lower", "divergence_upper": "pairs.divergence.upper",
    }
    outputs = frozenset({"y"})

    def section(self) -> Section:
        """Return the largest loss and where it is reached, then the pairs."""
        result = self.result
        table, more = self._table()
        return Section(
            headline=self._headline(),
            said=[*self._said()],
            assumed=result.assumed,
            tables=[table],
            notes=more,
        )

    def rows(self) -> list[Row]:
        """Return one row per ordered pair; losses per unit of distance where there is one."""
        rows = super().rows()
        if not self._own:
            rows = [{k: v for k, v in row.items() if k not in _PER_UNIT} for row in rows]
        return rows

    def point(self) -> dict[str, Inline]:
        """Return the largest losses, and the pair with the largest log ratio."""
        result, worst = self.result, self.result.worst
        shown = shown_names(result.pairs)
        found = {"epsilon*": result.epsilon_star, f"{excess_word(result.form)} found": result.delta}
        if result.divergence is not None:
            found["divergence"] = result.divergence
        if result.epsilon_at_delta is not None:
            found["epsilon at delta"] = result.epsilon_at_delta
        return {
            **self.asked_at(result.epsilon, result.delta_target),
            **{header: brief_upper(one.upper) for header, one in found.items()},
            "worst pair": direction(worst, shown),
            "y of loss": self.place(worst.y),
        }

    def _headline(self) -> Paragraph:
        result, worst = self.result, self.result.worst
        shown = shown_names(result.pairs)
        several = len(beliefs_of(result.pairs)) > 1
        under = f" under belief {shown[worst.belief]}" if several else ""
        size = self._release()
        where = self.place(worst.y)
        if not where.startswith("in"):
            where = f"reached at y = {where}"
        return say(
            title(self.name),
            f": {size} the privacy loss is {between(result.epsilon_star)}, {where}, from "
            f"{shown[worst.from_]} against {shown[worst.to]}{under}.",
            level=0,
        )

    def _release(self) -> str:
        result = self.result
        if of_parts(result):
            return f"of {result.several}"
        if has_names(result) and result.channel != Stepped.kind:
            return f"through the channel ({result.channel})"
        bare = result.noise == NoNoise.kind
        size = "without noise" if bare else (
            f"at {sizes_words(result.noise, result.scale, result.several)}"
        )  # fmt: skip
        return f"{size} and the steps in post" if has_names(result) else size

    def _said(self) -> Iterator[Paragraph]:
        result = self.result
        at = f"epsilon = {plain(result.epsilon)}{' per unit of distance' * self._own}"
        least = "epsilon times the distance of a pair" if self._own else "epsilon"
        if result.epsilon_star_per_unit is not None:
            least_of_all = between(result.epsilon_star_per_unit)
            yield say(f"Per unit of distance the largest privacy loss is {least_of_all}.")
        if result.divergence is not None:
            largest = between(result.divergence)
            yield say(f"The largest Renyi divergence {order_words(result.order)} is {largest}.")
        if result.converted is not None:
            yield from self._converted(result.converted)
        yield say(f"At {at} the {excess_word(result.form)} is {between(result.delta)}.")
        if result.epsilon_at_delta is not None:
            target, found = plain(result.delta_target), between(result.epsilon_at_delta)
            yield say(f"For delta = {target} the smallest {least} is {found}.")

    def _converted(self, found: Converted) -> Iterator[Paragraph]:
        exact = between(found.epsilon_exact)
        yield say(
            f"At delta = {plain(found.delta)} that gives epsilon = {found.epsilon} "
            f"({found.epsilon_simple} by the simple rule); the smallest one there is {exact}."
        )

    def _table(self) -> tuple[Table, list[Paragraph]]:
        columns: Cells[DirectedLoss] = {
            "epsilon": lambda pair: None if pair.epsilon is None else plain(pair.epsilon),
            "divergence": lambda pair: _text(pair.divergence),
            "epsilon*": lambda pair: pair.epsilon_star.text,
            "epsilon* per unit": lambda pair: _text(pair.epsilon_star_per_unit),
            excess_word(self.result.form): lambda pair: pair.delta.text,
            "epsilon at delta": lambda pair: _text(pair.epsilon_at_delta),
            "y of loss": lambda pair: self.place(pair.y),
        }
        return pair_table(self.result.pairs, columns)

    @property
    def _own(self) -> bool:
        """Whether every pair has an epsilon of its own."""
        return any(pair.epsilon is not None for pair in self.result.pairs)


def _text(enclosure: Enclosure | None) -> str | None:
    return None if enclosure is None else enclosure.text
