"""Test vectors: cases with their exact answers, for implementations in any language.

The JSON Schema of a file of them is `vectors.schema.json`, beside this module.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pfverify.crosscheck.case import Case
from pfverify.crosscheck.density import densities
from pfverify.crosscheck.kinds import KINDS
from pfverify.crosscheck.plans import least_distance
from pfverify.errors import InputError, shorten
from pfverify.exact.enclosure import Enclosure
from pfverify.files import write_text

SCHEMA = "pfverify/vectors/1"
_ABOUT = (
    "Each case is a question in floats of 64 bits: hex is the exact float as C99 writes it "
    "(0x1.8p+1 is 3), decimal the shortest decimal that is read as it. The truth is that of "
    "exactly these numbers: atoms with masses (or rows of weight, mean, variance) as rationals, "
    "divided by their exact sum. lower and upper are decimals between which the exact answer lies "
    "(inf where it is infinite; null where it is not known); a scale, loss or delta is the larger "
    "of both orders, relaxed_columns is of the plan from p to q, "
    "an accountant's of `count` releases, each of its own draw, a density has one for each y, and "
    "the truth of a plan is the least mean "
    "distance of a coupling."
)


def vectors(cases: Iterable[Case]) -> dict[str, Any]:
    """Return cases with their exact answers, in the shape that `vectors.schema.json` describes.

    Raises InputError for a kind that is not known.
    Example: ``vectors([case])["cases"][0]["truth"]`` is ``{'lower': '0.5', 'upper': '0.5'}``.
    """
    found = [case.to_dict() | {"truth": _TRUTHS[case.kind](case)} for case in cases]
    named = dict.fromkeys((case["kind"], "atoms" in case) for case in found)
    signatures = {
        f"{kind}, {'atoms' if atoms else 'normal laws'}": KINDS[kind].signature(
            "atoms" if atoms else "normal"
        )
        for kind, atoms in named
    }
    return {"schema": SCHEMA, "about": _ABOUT, "signatures": signatures, "cases": found}


def write_vectors(cases: Iterable[Case], path: str | Path) -> None:
    """Write a file of test vectors, a case in a line; it is complete or not there.

    Raises InputError for a file that cannot be written.
    Example: ``write_vectors([case], "vectors.json")`` is None.
    """
    found = vectors(cases)
    lines = ",\n".join(json.dumps(case) for case in found.pop("cases"))
    head = json.dumps(found, indent=1).removesuffix("\n}")
    try:
        write_text(Path(path), f'{head},\n "cases": [\n{lines}\n ]\n}}\n')
    except OSError as error:
        raise InputError(f"{shorten(path, 200)}: cannot be written: {error.strerror}") from None


def _number(case: Case) -> Any:
    truth = KINDS[case.kind].truth
    return None if truth is None else _ends(truth(case).enclosure)


_TRUTHS: dict[str, Callable[[Case], Any]] = {
    "scale": _number,
    "relaxed_columns": _number,
    "accountant": _number,
    "loss": _number,
    "delta": _number,
    "density": lambda case: [_ends(around) for around in densities(case)],
    "plan": lambda case: _ends(least_distance(case)),
}


def _ends(around: Enclosure | None) -> dict[str, str] | None:
    if around is None:
        return None
    return {"lower": str(around.lower), "upper": str(around.upper)}
