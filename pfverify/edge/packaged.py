"""The packaged problem files, by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pfverify.errors import InputError, require, shorten
from pfverify.exact.no_truth import NoTruth

if TYPE_CHECKING:
    from pfverify.model.problem import Problem

PREFIX = "example:"
_FOLDER = Path(__file__).with_name("examples")


@dataclass(frozen=True)
class Examples(NoTruth, ask="read its attributes"):
    """The packaged problems, as names that commands take, and name -> first sentence."""

    examples: list[str]
    summaries: dict[str, str] = field(metadata={"json": False})


def listed_examples() -> Examples:
    """Return the packaged problems, sorted."""
    names = example_names()
    return Examples([PREFIX + name for name in names], {n: example_summary(n) for n in names})


def example_names() -> list[str]:
    """Return the names of the packaged problems, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def example_text(name: str) -> str:
    """Return the text of a packaged problem file; InputError for an unknown name."""
    return example_path(name).read_text("utf-8")


def example_path(name: str) -> Path:
    """Return the path of a packaged problem file; InputError for an unknown name."""
    require(name, str, "the name of an example")
    names = example_names()
    if name not in names:
        from difflib import get_close_matches

        near = get_close_matches(name, names, 1)
        known = shorten(", ".join(names), 240)
        hint = f"did you mean {near[0]!r}?" if near else f"expected one of {known}"
        raise InputError(f"there is no packaged example {shorten(name, 40)!r}; {hint}")
    return _FOLDER / f"{name}.toml"


def example_summary(name: str) -> str:
    """Return the first sentence of a packaged problem's description."""
    lines = []
    for line in example_text(name).splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return " ".join(lines).split(". ")[0].rstrip(".") + "."


def load_example(name: str) -> Problem:
    """Return a packaged problem. Example: ``load_example("census").epsilon.text`` is ``"1"``."""
    from pfverify.model.problem import Problem

    return Problem.from_text(example_text(name))


def write_examples(folder: Path) -> int:
    """Copy the packaged problem files into a folder and return how many they are.

    Raises InputError where a file of that name is there and differs (nothing is written then),
    and where the folder cannot be written.
    """
    from pfverify.files import write_text

    try:
        folder.mkdir(parents=True, exist_ok=True)
        texts = {folder / f"{name}.toml": example_text(name) for name in example_names()}
        for path, text in texts.items():
            if path.exists() and (not path.is_file() or path.read_text("utf-8") != text):
                raise InputError(f"--write: {path} is there and differs; move it away first")
        for path, text in texts.items():
            write_text(path, text)
    except OSError as error:
        raise InputError(f"--write: {folder}: {error.strerror}") from None
    return len(texts)
