"""Options that several commands share, and what they stand for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.commands.sections import (
    Function,
    of_few_records,
    of_output,
    section,
    together,
)
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.model.problem import Problem

_SWEPT = {
    "epsilon": "Use this epsilon instead; repeat it or use commas for a sweep.",
    "delta": "Use this delta instead; several values make a sweep.",
    "scale": "Use this noise scale instead; several values make a sweep.",
}

_instead, _many = section("Other numbers than the problem's"), section("Many questions")

json_option = of_output(
    "--json", "as_json", is_flag=True, help="Print one JSON object and nothing else."
)
"""--json, as `as_json`."""

few_option = of_few_records(
    "--few", type=int, default=20, show_default=True, metavar="N",
    help="Name the cells of fewer than N records, and the scale without them; 0 names none.",
)  # fmt: skip
"""--few, the default of `pfverify.answers.footing`."""

PROOFS = Path("proofs")
proofs_option = click.option(
    "--proofs", metavar="DIR", type=click.Path(path_type=Path),
    help="With --coq: the folder of proofs, whose coq is the theory.  [default: proofs]",
)  # fmt: skip
"""--proofs, None where it is not given; then it is `PROOFS`."""


csv_option = of_output("--csv", "as_csv", is_flag=True, help="Print CSV.")
"""--csv, as `as_csv`."""


problem_file_option = of_output(
    "-o", "--output", metavar="PROBLEM",
    help="Write the problem file (.toml, or .json); default: print it.",
)  # fmt: skip
"""-o of a command that makes a problem, for `pfverify.edge.made`."""

digits_option = of_output(
    "--digits", default=12, show_default=True, help="Significant digits of enclosures."
)


def _asked_gap(ctx: click.Context, option: click.Parameter, value: str | None) -> None:
    """Ask for the gap until the command has ended."""
    del option
    if value is not None:
        from pfverify.decide.composed.gap import within

        ctx.with_resource(within(value))


gap_option = of_output(
    "--gap", metavar="NUMBER", expose_value=False, callback=_asked_gap,
    help="How far apart the bounds of a delta of many releases may be, of it.  [default: 1/1000]",
)  # fmt: skip
"""--gap, for all that is decided while the command runs."""


def problem_options(*names: str) -> Callable[[Function], Function]:
    """Add PROBLEM..., the overrides of these names, --digits, --json, --csv, for `GivenOptions`."""
    return together(
        click.argument("problems", nargs=-1, required=True, type=PROBLEM, metavar="PROBLEM..."),
        *(_instead(f"--{name}", multiple=True, metavar="NUMBER", help=_SWEPT[name])
          for name in names),
        digits_option,
        gap_option,
        json_option,
        csv_option,
    )  # fmt: skip


means_options = together(
    _many(
        "--jobs", default=1, show_default=True, metavar="N",
        help="Answer in so many processes of this machine.",
    ),
    _many(
        "--scheduler", metavar="ADDRESS",
        help="Answer on a Dask cluster: tcp://HOST:PORT (in the checkout, pip install '.[dask]').",
    ),
    _many(
        "--results", type=FILE, metavar="OUT.jsonl",
        help="Keep answers in this file as they arrive; a run that ended goes on from it.",
    ),
)  # fmt: skip
"""By what means a command answers, for `GivenOptions`."""


def path_of(name: str) -> Path:
    """Return the file behind PROBLEM: an example, a copy of standard input, or the file itself.

    Raises InputError for an example that there is not.
    """
    from pfverify.edge.packaged import PREFIX, example_path
    from pfverify.edge.stdin import DASH, copied

    if name == DASH:
        return copied("the problem")
    if name.startswith(PREFIX):
        return example_path(name.removeprefix(PREFIX))
    return Path(name)


def certificate_path(name: str) -> Path:
    """Return the file behind CERTIFICATE: a copy of standard input, or the file itself."""
    from pfverify.edge.stdin import DASH, copied

    return copied("the certificate") if name == DASH else Path(name)


def load(name: str) -> Problem:
    """Return the problem behind PROBLEM; InputError that begins with its name."""
    from pfverify.edge.stdin import DASH, NAME
    from pfverify.model.problem import Problem

    path = path_of(name)
    try:
        return Problem.load(path)
    except InputError as error:
        from pfverify.edge.mistaken import no_problem

        if (other := no_problem(name, path)) is not None:
            raise other from None
        if name != DASH:
            raise
        raise InputError(f"{NAME}{str(error).removeprefix(str(path))}") from None


def loadable(name: str) -> Problem | None:
    """Return the problem behind PROBLEM, None where its file is no problem."""
    try:
        return load(name)
    except InputError:
        return None


def check_problem_file(output: str | None, *inputs: Path, option: str = "-o") -> None:
    """Raise InputError for an output that is no name of a problem file, or is an input."""
    if output is None:
        return
    refuse_inputs(output, *inputs, option=option)
    if Path(output).suffix.lower() not in (".toml", ".json"):
        raise InputError(f"{option}: {output}: expected a name that ends in .toml or .json")


def check_output(output: str | None, problem: str, *overrides: tuple[str, ...]) -> None:
    """Refuse an output that is no file name, or would replace an input, before any work.

    Nor is there a certificate of overrides, where no problem file is written beside it.
    """
    if output is None:
        return
    refuse_inputs(output, path_of(problem))
    if any(overrides):
        raise InputError(
            "-o: a certificate is about the problem file as it is; put the new numbers there "
            "instead of --epsilon, --delta or --scale (certify, of one problem, and calibrate "
            "--write do it)"
        )


def refuse_inputs(output: str, *inputs: Path, option: str = "-o") -> None:
    """Raise InputError for an output that is no file name, or is one of the inputs."""
    from pfverify.edge.mistaken import same_file

    if output in ("", "-"):
        raise InputError(f"{option}: {output!r} is no file name, expected the file to write")
    for path in inputs:
        if same_file(output, path):
            raise InputError(
                f"{option}: {output} is an input of this command, expected another file"
            )
