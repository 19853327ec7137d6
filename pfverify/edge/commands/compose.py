"""``pfverify compose``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pfverify.answers.composed import bound_of_unknown, composed, composed_apart
from pfverify.edge.certificates import AskedCertificate
from pfverify.edge.codes import decided
from pfverify.edge.commands.options import load, path_of, refuse_inputs
from pfverify.edge.progress import progress
from pfverify.edge.render.show import Form, show
from pfverify.edge.views.registry import view_of
from pfverify.edge.views.view import Asked, Remark
from pfverify.errors import InputError, shorten
from pfverify.model.composed import NamedPart, NamedTimes, jointly, repeatedly, separately
from pfverify.model.releases.composition import MOST_TIMES

if TYPE_CHECKING:
    from pfverify.model.problem import Problem


def compose(
    problems: tuple[str, ...], joint: str | None, draws: str | None, fresh: bool,
    names: str | None, epsilon: str | None, delta: str | None, write: str | None,
    output: str | None, digits: int, form: Form,
) -> int:  # fmt: skip
    """Decide what several releases reveal together, each a PROBLEM about one noisy number."""
    if len(problems) < 2 and not fresh:
        raise InputError("compose: expected two problems or more")
    counted = [_times(name, fresh=fresh) for name in problems]
    problems = tuple(name for name, _ in counted)
    paths = [path_of(name) for name in (*problems, *([] if joint is None else [joint]))]
    for option, name in (("--write", write), ("-o", output)):
        if name is not None:
            refuse_inputs(name, *paths, option=option)
    parts = _named(problems, names)
    shown = " + ".join(f"{times} x {name}" if times > 1 else name for name, times in counted)
    if fresh:
        apart = [
            NamedTimes(*part, times) for part, (_, times) in zip(parts, counted, strict=True)
        ]
        asked = separately(apart, epsilon=epsilon, delta=delta)
        decide = partial(composed_apart, asked, apart, digits=digits)
    else:
        asked = _asked(parts, joint, draws, epsilon, delta)
        decide = partial(composed, asked, parts, digits=digits)
    with progress("deciding") as report:
        found = decide(progress=report)
    view = view_of(found, shown, Asked(shown, asked, digits))
    certificate = AskedCertificate(output, Path(write or ""))
    told: list[Remark] = []
    if write is not None:
        asked.save(write)
        told.append(Remark(f"Wrote {write}, the composed problem."))
        if found.certified_by is not None:
            certificate.save(asked, found.certified_by)
    show([view], form, told)
    return certificate.code(decided(found.verdict))


def _times(name: str, *, fresh: bool) -> tuple[str, int]:
    """The problem that a word names, and how many times: of PROBLEM*52 they are 52."""
    if "*" not in name or Path(name).exists():
        return name, 1
    if not fresh:
        raise InputError(f"{shorten(name)}: PROBLEM*N is only with --fresh")
    problem, _, times = name.rpartition("*")
    found = int(times) if times.isascii() and times.isdigit() and len(times) < 9 else 0
    if not problem or not 1 <= found <= MOST_TIMES:
        raise InputError(
            f"{shorten(name)}: expected PROBLEM*N, with an integer N from 1 to {MOST_TIMES}"
        )
    return problem, found


def _named(problems: tuple[str, ...], names: str | None) -> list[NamedPart]:
    """The problems, called as it was said, or as their files are."""
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
