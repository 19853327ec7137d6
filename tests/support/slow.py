"""The tests that `pytest` leaves to `pytest -m slow`: they are listed in tests/slow.txt.

What takes ten seconds or more by itself is in the batteries, `pytest -m long`.

A line is the seconds of processor time that a test took and its name; a name without [parameters]
is about all of them, a file about all its tests. `PYTHONPATH=tests pytest -m 'not long and not coq'
-p support.durations` prints such lines for the tests that are to be in it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

LONG = 10.0
LISTED = Path(__file__).parents[1] / "slow.txt"


def listed() -> dict[str, float]:
    """Name of a test, or of a file, -> seconds."""
    rows = (line.split(" ", 1) for line in LISTED.read_text("utf-8").splitlines())
    return {name: float(seconds) for seconds, name in rows}


def entry_of(test: str, names: set[str]) -> str | None:
    """The entry that a test has among these, if any."""
    file, _, rest = test.partition("::")
    function = f"{file}::{rest.partition('[')[0]}"
    return next((name for name in (test, function, file) if name in names), None)


def mark(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow ones; an entry about a file that was read whole must be about some test."""
    seconds = listed()
    names, found = set(seconds), set[str]()
    for item in items:
        if (entry := entry_of(item.nodeid, names)) is not None:
            found.add(entry)
            if not any(item.get_closest_marker(longer) for longer in ("long", "coq")):
                item.add_marker("long" if seconds[entry] >= LONG else "slow")
    if any("::" in argument for argument in config.args):
        return
    files = {item.nodeid.partition("::")[0] for item in items}
    gone = sorted(name for name in names - found if name.partition("::")[0] in files)
    if gone:
        raise pytest.UsageError(f"tests/slow.txt: there is no test {gone[0]}")
