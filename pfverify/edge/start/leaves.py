"""What a way through the questions makes: the table of a problem file, for the hardest case.

A count, a sum, a mean or a table of counts is stated of one person, with nothing known of the
others (`rest = "any"`): what is certified so holds whoever else is there, and whatever one person
adds between the bounds, since the noise hides two values the worse the farther apart they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from pfverify.edge.start.read import bounds, names, rate, steps, target
from pfverify.exact.decimals import decimal_text
from pfverify.exact.number import number as exact
from pfverify.model.schema import SCHEMA

Table = dict[str, Any]
Maker = Callable[[Mapping[str, str]], Table]

MARK = "WRITE HERE"
"""What stands in a file where its user has to write; no number, so that nothing reads past it."""
CASES = 6
"""How many cells are compared pair by pair; any two are alike, as all have the same noise."""
_WIDE = 100  # steps of a lattice beyond which many releases with a delta would take minutes
_LATTICE = ("discrete-laplace", "discrete-gaussian")
_POINTS = {"presence": "values-absent", "value": "values"}


def made(make: str, given: Mapping[str, str]) -> Table:
    """Return the table of the problem file of these answers, without a scale.

    Example: ``made("answer", {"answers": "a,b", "times": "1", "epsilon": "1"})["delta"]`` is 0.
    """
    return {"schema": SCHEMA, **LEAVES[make](given)}


def _target(given: Mapping[str, str]) -> Table:
    epsilon, delta = target(given["epsilon"])
    return {"epsilon": _written(epsilon), "delta": _written(delta)}


def _number(given: Mapping[str, str]) -> Table:
    """A count, a sum or a mean: somebody who adds the least, the most, or nothing."""
    low, high = _bounds(given)
    least, most = ("not counted", "counted") if given["publish"] == "count" else (
        "least", "most"
    )  # fmt: skip
    user: Table = {least: {"point": _value(low)}, most: {"point": _value(high)}}
    if given["publish"] == "count" and given["secret"] == "presence":
        del user[least]  # who is there is counted
    if given["secret"] != "value":
        user["absent"] = "absent"
    others = int(given.get("people", "1")) - 1
    system = {
        "release": "mean" if given["publish"] == "mean" else "sum",
        "rest": "any",
        "others": [{"point": 0, "count": others}] if others else [],
    }
    if given["secret"] in _POINTS:
        system["pair_set"] = _POINTS[given["secret"]]
    asked = _target(given)
    if given["noise"] == "discrete-laplace" and int(given["times"]) > 1:
        asked["delta"] = asked["delta"] if (high - low) / lattice(given) <= _WIDE else 0
    return {
        **asked, **_post(given, None), "noise": _noise(given),
        "system": {**system, "user": user},
    }  # fmt: skip


def _table(given: Mapping[str, str]) -> Table:
    """A table of counts: somebody who is in one of the cells, or in none."""
    cells = names(given["cells"])
    user: Table = {cell: {"point": cell} for cell in cells[:CASES]}
    if given["secret"] != "value":
        absent = "absent"
        while absent in cells:
            absent += "*"
        user[absent] = "absent"
    system: Table = {
        "release": "histogram", "categories": cells, "rest": "any", "others": [],
    }  # fmt: skip
    if given["secret"] in _POINTS:
        system["pair_set"] = _POINTS[given["secret"]]
    return {
        **_target(given), **_post(given, cells), "noise": _noise(given),
        "system": {**system, "user": user},
    }  # fmt: skip


def _answer(given: Mapping[str, str]) -> Table:
    """Randomized response: every answer has its share of epsilon, and the losses add up."""
    inputs, times = names(given["answers"]), int(given["times"])
    epsilon, _ = target(given["epsilon"])
    share = epsilon if times == 1 else f"({epsilon})/{times}"
    channel = {"kind": "randomized-response", "inputs": inputs, "epsilon": _written(share)}
    if times == 1:
        return {**_target(given), "channel": channel}
    priors = {name: {"kind": "finite", "mass": {name: 1}} for name in inputs}
    return {**_target(given), "parts": [{"times": times, "channel": channel, "priors": priors}]}


def _training(given: Mapping[str, str]) -> Table:
    """Noisy gradients: a record that moves the sum of each step that it is drawn into by 1."""
    chance = rate(given["rate"])
    mass = {"0": _written(decimal_text(1 - chance)), "1": _written(decimal_text(chance))}
    drawn = {"draws": "fresh"} if int(given["times"]) > 1 and chance < 1 else {}
    return {
        **_target(given),
        "noise": {**_noise(given), **drawn},
        "priors": {
            "with": {"kind": "discrete", "mass": {x: m for x, m in mass.items() if m != 0}},
            "without": {"kind": "discrete", "mass": {"0": 1}},
        },
    }


def _suppressed(given: Mapping[str, str]) -> Table:
    """A row that one person alone is in: it is there, or there is none."""
    return {
        **_target(given),
        "post": [{"threshold": {"at": int(given["rows"]), "keep": "at-least"}}],
        "noise": _noise(given),
        "priors": {
            "here": {"kind": "discrete", "mass": {given["rows"]: 1}},
            "absent": {"kind": "nothing"},
        },
    }


def _property(given: Mapping[str, str]) -> Table:
    """Two priors that are still to be written."""
    law: Table = {"kind": "discrete", "mass": {MARK: MARK}}
    if given["publish"] == "histogram":
        cells = names(given["cells"])
        law = {"kind": "joint", "names": cells, "rows": [[MARK] * (len(cells) + 1)]}
    return {
        **_target(given), "noise": _noise(given),
        "priors": {"one secret": law, "another secret": law},
    }  # fmt: skip


def _bounds(given: Mapping[str, str]) -> tuple[Fraction, Fraction]:
    """The least and the most that one person may add."""
    if given["publish"] == "count":
        return Fraction(0), Fraction(given["rows"])
    return bounds(given["bounds"])


def lattice(given: Mapping[str, str]) -> Fraction:
    """Return the step of noise on a lattice, of which all that people add is a multiple.

    Example: ``lattice({"publish": "histogram"})`` is ``Fraction(1, 1)``.
    """
    if given["publish"] != "sum":
        return Fraction(1)
    return Fraction(1, lcm(*(bound.denominator for bound in _bounds(given))))


def _noise(given: Mapping[str, str]) -> Table:
    found: Table = {"kind": given["noise"]}
    if given["noise"] in _LATTICE:
        found["step"] = _value(lattice(given))
    if int(given["times"]) > 1:
        found["releases"] = int(given["times"])
    return found


def _post(given: Mapping[str, str], cells: list[str] | None) -> Table:
    """The steps after the noise: of each cell, where there are several."""
    made = [
        _STEPS[word](numbers) for word, numbers in steps(given.get("after", "nothing"))
        if word != "nothing"
    ]  # fmt: skip
    if not made:
        return {}
    if cells is None:
        return {"post": made}
    return {"post": [{"coordinate": cell, **step} for cell in cells for step in made]}


def _written(text: str) -> int | str:
    """A number as people write it: whole, or as text."""
    value = exact(text).fraction
    return text if value is None else _value(value)


def _value(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else decimal_text(value)


_STEPS: dict[str, Callable[[list[Fraction]], Table]] = {
    "round": lambda numbers: {"round": {"to": _value(numbers[0])}},
    "clamp": lambda numbers: {"clamp": [_value(one) for one in numbers]},
    "threshold": lambda numbers: {"threshold": {"at": _value(numbers[0]), "keep": "at-least"}},
}
LEAVES: dict[str, Maker] = {
    "number": _number,
    "table": _table,
    "answer": _answer,
    "training": _training,
    "suppressed": _suppressed,
    "property": _property,
}
"""Where a way through the questions ends -> what makes its table."""
