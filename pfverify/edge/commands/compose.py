"""``pfverify compose``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pfverify.edge.commands.options import (
    digits_option,
    gap_option,
    json_option,
    load,
    path_of,
    refuse_inputs,
)
from pfverify.edge.commands.parameters import FILE, PROBLEM
from pfverify.edge.commands.sections import SectionCommand, of_output, section
from pfverify.edge.progress import progress
from pfverify.errors import InputError, shorten

if TYPE_CHECKING:
    from pfverify.answers.composed import ComposeResult
    from pfverify.model.composed import NamedPart
    from pfverify.model.problem import Problem

_known, _target = section("What is known of them"), section("What all are held to")


@click.command(cls=SectionCommand)
@click.argument("problems", nargs=-1, required=True, type=PROBLEM, metavar="PROBLEM...")
@_known("--joint", type=PROBLEM, metavar="PROBLEM",
        help="The problem with the joint law of the numbers, and with the target.")
@_known("--draws", type=click.Choice(["same", "fresh"]),
        help="All are releases of one number: of one draw of it, or each of a fresh one.")
@_known("--fresh", is_flag=True,
        help="Each PROBLEM is an independent draw given the secret, and may be any problem; "
        "PROBLEM*52: so many draws.")
@_known("--names", metavar="NAMES",
        help="What the numbers are called, with commas.  [default: as the files]")
@_target("--epsilon", metavar="NUMBER", help="What all are held to together.")
@_target("--delta", metavar="NUMBER", help="The delta of all together.")
@of_output("--write", type=FILE, metavar="FILE",
           help="Write the composed problem (.toml, or .json), for every other command.")
@of_output("-o", "--output", type=FILE, metavar="CERT",
           help="With --write: write the certificate of the verdict on it.")
@digits_option
@gap_option
@json_option
def compose(
    problems: tuple[str, ...],
    joint: str | None,
    draws: str | None,
    fresh: bool,
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
    --draws, where all are releases of one number; or with --fresh, where each is of a draw of its
    own given the secret: then they may be different problems, of any kind, with the same secrets,
    and PROBLEM*52 is released 52 times. The verdict is on all together. Beside it stands what
    adding the losses up would have said: right to the digits that are shown, too small (unsound)
    or wasteful.

    Exit code 0: certified. 1: refuted. 3: undecided. 2: also where no joint law is known: then
    nothing follows but one bound.

    \b
    Examples:
      pfverify compose income.toml age.toml --joint both.toml --write all.toml -o all.cert
      pfverify compose example:census example:census --draws same --epsilon 1
      pfverify compose monday.toml tuesday.toml --draws fresh
      pfverify compose "weekly.toml*52" yearly.toml --fresh --epsilon 2 --delta 1e-6
    """
    from pfverify.edge.codes import decided
    from pfverify.edge.render.show import form_of, show
    from pfverify.edge.views.registry import view_of
    from pfverify.edge.views.view import Asked, Remark

    if len(problems) < 2 and not fresh:
        raise InputError("compose: expected two problems or more")
    if joint is not None and draws is not None:
        raise InputError("--joint and --draws: expected one of them")
    if fresh and (joint is not None or draws is not None):
        raise InputError("--fresh: each problem is of its own draw; expected no --joint or --draws")
    counted = [_times(name) if fresh else (name, 1) for name in problems]
    problems = tuple(name for name, _ in counted)
    if output is not None and write is None:
        raise InputError("-o: a certificate is about a problem file; write that too, with --write")
    paths = [path_of(name) for name in (*problems, *([] if joint is None else [joint]))]
    for option, name in (("--write", write), ("-o", output)):
        if name is not None:
            refuse_inputs(name, *paths, option=option)
    parts = _named(problems, names)
    shown = " + ".join(f"{times} x {name}" if times > 1 else name for name, times in counted)
    decide: Callable[..., ComposeResult]
    if fresh:
        from pfverify.answers.composed import composed_apart
        from pfverify.model.composed import NamedTimes, separately

        apart = [
            NamedTimes(*part, times) for part, (_, times) in zip(parts, counted, strict=True)
        ]
        asked = separately(apart, epsilon=epsilon, delta=delta)
        decide = partial(composed_apart, asked, apart, digits=digits)
    else:
        from pfverify.answers.composed import composed

        asked = _asked(parts, joint, draws, epsilon, delta)
        decide = partial(composed, asked, parts, digits=digits)
    with progress("deciding") as report:
        found = decide(progress=report)
    view = view_of(found, shown, Asked(shown, asked, digits))
    refused = None
    told: list[Remark] = []
    if write is not None:
        asked.save(write)
        told.append(Remark(f"Wrote {write}, the composed problem."))
        if output is not None and found.certified_by is not None:
            from pfverify.edge.certificates import save

            refused = save(output, Path(write), asked, found.certified_by)
    show([view], form_of(as_json=as_json), [] if as_json else told)
    if output is None:
        return decided(found.verdict)
    from pfverify.edge.certificates import ended

    return ended(decided(found.verdict), refused)


def _times(name: str) -> tuple[str, int]:
    """The problem that a word names, and how many times: of PROBLEM*52 they are 52."""
    from pfverify.model.releases.composition import MOST_TIMES

    if "*" not in name or Path(name).exists():
        return name, 1
    problem, _, times = name.rpartition("*")
    found = int(times) if times.isascii() and times.isdigit() and len(times) < 9 else 0
    if not problem or not 1 <= found <= MOST_TIMES:
        raise InputError(
            f"{shorten(name)}: expected PROBLEM*N, with an integer N from 1 to {MOST_TIMES}"
        )
    return problem, found


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
