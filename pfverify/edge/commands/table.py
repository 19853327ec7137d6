"""``pfverify table``."""

from __future__ import annotations

from pathlib import Path

from pfverify.edge.commands.options import check_problem_file
from pfverify.edge.made import put_out
from pfverify.edge.render.show import Form
from pfverify.records.ptable import ptable_problem


def table(
    ptable: Path, output: str | None, epsilon: str | None, delta: str, rescale: bool,
    decimal_comma: bool, form: Form, **columns: str | None,
) -> int:  # fmt: skip
    """Read the noise table of a statistics office, and write a problem about a count."""
    check_problem_file(output, ptable)
    found = ptable_problem(
        ptable, columns=columns, rescale=rescale, decimal_comma=decimal_comma,
        epsilon=epsilon, delta=delta,
    )  # fmt: skip
    return put_out(found, output, str(ptable), form, found.said)
