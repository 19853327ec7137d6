"""The kinds of channels: from a table to a stochastic matrix over named inputs and outputs.

A kind is a function of what its keys say, and each key has one that reads it: the value, and as it
goes into a digest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cmp_to_key
from itertools import pairwise
from itertools import product as tuples
from math import prod
from typing import Any, NamedTuple

from core.defined import number_of
from core.enclose import Arithmetic
from core.grammar import Malformed, Number, bounded, canonical, combine, shown
from core.kinds import Mass
from core.masses import (
    NOTHING,
    ONE,
    Outputs,
    Steep,
    mass_of,
    masses_of,
    minus,
    outputs_of,
    total_of,
)
from core.quotients import Shared, quotient, shares
from core.shapes import array, common_denominator, integer, number, string, table
from core.value import decided_sign, form_of
from core.work import spend
from core.zero import NIL, Form, add, times
from reader.combined import counted, counts, independent, through
from reader.distances import Point, Points, canonical_points, points_of, root
from reader.priors import require_name

MAX_ENTRIES = 4_000_000  # of a channel that is written out
MAX_BITS_OF_A_CODE = 12
LOOK_BITS = 128  # of enclosures that are kept from goal to goal
MAX_LISTED = 100  # inputs that are alike, of which all pairs are judged

Names = tuple[str, ...]
Table = dict[str, Any]


class Channel(NamedTuple):
    """The law of the named outputs for each of the named inputs."""

    inputs: Names
    outputs: Names
    laws: tuple[Outputs, ...]


Made = tuple[Names, Names, Iterable[Outputs]]  # a channel before its laws are worked out


def require_size(inputs: int, outputs: int, what: str) -> None:
    """Malformed where the matrix would be too large; charged, since all of it will be in memory."""
    if inputs * outputs > MAX_ENTRIES:
        raise Malformed(f"{what}: more than {MAX_ENTRIES} entries")
    spend(4 * inputs * outputs)


def distinct(names: Iterable[str], what: str) -> Names:
    """Names that can stand for inputs or outputs, no two alike."""
    found = tuple(names)
    for name in found:
        spend(16)
        require_name(name)
    if len(set(found)) < len(found):
        raise Malformed(f"{what}: a name occurs twice")
    require_count(found, 1, what)
    return found


def require_count(names: Names, least: int, what: str) -> None:
    """Malformed unless there are so many."""
    if len(names) < least:
        raise Malformed(f"{what}: at least {least} of them")


# ---------------------------------------------------------------- what keys say
# Each reads a key of a table: what it says, and as it goes into a digest.

def _names(value: Table, key: str, what: str) -> tuple[Names, list[str]]:
    where = f"{what}: {key}"
    names = distinct((string(x, where) for x in array(value[key], where)), where)
    return names, list(names)


def _number(value: Table, key: str, what: str) -> tuple[Number, str]:
    """A number from 0 on, or to 1."""
    most = None if key in ("epsilon", "sensitivity") else ONE
    x = number_of(value[key], f"{what}: {key}", NOTHING, most)
    return x, canonical(x)


def _chance(value: Table, key: str, what: str) -> tuple[Mass, str]:
    """A number from 0 to 1, as a mass."""
    x, text = _number(value, key, what)
    return _mass_of(x, what), text


def _mass_of(x: Number, what: str) -> Mass:
    return mass_of(x) if decided_sign(x, what) else NOTHING


def _whole(value: Table, key: str, what: str) -> tuple[int, int]:
    x = integer(value[key], f"{what}: {key}", *WHOLE[value["kind"]])
    return x, x


def _variant(value: Table, key: str, what: str) -> tuple[str, str]:
    if value[key] not in ("symmetric", "optimised"):
        raise Malformed(f"{what}: {key} must be symmetric or optimised")
    return value[key], value[key]


def _rows(value: Table, key: str, what: str) -> Iterator[tuple[str, list[Any]]]:
    """The rows of a matrix, and what each is in a message."""
    inputs, outputs, where = value["inputs"], value["outputs"], f"{what}: {key}"
    rows = [array(row, where) for row in array(value[key], where)]
    if len(rows) != len(inputs) or any(len(row) != len(outputs) for row in rows):
        raise Malformed(f"{where} must have a row for each input, an entry for each output")
    for x, row in zip(inputs, rows, strict=True):
        yield f"{what}: the row of {shown(x)}", row


def _scores(value: Table, key: str, what: str) -> tuple[list[list[Number]], list[list[str]]]:
    scores = [[number_of(u, where) for u in row] for where, row in _rows(value, key, what)]
    return scores, [[canonical(u) for u in row] for row in scores]


def _laws(value: Table, key: str, what: str) -> tuple[tuple[Outputs, ...], list[list[str]]]:
    """Rows that sum to exactly 1."""
    laws, texts = list[Outputs](), list[list[str]]()
    for where, row in _rows(value, key, what):
        law, written = _law(row, where)
        laws.append(law)
        texts.append(written)
    return tuple(laws), texts


def _weights(value: Table, key: str, what: str) -> tuple[Outputs, list[str]]:
    return _law(array(value[key], f"{what}: {key}"), f"{what}: the row of {key}")


def _law(entries: list[Any], where: str) -> tuple[Outputs, list[str]]:
    """Masses that sum to exactly 1."""
    numbers = [_entry(x, where) for x in entries]
    rational = [x if isinstance(x, Fraction) else NOTHING for x in numbers]
    others = [x for x in numbers if not isinstance(x, Fraction)]
    law = outputs_of(rational)
    rest = Fraction(sum(law.counts), law.whole) - 1
    over: Number = rest
    if others:
        over = combine("+", _sum(others), bounded(rest))
        law = outputs_of([_mass_of(x, where) for x in numbers])
    if decided_sign(over, where):
        raise Malformed(f"{where} does not sum to 1")
    return law, [canonical(x) for x in numbers]


def _entry(value: Any, where: str) -> Number:
    x = value if type(value) is Fraction else number(value, where)  # of a file, or normalised
    return x if isinstance(x, Fraction) and 0 <= x <= 1 else number_of(value, where, NOTHING, ONE)


def _sum(numbers: Sequence[Number]) -> Number:
    """The sum of at least one, as a balanced tree."""
    if len(numbers) < 2:
        return numbers[0]
    middle = len(numbers) // 2
    return combine("+", _sum(numbers[:middle]), _sum(numbers[middle:]))


def _codes(value: Table, key: str, what: str) -> tuple[dict[str, str], dict[str, str]]:
    codes = value[key]
    if type(codes) is not dict or codes.keys() != set(value["inputs"]):
        raise Malformed(f"{what}: codes must name each input once")
    for code in codes.values():
        string(code, f"{what}: a code")
    return codes, codes


def _places(value: Table, key: str, what: str) -> tuple[Points, dict[str, list[str]]]:
    points = points_of(value[key], f"{what}: {key}")
    distinct(points, f"{what}: {key}")
    return points, canonical_points(points)


def _parts(value: Table, key: str, what: str) -> tuple[list[Channel], list[Table]]:
    entries = array(value[key], f"{what}: {key}")
    if not entries:
        raise Malformed(f"{what}: at least one part")
    read = [read_channel(part, f"{what}, part {k + 1}") for k, part in enumerate(entries)]
    return [channel for channel, _ in read], [written for _, written in read]


def _kept() -> Arithmetic:
    """What keeps enclosures of the masses of one channel."""
    return Arithmetic(LOOK_BITS)


# ---------------------------------------------------------------- single mechanisms


def matrix(what: str, inputs: Names, outputs: Names, rows: tuple[Outputs, ...]) -> Made:
    """P(y|x) as written."""
    return inputs, outputs, rows


def randomized_response(what: str, inputs: Names, *, pairs: str | None, **stated: Any) -> Made:
    """P(y|x) = e^epsilon/(e^epsilon + n - 1) at y = x, 1/(e^epsilon + n - 1) elsewhere; or truth at
    y = x, (1 - truth)/(n - 1) elsewhere."""
    require_count(inputs, 2, f"{what}: inputs")
    n, (key, x) = len(inputs), _one_of(stated, "epsilon", "truth", what)
    if key == "epsilon":
        f = form_of(x)
        below = add({f: ONE}, {NIL: Fraction(n - 1)})
        same, other = quotient({f: ONE}, below), quotient({NIL: ONE}, below)
    else:
        same, other = x, total_of([(minus(ONE, x), Fraction(1, n - 1))])
    of = inputs[:2] if pairs is not None and n > MAX_LISTED else inputs
    rows = ([same if x == y else other for y in inputs] for x in of)
    return of, inputs, map(outputs_of, rows)


def _one_of(stated: Table, first: str, second: str, what: str) -> tuple[str, Any]:
    if len(stated) != 1:
        raise Malformed(f"{what} must have exactly one of {first} and {second}")
    return next(iter(stated.items()))


def rappor(
    what: str, inputs: Names, flip: Mass, *, pairs: str | None, one: Mass | None = None,
    zero: Mass | None = None, codes: dict[str, str] | None = None, reports: int = 1,
) -> Made:  # fmt: skip
    """Bits of a code, independently: a bit stays with 1 - f, becomes 1 with f/2 and 0 with f/2, for
    good; then, if so stated, a 1 is reported as 1 with `one`, a 0 with `zero`.  Of several reports
    it counts how often each bit was reported as 1."""
    require_count(inputs, 2, f"{what}: inputs")
    half = total_of([(flip, Fraction(1, 2))])
    kept = [half, minus(ONE, half)]  # that a bit 0, a bit 1 is 1 for good
    if (one is None) != (zero is None):
        raise Malformed(f"{what} must have both one and zero, or neither")
    ways = (reports + 1) ** min(len(inputs), MAX_BITS_OF_A_CODE + 1)
    if pairs == "events" and codes is None and ways > 1 << MAX_BITS_OF_A_CODE:
        inputs = inputs[:2]  # their own bits alone: the others have one law for both
    codes = codes or {x: "".join("01"[x == y] for y in inputs) for x in inputs}
    length = len(codes[inputs[0]])
    if any(len(code) != length or set(code) - {"0", "1"} for code in codes.values()):
        raise Malformed(f"{what}: codes must be bits, all of one length")
    if not 1 <= length <= MAX_BITS_OF_A_CODE:
        raise Malformed(f"{what}: a code must have 1 to {MAX_BITS_OF_A_CODE} bits")
    require_size(len(inputs), (reports + 1) ** length, what)
    told = [outputs_of([minus(ONE, m), m]) for m in kept]
    if one is not None and zero is not None:
        each = counts(2, reports, MAX_ENTRIES, what)
        later = [counted(outputs_of([minus(ONE, m), m]), reports, each) for m in (zero, one)]
        told = [through(law, later) for law in told]
    elif reports > 1:
        raise Malformed(f"{what}: reports of a permanent response need one and zero")
    ones, between = [str(n) for n in range(reports + 1)], "" if reports == 1 else ","
    outputs = tuple(between.join(bits) for bits in tuples(ones, repeat=length))
    law = cache(lambda code: independent([told[int(bit)] for bit in code]))
    return inputs, outputs, (law(codes[x]) for x in inputs)


def truncated_geometric(what: str, size: int, **stated: Any) -> Made:
    """P(y|x) = (1-t)/(1+t) t^|y-x| inside, t^|y-x|/(1+t) at both ends."""
    key, number = _one_of(stated, "epsilon", "ratio", what)
    above_0 = [number] if key == "epsilon" else [number, combine("-", ONE, number)]
    if not all(decided_sign(x, what) for x in above_0):
        raise Malformed(f"{what}: the ratio must lie between 0 and 1")
    # t = e^decay
    decay = times(form_of(number), -ONE) if key == "epsilon" else form_of(combine("log", number))
    powers = [times(decay, Fraction(k)) for k in range(size + 1)]
    below = add({NIL: ONE}, {decay: ONE})
    inside = [quotient(add({f: ONE}, {h: -ONE}), below) for f, h in pairwise(powers)]
    ends = [quotient({f: ONE}, below) for f in powers]
    rows = (
        [(ends if y in (0, size - 1) else inside)[abs(x - y)] for y in range(size)]
        for x in range(size)
    )
    names, ar = tuple(str(k) for k in range(size)), _kept()
    laws = (outputs_of(row)._replace(steep=Steep(ar, x)) for x, row in enumerate(rows))
    return names, names, laws


def exponential(
    what: str, inputs: Names, outputs: Names, epsilon: Number, scores: list[list[Number]],
    sensitivity: Number | None = None,
) -> Made:  # fmt: skip
    """P(y|x) proportional to e^(epsilon u(x, y)/(2 sensitivity)), by default the largest
    |u(x, y) - u(x', y)|."""
    if sensitivity is None:

        def compared(x: Number, y: Number) -> int:
            return decided_sign(combine("-", x, y), what)

        order = cmp_to_key(compared)
        columns = zip(*scores, strict=True)
        spans = (combine("-", max(c, key=order), min(c, key=order)) for c in columns)
        sensitivity = max(spans, key=order)
    if not decided_sign(sensitivity, what):
        raise Malformed(f"{what}: the sensitivity must be positive")
    factor = combine("/", epsilon, combine("*", Fraction(2), sensitivity))
    rows = (shares([form_of(combine("*", factor, u)) for u in row]) for row in scores)
    laws = map(outputs_of, rows)
    rational = [u for row in scores for u in row if isinstance(u, Fraction)]
    if len(rational) < len(inputs) * len(outputs):
        return inputs, outputs, laws
    unit, ar = common_denominator(rational, what), _kept()
    heights = (tuple(int(u * unit) for u in row if isinstance(u, Fraction)) for row in scores)
    return inputs, outputs, (
        law._replace(steep=Steep(ar, 0, found)) for law, found in zip(laws, heights, strict=True)
    )


def planar(what: str, points: Points, epsilon: Number, grid: Points | None = None) -> Made:
    """P(y|x) proportional to e^(-epsilon |x - y|), the Euclidean distance of places."""
    grid = grid or points
    inputs, outputs = tuple(points), tuple(grid)
    if len(points[inputs[0]]) != len(grid[outputs[0]]):
        raise Malformed(f"{what}: points and grid must have one dimension")
    places = [*points.values(), *grid.values()]
    unit = common_denominator([x for place in places for x in place], what)
    at = {place: k for k, place in enumerate(grid.values())}
    decays, shared = dict[int, Form](), Shared({}, {})
    ar, known = _kept(), dict[tuple[int, Fraction], list[int]]()

    def decay(squared: int) -> Form:
        if squared not in decays:
            away = root(bounded(Fraction(squared, unit**2)))
            decays[squared] = times(form_of(combine("*", epsilon, away)), -ONE)
        return decays[squared]

    def apart(axis: int, x: Fraction) -> list[int]:
        if (axis, x) not in known:
            known[axis, x] = [int((x - y[axis]) * unit) ** 2 for y in grid.values()]
        return known[axis, x]

    def law(point: Point) -> Outputs:
        spend(len(point) * len(outputs))
        squares = map(sum, zip(*(apart(k, x) for k, x in enumerate(point)), strict=True))
        found = outputs_of(shares([decay(squared) for squared in squares], shared))
        return found._replace(steep=Steep(ar, at[point])) if point in at else found

    return inputs, outputs, map(law, points.values())


# ---------------------------------------------------------------- channels made of channels


def _joined(lists: Sequence[Names], what: str) -> Names:
    """The tuples of names, the last changing first, as one name each."""
    size = prod(len(names) for names in lists)
    if size > MAX_ENTRIES:
        raise Malformed(f"{what}: more than {MAX_ENTRIES} entries")
    spend(16 * size)
    return distinct((",".join(names) for names in tuples(*lists)), f"{what}: joined names")


def _by_input(parts: Sequence[Channel], what: str) -> Iterator[list[Outputs]]:
    """The laws of all parts, input by input of the first."""
    if any(set(part.inputs) != set(parts[0].inputs) for part in parts):
        raise Malformed(f"{what}: the parts must have the same inputs")
    laws = [dict(zip(part.inputs, part.laws, strict=True)) for part in parts]
    return ([law[x] for law in laws] for x in parts[0].inputs)


def composition(what: str, parts: list[Channel], copies: int | None = None) -> Made:
    """All the parts see the same input, and are independent given it; so many times, if so stated,
    with how often each output came."""
    outputs = _joined([part.outputs for part in parts], what)
    inputs, laws = parts[0].inputs, map(independent, _by_input(parts, what))
    if copies is None:
        return inputs, outputs, laws
    found = counts(len(outputs), copies, MAX_ENTRIES // len(inputs), what)
    names = (",".join(f"{n} x {outputs[k]}" for k, n in each) for each in found)
    return inputs, distinct(names, what), (counted(law, copies, found) for law in laws)


def product(what: str, parts: list[Channel]) -> Made:
    """Every part sees its own input."""
    inputs = _joined([part.inputs for part in parts], what)
    outputs = _joined([part.outputs for part in parts], what)
    return inputs, outputs, map(independent, tuples(*(part.laws for part in parts)))


def cascade(what: str, parts: list[Channel]) -> Made:
    """The output of each part is the input of the next."""
    first, *rest = parts
    found: Made = first
    for part in rest:
        inputs, outputs, laws = found
        if set(part.inputs) != set(outputs):
            raise Malformed(f"{what}: the outputs of a part must be the inputs of the next")
        require_size(len(inputs), len(part.outputs), what)
        after = dict(zip(part.inputs, part.laws, strict=True))
        rows = [after[y] for y in outputs]
        found = inputs, part.outputs, [through(law, rows) for law in laws]
    return found


def mixture(what: str, parts: list[Channel], weights: Outputs) -> Made:
    """One of the parts, by chance, and not told which."""
    if len(masses_of(weights)) != len(parts):
        raise Malformed(f"{what}: a weight for each part")
    outputs = tuple(dict.fromkeys(y for part in parts for y in part.outputs))
    require_size(len(parts[0].inputs), len(outputs), what)

    def spread(law: Outputs, part: Channel) -> Outputs:
        masses = dict(zip(part.outputs, masses_of(law), strict=True))
        return outputs_of([masses.get(y, NOTHING) for y in outputs])

    rows = (
        through(weights, [spread(law, part) for law, part in zip(laws, parts, strict=True)])
        for laws in _by_input(parts, what)
    )
    return parts[0].inputs, outputs, rows


def _reported(kind: str) -> Callable[..., Made]:
    """A kind of `reports`, which is loaded for it."""

    def make(what: str, **read: Any) -> Made:
        from reader import reports

        made: Made = reports.KINDS[kind](what, **read)
        return made

    return make


# ---------------------------------------------------------------- the tables of keys and kinds

KEYS: dict[str, Callable[[Table, str, str], tuple[Any, Any]]] = {
    **dict.fromkeys(("inputs", "outputs"), _names),
    **dict.fromkeys(("epsilon", "sensitivity", "ratio"), _number),
    **dict.fromkeys(("truth", "flip", "one", "zero"), _chance),
    **dict.fromkeys(("size", "range", "copies", "reports"), _whole),
    **dict.fromkeys(("points", "grid"), _places),
    "rows": _laws, "scores": _scores, "codes": _codes, "parts": _parts, "weights": _weights,
    "variant": _variant,
}  # fmt: skip
KINDS: dict[str, tuple[Callable[..., Made], str, str]] = {  # the keys of each, those it may have
    "matrix": (matrix, "inputs outputs rows", ""),
    "randomized-response": (randomized_response, "inputs", "epsilon truth"),
    "rappor": (rappor, "inputs flip", "one zero codes reports"),
    "unary": (_reported("unary"), "inputs", "epsilon variant one zero"),
    "subset-selection": (_reported("subset-selection"), "inputs epsilon", "size"),
    "local-hashing": (_reported("local-hashing"), "inputs epsilon", "range"),
    "truncated-geometric": (truncated_geometric, "size", "epsilon ratio"),
    "exponential": (exponential, "inputs outputs epsilon scores", "sensitivity"),
    "planar": (planar, "points epsilon", "grid"),
    "composition": (composition, "parts", "copies"),
    "product": (product, "parts", ""),
    "cascade": (cascade, "parts", ""),
    "mixture": (mixture, "parts weights", ""),
}


# some permutation takes any two inputs to any two (F84, F86): of many the first two are judged
REPORTS = "unary", "subset-selection", "local-hashing"
ALIKE = "randomized-response", "rappor", *REPORTS
WHOLE = {  # from which whole number to which
    "truncated-geometric": (2, 2000), "subset-selection": (1, 1_000_000),
    "local-hashing": (2, 1_000_000_000), "composition": (1, 1_000_000), "rappor": (1, 1_000_000),
}  # fmt: skip


def read_channel(value: Any, what: str, *, pairs: str | None = None) -> tuple[Channel, Table]:
    """The written-out channel that a table of a kind states, and the table for a digest; `pairs`:
    the form in which all pairs of inputs are compared, where they are; of many that are all alike
    then the first two, which stand for all pairs."""
    kind = string(value.get("kind"), f"{what}: kind") if type(value) is dict else ""
    if kind not in KINDS:
        raise Malformed(f"{what}: a channel of kind {shown(kind)} is not known here")
    if kind == "matrix" and {"file", "digest", "normalise"} & value.keys():
        from reader.matrix_files import written_out

        value = written_out(value, what, MAX_ENTRIES)
    make, required, optional = KINDS[kind]
    table(value, what, {"kind", *required.split()}, {*optional.split()})
    stated = {
        key: KEYS[key](value, key, what) for key in f"{required} {optional}".split() if key in value
    }
    read = {key: told for key, (told, _) in stated.items()}
    inputs, outputs, laws = make(what, **read, **({"pairs": pairs} if kind in ALIKE else {}))
    require_size(len(inputs), len(outputs), what)
    written = {key: text for key, (_, text) in stated.items()}
    return Channel(inputs, outputs, tuple(laws)), {"kind": kind, **written}
