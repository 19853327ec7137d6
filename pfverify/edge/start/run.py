"""From answers to a file that is written, the verdict on it, and what comes next."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from pfverify.edge.progress import Report
from pfverify.edge.sentences import sentence
from pfverify.edge.start.found import GAP, Found, Started, found
from pfverify.edge.start.leaves import CASES, lattice
from pfverify.edge.start.questions import WayEnd, following, leaf
from pfverify.edge.start.read import names, target
from pfverify.edge.start.text import text_of
from pfverify.errors import InputError
from pfverify.files import save_text
from pfverify.model.digest import problem_digest
from pfverify.model.made_file import write_made
from pfverify.model.problem_file import to_json


def started(
    given: Mapping[str, str], unknown: Mapping[str, str], output: Path, report: Report
) -> Started:
    """Decide the problem of these answers, write its file, and return what is to be said.

    The file is written last, so that what is interrupted leaves none.
    Raises InputError where it cannot be written.
    """
    end = leaf(given)
    what = found(end.make, given, report)
    write(what, given, unknown, output)
    epsilon, delta = (str(what.problem_file[name]) for name in ("epsilon", "delta"))
    known = vars(what) | {"assumed": [*what.assumed, *_taken(given, end, delta)]}
    return Started(
        **known, output=str(output), answers=dict(given), unknown=dict(unknown), epsilon=epsilon,
        delta=delta, next=_next(what, given, output), make=end.make,
        digest=None if what.problem is None else problem_digest(what.problem),
        promise=_promise(given, end, delta),
    )  # fmt: skip


def write(
    what: Found, given: Mapping[str, str], unknown: Mapping[str, str], output: Path
) -> None:
    """Write the problem file, in JSON without comments; it is complete or not there."""
    text = text_of(what.problem_file, given, unknown)
    if what.problem is not None:
        write_made(what.problem, what.problem_file, text, output)
    elif output.suffix.lower() == ".json":
        save_text(output, to_json(what.problem_file))
    else:
        save_text(output, text)


def _taken(given: Mapping[str, str], end: WayEnd, delta: str) -> list[str]:
    """What no part of the file says."""
    said = list(end.taken)
    if given.get("noise") == "discrete-laplace" and given["publish"] == "sum":
        said.append(f"all values are multiples of {lattice(given)}")
    if delta == "0" != target(given["epsilon"])[1]:
        said.append("delta is 0 in place of what was said, which promises more: many releases with "
                    "a delta take too long on so fine a lattice")  # fmt: skip
    if end.make == "table" and len(names(given["cells"])) > CASES:
        said.append(f"of the cells the first {CASES} are compared pair by pair; all have the same "
                    "noise, so that the pairs of others are alike")  # fmt: skip
    if given["publish"] == "largest":
        said.append("of the noisy counts only the name of the largest is published, which shows "
                    "less than they do")  # fmt: skip
    return said


def _promise(given: Mapping[str, str], end: WayEnd, delta: str) -> str:
    """What a verdict of certified says, in words."""
    epsilon, _ = target(given["epsilon"])
    shown = epsilon if epsilon.replace(".", "").isdigit() else f"({epsilon})"
    factor = sentence("start-words.factor" if delta == "0" else "start-words.delta",
                      epsilon=shown, delta=delta)  # fmt: skip
    return end.words.format(secret=sentence(f"start-words.{given['secret']}"), factor=factor)


def _next(what: Found, given: Mapping[str, str], output: Path) -> list[str]:
    epsilon, delta = target(given["epsilon"])
    composed = delta != "0" and int(given["times"]) > 1
    names_ = {
        "file": str(output), "cert": str(output.with_suffix(".cert")),
        "page": str(output.with_suffix(".html")),
        "other": str(output.with_name(f"{output.stem}-scaled{output.suffix}")),
        "first": names(given["answers"])[0] if "answers" in given else "", "epsilon": epsilon,
    }  # fmt: skip
    quoted = {name: shlex.quote(text) for name, text in names_.items()}
    known = dict(given) | {"verdict": "none" if what.verdict is None else what.verdict.value}
    known.setdefault("after", "nothing")
    return [
        command.format(**quoted, gap=f" --gap {GAP}" if composed else "")
        for command in following(known)
    ]


def check_free(output: Path, *, force: bool) -> None:
    """Raise InputError for a file that cannot be written, or is there, before anything is asked.
    """
    if not output.parent.is_dir():
        raise InputError(f"-o {output}: cannot write: there is no folder {output.parent}")
    if output.exists() and not force:
        raise InputError(
            f"-o {output}: this file is there; name another one with -o, or replace it with --force"
        )
