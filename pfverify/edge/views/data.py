"""Results as plain JSON data, with the published keys."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from pfverify.answers.outcome import Witness
from pfverify.exact.decimals import decimal_text
from pfverify.exact.published import Exact, Infinite, Irrational

_KEYS = {"from_": "from"}


def as_data(value: Any) -> Any:
    """Return a result as dicts, lists and text; exact numbers become text.

    Example: ``as_data(Enclosure("0.1", "0.2"))`` is ``{"lower": "0.1", "upper": "0.2"}``.
    """
    if isinstance(value, Witness):  # a witness has an output or an event, never both
        known = {name: part for name, part in vars(value).items() if part is not None}
        return {_KEYS.get(name, name): as_data(part) for name, part in known.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {
            _KEYS.get(f.name, f.name): as_data(getattr(value, f.name))
            for f in fields(value)
            if f.metadata.get("json", True)
            and not (f.metadata.get("optional") and getattr(value, f.name) is None)
        }
    if isinstance(value, dict):
        return {key: as_data(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [as_data(part) for part in value]
    if isinstance(value, str | Exact | Infinite | Irrational):
        return str(value)
    return decimal_text(value) if isinstance(value, Fraction) else value
