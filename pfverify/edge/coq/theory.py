"""The theory that exported files need: where it is, and that it is compiled."""

from __future__ import annotations

import re
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

from pfverify.edge.coq.names import file_of, is_file_name
from pfverify.edge.coq.process import REMEDY, first_error, require_coq, run
from pfverify.edge.progress import progress
from pfverify.errors import InputError, UndecidedError, shorten

_SCRIPT = "compile"
_LIBRARY_MISSING = ("Cannot find a physical path", "Unable to locate library")
_SECONDS = 300  # for one file of the theory


def theory_of(proofs: Path) -> Path:
    """Return the folder of the theory: `coq` in a folder of proofs, or that folder itself.

    Raises InputError where there is none.
    """
    for folder in (proofs / "coq", proofs):
        if (folder / _SCRIPT).is_file() and (folder / "Check.v").is_file():
            return folder
    raise InputError(
        f"--coq: the folder {shorten(proofs, 200)} holds no theory for Coq (coq/Check.v); run this "
        "from a checkout, or name its folder of proofs with --proofs"
    )


def written_apart(output: str | None, stem: str, theory: Path) -> str:
    """Return the file that an export is written to, or might be: one that coqc takes.

    Raises InputError for another name, and for a file among those of the theory.
    """
    if output is None:
        return file_of(stem)
    place = Path(output)
    if not is_file_name(place.name):
        raise InputError(
            f"-o: Coq takes no file named {shorten(place.name)!r}, expected ASCII letters, digits "
            f"and _ that end in .v, such as {file_of(place.stem)}"
        )
    if place.resolve().parent == theory.resolve():
        raise InputError(f"-o: {output} is in the folder of the theory, expected another place")
    return output


def compile_theory(theory: Path, modules: Iterable[str]) -> None:
    """Compile what is out of date of these modules of the theory and what they require.

    One process at a time does so, held apart by a lock that the tests take too.
    Raises InputError where Coq or its libraries are missing and where a file is refused, and
    UndecidedError where one takes too long.
    """
    import fcntl

    require_coq()
    with (theory / _SCRIPT).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        requires = _requirements(theory)
        stale = [
            name for name in _in_order(requires, modules) if _is_stale(theory, name, requires)
        ]
        changed = _with_dependents(stale, requires)
        for name in changed:  # what is left of another version does not fit the new one
            (theory / f"{name}.vo").unlink(missing_ok=True)
        with progress("compiling the theory") as report:
            for done, name in enumerate(order := _in_order(requires, modules, changed)):
                report(done, len(order))
                _compile(theory, f"{name}.v")


def _requirements(theory: Path) -> dict[str, list[str]]:
    """Module of the theory -> the modules of it that it requires."""
    names = sorted(path.name for path in theory.glob("*.v"))
    found = run(["coqdep", "-R", ".", "Pfverify", *names], theory, _SECONDS)
    if found is None or found.code:
        why = "it takes too long" if found is None else first_error(found)
        raise InputError(f"--proofs: coqdep cannot read {theory}: {shorten(why, 200)}")
    rules = re.findall(r"^(\w+)\.vo [^:]*: (.*)$", found.out, re.MULTILINE)
    return {name: re.findall(r"(?:^| )(?:\./)?(\w+)\.vo\b", rest) for name, rest in rules}


def _in_order(
    requires: dict[str, list[str]], modules: Iterable[str], among: set[str] | None = None
) -> list[str]:
    """The modules and all that they require, each after its own (or those `among` some)."""
    needed: dict[str, list[str]] = {}
    pending = list(modules)
    while pending:
        name = pending.pop()
        if name not in requires:
            raise InputError(f"--proofs: the theory has no {name}.v, which the theorems need")
        if name not in needed:
            needed[name] = requires[name]
            pending += requires[name]
    order = TopologicalSorter(needed).static_order()
    return [name for name in order if among is None or name in among]


def _is_stale(theory: Path, name: str, requires: dict[str, list[str]]) -> bool:
    """Whether a file is not compiled, or is older than its text or what it requires."""
    made = theory / f"{name}.vo"
    sources = [theory / f"{name}.v", *(theory / f"{other}.vo" for other in requires[name])]
    if not made.exists():
        return True
    time = made.stat().st_mtime_ns
    return any(not path.exists() or path.stat().st_mtime_ns >= time for path in sources)


def _with_dependents(stale: Iterable[str], requires: dict[str, list[str]]) -> set[str]:
    """These modules and all that require one of them, directly or not."""
    found = set(stale)
    for name in TopologicalSorter(requires).static_order():
        if not found.isdisjoint(requires.get(name, [])):
            found.add(name)
    return found


def _compile(theory: Path, name: str) -> None:
    made = theory / f"{name}o"
    try:
        done = run(["coqc", "-q", "-R", ".", "Pfverify", name], theory, _SECONDS)
        if done is not None and done.code == 0:
            return
    except BaseException:
        made.unlink(missing_ok=True)  # it may be half written
        raise
    made.unlink(missing_ok=True)
    if done is None:
        raise UndecidedError(f"Coq had not compiled {theory / name} after {_SECONDS} s")
    why = first_error(done)
    if any(words in why for words in _LIBRARY_MISSING):
        raise InputError(f"--coq: a library is not installed ({shorten(why, 120)}); {REMEDY}")
    raise InputError(f"--proofs: Coq does not compile {theory / name}: {shorten(why, 200)}")
