"""A Markov chain of records, seen or hidden: what it is, and what is released of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from pfverify.errors import InputError, shorten
from pfverify.model.chains.reading import (
    STATIONARY,
    Law,
    Matrix,
    counted_of,
    observed_of,
    start_of,
    states_of,
    times_of,
    transitions_of,
    weights_of,
)
from pfverify.model.fixed import Fixed
from pfverify.model.keys import AMOUNTS, NUMBER, Key, needed_of, table_of_keys
from pfverify.model.words import OF_EACH_RECORD, check_keys

RELEASES = ("sum", "mean", "count", "weighted")
ABOUT = ("state", "observation")
MAX_SECRETS = 1_000_000
"""Of all times together."""

_NAMES = {"type": "array", "minItems": 1, "items": {"type": "string"}}
_STEP = {"type": "object", "minProperties": 1, "additionalProperties": AMOUNTS}
_KEYS = (
    Key("states", "name -> value, or names alone", {"anyOf": [AMOUNTS, _NAMES]}, needed=True),
    Key("start", shape={"anyOf": [AMOUNTS, {"const": STATIONARY}]}, needed=True),
    Key(
        "transition", "state -> next state -> mass; or a list, one for each step",
        {"anyOf": [_STEP, {"type": "array", "items": _STEP}]}, needed=True,
    ),
    Key("length", "the number of records", {"type": "integer"}, needed=True),
    Key("release", "default sum", {"enum": list(RELEASES)}),
    Key("count", "the name that is counted, or a list", {"anyOf": [NUMBER, _NAMES]}),
    Key("weights", "one for each record", {"type": "array", "items": NUMBER}),
    Key("secrets", shape={"enum": ["each"]}),
    Key(
        "at", "the times that are secret, from 1; default every one",
        {"type": "array", "minItems": 1, "items": {"type": "integer"}},
    ),
)  # fmt: skip
_OF_HIDDEN = (
    Key("observation", "state -> observed value -> mass", _STEP, needed=True),
    Key("about", "what is secret; default state", {"enum": list(ABOUT)}),
)
_GRID = Key(  # of many chains, and read where they are made
    "grid", "name in cells of transition -> first, last, how many",
    {
        "type": "object", "minProperties": 1,
        "additionalProperties": {"type": "array", "minItems": 3, "maxItems": 3, "items": NUMBER},
    },
)  # fmt: skip


class Record(NamedTuple):
    """What is to be hidden: at a time (from 1) a record is what this name says."""

    time: int
    name: str

    @property
    def text(self) -> str:
        """How it is named as a secret."""
        return f"t={self.time}:{self.name}"


class Chain(Fixed):
    """A Markov chain of `length` records, one number of which is released.

    Parameters
    - states: name -> value of a record in that state; a list of names where no value is needed
      (`release` = "count", or with `observation`).
    - start: name -> mass at time 1, or "stationary".
    - transition: state -> {next state -> mass}, or a list of `length` - 1 such tables.
    - length: the number of records.
    - release: "sum" of the values, "mean", "count" of the records that are `count` (a name or a
      list), or "weighted": the sum of `weights` (one for each record) times values.
    - secrets: "each": at every time, one state against another; or `at`: at these times (from 1).
    - observation: of a hidden chain, state -> {observed value -> mass}: what is released is made of
      observed values. `about`: whether "state" or "observation" is secret.

    Raises InputError naming the key.
    Example: ``Chain({"low": 0, "high": 1}, "stationary", {"low": {"low": "7/10", "high": "3/10"},
    "high": {"low": "3/10", "high": "7/10"}}, 100).start["low"]`` is ``1/2``.
    Source: Song, Wang and Chaudhuri, SIGMOD 2017, section 4.4.
    """

    states: dict[str, Fraction | None]
    start: Law
    transitions: tuple[Matrix, ...]
    length: int
    release: str
    count: tuple[str, ...]
    weights: tuple[Fraction, ...]
    at: tuple[int, ...] | None
    observation: dict[str, dict[Fraction, Fraction]] | None
    about: str

    def __init__(
        self,
        states: object,
        start: object,
        transition: object,
        length: object,
        release: str = "sum",
        count: object = None,
        weights: object = None,
        secrets: object = None,
        at: object = None,
        observation: object = None,
        about: str = ABOUT[0],
    ) -> None:
        for key, value, known in (("release", release, RELEASES), ("about", about, ABOUT)):
            if not isinstance(value, str) or value not in known:
                hint = f"; {OF_EACH_RECORD}" if (key, value) == ("release", "each") else ""
                raise InputError(
                    f"{key}: {shorten(value)!r} is unknown, expected {' or '.join(known)}{hint}"
                )
        if secrets not in (None, "each"):
            raise InputError(f'secrets: {shorten(secrets)!r} is unknown, expected "each", or at')
        if isinstance(length, bool) or not isinstance(length, int) or length < 1:
            raise InputError(f"length: {shorten(length)} is no number of records, expected >= 1")
        valued = release != "count" and observation is None
        named = states_of(states, valued)
        seen = None if observation is None else observed_of(observation, named)
        if about == "observation" and seen is None:
            raise InputError("about: observation needs the table observation")
        matrices = transitions_of(transition, named, length)
        values = list(named) if seen is None else sorted({v for law in seen.values() for v in law})
        self._keep(
            states=named, transitions=matrices, length=length, release=release, about=about,
            start=start_of(start, named, matrices), observation=seen,
            count=counted_of(count, values, release), weights=weights_of(weights, length, release),
            at=times_of(at, length, secrets),
        )  # fmt: skip
        if len(self.names) * len(self.times) > MAX_SECRETS:
            raise InputError(f"secrets: more than {MAX_SECRETS}; expected fewer times in at")

    @property
    def table_name(self) -> str:
        """The table of a problem file that states it."""
        return "chain" if self.observation is None else "hmm"

    @property
    def names(self) -> tuple[str, ...]:
        """What a record may be as a secret: the states, or the observed values."""
        if self.about == "state" or self.observation is None:
            return tuple(self.states)
        return tuple(str(v) for v in sorted({v for law in self.observation.values() for v in law}))

    @property
    def times(self) -> Sequence[int]:
        """The times at which a record is a secret."""
        return range(1, self.length + 1) if self.at is None else self.at

    def matrix(self, time: int) -> Matrix:
        """Return the chances of the step from a time to the next; rows and columns as `states`."""
        return self.transitions[time - 1 if len(self.transitions) > 1 else 0]

    def added(self, time: int, state: str) -> list[tuple[str, Fraction, Fraction]]:
        """Return what a record in a state may be seen as, what it then adds to X, and its mass."""
        if self.observation is None:
            value = self.states[state]
            return [(state, self._share(time, state, value), Fraction(1))]
        law = self.observation[state]
        return [(str(v), self._share(time, str(v), v), mass) for v, mass in law.items()]

    def _share(self, time: int, name: str, value: Fraction | None) -> Fraction:
        if self.release == "count":
            return Fraction(name in self.count)
        if value is None:
            raise TypeError("a state without a value adds nothing")  # never: `__init__` asks
        if self.release == "weighted":
            return self.weights[time - 1] * value
        return value / self.length if self.release == "mean" else value

    def secrets(self) -> dict[str, Record]:
        """Return name -> secret, of those whose probability is not 0, in the order of times.

        Example: ``list(chain.secrets())[0]`` is ``"t=1:low"``.
        """
        there = [state for state, mass in self.start.items() if mass]
        order, found, wanted = list(self.states), {}, set(self.times)
        for time in range(1, self.length + 1):
            if time in wanted:
                for name in self._possible(there, time):
                    found[f"t={time}:{name}"] = Record(time, name)
            if time < self.length:
                rows = self.matrix(time)
                there = [
                    b for k, b in enumerate(order)
                    if any(rows[order.index(a)][k] for a in there)
                ]  # fmt: skip
        return found

    def _possible(self, there: Sequence[str], time: int) -> list[str]:
        if self.about == "state":
            return list(there)
        seen = {name for state in there for name, _, mass in self.added(time, state) if mass}
        return [name for name in self.names if name in seen]

    def pairs(self) -> list[tuple[str, str]]:
        """Return one record against another at each time, of all names, possible or not."""
        return [
            (f"t={time}:{a}", f"t={time}:{b}")
            for time in self.times for a, b in combinations(self.names, 2)
        ]  # fmt: skip

    @property
    def words(self) -> str:
        """What X is, in words."""
        what = {
            "sum": "the sum", "mean": "the mean", "weighted": "the weighted sum",
            "count": f"the number of {' or '.join(shorten(name, 20) for name in self.count)} among",
        }[self.release]  # fmt: skip
        hidden = "values observed of a hidden chain" if self.observation else "records of a chain"
        of = "" if self.release == "count" else " of"
        return f"{what}{of} {self.length} {hidden}"

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Chain:
        """Read the table of a problem file; InputError naming the key."""
        check_keys(table, [key.name for key in (*_KEYS, *_OF_HIDDEN)])
        for key in needed_of(_KEYS):
            if key not in table:
                raise InputError(f"{key}: missing")
        return cls(**table)

    def to_table(self) -> dict[str, Any]:
        """Return the table that `from_table` reads as this chain, without the word stationary."""
        valued = all(value is not None for value in self.states.values())
        tables = [self._matrix_table(matrix) for matrix in self.transitions]
        found: dict[str, Any] = {
            "states": {s: str(v) for s, v in self.states.items()} if valued else list(self.states),
            "start": {s: str(m) for s, m in self.start.items()},
            "transition": tables[0] if len(tables) == 1 else tables,
            "length": self.length,
            "release": self.release,
        }
        if self.count:
            found["count"] = list(self.count)
        if self.weights:
            found["weights"] = [str(w) for w in self.weights]
        if self.at is not None:
            found["at"] = list(self.at)
        if self.observation is not None:
            found["observation"] = {
                s: {str(v): str(m) for v, m in law.items()} for s, law in self.observation.items()
            }
            found["about"] = self.about
        return found

    def _matrix_table(self, matrix: Matrix) -> dict[str, dict[str, str]]:
        return {
            a: {b: str(mass) for b, mass in zip(self.states, row, strict=True) if mass}
            for a, row in zip(self.states, matrix, strict=True)
        }

    def canonical(self) -> dict[str, Any]:
        """Return the one form of the chain that goes into the digest of a problem."""
        seen = self.observation or {}
        return {
            "states": [[s, None if v is None else str(v)] for s, v in self.states.items()],
            "start": [str(mass) for mass in self.start.values()],
            "transition": [[[str(m) for m in row] for row in one] for one in self.transitions],
            "length": self.length,
            "release": self.release,
            "count": list(self.count),
            "weights": [str(w) for w in self.weights],
            "times": None if self.at is None else list(self.at),
            "observation": [[[str(v), str(m)] for v, m in law.items()] for law in seen.values()],
            "about": self.about,
        }

    def key(self) -> object:
        """Return what is equal where the canonical forms are."""
        return repr(self.canonical())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chain) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"<Chain of {self.length} records, {len(self.states)} states, {self.release}>"


def chain_schema() -> dict[str, Any]:
    """Return the definitions of a chain and of a hidden one, for the published schema."""
    return {
        "chain": table_of_keys((*_KEYS, _GRID)),
        "hmm": table_of_keys((*_KEYS, _GRID, *_OF_HIDDEN)),
    }
