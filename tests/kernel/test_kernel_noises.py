"""What some kinds of noise ask: atoms on a lattice, a rational variance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.coordinates import Joint
from core.grammar import Malformed
from core.kinds import Enclosed, Mixture
from core.shapes import parse
from reader import noises

F = Fraction
STEP = F(1, 2)
OFF = "atoms of a pair do not differ by multiples of the step"


def law(*atoms: Any) -> dict[Fraction, Fraction]:
    return {F(x): F(1, len(atoms)) for x in atoms}


def joint(*points: tuple[Any, ...]) -> Joint:
    names = ("x", "y")[: len(points[0])]
    return Joint(names, tuple((tuple(map(F, x)), F(1, len(points))) for x in points))


LATTICE = {"a": law(0, 1), "b": law("1/2", 3), "c": law("1/3"), "d": law("4/3", "5/6")}


@pytest.mark.parametrize(
    ("priors", "pairs", "off"),
    [
        (LATTICE, "ab ba cd dc", False),
        (LATTICE, "ab ac", True),
        (LATTICE, "ca", True),
        ({"a": law(0, "1/3"), "b": law(0)}, "ab", True),
        ({"a": law(0), "b": law(0, "1/3")}, "ab", True),
        ({"a": law("1/3", "1/3"), "b": law("1/3", "-1/6")}, "ab", False),
        # a secret that a belief lacks says nothing of the pairs behind
        ({"a": law(0), "c": law("1/3")}, "ab ba", False),
        ({"a": law(0), "c": law("1/3")}, "ab ac", True),
        ({"a": law(0), "c": law("1/3")}, "ba ca", True),
        ({"a": joint((0, 0), (1, "1/2")), "b": joint(("1/2", 0))}, "ab", False),
        ({"a": joint((0, 0)), "b": joint(("1/2", "1/3"))}, "ab", True),
        ({"a": joint((0, 0)), "b": joint(("1/3", "1/2"))}, "ab", True),
        ({"a": Enclosed(law(0), law(0, "1/3")), "b": law(0)}, "ab", True),
        ({"a": Enclosed(law(0), law(0, 1)), "b": law(0)}, "ab", False),
    ],
)
def test_atoms_of_a_pair_are_on_one_lattice(priors: Any, pairs: str, off: bool) -> None:
    """In each belief; the atoms of secrets that are no pair need not be."""
    asked = [(pair[0], pair[1]) for pair in pairs.split()]
    for beliefs in ({"one": priors}, {"other": {"a": law(0)}, "one": priors}):
        if off:
            with pytest.raises(Malformed) as refused:
                noises.require_lattice(beliefs, asked, STEP)
            assert str(refused.value) == OFF
        else:
            noises.require_lattice(beliefs, asked, STEP)


def test_what_has_no_lattice() -> None:
    with pytest.raises(ValueError, match="zip"):  # of points of two dimensions
        noises.require_lattice({"one": {"a": joint((0, 0)), "b": law(0)}}, [("a", "b")], STEP)
    normal = Mixture(((F(0), F(1), F(1)),))
    with pytest.raises(Malformed, match="discrete-laplace noise needs priors of atoms"):
        noises.require_lattice({"one": {"a": normal}}, [], STEP)


def test_the_square_of_a_scale_is_a_fraction_or_refused() -> None:
    for text, square in (("3", 9), ("sqrt(2/3)", F(2, 3)), ("exp(log(5)/2)", 5)):
        assert noises.variance({"kind": "gaussian"}, parse(text)) == square
    for text in ("exp(1)", "sqrt(2)+1", "exp(exp(1000000))"):  # of which the last is not enclosed
        with pytest.raises(Malformed, match="must be rational: give its variance"):
            noises.variance({"kind": "gaussian"}, parse(text))
