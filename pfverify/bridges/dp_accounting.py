"""dp-accounting: an event as a problem, and an accountant whose numbers are proved.

Example::

    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent, SelfComposedDpEvent
    from pfverify.bridges.dp_accounting import CertifiedAccountant

    event = SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.0)), 100)
    accountant = CertifiedAccountant().compose(event)
    accountant.get_epsilon(1e-6)          # proved to be enough
    accountant.bounds(delta=1e-6)         # and what is proved not to be
    accountant.certificate(1e-6).write("steps.cert")
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from pfverify.answers.outcome import CertifyResult
from pfverify.bridges.steps import (
    AnswerStep,
    NoisyStep,
    ProvedEnds,
    Step,
    above_zero,
    exact,
    gathered,
    moved,
    problem_of_steps,
    stated,
)
from pfverify.errors import InputError
from pfverify.exact.argument import Number as AnyNumber
from pfverify.model.problem import Problem

try:
    from dp_accounting import dp_event
    from dp_accounting.privacy_accountant import NeighboringRelation, PrivacyAccountant
except ModuleNotFoundError as error:
    if error.name != "dp_accounting":
        raise
    raise InputError(
        "pfverify.bridges.dp_accounting needs dp-accounting: pip install '.[accounting]'"
    ) from None

ADD_OR_REMOVE = NeighboringRelation.ADD_OR_REMOVE_ONE
_SPECIAL, _REPLACE = NeighboringRelation.REPLACE_SPECIAL, NeighboringRelation.REPLACE_ONE
_ONE_SIDED = ADD_OR_REMOVE, _SPECIAL


class Unsupported(Exception):  # noqa: N818
    """What cannot be taken: the event, and why."""

    def __init__(self, event: dp_event.DpEvent, why: str) -> None:
        super().__init__(event, why)
        self.event, self.why = event, why


class Counted(NamedTuple):
    """A step, None for one that is not private, and how often it comes."""

    step: Step | None
    times: int


def problem_of(
    event: dp_event.DpEvent,
    *,
    epsilon: AnyNumber | float,
    delta: AnyNumber | float = 0,
    neighbors: NeighboringRelation = ADD_OR_REMOVE,
) -> Problem:
    """Return the problem that an event states: its hardest pair, as dp-accounting takes it.

    That no record of any data moves the number further is what the event claims, and no part of the
    problem. Floats are read as the shortest decimals that print as them.
    Raises InputError for an event that is not known, or not with these neighbors; for one that
    is not private; and for one that tells nothing.
    Example: ``problem_of(dp_event.LaplaceDpEvent(2.0), epsilon=1).noise.kind`` is ``"laplace"``.
    """
    try:
        counted = [*_steps_of(event, 1, neighbors)]
    except Unsupported as error:
        raise InputError(f"event: {error.why}, in {error.event}") from None
    if any(step is None and times for step, times in counted):
        raise InputError("event: it is not private: something is published without noise")
    steps = gathered((step, times) for step, times in counted if step is not None)
    return problem_of_steps(steps, stated(epsilon, "epsilon"), stated(delta, "delta"))


class CertifiedAccountant(PrivacyAccountant):  # type: ignore[misc]
    """An accountant as dp-accounting's own, whose `get_epsilon` and `get_delta` are proved ends.

    Parameters: `neighboring_relation`; `gap`, how far apart the two bounds of a delta may be, of it
    (default 1/1000: 1/20 is several times as fast).
    Events: Gaussian, Laplace (both also of Poisson samples), discrete Laplace, mixtures of
    Gaussians, randomized response, and compositions of these; `compose` raises
    UnsupportedEventError for others.
    Example: ``CertifiedAccountant().get_epsilon(1e-6)`` is 0.0.
    """

    def __init__(
        self,
        neighboring_relation: NeighboringRelation = ADD_OR_REMOVE,
        gap: AnyNumber | float | None = None,
    ) -> None:
        super().__init__(neighboring_relation)
        self._gap = gap
        self._counted: list[Counted] = []
        self._proved = ProvedEnds()

    def _maybe_compose(self, event: dp_event.DpEvent, count: int, do_compose: bool) -> Any:
        try:
            found = [*_steps_of(event, count, self._neighboring_relation)]
        except Unsupported as error:
            return PrivacyAccountant.CompositionErrorDetails(
                invalid_event=error.event, error_message=error.why
            )
        if do_compose:
            self._counted += found
        return None

    @property
    def proved(self) -> ProvedEnds:
        """What is proved of all events so far."""
        self._proved = self._proved.of(self._counted, self._gap)
        return self._proved

    def get_epsilon(self, target_delta: float) -> float:
        """Return an epsilon that is proved to be enough; InputError for a delta outside [0, 1]."""
        return self.proved.epsilon(target_delta)[1]

    def get_delta(self, target_epsilon: float) -> float:
        """Return a delta that is proved to be enough; InputError for a negative epsilon."""
        return self.proved.delta(target_epsilon)[1]

    def bounds(
        self, *, delta: float | None = None, epsilon: float | None = None
    ) -> tuple[float, float]:
        """Return both ends: what is proved not to be enough (or 0), and what is.

        Of epsilon where a delta is given, of delta where an epsilon is; InputError for both.
        """
        if (delta is None) == (epsilon is None):
            raise InputError("bounds: expected exactly one of delta and epsilon")
        return self.proved.epsilon(delta) if epsilon is None else self.proved.delta(epsilon)

    def certificate(self, delta: float) -> CertifyResult:
        """Return a certified verdict with `write`, about an epsilon that is hardly larger.

        Raises InputError where no epsilon is enough, and where nothing is told.
        """
        return self.proved.certificate(delta)


# ---------------------------------------------------------------- the events


def _steps_of(
    event: dp_event.DpEvent, count: int, neighbors: NeighboringRelation
) -> Iterator[Counted]:
    """The steps of an event; Unsupported for what is not known."""
    if isinstance(event, dp_event.SelfComposedDpEvent):
        yield from _steps_of(event.event, event.count * count, neighbors)
    elif isinstance(event, dp_event.ComposedDpEvent):
        for one in event.events:
            yield from _steps_of(one, count, neighbors)
    elif isinstance(event, dp_event.NonPrivateDpEvent):
        yield Counted(None, count)
    elif not isinstance(event, dp_event.NoOpDpEvent):
        read = _READERS.get(type(event))
        if read is None:
            raise Unsupported(event, "this kind of event is not known")
        try:
            yield Counted(read(event, neighbors), count)
        except InputError as error:
            raise Unsupported(event, str(error)) from None


def _size(value: float, what: str) -> Fraction | None:
    """The size of a noise, None for none at all."""
    found = exact(value, what)
    return above_zero(value, what) if found else None


def _require(neighbors: NeighboringRelation, known: tuple[NeighboringRelation, ...]) -> None:
    if neighbors not in known:
        names = " or ".join(f"`{one.name}`" for one in known)
        raise InputError(f"neighboring_relation must be {names}, got {neighbors.name}")


def _moved_by(
    noise: str, size: Fraction | None, rate: Fraction, neighbors: NeighboringRelation
) -> Step | None:
    """A number that a record moves by 1 with some chance, and with it that which takes its place
    by -1."""
    if size is None:
        return None if rate else NoisyStep(noise, Fraction(1), moved(0), moved(0))
    present, back = moved((0, 1 - rate), (1, rate)), moved((0, 1 - rate), (-1, rate))
    return NoisyStep(noise, size, present, back if neighbors == _REPLACE else moved(0))


def _gaussian(
    event: dp_event.GaussianDpEvent, neighbors: NeighboringRelation, rate: Fraction = Fraction(1)
) -> Step | None:
    _require(neighbors, (*_ONE_SIDED, _REPLACE))
    sigma = _size(event.noise_multiplier, "noise_multiplier")
    return _moved_by("gaussian", None if sigma is None else sigma**2, rate, neighbors)


def _laplace(
    event: dp_event.LaplaceDpEvent, neighbors: NeighboringRelation, rate: Fraction = Fraction(1)
) -> Step | None:
    _require(neighbors, _ONE_SIDED)
    size = _size(event.noise_multiplier, "noise_multiplier")
    return _moved_by("laplace", size, rate, neighbors)


def _discrete_laplace(
    event: dp_event.DiscreteLaplaceDpEvent, neighbors: NeighboringRelation
) -> Step | None:
    _require(neighbors, _ONE_SIDED)
    size = _size(event.noise_parameter, "noise_parameter")
    far = exact(event.sensitivity, "sensitivity")
    if far.denominator != 1 or far <= 0:
        raise InputError(f"sensitivity: {event.sensitivity} is no whole number > 0")
    return None if size is None else NoisyStep("discrete-laplace", 1 / size, moved(far), moved(0))


def _mixture(
    event: dp_event.MixtureOfGaussiansDpEvent, neighbors: NeighboringRelation
) -> Step | None:
    _require(neighbors, _ONE_SIDED)
    sigma = _size(event.standard_deviation, "standard_deviation")
    if len(event.sensitivities) != len(event.sampling_probs):
        raise InputError("sensitivities: as many as sampling_probs were expected")
    pairs = zip(event.sensitivities, event.sampling_probs, strict=True)
    law = moved(*((exact(x, "sensitivities"), exact(m, "sampling_probs")) for x, m in pairs))
    if sigma is None:
        return None if law != moved(0) else NoisyStep("gaussian", Fraction(1), law, law)
    return NoisyStep("gaussian", sigma**2, law, moved(0))


def _response(
    event: dp_event.RandomizedResponseDpEvent, neighbors: NeighboringRelation
) -> Step | None:
    """Replaced by another bucket, or by the special one, which gives every bucket alike."""
    _require(neighbors, (_REPLACE, _SPECIAL))
    noise, buckets = exact(event.noise_parameter, "noise_parameter"), event.num_buckets
    if isinstance(buckets, bool) or not isinstance(buckets, int) or buckets < 1:
        raise InputError(f"num_buckets: {buckets} is no whole number >= 1")
    if not 0 <= noise <= 1:
        raise InputError(f"noise_parameter: {event.noise_parameter} is outside [0, 1]")
    if not noise and buckets > 1:
        return None
    other, left = noise / buckets, buckets - 1
    true = 1 - noise + other
    if neighbors == _SPECIAL:
        return AnswerStep((true, left * other), (Fraction(1, buckets), Fraction(left, buckets)))
    if buckets == 1:
        return AnswerStep((true,), (true,))
    rest = (left - 1) * other
    return AnswerStep((true, other, rest), (other, true, rest))


def _sampled(
    event: dp_event.PoissonSampledDpEvent, neighbors: NeighboringRelation
) -> Step | None:
    rate = exact(event.sampling_probability, "sampling_probability")
    if not 0 <= rate <= 1:
        raise InputError(f"sampling_probability: {event.sampling_probability} is outside [0, 1]")
    if type(event.event) is dp_event.GaussianDpEvent:
        return _gaussian(event.event, neighbors, rate)
    if type(event.event) is dp_event.LaplaceDpEvent:
        return _laplace(event.event, neighbors, rate)
    raise InputError(
        "a Poisson sample is known before GaussianDpEvent and LaplaceDpEvent, not before "
        f"{type(event.event).__name__}"
    )


_READERS: dict[type[dp_event.DpEvent], Any] = {
    dp_event.GaussianDpEvent: _gaussian,
    dp_event.LaplaceDpEvent: _laplace,
    dp_event.DiscreteLaplaceDpEvent: _discrete_laplace,
    dp_event.MixtureOfGaussiansDpEvent: _mixture,
    dp_event.RandomizedResponseDpEvent: _response,
    dp_event.PoissonSampledDpEvent: _sampled,
}
