"""The tests that `pytest` leaves to `pytest -m slow`: they are listed in tests/slow.txt.

What takes two seconds or more by itself is in the batteries, `pytest -m long`. So are the further
cases of a test whose quicker ones take half a second together: one case of it or more is in
`pytest -m slow`, where there is one below two seconds. A test that is marked slow where it stands
is there as well.

A line is the seconds of processor time that a test took and its name; a name without [parameters]
is about all of them, a file about all its tests. `PYTHONPATH=tests pytest -m 'not long and not coq'
-p support.durations` prints such lines for the tests that are to be in it.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

LONG = 2.0  # seconds of a test in a battery
TOGETHER = 0.5  # seconds of the cases of a test outside of the batteries, but for the first
WHOLE = {"tests/kernel/test_kernel_corpus.py::test_case"}  # every rule of the kernel has its case
LISTED = Path(__file__).parents[1] / "slow.txt"


def listed() -> dict[str, float]:
    """Name of a test, or of a file, -> seconds."""
    rows = (line.split(" ", 1) for line in LISTED.read_text("utf-8").splitlines())
    return {name: float(seconds) for seconds, name in rows}


def in_batteries(seconds: dict[str, float]) -> set[str]:
    """The entries that are too long, or have quicker cases of the same test beside them."""
    cases: dict[str, list[str]] = defaultdict(list)
    for name in seconds:
        cases[name.partition("[")[0]].append(name)
    found: set[str] = set()
    for test, names in cases.items():
        if test in WHOLE:
            continue
        spent = 0.0
        for name in sorted(names, key=lambda name: (seconds[name], name)):
            if seconds[name] >= LONG or (spent and spent + seconds[name] > TOGETHER):
                found.add(name)
            spent += seconds[name]
    return found


def entry_of(test: str, names: set[str]) -> str | None:
    """The entry that a test has among these, if any."""
    file, _, rest = test.partition("::")
    function = f"{file}::{rest.partition('[')[0]}"
    return next((name for name in (test, function, file) if name in names), None)


def mark(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow ones; an entry about a file that was read whole must be about some test."""
    seconds = listed()
    names, long, found = set(seconds), in_batteries(seconds), set[str]()
    for item in items:
        if item.get_closest_marker("long"):  # a case that is, of a test that is marked slow
            item.own_markers[:] = [one for one in item.own_markers if one.name != "slow"]
        if (entry := entry_of(item.nodeid, names)) is not None:
            found.add(entry)
            if not any(item.get_closest_marker(longer) for longer in ("slow", "long", "coq")):
                item.add_marker("long" if entry in long else "slow")
    if any("::" in argument for argument in config.args):
        return
    files = {item.nodeid.partition("::")[0] for item in items}
    gone = sorted(name for name in names - found if name.partition("::")[0] in files)
    if gone:
        raise pytest.UsageError(f"tests/slow.txt: there is no test {gone[0]}")
