"""What a file is that was given in place of another: for the message, from how it begins."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from pfverify.errors import InputError

_BEGINNING = 1 << 16  # bytes that are looked at
_QUOTED = r"""["']?schema["']?\s*[:=]\s*["']"""
_BOM = b"\xef\xbb\xbf"


class FileKind(Enum):
    """What a file seems to be; the value says it."""

    CERTIFICATE = "a certificate"
    PROBLEM = "a problem"
    PLAN = "a plan"


_MARKS = {
    FileKind.CERTIFICATE: rf'{_QUOTED}pfverify/certificate/|\A\s*\{{\s*"_type"\s*:',
    FileKind.PROBLEM: rf"{_QUOTED}pfverify/problem/",
    FileKind.PLAN: (
        r"""\A(?:["']?(?:from|to|mass)["']?\s*(?:[,;\t\n]|\Z)){3}"""
        r"""|\A\s*\{\s*"plan"\s*:"""
    ),
}
_REMEDIES = {
    FileKind.CERTIFICATE: "pfverify check PROBLEM {name}",
    FileKind.PLAN: "pfverify coupling PROBLEM --plan {name}",
}


def kind_of(path: Path) -> FileKind | None:
    """Return what a file seems to be, None where it begins like none of these.

    Example: ``kind_of(Path("census.toml")).value`` is ``"a problem"``.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_BEGINNING).removeprefix(_BOM).decode("utf-8", "replace")
    except (OSError, ValueError):
        return None
    kinds = (kind for kind, mark in _MARKS.items() if re.search(mark, text))
    return next(kinds, None)


def same_file(one: str | Path, other: str | Path) -> bool:
    """Say whether two names are of one file that is there; either may be no name of a file.

    Example: ``same_file("census.toml", "census.cert")`` is False.
    """
    try:
        return Path(one).samefile(other)
    except (OSError, ValueError):
        return False


def no_problem(name: str, path: Path) -> InputError | None:
    """Return what to say of a file that was given as a problem and is something else, or None."""
    kind = kind_of(path)
    if kind is None or kind not in _REMEDIES:
        return None
    remedy = _REMEDIES[kind].format(name=name)
    return InputError(f"{name}: this is {kind.value}, expected a problem: {remedy}")


def refuse_swapped(problem: tuple[str, Path], certificate: tuple[str, Path]) -> None:
    """Raise InputError for a certificate in place of the problem, or the other way round.

    Both come under the name that was written.
    """
    kinds = kind_of(problem[1]), kind_of(certificate[1])
    if kinds == (FileKind.CERTIFICATE, FileKind.PROBLEM):
        raise InputError(
            "the certificate comes after the problem: "
            f"pfverify check {certificate[0]} {problem[0]}"
        )
    if kinds[0] is FileKind.CERTIFICATE:
        raise InputError(f"{problem[0]}: this is a certificate, expected the problem before it")
    if kinds[1] is FileKind.PROBLEM:
        raise InputError(f"{certificate[0]}: this is a problem, expected its certificate")
