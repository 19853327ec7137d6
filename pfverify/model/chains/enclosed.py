"""Chains of which exact laws of every secret would be too much: what a sweep needs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, NoReturn

from pfverify.errors import InputError, shorten
from pfverify.model.chains.chain import Chain, Record
from pfverify.model.chains.paths import ChainLaws
from pfverify.model.chains.reading import Matrix
from pfverify.model.priors.by_secret import BySecret
from pfverify.model.priors.prior import Component, Prior

MOST_BITS = 1 << 36
"""Of the exact laws of all secrets of a chain together, beyond which they are enclosed."""
MOST_WORK = 1 << 33
"""Of a sweep: records * values of X * states**3."""
_WHY = "is enclosed, not written out: exact laws of so many secrets would be too much work"
_REMEDY = "expected fewer records, or fewer times in `at`"
UNCERTIFIED = (
    "the laws of so long a chain are enclosed, by floats whose rounding is bounded, which the "
    "kernel does not do again: it checks some 300 records at every time, or 1000 at a few"
)


def laws_of(chain: Chain, *, swept: bool) -> Mapping[str, Prior]:
    """Return the laws of a chain: exact, or, where there are too many for that, to be enclosed.

    `swept`: whether what is released can be. Raises InputError where they are too large for either.
    """
    laws = ChainLaws(chain, checked=False)
    points, bits = laws.size
    work = chain.length * points * len(chain.states) ** 3
    if swept and work <= MOST_WORK and points * bits * len(laws) > MOST_BITS:
        return LongChain(laws)
    laws.check_size()
    return laws


class LongChain(BySecret):
    """Secret -> law of what is released of a chain, of which a decision knows enclosures alone.

    Attributes: `chain`; `least`, the least X, and `step` of the lattice above it; `places`, time ->
    state -> what is seen -> its place above the least at that time, and its weight; `degree`, the
    largest place of X; `alike`, whether all times are.
    """

    def __init__(self, laws: ChainLaws) -> None:
        self.chain: Chain = laws.chain
        self.secrets: dict[str, Record] = laws.secrets
        super().__init__(self.secrets)
        self.least, self.step, self.places = laws.places
        self.degree = laws.size[0] - 1
        self.alike = len(self.chain.transitions) == 1 and self.chain.release != "weighted"
        names: dict[int, list[str]] = {}
        for record in self.secrets.values():
            names.setdefault(record.time, []).append(record.name)
        self._at = names

    def __getitem__(self, name: str) -> Prior:
        return Enclosed(self, self.secrets[name])

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def length(self) -> int:
        """The number of records."""
        return self.chain.length

    def names_at(self, time: int) -> Sequence[str]:
        """Return what the record at a time may be as a secret."""
        return self._at.get(time, ())

    def chances(self, time: int) -> Matrix:
        """Return the chances of the step from a time to the next; after the last of no matter."""
        if time < self.length or len(self.chain.transitions) == 1:
            return self.chain.matrix(time)
        size = range(len(self.chain.states))
        return tuple(tuple(Fraction(i == j) for j in size) for i in size)

    def adds(self, time: int, name: str | None) -> list[list[tuple[int, int]]]:
        """Return, by state, the places and weights of what a record adds.

        With a name: where the record is what it says.
        """
        rows = self.places[time - 1]
        if name is None:
            return [list(seen.values()) for seen in rows]
        if self.chain.about == "state":
            states = self.chain.states
            return [
                list(seen.values()) if state == name else []
                for state, seen in zip(states, rows, strict=True)
            ]
        return [[seen[name]] if name in seen else [] for seen in rows]


class Enclosed(Prior):
    """The law of what a long chain releases, given one record; it is never written out."""

    __slots__ = ("chain", "secret")
    kind: ClassVar[str] = "enclosed"
    keys = ()  # no file states one
    has_density = False

    def __init__(self, chain: LongChain, secret: Record) -> None:
        self.chain, self.secret = chain, secret

    @property
    def why(self) -> str:
        """Why it is not written out, and what to do."""
        name = shorten(self.secret.name, 30)
        return f"the law given t={self.secret.time}:{name} {_WHY}; {_REMEDY}"

    def _refuse(self) -> NoReturn:
        raise InputError(self.why)

    def to_table(self) -> NoReturn:
        """Refuse."""
        self._refuse()

    def canonical(self) -> NoReturn:
        """Refuse."""
        self._refuse()

    @property
    def components(self) -> tuple[Component, ...]:
        """Refuse."""
        self._refuse()
