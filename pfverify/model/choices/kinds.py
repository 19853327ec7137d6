"""Of which noise choices are worked out, and by what."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.exponential import Exponential
from pfverify.model.noises.gaussian import GaussianNoise
from pfverify.model.noises.gumbel import Gumbel
from pfverify.model.noises.laplace import Laplace
from pfverify.model.releases.release import Noise

if TYPE_CHECKING:
    from pfverify.model.choices.integrals import ChoiceChances


MOST_ORDERED = 8


class Worked(NamedTuple):
    """What makes chances over a ring, with the step of a lattice.

    `exact`: whether they are finite sums of exponentials; `one_sided`: whether the noise is not
    symmetric, so that the smallest is not the largest of what is negated; `ordered`: how many of
    the largest may be named in their order.
    """

    chances: Callable[[Any, Fraction | None], ChoiceChances[Any]]
    exact: bool = True
    one_sided: bool = False
    ordered: int = 2


def _on_line(ring: Any, step: Fraction | None) -> ChoiceChances[Any]:
    from pfverify.model.choices.integrals import LineChances

    del step
    return LineChances(ring)


def _on_lattice(ring: Any, step: Fraction | None) -> ChoiceChances[Any]:
    from pfverify.model.choices.integrals import LatticeChances

    if step is None:
        raise TypeError("discrete noise without a step")
    return LatticeChances(ring, step)


def _one_sided(ring: Any, step: Fraction | None) -> ChoiceChances[Any]:
    from pfverify.model.choices.integrals import OneSidedChances

    del step
    return OneSidedChances(ring)


def _gumbel(ring: Any, step: Fraction | None) -> ChoiceChances[Any]:
    from pfverify.model.choices.gumbel import GumbelChances

    del step
    return GumbelChances(ring)


def _normal(ring: Any, step: Fraction | None) -> ChoiceChances[Any]:
    from pfverify.model.choices.normal import NormalChances

    del step
    return NormalChances(ring)


WORKED_OUT: dict[type[Noise], Worked] = {
    Laplace: Worked(_on_line),
    DiscreteLaplace: Worked(_on_lattice),
    GaussianNoise: Worked(_normal, exact=False),
    Exponential: Worked(_one_sided, one_sided=True),
    Gumbel: Worked(_gumbel, one_sided=True, ordered=MOST_ORDERED),
}
"""Noise -> how chances are worked out; what has no row is refused."""
NAMES = tuple(kind.kind for kind in WORKED_OUT)
ALONE = (Laplace.kind, GaussianNoise.kind, Exponential.kind)
"""What a threshold may have where the numbers have none: discrete noise has no step there."""
