"""What views of answers about a release have in common, which the kind of release decides."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar, TypeVar

from pfverify.answers.outcome import Place
from pfverify.answers.released import Released, has_names
from pfverify.edge.document import Inline
from pfverify.edge.views.view import SingleView
from pfverify.edge.words import output_words, plain
from pfverify.exact.published import Real

Result = TypeVar("Result", bound=Released)


class ReleasedView(SingleView[Result]):
    """An answer about a release; `outputs` are the keys and columns that hold its outputs."""

    outputs: ClassVar[frozenset[str]]

    def named(self) -> frozenset[str]:
        """Return the keys and columns of outputs where these have names."""
        return self.outputs if has_names(self.result) else frozenset()

    def place(self, y: Fraction | Place) -> str:
        """Return an output for a table."""
        return output_words(y, named=has_names(self.result))

    def asked_at(self, epsilon: Real, delta: Real) -> dict[str, Inline]:
        """Return the numbers of a point of a sweep; where outputs have names there is no scale."""
        scale = {} if has_names(self.result) else {"scale": self.result.scale}
        numbers = {"epsilon": epsilon, "delta": delta, **scale}
        return {name: plain(number) for name, number in numbers.items()}
