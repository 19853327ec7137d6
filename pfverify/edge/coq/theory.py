"""The theory that exported files need: the one that this package was made with, compiled anew.

Nothing that lies compiled in somebody's folder is taken: a compiled file does not say what text it
was made from. The texts are held against the digests in `theory.toml`, and what is read is what is
compiled, in a folder of this process alone.
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from graphlib import TopologicalSorter
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pfverify
from pfverify.edge.coq.names import file_of, is_file_name
from pfverify.edge.coq.process import REMEDY, first_error, require_coq, run
from pfverify.edge.progress import progress
from pfverify.errors import InputError, UndecidedError, shorten

DIGESTS = "theory.toml"
"""File of the theory -> sha256 of its bytes (made by tests/support/store_theorems.py)."""
_SCRIPT = "compile"
_LIBRARY_MISSING = ("Cannot find a physical path", "Unable to locate library")
_SECONDS = 300  # for one file of the theory
_compiled: dict[Path, tempfile.TemporaryDirectory[str]] = {}  # which goes with the process


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


def compiled_theory(theory: Path, modules: Iterable[str]) -> Path:
    """Return a private folder with these modules of the theory and what they require, compiled.

    Compiled once by a process, from texts whose digests are those of `theory.toml`.
    Raises InputError where Coq or its libraries are missing, where a text is another one and where
    one is refused, and UndecidedError where one takes too long.
    """
    require_coq()
    texts = _texts(theory)
    if theory not in _compiled:
        _compiled[theory] = tempfile.TemporaryDirectory(prefix="pfverify-theory-")
        for name, text in texts.items():
            Path(_compiled[theory].name, name).write_bytes(text)
    folder = Path(_compiled[theory].name)
    needed = _in_order(_requirements(folder), modules)
    order = [name for name in needed if not (folder / f"{name}.vo").exists()]
    with progress("compiling the theory") as report:
        for done, name in enumerate(order):
            report(done, len(order))
            _compile(folder, f"{name}.v")
    return folder


@cache
def _digests() -> dict[str, str]:
    found = tomllib.loads((files("pfverify.edge.coq") / DIGESTS).read_text("utf-8"))
    return {str(name): str(digest) for name, digest in found.items()}


def _texts(theory: Path) -> dict[str, bytes]:
    """The files of the theory, each as this package knows it; others in the folder are ignored."""
    texts = {}
    for name, digest in _digests().items():
        try:
            text = (theory / name).read_bytes()
        except OSError as error:
            raise InputError(f"--proofs: cannot read {theory / name}: {error.strerror}") from None
        if sha256(text).hexdigest() != digest:
            raise InputError(
                f"--proofs: {theory / name} is not the file that pfverify {pfverify.__version__} "
                "states theorems with (another sha256): take the folder proofs from the checkout "
                "that this pfverify is from"
            )
        texts[name] = text
    return texts


def _requirements(theory: Path) -> dict[str, list[str]]:
    """Module of the theory -> the modules of it that it requires."""
    found = run(["coqdep", "-R", ".", "Pfverify", *sorted(_digests())], theory, _SECONDS)
    if found is None or found.code:
        why = "it takes too long" if found is None else first_error(found)
        raise InputError(f"--proofs: coqdep cannot read the theory: {shorten(why, 200)}")
    rules = re.findall(r"^(\w+)\.vo [^:]*: (.*)$", found.out, re.MULTILINE)
    return {name: re.findall(r"(?:^| )(?:\./)?(\w+)\.vo\b", rest) for name, rest in rules}


def _in_order(requires: dict[str, list[str]], modules: Iterable[str]) -> list[str]:
    """The modules and all that they require, each after its own."""
    needed: dict[str, list[str]] = {}
    pending = list(modules)
    while pending:
        name = pending.pop()
        if name not in requires:
            raise InputError(f"--proofs: the theory has no {name}.v, which the theorems need")
        if name not in needed:
            needed[name] = requires[name]
            pending += requires[name]
    return list(TopologicalSorter(needed).static_order())


def _compile(folder: Path, name: str) -> None:
    with _whole_or_gone(folder / f"{name}o"):
        done = run(["coqc", "-q", "-R", ".", "Pfverify", name], folder, _SECONDS)
        if done is None:
            raise UndecidedError(f"Coq had not compiled {name} after {_SECONDS} s")
        if done.code == 0:
            return
        why = first_error(done)
        if any(words in why for words in _LIBRARY_MISSING):
            raise InputError(f"--coq: a library is not installed ({shorten(why, 120)}); {REMEDY}")
        raise InputError(f"--proofs: Coq does not compile {name}: {shorten(why, 200)}")


@contextmanager
def _whole_or_gone(made: Path) -> Iterator[None]:
    """What is raised leaves no half-written file behind."""
    try:
        yield
    except BaseException:
        made.unlink(missing_ok=True)
        raise
