"""The published JSON Schema of problem files, and what is said of a table that it refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.words import meant, unknown_key

_SAMPLE = 3  # entries of a mass table or mixture that the schema looks at; the prior reads all


def problem_schema() -> dict[str, Any]:
    """Return the published JSON Schema of problem files."""
    text = files("pfverify.model").joinpath("problem.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(problem_schema())


def check_shape(table: Mapping[str, Any]) -> None:
    """Raise InputError of one line, naming the key, unless the schema accepts a table."""
    from jsonschema.exceptions import best_match

    if not isinstance(table, Mapping):
        raise InputError(f"expected a table of keys, got {type(table).__name__}")
    try:
        skeleton = _skeleton(table)
    except RecursionError:
        raise InputError("the table is nested too deeply") from None
    errors = list(_validator().iter_errors(skeleton))
    error = best_match(errors)
    if error is None:
        return
    if error.validator == "required":  # a key under another name is better told by that name
        place = error.absolute_path
        unknown = (e for e in errors if e.validator == "additionalProperties")
        error = next((e for e in unknown if e.absolute_path == place), error)
    raise InputError(_shape_message(error))


def _skeleton(value: Any, key: str = "") -> Any:
    """Cut large tables and mixtures to a sample: the schema sees shapes, the prior every entry."""
    if isinstance(value, Mapping):
        items = list(value.items())
        if key in ("mass", "counts"):
            items = items[:_SAMPLE]
        return {name: _skeleton(part, name) for name, part in items}
    if isinstance(value, list | tuple):
        return [_skeleton(part) for part in (value[:_SAMPLE] if key == "components" else value)]
    return value


def _shape_message(error: Any) -> str:
    """Turn a schema error into one line: key, what was found, what was expected."""
    where = ".".join(shorten(part, 30) for part in error.absolute_path) or "top level"
    found = error.instance
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        extra = next(key for key in found if key not in known)
        return f"{where}: {unknown_key(extra, known)}"
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in found]
        return f"{where}: missing key {missing[0]!r}"
    if error.validator == "oneOf":
        names = [option["required"][0] for option in error.validator_value]
        got = "both" if all(name in found for name in names) else "neither"
        return f"{where}: expected exactly one of {' and '.join(names)}, got {got}"
    if error.validator in ("enum", "const"):
        value = error.validator_value
        options = ", ".join(map(str, value)) if error.validator == "enum" else repr(value)
        near = meant(str(found), value) if isinstance(value, list) else None
        hint = f"; did you mean {near!r}?" if near else ""
        return f"{where}: {shorten(found, 40)!r} is unknown, expected {options}{hint}"
    if error.validator == "type":
        kinds = error.validator_value
        expected = "a number or text" if isinstance(kinds, list) else f"a {kinds}"
        expected = {"a object": "a table", "a array": "a list"}.get(expected, expected)
        hint = ""
        if isinstance(found, dict) and {"counts", "mass"} & set(error.absolute_path):
            hint = '; put an atom with a point in quotes, such as "0.5"'
        return f"{where}: expected {expected}, got {_kind(found)}{hint}"
    if error.validator == "not":
        return f"{where}: expected at most one of {' and '.join(error.validator_value['required'])}"
    if error.validator in ("minProperties", "minItems") and not found:
        what = "the support is empty" if where.endswith(("mass", "counts")) else "it is empty"
        return f"{where}: {what}, expected at least one entry"
    return f"{where}: {shorten(error.message, 120)}"


def _kind(value: Any) -> str:
    names = {dict: "a table", list: "a list", bool: "a truth value", type(None): "null"}
    return names.get(type(value), f"{shorten(value, 30)!r}")
