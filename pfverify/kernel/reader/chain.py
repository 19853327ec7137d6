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
from reader.correlated import (
    Asked,
    Model,
    correlated,
    masses_of,
    record,
    require_sum,
    stated_models,
)
from reader.places import ZERO
from reader.priors import Given, require_name
from reader.records import Name, Record, States

if TYPE_CHECKING:
    from reader.protocols import Release

MAX_LENGTH = 100_000  # records
MAX_CHAINS = 10_000  # of a grid
RELEASES = ("sum", "mean", "count", "weighted")
KEYS = {"release", "count", "weights", "secrets", "at", "grid"}
Rows = dict[States, dict[str, Fraction]]  # a law for every state


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
    views = _views(stated["observation"], names) if kind == "hmm" else {}
    if kind == "chain" and release != "count" and None in states.values():
        raise Malformed("states must have values, which are released")
    seen = {x for masses in views.values() for x, mass in masses.items() if mass}
    values = {canonical(x): x for x in sorted(map(Fraction, seen))} or {
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
    if stated["start"] != "stationary":
        start = masses_of(stated["start"], "start", (), names)
    elif len(matrices) == 1:
        start = {(): stationary(matrices[0])}
    else:
        raise Malformed("start: stationary needs one table of transitions")
    counted = _counted(stated.get("count", []), [*values], bool(views))
    if release == "count":
        values = {name: Fraction(name in counted) for name in values}
    elif release == "mean":
        values = {name: bounded(x / length) for name, x in values.items()}
    may = names if about == "state" else [*values]
    asked = [
        Asked(t if about == "state" else ("seen", t), f"t={t}", may)
        for t in (range(1, length + 1) if times is None else times)
    ]
    if len(asked) * len(may) ** 2 > 2 * MAX_PAIRS:
        raise Malformed("too many secrets")
    written = {
        "states": [[name, None if x is None else canonical(x)] for name, x in states.items()],
        "start": _texts(start[()].values()),
        "transition": [[_texts(row.values()) for row in one.values()] for one in matrices],
        "length": length, "release": release, "count": counted, "weights": _texts(weights),
        "times": times,
        "observation": [
            [[x, canonical(law[x])] for x in values if law.get(x)] for law in views.values()
        ],
        "about": about,
    }  # fmt: skip
    nothing = dict.fromkeys(names, ZERO)
    first, *turns = (record((), one, nothing) for one in (start, *matrices))
    sight = record((), views, nothing)
    records: dict[Name, Record] = {}
    for t in range(1, length + 1):
        spend(16 + 4 * len(weights[:1]) * len(values))
        adds = {name: bounded(weights[t - 1] * x) for name, x in values.items()} \
            if weights else values  # fmt: skip
        parents: tuple[Name, ...] = (t - 1,) if t > 1 else ()
        one = turns[t - 2 if len(turns) > 1 else 0] if t > 1 else first
        records[t] = one._replace(parents=parents, adds=nothing if views else adds)
        if views:
            records["seen", t] = sight._replace(parents=(t,), adds=adds)
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


def _matrices(stated: Any, names: list[str], length: int, cells: dict[str, str]) -> list[Rows]:
    tables = [stated] if type(stated) is dict else array(stated, "transition")
    if type(stated) is not dict and len(tables) != length - 1:
        raise Malformed("transition must have a table for each step, or be one")
    found = []
    for one in tables:
        filled = {
            a: {b: cells.get("".join(x.split()), x) if type(x) is str else x
                for b, x in row.items()} if type(row) is dict else row
            for a, row in table(one, "transition", set(names)).items()
        }  # fmt: skip
        found.append(masses_of(filled, "transition", [names], names))
    return found[:1] if all(one == found[0] for one in found) else found


def _views(stated: Any, names: list[str]) -> Rows:
    """What each state is seen as, by canonical texts of numbers."""
    table(stated, "observation", set(names))
    texts: dict[str, dict[str, Any]] = {}
    for name in names:
        what = f"observation of {shown(name)}"
        if type(stated[name]) is not dict:
            raise Malformed(f"{what} must be a table")
        spend(16 * len(stated[name]))
        texts[name] = {canonical(rational(x, what)): m for x, m in stated[name].items()}
        if len(texts[name]) < len(stated[name]):
            raise Malformed(f"{what}: a value occurs twice")
    return masses_of(texts, "observation", [names])


def _counted(stated: Any, names: list[str], numbers: bool) -> list[str]:
    given = stated if type(stated) is list else [stated]
    wanted = {canonical(rational(x, "count")) if numbers else string(x, "count") for x in given}
    if not wanted <= set(names):
        raise Malformed("count names what no record may be")
    return [name for name in names if name in wanted]


def stationary(rows: Rows) -> dict[str, Fraction]:
    """The one law pi with pi P = pi, by elimination; Malformed where there are several."""
    names, chances = [a for (a,) in rows], [[*row.values()] for row in rows.values()]
    count = len(names)
    bits = common_denominator((x for row in chances for x in row), "rows").bit_length() * count
    # the equations sum of x_a (P_ab - [a = b]) = 0, and sum of x_a = 1
    left = [[chances[a][b] - (a == b) for a in range(count)] + [ZERO] for b in range(count)]
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
    found = dict(zip(names, (row[-1] for row in left), strict=False))
    require_sum(found.values(), "start")
    return found
