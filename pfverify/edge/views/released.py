"""What views of answers about a release have in common, which the kind of release decides."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeVar

from pfverify.answers.outcome import Place
from pfverify.answers.released import Released, has_names
from pfverify.edge.ordered import against, shown_names
from pfverify.edge.views.pairs import direction
from pfverify.edge.views.view import View
from pfverify.edge.words import order_words, output_words
from pfverify.exact.published import Real

Result = TypeVar("Result", bound=Released)


class ReleasedView(View[Result]):
    """An answer about a release; `outputs` of its file are the keys that hold its outputs."""

    def named(self) -> frozenset[str]:
        """Return the keys and columns of outputs where these have names."""
        return frozenset(self.described["outputs"] if has_names(self.result) else ())

    def place(self, y: Fraction | Place) -> str:
        """Return an output for a table."""
        return output_words(y, named=has_names(self.result))

    def scale(self) -> Real | None:
        """The scale of a point of a sweep; where outputs have names there is none."""
        return None if has_names(self.result) else self.result.scale


class PairsView(ReleasedView[Any]):
    """An answer about a release for each ordered pair of secrets."""

    def worst_way(self) -> str:
        """The pair that a point of a sweep is about."""
        return direction(self.worst(), shown_names(self.result.pairs))

    def worst(self) -> Any:
        """The pair that the answer is about."""
        return self.result.worst

    def worst_words(self) -> str:
        """The same in a sentence, with its belief where there are several."""
        return against(self.worst(), self.result.pairs)

    def order(self) -> str:
        """Which divergence is meant."""
        return order_words(self.result.order)
