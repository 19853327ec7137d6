"""What the command line says about many problems: python tests/support/texts.py [FOLDER [COUNT]].

Without a folder the stored texts (tests/texts, of packaged problems that are quick) are written
anew; look at their difference before you commit it. With one, all packaged problems and COUNT (3)
random ones of each kind are asked in every way, their reports too, and the folders of two trees
are compared: `diff -r` tells each word that a change in `pfverify/edge` altered.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "kernel")]

from pfverify import InputError, Problem  # noqa: E402
from pfverify.edge.cli import main  # noqa: E402
from pfverify.edge.packaged import example_names  # noqa: E402
from support.every_kind import MAKERS  # noqa: E402

STORED = TESTS / "texts"
WIDTH = "100"  # columns
FEW = (("certify", "--explain"), ("loss",), ("calibrate",), ("coupling",))
MANY = (
    *FEW, ("certify", "--json"), ("certify", "--epsilon", "1/10"), ("certify", "--explain",
    "--latex"), ("loss", "--json"), ("calibrate", "--json"), ("curve",),
)  # fmt: skip
QUICK = (
    "cell-key", "close-beliefs-fail", "dummies", "each-alone-nothing", "first-alone", "flu",
    "four-users-values", "gaussian-pair", "histogram", "home-and-out", "largest-move",
    "noisy-max", "rappor-one-time", "rounded-count", "sparse-vector", "student", "threshold",
    "tie-bernoulli", "tie-delta", "tie-point-masses", "truncated", "truncated-geometric",
    "tupling-dummies", "weather",
)  # fmt: skip
"""Packaged problems of each kind whose texts are stored."""
VERDICTS = ("histogram", "noisy-max", "sparse-vector", "weather")
"""Those of them whose losses and scales take long: their verdicts alone."""


def said(*arguments: str) -> str:
    """A command line, what it prints, and its exit code."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        code = main([*arguments])
    return f"$ pfverify {' '.join(arguments)}\n{out.getvalue()}{error.getvalue()}[{code}]\n"


def texts_of(stated: str, commands: tuple[tuple[str, ...], ...] = FEW) -> str:
    """What is said of a problem: a file, or example:NAME."""
    return "\n".join(said(name, stated, *options) for name, *options in commands)


def stored(name: str) -> str:
    """What is stored of a packaged problem."""
    return texts_of(f"example:{name}", FEW[:1] if name in VERDICTS else FEW)


def drawn(count: int) -> Iterator[tuple[str, Problem]]:
    """So many problems of each kind, with their names."""
    for kind, make in MAKERS.items():
        rng, made = Random(kind), 0
        while made < count:
            try:
                problem = Problem.from_table(make(rng))
            except InputError:  # what cannot go together
                continue
            yield f"{kind}-{made}", problem
            made += 1


def _report(stated: str, name: str, folder: Path) -> None:
    for ending in ("md", "html"):
        written = folder / f"{name}.{ending}"
        said("report", stated, "-o", str(written), "--date", "2026-01-01", "--title", name)


def _write(folder: Path, count: int) -> None:
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)  # no path stands in a text
        asked = {name: f"example:{name}" for name in example_names()}
        for name, problem in drawn(count):
            Path(f"{name}.json").write_text(json.dumps(problem.to_table()), "utf-8")
            asked[name] = f"{name}.json"
        for name, stated in asked.items():
            (folder / f"{name}.txt").write_text(texts_of(stated, MANY), "utf-8")
            _report(stated, name, folder)


if __name__ == "__main__":
    os.environ["COLUMNS"] = WIDTH
    if len(sys.argv) > 1:
        into = Path(sys.argv[1]).resolve()
        into.mkdir(parents=True, exist_ok=True)
        _write(into, int(sys.argv[2]) if len(sys.argv) > 2 else 3)
    else:
        STORED.mkdir(exist_ok=True)
        for name in QUICK:
            (STORED / f"{name}.txt").write_text(stored(name), "utf-8")
