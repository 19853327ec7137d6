"""Kinds of channel of which one pair of inputs, seen in a few classes of outputs, stands for all.

For any two pairs there is a renaming of inputs and outputs that takes the one to the other and
leaves every row as it is; and the outputs of a class have one ratio under the two inputs of a pair.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from pfverify.errors import InputError
from pfverify.model.channels.channel import MOST_LISTED, MOST_STATES, Channel
from pfverify.model.channels.entries import Entry
from pfverify.model.channels.matrix import Matrix
from pfverify.model.names import checked_names
from pfverify.model.priors.finite import Finite
from pfverify.model.priors.prior import Prior
from pfverify.model.protection import Protection
from pfverify.model.releases.release import Laws, Release

FEW = 12
"""Inputs of which all pairs are decided one by one."""
MOST_OUTPUTS = 4096
"""Most outputs of a kind of channel that need not be written out to be decided."""


class Alike(Channel):
    """A channel of which one pair of many inputs is decided for all, and by a few classes.

    Attribute: `about`, what a decision is about that is made by the classes alone. Where it is
    small it is written out, for whatever else is asked.
    Source: design facts F84 and F86.
    """

    about: ClassVar[str]
    _beyond: str | None  # why it is not written out
    _many: bool  # whether one pair is decided for all: where it is not written out, and before

    @abstractmethod
    def pair(self) -> Channel:
        """Return the channel of the first two inputs, whose outputs are the classes."""

    def all_alike(self, protection: Protection) -> bool:
        """Say whether one pair of inputs stands for all: where there are many."""
        return self._many and protection.related is None and not protection.extended

    def inputs_compared(self, protection: Protection) -> tuple[str, ...]:
        """Return the inputs, or the first two for all; InputError for what is not decided so."""
        if not self.all_alike(protection):
            self._check_written_out()
        return super().inputs_compared(protection)

    def over(self, laws: Laws) -> Laws:
        """Return priors in the order of the inputs; InputError where nothing is written out."""
        self._check_written_out()
        return super().over(laws)

    def resolved(self, laws: Laws, *, single: bool) -> tuple[Release, Laws]:
        """Return the classes of outputs of two inputs, where these stand for all."""
        if not (self._many and all(self._stand_for_all(table) for table in laws.values())):
            return self, laws
        if single and self._beyond is None:
            return self, laws
        if single:
            raise InputError(
                f"form: a bound of single outputs needs all of them ({self._beyond}); expected "
                'form = "events"'
            )
        pair = self.pair()
        return pair, {
            belief: {
                secret: Finite({name: int(name == secret) for name in pair.inputs})
                for secret in table
            } for belief, table in laws.items()
        }  # fmt: skip

    def _stand_for_all(self, table: Mapping[str, Prior]) -> bool:
        """Whether laws are those of the first two inputs for sure, and so are asked for all."""
        return tuple(table) == self.inputs[:2] and all(
            isinstance(law, Finite) and [*law.mass] == [name] for name, law in table.items()
        )

    @property
    def outputs(self) -> tuple[str, ...]:
        """Their names; InputError where they are not written out."""
        self._check_written_out()
        return self._outputs

    @property
    def decided_output(self) -> str | None:
        """Which classes of outputs a decision is about."""
        return None if self._beyond is None else self.about

    def _check_written_out(self) -> None:
        if self._beyond is not None:
            raise InputError(
                f"inputs: {self._beyond}; of larger ones all pairs of inputs are decided (notion "
                '"dp", without inputs_related)'
            )

    def __repr__(self) -> str:
        if self._beyond is None:
            return super().__repr__()
        return f"{type(self).__name__}({len(self.inputs)} inputs)"


def many_names(inputs: object) -> tuple[str, ...]:
    """Return the names of at least two inputs, and of not too many.

    Raises InputError that begins with "inputs". Example: ``many_names(["a", "b"])[1]`` is ``"b"``.
    """
    names = checked_names(inputs, "inputs", 2)
    if len(names) > MOST_STATES:
        raise InputError(f"inputs: {len(names)} names, expected at most {MOST_STATES}")
    return names


def too_many(inputs: int, outputs: int) -> str | None:
    """Return why a channel is not written out, None where it is.

    Example: ``too_many(101, 2)`` is ``"101 inputs, at most 100 are written out"``.
    """
    if inputs > MOST_LISTED:
        return f"{inputs} inputs, at most {MOST_LISTED} are written out"
    if outputs > MOST_OUTPUTS:
        return f"more than {MOST_OUTPUTS} outputs, at most so many are written out"
    return None


def in_classes(
    inputs: Sequence[str], neither: Entry, other: Entry, own: Entry, both: Entry
) -> Matrix:
    """Return the channel of two inputs that says which of them the report speaks for.

    The parameters are the chances that it speaks for neither, for the one that is not the input
    alone, for the input alone, and for both.
    Example: ``in_classes(["a", "b"], Fraction(0), Fraction(1, 4), Fraction(3, 4),
    Fraction(0)).row("a")`` is ``(0, 1/4, 3/4, 0)``.
    """
    rows = [[neither, other, own, both], [neither, own, other, both]]
    return Matrix(inputs, ["neither", "second", "first", "both"], rows)


def least_whole(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the least whole number from `low` of which something holds, as of all above it.

    It is known to hold at `high`. Example: ``least_whole(lambda n: n * n >= 50, 1, 50)`` is 8.
    """
    return low + bisect_left(range(low, high), True, key=holds)
