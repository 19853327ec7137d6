"""Rows that are proportional to powers of e."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property

from pfverify.exact.ball import Raw, current_precision
from pfverify.exact.number import Number
from pfverify.model.channels.channel import Channel, LargestRatio
from pfverify.model.channels.entries import (
    Entry,
    as_number,
    ball_of,
    quotient,
    total_as_written,
)


class Normalised(Channel):
    """A channel that gives each output a weight for each input; a row is its weights normalised."""

    @abstractmethod
    def weights(self, name: str) -> tuple[Entry, ...]:
        """Return the weights of all outputs for an input, each > 0; KeyError for no input."""

    @abstractmethod
    def steepest(self, first: str, second: str) -> int | None:
        """Return the output of the largest ratio of the weights of two inputs, None if unknown.

        Where all weights are rational that is not asked: then masses are compared as integers.
        """

    def whole(self, name: str) -> Entry:
        """Return the sum of the weights for an input; KeyError for no input."""
        return total_as_written(self.weights(name))

    def weight(self, name: str, output: int) -> Entry:
        """Return one weight; KeyError for no input."""
        return self.weights(name)[output]

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the weights of every row, normalised."""
        return tuple(normalised(self.weights(name)) for name in self.inputs)

    def largest_ratio(self, first: str, second: str) -> LargestRatio | None:
        """Return where the ratio of the weights is the largest: the sums only scale it.

        None where that is unknown; KeyError for no input. Source: design fact F87.
        """
        found = self.steepest(first, second)
        if found is None:
            return None
        (ours, one), (theirs, other) = (
            (self.weight(name, found), self.whole(name)) for name in (first, second)
        )

        def log() -> Raw:
            bits, logs = current_precision(), self._log_of
            return logs(ours, bits) - logs(theirs, bits) + (logs(other, bits) - logs(one, bits))

        return LargestRatio(
            self.outputs[found], lambda: (_share(ours, one), _share(theirs, other)), log
        )

    def _log_of(self, entry: Entry, bits: int) -> Raw:
        """Enclose the logarithm of a weight, or of their sum, which is kept: there are few.

        `bits`: the current precision.
        """
        key = id(entry), bits
        found = self._logs.get(key)
        if found is None:
            found = self._logs[key] = entry, ball_of(entry).log()
        return found[1]

    @cached_property
    def _logs(self) -> dict[tuple[int, int], tuple[Entry, Raw]]:
        return {}


def normalised(weights: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return positive weights divided by their sum.

    Rational weights give rational entries. Otherwise every entry keeps one common denominator,
    so that entries of a row compare as their weights do.
    Example: ``normalised([Fraction(1), Fraction(3)])`` is ``(1/4, 3/4)``.
    """
    whole = total_as_written(weights)  # of positive terms: not rational where one of them is not
    known: dict[int, Entry] = {}
    for weight in weights:
        if id(weight) not in known:
            known[id(weight)] = _share(weight, whole)
    return tuple(known[id(weight)] for weight in weights)


def _share(weight: Entry, whole: Entry) -> Entry:
    if isinstance(whole, Fraction) and isinstance(weight, Fraction):
        return weight / whole
    part, bottom = as_number(weight), as_number(whole)
    if part.ratio is None or bottom.ratio is None or part.ratio[1] != bottom.ratio[1]:
        return quotient(weight, whole)
    tree = ("/", part.tree, bottom.tree)
    return Number(tree, ratio=(part.ratio[0], bottom.ratio[0]), operands=(part, bottom))
