"""Steps of a mechanism that are composed: each a pair of laws, and proved numbers of all together.

What other libraries state (an event, a history) are such steps, with so many of each. Floats are
read as the shortest decimals that print as them, which are exact numbers: 0.1 is 1/10.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, nextafter
from typing import Any, Protocol, Self

from pfverify.answers.certify import certify
from pfverify.answers.loss import LossResult, loss
from pfverify.answers.outcome import CertifyResult
from pfverify.errors import InputError, UndecidedError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.enclosure import Enclosure
from pfverify.model.channels.matrix import Matrix
from pfverify.model.composed import NamedTimes, separately
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.finite import Finite
from pfverify.model.problem import Problem
from pfverify.model.releases.release import Noise
from pfverify.model.steps.limits import Clamp

WITH, WITHOUT = "with", "without"
"""The secrets: a record is in the data, or it is not (or is another one)."""
_NOISES: Mapping[str, Callable[[Fraction, Fraction], Noise]] = {
    "gaussian": lambda variance, _: GaussianNoise(variance=variance),
    "laplace": lambda scale, _: Laplace(scale),
    "discrete-gaussian": lambda variance, step: DiscreteGaussian(variance=variance, step=step),
    "discrete-laplace": DiscreteLaplace,
}
Masses = tuple[tuple[Fraction, Fraction], ...]
"""Values with their masses."""
_ROOM = [Fraction(0), *(Fraction(1, 10**k) for k in (5, 4, 3, 2, 1))]  # above the proved end
_ASKED = Fraction(1, 2)  # any delta above 0, so that it is narrowed


@dataclass(frozen=True)
class NoisyStep:
    """A number with noise: its law with the record and without; `size`, the scale of the noise, of
    gaussian noise the variance; `step`, of the lattice that discrete noise is on; `within`, what
    the noisy number is clamped to.

    Example: ``NoisyStep("laplace", Fraction(2), moved(1), moved(0)).plain`` is ``True``.
    """

    noise: str
    size: Fraction
    present: Masses
    absent: Masses
    step: Fraction = Fraction(1)
    within: tuple[Fraction, Fraction] | None = None

    def problem(self) -> Problem:
        """Return the problem of one step."""
        laws = Discrete(mass=dict(self.present)), Discrete(mass=dict(self.absent))
        priors = dict(zip((WITH, WITHOUT), laws, strict=True))
        noise = noise_of(self.noise, self.size, self.step)
        post = None if self.within is None else [Clamp(*self.within)]
        return Problem(priors, noise=noise, post=post, epsilon=0)

    @property
    def plain(self) -> bool:
        """Whether the number is known for sure with the record and without."""
        return len(self.present) == len(self.absent) == 1


@dataclass(frozen=True)
class AnswerStep:
    """An answer with a name: its law with the record and without."""

    present: tuple[Fraction, ...]
    absent: tuple[Fraction, ...]

    def problem(self) -> Problem:
        """Return the problem of one step."""
        names = [f"answer {k + 1}" for k in range(len(self.present))]
        channel = Matrix([WITH, WITHOUT], names, [self.present, self.absent])
        priors = {
            secret: Finite({name: int(name == secret) for name in (WITH, WITHOUT)})
            for secret in (WITH, WITHOUT)
        }
        return Problem(priors, channel=channel, epsilon=0)


class DrawnApart(Protocol):
    """What is drawn for a pair of inputs, or for several: what is told of them, and their problem.

    `present` is equal to `absent` where nothing is told.
    """

    @property
    def present(self) -> tuple[Any, ...]:
        """What stands for the inputs with the record."""

    @property
    def absent(self) -> tuple[Any, ...]:
        """What stands for those without."""

    def problem(self) -> Problem:
        """Return the problem of one step."""


Step = DrawnApart
Steps = Counter[Step]


def exact(value: object, what: str) -> Fraction:
    """Return the number that a float, an integer or a fraction states; InputError for others.

    Example: ``exact(0.1, "rate")`` is ``Fraction(1, 10)``.
    """
    if isinstance(value, bool):
        raise InputError(f"{what}: {value} is no number")
    if isinstance(value, int | Fraction):
        return Fraction(value)
    try:
        return Fraction(repr(float(value)))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise InputError(f"{what}: {shorten(value)} is no finite number") from None


def stated(value: AnyNumber | float, what: str) -> AnyNumber:
    """Return a number of the problem's language, a float as the decimal that it prints as.

    Example: ``stated("1/3", "epsilon")`` is ``"1/3"``, ``stated(0.5, "epsilon")`` is 1/2.
    """
    return exact(value, what) if isinstance(value, float) else value


def noise_of(kind: str, size: Fraction, step: Fraction) -> Noise:
    """Return a noise by its name: `size` is its scale, of gaussian noise the variance.

    Example: ``noise_of("laplace", Fraction(2), Fraction(1)).kind`` is ``"laplace"``.
    """
    return _NOISES[kind](size, step)


def above_zero(value: object, what: str) -> Fraction:
    """Return an exact number > 0; InputError for others."""
    found = exact(value, what)
    if found <= 0:
        raise InputError(f"{what}: {shorten(value)} is not > 0")
    return found


def moved(*values: tuple[Fraction | int, Fraction | int] | Fraction | int) -> Masses:
    """Return a law of values; one without a mass is there for sure, others have theirs.

    Masses of equal values are added. Raises InputError where they are negative or do not sum to 1.
    Example: ``moved((0, Fraction(3, 4)), (1, Fraction(1, 4)))[1]`` is
    ``(Fraction(1), Fraction(1, 4))``.
    """
    found: Counter[Fraction] = Counter()
    for one in values:
        value, mass = one if isinstance(one, tuple) else (one, 1)
        if mass < 0:
            raise InputError(f"a chance: {shorten(mass)} is negative")
        found[Fraction(value)] += Fraction(mass)  # type: ignore[assignment]
    law = tuple((value, Fraction(mass)) for value, mass in sorted(found.items()) if mass)
    total = sum(mass for _, mass in law)
    if total != 1:
        raise InputError(f"the chances sum to {shorten(total)}, expected exactly 1")
    return law


def gathered(steps: Iterable[tuple[Step, int]]) -> Steps:
    """Return how often each step comes, of which those that tell nothing are left out.

    Gaussian steps of one number that is known for sure are one of variance 1/sum(n/variance), at
    distance 1, as a sum of normal losses is normal. Source: design fact F41.
    """
    found, precision = Steps(), Fraction(0)
    for step, times in steps:
        if not times or step.present == step.absent:
            continue
        if isinstance(step, NoisyStep) and step.noise == "gaussian" and step.plain:
            distance = step.present[0][0] - step.absent[0][0]
            precision += times * distance**2 / step.size
        else:
            found[step] += times
    if precision:
        found[NoisyStep("gaussian", 1 / precision, moved(1), moved(0))] = 1
    return found


def problem_of_steps(steps: Steps, epsilon: AnyNumber, delta: AnyNumber = 0) -> Problem:
    """Return the problem of all steps, each with its own draws; InputError where there is none.

    Later steps may depend on what earlier ones put out, where no step has more divergence than its
    pair, whatever came before. Source: design facts F43, F70 and F71 to F73.
    """
    if not steps:
        raise InputError("steps: none of them tells anything, so that there is nothing to decide")
    named = [
        NamedTimes(f"step {k + 1}", step.problem(), times)
        for k, (step, times) in enumerate(steps.items())
    ]
    if len(named) == 1 and named[0].times == 1:
        return named[0].problem.replaced(epsilon=epsilon, delta=delta)
    return separately(named, epsilon=epsilon, delta=delta)


@dataclass
class ProvedEnds:
    """Proved numbers of some steps; `none`: a step that is not private is among them.

    `gap`: how wide bounds of delta may be, as of `loss`.
    """

    steps: Steps = field(default_factory=Counter)
    none: bool = False
    gap: AnyNumber | float | None = None
    _lost: dict[tuple[Fraction, Fraction], LossResult] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of(
        self, counted: Iterable[tuple[Step | None, int]], gap: AnyNumber | float | None
    ) -> Self:
        """Return what is proved of these steps (None: one that is not private), and how often.

        Of the same steps it is this object, which keeps what it has found.
        """
        known = list(counted)
        none = any(step is None and times for step, times in known)
        steps = gathered((step, times) for step, times in known if step is not None)
        found = type(self)(steps, none, gap)
        return self if found == self else found

    def _loss(self, epsilon: Fraction, delta: Fraction) -> LossResult:
        """What all steps lose, which takes its time and is asked again for a certificate."""
        if (epsilon, delta) not in self._lost:
            problem = problem_of_steps(self.steps, epsilon, delta)
            self._lost[epsilon, delta] = loss(problem, gap=self._gap)
        return self._lost[epsilon, delta]

    @property
    def _gap(self) -> AnyNumber | None:
        return None if self.gap is None else stated(self.gap, "gap")

    def epsilon(self, delta: object) -> tuple[float, float]:
        """Return an epsilon that is not enough for a delta (or 0), and one that is, as floats.

        Raises InputError for a delta outside [0, 1].
        """
        wanted = exact(delta, "delta")
        if not 0 <= wanted <= 1:
            raise InputError(f"delta: {shorten(delta)} is outside [0, 1]")
        if self.none:
            return inf, inf
        if not self.steps or wanted == 1:
            return 0.0, 0.0
        found = self._loss(Fraction(0), wanted)
        ends = found.epsilon_star if found.epsilon_at_delta is None else found.epsilon_at_delta
        return floats_of(ends)

    def delta(self, epsilon: object) -> tuple[float, float]:
        """Return bounds of the least delta at an epsilon >= 0, as floats; InputError for others."""
        if epsilon == inf:
            return (1.0, 1.0) if self.none else (0.0, 0.0)
        wanted = exact(epsilon, "epsilon")
        if wanted < 0:
            raise InputError(f"epsilon: {shorten(epsilon)} is negative")
        if self.none:
            return 1.0, 1.0
        if not self.steps:
            return 0.0, 0.0
        low, high = floats_of(self._loss(wanted, _ASKED).delta)
        return low, min(high, 1.0)

    def certificate(self, delta: object) -> CertifyResult:
        """Return a certified verdict at this delta, with an epsilon that is hardly larger.

        Raises InputError where there is nothing to certify, UndecidedError where it is not done.
        """
        epsilon = self.epsilon(delta)[1]
        if epsilon == inf:
            raise InputError("certificate: no finite epsilon is enough at this delta")
        least, wanted = exact(epsilon, "epsilon"), exact(delta, "delta")
        for room in _ROOM:
            claimed = least + max(least, Fraction(1)) * room
            found = certify(problem_of_steps(self.steps, claimed, wanted), gap=self._gap)
            if found.verdict == "certified":
                return found
        raise UndecidedError(f"certificate: epsilon = {float(claimed)} is not decided either")


def floats_of(ends: Enclosure) -> tuple[float, float]:
    """Return floats between which the ends of an enclosure are.

    Example: ``floats_of(Enclosure("1/3", "1/3"))[0] < Fraction(1, 3)`` is ``True``.
    """
    low, high = (float(x) for x in (ends.lower, ends.upper))
    if low > ends.lower:
        low = nextafter(low, -inf)
    if high < ends.upper:
        high = nextafter(high, inf)
    return low, high
