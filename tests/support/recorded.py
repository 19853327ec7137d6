"""What the command line answers to the recorded problems, so that two trees can be compared.

    python tests/support/recorded.py write before.jsonl       # in one tree
    python tests/support/recorded.py write after.jsonl        # in the other
    python tests/support/recorded.py compare before.jsonl after.jsonl
    python tests/support/recorded.py hashes before.jsonl > tests/support/recorded.txt

Each tree with its own environment (`pip install -e .`). A line of the record is a problem, and per
command its exit code, standard output (with --json, but for the envelope, for how many pairs were
decided, and for the decimals beside exact numbers) and standard error, byte for byte. The hashes
are one short line per problem; `pytest -m long` holds the tree against them. Numbers may move by a
unit in the last place with another version of python-flint or scipy: record both trees with one.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import entry_points
from multiprocessing import Pool
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
HASHES = TESTS / "support" / "recorded.txt"
ENVELOPE = ("schema", "version", "problem", "digest")
HOW = ("pairs_decided", "pairs_bounded")  # not what was answered, but for how little work
if __name__ == "__main__":
    for folder in (TESTS, TESTS / "kernel", TESTS.parent / "pfverify" / "kernel"):
        sys.path.insert(0, str(folder))

import pfverify  # noqa: E402
from support.recorded_problems import COUNT, Recorded, recorded  # noqa: E402

Answer = dict[str, Any]


def asked(arguments: list[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the command line, in this process."""
    (entry,) = entry_points(group="console_scripts", name="pfverify")
    out, err = io.StringIO(), io.StringIO()
    before, sys.argv = sys.argv, ["pfverify", *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            found = entry.load()()
        code = found if isinstance(found, int) else 0
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
    finally:
        sys.argv = before
    return code, out.getvalue(), err.getvalue()


def answer(problem: Recorded) -> Answer:
    """What the commands of one problem say."""
    found: Answer = {"name": problem.name, "problem": problem.table}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("problem.json").write_text(json.dumps(problem.table), "utf-8")
        for command in problem.commands:
            code, out, err = asked([command, "problem.json", "--json"])
            found[command] = code, _answered(out), err
    return found


def _answered(out: str) -> str:
    """JSON without its envelope and the decimals beside exact numbers: what was answered."""
    if not out:
        return out
    data = {key: part for key, part in json.loads(out).items() if key not in ENVELOPE + HOW}
    return json.dumps(_exact(data), indent=2, ensure_ascii=False) + "\n"


def _exact(data: Any) -> Any:
    if isinstance(data, list):
        return [_exact(part) for part in data]
    if not isinstance(data, dict):
        return data
    return {key: _exact(part) for key, part in data.items() if not key.endswith("_decimal")}


def line(found: Answer) -> str:
    """The one text of an answer."""
    return json.dumps(found, sort_keys=True, ensure_ascii=True)


def short_hash(text: str) -> str:
    """The hash of one line."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write(path: Path) -> None:
    """Record every problem, in their order."""
    asked_of, tree = Path(pfverify.__file__).parents[1], TESTS.parent
    if asked_of != tree:
        raise SystemExit(f"pfverify comes from {asked_of}, expected {tree}: install this tree")
    with Pool(os.cpu_count()) as pool, path.open("w", encoding="ascii") as file:
        for found in pool.imap(_answer_at, range(COUNT), chunksize=8):
            file.write(line(found) + "\n")


def _answer_at(index: int) -> Answer:
    return answer(recorded(index))


def differences(before: Path, after: Path) -> Iterator[str]:
    """The names of problems whose lines differ, and what differs in them."""
    old, new = (
        {json.loads(text)["name"]: json.loads(text) for text in path.read_text().splitlines()}
        for path in (before, after)
    )
    for name in {**old, **new}:
        one, two = old.get(name, {}), new.get(name, {})
        keys = [key for key in {**one, **two} if one.get(key) != two.get(key)]
        if keys:
            yield f"{name}: {', '.join(keys)}"


def main(arguments: list[str]) -> int:
    """Write, compare or hash; see the head of this file."""
    match arguments:
        case ["write", path]:
            write(Path(path))
        case ["hashes", path]:
            for text in Path(path).read_text("ascii").splitlines():
                print(json.loads(text)["name"], short_hash(text))
        case ["compare", one, two]:
            found = list(differences(Path(one), Path(two)))
            print("\n".join([*found, f"{len(found)} problems differ"]))
            return int(bool(found))
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
