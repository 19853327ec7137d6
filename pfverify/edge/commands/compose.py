"""``pfverify compose``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pfverify.edge.commands.options import digits_option, json_option, load, path_of, refuse_inputs
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.progress import progress
from pfverify.errors import InputError

if TYPE_CHECKING:
    from pfverify.model.composed import NamedPart
    from pfverify.model.problem import Problem


@click.command()
@click.argument("problems", nargs=-1, required=True, type=PROBLEM, metavar="PROBLEM...")
@click.option("--joint", type=PROBLEM, metavar="PROBLEM",
              help="The problem with the joint law of the numbers, and with the target.")
@click.option("--draws", type=click.Choice(["same", "fresh"]),
              help="All are releases of one number: of one draw of it, or each of a fresh one.")
@click.option("--names", metavar="NAMES",
              help="What the numbers are called, with commas.  [default: as the files]")
@click.option("--epsilon", metavar="NUMBER", help="What all are held to together.")
@click.option("--delta", metavar="NUMBER", help="The delta of all together.")
@click.option("--write", type=FILE, metavar="FILE",
              help="Write the composed problem (.toml, or .json), for every other command.")
@click.option("-o", "--output", type=FILE, metavar="CERT",
              help="With --write: write the certificate of the verdict on it.")
@digits_option
@json_option
def compose(
    problems: tuple[str, ...],
    joint: str | None,
    draws: str | None,
    names: str | None,
    epsilon: str | None,
    delta: str | None,
    write: str | None,
    output: str | None,
    digits: int,
    as_json: bool,
) -> int:
    """Decide what several releases reveal together, each a PROBLEM about one noisy number.

    Losses do not add: two numbers that reveal nothing each may reveal everything together. So the
    joint law has to be stated: with --joint, whose coordinates are called as the files are; or with
    --draws, where all are releases of one number. The verdict is on all together. Beside it stands
    what adding the losses up would have said: right to the digits that are shown, too small
    (unsound) or wasteful.

    Exit code 0: certified. 1: refuted. 3: undecided. 2: also where no joint law is known: then
    nothing follows but one bound.

    \b
    Examples:
      pfverify compose income.toml age.toml --joint both.toml --write all.toml -o all.cert
      pfverify compose example:census example:census --draws same --epsilon 1
      pfverify compose monday.toml tuesday.toml --draws fresh
    """
    from pfverify.answers.composed import composed
    from pfverify.edge.codes import decided
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of
    from pfverify.edge.views.view import Asked, Remark

    if len(problems) < 2:
        raise InputError("compose: expected two problems or more")
    if joint is not None and draws is not None:
        raise InputError("--joint and --draws: expected one of them")
    if output is not None and write is None:
        raise InputError("-o: a certificate is about a problem file; write that too, with --write")
    paths = [path_of(name) for name in (*problems, *([] if joint is None else [joint]))]
    for option, name in (("--write", write), ("-o", output)):
        if name is not None:
            refuse_inputs(name, *paths, option=option)
    parts = _named(problems, names)
    asked = _asked(parts, joint, draws, epsilon, delta)
    with progress("deciding") as report:
        found = composed(asked, parts, digits=digits, progress=report)
    view = view_of(found, " + ".join(problems), Asked(" + ".join(problems), asked, digits))
    refused = None
    told: list[Remark] = []
    if write is not None:
        asked.save(write)
        told.append(Remark(f"Wrote {write}, the composed problem."))
        if output is not None and found.certified_by is not None:
            from pfverify.edge.certificates import save

            refused = save(output, Path(write), asked, found.certified_by)
    show([view], form_of(as_json=as_json), [] if as_json else told)
    if refused is not None:
        raise refused
    return decided(found.verdict)


def _named(problems: tuple[str, ...], names: str | None) -> list[NamedPart]:
    """The problems, called as it was said, or as their files are."""
    from pfverify.model.composed import NamedPart

    called = [path_of(name).stem for name in problems]
    if names is not None:
        called = [name.strip() for name in names.split(",")]
        if len(called) != len(problems):
            raise InputError(f"--names: {len(called)} of them, and {len(problems)} problems")
    return [NamedPart(one, load(name)) for one, name in zip(called, problems, strict=True)]


def _asked(
    parts: list[NamedPart], joint: str | None, draws: str | None, epsilon: str | None,
    delta: str | None,
) -> Problem:  # fmt: skip
    """The composed problem; InputError, with the one bound there is, where no joint law is known.
    """
    from pfverify.answers.composed import bound_of_unknown
    from pfverify.model.composed import jointly, repeatedly

    if joint is not None:
        return jointly(parts, load(joint).replaced(epsilon=epsilon, delta=delta))
    if draws is not None:
        return repeatedly(parts, draws, epsilon=epsilon, delta=delta)
    bound = bound_of_unknown(parts)
    known = "" if bound is None else f" but that epsilon is at most {bound}, whatever that law"
    raise InputError(
        f"compose: no joint law is known, so nothing follows from the parts{known}, and never the "
        "sum of their losses; state the law with --joint, or that all release one number with "
        "--draws"
    )
