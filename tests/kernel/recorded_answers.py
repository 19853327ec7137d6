"""The kernel's words about near misses of the accepted cases, on record: nothing may change one.

Of each accepted case of the corpus some leaves of its problem and of its certificate are replaced,
as `support.leaves` does it, drawn by the name of the case; the digest is that of the problem as it
then is.  `python tests/kernel/recorded_answers.py` writes the record; that accepted ones are true
is what test_kernel_mutation.py asks an oracle.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import kernel_builder as kb  # noqa: E402
from support.leaves import leaves, others, replaced  # noqa: E402

RECORD = HERE / "answers.json"
COUNT = 120  # replacements of a case
LONGEST = 6000  # bytes of a case
SLOW = 0.1  # seconds beyond which an answer is not asked for again
LETTERS = {"certified": "c", "refuted": "f", "scales": "s", "coupling": "p", "rejected": "r",
           "malformed": "m"}  # fmt: skip
NOT_ASKED = "-"


def cases() -> dict[str, dict[str, Any]]:
    """The accepted cases that are short, by name."""
    found = {}
    for path in sorted((kb.CORPUS / "accept").glob("*.json")):
        case = json.loads(path.read_text())
        both = case["problem"], case["certificate"]
        if not all(isinstance(x, dict) for x in both):
            continue  # a text, to be read byte by byte
        if sum(len(json.dumps(x)) for x in both) < LONGEST:
            found[path.stem] = case
    return found


def _at(value: Any, where: tuple[Any, ...]) -> Any:
    for key in where:
        value = value[key]
    return value


def near_misses(name: str, case: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Problems and certificates, mostly with another number."""
    rng = Random(name)
    found = [
        (key, where, new)
        for key in ("certificate", "problem")
        for where in leaves(case[key])
        for new in others(_at(case[key], where), rng)
    ]
    rng.shuffle(found)
    found.sort(key=lambda one: not any(c.isdigit() for c in str(one[2])))
    numbers = COUNT * 4 // 5
    for key, where, new in [*found[:numbers], *found[numbers - COUNT :]]:
        problem, certificate = case["problem"], case["certificate"]
        if key == "certificate":
            yield problem, replaced(certificate, where, new)
            continue
        problem = replaced(problem, where, new)
        try:
            yield problem, {**certificate, "problem": kb.digest(problem)}
        except Exception:  # malformed: the kernel's own answer is asked for
            yield problem, certificate


def words(name: str, case: dict[str, Any], known: str = "") -> str:
    """A letter for each near miss; what is not asked according to a known record stays so."""
    found = ""
    for k, (problem, certificate) in enumerate(near_misses(name, case)):
        if known[k : k + 1] == NOT_ASKED:
            found += NOT_ASKED
            continue
        start = time.process_time()
        word, _ = kb.run(problem, certificate, case["problem_suffix"])
        slow = not known and time.process_time() - start > SLOW
        found += NOT_ASKED if slow else LETTERS[word]
    return found


def main() -> None:
    record = {name: words(name, case) for name, case in cases().items()}
    RECORD.write_text(json.dumps(record, indent=1) + "\n")
    print({x: sum(text.count(x) for text in record.values()) for x in [*LETTERS.values(), "-"]})


if __name__ == "__main__":
    main()
