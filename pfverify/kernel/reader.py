"""Strict readers of problem files and certificates; the digest of a problem.

Everything here either returns data in the shape it promises or raises Malformed.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Set
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from enclose import Undecided
from grammar import (
    Expression,
    Malformed,
    Number,
    bounded,
    canonical,
    combine,
    literal,
    parse,
    require_literal,
    shown,
)
from zero import require_defined, sign

MAX_BYTES = 64 << 20  # of a file
MAX_NESTING = 64  # of brackets in a file
MAX_PAIRS = 1_000_000
MAX_COMMON_BITS = 1 << 18  # of the common denominator of one sum

Prior = dict[Fraction, Fraction]  # atom -> mass > 0


class Problem(NamedTuple):
    """A parsed problem; `scale` is None where the file leaves it to calibration."""

    epsilon: Number
    delta: Number
    form: str
    noise: str
    scale: Number | None
    step: Fraction | None
    beliefs: dict[str, dict[str, Prior]]
    pairs: list[tuple[str, str]]


# ---------------------------------------------------------------- bytes to data


class Decimal(str):
    """A decimal literal of a file, kept as its text."""


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


def _check_nesting(text: str) -> None:
    """Strings first (possessive: no backtracking), then brackets, in one linear scan."""
    depth = 0
    for match in re.finditer(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]', text, re.DOTALL):
        first = match[0][0]
        depth += 1 if first in "[{" else -1 if first in "]}" else 0
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
    try:
        text = data.decode("utf-8")
        if _LONG_KEY.search(text):
            raise Malformed(f"nested deeper than {MAX_NESTING}")
        return tomllib.loads(text, parse_float=lambda t: Decimal(t.replace("_", "").lstrip("+")))
    except (ValueError, RecursionError) as reason:
        raise Malformed(f"not TOML: {shown(str(reason))}") from None


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


# ---------------------------------------------------------------- shapes


def table(value: Any, what: str, required: set[str], optional: Set[str] = frozenset()) -> Any:
    """A table with exactly these keys."""
    if type(value) is not dict:
        raise Malformed(f"{what} must be a table")
    for key in value:
        if key not in required | optional:
            raise Malformed(f"{what} has the key {shown(key)}, not supported by this kernel")
    for key in sorted(required - value.keys()):
        raise Malformed(f"{what} lacks {shown(key)}")
    return value


def string(value: Any, what: str) -> str:
    """A string, and not a decimal."""
    if type(value) is not str:
        raise Malformed(f"{what} must be a string")
    return value


def array(value: Any, what: str) -> list[Any]:
    """A list."""
    if type(value) is not list:
        raise Malformed(f"{what} must be an array")
    return value


def integer(value: Any, what: str, low: int, high: int) -> int:
    """An integer (no bool) in a range."""
    if type(value) is not int or not low <= value <= high:
        raise Malformed(f"{what} must be an integer from {low} to {high}")
    return value


def number(value: Any, what: str) -> Number:
    """A number of a problem file: an integer, a decimal, or a string in the number grammar."""
    try:
        if type(value) is int:
            return bounded(Fraction(value))
        if type(value) in (str, Decimal):
            x = parse(value)
            require_defined(x)
            return x
    except Malformed as reason:
        raise Malformed(f"{what}: {reason}") from None
    raise Malformed(f"{what} must be an integer, a decimal or a string")


def rational(value: Any, what: str) -> Fraction:
    """A number without exp and log."""
    x = number(value, what)
    if isinstance(x, Expression):
        raise Malformed(f"{what} must be rational")
    return x


def canonical_rational(value: Any, what: str) -> Fraction:
    """A rational written as in the digest: one text per number."""
    x = rational(string(value, what), what)
    if canonical(x) != value:
        raise Malformed(f"{what} is not written canonically")
    return x


def decimal(value: Any, what: str) -> Fraction:
    """An unsigned decimal literal of a certificate."""
    return literal(*require_literal(string(value, what), what))


# ---------------------------------------------------------------- problems


def _sign(x: Number, what: str) -> int:
    try:
        return sign(x)
    except Undecided as reason:
        raise Malformed(f"{what}: {reason}") from None


def _prior(value: Any, what: str) -> Prior:
    kind = value.get("kind") if type(value) is dict else None
    if type(kind) is str and kind != "discrete":
        raise Malformed(f"{what}: priors of kind {shown(kind)} are not supported by this kernel")
    table(value, what, {"kind"}, {"counts", "mass"})
    string(kind, f"{what}: kind")
    if ("counts" in value) == ("mass" in value):
        raise Malformed(f"{what} must have either counts or mass")
    counted = "counts" in value
    entries = value["counts" if counted else "mass"]
    if type(entries) is not dict:
        raise Malformed(f"{what}: counts and mass must be tables")
    masses: Prior = {}
    for text, weight in entries.items():
        atom = rational(text, f"{what}: an atom")
        if atom in masses:
            raise Malformed(f"{what}: the atom {shown(canonical(atom))} occurs twice")
        if counted and type(weight) is not int:
            raise Malformed(f"{what}: counts must be integers")
        masses[atom] = rational(weight, f"{what}: the weight of {shown(text)}")
        if masses[atom] < 0:
            raise Malformed(f"{what}: a negative weight")
    total = exact_sum(list(masses.values()), what)
    if counted and total > 0:
        masses = {a: bounded(m / total) for a, m in masses.items()}
    elif total != 1:
        size = total.denominator.bit_length() + total.numerator.bit_length()
        amount = shown(canonical(total)) if size < 10_000 else "a long fraction"
        raise Malformed(f"{what}: the weights sum to {amount}")
    return {a: m for a, m in sorted(masses.items()) if m > 0}


def exact_sum(values: list[Fraction], what: str) -> Fraction:
    """The exact sum, as integers over one common denominator of bounded size."""
    denominator = 1
    for m in values:
        denominator = lcm(denominator, m.denominator)
        if denominator.bit_length() > MAX_COMMON_BITS:
            raise Malformed(f"{what}: a common denominator that is too long")
    parts = (m.numerator * (denominator // m.denominator) for m in values)
    return Fraction(sum(parts), denominator)


def _beliefs(value: Any) -> dict[str, dict[str, Prior]]:
    if ("priors" in value) == ("beliefs" in value):
        raise Malformed("a problem must have either priors or beliefs")
    found = {"default": value["priors"]} if "priors" in value else value["beliefs"]
    if type(found) is not dict or not found:
        raise Malformed("beliefs must be a table of at least one belief")
    beliefs: dict[str, dict[str, Prior]] = {}
    for name, belief in found.items():
        what = f"belief {shown(name)}"
        priors = belief if "priors" in value else table(belief, what, {"priors"})["priors"]
        if type(priors) is not dict:
            raise Malformed(f"{what}: priors must be a table")
        beliefs[name] = {s: _prior(p, f"{what}, secret {shown(s)}") for s, p in priors.items()}
    return beliefs


def _pairs(value: Any, beliefs: dict[str, dict[str, Prior]]) -> list[tuple[str, str]]:
    first = list(next(iter(beliefs.values())))
    if "pairs" in value:
        named: list[tuple[str, str]] = []
        for entry in array(value["pairs"], "pairs"):
            names = [string(s, "a secret of a pair") for s in array(entry, "a pair")]
            if len(names) != 2 or names[0] == names[1]:
                raise Malformed("a pair must name two different secrets")
            named.append((names[0], names[1]))
    else:
        if len(first) ** 2 > 2 * MAX_PAIRS:
            raise Malformed("too many pairs")
        if any(priors.keys() != set(first) for priors in beliefs.values()):
            raise Malformed("without pairs, every belief must have the same secrets")
        named = [(a, b) for i, a in enumerate(first) for b in first[i + 1 :]]
    pairs: dict[tuple[str, str], None] = {}
    for a, b in named:
        if (b, a) not in pairs:
            pairs[a, b] = None
    if not pairs or len(pairs) > MAX_PAIRS:
        raise Malformed("no pairs: nothing to decide" if not pairs else "too many pairs")
    for belief, priors in beliefs.items():
        for s in {s for pair in pairs for s in pair} - priors.keys():
            raise Malformed(f"belief {shown(belief)} has no secret {shown(s)}")
    return list(pairs)


def problem_of(value: Any) -> Problem:
    """The problem that a parsed file states."""
    if type(value) is dict and ("channel" in value or "system" in value):
        raise Malformed("channels and systems are not supported by this kernel")
    optional = {"schema", "delta", "form", "pairs", "priors", "beliefs"}
    table(value, "the problem", {"epsilon", "noise"}, optional)
    if value.get("schema", "pfverify/problem/1") != "pfverify/problem/1":
        raise Malformed("the problem's schema is not supported by this kernel")
    epsilon, delta = number(value["epsilon"], "epsilon"), number(value.get("delta", 0), "delta")
    if _sign(epsilon, "epsilon") < 0:
        raise Malformed("epsilon must be at least 0")
    if _sign(delta, "delta") < 0 or _sign(combine("-", Fraction(1), delta), "delta") < 0:
        raise Malformed("delta must lie in [0, 1]")
    form = string(value.get("form", "events"), "form")
    if form not in ("events", "pointwise"):
        raise Malformed(f"the form {shown(form)} is not supported by this kernel")
    noise = table(value["noise"], "noise", {"kind"}, {"scale", "step"})
    kind = string(noise["kind"], "the noise's kind")
    if kind not in ("laplace", "discrete-laplace"):
        raise Malformed(f"noise of kind {shown(kind)} is not supported by this kernel")
    if ("step" in noise) != (kind == "discrete-laplace"):
        raise Malformed("discrete-laplace noise needs a step, laplace noise has none")
    step = rational(noise["step"], "step") if "step" in noise else None
    scale = number(noise["scale"], "scale") if "scale" in noise else None
    if (step is not None and step <= 0) or (scale is not None and _sign(scale, "scale") <= 0):
        raise Malformed("scale and step must be positive")
    beliefs = _beliefs(value)
    pairs = _pairs(value, beliefs)
    if step is not None:
        for priors in beliefs.values():
            for a, b in pairs:
                first = next(iter(priors[a]))
                if any(((x - first) / step).denominator != 1 for x in [*priors[a], *priors[b]]):
                    raise Malformed("atoms of a pair do not differ by multiples of the step")
    return Problem(epsilon, delta, form, kind, scale, step, beliefs, pairs)


def parse_problem(data: bytes, is_json: bool) -> Problem:
    """The problem that the bytes of a JSON or TOML file state."""
    return problem_of(parse_json(data, decimals=True) if is_json else parse_toml(data))


def digest(problem: Problem) -> str:
    """sha256 of the problem in canonical JSON: numbers exact, secrets in file order."""
    beliefs = [
        [name, [[s, [[str(a), str(m)] for a, m in prior.items()]] for s, prior in priors.items()]]
        for name, priors in problem.beliefs.items()
    ]
    scale, step = problem.scale, problem.step
    value = {
        "schema": "pfverify/problem/1",
        "epsilon": canonical(problem.epsilon),
        "delta": canonical(problem.delta),
        "form": problem.form,
        "noise": {
            "kind": problem.noise,
            "scale": None if scale is None else canonical(scale),
            "step": None if step is None else canonical(step),
        },
        "beliefs": beliefs,
        "pairs": [list(p) for p in problem.pairs],
    }
    return hashlib.sha256(canonical_json(value)).hexdigest()
