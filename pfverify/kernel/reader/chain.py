"""Markov chains of records, seen or hidden, as a table states them.

Everything comes from the problem's table, nothing from the certificate.  A state is a record, whose
parent is the one before.  That of a hidden chain adds nothing, and is the parent of what is seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from core.grammar import Malformed, bounded, canonical, shown
from core.shapes import MAX_PAIRS, array, common_denominator, integer, rational, string, table
from core.work import spend
from reader.correlated import Asked, Model, correlated, stated_models, summing_to_1
from reader.priors import Given, require_name
from reader.records import Chances, Name, Record

if TYPE_CHECKING:
    from reader.protocols import Release

MAX_LENGTH = 100_000  # records
MAX_CHAINS = 10_000  # of a grid
RELEASES = ("sum", "mean", "count", "weighted")
KEYS = {"release", "count", "weights", "secrets", "at", "grid"}
ZERO = Fraction(0)
Matrix = tuple[tuple[Fraction, ...], ...]


def source(value: Any, release: Release) -> Given:
    """The chains of a problem, of one belief or of several."""
    models: dict[str, Model] = {}
    for name, kind, stated in stated_models(value, {"chain", "hmm"}):
        for point, model in _grid(stated, kind):
            belief = ", ".join(filter(None, (name, point))) or "default"
            require_name(belief)
            if belief in models:
                raise Malformed(f"two beliefs are called {shown(belief)}")
            models[belief] = model
    return correlated(value, models, "chains", "a Markov chain")


def _grid(stated: Any, kind: str) -> Iterator[tuple[str, Model]]:
    """The chains of a table, each with the name of its point of the grid, if there is one."""
    hidden = {"observation"} if kind == "hmm" else set[str]()
    more = KEYS | {"about"} if hidden else KEYS
    table(stated, kind, {"states", "start", "transition", "length"} | hidden, more)
    axes, count = [], 1
    grid = stated.get("grid", {})
    if type(grid) is not dict:
        raise Malformed("grid must be a table")
    for name, axis in grid.items():
        ends = array(axis, "grid")
        if len(ends) != 3 or not name.isidentifier():
            raise Malformed("grid: a name must have first, last, and how many")
        low, high = (rational(x, "grid") for x in ends[:2])
        many = integer(ends[2], "grid: how many", 2, MAX_CHAINS)
        count *= many
        if count > MAX_CHAINS:
            raise Malformed("a grid of too many chains")
        axes.append([(name, bounded(low + (high - low) * k / (many - 1))) for k in range(many)])
    if "grid" in stated and not axes:
        raise Malformed("a grid without names")
    for point in product(*axes):
        cells = {name: canonical(x) for name, x in point}
        cells |= {f"1-{name}": canonical(1 - x) for name, x in point}
        named = ", ".join(f"{name}={canonical(x)}" for name, x in point)
        yield named, _model(stated, kind, cells)


def _model(stated: Any, kind: str, cells: dict[str, str]) -> Model:
    release = string(stated.get("release", "sum"), "release")
    about = string(stated.get("about", "state"), "about")
    if release not in RELEASES or about not in ("state", "observation"):
        raise Malformed(f"release {shown(release)} or about {shown(about)} is not known")
    if stated.get("secrets", "each") != "each" or {"secrets", "at"} <= stated.keys():
        raise Malformed("secrets must be each, or at must list times")
    for key, wanted in (("count", "count"), ("weights", "weighted")):
        if (key in stated) != (release == wanted):
            raise Malformed(f"{key} goes with the release {wanted}, and that needs it")
    length = integer(stated["length"], "length", 1, MAX_LENGTH)
    states = _states(stated["states"])
    names = list(states)
    matrices = _matrices(stated["transition"], names, length, cells)
    observation = _observation(stated["observation"], names) if kind == "hmm" else []
    if kind == "chain" and release != "count" and None in states.values():
        raise Malformed("states must have values, which are released")
    values = {canonical(x): x for x in sorted({x for law in observation for x in law})} or {
        name: x or ZERO for name, x in states.items()
    }  # of what a record is seen as
    weights = [rational(x, "weights") for x in array(stated.get("weights", []), "weights")]
    spend(8 * len(weights))
    if release == "weighted" and len(weights) != length:
        raise Malformed("weights must be one for each record")
    times = None
    if "at" in stated:
        times = sorted({integer(t, "at", 1, length) for t in array(stated["at"], "at")})
        spend(4 * len(stated["at"]))
    start = _start(stated["start"], names, matrices)
    counted = _counted(stated.get("count", []), [*values], bool(observation))
    if release == "count":
        values = {name: Fraction(name in counted) for name in values}
    elif release == "mean":
        values = {name: bounded(x / length) for name, x in values.items()}
    asked = [
        Asked(t if about == "state" else ("seen", t), f"t={t}",
              names if about == "state" else [*values])
        for t in times or range(1, length + 1)
    ]  # fmt: skip
    if len(asked) * len(asked[0].states) ** 2 > 2 * MAX_PAIRS:
        raise Malformed("too many secrets")
    written = {
        "states": [[name, None if x is None else canonical(x)] for name, x in states.items()],
        "start": _texts(start),
        "transition": [[_texts(row) for row in rows] for rows in matrices],
        "length": length, "release": release, "count": counted, "weights": _texts(weights),
        "times": times,
        "observation": [
            [[canonical(x), canonical(m)] for x, m in law.items()] for law in observation
        ],
        "about": about,
    }  # fmt: skip
    records: dict[Name, Record] = {}
    first: Chances = {(name,): mass for name, mass in zip(names, start, strict=True) if mass}
    turns: list[Chances] = [{
        (a, b): x for a, row in zip(names, rows, strict=True)
        for b, x in zip(names, row, strict=True) if x
    } for rows in matrices]  # fmt: skip
    views: Chances = {(a, canonical(x)): mass for a, law in zip(names, observation, strict=False)
             for x, mass in law.items()}  # fmt: skip
    nothing = dict.fromkeys(names, ZERO)
    for t in range(1, length + 1):
        spend(16 + 4 * len(weights[:1]) * len(values))
        adds = {name: bounded(weights[t - 1] * x) for name, x in values.items()} \
            if weights else values  # fmt: skip
        chances = turns[t - 2 if len(turns) > 1 else 0] if t > 1 else first
        records[t] = Record((t - 1,) if t > 1 else (), chances, nothing if observation else adds)
        if observation:
            records["seen", t] = Record((t,), views, adds)
    return Model(records, asked, written)


def _texts(numbers: Iterable[Fraction]) -> list[str]:
    return [canonical(x) for x in numbers]


def _states(stated: Any) -> dict[str, Fraction | None]:
    found: dict[str, Fraction | None]
    if type(stated) is dict:
        found = {name: rational(x, f"the value of {shown(name)}") for name, x in stated.items()}
    else:
        names = [string(name, "a state") for name in array(stated, "states")]
        found = dict.fromkeys(names)
        if len(found) < len(names):
            raise Malformed("a state occurs twice")
    if len(found) < 2:
        raise Malformed("a chain must have at least two states")
    for name in found:
        require_name(name)
    return found


def _masses(stated: Any, names: list[str], what: str) -> list[Fraction]:
    table(stated, what, set(), set(names))
    spend(32 * len(names))
    found = {name: rational(x, what) for name, x in stated.items()}
    summing_to_1(list(found.values()), what)
    return [found.get(name, ZERO) for name in names]


def _matrices(
    stated: Any, names: list[str], length: int, cells: dict[str, str]
) -> tuple[Matrix, ...]:
    tables = [stated] if type(stated) is dict else array(stated, "transition")
    if type(stated) is not dict and len(tables) != length - 1:
        raise Malformed("transition must have a table for each step, or be one")
    found = []
    for one in tables:
        table(one, "transition", set(names))
        for name in names:
            table(one[name], f"transition of {shown(name)}", set(), set(names))
        filled = {
            a: {b: cells.get("".join(x.split()), x) if type(x) is str else x
                for b, x in one[a].items()}
            for a in names
        }  # fmt: skip
        found.append(tuple(
            tuple(_masses(filled[a], names, f"transition of {shown(a)}")) for a in names
        ))  # fmt: skip
    return tuple(found[:1] if all(one == found[0] for one in found) else found)


def _observation(stated: Any, names: list[str]) -> list[dict[Fraction, Fraction]]:
    table(stated, "observation", set(names))
    found = []
    for name in names:
        what = f"observation of {shown(name)}"
        if type(stated[name]) is not dict:
            raise Malformed(f"{what} must be a table")
        pairs = [(rational(x, what), rational(m, what)) for x, m in stated[name].items()]
        spend(16 * len(pairs))
        summing_to_1([mass for _, mass in pairs], what)
        if len({x for x, _ in pairs}) < len(pairs):
            raise Malformed(f"{what}: a value occurs twice")
        found.append({x: mass for x, mass in sorted(pairs) if mass})
    return found


def _counted(stated: Any, names: list[str], numbers: bool) -> list[str]:
    given = stated if type(stated) is list else [stated]
    wanted = {canonical(rational(x, "count")) if numbers else string(x, "count") for x in given}
    if not wanted <= set(names):
        raise Malformed("count names what no record may be")
    return [name for name in names if name in wanted]


def _start(stated: Any, names: list[str], matrices: tuple[Matrix, ...]) -> list[Fraction]:
    if stated != "stationary":
        return _masses(stated, names, "start")
    if len(matrices) != 1:
        raise Malformed("start: stationary needs one table of transitions")
    return stationary(matrices[0])


def stationary(rows: Matrix) -> list[Fraction]:
    """The one law pi with pi P = pi, by elimination; Malformed where there are several."""
    count = len(rows)
    bits = common_denominator((x for row in rows for x in row), "rows").bit_length() * count
    # the equations sum of x_a (P_ab - [a = b]) = 0, and sum of x_a = 1
    left = [[rows[a][b] - (a == b) for a in range(count)] + [Fraction(0)] for b in range(count)]
    left.append([Fraction(1)] * (count + 1))
    for k in range(count):
        pivot = next((row for row in left[k:] if row[k]), None)
        if pivot is None:
            raise Malformed("start: there is no unique stationary law")
        left.remove(pivot)
        pivot = [bounded(x / pivot[k]) for x in pivot]
        spend(20 * (1 + (bits >> 8)) * count * (1 + sum(1 for row in left if row[k])))
        left = [
            [bounded(x - row[k] * y) for x, y in zip(row, pivot, strict=True)] if row[k] else row
            for row in left
        ]
        left.insert(k, pivot)
    return summing_to_1([row[-1] for row in left[:count]], "start")
