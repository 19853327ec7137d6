"""The exponential mechanism on a stated table of scores."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import lcm
from operator import sub

from pfverify.errors import InputError, shorten
from pfverify.exact.number import Number
from pfverify.model.channels.channel import check_irrational_size
from pfverify.model.channels.entries import (
    Entry,
    Reader,
    difference,
    folded,
    largest,
    product,
    quotient,
    rational,
    sign_of,
    text_of,
)
from pfverify.model.channels.matrix import read_rows
from pfverify.model.channels.normalised import Normalised
from pfverify.model.channels.parameters import budget_key, names_key, power_of_e, rows_key
from pfverify.model.keys import Key


class ExponentialMechanism(Normalised):
    """The exponential mechanism: P(y | x) is proportional to e**(epsilon u(x,y)/(2 sensitivity)).

    Parameters: `inputs` and `outputs`, names; `scores`, per input the score u of every output;
    `epsilon` >= 0; `sensitivity` > 0, by default the largest |u(x,y) - u(x',y)|.
    Raises InputError naming the key.
    Example: ``ExponentialMechanism(["a", "b"], ["x", "y"], [[0, 1], [1, 0]],
    "2*log(3)").rows[0]`` is ``(1/4, 3/4)``.
    Source: McSherry and Talwar 2007.
    """

    kind = "exponential"
    keys = (
        names_key("inputs"),
        names_key("outputs"),
        rows_key("scores", "a row for each input: the score of each output"),
        budget_key(">= 0", needed=True),
        Key("sensitivity", "> 0; default the largest difference", kept="_given", text=text_of),
    )
    epsilon: Number
    scores: tuple[tuple[Entry, ...], ...]
    sensitivity: Entry

    def __init__(
        self,
        inputs: object,
        outputs: object,
        scores: object,
        epsilon: object,
        sensitivity: object | None = None,
    ) -> None:
        self._keep(**read_rows(inputs, outputs, scores, "scores"))
        self._keep(
            scores=tuple(tuple(map(folded, row)) for row in self._written),
            **self._values(epsilon=epsilon),
            _given=None if sensitivity is None else Reader().read(sensitivity, "sensitivity"),
        )
        self._keep(sensitivity=self._checked_sensitivity())
        self._keep(_weights=self._weigh())

    def weights(self, name: str) -> tuple[Entry, ...]:
        """Return powers of e, at most 1: each score less the largest of its row."""
        return self._weights[self._place[name]]

    def whole(self, name: str) -> Entry:
        """Return the sum of the weights, which is kept."""
        if name not in self._wholes:
            self._wholes[name] = super().whole(name)
        return self._wholes[name]

    def steepest(self, first: str, second: str) -> int | None:
        """Return the output of which the scores differ most, where all scores are rational."""
        if self._whole_scores is None:
            return None
        ours, theirs = (self._whole_scores[self._place[name]] for name in (first, second))
        gaps = list(map(sub, ours, theirs))
        return gaps.index(max(gaps))

    @cached_property
    def _whole_scores(self) -> list[list[int]] | None:
        """The scores over one denominator; None where one, or no weight, is irrational."""
        kept = rational(score for row in self.scores for score in row)
        if kept is None or not any(isinstance(x, Number) for row in self._weights for x in row):
            return None
        bottom = lcm(*{score.denominator for score in kept})
        whole = iter([score.numerator * (bottom // score.denominator) for score in kept])
        return [list(islice(whole, len(row))) for row in self.scores]

    @cached_property
    def _wholes(self) -> dict[str, Entry]:
        return {}

    def _checked_sensitivity(self) -> Entry:
        if self._given is None:
            spreads = [_spread(column) for column in zip(*self.scores, strict=True)]
            found = largest(spreads, "sensitivity")
            if sign_of(found) == 0:
                raise InputError(
                    "sensitivity: the scores are the same for all inputs, so there is no default; "
                    "expected a number > 0"
                )
            return found
        sign = sign_of(self._given)
        if sign is None:
            shown = shorten(text_of(self._given))
            raise InputError(f"sensitivity: cannot decide whether {shown} is > 0")
        if sign <= 0:
            shown = shorten(text_of(self._given))
            raise InputError(f"sensitivity: {shown} is not > 0")
        return folded(self._given)

    def _weigh(self) -> tuple[tuple[Entry, ...], ...]:
        """Powers of e, at most 1: each score less the largest of its row."""
        known: dict[object, Entry] = {}
        twice = product(self.sensitivity, Fraction(2))
        rows = []
        for row in self.scores:
            best = largest(row, "scores")
            weights = []
            for score in row:
                below = difference(score, best)
                key = below if isinstance(below, Fraction) else below.tree
                if key not in known:
                    known[key] = power_of_e(self.epsilon, quotient(below, twice))
                    if isinstance(known[key], Number):
                        check_irrational_size(len(self.inputs), len(row), "scores")
                weights.append(known[key])
            rows.append(tuple(weights))
        return tuple(rows)

    _written: tuple[tuple[Entry, ...], ...]
    _given: Entry | None
    _weights: tuple[tuple[Entry, ...], ...]


def _spread(column: tuple[Entry, ...]) -> Entry:
    low = largest([difference(Fraction(0), score) for score in column], "scores")
    return difference(largest(column, "scores"), difference(Fraction(0), low))
