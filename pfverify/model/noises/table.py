"""Noise of finitely many perturbations, each with an exact weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm, prod
from typing import Any, NoReturn, Self

from pfverify.errors import InputError, shorten, told_at
from pfverify.exact.argument import Number as AnyNumber
from pfverify.exact.number import Number, rational
from pfverify.model.keys import NUMBERS, Key
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.entries import AtomTable, texts_of
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.prior import Prior
from pfverify.model.releases.release import Noise

ASSUMED = (
    "exact draws from the noise table, by a cell key (cells that share records, and so record "
    "keys, are not independent)"
)
KEYS = (
    "the keys of different cells, and of different releases, are taken as independent, also where "
    "they share records; the same records have the same key, and so the same noise again"
)
"""What is assumed besides where there is more than one noisy number."""
ONE_OF = "weights, by, lines and file"
_WEIGHTS = {"$ref": "#/$defs/table"}
_KEPT = 4096  # laws of Y that are kept
MOST_MOVES = 20_000
"""Of several numbers together, over all points of a prior: more are not worked out."""


class TableNoise(Noise):
    """Noise from a table: each perturbation of X with its exact weight.

    Parameters: `weights`, one table perturbation -> weight for every X; or `by`, X -> such a table,
    where the noise depends on X, with `larger`, the table of every X above the largest of `by`; or
    `lines`, as offices publish them (`key_lines`), of which the last count has that of every larger
    X. Each table sums to exactly 1. The released law is worked out exactly. There is no scale: no
    fact says which of two tables is more private.

    Raises InputError naming the table, and the perturbation or what the weights sum to.
    Example: ``TableNoise({-1: "1/4", 0: "1/2", 1: "1/4"}).of(7).mass[1]`` is ``1/4``.
    Source: cell-key perturbation of statistics offices; design fact F49.
    """

    kind = "table"
    more_scale = None
    has_masses = True
    by_coordinate = True
    keys = (
        Key(
            "weights",
            "of a table: perturbation -> weight, for every X; the weights sum to exactly 1",
            _WEIGHTS,
        ),
        Key(
            "by", "of a table: X -> its own weights, in place of weights",
            {"type": "object", "minProperties": 1, "additionalProperties": _WEIGHTS},
        ),
        Key(
            "larger", "of a table with by: the weights for every X above the largest of by",
            _WEIGHTS,
        ),
        Key(
            "lines", "of a table, in place of weights and by: [pcv, ckey, pvalue] for every count "
            "and cell key, as offices publish it; the keys are 0 to m - 1, or upper ends up to 1; "
            "the last count stands for all larger ones",
            {"type": "array", "minItems": 1, "items": {**NUMBERS, "minItems": 3, "maxItems": 3}},
            written=False,
        ),
        Key(
            "file", "of a table: a CSV with the columns pcv, ckey and pvalue that has these lines, "
            "named from the folder of the problem file", {"type": "string"}, written=False,
        ),
        Key(
            "digest", "of a table with a file: sha256: and the hexadecimal digits of its bytes, "
            "which are held to it", {"type": "string"}, written=False,
        ),
    )  # fmt: skip
    size_name = "table"
    variance_text = "the one of its table"
    weights: Discrete | None
    by: dict[Fraction, Discrete]
    larger: Discrete | None

    def __init__(
        self,
        weights: AtomTable | None = None,
        *,
        by: Mapping[Any, AtomTable] | None = None,
        larger: AtomTable | None = None,
        lines: Iterable[Sequence[AnyNumber]] | None = None,
    ) -> None:
        if sum(one is not None for one in (weights, by, lines)) != 1:
            raise InputError(f"noise of kind table takes exactly one of {ONE_OF}")
        if larger is not None and by is None:
            raise InputError("larger: it goes with by; weights alone are for every X")
        if lines is not None:
            from pfverify.model.noises.key_lines import laws_of_lines

            with told_at("lines: "):
                made = laws_of_lines(lines)
            by, larger = made, made[max(made)]
        self._keep(
            scale=Number.of_rational(0),
            weights=_read("weights", weights), by=_tables(by), larger=_read("larger", larger),
        )  # fmt: skip

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Self:
        """Return what a table states, or a file that it names from the working directory."""
        if "file" not in table:
            if "digest" in table:
                raise InputError("digest: it is that of a file, expected the key file beside it")
            return super().from_table(table)
        if beside := [key for key in ("weights", "by", "larger", "lines") if key in table]:
            raise InputError(f"{beside[0]}: not beside file; expected exactly one of {ONE_OF}")
        from pfverify.model.noises.key_lines import laws_of_lines, lines_of_file

        lines = lines_of_file(table["file"], table.get("digest"))
        with told_at(f"file: {shorten(table['file'], 100)}: "):
            made = laws_of_lines(lines)
        return cls(by=made, larger=made[max(made)])

    def to_table(self) -> dict[str, Any]:
        """Return the kind and the weights."""
        one = {"weights": self.weights, "larger": self.larger}
        by = {"by": {str(x): _texts(table) for x, table in self.by.items()}} if self.by else {}
        found = {key: _texts(table) for key, table in one.items() if table is not None}
        return {"kind": self.kind, **by, **found}

    def canonical(self) -> dict[str, Any]:
        """Return the kind and the weights, sorted: those of mass 0 are left out."""
        tables = {"weights": self.weights, "larger": self.larger}
        return {
            "kind": self.kind,
            "by": tuple((str(x), _rows(table)) for x, table in self.by.items()),
            **{key: None if table is None else _rows(table) for key, table in tables.items()},
        }

    @classmethod
    def size_words(cls, scale: str) -> tuple[str, str | None]:
        """Return that the table says it all: it has no size."""
        del scale
        return "weights as stated", None

    @property
    def adds_nothing(self) -> bool:
        """False: a table that adds 0 alone is a table too."""
        return False

    @property
    def has_size(self) -> bool:
        """False: the table is what it is."""
        return False

    @property
    def independent(self) -> bool:
        """Whether one table is for every X."""
        return self.weights is not None

    def of(self, x: AnyNumber) -> Discrete:
        """Return the law of N when X is a number; InputError for one that has no table.

        Example: ``TableNoise(by={0: {0: 1}}, larger={1: 1}).of(5)`` is ``Discrete({1: '1'})``.
        """
        value = rational(x, "X")
        found = self.weights or self.by.get(value)
        if found is None and value > next(reversed(self.by)):
            found = self.larger
        if found is None:
            raise InputError(
                f"noise.by: there is no table for X = {shorten(value, 24)}, expected one for every "
                "value of X (larger: for those above the largest)"
            )
        return found

    def convolved(self, prior: Discrete) -> Discrete:
        """Return the law of Y = X + N for a law of X, exact; InputError for X without a table.

        Example: ``TableNoise({0: "1/2", 1: "1/2"}).convolved(Discrete({0: 1})).size`` is 2.
        Source: design fact F49.
        """
        return _convolved(self, prior)

    def convolved_points(self, prior: Joint) -> Joint:
        """Return the law of several noisy numbers, each with noise of its own, exact.

        Raises InputError for a number without a table, and for more moves than are worked out.
        Example: ``len(TableNoise({0: "1/2", 1: "1/2"}).convolved_points(Joint(["x", "y"],
        [[0, 0, 1]])).mass)`` is ``4``.
        Source: design fact F49.
        """
        return _convolved_points(self, prior)

    def with_scale(self, scale: AnyNumber) -> NoReturn:
        """Refuse: raises InputError, since a table has no scale."""
        told = scale.text if isinstance(scale, Number) else scale
        raise InputError(f"noise.kind: table has no scale {shorten(told)}; state another table")

    def require_scale(self, what: str) -> None:
        """Refuse: raises InputError, since there is no scale to ask about."""
        raise InputError(
            f"{what}: noise of kind table has no scale, and no fact says which of two tables is "
            "more private; certify decides a table as it stands"
        )

    def sd(self, scale: Fraction) -> Fraction:
        """Refuse: raises InputError, since it may depend on X, and no scale sets it."""
        raise InputError("noise.kind: table has no scale, and so no standard deviation by it")

    def mean_abs(self, scale: Fraction) -> Fraction:
        """Refuse: raises InputError, since it may depend on X, and no scale sets it."""
        raise InputError("noise.kind: table has no scale, and so no mean absolute value by it")

    def check_priors(
        self, beliefs: Mapping[str, Mapping[str, Prior]], pairs: Iterable[tuple[str, str]]
    ) -> None:
        """Raise InputError for a prior that is not of atoms, or of points, and for an atom without
        a table.
        """
        del pairs
        for table in beliefs.values():
            for secret, prior in table.items():
                if isinstance(prior, Joint):
                    atoms = [x for k in range(len(prior.names)) for x in prior.axis(k)]
                elif isinstance(prior, Discrete):
                    atoms = [*prior.atoms]
                else:
                    raise InputError(
                        f"prior of {shorten(secret)!r}: noise of kind table takes priors of atoms, "
                        f"not of kind {prior.kind}"
                    )
                if not self.independent:
                    with told_at(f"prior of {shorten(secret)!r}: "):
                        for x in atoms:
                            self.of(x)

    def released(self, *, bare: bool) -> str:
        """Return how the noise is drawn, and that it is for one cell."""
        del bare
        return ASSUMED

    def __repr__(self) -> str:
        if self.weights is not None:
            return f"TableNoise({_texts(self.weights)!r})"
        larger = "" if self.larger is None else ", and for larger ones"
        return f"<TableNoise for {len(self.by)} values of X{larger}>"


@lru_cache(maxsize=_KEPT)  # a law is asked for in every pair that it is in
def _convolved(noise: TableNoise, prior: Discrete) -> Discrete:
    tables = [noise.of(x) for x in prior.atoms]
    denominator = lcm(prior.denominator, *(table.denominator for table in tables))
    total = lcm(*(table.total for table in tables))
    found: dict[int, int] = {}
    for point, weight, table in zip(prior.points, prior.weights, tables, strict=True):
        start, mass = point * (denominator // prior.denominator), weight * (total // table.total)
        unit = denominator // table.denominator
        for n, share in zip(table.points, table.weights, strict=True):
            y = start + n * unit
            found[y] = found.get(y, 0) + mass * share
    return Discrete(counts=[(Fraction(y, denominator), mass) for y, mass in found.items()])


@lru_cache(maxsize=_KEPT)
def _convolved_points(noise: TableNoise, prior: Joint) -> Joint:
    tables = {x: noise.of(x) for k in range(len(prior.names)) for x in prior.axis(k)}
    moved = {
        x: [(x + n, table.mass[n]) for n in table.atoms] for x, table in tables.items()
    }
    moves = sum(prod(len(moved[x]) for x in point) for point in prior.mass)
    if moves > MOST_MOVES:
        raise InputError(
            f"noise of kind table: {shorten(moves)} moves of {len(prior.names)} numbers together, "
            f"at most {MOST_MOVES} are worked out; numbers that are independent given the secret "
            "can stand in [[parts]], one in each"
        )
    found: dict[tuple[Fraction, ...], Fraction] = {}
    for point, mass in prior.mass.items():
        for way in product(*(moved[x] for x in point)):
            y, share = tuple(x for x, _ in way), prod((w for _, w in way), start=mass)
            found[y] = found.get(y, Fraction(0)) + share
    return Joint.of(prior.names, found)


def _read(where: str, table: AtomTable | None) -> Discrete | None:
    """One table of weights; InputError that begins with its place."""
    if table is None:
        return None
    with told_at(f"{where}: "):
        return Discrete(table)


def _tables(by: object) -> dict[Fraction, Discrete]:
    """The tables of single values of X, sorted by them; InputError naming the one that is wrong."""
    if by is None:
        return {}
    if not isinstance(by, Mapping) or not by:
        raise InputError("by: expected a mapping X -> weights, at least one")
    found: dict[Fraction, Discrete] = {}
    for x, weights in by.items():
        where = f"by.{shorten(x, 24)}"
        value, table = rational(x, where), _read(where, weights)
        if table is None:
            raise InputError(f"{where}: expected weights, got nothing")
        if value in found:
            raise InputError(f"{where}: a second table for X = {shorten(value, 24)}")
        found[value] = table
    return dict(sorted(found.items()))


def _texts(table: Discrete) -> dict[str, str]:
    return texts_of(table.mass)


def _rows(table: Discrete) -> tuple[tuple[str, str], ...]:
    return tuple(_texts(table).items())
