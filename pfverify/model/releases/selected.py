"""Noise on several numbers, of which the name of one is published: the largest, or the first above.

What is published has as many outputs as there are numbers, whose masses are exact: a channel from
the points to the names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import chain
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.ball import current_precision
from pfverify.exact.number import Number
from pfverify.model.channels.channel import Channel, check_irrational_size
from pfverify.model.channels.entries import Entry, folded
from pfverify.model.choices.choice import NameChoice, NoisyThreshold
from pfverify.model.choices.kinds import ALONE, NAMES, WORKED_OUT, Worked
from pfverify.model.choices.stated import choice_of
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint, Point
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import Protection
from pfverify.model.releases.coordinates import Coordinates
from pfverify.model.releases.of_noise import OfNoise
from pfverify.model.releases.release import IDEAL_REAL, Laws, Noise, Release

if TYPE_CHECKING:
    from pfverify.model.choices.integrals import ChoiceChances, Noisy

_ALONE = "with noise on the threshold alone"
FEW_POWERS = 4096
"""The cube of the sum of all rates, in the largest unit, times the points, and at random times the
numbers: up to here masses are exact sums, beyond they are enclosed."""
MOST_POWERS = 4096
MOST_NUMBERS = 256
_MOST_BITS = 512  # of sums that are no finite ones


class Selected(OfNoise):
    """Noise on several numbers, then the name of one of them.

    Parameters: the noise, and the one step of `post`: `select` with "argmax" or "argmin", or
    `first-above` or `first-below` with a threshold. Raises InputError naming what is wrong.
    Example: ``Selected(Laplace(2), [{"select": "argmax"}]).choice.largest`` is ``True``.
    Source: design fact F77.
    """

    kind = "steps"
    named = True
    more_scale = None
    before: Noise | Coordinates
    choice: NameChoice

    def __init__(self, before: Release, post: object) -> None:
        if not isinstance(before, Noise | Coordinates):
            raise InputError(f"post: a choice follows noise on several numbers, not {before.kind}")
        choice = choice_of(post)
        noise, threshold = before.noise, choice.threshold
        bare = noise.adds_nothing
        if bare and (threshold is None or not _has_noise(threshold)):
            raise InputError("post[0]: a choice needs noise on the numbers, or on the threshold")
        if not bare and type(noise) not in WORKED_OUT:
            raise InputError(
                f"post[0]: a choice among numbers with {noise.kind} noise is not worked out; "
                f"expected {', '.join(NAMES[:-1])} or {NAMES[-1]}"
            )
        if not bare and choice.ordered > WORKED_OUT[type(noise)].ordered:
            raise InputError(
                f"post[0].top: the order of {choice.ordered} numbers with {noise.kind} noise is "
                f"not worked out, expected at most {WORKED_OUT[type(noise)].ordered}; with gumbel "
                "noise it is"
            )
        if not bare and WORKED_OUT[type(noise)].one_sided and not choice.of_largest:
            raise InputError(
                f"post[0]: {noise.kind} noise is not symmetric, and is worked out for what is "
                "large alone; expected argmax, or first-above, of the negated numbers"
            )
        if threshold is not None and threshold.scale is not None:
            where = f"post[0].{choice.key}.kind"
            if bare and threshold.kind is None:
                raise InputError(
                    f"{where}: missing, expected which noise the threshold has, as the numbers "
                    "have none"
                )
            if bare and threshold.kind not in ALONE:
                raise InputError(
                    f"{where}: {threshold.kind} noise on the threshold alone is not worked out; "
                    f"expected {' or '.join(ALONE)}"
                )
            if not bare and threshold.kind not in (None, noise.kind):
                raise InputError(
                    f"{where}: {threshold.kind}, and the numbers have {noise.kind} noise; "
                    "expected the same"
                )
        self._keep(before=before, _noise=noise, choice=choice)

    @property
    def lattice(self) -> Fraction | None:
        """The step of the lattice that noisy numbers lie on; None on the line.

        Where the numbers have no noise, that of the threshold is on the line.
        """
        return None if self._noise.adds_nothing else self._noise.step

    def over(self, laws: Laws) -> Laws:
        """Return the laws as they are; InputError for one that is not of several numbers."""
        for table in laws.values():
            for secret, law in table.items():
                if not isinstance(law, Joint) or len(law.names) < 2:
                    raise InputError(
                        f"post[0]: a choice is among several numbers, and the prior of "
                        f"{shorten(secret)!r} is of one; expected kind joint"
                    )
                if len(law.names) > MOST_NUMBERS:
                    raise InputError(
                        f"post[0]: a choice among {len(law.names)} numbers, expected at most "
                        f"{MOST_NUMBERS}"
                    )
                self.choice.outputs(law.names)
        return self.before.over(laws)

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError for distances of inputs, or of laws."""
        super().check_protection(protection)
        if protection.extended:
            raise InputError("notion: with a choice after the noise, expected distp")

    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Raise InputError where the points, or the threshold, do not lie on the noise's lattice.
        """
        del pairs
        step, threshold = self.lattice, self.choice.threshold
        if step is None:
            return
        laws = chain.from_iterable(table.values() for table in beliefs.values())
        points = [x for law in laws if isinstance(law, Joint) for x in law.mass]
        at = points[0][0] if threshold is None else threshold.at
        for x in chain.from_iterable(points):
            if ((x - at) / step).denominator != 1:
                raise InputError(
                    f"post[0]: {x} and {at} do not differ by a multiple of the step {step}, and "
                    "are compared; expected one lattice"
                )

    def released(self, *, bare: bool) -> str:
        """Return how ideal the noise is, and the choice."""
        noise = f"{IDEAL_REAL} on the threshold alone" if bare else self.before.released(bare=False)
        return f"{noise}, then of the numbers {self.choice.words}"

    def assumed(self, *, bare: bool) -> list[str]:
        """Return the same, and that the noise of a threshold is its own."""
        found, threshold = super().assumed(bare=bare), self.choice.threshold
        if threshold is not None and threshold.scale is not None and not bare:
            found.append("the noise of the threshold is drawn independently of that of the numbers")
        return found

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise` and `post`."""
        return {**self.before.tables(protection), "post": [self.choice.canonical()]}

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise` and `post`."""
        return {**self.before.canonical_tables(protection), "post": [self.choice.canonical()]}

    def key(self) -> object:
        """Return the noise's, and the choice."""
        return self.before.key(), repr(self.choice.canonical())

    @property
    def several(self) -> str | None:
        """What is said of the noisy numbers."""
        return _ALONE if self._noise.adds_nothing else self.before.several

    @property
    def whose_scale(self) -> str | None:
        """That of the first number, with the threshold's in the same ratio to it."""
        threshold, of = self.choice.threshold, self.before.whose_scale
        if threshold is None or threshold.scale is None:
            return of
        return f"{of or 'of the numbers'}, the threshold's in proportion"

    def require_scale(self, what: str) -> None:
        """Raise InputError where only the threshold has noise."""
        if not self._noise.has_size or type(self._noise) not in WORKED_OUT:
            raise InputError(f"{what}: the numbers have no noise, and the threshold has its own")

    def with_scale(self, scale: AnyNumber) -> Selected:
        """Return the same with noise of another scale; that of the threshold in proportion."""
        before, choice = self.before.with_scale(scale), self.choice
        threshold = choice.threshold
        if threshold is not None and threshold.scale is not None and self._noise.scale is not None:
            grown = before.noise.stated_scale() / self._noise.stated_scale()
            choice = choice.with_threshold(threshold.scale * grown)
        return Selected(before, [choice])

    def resolved(self, laws: Laws, *, single: bool) -> tuple[Release, Laws]:
        """Return the channel from the points to the names, and the laws over the points' names."""
        del single
        if type(self._noise) in WORKED_OUT:
            self._noise.stated_scale()
        every = [law for table in laws.values() for law in table.values() if isinstance(law, Joint)]
        points = sorted({x for law in every for x in law.mass})
        channel = Choices(self, every[0].names, points)
        named = {
            belief: {secret: _named(law) for secret, law in table.items()}
            for belief, table in laws.items()
        }
        return channel, named

    def __repr__(self) -> str:
        return f"Selected({self.before!r}, {[self.choice.canonical()]!r})"


class Choices(Channel):
    """The chance of every name given each of some points, exactly or enclosed.

    Parameters: the release, the names of the coordinates, and the points, sorted.
    """

    kind = "steps"
    chosen: Selected
    points: tuple[Point, ...]

    def __init__(self, chosen: Selected, names: Sequence[str], points: Sequence[Point]) -> None:
        outputs = chosen.choice.outputs(names)
        check_irrational_size(len(points), len(outputs), "post")
        self._keep(
            chosen=chosen, points=tuple(points), inputs=tuple(map(_text, points)),
            _outputs=outputs,
        )  # fmt: skip

    def canonical(self) -> dict[str, Any]:
        """Return what stands for it where channels are compared."""
        return {"choice": self.chosen.key(), "inputs": self.inputs, "outputs": self.outputs}

    @property
    def _worked(self) -> Worked:
        """How chances are worked out: by the noise of the numbers, else that of the threshold."""
        noise, threshold = self.chosen.noise, self.chosen.choice.threshold
        if not noise.adds_nothing:
            return WORKED_OUT[type(noise)]
        kind = None if threshold is None else threshold.kind
        return next(worked for of, worked in WORKED_OUT.items() if of.kind == kind)

    @cached_property
    def _scales(self) -> tuple[list[Number | None], Number | None]:
        """Those of the numbers, and of the threshold."""
        before, threshold = self.chosen.before, self.chosen.choice.threshold
        size = len(self.points[0])
        scales: list[Number | None] = [None] * size
        if isinstance(before, Coordinates):
            scales = [*before.scales]
        elif not before.noise.adds_nothing:
            scales = [before.noise.stated_scale()] * size
        return scales, None if threshold is None else threshold.scale

    @cached_property
    def _rates(self) -> tuple[Number, list[int | None], int | None]:
        """The rate that all are whole multiples of, those of the numbers, and of the threshold."""
        numbers, threshold = self._scales
        scales = [*numbers, threshold]
        unit = next(scale for scale in scales if scale is not None)
        ratios = [None if scale is None else _ratio(unit, scale) for scale in scales]
        known = [ratio for ratio in ratios if ratio is not None]
        common = _common(known)
        times = [None if ratio is None else int(ratio / common) for ratio in ratios]
        if sum(n or 0 for n in times) > MOST_POWERS:
            raise InputError(
                f"noise.scale: the scales are multiples of a scale that is too small, 1 over "
                f"{common} of the first; expected ratios of small numbers"
            )
        rate = Number.of_rational(common) / unit
        return rate, times[:-1], times[-1]

    @cached_property
    def _noises(self) -> tuple[Number, list[Noisy], Noisy]:
        """A rate, and a number at 0 with the noise of every number, and of the threshold."""
        from pfverify.model.choices.integrals import Noisy

        origin = Fraction(0)
        if self._worked.exact:
            rate, times, last = self._rates
            return rate, [Noisy(origin, n) for n in times], Noisy(origin, last)
        with told_at(f"post[0].{self.chosen.choice.key}."):  # the numbers' own were looked at
            squares = [
                None if scale is None else GaussianNoise(scale).variance
                for scale in (*self._scales[0], self._scales[1])
            ]
        every = [Noisy(origin, None, square) for square in squares]
        return Number.of_rational(Fraction(1)), every[:-1], every[-1]

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return a row for every point."""
        from pfverify.model.choices.rings import EnclosedRow, EntryRing, enclosed_number

        choice = self.chosen.choice
        rate, noises, last = self._noises
        threshold = None if choice.threshold is None else last._replace(at=choice.threshold.at)
        powers = sum(of.times or 0 for of in (*noises, last))
        few = powers**3 * len(self.points) * choice.parts(len(noises)) <= FEW_POWERS
        rows = []
        for x in self.points:
            numbers = [of._replace(at=at) for at, of in zip(x, noises, strict=True)]
            if few and self._worked.exact:
                line = self._worked.chances(EntryRing(rate), self.chosen.lattice)
                rows.append(tuple(map(folded, choice.chances(line, numbers, threshold))))
                continue
            most = None if self._worked.exact else _MOST_BITS
            row = EnclosedRow((self, x), self._enclosing(rate, numbers, threshold), most)
            rows.append(tuple(enclosed_number(row, k) for k in range(len(self.outputs))))
        return tuple(rows)

    def _enclosing(
        self, rate: Number, numbers: Sequence[Noisy], threshold: Noisy | None
    ) -> Callable[[], Sequence[Any]]:
        from pfverify.model.choices.rings import BallRing

        def enclose() -> Sequence[Any]:
            bits = current_precision()
            if bits not in self._lines:  # points share the gaps between their numbers
                self._lines[bits] = self._worked.chances(BallRing(rate), self.chosen.lattice)
            return self.chosen.choice.chances(self._lines[bits], numbers, threshold)

        return enclose

    @cached_property
    def _lines(self) -> dict[int, ChoiceChances[Any]]:
        return {}


def _has_noise(threshold: NoisyThreshold) -> bool:
    return threshold.scale is not None and threshold.scale.fraction != 0


def _ratio(unit: Number, scale: Number) -> Fraction:
    """What a rate is of that of the first scale."""
    found = folded(unit / scale)
    if not isinstance(found, Fraction):
        raise InputError(
            f"noise.scale: {shorten(scale.text)} is no rational multiple of "
            f"{shorten(unit.text)}, and a choice among such numbers is not worked out"
        )
    return found


def _common(ratios: Sequence[Fraction]) -> Fraction:
    """The largest number that all are whole multiples of."""
    whole = lcm(*(ratio.denominator for ratio in ratios))
    return Fraction(gcd(*(int(ratio * whole) for ratio in ratios)), whole)


def _text(point: Point) -> str:
    return ", ".join(map(str, point))


def _named(law: Prior) -> Finite:
    """A law of points over their names."""
    if not isinstance(law, Joint):
        raise InputError("post[0]: a choice is among several numbers, expected kind joint")
    return Finite({_text(x): mass for x, mass in law.mass.items()})
