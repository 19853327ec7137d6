"""What the kernel says where little is changed, on record: nothing may change a word of it.

The cases are the accepted ones of the corpus that are short, and certificates that `certify -o` has
written of random problems of every kind (written.json).  Of each there are

near misses:  some leaves of the problem and of the certificate replaced, as `support.leaves` does
              it, drawn by the name of the case;
edges:        epsilon, delta and the margin moved until the answer turns: the last value that is
              accepted and the first that is not, 2^-24 apart, so that a change of a bound shows.

The digest is that of the problem as it then is.  `python tests/kernel/recorded_answers.py` writes
the record (answers.json); that what is accepted is true is what test_kernel_mutation.py and
test_kernel_smooth.py ask oracles.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import kernel_builder as kb  # noqa: E402
from core.work import TooMuchWork, checking  # noqa: E402
from support.leaves import leaves, others, replaced  # noqa: E402

RECORD, WRITTEN = HERE / "answers.json", HERE / "written.json"
COUNT = 120  # replacements of a case
LONGEST = 6000  # bytes of a case
LITTLE = 400_000  # units of work
SLOW = 0.1  # seconds beyond which an answer is not asked for again
QUICK = 0.02  # of an answer whose edges are sought
LETTERS = {"certified": "c", "refuted": "f", "scales": "s", "coupling": "p", "rejected": "r",
           "malformed": "m"}  # fmt: skip
NOT_ASKED = "-"
FINE = 1 << 24  # of an edge
MOVED = ("epsilon", "delta", "margin")
Where = tuple[Any, ...]


def cases() -> dict[str, dict[str, Any]]:
    """Problem and certificate, by name."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((kb.CORPUS / "accept").glob("*.json")):
        case = json.loads(path.read_text())
        both = case["problem"], case["certificate"]
        if not all(isinstance(x, dict) for x in both):
            continue  # a text, to be read byte by byte
        if sum(len(json.dumps(x)) for x in both) < LONGEST:
            found[path.stem] = case
    return found | json.loads(WRITTEN.read_text())


def _at(value: Any, where: Where) -> Any:
    for key in where:
        value = value[key]
    return value


def _changed(case: dict[str, Any], key: str, where: Where, new: Any) -> tuple[Any, Any] | None:
    """Problem and certificate with another leaf of one of them; None where that is much work."""
    problem, certificate = case["problem"], case["certificate"]
    if key == "certificate":
        return problem, replaced(certificate, where, new)
    problem = replaced(problem, where, new)
    try:
        with checking(0) as check:
            check.spent = check.allowed - LITTLE
            return problem, {**certificate, "problem": kb.digest(problem)}
    except TooMuchWork:
        return None
    except Exception:  # malformed: the kernel's own answer is asked for
        return problem, certificate


def near_misses(name: str, case: dict[str, Any]) -> list[tuple[str, Where, Any]]:
    """What is replaced, mostly by another number."""
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
    return [*found[:numbers], *found[numbers - COUNT :]]


def words(name: str, case: dict[str, Any], known: str = "", share: int = 1) -> str:
    """A letter for each near miss; what is not asked according to a known record stays so.

    `share`: of how many only one is asked, others by the name of the case.
    """
    found, first = "", Random(f"share of {name}").randrange(share)
    for k, one in enumerate(near_misses(name, case)):
        left_out = known[k : k + 1] == NOT_ASKED or k % share != first
        both = None if left_out else _changed(case, *one)
        if both is None:
            found += NOT_ASKED
            continue
        start = time.process_time()
        word, _ = kb.run(*both, case.get("problem_suffix", ".json"))
        slow = not known and time.process_time() - start > SLOW
        found += NOT_ASKED if slow else LETTERS[word]
    return found


# ---------------------------------------------------------------- edges


def _places(case: dict[str, Any]) -> Iterator[tuple[str, Where]]:
    """The numbers that are moved."""
    for key in ("problem", "certificate"):
        for where in leaves(case[key]):
            own = where[-1] == "margin" if key == "certificate" else where in (
                ("epsilon",), ("delta",))  # fmt: skip
            if own:
                yield key, where


def said(case: dict[str, Any], key: str, where: Where, number: str) -> str:
    """The word with another number in that place."""
    both = _changed(case, key, where, number)
    return "" if both is None else kb.run(*both, case.get("problem_suffix", ".json"))[0]


def _written(key: str, x: Fraction) -> str:
    """A number: of a certificate a decimal."""
    return str(x) if key == "problem" else f"{x.numerator * 10**60 // x.denominator}e-60"


def edge(case: dict[str, Any], key: str, where: Where) -> list[str] | None:
    """The last number that is accepted and the next that is not, in the direction in which the
    answer turns; None where it does not, or where an answer takes long."""
    accepted, stated = case["certificate"]["result"], _at(case[key], where)
    try:
        good = Fraction(str(stated))
    except ValueError:  # an expression
        return None
    start = time.process_time()
    if said(case, key, where, _written(key, good)) != accepted:
        return None
    if time.process_time() - start > QUICK:
        return None
    up = accepted == "refuted" or key == "certificate"
    bad = (good + 1) * 64 if up else Fraction(0)
    if good == bad or said(case, key, where, _written(key, bad)) == accepted:
        return None
    while abs(good - bad) * FINE > max(good, bad, Fraction(1)):
        middle = Fraction(int((good + bad) / 2 * FINE * 4), FINE * 4)
        if said(case, key, where, _written(key, middle)) == accepted:
            good = middle
        else:
            bad = middle
    return [_written(key, good), _written(key, bad)]


def edges(case: dict[str, Any]) -> dict[str, list[str]]:
    """The edges of a case, by the keys that lead to the number."""
    found = {}
    for key, where in _places(case):
        if (ends := edge(case, key, where)) is not None:
            found[json.dumps([key, *where])] = ends
    return found


def main() -> None:
    """Write the record."""
    record = {name: {"near": words(name, case), "edges": edges(case)}
              for name, case in cases().items()}  # fmt: skip
    RECORD.write_text(json.dumps(record, indent=1) + "\n")
    near = "".join(str(one["near"]) for one in record.values())
    print({x: near.count(x) for x in [*LETTERS.values(), NOT_ASKED]})
    print(sum(len(one["edges"]) for one in record.values()), "edges")


if __name__ == "__main__":
    main()
