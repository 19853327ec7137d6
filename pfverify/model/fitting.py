"""Whether a table fits a JSON Schema: the keywords of the published one, and no others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Schema = Mapping[str, Any]
_PLAIN = (str, int, bool, type(None))
_KINDS = {
    "object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": int,
}  # fmt: skip


def fits(schema: Schema, value: Any, definitions: Mapping[str, Schema]) -> bool:
    """Say whether a value of plain dicts, lists, text, integers and truth values fits a schema.

    `definitions` are what its references name. False of every other value, such as a float: those
    are left to a validator, which also says what is wrong. Raises KeyError for a keyword that is
    not known here.
    Example: ``fits({"type": "array", "minItems": 1}, [], {})`` is ``False``.
    Source: JSON Schema, draft 2020-12.
    """
    return _is_plain(value) and _fits(schema, value, definitions)


def _is_plain(value: Any) -> bool:
    if type(value) in (dict, list):
        return all(map(_is_plain, value.values() if type(value) is dict else value))
    return type(value) in _PLAIN


def _fits(schema: Schema | bool, value: Any, definitions: Mapping[str, Schema]) -> bool:
    if isinstance(schema, bool):
        return schema
    return all(
        _RULES[keyword](asked, value, schema, definitions) for keyword, asked in schema.items()
    )


def _same(asked: Any, value: Any) -> bool:
    return type(asked) is type(value) and asked == value


def _type(asked: Any, value: Any, *_: Any) -> bool:
    return type(value) in [_KINDS[kind] for kind in ([asked] if type(asked) is str else asked)]


def _others(asked: Any, value: Any, schema: Schema, definitions: Mapping[str, Schema]) -> bool:
    known = schema.get("properties", {})
    rest = (part for key, part in value.items() if key not in known)
    return all(_fits(asked, part, definitions) for part in rest)


def _items(asked: Any, value: Any, schema: Schema, definitions: Mapping[str, Schema]) -> bool:
    rest = value[len(schema.get("prefixItems", ())) :]
    return all(_fits(asked, part, definitions) for part in rest)


def _if(asked: Any, value: Any, schema: Schema, definitions: Mapping[str, Schema]) -> bool:
    branch = "then" if _fits(asked, value, definitions) else "else"
    return _fits(schema.get(branch, True), value, definitions)


_Rule = Callable[[Any, Any, Schema, Mapping[str, Schema]], bool]


def _of(kind: type, rule: _Rule) -> _Rule:
    """A rule about values of a kind; it says nothing of others."""
    return lambda asked, value, *more: type(value) is not kind or rule(asked, value, *more)


_NOTED = ("$schema", "$id", "$defs", "title", "description", "then", "else")  # `_if` sees those two
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(_NOTED, lambda *_: True),
    "type": _type,
    "const": lambda asked, value, *_: _same(asked, value),
    "enum": lambda asked, value, *_: any(_same(one, value) for one in asked),
    "$ref": lambda asked, value, _, known: _fits(known[asked.split("/")[-1]], value, known),
    "allOf": lambda asked, value, _, known: all(_fits(one, value, known) for one in asked),
    "anyOf": lambda asked, value, _, known: any(_fits(one, value, known) for one in asked),
    "oneOf": lambda asked, value, _, known: sum(_fits(one, value, known) for one in asked) == 1,
    "not": lambda asked, value, _, known: not _fits(asked, value, known),
    "if": _if,
    "required": _of(dict, lambda asked, value, *_: all(key in value for key in asked)),
    "properties": _of(dict, lambda asked, value, _, known: all(
        _fits(one, value[key], known) for key, one in asked.items() if key in value
    )),
    "additionalProperties": _of(dict, _others),
    "dependentRequired": _of(dict, lambda asked, value, *_: all(
        set(keys) <= value.keys() for key, keys in asked.items() if key in value
    )),
    "minProperties": _of(dict, lambda asked, value, *_: len(value) >= asked),
    "maxProperties": _of(dict, lambda asked, value, *_: len(value) <= asked),
    "prefixItems": _of(list, lambda asked, value, _, known: all(
        _fits(one, part, known) for one, part in zip(asked, value, strict=False)
    )),
    "items": _of(list, _items),
    "minItems": _of(list, lambda asked, value, *_: len(value) >= asked),
    "maxItems": _of(list, lambda asked, value, *_: len(value) <= asked),
    "minimum": _of(int, lambda asked, value, *_: value >= asked),
    "pattern": _of(str, lambda asked, value, *_: re.search(asked, value) is not None),
}  # fmt: skip
