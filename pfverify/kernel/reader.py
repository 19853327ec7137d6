"""Strict readers of problem files and certificates; the digest of a problem.

Everything here either returns data in the shape it promises or raises Malformed.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Set
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from enclose import Arithmetic, Undecided
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
    scientific,
    shown,
)
from work import price, spend, table_of
from zero import enclose_number, require_defined, sign

MAX_BYTES = 64 << 20  # of a file
MAX_NESTING = 64  # of brackets in a file
MAX_MARGIN_EXPONENT = 40_000  # beyond it no margin is proved with the bits allowed
MAX_PAIRS = 1_000_000
MAX_COMMON_BITS = 1 << 18  # of the common denominator of one sum

NOISES = ("laplace", "discrete-laplace", "gaussian", "none")
FORMS = ("events", "pointwise")
Prior = dict[Fraction, Fraction]  # atom -> mass > 0


class Mixture(NamedTuple):
    """Normal laws (variance 0: atoms), at least one with a positive variance.  The components are
    (mean, variance, weight > 0), sorted, and no mean and variance occur twice."""

    components: tuple[tuple[Fraction, Fraction, Fraction], ...]


class Problem(NamedTuple):
    """A parsed problem; `scale` (gaussian noise: `variance`) is None where the file leaves it to
    calibration."""

    epsilon: Number
    delta: Number
    form: str
    noise: str
    scale: Number | None
    step: Fraction | None
    beliefs: dict[str, dict[str, Prior | Mixture]]
    pairs: list[tuple[str, str]]
    variance: Fraction | None


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
    """A number of a problem file: an integer, a decimal, or a string in the number grammar (whether
    it is defined is not asked here)."""
    try:
        if type(value) is int:
            return bounded(Fraction(value))
        if type(value) in (str, Decimal):
            return parse(value)
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


def margin(value: Any) -> Fraction:
    """A margin: an unsigned decimal literal that may be tiny."""
    return scientific(*require_literal(string(value, "margin"), "margin"), MAX_MARGIN_EXPONENT)


# ---------------------------------------------------------------- problems


def _sign(x: Number, what: str) -> int:
    try:
        return sign(x)
    except Undecided as reason:
        raise Malformed(f"{what}: {reason}") from None


def _component(value: Any, what: str) -> tuple[Fraction, Fraction]:
    """The mean and the variance of a normal law, given by its variance or by its sd."""
    if ("variance" in value) == ("sd" in value):
        raise Malformed(f"{what} must have either variance or sd")
    mean = rational(value["mean"], f"{what}: mean")
    spread = rational(value.get("variance", value.get("sd")), f"{what}: variance or sd")
    if spread < 0:
        raise Malformed(f"{what}: a negative variance or sd")
    return mean, spread if "variance" in value else bounded(spread * spread)


def _mixture(value: Any, what: str) -> Prior | Mixture:
    """A normal law or a mixture of them, in its one form: equal components merged, without weights
    of 0, sorted; a prior of atoms where every variance is 0."""
    entries, spread = [{**value, "weight": 1}], {"variance", "sd"}
    if value["kind"] == "gaussian":
        table(value, what, {"kind", "mean"}, spread)
    else:
        entries = array(table(value, what, {"kind", "components"})["components"], what)
    weights: dict[tuple[Fraction, Fraction], Fraction] = {}
    alike: Counter[int] = Counter()
    for i, entry in enumerate(entries):
        name = f"{what}, component {i + 1}"
        if value["kind"] == "mixture":
            table(entry, name, {"weight", "mean"}, spread)
        key, weight = _component(entry, name), rational(entry["weight"], f"{name}: weight")
        if weight < 0:
            raise Malformed(f"{name}: a negative weight")
        alike[hash(key)] += 1
        spend(16 * alike[hash(key)])  # the table compares keys of one hash
        weights[key] = bounded(weights.get(key, Fraction(0)) + weight)
    if exact_sum(list(weights.values()), what) != 1:
        raise Malformed(f"{what}: the weights do not sum to 1")
    found = sorted((*key, weight) for key, weight in weights.items() if weight > 0)
    if any(variance for _, variance, _ in found):
        return Mixture(tuple(found))
    return {mean: weight for mean, _, weight in found}


def _prior(value: Any, what: str) -> Prior | Mixture:
    kind = value.get("kind") if type(value) is dict else None
    if kind in ("gaussian", "mixture"):
        return _mixture(value, what)
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
    atoms = [(text, rational(text, f"{what}: an atom")) for text in entries]
    table_of(atom for _, atom in atoms)
    for text, atom in atoms:
        weight = entries[text]
        if atom in masses:
            raise Malformed(f"{what}: the atom {shown(canonical(atom))} occurs twice")
        masses[atom] = rational(weight, f"{what}: the weight of {shown(text)}")
        if counted and masses[atom].denominator != 1:
            raise Malformed(f"{what}: counts must be integers")
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
        spend(4 + (denominator.bit_length() >> 6))
    spend(price(denominator.bit_length()))
    parts = (m.numerator * (denominator // m.denominator) for m in values)
    return Fraction(sum(parts), denominator)


def _beliefs(value: Any) -> dict[str, dict[str, Prior | Mixture]]:
    if ("priors" in value) == ("beliefs" in value):
        raise Malformed("a problem must have either priors or beliefs")
    found = {"default": value["priors"]} if "priors" in value else value["beliefs"]
    if type(found) is not dict or not found:
        raise Malformed("beliefs must be a table of at least one belief")
    beliefs: dict[str, dict[str, Prior | Mixture]] = {}
    for name, belief in found.items():
        what = f"belief {shown(name)}"
        priors = belief if "priors" in value else table(belief, what, {"priors"})["priors"]
        if type(priors) is not dict:
            raise Malformed(f"{what}: priors must be a table")
        for text in (name, *priors):
            if not (text.strip() and text.isprintable()):
                raise Malformed(f"the name {shown(text)} is empty or not printable")
        beliefs[name] = {s: _prior(p, f"{what}, secret {shown(s)}") for s, p in priors.items()}
    return beliefs


def _pairs(value: Any, beliefs: dict[str, dict[str, Prior | Mixture]]) -> list[tuple[str, str]]:
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
        spend(8 * len(first) ** 2)
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
    optional = {"delta", "form", "pairs", "priors", "beliefs"}
    table(value, "the problem", {"schema", "epsilon", "noise"}, optional)
    if value["schema"] != "pfverify/problem/1":
        raise Malformed("the problem's schema is not supported by this kernel")
    epsilon, delta = number(value["epsilon"], "epsilon"), number(value.get("delta", 0), "delta")
    form = string(value.get("form", "events"), "form")
    if form not in FORMS:
        raise Malformed(f"the form {shown(form)} is not supported by this kernel")
    noise = table(value["noise"], "noise", {"kind"}, {"scale", "step", "variance"})
    kind = string(noise["kind"], "the noise's kind")
    if kind not in NOISES:
        raise Malformed(f"noise of kind {shown(kind)} is not supported by this kernel")
    if kind == "none" and len(noise) > 1:
        raise Malformed("noise of kind none has no scale, step or variance")
    if ("step" in noise) != (kind == "discrete-laplace"):
        raise Malformed("discrete-laplace noise needs a step, other noise has none")
    if "variance" in noise and (kind != "gaussian" or "scale" in noise):
        raise Malformed("a variance is for gaussian noise without a scale")
    variance = rational(noise["variance"], "variance") if "variance" in noise else None
    if variance is not None and variance < 0:
        raise Malformed("the variance must be at least 0")
    step = rational(noise["step"], "step") if "step" in noise else None
    scale = number(noise["scale"], "scale") if "scale" in noise else None
    if step is not None and step <= 0:
        raise Malformed("the step must be positive")
    _require_range(epsilon, delta, scale, decide=False)
    if kind == "gaussian" and scale is not None:
        _require_range(Fraction(0), Fraction(0), scale, decide=True)
        variance, scale = _rational_square(scale), None
    beliefs = _beliefs(value)
    pairs = _pairs(value, beliefs)
    if step is not None:
        for priors in beliefs.values():
            atoms = {s: list(prior) for s, prior in priors.items() if isinstance(prior, dict)}
            if len(atoms) < len(priors):
                raise Malformed("discrete-laplace noise needs priors of atoms")
            for a, b in pairs:
                first = atoms[a][0]
                if any(((x - first) / step).denominator != 1 for x in [*atoms[a], *atoms[b]]):
                    raise Malformed("atoms of a pair do not differ by multiples of the step")
    return Problem(epsilon, delta, form, kind, scale, step, beliefs, pairs, variance)


def _require_range(epsilon: Number, delta: Number, scale: Number | None, decide: bool) -> None:
    """Malformed unless epsilon >= 0, delta is in [0, 1] and the scale > 0 or written as 0; without
    `decide` only of those that are fractions, since others may need work."""
    one = Fraction(1)
    numbers: list[tuple[str, Number]] = [("epsilon", epsilon), ("delta", delta)]
    for what, x in [*numbers, *([] if scale is None else [("scale", scale)])]:
        if isinstance(x, Expression):
            if not decide:
                continue
            try:
                require_defined(x)
            except Malformed as reason:
                raise Malformed(f"{what}: {reason}") from None
        s = _sign(x, what)
        if what == "epsilon" and s < 0:
            raise Malformed("epsilon must be at least 0")
        if what == "delta" and (s < 0 or _sign(combine("-", one, x), what) < 0):
            raise Malformed("delta must lie in [0, 1]")
        if what == "scale" and (s < 0 or (s == 0 and isinstance(x, Expression))):
            raise Malformed("the scale must be positive, or written as 0")


def require_valid(problem: Problem) -> None:
    """Malformed unless every number of a parsed problem is defined and in its range."""
    _require_range(problem.epsilon, problem.delta, problem.scale, decide=True)


def require_kinds(problem: Problem) -> None:
    """Malformed unless the rules know the noise and the form of the problem, whoever made it: they
    tell the two Laplace noises by the step, and so rely on this."""
    if problem.noise not in NOISES or problem.form not in FORMS:
        kinds = f"noise {shown(problem.noise)} and form {shown(problem.form)}"
        raise Malformed(f"{kinds} are not both known to this kernel")
    if (problem.step is not None) != (problem.noise == "discrete-laplace"):
        raise Malformed("discrete-laplace noise needs a step, other noise has none")


def _rational_square(scale: Number) -> Fraction:
    """scale^2, which must be a rational: of an irrational scale it is guessed, then proved."""
    square = combine("*", scale, scale)
    if isinstance(square, Fraction):
        return square
    try:
        low, _, e = enclose_number(square, Arithmetic(512))
        if -600 < e < 600:
            guess = (low * Fraction(2) ** e).limit_denominator(10**60)
            if sign(combine("-", square, guess)) == 0:
                return guess
    except Undecided:
        pass
    raise Malformed("the square of the scale of gaussian noise must be rational: give its variance")


def parse_problem(data: bytes, is_json: bool) -> Problem:
    """The problem that the bytes of a JSON or TOML file state."""
    return problem_of(parse_json(data, decimals=True) if is_json else parse_toml(data))


def digest(problem: Problem) -> str:
    """sha256 of the problem in canonical JSON: numbers exact, secrets in file order.  A prior is a
    list of [atom, mass] or of [mean, variance, weight]; gaussian noise has its variance only."""

    def rows(prior: Prior | Mixture) -> list[list[str]]:
        listed = prior.components if isinstance(prior, Mixture) else prior.items()
        return [[str(x) for x in row] for row in listed]

    beliefs = [
        [name, [[secret, rows(prior)] for secret, prior in priors.items()]]
        for name, priors in problem.beliefs.items()
    ]
    scale, step, variance = problem.scale, problem.step, problem.variance
    gaussian = problem.noise == "gaussian"
    value = {
        "schema": "pfverify/problem/1",
        "epsilon": canonical(problem.epsilon),
        "delta": canonical(problem.delta),
        "form": problem.form,
        "noise": {
            "kind": problem.noise,
            "scale": None if scale is None else canonical(scale),
            "step": None if step is None else canonical(step),
            **({"variance": None if variance is None else canonical(variance)} if gaussian else {}),
        },
        "beliefs": beliefs,
        "pairs": [list(p) for p in problem.pairs],
    }
    return hashlib.sha256(canonical_json(value)).hexdigest()
