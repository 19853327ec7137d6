"""The scale of a sum of points: laws come back from it as they were, or with bounds of masses that
are too long; and which laws are kept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from core.coordinates import Joint
from core.kinds import Enclosed, Mixture
from core.work import price
from reader import places
from reader.places import Kept, Places, Rows, rows_of

F = Fraction
HALF = F(1, 2)
NUMBERS: Rows = [((F(-3), F(0)), F(1, 4)), ((F(1, 2), F(0)), F(1, 8)), ((F(3), F(0)), F(5, 8))]
SPREAD: Rows = [((F(-3), F(1)), F(1, 4)), ((F(1, 2), F(0)), F(1, 8)), ((F(3), F(2, 3)), F(5, 8))]


def law(rows: Rows, pairs: int = 1, names: tuple[str, ...] = ()) -> Any:
    """What a law is on the scale of itself."""
    scale = Places([(rows, 1)], names)
    return scale.law(scale.points(rows), pairs)


def test_a_law_comes_back_as_it_was() -> None:
    assert law(NUMBERS) == {mean: mass for (mean, _), mass in NUMBERS}
    assert law(SPREAD) == Mixture(tuple(sorted((x[0], x[1], mass) for x, mass in SPREAD)))
    points: Rows = [((F(x), F(y, 2), F(z)), F(1, 27)) for x in (-1, 0, 1) for y in (-1, 0, 1)
              for z in (-4, 0, 4)]  # fmt: skip
    assert law(points, names=("x", "y", "z")) == Joint(("x", "y", "z"), tuple(points))


def test_points_have_as_many_coordinates_as_the_scale() -> None:
    with pytest.raises(ValueError, match="shorter"):
        Places([([((F(0), F(1)), HALF), ((F(1),), HALF)], 1)], ("x", "y"))
    scale = Places([([((F(0), F(1)), F(1))], 1)], ("x", "y"))
    with pytest.raises(ValueError, match="longer"):
        scale.place((F(0),))


def test_the_share_of_a_law() -> None:
    normal = Mixture(((F(-4), F(0), HALF), (F(2), F(6), HALF)))
    for share in (F(0), F(1, 2), F(1), F(2), F(-3)):
        scaled = [((F(x), F(0)), m) for x, m in ((3 * share, F(1, 3)), (5 * share, F(2, 3)))]
        assert rows_of({F(3): F(1, 3), F(5): F(2, 3)}, share) == scaled
        wide = ((2 * share, 6 * share**2), HALF)
        assert rows_of(normal, share) == [((-4 * share, F(0)), HALF), wide]


@pytest.mark.parametrize("long", [1, 1 << 1023, 1 << 1024, 1 << 2000])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_the_price_of_a_place(long: int, columns: int) -> None:
    """Of each coordinate eight units, and as many for each 1,024 bits of all."""
    unit, names = F(1, long), ("x", "y", "z")[:columns]
    found = Places([([((unit,) * columns, F(1))], 1)], names)
    assert found.units == [long] * columns
    assert found.bases == [3] * columns
    bits = columns * (long.bit_length() + 2)
    assert found.price == 8 * columns * (1 + bits // 1024)


def test_from_where_on_masses_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many units as there are atoms, four times for each pair and three times else; only laws of
    atoms that are numbers."""
    total = 7**500
    rows: Rows = [((F(k), F(0)), F(1, total)) for k in range(4)]
    rows += [((F(5), F(0)), F(total - 4, total))]
    for pairs in (1, 5):
        exact = 5 * price(total.bit_length()) * (4 * pairs + 3)
        monkeypatch.setattr(places, "EXACT", exact)
        assert law(rows, pairs) == {mean: mass for (mean, _), mass in rows}
        monkeypatch.setattr(places, "EXACT", exact - 1)
        assert isinstance(law(rows, pairs), Enclosed)
        assert isinstance(law(rows, pairs, ("x", "y")), Joint)


@pytest.mark.parametrize("variance", [F(1), F(1, 3), F(7)])
@pytest.mark.parametrize("mean", [-9, -8, 0, 8, 9])
def test_no_normal_law_becomes_an_atom(
    mean: int, variance: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However near its integer is to those of atoms."""
    monkeypatch.setattr(places, "EXACT", 0)
    rows: Rows = [((F(-9), F(0)), HALF), ((F(mean), variance), HALF)]
    assert law(rows) == Mixture(((F(-9), F(0), HALF), (F(mean), variance, HALF)))
    atoms: Rows = [((F(-9), F(0)), HALF), ((F(9), F(0)), HALF)]
    assert isinstance(law(atoms), Enclosed)


def test_bounds_of_masses_hold_and_are_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the rest of the division is 1 or all but 1; a mass of few bits is exact."""
    monkeypatch.setattr(places, "EXACT", 0)
    monkeypatch.setattr(places, "DIGITS", 8)
    for total in (*range(3, 40), 2**61 - 1, 3**200 + 2):
        for first in (1, 2, total // 2, total - 1):
            masses = [F(first, total), F(total - first, total)]
            found = law([((F(k, 3), F(0)), mass) for k, mass in enumerate(masses)])
            assert [*found.low] == [*found.high] == [F(0), F(1, 3)]
            for mass, low, high in zip(
                masses, found.low.values(), found.high.values(), strict=True
            ):
                assert low <= mass <= high
                assert high - low <= mass / 2**7
                assert (low == high) is (mass.denominator & (mass.denominator - 1) == 0)


# ---------------------------------------------------------------- laws that are kept


def size(bits: int) -> int:
    return 4000 + 2 * bits  # of one mass with a denominator so long


def test_the_size_of_a_law() -> None:
    mass = F(1, 1 << 9)
    assert places._size({F(7): mass}) == size(10)
    assert places._size({F(7): mass, F(8): 1 - mass}) == 2 * size(10)
    assert places._size(Mixture(((F(0), F(1), mass),))) == size(10)
    assert places._size(Joint(("x",), (((F(0),), mass),))) == size(10)
    assert places._size(Enclosed({F(0): F(0)}, {F(0): mass})) == size(10)


@pytest.mark.parametrize(("room", "asked", "made"), [
    (3 * size(10), "abcabc", "abc"),
    (3 * size(10) - 1, "abcc", "abc"),
    (3 * size(10) - 1, "abcbc", "abc"),  # the first of them went
    (3 * size(10) - 1, "abcab", "abcab"),  # and then the next
    (size(10), "abbab", "abab"),
    (0, "aabb", "ab"),  # the last is kept, whatever its size
])  # fmt: skip
def test_as_many_laws_are_kept_as_there_is_room_for(
    room: int, asked: str, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "KEPT", room)
    calls = []

    def make(secret: str) -> Any:
        calls.append(secret)
        return {F(ord(secret)): F(1, 1 << 9)}

    kept = Kept("abc", make)
    for secret in asked:
        assert kept[secret] == {F(ord(secret)): F(1, 1 << 9)}
    assert "".join(calls) == made
