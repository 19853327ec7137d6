"""The published JSON Schema of problem files, and what is said of a table that it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.channels.kinds import channel_schema
from pfverify.model.fitting import fits
from pfverify.model.keys import NUMBER, table_of_kinds
from pfverify.model.kinds import PRIORS
from pfverify.model.notion import form_schema
from pfverify.model.parts import check_parts, part_keys, part_schema, parts_schema
from pfverify.model.protection import KINDS as PROTECTIONS
from pfverify.model.protection import TWO_NAMES, own_schema, protection_schema
from pfverify.model.provenance import provenance_schema
from pfverify.model.releases.composition import PARTS
from pfverify.model.releases.kinds import RELEASES
from pfverify.model.sources.kinds import SOURCES
from pfverify.model.steps.kinds import steps_schema
from pfverify.model.systems.laws import ABSENT
from pfverify.model.words import OF_EACH_RECORD, meant, unknown_key

SCHEMA = "pfverify/problem/1"
_SAMPLE = 3  # entries of a large table or list that the schema looks at; its reader reads all
_LARGE_TABLES = {"mass", "counts", "points", "grid", "codes"}
_LARGE_LISTS = {
    "components", "rows", "counts", "scales", "scores", "inputs", "outputs", "inputs_related",
    "alphabet", "laws", "constraints", "lines",
}  # fmt: skip


def problem_schema() -> dict[str, Any]:
    """Return the published JSON Schema of problem files, as the kinds of noise and priors make it.

    `problem.schema.json` is its text: ``python -m pfverify.model.schema`` prints it anew.
    Example: ``problem_schema()["properties"]["noise"]["properties"]["kind"]["enum"][0]`` is
    ``"laplace"``.
    """
    definitions: dict[str, Any] = {
        "number": {
            "type": ["integer", "string", "number"],
            "description": "an integer, a decimal, or text in the number grammar: 1/2, 1e-3, "
            "log(3), exp(1), sqrt(2), + - * / and parentheses",
        },
        "priors": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"$ref": "#/$defs/prior"},
        },
        "prior": table_of_kinds(PRIORS),
    }
    for prior in PRIORS.values():
        definitions |= prior.schema()
    for source in SOURCES.values():
        definitions |= source.definitions()
    definitions |= channel_schema()
    definitions["part"] = part_schema()
    protection = protection_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA,
        "title": "pfverify problem",
        "description": "Priors for each secret, a noise mechanism and a target (epsilon, delta). "
        "The same shape in TOML and in JSON. Numbers are read exactly.",
        "type": "object",
        "required": ["schema", "epsilon"],
        "if": {"required": [PARTS]},
        "then": {"not": {"anyOf": [{"required": [key]} for key in part_keys()]}},
        "else": {
            "oneOf": [{"required": [key]} for key in RELEASES],
            "if": {"not": {"required": ["channel"]}},
            "then": {"oneOf": [{"required": [key]} for key in SOURCES]},
        },
        "additionalProperties": False,
        "properties": {
            "schema": {"const": SCHEMA},
            "epsilon": NUMBER | {"description": "the privacy budget, >= 0"},
            "delta": NUMBER | {"description": "in [0, 1]; default 0"},
            **form_schema(),
            "pairs": {
                "type": "array",
                "minItems": 1,
                "items": TWO_NAMES,
                "description": "pairs of secrets, always both orders; default every pair",
            },
            **{name: release.schema() for name, release in RELEASES.items()},
            "notion": {
                "enum": list(PROTECTIONS),
                "description": "with noise: distp (the default) or xdistp. A channel has its own",
            },
            "metric": protection["metric"] | {"description": "with noise and the notion xdistp"},
            **steps_schema(),
            **own_schema(),
            **{name: source.schema for name, source in SOURCES.items()},
            PARTS: parts_schema(),
            "provenance": provenance_schema(),
        },
        "$defs": definitions,
    }


def schema_text() -> str:
    """Return the text of `problem.schema.json`."""
    import json

    return json.dumps(problem_schema(), indent=2) + "\n"


def check_shape(table: Mapping[str, Any]) -> None:
    """Raise InputError of one line, naming the key, unless the schema accepts a table."""
    if not isinstance(table, Mapping):
        raise InputError(f"expected a table of keys, got {type(table).__name__}")
    if PARTS in table:
        check_parts(table)
    try:
        skeleton = _skeleton(table)
    except RecursionError:
        raise InputError("the table is nested too deeply") from None
    schema = problem_schema()
    if fits(schema, skeleton, schema["$defs"]):
        return
    from jsonschema import Draft202012Validator  # slow to load, and wanted for what it says
    from jsonschema.exceptions import best_match

    errors = list(Draft202012Validator(schema).iter_errors(skeleton))
    error = best_match(errors)
    if error is None:
        return
    if error.validator == "required":  # a key under another name is better told by that name
        place = error.absolute_path
        unknown = (e for e in errors if e.validator == "additionalProperties")
        error = next((e for e in unknown if e.absolute_path == place), error)
    raise InputError(_shape_message(error))


def _skeleton(value: Any, key: str = "") -> Any:
    """Cut large tables and lists to a sample: the schema sees shapes, their reader every entry."""
    if isinstance(value, Mapping):
        items = islice(value.items(), _SAMPLE if key in _LARGE_TABLES else None)
        return {name: _skeleton(part, name) for name, part in items}
    if isinstance(value, list | tuple):
        if key in _LARGE_LISTS:  # and so are the rows in it
            return [_skeleton(part, key) for part in value[:_SAMPLE]]
        return [_skeleton(part) for part in value]
    return value


def _shape_message(error: Any) -> str:
    """Turn a schema error into one line: key, what was found, what was expected."""
    where = _place(error.absolute_path) or "top level"
    found = error.instance
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        extra = next(key for key in found if key not in known)
        return f"{where}: {unknown_key(extra, known)}"
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in found]
        return f"{where}: missing key {missing[0]!r}"
    if error.validator == "oneOf" and all("required" in one for one in error.validator_value):
        *first, last = names = [option["required"][0] for option in error.validator_value]
        named = [name for name in names if name in found]
        got = " and ".join(named) if len(names) > 2 else "both"
        none = "none of them" if len(names) > 2 else "neither"
        expected = f"exactly one of {', '.join(first)} and {last}"
        return f"{where}: expected {expected}, got {got if named else none}"
    if error.validator in ("enum", "const"):
        value = error.validator_value
        options = ", ".join(map(str, value)) if error.validator == "enum" else repr(value)
        if value == ABSENT:
            options = '"absent" or a law such as { point = 1 }'
        near = meant(str(found), value) if isinstance(value, list) else None
        hint = f"; did you mean {near!r}?" if near else ""
        if found == "each" and "weighted" in value:  # a release of a chain
            hint = f"; {OF_EACH_RECORD}"
        return f"{where}: {shorten(found, 40)!r} is unknown, expected {options}{hint}"
    if error.validator == "type":
        kinds = error.validator_value
        expected = "a number or text" if isinstance(kinds, list) else f"a {kinds}"
        spelled = {"a object": "a table", "a array": "a list", "a integer": "an integer"}
        expected = spelled.get(expected, expected)
        hint = ""
        if isinstance(found, dict) and {"counts", "mass"} & set(error.absolute_path):
            hint = '; put an atom with a point in quotes, such as "0.5"'
        if isinstance(found, dict) and [*error.absolute_path][-1:] == ["point"]:
            hint = "; a point is one value, and in a histogram a person is in one category"
        return f"{where}: expected {expected}, got {_kind(found)}{hint}"
    if error.validator == "not":
        return f"{where}: expected at most one of {' and '.join(error.validator_value['required'])}"
    if error.validator in ("minProperties", "minItems") and not found:
        what = "the support is empty" if where.endswith(("mass", "counts")) else "it is empty"
        return f"{where}: {what}, expected at least one entry"
    if error.validator == "maxItems":
        return f"{where}: {len(found)} of them, expected at most {error.validator_value}"
    return f"{where}: {shorten(error.message, 120)}"


def _place(path: Iterable[str | int]) -> str:
    """Return the key that a path leads to, as other messages write it: `system.others[0].count`."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{shorten(part, 30)}" for part in path)
    return "".join(parts).removeprefix(".")


def _kind(value: Any) -> str:
    names = {dict: "a table", list: "a list", bool: "a truth value", type(None): "null"}
    return names.get(type(value), f"{shorten(value, 30)!r}")


if __name__ == "__main__":
    print(schema_text(), end="")
