"""Which tables fit the published schema: as a validator of JSON Schema says, for plain data."""

from __future__ import annotations

import copy
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pfverify.edge.packaged import example_names, example_path
from pfverify.model.fitting import _KINDS, _RULES, fits
from pfverify.model.problem_file import read_table
from pfverify.model.schema import _skeleton, problem_schema

SCHEMA = problem_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
CORPUS = Path(__file__).resolve().parents[1] / "certificates"
EXAMPLES = {name: read_table(example_path(name)) for name in example_names()}
ODD = [
    None, True, False, 0, 1, -1, 10**30, "", "1/2", "all", "numbers", "laplace", "matrix", "01", [],
    ["a", "b"], [["a", "b"]], [["a", "b", 1]], {}, {"kind": "none"}, {"kind": "table"}, {"0": 1},
    {"kind": "discrete", "counts": {"0": 1}}, {"low": 0, "high": 1}, {"point": 1}, "absent",
]  # fmt: skip


def agreed(table: Any) -> bool:
    skeleton = _skeleton(table)
    found = fits(SCHEMA, skeleton, SCHEMA["$defs"])
    assert found == VALIDATOR.is_valid(skeleton), table
    return found


def parts_of(schema: Any) -> list[dict[str, Any]]:
    """A schema and its parts (the keys of `properties` are names, not keywords)."""
    if isinstance(schema, list):
        return [found for part in schema for found in parts_of(part)]
    if not isinstance(schema, dict):
        return []
    named, plain = {"properties", "$defs"}, {"enum", "const", "required", "dependentRequired"}
    below = [[*part.values()] if key in named else part
             for key, part in schema.items() if key not in plain]  # fmt: skip
    return [schema, *parts_of(below)]


def test_every_keyword_and_type_of_the_schema_is_known_and_no_other() -> None:
    parts = parts_of(SCHEMA)
    assert {key for part in parts for key in part} == set(_RULES)
    types = [part["type"] for part in parts if "type" in part]
    assert {t for found in types for t in ([found] if isinstance(found, str) else found)} == set(
        _KINDS
    )
    with pytest.raises(KeyError):
        fits({"uniqueItems": True}, [], {})


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a table."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else range(len(value))
    return [(value, k) for k in keys] + [place for k in keys for place in places(value[k])]


def changed(table: Any, rng: Random, parts: list[Any]) -> Any:
    """A table with a part left out, replaced, moved in from another one, or under another key."""
    table = copy.deepcopy(table)
    for _ in range(rng.choice([1, 1, 1, 2])):
        container, key = rng.choice(places(table))
        match rng.randrange(4):
            case 0:
                del container[key]
            case 1:
                container[key] = copy.deepcopy(rng.choice(ODD))
            case 2:
                container[key] = copy.deepcopy(rng.choice(parts))
            case 3 if isinstance(container, dict):
                other, name = rng.choice(places(EXAMPLES[rng.choice(sorted(EXAMPLES))]))
                container[str(name)] = copy.deepcopy(other[name])
        if not places(table):
            break
    return table


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_packaged_problems_fit_and_changed_ones_are_told_apart(name: str) -> None:
    assert agreed(EXAMPLES[name])
    rng = Random(name)
    parts = [other[key] for table in EXAMPLES.values() for other, key in places(_skeleton(table))]
    found = Counter(agreed(changed(_skeleton(EXAMPLES[name]), rng, parts)) for _ in range(60))
    assert min(found[True], found[False]) >= 5


def test_problems_of_the_corpus() -> None:
    found: Counter[bool] = Counter()
    for path in sorted(CORPUS.rglob("*.json")):
        case = json.loads(path.read_text("utf-8"), parse_float=str)
        if isinstance(case.get("problem"), dict):
            found[agreed(case["problem"])] += 1
    assert found[True] > 300
    assert found[False] > 20


class _Text(str):
    """No plain text."""


@pytest.mark.parametrize("value", [0.5, 1.0, Fraction(1), (1, 2), _Text("1"), {"x": 1.0}, [b""]])
def test_what_is_no_plain_data_is_left_to_a_validator(value: Any) -> None:
    assert not fits({}, value, {})
    assert fits({}, [0, "0", None, True, {"0": []}], {})
