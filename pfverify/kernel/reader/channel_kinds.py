"""The kinds of channels: from a table to a stochastic matrix over named inputs and outputs.

Each kind is one function, which returns the channel and the table as it goes into a digest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from fractions import Fraction
from itertools import product as tuples
from math import prod
from typing import Any, NamedTuple

from core.grammar import Malformed, Number, bounded, canonical, combine, shown
from core.kinds import Mass
from core.masses import Outputs, mass_of, masses_of, minus, outputs_of, total_of
from core.quotients import quotient, shares
from core.shapes import array, integer, number, string, table
from core.value import form_of
from core.work import spend
from core.zero import NIL, Form, add, times
from reader.combined import independent, mixed
from reader.distances import canonical_points, points_of, root, square
from reader.priors import require_name
from reader.ranges import decided_sign, number_of

MAX_ENTRIES = 4_000_000  # of a channel that is written out
MAX_BITS_OF_A_CODE = 12
NOTHING, ONE = Fraction(0), Fraction(1)

Names = tuple[str, ...]
Table = dict[str, Any]


class Channel(NamedTuple):
    """The law of the named outputs for each of the named inputs."""

    inputs: Names
    outputs: Names
    laws: tuple[Outputs, ...]

    def row(self, x: str) -> list[Mass]:
        """The masses of the outputs for an input."""
        return list(masses_of(self.laws[self.inputs.index(x)]))


Read = tuple[Channel, Table]


# ---------------------------------------------------------------- parts of tables


def _mass(value: Any, what: str) -> tuple[Mass, str]:
    """A number from 0 on as a mass, and its canonical text."""
    x = number_of(value, what, NOTHING, ONE)
    return _mass_of(x, what), canonical(x)


def _mass_of(x: Number, what: str) -> Mass:
    return mass_of(x) if decided_sign(x, what) else NOTHING


def _names(value: Any, what: str, least: int = 1) -> Names:
    return distinct((string(name, what) for name in array(value, what)), what, least)


def distinct(names: Iterable[str], what: str, least: int = 1) -> Names:
    """Names that can stand for inputs or outputs, no two alike."""
    found = tuple(names)
    for name in found:
        spend(16)
        require_name(name)
    if len(set(found)) < len(found):
        raise Malformed(f"{what}: a name occurs twice")
    if len(found) < least:
        raise Malformed(f"{what}: at least {least} of them")
    return found


def _require_size(inputs: int, outputs: int, what: str) -> None:
    """Malformed where the matrix would be too large; charged, since all of it will be in memory."""
    if inputs * outputs > MAX_ENTRIES:
        raise Malformed(f"{what}: more than {MAX_ENTRIES} entries")
    spend(4 * inputs * outputs)


def _matrix(value: Any, what: str, inputs: Names, outputs: Names) -> list[list[Any]]:
    rows = [array(row, what) for row in array(value, what)]
    if len(rows) != len(inputs) or any(len(row) != len(outputs) for row in rows):
        raise Malformed(f"{what} must have a row for each input, an entry for each output")
    _require_size(len(inputs), len(outputs), what)
    return rows


def _of_rows(inputs: Names, outputs: Names, rows: Iterable[Sequence[Mass]]) -> Channel:
    return Channel(inputs, outputs, tuple(outputs_of(row) for row in rows))


def _sum(numbers: Sequence[Number]) -> Number:
    """The sum, as a balanced tree."""
    if len(numbers) < 2:
        return numbers[0] if numbers else NOTHING
    middle = len(numbers) // 2
    return combine("+", _sum(numbers[:middle]), _sum(numbers[middle:]))


# ---------------------------------------------------------------- single mechanisms


_PLAIN = re.compile(r"([0-9]{1,80})(?:/([0-9]{1,80}))?")


def _entry(value: Any, what: str) -> Number:
    """An entry of a matrix; one that is written as a fraction needs no grammar."""
    plain = _PLAIN.fullmatch(value) if type(value) is str else None
    if plain is None or plain[2] is None or not int(plain[2]):
        return number_of(value, what, NOTHING, ONE)
    return Fraction(int(plain[1]), int(plain[2]))


def matrix(value: Table, what: str) -> Read:
    """P(y|x) as written, rows that sum to exactly 1."""
    inputs = _names(value["inputs"], f"{what}: inputs")
    outputs = _names(value["outputs"], f"{what}: outputs")
    laws: list[Outputs] = []
    written: list[list[str]] = []
    for x, row in zip(inputs, _matrix(value["rows"], what, inputs, outputs), strict=True):
        where = f"{what}: the row of {shown(x)}"
        numbers = [_entry(entry, where) for entry in row]
        written.append([canonical(m) for m in numbers])
        irrational = [m for m in numbers if not isinstance(m, Fraction)]
        law = outputs_of([NOTHING if not isinstance(m, Fraction) else m for m in numbers])
        rest = Fraction(sum(law.counts), law.whole) - 1
        over = combine("+", _sum(irrational), bounded(rest)) if irrational else rest
        if decided_sign(over, where):
            raise Malformed(f"{where} does not sum to 1")
        laws.append(outputs_of([_mass_of(m, where) for m in numbers]) if irrational else law)
    table = {"inputs": list(inputs), "outputs": list(outputs), "rows": written}
    return Channel(inputs, outputs, tuple(laws)), table


def randomized_response(value: Table, what: str) -> Read:
    """P(y|x) = e^epsilon/(e^epsilon + n - 1) at y = x, 1/(e^epsilon + n - 1) elsewhere; or truth at
    y = x, (1 - truth)/(n - 1) elsewhere."""
    inputs = _names(value["inputs"], f"{what}: inputs", least=2)
    n = len(inputs)
    _require_size(n, n, what)
    written: Table = {"inputs": list(inputs)}
    key = _one_of(value, what, "epsilon", "truth")
    if key == "epsilon":
        epsilon = number_of(value[key], f"{what}: epsilon", NOTHING)
        written[key], f = canonical(epsilon), form_of(epsilon)
        below = add({f: ONE}, {NIL: Fraction(n - 1)})
        same, other = quotient({f: ONE}, below), quotient({NIL: ONE}, below)
    else:
        same, written[key] = _mass(value[key], f"{what}: truth")
        other = total_of([(minus(ONE, same), Fraction(1, n - 1))])
    rows = ([same if x == y else other for y in inputs] for x in inputs)
    return _of_rows(inputs, inputs, rows), written


def _one_of(value: Table, what: str, first: str, second: str) -> str:
    if (first in value) == (second in value):
        raise Malformed(f"{what} must have exactly one of {first} and {second}")
    return first if first in value else second


def rappor(value: Table, what: str) -> Read:
    """Bits of a code, independently: a bit stays with 1 - f, becomes 1 with f/2 and 0 with f/2;
    then, if so stated, a 1 is reported as 1 with `one`, a 0 with `zero`."""
    inputs = _names(value["inputs"], f"{what}: inputs", least=2)
    flip, text = _mass(value["flip"], f"{what}: flip")
    written: Table = {"inputs": list(inputs), "flip": text}
    half = total_of([(flip, Fraction(1, 2))])
    kept = [half, minus(ONE, half)]  # that a bit 0, a bit 1 is 1 for good
    if ("one" in value) != ("zero" in value):
        raise Malformed(f"{what} must have both one and zero, or neither")
    if "one" in value:
        one, written["one"] = _mass(value["one"], f"{what}: one")
        zero, written["zero"] = _mass(value["zero"], f"{what}: zero")
        kept = [total_of([(stays, one), (minus(ONE, stays), zero)]) for stays in kept]
    codes = value.get("codes")
    if codes is not None:
        if type(codes) is not dict or codes.keys() != set(inputs):
            raise Malformed(f"{what}: codes must name each input once")
        written["codes"] = codes
    else:
        codes = {x: "".join("01"[x == y] for y in inputs) for x in inputs}
    lengths = {len(string(code, f"{what}: a code")) for code in codes.values()}
    if len(lengths) != 1 or any(set(code) - {"0", "1"} for code in codes.values()):
        raise Malformed(f"{what}: codes must be bits, all of one length")
    (length,) = lengths
    if not 1 <= length <= MAX_BITS_OF_A_CODE:
        raise Malformed(f"{what}: a code must have 1 to {MAX_BITS_OF_A_CODE} bits")
    _require_size(len(inputs), 1 << length, what)
    outputs = tuple("".join(bits) for bits in tuples("01", repeat=length))
    reported = [outputs_of([minus(ONE, m), m]) for m in kept]
    laws = {code: independent([reported[int(bit)] for bit in code]) for code in codes.values()}
    return Channel(inputs, outputs, tuple(laws[codes[x]] for x in inputs)), written


def truncated_geometric(value: Table, what: str) -> Read:
    """P(y|x) = (1-t)/(1+t) t^|y-x| inside, t^|y-x|/(1+t) at both ends."""
    size = integer(value["size"], f"{what}: size", 2, 2000)
    _require_size(size, size, what)
    key = _one_of(value, what, "epsilon", "ratio")
    x = number_of(value[key], f"{what}: {key}", NOTHING, ONE if key == "ratio" else None)
    one = key == "ratio" and not decided_sign(combine("-", ONE, x), what)
    if one or not decided_sign(x, what):
        raise Malformed(f"{what}: the ratio must lie between 0 and 1")
    # t = e^decay
    decay = times(form_of(x), -ONE) if key == "epsilon" else form_of(combine("log", x))
    powers: list[Form] = [times(decay, Fraction(k)) for k in range(size + 1)]
    below = add({NIL: ONE}, {decay: ONE})
    inside = [
        quotient(add({powers[k]: ONE}, {powers[k + 1]: -ONE}), below) for k in range(size)
    ]
    ends = [quotient({powers[k]: ONE}, below) for k in range(size)]
    rows = (
        [(ends if y in (0, size - 1) else inside)[abs(x - y)] for y in range(size)]
        for x in range(size)
    )
    names = tuple(str(k) for k in range(size))
    return _of_rows(names, names, rows), {"size": size, key: canonical(x)}


def exponential(value: Table, what: str) -> Read:
    """P(y|x) proportional to e^(epsilon u(x, y)/(2 sensitivity)), by default the largest
    |u(x, y) - u(x', y)|."""
    inputs = _names(value["inputs"], f"{what}: inputs")
    outputs = _names(value["outputs"], f"{what}: outputs")
    epsilon = number_of(value["epsilon"], f"{what}: epsilon", NOTHING)
    scores = [
        [number_of(u, f"{what}: a score") for u in row]
        for row in _matrix(value["scores"], f"{what}: scores", inputs, outputs)
    ]
    written = {
        "inputs": list(inputs),
        "outputs": list(outputs),
        "scores": [[canonical(u) for u in row] for row in scores],
        "epsilon": canonical(epsilon),
    }
    if "sensitivity" in value:
        sensitivity = number_of(value["sensitivity"], f"{what}: sensitivity", NOTHING)
        written["sensitivity"] = canonical(sensitivity)
    else:
        columns = [[row[y] for row in scores] for y in range(len(outputs))]
        spans = [combine("-", _largest(c, what), _least(c, what)) for c in columns]
        sensitivity = _largest(spans, what)
    if not decided_sign(sensitivity, what):
        raise Malformed(f"{what}: the sensitivity must be positive")
    factor = combine("/", epsilon, combine("*", Fraction(2), sensitivity))
    rows = (shares([form_of(combine("*", factor, u)) for u in row]) for row in scores)
    return _of_rows(inputs, outputs, rows), written


def _largest(numbers: Sequence[Number], what: str) -> Number:
    found = numbers[0]
    for x in numbers[1:]:
        if decided_sign(combine("-", x, found), what) > 0:
            found = x
    return found


def _least(numbers: Sequence[Number], what: str) -> Number:
    return combine("neg", _largest([combine("neg", x) for x in numbers], what))


def planar(value: Table, what: str) -> Read:
    """P(y|x) proportional to e^(-epsilon |x - y|), the Euclidean distance of places."""
    points = points_of(value["points"], f"{what}: points")
    grid = points_of(value.get("grid", value["points"]), f"{what}: grid")
    inputs, outputs = distinct(points, f"{what}: points"), distinct(grid, f"{what}: grid")
    if len(points[inputs[0]]) != len(grid[outputs[0]]):
        raise Malformed(f"{what}: points and grid must have one dimension")
    _require_size(len(inputs), len(outputs), what)
    epsilon = number_of(value["epsilon"], f"{what}: epsilon", NOTHING)
    written = {"points": canonical_points(points), "epsilon": canonical(epsilon)}
    if "grid" in value:
        written["grid"] = canonical_points(grid)
    decays: dict[Fraction, Form] = {}

    def decay(x: str, y: str) -> Form:
        key = square(points[x], grid[y])
        if key not in decays:
            decays[key] = times(form_of(combine("*", epsilon, root(key))), -ONE)
        return decays[key]

    rows = (shares([decay(x, y) for y in outputs]) for x in inputs)
    return _of_rows(inputs, outputs, rows), written


# ---------------------------------------------------------------- channels made of channels


def _parts(value: Table, what: str) -> tuple[list[Channel], list[Table]]:
    entries = array(value["parts"], f"{what}: parts")
    if not entries:
        raise Malformed(f"{what}: at least one part")
    read = [read_channel(part, f"{what}, part {k + 1}") for k, part in enumerate(entries)]
    return [channel for channel, _ in read], [written for _, written in read]


def _joined(lists: Sequence[Names], what: str) -> Names:
    """The tuples of names, the last changing first, as one name each."""
    size = prod(len(names) for names in lists)
    if size > MAX_ENTRIES:
        raise Malformed(f"{what}: more than {MAX_ENTRIES} entries")
    spend(16 * size)
    return distinct((",".join(names) for names in tuples(*lists)), f"{what}: joined names")


def _same_inputs(parts: Sequence[Channel], what: str) -> Names:
    inputs = parts[0].inputs
    if any(set(part.inputs) != set(inputs) for part in parts):
        raise Malformed(f"{what}: the parts must have the same inputs")
    return inputs


def _laws_by_name(part: Channel) -> dict[str, Outputs]:
    return dict(zip(part.inputs, part.laws, strict=True))


def composition(value: Table, what: str) -> Read:
    """All the parts see the same input, and are independent given it."""
    parts, written = _parts(value, what)
    inputs = _same_inputs(parts, what)
    outputs = _joined([part.outputs for part in parts], what)
    _require_size(len(inputs), len(outputs), what)
    laws = [_laws_by_name(part) for part in parts]
    found = tuple(independent([law[x] for law in laws]) for x in inputs)
    return Channel(inputs, outputs, found), {"parts": written}


def product(value: Table, what: str) -> Read:
    """Every part sees its own input."""
    parts, written = _parts(value, what)
    inputs = _joined([part.inputs for part in parts], what)
    outputs = _joined([part.outputs for part in parts], what)
    _require_size(len(inputs), len(outputs), what)
    found = tuple(independent(laws) for laws in tuples(*(part.laws for part in parts)))
    return Channel(inputs, outputs, found), {"parts": written}


def cascade(value: Table, what: str) -> Read:
    """The output of each part is the input of the next."""
    parts, written = _parts(value, what)
    found = parts[0]
    for part in parts[1:]:
        if set(part.inputs) != set(found.outputs):
            raise Malformed(f"{what}: the outputs of a part must be the inputs of the next")
        _require_size(len(found.inputs), len(part.outputs), what)
        laws = _laws_by_name(part)
        after = [laws[y] for y in found.outputs]
        rows = tuple(mixed(masses_of(law), after) for law in found.laws)
        found = Channel(found.inputs, part.outputs, rows)
    return found, {"parts": written}


def mixture(value: Table, what: str) -> Read:
    """One of the parts, by chance, and not told which."""
    parts, written = _parts(value, what)
    inputs = _same_inputs(parts, what)
    weights = [_mass(w, f"{what}: a weight") for w in array(value["weights"], f"{what}: weights")]
    if len(weights) != len(parts):
        raise Malformed(f"{what}: a weight for each part")
    numbers = [number(w, what) for w in value["weights"]]
    if decided_sign(combine("-", _sum(numbers), ONE), what):
        raise Malformed(f"{what}: the weights do not sum to 1")
    outputs = tuple(dict.fromkeys(y for part in parts for y in part.outputs))
    _require_size(len(inputs), len(outputs), what)
    laws = [{x: _spread(law, part.outputs, outputs) for x, law in _laws_by_name(part).items()}
            for part in parts]  # fmt: skip
    rows = tuple(mixed([w for w, _ in weights], [law[x] for law in laws]) for x in inputs)
    texts = [text for _, text in weights]
    return Channel(inputs, outputs, rows), {"parts": written, "weights": texts}


def _spread(law: Outputs, outputs: Names, every: Names) -> Outputs:
    """A law as one of more outputs."""
    spend(4 * len(every))
    if law.whole:
        counts = dict(zip(outputs, law.counts, strict=True))
        return Outputs(law.whole, tuple(counts.get(y, 0) for y in every), ())
    masses = dict(zip(outputs, law.masses, strict=True))
    return Outputs(0, (), tuple(masses.get(y, NOTHING) for y in every))


# ---------------------------------------------------------------- the table of kinds


class Kind(NamedTuple):
    """The keys of a kind besides `kind`, those it may have, and its function."""

    required: Set[str]
    optional: Set[str]
    read: Callable[[Table, str], Read]


KINDS = {
    "matrix": Kind({"inputs", "outputs", "rows"}, set(), matrix),
    "randomized-response": Kind({"inputs"}, {"epsilon", "truth"}, randomized_response),
    "rappor": Kind({"inputs", "flip"}, {"one", "zero", "codes"}, rappor),
    "truncated-geometric": Kind({"size"}, {"epsilon", "ratio"}, truncated_geometric),
    "exponential": Kind(
        {"inputs", "outputs", "scores", "epsilon"}, {"sensitivity"}, exponential
    ),
    "planar": Kind({"points", "epsilon"}, {"grid"}, planar),
    "composition": Kind({"parts"}, set(), composition),
    "product": Kind({"parts"}, set(), product),
    "cascade": Kind({"parts"}, set(), cascade),
    "mixture": Kind({"parts", "weights"}, set(), mixture),
}


def read_channel(value: Any, what: str) -> Read:
    """The written-out channel that a table of a kind states."""
    kind = string(value.get("kind"), f"{what}: kind") if type(value) is dict else ""
    if kind not in KINDS:
        raise Malformed(f"{what}: a channel of kind {shown(kind)} is not known here")
    row = KINDS[kind]
    table(value, what, {"kind", *row.required}, row.optional)
    channel, written = row.read(value, what)
    return channel, {"kind": kind, **written}
