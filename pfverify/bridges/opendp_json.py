"""What OpenDP serializes: a tree of constructors with their options, and the numbers in it.

Input is data: no constructor is called, and each option that is not known is refused. Floats are
the binary numbers that OpenDP computes with, not the decimals that print as them.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from pfverify.bridges.steps import above_zero, exact
from pfverify.errors import InputError, shorten

_FUNCTION, _MODULE, _OPTIONS, _VERSION = "__function__", "__module__", "__kwargs__", "__version__"
_KEYS = {_FUNCTION, _MODULE, _OPTIONS, _VERSION}
_PAIR = "__tuple__"
_LONGEST = 10**7  # characters
_Read = TypeVar("_Read")
_INTEGER = re.compile(r"([iu])(8|16|32|64|128|size)", re.ASCII)
FLOATS: Mapping[str, tuple[int, int]] = {"f32": (24, -149), "f64": (53, -1074)}
"""Types of floats: bits of their digits, and the power of 2 that is the least distance of two."""


@dataclass(frozen=True)
class Built:
    """A constructor with its options, and the version of OpenDP that wrote it."""

    name: str
    module: str
    options: Mapping[str, Any]
    version: str

    def taken(self, needed: str, optional: str = "") -> Mapping[str, Any]:
        """Return the options, those that may be missing as None; InputError for others."""
        for key in self.options:
            if key not in f"{needed} {optional}".split():
                raise InputError(f"{self.name}: the option {shorten(key)!r} is not known")
        for key in needed.split():
            if key not in self.options:
                raise InputError(f"{self.name}: the option {key!r} is missing")
        return {**dict.fromkeys(optional.split()), **self.options}

    def refused(self, what: str, known: Mapping[str, Any]) -> NoReturn:
        """Raise InputError: this is no such constructor that is known."""
        why = _WHY.get(self.name, f"expected {', '.join(known)}")
        raise InputError(f"{shorten(self.name)}: this {what} is not known: {why}")


_WHY = {
    "make_noisy_max": "known where it is not part of another one",
    "make_noisy_top_k": "no single pair of inputs is its hardest one",
    "make_report_noisy_max_gumbel": "known where it is not part of another one",
    "make_user_measurement": "what its function does is not in what it serializes to",
    "make_user_transformation": "what its function does is not in what it serializes to",
    "make_chain_pm": "what its function does is not in what it serializes to",
    "make_adaptive_composition": "what is asked later is not in what it serializes to",
    "make_sequential_composition": "what is asked later is not in what it serializes to",
    "make_fully_adaptive_composition": "what is asked later is not in what it serializes to",
    "make_private_lazyframe": "plans of dataframes are not read",
    "make_private_expr": "plans of dataframes are not read",
}


def tree_of(text: str) -> Any:
    """Return what a text in JSON states; InputError where it is none, or has no finite numbers."""
    if len(text) > _LONGEST:
        raise InputError(f"measurement: a text of {len(text)} characters, expected {_LONGEST}")
    try:
        return json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InputError(f"measurement: no JSON of OpenDP: {shorten(error)}") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no finite number")


def built(value: object, what: str) -> Built:
    """Return a constructor of the tree; InputError for anything else."""
    if not isinstance(value, Mapping) or not _KEYS >= {*value} >= _KEYS - {_VERSION}:
        raise InputError(f"{what}: {shorten(value)} is no constructor of OpenDP")
    name, module, version = value[_FUNCTION], value[_MODULE], value.get(_VERSION, "")
    options = value[_OPTIONS]
    if not all(isinstance(text, str) for text in (name, module, version)):
        raise InputError(f"{what}: {shorten(value)} is no constructor of OpenDP")
    if not isinstance(options, Mapping):
        raise InputError(f"{shorten(name)}: its options are no table")
    return Built(name, module, options, version)


def read_as(
    value: object, what: str, readers: Mapping[tuple[str, str], Callable[[Built], _Read]]
) -> _Read:
    """Return what the reader of a constructor makes of it; InputError for one without a reader."""
    found = built(value, what)
    read = readers.get((found.module, found.name))
    if read is None:
        found.refused(what, {name: None for _, name in readers})
    return read(found)


def pair_of(value: object, what: str) -> tuple[Any, Any]:
    """Return the two entries of a tuple; InputError for anything else."""
    found = value.get(_PAIR) if isinstance(value, Mapping) and len(value) == 1 else None
    if not isinstance(found, list) or len(found) != 2:
        raise InputError(f"{what}: {shorten(value)} is no pair")
    return found[0], found[1]


def binary(value: object, what: str) -> Fraction:
    """Return the number that a float is, not the decimal that prints as it; InputError for others.

    Example: ``binary(0.1, "scale") == Fraction(1, 10)`` is ``False``.
    """
    found = exact(value, what)
    return Fraction(value) if isinstance(value, float) else found


def typed(value: object, kind: str, what: str) -> Fraction:
    """Return a number as OpenDP holds it in one of its types; InputError where it cannot."""
    found = binary(value, what)
    if kind not in FLOATS:
        low, high = ends(kind)
        if found.denominator != 1 or not low <= found <= high:
            raise InputError(f"{what}: {shorten(value)} is no {kind}")
        return found
    try:
        packed = struct.pack("<f" if kind == "f32" else "<d", float(found))
    except OverflowError:
        raise InputError(f"{what}: {shorten(value)} is no {kind}") from None
    return Fraction(struct.unpack("<f" if kind == "f32" else "<d", packed)[0])


def scale_of(options: Mapping[str, Any]) -> Fraction:
    """Return the scale among some options, a float64 > 0; InputError for others."""
    scale = options["scale"]
    if isinstance(scale, int | float):
        return above_zero(typed(scale, "f64", "scale"), "scale")
    raise InputError(f"scale: {shorten(scale)} is no number")


def ends(kind: str) -> tuple[int, int]:
    """Return the least and the largest integer of a type; InputError for others.

    Example: ``ends("u8")`` is ``(0, 255)``.
    """
    found = _INTEGER.fullmatch(kind)
    if found is None:
        raise InputError(f"T: {shorten(kind)} is no type of numbers that is known")
    bits = 64 if found[2] == "size" else int(found[2])
    return (0, 2**bits - 1) if found[1] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def kind_of(value: object) -> str:
    """Return the name of a type of numbers; InputError for others."""
    if not isinstance(value, str):
        raise InputError(f"T: {shorten(value)} is no type of numbers that is known")
    if value not in FLOATS:
        ends(value)
    return value
