"""Priors with densities: a normal law, and mixtures of normal laws and atoms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from pfverify.errors import InputError, listed, shorten
from pfverify.exact.argument import Number
from pfverify.exact.number import number, printable, rational
from pfverify.exact.tokens import is_long
from pfverify.model.keys import CLOSED, Key, check_needed, table_of_keys
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.entries import texts_of
from pfverify.model.priors.prior import Component, Prior
from pfverify.model.ranges import not_negative
from pfverify.model.sums import exact_sum, sum_text
from pfverify.model.words import check_keys

_SHOWN = 3

_NORMAL = (
    Key("mean", "rational", needed=True),
    Key("variance", "rational, >= 0; 0 is an atom"),
    Key("sd", "standard deviation, rational, >= 0", written=False),
)
_COMPONENT = (Key("weight", "rational, >= 0", needed=True), *_NORMAL)


def _texts(parts: Iterable[Component]) -> list[dict[str, str]]:
    return [texts_of(part._asdict()) for part in parts]


class Mixture(Prior):
    """A prior that is a mixture of normal laws; components of variance 0 are atoms.

    Attribute: `components`, a tuple of `Component` sorted by mean, then variance. Those with the
    same mean and variance are one, those of weight 0 are left out, and the weights sum to
    exactly 1. Two mixtures are equal when their components are.

    Parameters: a list of tables with weight, mean, and either variance or sd (the standard
    deviation), or of `Component`. All numbers are exact rationals. Means and standard deviations
    have the unit of the released quantity, variances its square.

    Raises InputError naming the component and the key, or the exact sum of the weights.

    Example: ``Mixture([{"weight": "1/4", "mean": 0, "sd": 2}, {"weight": "3/4", "mean": 5,
    "variance": 1}])``.
    Source: Gaussian-mixture priors, Gaussian-priors paper, section IV.
    """

    __slots__ = ("_components", "_hash")

    kind = "mixture"
    keys: ClassVar[tuple[Key, ...]] = (
        Key(
            "components",
            "normal laws (atoms where the variance is 0); the weights sum to exactly 1",
            {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/component"}},
            needed=True, text=_texts,
        ),
    )  # fmt: skip

    def __init__(self, components: Iterable[Mapping[str, object] | Component]) -> None:
        what = "a list of tables of weight, mean, and variance or sd"
        if isinstance(components, str | Mapping | Component) or not isinstance(
            components, Iterable
        ):
            raise InputError(f"components: expected {what}, got {type(components).__name__}")
        parts = listed(components, "components", what)
        found = [_component(part, f"components[{k}]") for k, part in enumerate(parts)]
        if not found:
            raise InputError("components: the list is empty, expected at least one component")
        self._components = _merged(found)
        self._hash = hash(self._components)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the definitions of a mixture and of a component."""
        component = table_of_keys(_COMPONENT, Gaussian.together() | CLOSED)
        return {**super().schema(), "component": component}

    def canonical(self) -> list[list[str]]:
        """Return every component as [mean, variance, weight], sorted."""
        return [[str(mean), str(variance), str(w)] for w, mean, variance in self.components]

    def normal_form(self) -> Prior:
        """Return the prior itself, or the equal `Discrete` where it is atoms alone."""
        if self.has_density:
            return self
        return Discrete({part.mean: part.weight for part in self.components})

    @property
    def has_density(self) -> bool:
        """Whether some component has a positive variance."""
        return any(part.variance for part in self.components)

    @property
    def components(self) -> tuple[Component, ...]:
        """The components, sorted by mean, then variance."""
        return self._components

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mixture) and self.components == other.components

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        parts = [
            f"{shorten(weight, 30)} N({shorten(mean, 30)}, {shorten(variance, 30)})"
            for weight, mean, variance in self.components[:_SHOWN]
        ]
        return f"Mixture({' + '.join(parts)}{' + ...' if len(self.components) > _SHOWN else ''})"


class Gaussian(Mixture):
    """A normal prior: the mixture with one component.

    Parameters: `mean`, and either `variance` or `sd` (the standard deviation); exact rationals.
    `mean` and `sd` have the unit of the released quantity, `variance` its square. Variance 0 is
    an atom.

    Raises InputError naming what was wrong.

    Example: ``Gaussian(0, sd="3/2") == Gaussian(0, variance="9/4")`` is ``True``.
    Source: Gaussian-priors paper, section III.
    """

    __slots__ = ()

    kind = "gaussian"
    keys = _NORMAL
    one_of = "variance", "sd"

    def __init__(
        self, mean: Number, variance: Number | None = None, sd: Number | None = None
    ) -> None:
        self._components = (_normal(Fraction(1), mean, variance, sd, ""),)
        self._hash = hash(self._components)

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the definition of a normal prior alone."""
        return super(Mixture, cls).schema()

    def to_table(self) -> dict[str, Any]:
        """Return kind, mean and variance."""
        _, mean, variance = self.components[0]
        return {"kind": self.kind, "mean": str(mean), "variance": str(variance)}

    def __repr__(self) -> str:
        _, mean, variance = self.components[0]
        return f"Gaussian(mean={shorten(mean, 30)!r}, variance={shorten(variance, 30)!r})"


def _component(part: object, where: str) -> Component:
    """Read one entry of a list of components."""
    if isinstance(part, Component):
        part = part._asdict()
    if not isinstance(part, Mapping):
        raise InputError(
            f"{where}: expected a table of weight, mean, and variance or sd, got "
            f"{type(part).__name__}"
        )
    check_keys(part, [key.name for key in _COMPONENT], f"{where}: ")
    check_needed(part, _COMPONENT, f"{where}: ")
    weight = not_negative(part["weight"], f"{where}: weight")
    return _normal(weight, part["mean"], part.get("variance"), part.get("sd"), f"{where}: ")


def _normal(
    weight: Fraction, mean: object, variance: object | None, sd: object | None, where: str
) -> Component:
    """Return a component from a mean and exactly one of variance and standard deviation."""
    if (variance is None) == (sd is None):
        what = "neither" if variance is None else "both"
        raise InputError(f"{where}expected exactly one of variance and sd, got {what}")
    centre = rational(printable(mean, f"{where}mean"), f"{where}mean")
    if variance is not None:
        return Component(weight, centre, not_negative(variance, f"{where}variance"))
    exact = number(sd, f"{where}sd")
    if exact.fraction is None:
        raise InputError(
            f"{where}sd: expected a rational number, got {shorten(exact.text)}; give its square "
            "as variance"
        )
    square = not_negative(exact, f"{where}sd") ** 2
    if is_long(square):
        raise InputError(f"{where}sd: its square has more than 4300 digits")
    return Component(weight, centre, square)


def _merged(found: list[Component]) -> tuple[Component, ...]:
    """Return the canonical list: equal laws merged, weight 0 dropped, sorted, of sum 1."""
    total = exact_sum([part.weight for part in found])
    if total != 1:
        raise InputError(f"the weights sum to {sum_text(total)}, expected exactly 1")
    weights: dict[tuple[Fraction, Fraction], list[Fraction]] = {}
    for weight, mean, variance in found:
        if weight:
            weights.setdefault((mean, variance), []).append(weight)
    merged = [
        Component(exact_sum(parts), mean, variance)
        for (mean, variance), parts in sorted(weights.items())
    ]
    for part in merged:
        if is_long(part.weight):
            raise InputError(
                f"the weights of the components with mean {shorten(part.mean, 30)} and variance "
                f"{shorten(part.variance, 30)} sum to a fraction of more than 4300 digits"
            )
    return tuple(merged)
