"""No small input makes the kernel work for more than ten seconds or in more than 500 MB."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import hostile
import pytest


def tried(seed: int, count: int, folder: Path) -> dict[str, Any]:
    """What a process that tries so many inputs says; a signal ends it where one is too long."""
    folder.mkdir()
    command = [sys.executable, "-B", str(Path(hostile.__file__)), str(seed), str(count)]
    done = subprocess.run(
        [*command, str(folder)], capture_output=True, text=True, check=False, timeout=3000
    )
    at = (folder / "input.json").read_text()[:3000]
    assert done.returncode == 0, (done.returncode, done.stderr[-1000:], at)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def judged(results: list[dict[str, Any]]) -> Counter[str]:
    words = Counter[str]()
    for result in results:
        assert result["seconds"] < hostile.SECONDS
        assert result["memory"] < hostile.MEMORY
        words.update(result["words"])
    assert not [word for word in words if "beyond" in word], words
    return words


def test_a_few_hostile_inputs_end_early(tmp_path: Path) -> None:
    """Fourteen, one of which works for seconds; the batteries try 3,500."""
    words = judged([tried(20, 14, tmp_path / "inputs")])
    assert words["rejected"] > 3
    assert words["malformed"] > 0
    assert words["too much work"] > 0


@pytest.mark.long
def test_many_hostile_inputs_end_early(
    tmp_path: Path, record_property: Callable[[str, Any], None]
) -> None:
    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(tried, 100 + i, 250, tmp_path / str(i)) for i in range(14)]
        results = [job.result() for job in jobs]
    words = judged(results)
    record_property("hostile inputs", dict(words))
    record_property("longest seconds", max(result["seconds"] for result in results))
    record_property("most bytes", max(result["memory"] for result in results))
    assert sum(words.values()) == 14 * 250
    assert words["too much work"] > 20
    assert sum(words[word] for word in ("certified", "refuted", "scales", "coupling")) > 50
