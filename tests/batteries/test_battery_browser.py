"""The page that checks certificates, on as many cases of the corpus as a stated time allows."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from support import tally
from support.checker_page import built, check, command, opened, require_engine
from support.corpus import MIXED, files, load
from support.tally import Record

SECONDS = 900  # for some 1,100 cases on two idle cores
SHOWN = ("accept", "reject", "malformed")


@pytest.mark.long
def test_the_page_says_what_the_command_says(tmp_path: Path, record_property: Record) -> None:
    """All that is printed, file by file of the kernel; the page stays open from case to case."""
    (tmp_path / "book").mkdir()
    site = built(tmp_path / "book")
    require_engine(site)
    counts: Counter[str] = Counter()
    with opened(site, tmp_path / "profile") as (browser, address, _):
        deadline = time.monotonic() + SECONDS
        for path in MIXED:
            pair = files(load(path), tmp_path)
            assert check(browser, *pair).printed == command(*pair), path
            counts[path.parent.name] += 1
            if time.monotonic() > deadline:
                break
        assert browser.complaints(address) == []
    tally.reached(counts, *SHOWN, least=20)
    tally.report("certificates in a browser", counts, SHOWN, record_property)
