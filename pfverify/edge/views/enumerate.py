"""The view of a problem that was enumerated from a program."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from pfverify.edge.document import Paragraph, Section, say, title
from pfverify.edge.names import distinct
from pfverify.edge.sentences import sentence
from pfverify.edge.views.data import as_data
from pfverify.edge.views.view import SingleView
from pfverify.edge.words import counted
from pfverify.program.problem import WARNING, EnumeratedProblem

_SHOWN = 12  # inputs


class EnumerateView(SingleView[EnumeratedProblem]):
    """How many paths there are, and what was written."""

    schema = "enumerate"

    def section(self) -> Section:
        """Return what was run, what the table stands for, and what to do next."""
        headline = say(title(f"{self.name} -> {self.result.output}"), level=0)
        return Section(headline=headline, said=[*self._paths()], notes=[*self._notes()])

    def _paths(self) -> Iterator[Paragraph]:
        """How many paths there were of what."""
        found = self.result.enumerated
        paths, outputs = found.paths, len(found.channel.outputs)
        yield say(
            f"{counted(len(paths), 'input')}, {counted(outputs, 'output')}, "
            f"{counted(sum(paths.values()), 'path')} of choices, each run twice.",
            level=0,
        )
        names = distinct(paths)
        for name in list(paths)[:_SHOWN]:
            yield say(f"{names[name]}: {counted(paths[name], 'path')}")
        if len(paths) > _SHOWN:
            yield say(f"… and {len(paths) - _SHOWN} more")

    def _notes(self) -> Iterator[Paragraph]:
        """What the file stands for, and what to do next."""
        yield say(WARNING, level=0, folds=True)
        for words in self.result.enumerated.assumed:
            yield say(f"Assumed: {words}.", level=0, folds=True)
        if not self.result.epsilon_given:
            yield say(sentence("prior.epsilon"), level=0)
        written = str(self.result.output or "problem.toml")
        yield say(f"Next: {shlex.join(['pfverify', 'certify', written])}", level=0)

    def data(self) -> object:
        """Return the digest, the paths of each input, and the problem file."""
        made = self.result
        found = made.enumerated
        return {
            "output": made.output,
            "digest": made.digest,
            "program": found.program,
            "program_sha256": found.program_sha256,
            "paths": found.paths,
            "assumed": found.assumed,
            "problem_file": as_data(made.table),
        }
