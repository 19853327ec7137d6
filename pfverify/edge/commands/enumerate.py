"""``pfverify enumerate``."""

from __future__ import annotations

from pathlib import Path

import click

from pfverify.edge.commands.options import check_problem_file, json_option, problem_file_option
from pfverify.edge.progress import progress
from pfverify.errors import InputError


@click.command()
@click.argument("program", metavar="FILE.py:FUNCTION")
@click.option("--inputs", required=True, multiple=True, metavar="INPUTS",
              help="The inputs, separated by commas; repeat it for more. Whole numbers where all "
                   "of them are, else text.")
@problem_file_option
@click.option("--epsilon", metavar="NUMBER", help="The privacy budget.  [default: 1]")
@click.option("--delta", default="0", metavar="NUMBER", show_default=True)
@click.option("--paths", default=100_000, show_default=True,
              help="The most paths of choices, over all inputs.")
@click.option("--timeout", default=10.0, show_default=True, help="Seconds for each run.")
@click.option("--memory", default=4096, show_default=True,
              help="MiB of address space for the program's process; 0: no limit.")
@json_option
def enumerate(
    program: str,
    inputs: tuple[str, ...],
    output: str | None,
    epsilon: str | None,
    delta: str,
    paths: int,
    timeout: float,
    memory: int,
    as_json: bool,
) -> int:
    """Run a program on every path of its choices, and write its exact channel as a problem.

    FUNCTION takes one input and asks pfverify.program for its randomness: coin("1/3"), choose({"a":
    "1/4", "b": "3/4"}) and uniform(6). It runs once for every path of their outcomes, and then
    again, in processes of its own; these are no sandbox, so run only code that you would import. A
    function whose two runs differ is refused. What it returns (text, ints, bools, fractions, None,
    or tuples of these) is named by its text.

    The problem compares every two inputs; add priors to hide which prior an input comes from. It
    holds the table, the digest of FILE.py and how many paths there are, and names no code that
    anything runs: certify, check and report are about the table.

    \b
    Examples:
      pfverify enumerate release.py:release --inputs yes,no -o release.toml
      pfverify enumerate release.py:release --inputs 0,1,2 --epsilon 'log(3)' -o release.toml
    """
    from pfverify.edge.made import put_out
    from pfverify.edge.render.show import form_of
    from pfverify.model.channels.matrix import Matrix
    from pfverify.model.problem import Problem
    from pfverify.program.channel import channel_of
    from pfverify.program.problem import enumerated_problem

    form = form_of(as_json=as_json)
    file, _, _ = program.rpartition(":")
    if not file.endswith(".py"):
        raise InputError(f"{program}: expected FILE.py:FUNCTION, such as release.py:release")
    check_problem_file(output, Path(file))
    values = _values(inputs)
    row = Matrix([str(one) for one in values], ["any"], [[1]] * len(values))
    Problem(channel=row, epsilon=epsilon or 1, delta=delta)  # refuses a target before any run
    with progress("running") as report:
        found = channel_of(program, values, paths=paths, timeout=timeout, memory=memory,
                           report=report)  # fmt: skip
    made = enumerated_problem(found, epsilon, delta)
    return put_out(made, output, program, form, found.assumed)


def _values(given: tuple[str, ...]) -> list[int] | list[str]:
    """The inputs: whole numbers where all of them are, else text."""
    texts = [text.strip() for one in given for text in one.split(",")]
    whole = [text.removeprefix("-") for text in texts]
    if all(text.isdecimal() and text.isascii() and len(text) < 1000 for text in whole):
        return [int(text) for text in texts]
    return texts
