"""Views whose files say nearly all there is to see: here is what a template cannot work out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, counted, toned
from pfverify.edge.names import distinct
from pfverify.edge.views.view import View

if TYPE_CHECKING:
    from pfverify.answers.grid import GridResult, Observation
    from pfverify.edge.glossary.entries import Entry, Terms
    from pfverify.edge.packaged import Examples
    from pfverify.edge.start.found import Started
    from pfverify.program.channel import EnumeratedProgram
    from pfverify.program.problem import EnumeratedProblem
    from pfverify.records.ptable import PtableProblem


class ExplanationView(View[Any]):
    """The worst pair's inequality, with its numbers."""

    of = "explanation"


class FragmentView(View[Any]):
    """The worst pair's inequality as LaTeX."""

    of = "fragment"


class PictureView(View[Any]):
    """A picture under its title."""

    of = "picture"

    def pictures(self) -> list[Any]:
        """The picture."""
        return [self.result]


class ExamplesView(View[Any]):
    """The packaged problems."""

    schema = "examples"
    result: Examples

    def column(self, name: str) -> str:
        """Return a name as problems are called, as wide as the longest."""
        from pfverify.edge.packaged import PREFIX

        width = max(len(one) for one in self.result.summaries)
        return f"{PREFIX}{name:{width}}"


class GridView(View[Any]):
    """Observations on a grid, which prove nothing."""

    schema = "grid"
    result: GridResult

    def digits(self) -> int:
        """How many digits the arithmetic has."""
        from pfverify.answers.sampled_outputs import DIGITS

        return DIGITS

    def rounding(self) -> bool:
        """Whether a number that is shown is below the rounding error."""
        from pfverify.edge.views.pairs import ROWS

        return any(pair.rounding for pair in self.result.pairs[:ROWS])

    def excess(self, pair: Observation) -> str:
        """Return the largest excess of a pair, and whether rounding may have given it."""
        return f"{pair.excess}{' (rounding)' * pair.rounding}"


class TermsView(View[Any]):
    """Terms with all that there is to say, or one line for each, by family."""

    schema = "explain"
    result: Terms

    def whole(self) -> list[tuple[Entry, bool]]:
        """The terms that are told whole, and whether one stands before."""
        return [(one, k > 0) for k, one in enumerate(self.result.terms) if self.result.whole]

    def families(self) -> list[tuple[str, list[Entry]]]:
        """The terms of each family, where they are listed."""
        terms = [] if self.result.whole else self.result.terms
        return [(name, [*of]) for name, of in groupby(terms, key=lambda entry: entry.family)]

    def listed(self, places: Sequence[str]) -> str:
        """Return places with semicolons."""
        return "; ".join(places)


class StartView(View[Any]):
    """What was answered and assumed, the verdict in words, and what comes next."""

    schema = "start"
    result: Started

    def unknown(self) -> list[str]:
        """What stands in place of what is not known."""
        return [*self.result.unknown.values()]

    def answer(self) -> Inline:
        """The verdict, or that there is none."""
        verdict = self.result.verdict
        return "not decided, it is still to be completed" if verdict is None else toned(verdict)

    def promised(self) -> bool:
        """Whether what is promised is told."""
        return self.result.verdict in (Verdict.CERTIFIED, None)

    def some(self) -> bool:
        """Whether all that is known is that a scale is private."""
        found = self.result
        certified = found.verdict is Verdict.CERTIFIED
        return found.scale is not None and found.refuted is None and certified


class WrittenView(View[Any]):
    """A problem that was made of a file."""

    def heading(self) -> str:
        """From what to what."""
        return f"{self.name} -> {self.result.output}"

    def next(self) -> str:
        """The command that goes on from the file."""
        return shlex.join(["pfverify", "certify", str(self.result.output or "problem.toml")])


class EnumerateView(WrittenView):
    """A problem that was enumerated from a program: how many paths, and what was written."""

    schema = "enumerate"
    result: EnumeratedProblem

    def found(self) -> EnumeratedProgram:
        """What was enumerated."""
        return self.result.enumerated

    def total(self) -> int:
        """How many paths there are in all."""
        return sum(self.found().paths.values())

    def paths(self) -> Mapping[str, int]:
        """The inputs, each with its paths."""
        names = distinct(self.found().paths)
        return {names[name]: count for name, count in self.found().paths.items()}

    def warning(self) -> str:
        """What is to be known of any program."""
        from pfverify.program.problem import WARNING

        return WARNING


class TableView(WrittenView):
    """A problem that was made of a noise table: what was read, and what was done to it."""

    schema = "table"
    result: PtableProblem

    def read(self) -> str:
        """How many rows there were."""
        what = "row" if self.result.keys is None else "perturbation"
        return counted(sum(self.result.rows.values()), what)

    def remarks(self) -> Sequence[str]:
        """What was done to the table."""
        return self.result.said[1:]

    def assumed(self) -> str:
        """What is taken for granted of a table."""
        from pfverify.model.noises.table import ASSUMED

        return ASSUMED

    def assumed_all(self) -> list[str]:
        """The same as a list."""
        return [self.assumed()]
