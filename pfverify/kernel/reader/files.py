"""Bytes to data: JSON and TOML.

Everything here either returns data or raises Malformed.
"""

from __future__ import annotations

import json
import re
from typing import Any

from core.grammar import Malformed, shown
from core.shapes import Decimal

MAX_BYTES = 64 << 20  # of a file
MAX_NESTING = 64  # of brackets in a file


def read_bytes(path: str) -> bytes:
    """A file's bytes, at most MAX_BYTES of them."""
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as reason:
        raise Malformed(f"cannot read {shown(path)}: {type(reason).__name__}") from None
    if len(data) > MAX_BYTES:
        raise Malformed(f"{shown(path)} is larger than {MAX_BYTES} bytes")
    return data


_TO_BRACKET = re.compile(r'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+"?)*+([\[{\]}]?)', re.DOTALL)


def _check_nesting(text: str) -> None:
    """One scan from bracket to bracket that reads every character once (possessive: no
    backtracking); strings between them are skipped whole, also one that does not end."""
    depth = 0
    for match in _TO_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "": 0}.get(match[1], -1)
        if depth > MAX_NESTING:
            raise Malformed(f"nested deeper than {MAX_NESTING}")


def _integer(text: str) -> int:
    if len(text) > 4300:
        raise Malformed("an integer of more than 4300 digits")
    return int(text)


def _no_float(text: str) -> Any:
    raise Malformed(f"the number {shown(text)} is not an integer")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise Malformed("a key occurs twice")
    return table


def parse_json(data: bytes, decimals: bool) -> Any:
    """JSON without duplicate keys, NaN and Infinity; decimals kept as text or refused."""
    try:
        text = data.decode("utf-8")
        _check_nesting(text)
        return json.loads(
            text,
            object_pairs_hook=_unique,
            parse_int=_integer,
            parse_float=Decimal if decimals else _no_float,
            parse_constant=_no_float,
        )
    except (ValueError, RecursionError) as reason:
        raise Malformed(f"not JSON: {shown(str(reason))}") from None


# a dotted key of more than 64 parts, on which tomllib takes quadratic time
_LONG_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}""", re.ASCII
)


def parse_toml(data: bytes) -> Any:
    """TOML, its decimals kept as text."""
    import tomllib

    try:
        text = data.decode("utf-8")
        if _LONG_KEY.search(text):
            raise Malformed(f"nested deeper than {MAX_NESTING}")
        return tomllib.loads(text, parse_float=lambda t: Decimal(t.replace("_", "").lstrip("+")))
    except (ValueError, RecursionError) as reason:
        raise Malformed(f"not TOML: {shown(str(reason))}") from None


def parse_file(data: bytes, is_json: bool) -> Any:
    """The value of a problem file in JSON or TOML, after at most one byte order mark (which some
    editors put before UTF-8)."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    return parse_json(data, decimals=True) if is_json else parse_toml(data)


def canonical_json(value: Any) -> bytes:
    """The one byte string of a JSON value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def parse_certificate(data: bytes) -> Any:
    """The JSON value of a certificate whose bytes are the canonical ones (a final newline may
    follow): one certificate, one byte string."""
    value = parse_json(data, decimals=False)
    if data.removesuffix(b"\n") != canonical_json(value):
        raise Malformed("the certificate is not canonical JSON")
    return value
