"""Speed where people wait: a report, a picture, and a scale of a crowd that is met exactly."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmark_measure import Row, ratio_row, times

from pfverify import Laplace, Problem, System, certify
from pfverify.model.systems.derived import derived

VALUES = {"yes": {"point": 1}, "no": {"point": 0}}
CHANCES = {"yes": {"bernoulli": "1/5"}, "no": {"bernoulli": "9/10"}}
LEAST = {  # of one person at epsilon = 1, times their number: met with equality
    "values": "1",
    "chances": "1/log((9*exp(1)-2)/(8-exp(1)))",
}
TIE_TARGET, PLOT_TARGET, REPORT_TARGET, MEAN_TARGET = 5, 2, 2, 5  # seconds


@dataclass(frozen=True)
class ViewSizes:
    """How many atoms either prior has, and over how many people a mean is."""

    atoms: int = 10_000
    people: int = 2_000
    students: int = 649


def mean_of(people: int, user: dict[str, dict[str, object]], scale: str) -> Problem:
    """The mean over people of 0 or 1, whose others have one law; the scale is for the sum."""
    others = [{"bernoulli": "239/649", "count": people - 1}]
    noise = Laplace(f"({scale})/{people}")
    return Problem(system=System(others, user, release="mean"), noise=noise, epsilon=1)


def tie_rows(people: int, repeats: int) -> list[Row]:
    """Certify from the file's numbers on, beside a scale that is not met exactly."""
    rows = []
    for name, user in (("values", VALUES), ("chances", CHANCES)):
        problems = [mean_of(people, user, f"{LEAST[name]}*{more}") for more in ("1", "11/10")]
        tie, strict = times(*(_decided(problem) for problem in problems), repeats=repeats)
        rows.append(
            ratio_row(f"a scale met exactly, mean over n people, {name}", people, tie,
                      "a scale a tenth larger", strict, f"<= {TIE_TARGET} s", tie <= TIE_TARGET)
        )  # fmt: skip
    return rows


def _decided(problem: Problem) -> Callable[[], object]:
    def decide() -> object:
        derived.cache_clear()
        return certify(problem)

    return decide


def view_rows(atoms: str, sizes: ViewSizes, repeats: int) -> list[Row]:
    """The rows of pictures and reports, each a whole process; `atoms` is the file of two priors."""
    rows = tie_rows(sizes.people, repeats)
    students = mean_of(sizes.students, VALUES, "1").to_toml()
    with tempfile.TemporaryDirectory() as folder:
        page, picture = str(Path(folder, "page.html")), str(Path(folder, "loss.svg"))
        for work, words, size, text, target in (
            ("loss --plot to a file", ["loss", "--plot", picture], sizes.atoms, atoms, PLOT_TARGET),
            ("loss --plot in the terminal", ["loss", "--plot"], sizes.atoms, atoms, PLOT_TARGET),
            ("report", ["report", "-o", page], sizes.atoms, atoms, REPORT_TARGET),
            ("report of a mean over n people", ["report", "-o", page], sizes.students, students,
             MEAN_TARGET),
        ):  # fmt: skip
            path = Path(folder, "problem.toml")
            path.write_text(text, "utf-8")
            view, decision = times(
                _process([*words, str(path)]), _process(["certify", str(path)]), repeats=repeats
            )
            rows.append(
                ratio_row(f"{work}, whole process", size, view, "pfverify certify, whole process",
                          decision, f"<= {target} s", view <= target)
            )  # fmt: skip
    return rows


def _process(words: list[str]) -> Callable[[], object]:
    command = [sys.executable, "-m", "pfverify", *words]
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
