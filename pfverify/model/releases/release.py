"""What every release says of itself, and noise, one that adds; `releases.kinds` lists them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Self

from pfverify.errors import InputError, shorten
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.ball import Raw
from pfverify.exact.number import Number
from pfverify.model.fixed import Fixed
from pfverify.model.keys import Keyed
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.nothing import Nothing
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import PUFFERFISH, WINF, Protection

Laws = Mapping[str, Mapping[str, Prior]]
"""Belief -> secret -> law of X."""
ONE_RELEASE = "one release"
IDEAL_REAL = "ideal real-valued noise (not a floating-point sampler)"
IDEAL_LATTICE = "ideal noise on the lattice (an exact sampler)"
PUBLISHED = "the value itself is published: no noise"

# keys of one kind that people give to another, and what is said then
_ELSEWHERE = {
    "variance": (
        "only gaussian noise is given by its variance ({kind} noise has {variance}); did you mean "
        "'scale'?"
    ),
    "step": "only discrete-laplace noise has a step",
    "weights": "only noise of kind table has weights",
}


class Release(Fixed, ABC):
    """What is published of X: Y is X with noise, X itself, or what a channel makes of X.

    Attributes: `kind`, its name in files; `named`, whether outputs have names, and are no numbers;
    `plain`, whether nothing follows the noise or the channel; `step`, the step of the lattice that
    outputs live on, None on the line; `more_scale`, the fact by which a larger scale is never less
    private, None where that is not known (a channel has no scale); `additive`, whether every output
    is a number of X with noise, which whatever is added to X shifts, or is made of such numbers.
    """

    kind: ClassVar[str]
    named: ClassVar[bool]
    plain: ClassVar[bool]
    additive: ClassVar[bool] = False
    more_scale: str | None
    step: Fraction | None = None

    @property
    @abstractmethod
    def noise(self) -> Noise:
        """The noise that is added to X, which may be none."""

    @abstractmethod
    def notion(self, *, with_priors: bool) -> str:
        """Return the name of the notion that is meant where the problem names none."""

    @abstractmethod
    def over(self, laws: Laws) -> Laws:
        """Return laws of X as this release takes them; InputError for one that it does not take."""

    @abstractmethod
    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        """Return the single inputs that a notion of inputs compares; InputError without them."""

    @abstractmethod
    def check_protection(self, protection: Protection) -> None:
        """Raise InputError where what is kept apart has distances that are not between inputs."""

    @abstractmethod
    def check_priors(self, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
        """Raise InputError where this release is not meant for these priors."""

    @abstractmethod
    def released(self, *, bare: bool) -> str:
        """Return what the release is taken to be, in words; `bare`: without its noise."""

    def assumed(self, *, bare: bool) -> list[str]:
        """Return what a verdict takes for granted about the release, in words.

        Example: ``Laplace(1).assumed(bare=False)[-1]`` is ``"one release"``.
        """
        return [self.released(bare=bare), ONE_RELEASE]

    @property
    def several(self) -> str | None:
        """What is said of more than one noisy number, in words; None of one."""
        return None

    @property
    def decided_output(self) -> str | None:
        """Which output a decision is about where many are worth one; None where it is all of it."""
        return None

    @property
    def whose_scale(self) -> str | None:
        """Of which of several noisy numbers the scale is, and how the others keep to it."""
        return None

    @property
    def has_one_scale(self) -> bool:
        """Whether the noise of all noisy numbers is that of `noise`."""
        return True

    @property
    def usual_between_priors(self) -> bool:
        """Whether the usual notion is the one between priors, as with noise."""
        return self.notion(with_priors=False) == PUFFERFISH.notion

    @property
    def named_kind(self) -> str | None:
        """The kind where outputs have names, None where it is the noise that is named."""
        return self.kind if self.named else None

    @abstractmethod
    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return its keys of a problem file, with those of the notion that is asked of it."""

    @abstractmethod
    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return the one form of the same that goes into the digest of a problem."""

    @abstractmethod
    def key(self) -> object:
        """Return what is equal where the canonical forms are."""

    def resolved(self, laws: Laws, *, single: bool) -> tuple[Release, Laws]:
        """Return what is decided in its place, with the laws as that takes them: itself, at first.

        `single`: each output has to be by itself, so that none may stand for several.
        Example: ``Laplace(1).resolved({}, single=True)`` is ``(Laplace('1'), {})``.
        """
        del single
        return self, laws

    @abstractmethod
    def require_scale(self, what: str) -> None:
        """Raise InputError that begins with `what` where there is no scale to ask about."""

    @abstractmethod
    def with_scale(self, scale: AnyNumber) -> Release:
        """Return the same release at another scale; InputError where there is none."""


def canonical_notion(protection: Protection) -> dict[str, Any]:
    """Return what stands for the notion beside noise in a digest; nothing for the usual one."""
    metric = {} if protection.metric is None else {"metric": WINF}
    return {**metric, **protection.to_table()} if protection.extended else {}


class Noise(Keyed, Release):
    """Noise that is added to the released quantity.

    Attributes: `keys`, what its table may have besides the kind, in the order of the parameters;
    `size_name`, what its scale is called; `variance_text`, its variance in terms of its scale;
    `scale`, exact, with the unit of the released quantity, None where it is to be found; `step`,
    the step of the lattice that it lives on, None on the line; `exponential`, whether it weighs a
    distance d by e**(-d/scale); `has_masses`, whether atoms with this noise, or none of it, are
    released as masses; `by_coordinate`, whether it may be added to each of several numbers,
    independently; `adds_up`, what of many releases adds up to that of one (F40, F41), None where
    nothing is known; `alone`, whether it is decided by itself alone: with no steps after it, and of
    one release; `squares`, whether that is 1 over the square of the scale; `bound`, beyond
    which nothing is added, None where anything may be.
    """

    named = False
    plain = True
    additive = True
    size_name: ClassVar[str]
    variance_text: ClassVar[str]
    exponential: ClassVar[bool] = False
    has_masses: ClassVar[bool] = False
    by_coordinate: ClassVar[bool] = False
    adds_up: ClassVar[str | None] = None
    bound: Fraction | None = None
    alone: ClassVar[bool] = False
    squares: ClassVar[bool] = False
    scale: Number | None

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Self:
        """Return the noise of a table that has known keys alone; InputError naming the key."""
        for key in cls.keys:
            if key.needed and key.name not in table:
                raise InputError(f"{key.name}: missing, expected {key.what} of {cls.kind} noise")
        return super().from_table(table)

    def canonical(self) -> dict[str, Any]:
        """Return the one form of this noise that goes into the digest of a problem.

        A scale and a step stand in it in any case.
        """
        fixed = dict.fromkeys(("scale", "step", *(key.name for key in self.keys if key.written)))
        return {"kind": self.kind, **fixed, **{key.name: key.text(x) for key, x in self._stated()}}

    @classmethod
    def size_words(cls, scale: str) -> tuple[str, str | None]:
        """Return what the size of this noise is called at a scale, and the number that is said.

        Without a number the words say it all.
        """
        return cls.size_name, scale

    @property
    def adds_nothing(self) -> bool:
        """Whether the scale is 0, so that X itself is released."""
        return self.scale is not None and self.scale.fraction == 0

    @property
    def has_size(self) -> bool:
        """Whether there is a scale above 0, or one to be found."""
        return not self.adds_nothing

    @property
    def independent(self) -> bool:
        """Whether the noise is drawn without regard to X."""
        return True

    def with_scale(self, scale: AnyNumber) -> Self:
        """Return the same kind of noise with another scale; InputError where there is none."""
        return type(self)(scale, **{key.name: x for key, x in self._stated() if key.needed})

    @abstractmethod
    def sd(self, scale: Fraction) -> Fraction | Raw:
        """Return the standard deviation at a scale > 0: exact, or a ball at this precision."""

    @abstractmethod
    def mean_abs(self, scale: Fraction) -> Fraction | Raw:
        """Return the mean absolute value at a scale > 0: exact, or a ball at this precision."""

    @property
    def noise(self) -> Noise:
        """The noise itself."""
        return self

    def notion(self, *, with_priors: bool) -> str:
        """Return the notion between priors."""
        del with_priors
        return PUFFERFISH.notion

    def over(self, laws: Laws) -> Laws:
        """Return the laws as they are; InputError for one over the inputs of a channel."""
        for table in laws.values():
            for secret, prior in table.items():
                if isinstance(prior, Finite):
                    raise InputError(
                        f"prior of {shorten(secret)!r}: a prior of kind finite is over the inputs "
                        "of a channel, and the problem has none"
                    )
                if isinstance(prior, Joint) and not self.by_coordinate:
                    raise InputError(
                        f"prior of {shorten(secret)!r}: {self.kind} noise on several numbers is "
                        "not worked out; expected laplace, discrete-laplace, gaussian, "
                        "discrete-gaussian or none"
                    )
                if isinstance(prior, Nothing):
                    raise InputError(
                        f"prior of {shorten(secret)!r}: kind nothing needs a threshold among steps "
                        "in post, after one release of one number"
                    )
        return laws

    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        """Refuse: there are no inputs."""
        raise InputError(f"notion: {protection.notion} compares the inputs of a channel")

    def check_protection(self, protection: Protection) -> None:
        """Raise InputError for distances of inputs."""
        if protection.ground is not None:
            raise InputError("protection: with noise there are no inputs, expected none")

    def released(self, *, bare: bool) -> str:
        """Return whether the value itself is published, else how ideal the noise is."""
        if bare:
            return PUBLISHED
        return IDEAL_REAL if self.step is None else IDEAL_LATTICE

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise`, with the notion where it is not the usual one."""
        notion = {} if protection == PUFFERFISH else protection.to_table()
        return {**notion, "noise": self.to_table()}

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return `noise`, with the notion where it multiplies epsilon."""
        return {**canonical_notion(protection), "noise": self.canonical()}

    def key(self) -> object:
        """Return the parts of the canonical form."""
        return tuple(self.canonical().items())

    def require_scale(self, what: str) -> None:
        """Accept: every kind of noise has a size."""

    def stated_scale(self) -> Number:
        """Return the scale; InputError where there is none."""
        if self.scale is None:
            raise InputError(
                "noise.scale: missing, expected a number >= 0 (or use --scale; pfverify calibrate "
                "finds the smallest)"
            )
        return self.scale

    @property
    def divisor(self) -> Number:
        """What 1, or the step, over it adds up; InputError where there is no scale."""
        return self.stated_scale()

    def with_divisor(self, divisor: Number) -> Noise:
        """Return the same kind of noise at that divisor; InputError where there is none."""
        return self.with_scale(divisor)

    @classmethod
    def check_keys(cls, table: Mapping[str, Any]) -> None:
        """Raise InputError for a key that this kind does not have, wherever it belongs."""
        known = cls.known_keys()
        strange = [key for key in table if key not in known]
        for key in sorted(strange, key=[*_ELSEWHERE, *strange].index):
            why = _ELSEWHERE.get(key, "{kind} noise has no such key, expected one of {keys}")
            words = {"kind": cls.kind, "keys": ", ".join(known)}
            raise InputError(f"{key}: {why.format(variance=cls.variance_text, **words)}")

    def __repr__(self) -> str:
        """Return what makes it: its scale, then what else goes into its digest, by name."""
        texts = [(key.name, repr((key.shown or key.text)(x))) for key, x in self._stated()]
        parts = [text if name == "scale" else f"{name}={text}" for name, text in texts]
        return f"{type(self).__name__}({', '.join(parts)})"


def every_prior(noise: Noise, beliefs: Laws, pairs: Iterable[tuple[str, str]]) -> None:
    """Accept every prior: what `check_priors` is of noise that is meant for all of them."""


def before_a_choice(
    noise: Noise, beliefs: Laws, pairs: Iterable[tuple[str, str]]
) -> None:
    """Refuse every prior: what `check_priors` is of noise that a choice has to follow."""
    del beliefs, pairs
    raise InputError(
        f"noise.kind: {noise.kind} noise is worked out where a choice among several numbers "
        'follows; expected one in post, as select = "argmax"'
    )
