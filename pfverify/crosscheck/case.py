"""One question to an implementation, in the floats that it gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

from pfverify.errors import InputError, shorten
from pfverify.model.noises.discrete_gaussian import DiscreteGaussian
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.laplace import Laplace
from pfverify.model.noises.none import NoNoise
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.mixture import Mixture
from pfverify.model.priors.prior import Component, Prior
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.releases.release import Noise
from pfverify.model.releases.repeated import FRESH, SAME, Repeated
from pfverify.model.sums import exact_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

Row = tuple[float, float, float]
Floats = tuple[float, ...]

NOISES: dict[str, Callable[[Fraction | None], Noise]] = {
    "laplace": Laplace,
    "discrete-laplace": lambda scale: DiscreteLaplace(scale, step=1),
    "gaussian": GaussianNoise,
    "discrete-gaussian": lambda scale: DiscreteGaussian(scale, step=1),
    "none": lambda scale: NoNoise(),
}
"""The kinds of noise that implementations are asked about, each at a scale (None: open).

Without noise the value itself is released, at whatever scale: a finite channel.
"""


_LAWS = ("p", "q")
_PARAMETERS = {
    "scale": (*_LAWS, "epsilon"),
    "relaxed_columns": (*_LAWS, "epsilon"),
    "loss": (*_LAWS, "scale"),
    "delta": (*_LAWS, "scale", "epsilon"),
    "density": ("p", "scale", "y"),
    "plan": _LAWS,
    "accountant": (*_LAWS, "scale", "count", "epsilon"),
}


def parameters(kind: str, laws: str = "atoms") -> tuple[str, ...]:
    """Return the names of a function's parameters, by position: normal laws need no atoms.

    Raises InputError for a kind that is not known.
    Example: ``parameters("scale", "normal")`` is ``('p', 'q', 'epsilon')``.
    """
    if kind not in _PARAMETERS:
        raise InputError(f"kind: {shorten(kind)!r} is unknown, expected {', '.join(_PARAMETERS)}")
    return _PARAMETERS[kind] if laws == "normal" else ("atoms", *_PARAMETERS[kind])


@dataclass(frozen=True)
class AtomLaw:
    """A law of atoms: places, ascending, and masses >= 0 whose sum is about 1 (some may be 0)."""

    atoms: Floats
    masses: Floats

    def prior(self) -> Discrete:
        """Return the law that the floats mean: exact rationals, divided by their exact sum.

        Raises InputError for floats that are no law. Example:
        ``AtomLaw((0.0, 1.0), (0.5, 1.5)).prior()`` is ``Discrete({0: "1/4", 1: "3/4"})``.
        """
        if len(self.atoms) != len(self.masses):
            raise InputError(f"{len(self.atoms)} atoms and {len(self.masses)} masses")
        _check_finite([*self.atoms, *self.masses])
        ratios = [mass.as_integer_ratio() for mass in self.masses]
        unit = max((bottom for _, bottom in ratios), default=1)  # powers of 2: it is a multiple
        places = map(Fraction, self.atoms)
        return Discrete(
            counts={
                atom: top * (unit // bottom)
                for atom, (top, bottom) in zip(places, ratios, strict=True)
            }
        )


@dataclass(frozen=True)
class Normals:
    """A mixture of normal laws, rows of weight, mean and variance; of variance 0: an atom."""

    rows: tuple[Row, ...]

    def prior(self) -> Prior:
        """Return the law that the floats mean: exact rationals, weights divided by their sum.

        Raises InputError for floats that are no law.
        Example: ``Normals(((2.0, 0.0, 1.0),)).prior().components[0].weight`` is 1.
        """
        _check_finite([number for row in self.rows for number in row])
        weights = [Fraction(weight) for weight, _, _ in self.rows]
        total = exact_sum(weights)
        if total <= 0:
            raise InputError("the weights sum to 0, expected a sum > 0")
        return Mixture(
            Component(weight / total, Fraction(mean), Fraction(variance))
            for weight, (_, mean, variance) in zip(weights, self.rows, strict=True)
        ).normal_form()


Law = AtomLaw | Normals


def reweighted(rows: tuple[Row, ...], weights: Floats) -> tuple[Row, ...]:
    """Return the same components with other weights.

    Example: ``reweighted(((1.0, 3.0, 4.0),), (0.5,))`` is ``((0.5, 3.0, 4.0),)``.
    """
    return tuple((w, mean, var) for w, (_, mean, var) in zip(weights, rows, strict=True))


def places_of(law: Law) -> Floats:
    """Return the atoms of a law, or the means of its components.

    Example: ``places_of(AtomLaw((0.0, 1.0), (0.5, 0.5)))`` is ``(0.0, 1.0)``.
    """
    return law.atoms if isinstance(law, AtomLaw) else tuple(mean for _, mean, _ in law.rows)


def _check_finite(numbers: list[float]) -> None:
    for number in numbers:
        if not isfinite(number):
            raise InputError(f"{number} is not finite")


@dataclass(frozen=True)
class Case:
    """One question: which laws, what noise, and the numbers that its kind takes.

    Attributes: `kind`, a name in `kinds.KINDS`; `noise`, a name in `NOISES`, "" for a plan; `p`
    and `q`, which share their atoms (`q` is None for a density); `epsilon`, `delta`, `scale`, `y`
    and `count`, of releases, None where the question has none; `origin`, where the case comes from.
    """

    kind: str
    noise: str
    p: Law
    q: Law | None
    epsilon: float | None = None
    delta: float | None = None
    scale: float | None = None
    y: Floats | None = None
    origin: str = ""
    count: float | None = None

    @property
    def laws(self) -> str:
        """The shape of the laws: "atoms" or "normal"."""
        return "atoms" if isinstance(self.p, AtomLaw) else "normal"

    @property
    def size(self) -> int:
        """How many atoms, or rows of both laws, there are."""
        if isinstance(self.p, AtomLaw):
            return len(self.p.atoms)
        return len(self.p.rows) + (len(self.q.rows) if isinstance(self.q, Normals) else 0)

    def arguments(self) -> tuple[list[NDArray[Any] | float], dict[str, float]]:
        """Return what a function is called with, by position and by name.

        Arrays are new on every call: a function may write into its own.
        Raises InputError for a kind that is not known, or a number that is missing.
        """
        named = {} if self.delta is None else {"delta": self.delta}
        return [self._argument(name) for name in parameters(self.kind, self.laws)], named

    def _argument(self, name: str) -> NDArray[Any] | float:
        import numpy as np

        if name == "atoms" and isinstance(self.p, AtomLaw):
            return np.array(self.p.atoms, dtype=np.float64)
        if name in ("p", "q"):
            law = self.p if name == "p" else self.q
            if law is not None:
                return np.array(
                    law.masses if isinstance(law, AtomLaw) else law.rows, dtype=np.float64
                )
        if name == "y" and self.y is not None:
            return np.array(self.y, dtype=np.float64)
        numbers = {"epsilon": self.epsilon, "scale": self.scale, "count": self.count}
        value = numbers.get(name)
        if value is None:
            raise InputError(f"a case of kind {self.kind} has no {name}")
        return value

    def noise_with(self, scale: Fraction | None) -> Noise:
        """Return the noise at a scale (None: it is to be found).

        Raises InputError for a noise that is not known.
        """
        if self.noise not in NOISES:
            offered = ", ".join(NOISES)
            raise InputError(f"noise: {shorten(self.noise)!r} is unknown, expected {offered}")
        return NOISES[self.noise](scale)

    def problem(self) -> Problem:
        """Return the same question about exact numbers, under the secrets "p" and "q".

        What the question leaves open is epsilon 1, delta 0, Laplace noise and no scale. With a
        count there are so many releases, each of its own draw.
        Raises InputError for a density, which compares nothing, and a count that is no number of
        releases.
        """
        if self.q is None:
            raise InputError("a density is of one law: there is nothing to compare")
        scale = None if self.scale is None else Fraction(self.scale)
        one = self.noise_with(scale) if self.noise else Laplace()
        noise: Noise | Repeated = one
        if self.count is not None:
            # of points every draw is the same, and more is known of one
            draws = SAME if self._points else FRESH
            noise = Repeated(one, count=_whole(self.count), draws=draws)
        return Problem(
            {"p": self.p.prior(), "q": self.q.prior()},
            noise=noise,
            epsilon=1 if self.epsilon is None else Fraction(self.epsilon),
            delta=0 if self.delta is None else Fraction(self.delta),
        )

    @property
    def _points(self) -> bool:
        """Whether each law is a single atom."""
        return all(
            isinstance(law, AtomLaw) and sum(map(bool, law.masses)) == 1 for law in (self.p, self.q)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the case as JSON has it; floats as hexadecimal text, and as decimals beside it.

        Example: ``Case.from_dict(case.to_dict()) == case`` is True.
        """
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        found: dict[str, Any] = {"kind": self.kind, "noise": self.noise}
        if isinstance(self.p, AtomLaw):
            found["atoms"] = floats_to_dict(self.p.atoms)
        for name, law in (("p", self.p), ("q", self.q)):
            if isinstance(law, AtomLaw):
                found[name] = floats_to_dict(law.masses)
            elif isinstance(law, Normals):
                found[name] = {"rows": [floats_to_dict(row) for row in law.rows]}
        found |= {name: floats_to_dict((x,)) for name, x in numbers.items() if x is not None}
        if self.y is not None:
            found["y"] = floats_to_dict(self.y)
        return found | {"origin": self.origin}

    @classmethod
    def from_dict(cls, table: Mapping[str, Any]) -> Case:
        """Return the case that `to_dict` wrote, to the last bit.

        Raises InputError naming what is missing, unknown or no float.
        """
        if not isinstance(table, Mapping):
            raise InputError(f"case: expected a table, got {type(table).__name__}")
        for key in table:
            if key not in _KEYS:
                raise InputError(f"case: unknown key {shorten(key)!r}, expected {_KEYS_TEXT}")
        for key in ("kind", "noise", "p"):
            if key not in table:
                raise InputError(f"case: missing key {key!r}")
        for key in ("kind", "noise", "origin"):
            if not isinstance(table.get(key, ""), str):
                raise InputError(f"case: {key}: expected text, got {shorten(table[key])!r}")
        atoms = _floats(table["atoms"], "atoms") if "atoms" in table else None
        first, second = (
            _law(table[name], atoms, name) if name in table else None for name in ("p", "q")
        )
        if first is None or (second is not None and type(first) is not type(second)):
            raise InputError("case: expected p and q of the same shape")
        numbers = {
            name: _floats(table[name], name, one=True)[0] if name in table else None
            for name in _NUMBERS
        }
        return cls(
            table["kind"],
            table["noise"],
            first,
            second,
            y=_floats(table["y"], "y") if "y" in table else None,
            origin=table.get("origin", ""),
            **numbers,
        )

    def check(self) -> None:
        """Raise InputError where this is no question: nothing that follows would be its answer.

        Both laws share their atoms, each once and ascending, and the numbers are there and finite.
        Example: ``Case("loss", "laplace", p, q).check()`` raises "a case of kind loss has no scale"
        """
        for name in parameters(self.kind, self.laws):
            if name != "atoms" and getattr(self, name) is None:
                raise InputError(f"a case of kind {self.kind} has no {name}")
        numbers = [*(getattr(self, name) for name in _NUMBERS), *(self.y or ())]
        _check_finite([number for number in numbers if number is not None])
        if isinstance(self.p, AtomLaw):
            if not all(a < b for a, b in pairwise(self.p.atoms)):
                raise InputError("atoms: expected each once, ascending")
            if isinstance(self.q, AtomLaw) and self.q.atoms != self.p.atoms:
                raise InputError("atoms: expected the same ones under p and q")
        if self.q is not None and type(self.q) is not type(self.p):
            raise InputError("p and q: expected laws of the same shape")

    def pair(self) -> Question:
        """Return both laws as the one pair of the problem."""
        (found,) = self.problem().questions()
        return found


