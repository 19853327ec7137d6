"""What the command line answers to the recorded problems, so that two trees can be compared.

    python tests/support/recorded.py write before.jsonl       # in one tree
    python tests/support/recorded.py write after.jsonl        # in the other
    python tests/support/recorded.py compare before.jsonl after.jsonl
    python tests/support/recorded.py hashes before.jsonl > tests/support/recorded.txt

    python tests/support/recorded.py shares before.jsonl      # how many of each answer

Each tree with its own environment (`pip install -e .`). Names of families after `write FILE` record
these alone; `compare --some` then takes what the second file leaves out for not asked. A line of
the record is a problem, and per command its exit code, standard output (with --json, but for the
envelope without its digest, for how many pairs were decided, and for the decimals beside exact
numbers) and standard error, byte for byte, and the certificate that was written. The hashes are one
short line per problem, without the certificate's bytes (what the kernel says of it is there);
`pytest -m long` holds the tree against them. `compare` tells answers that differ from ends of
enclosures that moved, as another version of python-flint or scipy may move them by a unit.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import entry_points
from multiprocessing import Pool
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1]
HASHES = TESTS / "support" / "recorded.txt"
ENVELOPE = ("schema", "version", "problem")
HOW = ("pairs_decided", "pairs_bounded")  # not what was answered, but for how little work
if __name__ == "__main__":
    for folder in (TESTS, TESTS / "kernel", TESTS.parent / "pfverify" / "kernel"):
        sys.path.insert(0, str(folder))

import pfverify  # noqa: E402
from support.recorded_compared import WRITTEN, Answer, compared  # noqa: E402
from support.recorded_problems import (  # noqa: E402
    CERTIFICATE,
    FAMILIES,
    Recorded,
    recorded,
)


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
        for name, text in problem.files.items():
            Path(name).write_text(text, "ascii")
        for command in problem.commands:
            name, *options = command.split()
            code, out, err = asked([name, "problem.json", *options, "--json"])
            found[command] = code, _answered(out), err
        if Path(CERTIFICATE).exists():
            found[WRITTEN] = Path(CERTIFICATE).read_text("ascii")
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


def short_hash(found: Answer) -> str:
    """The hash of one answer, without the bytes of its certificate."""
    stays = {key: part for key, part in found.items() if key != WRITTEN}
    return hashlib.sha256(line(stays).encode()).hexdigest()[:16]


def _places(families: Sequence[str]) -> list[int]:
    """The places of the problems of these families; of all, where none is named."""
    known = [family.name for family in FAMILIES]
    if unknown := set(families) - set(known):
        raise SystemExit(f"no family {', '.join(unknown)}, expected some of {', '.join(known)}")
    each = [family.name for family in FAMILIES for _ in range(family.count)]
    return [place for place, name in enumerate(each) if name in (families or known)]


def write(path: Path, families: Sequence[str] = ()) -> None:
    """Record every problem, or those of some families, in their order."""
    asked_of, tree = Path(pfverify.__file__).parents[1], TESTS.parent
    if asked_of != tree:
        raise SystemExit(f"pfverify comes from {asked_of}, expected {tree}: install this tree")
    with Pool(os.cpu_count()) as pool, path.open("w", encoding="ascii") as file:
        for found in pool.imap(_answer_at, _places(families), chunksize=8):
            file.write(line(found) + "\n")


def _answer_at(index: int) -> Answer:
    return answer(recorded(index))


def _read(path: Path) -> dict[str, Answer]:
    answers = map(json.loads, path.read_text("ascii").splitlines())
    return {found["name"]: found for found in answers}


def shares(record: dict[str, Answer]) -> Iterator[str]:
    """A line per family and command: how many ended with each exit code."""
    counts: dict[str, Counter[int]] = {}
    for name, found in record.items():
        for command, said in found.items():
            if isinstance(said, list):
                key = f"{name.rpartition('-')[0]}: {command}"
                counts.setdefault(key, Counter())[said[0]] += 1
    for key, codes in counts.items():
        yield ", ".join([key, *(f"{count} exit {code}" for code, count in sorted(codes.items()))])


def main(arguments: list[str]) -> int:
    """Write, compare, hash or count; see the head of this file."""
    match arguments:
        case ["write", path, *families]:
            write(Path(path), families)
        case ["hashes", path]:
            for name, found in _read(Path(path)).items():
                print(name, short_hash(found))
        case ["shares", path]:
            print("\n".join(shares(_read(Path(path)))))
        case ["compare", *options, one, two] if options in ([], ["--some"]):
            told = compared(_read(Path(one)), _read(Path(two)), some=bool(options))
            print("\n".join(told.lines))
            return int(told.differ)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
