"""What the page of an explored problem says: of every value its sentences, and all as tables.

No number of it is worked out in the browser: each comes from an enclosure, rounded outward.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pfverify.answers.explored import Explored, ExploredValue, key_of
from pfverify.answers.outcome import Directed
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import (
    VERDICT_TONES,
    Block,
    Inline,
    Section,
    Text,
    counted,
    part,
    say,
    simple_table,
    toned,
)
from pfverify.edge.explore.pictures import drawn_pairs, same_pair
from pfverify.edge.pages import Hidden, Item, Listed, Listing
from pfverify.edge.report.commands import command_line
from pfverify.edge.report.labels import Names
from pfverify.edge.report.sentences import words
from pfverify.edge.sentences import sentence
from pfverify.edge.views.explored import ExploredView
from pfverify.edge.words import (
    between,
    excess_word,
    failure_place,
    failure_words,
    inequality,
    notion_words,
    order_words,
    output_words,
    plain,
    size_word,
)
from pfverify.exact.decimals import decimal_lower, decimal_upper
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.published import Extended, Infinite, Real
from pfverify.model.counted import exact_counts
from pfverify.model.digest import problem_digest
from pfverify.model.notion import OfDivergence
from pfverify.model.provenance import CONFIDENTIAL
from pfverify.model.sources.source import DEFAULT_BELIEF

_DIGITS = 4  # of numbers in sentences; the table has all
_PRINTED = 100  # rows of the long table up to which it is on paper too
_LEAST = {Verdict.CERTIFIED: "found", Verdict.REFUTED: "none", Verdict.UNDECIDED: "open"}
_BOTH = "@"  # where the script names the values on both sides
SCHEMA = "pfverify/explore-page/1"


class ExploreWords:
    """The words of a page of its own: of every value, and those around the pictures."""

    def __init__(self, found: Explored, name: str) -> None:
        """Take what was decided, and the name of its problem."""
        self.found, self._name, self._drawn = found, name, drawn_pairs(found)
        self._names = Names(
            text for value in found.values for pair in value.pairs for text in key_of(pair)
        )
        self._problem, self._size = found.problem, size_word(found.noise)
        self._averaged = isinstance(found.problem.notion, OfDivergence)
        self._loose = found.delta != "0" and not self._averaged

    def title(self) -> str:
        """Return what the page is called."""
        return sentence("explore.title", name=Names([self._name]).plain(self._name))

    def lead(self) -> Text:
        """Return what stands first: how much was decided, and what is known of the least scale."""
        return (sentence("explore.lead", count=len(self.found.values)), *self._minimum())

    def banner(self) -> Text:
        """Return how to keep the page."""
        told = self._problem.provenance
        return () if told is None or told.tells_program else (CONFIDENTIAL,)

    def sliders(self) -> list[tuple[str, str, Sequence[str], int]]:
        """Return what is moved: its id, what it is called, its labels, and where it stands first.
        """
        found = self.found
        scale, epsilon = divmod(found.start, len(found.epsilons))
        sliders = [("scale", self._size, _labels(found.scales), scale)] if found.scales else []
        return [*sliders, ("epsilon", "epsilon", _labels(found.epsilons), epsilon)]

    def parts(self) -> list[Section]:
        """Return what stands below the pictures."""
        return [
            part("values", sentence("explore.values"), self._tables()),
            part("about", sentence("explore.about"), self._about()),
        ]

    def _direction(self, pair: Directed) -> str:
        """An ordered pair, with its belief where that has a name."""
        belief = "" if pair.belief == DEFAULT_BELIEF else (
            f" under belief {self._names.of(pair.belief)}"
        )
        return f"{self._names.of(pair.from_)} against {self._names.of(pair.to)}{belief}"

    def _minimum(self) -> Text:
        """What is known of the least scale, at the epsilon of the problem."""
        least = self.found.minimum
        if not self.found.scales:
            return ()
        if least is None:
            return (" ", sentence("least.unsought", size=self._size))
        kind = _LEAST[least.verdict]
        if kind == "found" and least.upper == 0:
            kind = "zero"
        said = sentence(
            f"least.{kind}", size=self._size, lower=least.lower, upper=least.upper,
            target=self._target(), why=least.reason or "",
        )  # fmt: skip
        return (" ", said, f" ({least.reason}.)" if kind == "found" and least.reason else "")

    def _target(self) -> str:
        delta = f" and delta = {plain(self.found.delta)}" if self.found.delta != "0" else ""
        return f"epsilon = {plain(self.found.epsilon)}{delta}"

    def _at(self, value: ExploredValue) -> str:
        """Where a value is."""
        scale = "" if value.scale is None else f"{self._size} {plain(value.scale)}, "
        return f"{scale}epsilon = {plain(value.epsilon)}"

    def data(self) -> dict[str, Any]:
        """Return what the script reads: labels, and of every value its verdict and sentences."""
        found = self.found
        return {
            "schema": SCHEMA,
            "scales": _labels(found.scales),
            "epsilons": _labels(found.epsilons),
            "pairs": [self._direction(pair) for pair in self._drawn],
            "words": {
                "between": sentence("explore.between", both=_BOTH),
                "open": sentence("explore.open"),
            },
            "values": [self._value(value) for value in found.values],
        }

    def _value(self, value: ExploredValue) -> dict[str, Any]:
        found, worst = self.found, _worst(value)
        return {
            "scale": None if value.scale is None else str(value.scale),
            "epsilon": str(value.epsilon),
            "verdict": value.verdict.value,
            "tone": VERDICT_TONES[value.verdict].value,
            "at": self._at(value),
            **_numbers(value),
            "said": sentence(
                f"explored.{value.verdict.value}",
                numbers=", ".join(self._said_sizes(value)) or "nothing is enclosed",
                every=counted(found.ordered_pairs, "ordered pair"),
                bound=inequality(found.form, value.epsilon, found.delta, found.notion),
                pair=self._direction(worst),
                failure=self._failure(worst), why=worst.reason or "no reason is known",
            ),
            "pairs": [self._pair(value, pair) for pair in self._drawn],
        }  # fmt: skip

    def _failure(self, pair: Directed) -> str:
        """Where a pair fails; "" where it does not."""
        return "" if pair.witness is None else failure_words(pair.witness, self.found.delta)

    def _pair(self, value: ExploredValue, drawn: Directed) -> dict[str, Any]:
        pair = same_pair(value.pairs, drawn)
        if pair is None:
            return {"verdict": "", "said": ""}
        parts = [f"{self._direction(pair)}: {pair.verdict.value}{' (a tie)' * pair.tie}",
                 *self._said_sizes(pair)]  # fmt: skip
        if pair.witness is not None:
            parts.append(f"it fails {self._failure(pair)}")
        else:
            parts.append(f"the largest log ratio is {self._largest_at(pair)}")
        if pair.reason is not None:
            parts.append(pair.reason)
        return {"verdict": pair.verdict.value, **_numbers(pair), "said": f"{'; '.join(parts)}."}

    def _largest_at(self, pair: Directed) -> str:
        """Where the largest log ratio of a pair is, or is approached."""
        where = output_words(pair.worst_y, named=self._problem.release.named)
        limit = isinstance(pair.worst_y, Infinite)
        return where if limit else f"at y = {where}"

    def _sizes(self, one: ExploredValue | Directed) -> dict[str, Enclosure | None]:
        """The numbers of a value or a pair, by what a column of them is called."""
        excess = excess_word(self.found.form)
        return {
            **({"divergence": one.divergence} if self._averaged else {}),
            "loss": one.loss,
            **({excess: one.delta} if self._loose else {}),
        }

    def _said_sizes(self, one: ExploredValue | Directed) -> list[str]:
        """The same in words, each between two short decimals."""
        of = {"divergence": f" {order_words(self.found.order)}"}
        return [f"the {name}{of.get(name, '')} is {_short(size)}"
                for name, size in self._sizes(one).items() if size is not None]  # fmt: skip

    def _tables(self) -> list[Block]:
        """All values: the verdicts, and every number with all its digits."""
        (verdicts,) = ExploredView(self.found).table()
        title = sentence("explore.verdicts")
        rows = [self._row(value) for value in self.found.values]
        cells: list[list[Text]] = [[(cell,) for cell in row.values()] for row in rows]
        whole = simple_table(sentence("explore.every"), [*rows[0]], cells, stacked=True)
        return [
            say(sentence("explore.rounded")),
            replace(verdicts, caption=title, title=(title,), stacked=True),
            Hidden(f"{sentence('explore.every')} ({len(rows)})", [whole],
                   printed=len(rows) <= _PRINTED),
        ]  # fmt: skip

    def _row(self, value: ExploredValue) -> dict[str, Inline]:
        """The cells of a value, by the headers of their columns."""
        worst = _worst(value)
        sizes = {name: "not known" if size is None else size.text
                 for name, size in self._sizes(value).items()}  # fmt: skip
        return {
            **({} if value.scale is None else {self._size: plain(value.scale)}),
            "epsilon": plain(value.epsilon),
            "verdict": toned(value.verdict),
            **sizes,
            "closest or failing pair": self._direction(worst),
            "where": self._where(worst),
        }

    def _where(self, pair: Directed) -> str:
        """Where a pair fails, or else the output of its largest log ratio."""
        return self._largest_at(pair) if pair.witness is None else failure_place(pair.witness)

    def _about(self) -> list[Block]:
        """How the values were decided, what is assumed, and how one of them is proved."""
        found, problem = self.found, self._problem
        first = found.values[found.start]
        scale = [] if first.scale is None else ["--scale", str(first.scale)]
        command = ["pfverify", "certify", self._name, *scale, "--epsilon", str(first.epsilon),
                   "-o", "value.cert"]  # fmt: skip
        assumed = [*found.assumed, *exact_counts(problem)]
        notion = notion_words(found.notion).removeprefix(". ")
        return [
            say(sentence("explore.decided")),
            *([say(words("laws.others-unknown").strip())] if problem.source.part_alone else []),
            *([say(f"{notion}.")] if notion else []),
            say(sentence("explore.assumed")),
            Listed([Item((text,)) for text in assumed]),
            say(sentence("explore.proved")),
            Listing(command_line(*command), sentence("explore.command")),
            say(sentence("explore.digest", digest=problem_digest(problem))),
        ]


def _labels(numbers: Sequence[Real]) -> list[str]:
    return [plain(number) for number in numbers]


def _worst(value: ExploredValue) -> Directed:
    """The pair that a value is told by: one that fails, or else the closest."""
    return next((pair for pair in value.pairs if pair.refuted), value.pairs[0])


def _numbers(one: ExploredValue | Directed) -> dict[str, Any]:
    """The enclosures of a value or a pair, with all digits."""
    sizes = {"loss": one.loss, "delta": one.delta, "divergence": one.divergence}
    return {
        key: {"lower": str(size.lower), "upper": str(size.upper)}
        for key, size in sizes.items() if size is not None
    }  # fmt: skip


def _short(size: Enclosure) -> str:
    """An enclosure rounded outward to a few digits."""
    return between(Enclosure(_end(size.lower, decimal_lower), _end(size.upper, decimal_upper)))


def _end(end: Extended, rounded: Callable[[Fraction, int], str]) -> str:
    """One end of an enclosure, rounded outward."""
    return str(end) if isinstance(end, Infinite) else rounded(Fraction(end), _DIGITS)
