"""The view of a problem that was counted from a file."""

from __future__ import annotations

import shlex
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import counted
from pfverify.edge.footing_words import footing_words, scale_words
from pfverify.edge.hidden_words import hidden_words
from pfverify.edge.names import distinct
from pfverify.edge.region_words import COUNTS, EVERY, REGION, region_words, rests_data
from pfverify.edge.sentences import sentence
from pfverify.edge.views.plain import WrittenView
from pfverify.edge.words import size_word
from pfverify.model.counted import counts_of
from pfverify.model.families.confidence import percent
from pfverify.model.provenance import CONFIDENTIAL
from pfverify.model.releases.repeated import Repeated
from pfverify.records.prior import CountedPrior


class PriorView(WrittenView):
    """What was read, what was left out, and what was written."""

    schema = "prior"
    confidential: ClassVar[str] = CONFIDENTIAL
    result: CountedPrior

    def moved(self) -> str:
        """Return in how many sequences the rows are, where that matters."""
        provenance = self.result.provenance
        if provenance.sequences is None:
            return ""
        sequences = counted(provenance.sequences, "sequence")
        return f" In {sequences}, {counted(provenance.transitions or 0, 'transition')}."

    def named_rows(self) -> dict[str, int]:
        """Return the secrets, each with its rows."""
        names = distinct(self.result.rows)
        return {names[name]: count for name, count in self.result.rows.items()}

    def empty(self) -> str:
        """Return how many cells are empty, if any."""
        empty = self.result.provenance.empty_cells
        if not empty:
            return ""
        return f"; {counted(empty, 'cell')} {'is' if empty == 1 else 'are'} empty"

    def assumed(self) -> str | None:
        """Return what is taken for granted of the records."""
        warning = self.result.provenance.warning or ""
        return warning.removesuffix(CONFIDENTIAL).strip() or None

    def hidden(self) -> list[str]:
        """Return what is hidden, and what is not."""
        return hidden_words(self.result.provenance)

    def often(self) -> list[str]:
        """Return of what many releases are."""
        release = self.result.problem.release
        if not isinstance(release, Repeated) or release.count == 1:
            return []
        return [sentence(f"prior.{'fresh' if release.fresh else 'same'}", count=release.count)]

    def rests(self) -> list[str]:
        """Return what the smallest scale rests on."""
        rests, size = self.result.rests_on, self._size
        if rests is None:
            return []
        region = region_words(rests.region, size, self._scale)[self._chosen :]
        return [*region, *footing_words(rests, size)]

    def none(self) -> str | None:
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

    def decision(self) -> list[str]:
        """The scales between which to choose, a line for each."""
        rests = self.result.rests_on
        none = self.none()
        if none is not None:
            return [none]
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

    def next(self) -> str:
        """The command that goes on from the file."""
        path = Path(self.result.output or "problem.toml")
        scaled = path.with_name(f"{path.stem}-scaled{path.suffix}")
        if self.result.problem.release.noise.scale is None or self._too_small:
            asked = ["pfverify", "calibrate", str(path)]
            if self._nothing_allowed:  # it says whether there is a scale
                return shlex.join(asked)
            asked += ["--write", str(scaled)]
            return shlex.join([*asked, *self._method()])
        return shlex.join(["pfverify", "certify", str(path)])

    @property
    def _too_small(self) -> bool:
        """Whether the file has a scale that some law which the records leave possible refutes."""
        rests, scale = self.result.rests_on, self._scale
        least = rests.region.least if rests is not None and rests.region is not None else None
        return least is not None and scale is not None and scale <= least.lower

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
        rests = rests_data(self.result.rests_on, self._size, records=True)
        return super().data() | rests

    def provenance(self) -> object:
        """Return where the numbers come from."""
        return self.result.provenance.to_table()