_NUMBERS = ("epsilon", "delta", "scale", "count")
_KEYS = ("kind", "noise", "atoms", "p", "q", *_NUMBERS, "y", "origin")
_KEYS_TEXT = ", ".join(_KEYS)


def _whole(count: float) -> int:
    """Read a number of releases; InputError for a float that is no whole number."""
    if not isfinite(count) or count != int(count):
        raise InputError(f"count: {count!r} is no whole number of releases")
    return int(count)


def floats_to_dict(numbers: Floats) -> dict[str, list[str]]:
    """Return floats as hexadecimal text, which is exact, and as the shortest decimals.

    Example: ``floats_to_dict((0.5,))`` is
    ``{"hex": ["0x1.0000000000000p-1"], "decimal": ["0.5"]}``.
    """
    return {"hex": [x.hex() for x in numbers], "decimal": [repr(x) for x in numbers]}


def _floats(value: object, name: str, *, one: bool = False) -> Floats:
    """Read what `floats_to_dict` wrote; where decimals are there they have to agree."""
    if not isinstance(value, Mapping) or not isinstance(value.get("hex"), list):
        raise InputError(f"case: {name}: expected a table with a list hex of hexadecimal floats")
    try:
        numbers = tuple(float.fromhex(text) for text in value["hex"])
        decimals = [float(text) for text in value.get("decimal", numbers)]
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"case: {name}: expected hexadecimal floats such as 0x1.8p+1") from None
    if [x.hex() for x in decimals] != [x.hex() for x in numbers]:
        raise InputError(f"case: {name}: the hexadecimal and the decimal floats differ")
    for number in numbers:
        if not isfinite(number):
            raise InputError(f"case: {name}: {number} is not finite")
    if one and len(numbers) != 1:
        raise InputError(f"case: {name}: expected one number, got {len(numbers)}")
    return numbers


def _law(value: object, atoms: Floats | None, name: str) -> Law:
    if atoms is not None:
        return AtomLaw(atoms, _floats(value, name))
    if not isinstance(value, Mapping) or not isinstance(value.get("rows"), list):
        raise InputError(f"case: {name}: expected a table of rows, or atoms beside it")
    rows = [_floats(row, f"{name}.rows") for row in value["rows"]]
    if any(len(row) != 3 for row in rows):
        raise InputError(f"case: {name}.rows: expected rows of weight, mean and variance")
    return Normals(tuple((row[0], row[1], row[2]) for row in rows))
