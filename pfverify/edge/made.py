"""A problem that a command made of records, a noise table or a program: written, or printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pfverify.edge.leave import warn
from pfverify.edge.render.show import Form, show
from pfverify.edge.views.registry import view_of
from pfverify.model.made_file import write_made

if TYPE_CHECKING:
    from pfverify.program.problem import EnumeratedProblem
    from pfverify.records.prior import CountedPrior
    from pfverify.records.ptable import PtableProblem

    Made = CountedPrior | EnumeratedProblem | PtableProblem


def put_out(
    made: Made, output: str | None, name: str, form: Form, remarks: Iterable[str] = ()
) -> int:
    """Write a problem to a file and show what was made; without a file print its text.

    `name`: what it was made of; `remarks` go to standard error where there is only the text.
    Returns the exit code. Raises InputError where the file cannot be written.
    """
    if output is not None:
        write_made(made.problem, made.table, made.text, Path(output))
    if output is not None or form == "json":
        show([view_of(replace(made, output=output), name)], form)
        return 0
    for words in remarks:
        warn(words)
    sys.stdout.write(made.text)
    return 0
