"""The view of a sampler: what was refuted, or what would have been seen, and what is assumed."""

from __future__ import annotations

from pfverify.crosscheck.samplers.result import (
    SamplerFindings,
    SamplerResult,
    TestedClaim,
    TestedEvent,
    TestedLeak,
)
from pfverify.edge.document import Inline, bad, counted
from pfverify.edge.views.view import View

_NOTHING = "So few draws show no excess at all"


class SamplerView(View[SamplerResult]):
    """What somebody's sampler drew: the events that refute it, and what would have been seen."""

    schema = "sampler"

    def at(self) -> str:
        """Return at which level that is."""
        failed = self.result.found is SamplerFindings.REFUTED
        return f" at level {self.decimal(self.result.level)}" if failed else ""

    def draws(self) -> str:
        """Return how many draws there are of each secret, at least."""
        return counted(min(one.draws for one in self.result.draws), "draw")

    def some(self) -> str:
        """Return whether there are more of some."""
        return "" if len({one.draws for one in self.result.draws}) == 1 else " or more"

    def whose(self) -> str:
        """Return of which problem."""
        return "" if self.asked is None else f" of {self.asked.name}"

    def events(self) -> list[TestedEvent]:
        """Return the events that refute the law."""
        return [one for one in self.result.events if one.refuted is not None]

    def leaks(self) -> list[TestedLeak]:
        """Return what digits tell, the worst first."""
        refuted = (one for one in self.result.leaks if one.refuted)
        return sorted(refuted, key=lambda one: -float(one.delta.lower))

    def claimed(self, one: TestedClaim) -> Inline:
        """Return whether a claim fails."""
        return bad("The claim fails: ") if one.refuted else "Claim: "

    def no_proof(self) -> str | None:
        """Return what would have been seen, where nothing was refuted."""
        result = self.result
        if result.found is not SamplerFindings.NOT_REFUTED:
            return None
        what = "An excess of delta above" if result.claims else "A chance that is off by more than"
        told = f"{what} {result.seen} would have been seen (in 99 of 100 runs)"
        return told if result.seen < 1 else _NOTHING

    def looked(self) -> str:
        """Return which digits were looked at."""
        return ", ".join(dict.fromkeys(one.looked_at for one in self.result.leaks))

    def alone(self) -> str:
        """Return what would have been seen of digits."""
        alone = max((one.alone for one in self.result.leaks), key=lambda value: float(str(value)))
        if alone < 1:
            other = "and none given the other, would have been seen (in 99 of 100 runs)"
            return f"One of chance {alone} given one secret, {other}"
        return f" {_NOTHING}"

    def excess(self) -> tuple[bool, bool]:
        """Return whether an excess was asked about that no number of draws, or one, shows."""
        asked, found = self.result.excess is not None, self.result.enough is not None
        return asked and not found, asked and found

    def under(self, belief: str) -> str:
        """Return a belief that has a name."""
        return "" if belief == "default" else f" under {belief}"

    def decimal(self, value: object) -> str:
        """Return a short decimal of a number; a fraction as it is."""
        return f"{float(str(value)):.6g}" if "/" not in str(value) else str(value)
