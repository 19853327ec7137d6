"""Charts: merged cells, the signs of h on them, and each way to a sign of g on a piece."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
import smooth_cases as sc
from core import chart
from core.chart import Chart, Signed, entries_of, short_rational, signs_of
from core.grammar import Malformed
from core.rules import Rejected
from core.smooth import Normals
from core.spans import End, Span

Component = tuple[Any, Any, Any]
TINY = "1e-40"


def goal(p: list[Component], q: list[Component], epsilon: Any = 0, **more: Any) -> Normals:
    """Of mixtures of (mean, variance, weight); a variance of 0 makes an atom.  Laplace noise of
    scale 1."""
    noise = more.pop("noise", 1)
    bell = sc.normal(0, 1)
    one = sc.goals(sc.problem(bell, sc.normal(1, 1), epsilon, 0, noise))[0]
    sides = (
        tuple((Fraction(m), Fraction(v), Fraction(w)) for m, v, w in parts) for parts in (p, q)
    )
    laws = (law._replace(components=c) for law, c in zip((one.P, one.Q), sides, strict=True))
    return one.about(*laws, **more)


def charted(of: Normals, density: list[Any], *points: Any, bits: int = 64) -> Chart:
    return Chart(of, sc.step("chart", bits=bits, density=density, points=[str(y) for y in points]))


def signs(of: Normals, density: list[Any], *points: Any, bits: int = 64) -> list[int]:
    """Of the pieces between the points and beyond them."""
    return [s for _, _, s in charted(of, density, *points, bits=bits).pieces]


def spans(*ends: End) -> list[Span]:
    return list(pairwise(ends))


def test_signs_of_intervals() -> None:
    for low in range(-3, 4):
        for high in range(low, 4):
            expected = {1} if low >= 0 else set()
            expected |= {-1} if high <= 0 else set()
            for e in (-5, 0, 5):
                assert signs_of((low, high, e)) == expected


def test_touching_cells_of_one_sign_are_one() -> None:
    a, b, c, d, e = map(Fraction, range(5))
    cases: list[tuple[list[Span], list[int], list[Signed]]] = [
        ([], [], []),
        (spans(a, b, c, d, e), [1, 1, 1, 1], [(a, e, 1)]),
        (spans(a, b, c, d, e), [1, -1, -1, 1], [(a, b, 1), (b, d, -1), (d, e, 1)]),
        (spans(a, b, c, d, e), [-1, -1, 1, 1], [(a, c, -1), (c, e, 1)]),
        (spans(None, b, None), [1, 1], [(None, None, 1)]),
        (spans(None, b, c, None), [1, -1, -1], [(None, b, 1), (b, None, -1)]),
        ([(a, b), (c, d)], [1, 1], [(a, b, 1), (c, d, 1)]),
        ([(a, b), (c, d), (d, e)], [1, 1, 1], [(a, b, 1), (c, e, 1)]),
    ]
    for cells, found, merged in cases:
        assert chart._merged(cells, found) == merged


def test_sizes_of_lists_and_numbers() -> None:
    assert len(entries_of([0] * 65_536, "it")) == 65_536
    with pytest.raises(Rejected, match=r"^it of more than 65536 entries: so many are refused$"):
        entries_of([0] * 65_537, "it")
    long = 2**2048 - 1
    for text in (f"{long}", f"-{long}", f"1/{long}", f"{long - 1}/{long}"):
        assert short_rational(text, "it") == Fraction(text)
    for text in (f"{long + 1}", f"-{long + 1}", f"1/{long + 1}"):
        with pytest.raises(Rejected, match=r"^it of more than 2048 bits is refused$"):
            short_rational(text, "it")


def test_references() -> None:
    """0, ... up to one for each component and delta are references, some of them of no term."""
    one = goal([(0, 1, 1)], [(0, 4, 1)])
    for reference, said in (
        (0, None), (1, None), (2, "not a term of the density"), (3, "not a term of the density"),
    ):  # fmt: skip
        if said is None:
            assert charted(one, [["-1/4", "1/4", 4, reference]], 0).cells[0][2] == 1
        else:
            with pytest.raises(Rejected, match=said):
                charted(one, [["-1/4", "1/4", 4, reference]], 0)
    for reference in (-1, 4, 5):
        with pytest.raises(Malformed, match="a reference"):
            charted(one, [["-1/4", "1/4", 4, reference]], 0)


def test_orders() -> None:
    one = goal([(0, 1, 1)], [(0, 4, 1)])
    for order in (4, 5, 64):
        assert charted(one, [["-1/4", "1/4", order, 0]], 0).cells[0][2] == 1
    for order in (-1, 65, 66):
        with pytest.raises(Malformed, match="an order"):
            charted(one, [["-1/4", "1/4", order, 0]], 0)


def test_facts_are_those_of_what_is_used() -> None:
    bells, cell = ([(0, 1, 1)], [(0, 4, 1)]), ["-1/4", "1/4", 4, 0]
    gaussian = {"kind": "gaussian", "scale": 1}
    assert charted(goal(*bells), [cell], 0).facts == {"F5", "F6", "F7", "CELL"}
    assert charted(goal(*bells), [], 0).facts == {"F5", "F6", "F7"}
    assert charted(goal(*bells, noise=gaussian), [cell]).facts == {"CELL"}
    assert charted(goal(*bells, noise=gaussian), []).facts == set()


def test_where_all_cancels_there_is_either_sign() -> None:
    gaussian = {"kind": "gaussian", "scale": 1}
    for noise, points in ((1, (0,)), (gaussian, ())):
        found = charted(goal([(0, 1, 1)], [(0, 1, 1)], noise=noise), [], *points)
        for ends in ((None, None), (Fraction(0), None), (Fraction(0), Fraction(1))):
            assert found.density_signs(*ends) == {1, -1}
        assert {s for _, _, s in found.pieces} == {-1}


def test_pieces_between_two_atoms() -> None:
    """g is positive about the atom of P and negative about that of Q."""
    one = goal([(0, 0, 1)], [(1, 0, 1)])
    assert signs(one, [], 0, 1) == [1, 0, -1]
    assert signs(one, [], 0, "1/4", "3/4", 1) == [1, 1, 0, -1, -1]
    assert signs(one.about(one.Q, one.P), [], 0, "1/4", "3/4", 1) == [-1, -1, 0, 1, 1]


def test_pieces_without_the_sign_of_h() -> None:
    """Of bells without a cell, by the one-sided sums alone."""
    one = goal([(0, "1/4", 1)], [(9, "1/4", 1)])
    found = signs(one, [], -1, 1, 3, 6, 8, 10)
    assert found == [0, 1, 1, 0, -1, -1, -1]
    assert signs(one.about(one.Q, one.P), [], -1, 1, 3, 6, 8, 10) == [-1, -1, -1, 0, 1, 1, 0]


def test_a_tail_by_the_exact_integral() -> None:
    """The integral of e^x is the same for both, so that g tends to 0 from the other side of h."""
    tail = ["30", "inf", 0]
    equal = (
        ([(1, 1, 1)], [(0, 1, 1)], 1, 1, -1),  # h > 0
        ([("5/2", 1, 1)], [(0, 4, 1)], 1, -1, 1),  # h < 0
        ([(0, 4, 1)], [("3/2", 1, 1)], 0, 1, -1),
        ([(1, 1, 1)], [("-1/2", 4, 1)], 0, -1, 1),
    )
    for p, q, epsilon, h, g in equal:
        one = goal(p, q, epsilon)
        terms = charted(one, [], 30).split.terms
        (reference,) = (k for k, t in enumerate(terms) if t.sign == h)
        found = charted(one, [[*tail, reference]], 30)
        assert found.cells == [(Fraction(30), None, h)]
        assert found.pieces[-1][2] == g
        assert "F3" in found.facts
        without = charted(one, [], 30)
        assert without.pieces[-1][2] == 0
        assert "F3" not in without.facts


def test_a_tail_whose_integral_is_almost_0() -> None:
    """Bits that do not tell it from 0 leave the tail open; more bits tell."""
    tail = [["30", "inf", 0, 1]]
    for epsilon, s in ((f"1-{TINY}", 1), (f"1+{TINY}", -1)):
        one = goal([(1, 1, 1)], [(0, 1, 1)], epsilon)
        assert charted(one, [], 30).split.terms[1].sign == 1
        assert charted(one, tail, 30).pieces[-1][2] == 0
        found = charted(one, tail, 30, bits=200)
        assert found.pieces[-1][2] in {0, s}
        assert "F3" not in found.facts
    atoms = goal([(1, 0, 1)], [(0, 0, 1)], f"1-{TINY}")
    assert signs(atoms, [], 0, 1)[-1] == 0
    assert signs(atoms, [], 0, 1, bits=200)[-1] == 1


def test_a_tail_by_its_limit_alone() -> None:
    """h and g have different signs far out, and the more so with them exchanged."""
    p, q = [(0, 1, "1/2"), (9, 1, "1/2")], [(0, 4, 1)]
    one = goal(p, q)
    tail = [["60", "inf", 0, 1]]
    assert charted(one, tail, 60).cells[0][2] == -1
    assert signs(one, tail, 60)[-1] == 1
    other = one.about(one.Q, one.P)
    assert charted(other, tail, 60).cells[0][2] == 1
    assert signs(other, tail, 60)[-1] == -1


def test_a_flat_part_has_no_limit_above_0() -> None:
    """It makes g negative in the end, whatever the integral of the rest is."""
    p, q = [(0, 1, "1/2"), (9, 1, "1/2")], [(0, 4, 1)]
    one = goal(p, q, form="pointwise", delta=Fraction(1, 100))
    flat = len(charted(one, [], 12).split.terms)
    for y, s in ((12, 0), (60, -1)):
        found = charted(one, [[str(y), "inf", 0, flat]], y)
        assert found.cells[0][2] == -1
        assert found.pieces[-1][2] == s
    value = found.split.density(Fraction(12))
    assert found.ar.sub(*value)[0] > 0  # it is positive there still


def test_a_tail_bounded_by_what_is_counted_at_its_end() -> None:
    """e^x has the integral 1 for N(-1/2, 1) and for 0: exactly as much, or more by 2^-k."""
    p = [("-1/2", 1, 1)]
    assert signs(goal(p, [(0, 0, 1)]), [], 0)[-1] == -1
    for k in (1, 10, 30, 60):
        less = 1 - Fraction(1, 2**k)
        assert signs(goal(p, [(0, 0, less)]), [], 0)[-1] == 0
        assert signs(goal(p, [(0, 0, 2 - less)]), [], 0)[-1] == -1
