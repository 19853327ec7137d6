"""Two records of answers: what differs, which ends of enclosures moved, which certificates did.

An end may move: the new enclosure must overlap the old one, and be no wider than two units in its
12th significant digit, or than it was. Anything else that is not equal is a difference.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

Answer = dict[str, Any]
WRITTEN = "certificate"  # the key of the certificate's own bytes
DIFFERS, MOVED, REWRITTEN = "differs", "moved", "certificate"
DIGITS = 12
UNITS = 2
_MOST = 160  # characters of a value that is shown


class Found(NamedTuple):
    """One thing that is not as it was."""

    kind: str
    text: str


class Comparison(NamedTuple):
    """What two records say: `differ` where more than ends and certificates changed."""

    differ: bool
    lines: list[str]


def compared(
    before: dict[str, Answer], after: dict[str, Answer], *, some: bool = False
) -> Comparison:
    """Compare two records, name -> answer. `some`: the second one may leave problems out."""
    lines, ends, problems = [], Counter[str](), Counter[str]()
    for name in {**before, **after}:
        if name in before and name in after:
            found = list(changes(before[name], after[name]))
        elif some and name in before:
            continue
        else:
            which = "second" if name in before else "first"
            found = [Found(DIFFERS, f"is not in the {which} record")]
        lines += [f"{one.kind}: {name} {one.text}" for one in found]
        ends.update(one.kind for one in found)
        problems.update({one.kind for one in found})
    lines.append(
        f"{len(before.keys() & after.keys())} of {len(before)} problems compared: "
        f"{problems[DIFFERS]} differ; {ends[MOVED]} ends of enclosures moved in "
        f"{problems[MOVED]} problems; {problems[REWRITTEN]} certificates have other bytes"
    )
    return Comparison(ends[DIFFERS] > 0, lines)


def changes(before: Answer, after: Answer) -> Iterator[Found]:
    """What changed in the answers to one problem."""
    for key in {**before, **after}:
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if key == WRITTEN and old is not None and new is not None:
            yield Found(REWRITTEN, "has other bytes")
        elif isinstance(old, list | tuple) and isinstance(new, list | tuple):
            for what, one, two in zip(("exit code", "output", "error"), old, new, strict=True):
                yield from _values(*map(_data, (one, two)), f"{key}: {what}")
        else:
            yield _differs(key, old, new)


def _data(text: object) -> Any:
    """JSON as data; what is none stays as it is."""
    try:
        return json.loads(text) if isinstance(text, str) else text
    except ValueError:
        return text


def _values(old: Any, new: Any, place: str) -> Iterator[Found]:
    if isinstance(old, dict) and isinstance(new, dict):
        ends = [_ends(old), _ends(new)]
        if None not in ends and ends[0] != ends[1]:
            yield from _moved(old, new, place)
            old, new = ({k: v for k, v in part.items() if k not in ("lower", "upper")}
                        for part in (old, new))  # fmt: skip
        for key in {**old, **new}:
            if key in old and key in new:
                yield from _values(old[key], new[key], f"{place}.{key}")
            else:
                yield Found(DIFFERS, f"{place}.{key}: {'went' if key in old else 'came'}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for k, both in enumerate(zip(old, new, strict=True)):
            yield from _values(*both, f"{place}[{k}]")
    elif type(old) is not type(new) or old != new:
        yield _differs(place, old, new)


def _differs(place: str, old: object, new: object) -> Found:
    shown = [text if len(text) <= _MOST else f"{text[:_MOST]}..." for text in map(repr, (old, new))]
    return Found(DIFFERS, f"{place}: {shown[0]} -> {shown[1]}")


End = Fraction | float


def _ends(data: dict[str, Any]) -> tuple[End, End] | None:
    """The ends of an enclosure, None where the table is none: whole numbers are no ends."""
    texts = data.get("lower"), data.get("upper")
    try:
        low, high = (_end(text) for text in texts)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return low, high


def _end(text: object) -> End:
    if not isinstance(text, str):
        raise TypeError
    return float(text) if text in ("inf", "-inf") else Fraction(text)


def _moved(old: dict[str, Any], new: dict[str, Any], place: str) -> Iterator[Found]:
    """The ends that moved, or what is wrong with the new enclosure."""
    was, now = _ends(old), _ends(new)
    assert was is not None
    assert now is not None
    shown = " -> ".join(f"[{part['lower']}, {part['upper']}]" for part in (old, new))
    if max(was[0], now[0]) > min(was[1], now[1]):
        yield Found(DIFFERS, f"{place}: {shown} do not overlap")
    elif _wide(*now) and _width(*now) > _width(*was):
        yield Found(DIFFERS, f"{place}: {shown} is wider than {UNITS} units of digit {DIGITS}")
    else:
        for side, one, two in (("lower", was[0], now[0]), ("upper", was[1], now[1])):
            if one != two:
                yield Found(MOVED, f"{place}.{side}: {old[side]} -> {new[side]}")


def _width(low: End, high: End) -> End:
    return Fraction(0) if low == high else high - low


def _wide(low: End, high: End) -> bool:
    """Whether an enclosure is wider than design section 6 says."""
    if isinstance(low, float) or isinstance(high, float):
        return low != high
    return low > high or high - low > UNITS * _unit(max(abs(low), abs(high)))


def _unit(value: Fraction) -> Fraction:
    """One unit in the last digit that is shown of a number; 0 of 0."""
    if value == 0:
        return value
    power = (value.numerator.bit_length() - value.denominator.bit_length()) * 3 // 10
    while Fraction(10) ** power > value:
        power -= 1
    while Fraction(10) ** (power + 1) <= value:
        power += 1
    return Fraction(10) ** (power - DIGITS + 1)
