"""The values of X, and each of them as a law."""

from __future__ import annotations

from fractions import Fraction

import kernel_builder as kb  # noqa: F401
import pytest
from core.coordinates import Joint
from core.kinds import Mixture
from core.rules import Rejected
from core.values import atoms_of, point_of

F = Fraction
HALF = F(1, 2)


def test_all_values_with_both_masses() -> None:
    p, q = {F(0): HALF, F(1): HALF}, {F(1): F(1, 4), F(2): F(3, 4)}
    assert atoms_of(p, q) == [(F(0), HALF, 0), (F(1), HALF, F(1, 4)), (F(2), 0, F(3, 4))]
    first, second = (F(0), F(1)), (F(1), F(1))
    p_all, q_all = Joint(("x", "y"), ((first, F(1)),)), Joint(("x", "y"), ((second, F(1)),))
    assert atoms_of(p_all, q_all) == [(first, 1, 0), (second, 0, 1)]


def test_other_laws_have_none() -> None:
    normal = Mixture(((F(0), F(1), F(1)),))
    atoms, points = {F(0): F(1)}, Joint(("x",), (((F(0),), F(1)),))
    for p, q in ((normal, atoms), (atoms, normal), (normal, normal), (atoms, points)):
        with pytest.raises(Rejected, match="for laws of atoms"):
            atoms_of(p, q)


def test_a_value_as_a_law() -> None:
    assert point_of({F(0): HALF, F(1): HALF}, F(1)) == {F(1): 1}
    joint = Joint(("x", "y"), (((F(0), F(0)), HALF), ((F(1), F(1)), HALF)))
    assert point_of(joint, (F(1), F(1))) == Joint(("x", "y"), (((F(1), F(1)), F(1)),))
