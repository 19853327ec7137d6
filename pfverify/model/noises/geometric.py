"""Two-sided geometric noise, as files may state it: it is read as discrete Laplace noise."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.keys import Key
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.truncated_discrete_laplace import TruncatedDiscreteLaplace
from pfverify.model.releases.release import Noise

KIND = "geometric"
KEYS = (
    Key("p", "of geometric noise, rational, between 0 and 1: k steps have a mass in proportion to "
             "(1-p)**|k|, as the difference of two geometric numbers of chance p"),
    Key("step", "and of geometric, where it is 1 unless it is stated"),
    Key("bound", "of geometric noise that is truncated"),
)  # fmt: skip


def geometric(table: Mapping[str, Any]) -> Noise:
    """Return the noise of a table of kind geometric: (truncated) discrete Laplace noise.

    Its scale is step/log(1/(1-p)); without p it is to be found. Raises InputError naming the key.
    Example: ``geometric({"kind": "geometric", "p": "1/2"}).kind`` is ``"discrete-laplace"``.
    Source: Ghosh, Roughgarden and Sundararajan 2009.
    """
    known = ["kind", *(key.name for key in KEYS)]
    for key in table:
        if key not in known:
            raise InputError(
                f"{key}: geometric noise has no such key, expected one of {', '.join(known)}"
            )
    kind = TruncatedDiscreteLaplace if "bound" in table else DiscreteLaplace
    found = kind(None, **{"step": 1, **{key: table[key] for key in table.keys() - {"kind", "p"}}})
    return found.with_scale(_scale(table["p"], found.step)) if "p" in table else found


def _scale(value: object, step: Fraction) -> str:
    p = rational(value, "p")
    if not 0 < p < 1:
        raise InputError(f"p: {shorten(p)} is not between 0 and 1")
    return f"{step}/log({1 / (1 - p)})"
