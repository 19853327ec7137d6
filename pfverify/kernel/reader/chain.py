"""Markov chains of records, seen or hidden: their secrets, and the laws of what is released.

Everything comes from the problem's table, nothing from the certificate.  A record in a state is
seen as one of some values (of a chain that is not hidden, as that state), each of which adds a
number to X.  With integers for chances, F_t(s) is the sum, over all paths that are in s at t, of
x^(what the records before t add), and B_t(s) the same of those after t, starting there; so given
that the chain is in s at t, and E_t(s) of what is added then, X has the weights of F_t(s) E_t(s)
B_t(s).  Common factors of all paths cancel.  A secret of probability 0 is none: pairs with it are
left out where that is so.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from core.grammar import Malformed, bounded, canonical, shown
from core.shapes import (
    MAX_PAIRS,
    array,
    common_denominator,
    exact_sum,
    integer,
    rational,
    string,
    table,
)
from core.work import spend
from reader.correlated import Correlated, correlated, stated_models
from reader.crowd import Places, Points, added, over
from reader.priors import require_name

if TYPE_CHECKING:
    from reader.protocols import Release

MAX_LENGTH = 100_000  # records
MAX_CHAINS = 10_000  # of a grid
RELEASES = ("sum", "mean", "count", "weighted")
KEYS = {"release", "count", "weights", "secrets", "at", "grid"}
ZERO = Fraction(0)
Matrix = tuple[tuple[Fraction, ...], ...]
Seen = tuple[str, Fraction, Fraction]  # what a record is seen as, what that adds, its chance


class Chain(NamedTuple):
    """One chain.  Values are those of states or, of a hidden chain, of what is observed; `counted`,
    `weights` and `times` are empty or None where the problem has none."""

    states: dict[str, Fraction | None]
    start: list[Fraction]
    matrices: tuple[Matrix, ...]
    length: int
    release: str
    counted: list[str]
    weights: list[Fraction]
    times: list[int] | None
    observation: list[dict[Fraction, Fraction]]
    about: str

    @property
    def names(self) -> list[str]:
        """What a record may be, as a secret."""
        if self.about == "state":
            return list(self.states)
        return [canonical(x) for x in sorted({x for law in self.observation for x in law})]

    @property
    def asked(self) -> list[int] | range:
        """The times at which a record is secret."""
        return range(1, self.length + 1) if self.times is None else self.times

    def seen(self, time: int, k: int) -> list[Seen]:
        """What a record in the k-th state may be seen as."""
        name, value = list(self.states.items())[k]
        if not self.observation:
            return [(name, self._adds(time, name, value), Fraction(1))]
        return [(canonical(x), self._adds(time, canonical(x), x), mass)
                for x, mass in self.observation[k].items()]  # fmt: skip

    def _adds(self, time: int, name: str, value: Fraction | None) -> Fraction:
        if self.release == "count":
            return Fraction(name in self.counted)
        if value is None:
            raise Malformed("a state without a value, which is released")
        if self.release == "weighted":
            return bounded(self.weights[time - 1] * value)
        return bounded(value / self.length) if self.release == "mean" else value

    def matrix(self, time: int) -> Matrix:
        """The chances from a time to the next."""
        return self.matrices[time - 1 if len(self.matrices) > 1 else 0]

    def secrets(self) -> dict[str, tuple[int, str]]:
        """Those that are possible: time and name."""
        there = {k for k, mass in enumerate(self.start) if mass}
        found: dict[str, tuple[int, str]] = {}
        asked = set(self.asked)
        for time in range(1, self.length + 1):
            spend(16 + 8 * len(self.states) ** 2)
            if time in asked:
                if self.about == "state":
                    may = {name for k, name in enumerate(self.states) if k in there}
                else:
                    may = {name for k in there for name, _, mass in self.seen(time, k) if mass}
                found |= {f"t={time}:{name}": (time, name) for name in self.names if name in may}
            if time < self.length:
                rows = self.matrix(time)
                there = {b for a in there for b, chance in enumerate(rows[a]) if chance}
        return found

    def every(self) -> list[tuple[str, str]]:
        """One record against another at every time that is asked about, possible or not."""
        if len(self.asked) * len(self.names) ** 2 > 2 * MAX_PAIRS:
            raise Malformed("too many secrets")
        spend(4 * len(self.asked) * len(self.names) ** 2)
        return [
            (f"t={t}:{a}", f"t={t}:{b}") for t in self.asked for a, b in combinations(self.names, 2)
        ]

    def sums(self) -> Sums:
        """What works out the laws."""
        return Sums(self)

    def canonical(self) -> dict[str, Any]:
        """The chain as it goes into a digest."""
        return {
            "states": [[s, None if x is None else canonical(x)] for s, x in self.states.items()],
            "start": [canonical(x) for x in self.start],
            "transition": [[[canonical(x) for x in row] for row in one] for one in self.matrices],
            "length": self.length,
            "release": self.release,
            "count": self.counted,
            "weights": [canonical(x) for x in self.weights],
            "times": self.times,
            "observation": [
                [[canonical(x), canonical(m)] for x, m in law.items()] for law in self.observation
            ],
            "about": self.about,
        }


# ---------------------------------------------------------------- the table


def source(value: Any, release: Release) -> Correlated:
    """The chains of a problem, of one belief or of several."""
    chains: dict[str, Chain] = {}
    for name, kind, stated in stated_models(value, {"chain", "hmm"}):
        for point, chain in _grid(stated, kind):
            belief = ", ".join(filter(None, (name, point))) or "default"
            require_name(belief)
            if belief in chains:
                raise Malformed(f"two beliefs are called {shown(belief)}")
            chains[belief] = chain
    return correlated(value, chains, "chains", "a Markov chain")


def _grid(stated: Any, kind: str) -> Iterator[tuple[str, Chain]]:
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
        yield named, _chain(stated, kind, cells)


def _chain(stated: Any, kind: str, cells: dict[str, str]) -> Chain:
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
    values = [canonical(x) for x in sorted({x for law in observation for x in law})]
    weights = [rational(x, "weights") for x in array(stated.get("weights", []), "weights")]
    spend(8 * len(weights))
    if release == "weighted" and len(weights) != length:
        raise Malformed("weights must be one for each record")
    times = None
    if "at" in stated:
        times = sorted({integer(t, "at", 1, length) for t in array(stated["at"], "at")})
        spend(4 * len(stated["at"]))
    return Chain(
        states, _start(stated["start"], names, matrices), matrices, length, release,
        _counted(stated.get("count", []), values if observation else names, bool(observation)),
        weights, times, observation, about,
    )  # fmt: skip


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
    law(list(found.values()), what)
    return [found.get(name, ZERO) for name in names]


def law(masses: list[Fraction], what: str) -> list[Fraction]:
    """The same masses; Malformed unless they are at least 0 and sum to 1."""
    if any(mass < 0 for mass in masses) or exact_sum(masses, what) != 1:
        raise Malformed(f"{what}: masses must be at least 0 and sum to 1")
    return masses


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
        law([mass for _, mass in pairs], what)
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
    return law([row[-1] for row in left[:count]], "start")


# ---------------------------------------------------------------- laws


class Sums:
    """F, E and B of a chain.  Of the times, in blocks, one block of rows is kept, and what each
    block begins with."""

    def __init__(self, chain: Chain) -> None:
        self.chain, self.block = chain, isqrt(chain.length) + 1
        steady = len(chain.matrices) < 2 and chain.release != "weighted"
        self.last = 1 if steady else chain.length  # times after it are as it is
        adds = [self._every(time) for time in range(1, self.last + 1)]
        laws = [{x: Fraction(1) for seen in row for _, x, _ in seen} for row in adds]
        self.places = Places([(law, chain.length if steady else 1) for law in laws])
        self.scale = common_denominator(
            (mass for seen in adds[0] for _, _, mass in seen), "observation"
        )
        self.adds = [
            [[(name, over(x, self.places.means), over(mass, self.scale)) for name, x, mass in seen]
             for seen in row]
            for row in adds
        ]  # fmt: skip
        self.matrices = [_whole(matrix) for matrix in chain.matrices]
        self.starts: dict[bool, list[list[Points]]] = {}
        self.held: dict[bool, tuple[int, list[list[Points]]]] = {}

    def _every(self, time: int) -> list[list[Seen]]:
        return [self.chain.seen(time, k) for k in range(len(self.chain.states))]

    def points(self, time: int, k: int, name: str | None = None) -> Points:
        """E of a state, or of it what is seen as `name`."""
        found: dict[int, int] = {}
        for word, place, weight in self.adds[min(time, self.last) - 1][k]:
            if name in (None, word):
                found[place] = found.get(place, 0) + weight
        return sorted(found.items())

    def given(self, time: int, name: str) -> Points:
        """The law of what is released, given one record."""
        before, after = self._at(time, back=False), self._at(time, back=True)
        total: dict[int, int] = {}
        for k, state in enumerate(self.chain.states):
            hidden = self.chain.about == "observation"
            own = self.points(time, k, name if hidden else None) if hidden or state == name else []
            if own and before[k]:
                _accumulate(total, added(_moved(before[k], own), after[k]), 1)
        return sorted(total.items())

    def _at(self, time: int, *, back: bool) -> list[Points]:
        block, place = divmod(self.chain.length - time if back else time - 1, self.block)
        held = self.held.get(back)
        if held is None or held[0] != block:
            starts = self.starts.setdefault(back, [self._first(back)])
            while len(starts) <= block:
                at = self.block * (len(starts) - 1)
                starts.append(self._run(starts[-1], at, self.block + 1, back)[-1])
            held = block, self._run(starts[block], self.block * block, self.block, back)
            self.held[back] = held
        return held[1][place]

    def _first(self, back: bool) -> list[Points]:
        if back:
            return [[(0, 1)] for _ in self.chain.states]
        scale = common_denominator(self.chain.start, "start")
        return [[(0, over(mass, scale))] if mass else [] for mass in self.chain.start]

    def _run(self, row: list[Points], at: int, count: int, back: bool) -> list[list[Points]]:
        """So many rows from one at a place (from 0, in the order of the sweep), or to the end."""
        rows = [row]
        for place in range(at + 1, min(at + count, self.chain.length)):
            time = self.chain.length - place if back else place  # of the step, from it to the next
            moved = [
                _moved(points, self.points(time + back, k)) for k, points in enumerate(rows[-1])
            ]
            matrix = self.matrices[time - 1 if len(self.matrices) > 1 else 0]
            following: list[dict[int, int]] = [{} for _ in moved]
            for a, chances in enumerate(matrix):
                for b, chance in enumerate(chances):
                    to, come = (a, b) if back else (b, a)
                    if chance:
                        _accumulate(following[to], moved[come], chance)
            rows.append([sorted(found.items()) for found in following])
        return rows


def _whole(matrix: Matrix) -> list[list[int]]:
    """A matrix of chances as integers over one denominator."""
    scale = common_denominator((x for row in matrix for x in row), "transition")
    return [[over(x, scale) for x in row] for row in matrix]


def _moved(points: Points, adds: Points) -> Points:
    """The law of a sum, whose second part is often certain."""
    if len(adds) > 1 or not points:
        return added(points, adds) if points else []
    ((place, weight),) = adds
    _charge(points)
    return [(at + place, weight * own) for at, own in points]


def _charge(points: Points) -> None:
    """The price of a product and a sum for each point; the weights in the middle are the longest.
    """
    bits = max((points[k][1].bit_length() for k in range(0, len(points), 16)), default=0)
    spend(len(points) * (3 + (bits >> 9)))


def _accumulate(total: dict[int, int], points: Points, factor: int) -> None:
    _charge(points)
    for place, weight in points:
        total[place] = total.get(place, 0) + factor * weight

