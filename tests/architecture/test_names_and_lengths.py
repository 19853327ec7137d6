"""One meaning per name, and modules that are read in one go."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pfverify

ROOT = Path(pfverify.__file__).parent

REASONS = {
    "Enclosure": "a rule of proof files has the name of what it looks at",
    "Finite": "the rule of proof files, and the prior over inputs that Python callers write",
    "Source": "proof files write it for where a claim is printed; a problem has a source of laws",
    "Verdict": "proof files state the verdict that the kernel accepts",
}
"""The names that two classes have, with why neither could have another one."""


def shared() -> dict[str, list[str]]:
    """Names of public classes -> where, of those that two files outside the kernel have.

    The kernel shares no code with the package and means the same by the names of the field.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        where = path.relative_to(ROOT)
        if where.parts[0] == "kernel":
            continue
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(where.as_posix())
    assert len(found) > 400
    return {name: places for name, places in found.items() if len(places) > 1}


def test_classes_share_a_name_for_a_reason_alone() -> None:
    found = shared()
    assert {name: found[name] for name in found.keys() - REASONS.keys()} == {}
    assert REASONS.keys() <= found.keys()
    for name in REASONS:
        assert any(place.startswith("proof/") for place in found[name])
        assert len(found[name]) == 2, name


MOST_LINES = 500
LONGER = {"exact/expsum.py"}  # exponents hold sums and sums exponents: one recursion


def test_no_module_is_long() -> None:
    long = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if path.read_text("utf-8").count("\n") > MOST_LINES
    }
    assert long == LONGER
