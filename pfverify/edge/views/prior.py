"""The view of a problem that was counted from a file."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Paragraph, Section, bad, say, title
from pfverify.edge.footing_words import footing_data, footing_words, scale_words
from pfverify.edge.hidden_words import hidden_words
from pfverify.edge.names import distinct
from pfverify.edge.region_words import COUNTS, EVERY, REGION, region_data, region_words
from pfverify.edge.sentences import sentence
from pfverify.edge.views.data import as_data
from pfverify.edge.views.view import SingleView
from pfverify.edge.words import counted, size_word
from pfverify.model.counted import counts_of
from pfverify.model.families.confidence import percent
from pfverify.model.provenance import CONFIDENTIAL
from pfverify.model.releases.repeated import Repeated
from pfverify.records.prior import CountedPrior

_SHOWN = 12  # secrets


class PriorView(SingleView[CountedPrior]):
    """What was read, what was left out, and what was written."""

    schema = "prior"

    def section(self) -> Section:
        """Return how many rows there were of what, and what to do next."""
        headline = say(title(f"{self.name} -> {self.result.output}"), level=0)
        return Section(headline=headline, said=[*self._rows()], notes=[*self._notes()])

    def _rows(self) -> Iterator[Paragraph]:
        """How many rows there were of what."""
        rows, provenance = self.result.rows, self.result.provenance
        counted_in = ""
        if provenance.sequences is not None:
            sequences = counted(provenance.sequences, "sequence")
            steps = counted(provenance.transitions or 0, "transition")
            counted_in = f" In {sequences}, {steps}."
        used = f"{provenance.rows_read} rows read, {provenance.rows_used} used."
        yield say(used + counted_in, level=0)
        for reason, dropped in (provenance.dropped or {}).items():
            yield say(f"left out ({reason}): {dropped}")
        names = distinct(rows)
        for name in list(rows)[:_SHOWN]:
            yield say(f"{names[name]}: {rows[name]}")
        if len(rows) > _SHOWN:
            yield say(f"… and {len(rows) - _SHOWN} more")
        cell, empty = provenance.smallest_cell, provenance.empty_cells
        if cell is not None:
            text = f"smallest cell: {cell['records']} of value {cell['value']}, {cell['secret']}"
            if empty:
                text += f"; {counted(empty, 'cell')} {'is' if empty == 1 else 'are'} empty"
            yield say(text, folds=True)

    def _notes(self) -> Iterator[Paragraph]:
        """What the file is worth, and what to do next."""
        prior, rest = self.result, self.result.provenance.rest
        for words in self._decision():
            yield say(words, level=0, folds=True)
        if self._none is None:
            yield say(f"Next: {self._next()}", level=0)
        confidential = bad("Confidential as the records are. "), CONFIDENTIAL
        yield say(*confidential, level=0, folds=True)
        rests = [] if prior.rests_on is None else [
            *region_words(prior.rests_on.region, self._size, self._scale)[self._chosen :],
            *footing_words(prior.rests_on, self._size),
        ]  # fmt: skip
        stated = [] if rest is None else [f"rest: {rest}"]
        assumed = (prior.provenance.warning or "").removesuffix(CONFIDENTIAL).strip()
        assuming = [f"Assumed: {assumed}"] if assumed else []
        hidden = hidden_words(prior.provenance)
        release = prior.problem.release
        often = []
        if isinstance(release, Repeated) and release.count > 1:
            often = [sentence(f"prior.{'fresh' if release.fresh else 'same'}", count=release.count)]
        for words in (*hidden, *stated, *assuming, *often, *rests, *prior.remarks):
            yield say(words, level=0, folds=True)
        if not prior.epsilon_given:
            yield say(sentence("prior.epsilon"), level=0)

    @property
    def _none(self) -> str | None:
        """Why no scale works, where that is known before anything is asked."""
        least = None if self.result.rests_on is None else self.result.rests_on.least
        if least is not None and least.verdict is Verdict.REFUTED:
            other = " Choose an epsilon above 0 (--epsilon)." * self._nothing_allowed
            return f"No {self._size} works: {least.reason}.{other}"
        return None

    @property
    def _nothing_allowed(self) -> bool:
        problem = self.result.problem
        return problem.epsilon.sign() == 0 == problem.delta.sign()

    @property
    def _chosen(self) -> bool:
        """Whether both scales of counts are known, and stand first."""
        rests = self.result.rests_on
        found = None if rests is None else rests.region
        counts = None if rests is None else rests.least
        return found is not None and found.least is not None and counts is not None

    def _decision(self) -> list[str]:
        """The scales between which to choose, a line for each."""
        rests = self.result.rests_on
        if self._none:
            return [self._none]
        if rests is None:
            return []
        found, size, least = [], self._size, scale_words(rests.least)
        if self._chosen and rests.region is not None:
            level = percent(rests.region.level)
            found = [
                sentence("prior.minimum", size=size, least=least),
                sentence("prior.region", least=scale_words(rests.region.least), percent=level),
            ]
        if rests.every_value is not None:
            known = "calibrate finds it" if rests.least is None else f"the {size} {least}"
            every = scale_words(rests.every_value.least)
            found = [
                sentence("prior.minimum-of-laws", least=known),
                sentence("prior.every-value", size=size, least=every),
            ]
        return found

    @property
    def _size(self) -> str:
        return size_word(self.result.problem.release.noise.kind)

    @property
    def _scale(self) -> Fraction | None:
        release = self.result.problem.release
        scale = release.noise.scale if release.has_one_scale else None
        return None if scale is None else scale.fraction

    def _next(self) -> str:
        """The command that goes on from the file."""
        path = Path(self.result.output or "problem.toml")
        scaled = path.with_name(f"{path.stem}-scaled{path.suffix}")
        if self.result.problem.release.noise.scale is None:
            asked = ["pfverify", "calibrate", str(path)]
            if self._nothing_allowed:  # it says whether there is a scale
                return shlex.join(asked)
            asked += ["--write", str(scaled)]
            return shlex.join([*asked, *self._method()])
        return shlex.join(["pfverify", "certify", str(path)])

    def _method(self) -> list[str]:
        """Whose scale is written: the one that says more, where there are two."""
        if self.result.rests_on is not None and self.result.rests_on.every_value is not None:
            return ["--method", EVERY]
        if not counts_of(self.result.problem):
            return []
        found = None if self.result.rests_on is None else self.result.rests_on.region
        open_ = found is None or found.long or found.least is not None
        return ["--method", REGION if open_ else COUNTS]

    def data(self) -> object:
        """Return the digest, the rows of each secret, and the problem file with its provenance."""
        prior = self.result
        rests = prior.rests_on
        on = {} if rests is None else {"rests_on": footing_data(rests, self._size)}
        if rests is not None and rests.region is not None:
            on["region"] = region_data(rests.region, self._size)
        return {
            "output": prior.output,
            "digest": prior.digest,
            "rows": prior.rows,
            "provenance": as_data(prior.provenance.to_table()),
            "problem_file": prior.table,
            **on,
        }
