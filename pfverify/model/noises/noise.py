"""What a kind of noise says of itself; `pfverify.model.kinds.NOISES` lists the kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from pfverify.errors import InputError
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.ball import Raw
from pfverify.exact.number import Number
from pfverify.model.fixed import Fixed
from pfverify.model.priors.prior import Prior

# keys of one kind that people give to another, and what is said then
_ELSEWHERE = {
    "variance": (
        "only gaussian noise is given by its variance ({kind} noise has {variance}); did you mean "
        "'scale'?"
    ),
    "step": "only discrete-laplace noise has a step",
}


class Noise(Fixed, ABC):
    """Noise that is added to the released quantity.

    Attributes: `kind`, its name in files; `keys`, what its table may have besides the kind, each
    with its description in the published schema; `size_name`, what its scale is called;
    `variance_text`, its variance in terms of its scale; `scale`, exact, with the unit of the
    released quantity, None where it is to be found; `step`, the step of the lattice that it lives
    on, None on the line; `exponential`, whether it weighs a distance d by e**(-d/scale);
    `has_masses`, whether atoms with this noise, or none of it, are released as masses.
    """

    kind: ClassVar[str]
    keys: ClassVar[Mapping[str, str]]
    size_name: ClassVar[str]
    variance_text: ClassVar[str]
    exponential: ClassVar[bool] = False
    has_masses: ClassVar[bool] = False
    scale: Number | None
    step: Fraction | None = None

    @classmethod
    @abstractmethod
    def from_table(cls, table: Mapping[str, Any]) -> Noise:
        """Return the noise of a table that has known keys alone; InputError naming the key."""

    @abstractmethod
    def to_table(self) -> dict[str, Any]:
        """Return the table that `from_table` reads as this noise."""

    @abstractmethod
    def canonical(self) -> dict[str, str | None]:
        """Return the one form of this noise that goes into the digest of a problem."""

    @classmethod
    @abstractmethod
    def size_words(cls, scale: str) -> tuple[str, str | None]:
        """Return what the size of this noise is called at a scale, and the number that is said.

        Without a number the words say it all.
        """

    @property
    @abstractmethod
    def adds_nothing(self) -> bool:
        """Whether X itself is released."""

    @abstractmethod
    def with_scale(self, scale: AnyNumber) -> Noise:
        """Return the same kind of noise with another scale; InputError where there is none."""

    @abstractmethod
    def sd(self, scale: Fraction) -> Fraction | Raw:
        """Return the standard deviation at a scale > 0: exact, or a ball at this precision."""

    @abstractmethod
    def mean_abs(self, scale: Fraction) -> Fraction | Raw:
        """Return the mean absolute value at a scale > 0: exact, or a ball at this precision."""

    @abstractmethod
    def check_priors(
        self, beliefs: Mapping[str, Mapping[str, Prior]], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Raise InputError where this noise is not meant for these priors."""

    @classmethod
    def check_keys(cls, table: Mapping[str, Any]) -> None:
        """Raise InputError for a key that this kind does not have, wherever it belongs."""
        strange = [key for key in table if key not in {"kind", *cls.keys}]
        for key in sorted(strange, key=[*_ELSEWHERE, *strange].index):
            why = _ELSEWHERE.get(key, "{kind} noise has no such key, expected one of {keys}")
            words = {"kind": cls.kind, "keys": ", ".join(["kind", *cls.keys])}
            raise InputError(f"{key}: {why.format(variance=cls.variance_text, **words)}")
