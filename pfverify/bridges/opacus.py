"""Opacus: an accountant as its own, whose epsilon is proved. Neither it nor torch is imported.

Example::

    from pfverify.bridges.opacus import CertifiedHistory

    engine = PrivacyEngine()
    engine.accountant = CertifiedHistory()
    ...
    engine.get_epsilon(delta=1e-6)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pfverify.answers.outcome import CertifyResult
from pfverify.bridges.steps import NoisyStep, ProvedEnds, Step, exact, moved
from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber

Entry = tuple[float, float, int]
"""A noise multiplier, the rate of a Poisson sample, and how many steps there are of them."""


class CertifiedHistory:
    """What the accountants of Opacus have: a history of noise, rates and steps, and its epsilon.

    Records are added or removed; each is drawn for a step by a coin of its own. Parameters: `gap`,
    how far apart the two bounds of a delta may be, of it (default 1/1000).
    Attribute: `history`, which may be taken over from another accountant.
    Example: ``CertifiedHistory([(2.0, 1.0, 4)]).get_epsilon(0.5) < 0.8`` is ``True``.
    """

    def __init__(self, history: Iterable[Entry] = (), gap: AnyNumber | float | None = None) -> None:
        self.history: list[Entry] = [*history]
        self._gap = gap
        self._proved = ProvedEnds()

    @classmethod
    def mechanism(cls) -> str:
        """Return the name of this way to count."""
        return "pfverify"

    def __len__(self) -> int:
        return sum(steps for _, _, steps in self.history)

    def step(self, *, noise_multiplier: float, sample_rate: float) -> None:
        """Take note of one step."""
        if self.history and self.history[-1][:2] == (noise_multiplier, sample_rate):
            steps = self.history.pop()[2] + 1
        else:
            steps = 1
        self.history.append((noise_multiplier, sample_rate, steps))

    def get_epsilon(self, delta: float, **_: Any) -> float:
        """Return an epsilon that is proved to be enough; other options are those of estimates.

        Raises InputError for a delta outside [0, 1], and for an entry that states no step.
        """
        return self.proved.epsilon(delta)[1]

    def bounds(self, delta: float) -> tuple[float, float]:
        """Return an epsilon that is proved not to be enough (or 0), and one that is."""
        return self.proved.epsilon(delta)

    def certificate(self, delta: float) -> CertifyResult:
        """Return a certified verdict with `write`; InputError where no epsilon is enough."""
        return self.proved.certificate(delta)

    @property
    def proved(self) -> ProvedEnds:
        """What is proved of the history so far."""
        found = [(_step_of(*entry[:2]), _times(entry[2])) for entry in map(_entry, self.history)]
        self._proved = self._proved.of(found, self._gap)
        return self._proved

    def get_optimizer_hook_fn(self, sample_rate: float) -> Callable[[Any], None]:
        """Return what takes note of each step of an optimizer that has `noise_multiplier` and
        `accumulated_iterations`."""

        def hook(optimizer: Any) -> None:
            self.step(
                noise_multiplier=optimizer.noise_multiplier,
                sample_rate=sample_rate * optimizer.accumulated_iterations,
            )

        return hook

    def state_dict(self, destination: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return what `load_state_dict` reads."""
        found = {} if destination is None else destination
        found |= {"history": [*self.history], "mechanism": self.mechanism()}
        return found

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take a history over, whatever counted it; InputError where there is none."""
        history = state_dict.get("history")
        if history is None:
            raise InputError("state_dict: it has no history")
        self.history = [_entry(entry) for entry in history]


def _entry(entry: Any) -> Entry:
    try:
        noise, rate, steps = entry
    except (TypeError, ValueError):
        raise InputError(
            f"history: {shorten(entry)} is no (noise multiplier, sample rate, steps)"
        ) from None
    return noise, rate, steps


def _times(steps: object) -> int:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise InputError(f"history: {shorten(steps)} is no number of steps")
    return steps


def _step_of(noise_multiplier: float, sample_rate: float) -> Step | None:
    """One step, None where it has no noise."""
    sigma, rate = exact(noise_multiplier, "noise_multiplier"), exact(sample_rate, "sample_rate")
    if not 0 <= rate <= 1:
        raise InputError(f"sample_rate: {shorten(sample_rate)} is outside [0, 1]")
    if sigma < 0:
        raise InputError(f"noise_multiplier: {shorten(noise_multiplier)} is negative")
    if not sigma and rate:
        return None
    return NoisyStep("gaussian", sigma**2 or rate + 1, moved((0, 1 - rate), (1, rate)), moved(0))
