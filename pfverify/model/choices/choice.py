"""What may be published of several noisy numbers instead of them: names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number

if TYPE_CHECKING:
    from pfverify.model.choices.integrals import C, ChoiceChances, Noisy

_MOST_OUTPUTS = 4096


class NameChoice(ABC):
    """Which of several noisy numbers is named."""

    key: ClassVar[str]

    @abstractmethod
    def outputs(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names that may be published; InputError for coordinates of such a name."""

    @abstractmethod
    def chances(
        self, line: ChoiceChances[C], numbers: Sequence[Noisy], threshold: Noisy | None
    ) -> list[C]:
        """Return the chance of every output; `threshold`: None where there is none."""

    @abstractmethod
    def named(
        self, names: Sequence[str], numbers: Sequence[Fraction], thresholds: Iterator[Fraction],
        below: Callable[[int], int],
    ) -> str:  # fmt: skip
        """Return what is published of some noisy numbers.

        `thresholds`: noisy ones, each drawn anew; `below(n)`: an integer drawn from 0 to n - 1.
        """

    @abstractmethod
    def canonical(self) -> dict[str, Any]:
        """Return the table that `choice_of` reads as this."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What it does, in words."""

    def parts(self, size: int) -> int:
        """Return of how many sums a chance among so many numbers is made."""
        del size
        return 1

    @property
    @abstractmethod
    def of_largest(self) -> bool:
        """Whether what is large is named, and not what is small."""

    @property
    def ordered(self) -> int:
        """How many numbers are named in the order of their size."""
        return 1

    @property
    def threshold(self) -> NoisyThreshold | None:
        """The threshold, where there is one."""
        return None

    def with_threshold(self, scale: Number) -> NameChoice:
        """Return the same with another scale of the threshold's noise."""
        raise InputError(f"scale: {scale.text}, and there is no threshold")

    def without_kind(self) -> NameChoice:
        """Return the same with a threshold whose noise is of the kind of the numbers'."""
        return self


@dataclass(frozen=True)
class NoisyThreshold:
    """A threshold, and the scale of its noise: None for no noise; `kind`: where it is stated."""

    at: Fraction
    scale: Number | None
    kind: str | None = None

    def canonical(self) -> dict[str, Any]:
        """Return the table of it."""
        kind = {} if self.kind is None else {"kind": self.kind}
        scale = {} if self.scale is None else {"scale": self.scale.text}
        return {"threshold": str(self.at), **scale, **kind}


def check_few(outputs: int, where: str) -> None:
    """Raise InputError for more outputs than are worked out."""
    if outputs > _MOST_OUTPUTS:
        raise InputError(
            f"{where}: {shorten(outputs)} outputs, at most {_MOST_OUTPUTS} are worked out"
        )


def distinct(found: Iterable[Sequence[str]], where: str) -> tuple[str, ...]:
    """The names of outputs, which must differ."""
    names = tuple(", ".join(names) for names in found)
    if len({*names}) < len(names):
        raise InputError(
            f"{where}: two outputs have one name, as a coordinate has a comma in its own; expected "
            "names without"
        )
    return names
