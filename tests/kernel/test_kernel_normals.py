"""How sums of normal densities are judged: outputs, atoms and what no row adds, each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import kernel_builder  # noqa: F401  (puts the kernel on the path)
import pytest
from core.normals import KIND, Segment, SmoothDifference, outgrows
from core.rules import Goal, Rejected
from core.shapes import parse
from core.smooth import Normals, Smooth
from core.spans import SUPPRESSED, Part
from core.work import Check

F = Fraction
ZERO, ONE, HALF = F(0), F(1), F(1, 2)
Law = dict[tuple[int, int], Fraction]  # of a mean and a variance
STEP = {"bits": 64, "density": [], "points": []}


class Given:
    """Steps with these outputs, whatever the places are."""

    def __init__(self, *parts: Part) -> None:
        self.parts = parts

    def outputs(self, places: Sequence[Fraction]) -> list[Part]:
        return [*self.parts]


def goal(
    p: Law, q: Law, epsilon: str = "0", delta: Fraction = ZERO, spread: Fraction = ZERO,
    post: Given | None = None, nothing: tuple[Fraction, Fraction] = (ZERO, ZERO), **more: Any,
) -> Normals:  # fmt: skip
    laws = [
        Smooth(tuple((F(m), F(v), w) for (m, v), w in sorted(law.items())), None, spread, no, post)
        for law, no in zip((p, q), nothing, strict=True)
    ]
    about = {"delta": delta, "form": "events", "enclosed": False, "check": Check(0), **more}
    names = "default", "a", "b"
    return Goal(names, laws[0], laws[1], parse(epsilon), release=None, kind=KIND, **about)


def difference(goal: Normals, **step: Any) -> SmoothDifference:
    return SmoothDifference(goal, {**STEP, **step})


NEAR, FAR = {(0, 1): ONE}, {(5, 1): ONE}
LOW, HIGH = Part(None, F(3), "low"), Part(F(3), None, "high")

# ---------------------------------------------------------------- segments


@pytest.mark.parametrize("nothing", [(ZERO, ZERO), (HALF, ZERO), (ZERO, HALF), (HALF, HALF)])
def test_the_sign_of_an_output_is_known_where_it_is_of_one_piece(
    nothing: tuple[Fraction, Fraction],
) -> None:
    """And where no row adds to it."""
    post = Given(Part(None, F(-1), SUPPRESSED), Part(ZERO, F(3), "cut"), Part(F(7), F(8), "one"))
    found = difference(goal(NEAR, FAR, post=post, nothing=nothing))
    pieces = [(None, ONE, 1), (ONE, F(2), -1), (F(2), F(5), 1), (F(5), F(6), 0), (F(6), None, -1)]
    assert [*found._segments(pieces)] == [
        Segment(None, F(-1), SUPPRESSED, 0 if any(nothing) else 1),
        Segment(F(-1), ZERO, None, 1),
        Segment(ZERO, F(3), "cut", 0),
        Segment(F(3), F(5), None, 1),
        Segment(F(5), F(6), None, 0),
        Segment(F(6), F(7), None, -1),
        Segment(F(7), F(8), "one", -1),
        Segment(F(8), None, None, -1),
    ]


def test_an_output_of_half_a_line_counts() -> None:
    post = Given(LOW, HIGH)
    for p, q, where in ((NEAR, FAR, r"\[-inf, 3\]"), (FAR, NEAR, r"\[3, inf\]")):
        found = difference(goal(p, q, post=post)).positive()
        assert found == f"the excess is not bounded on {where}".replace("\\", "")
        with pytest.raises(Rejected, match="the divergence is not bounded"):
            difference(goal(p, q, delta=F(9, 10), post=post)).require_area()
        difference(goal(p, q, delta=F(98, 100), post=post)).require_area()


def test_an_output_of_all_numbers_never_counts() -> None:
    """Also where 64 bits do not tell e^epsilon from 1."""
    one = difference(goal(NEAR, FAR, "1e-60", post=Given(Part(None, None, "all"))))
    assert one.positive() is None
    one.require_area()


def test_a_smallest_upper_end_is_still_positive(monkeypatch: pytest.MonkeyPatch) -> None:
    for end, found in ((1, "the excess is not bounded on [-inf, 3]"), (0, None)):
        monkeypatch.setattr(SmoothDifference, "_above", lambda *_, end=end: (end, end, -99))
        assert difference(goal(NEAR, FAR, post=Given(LOW, HIGH))).positive() == found


@pytest.mark.parametrize("post", [None, Given(LOW, HIGH)])
def test_the_facts_of_a_chart_and_of_an_event(post: Given | None) -> None:
    for scale, facts in ((None, set()), (ONE, {"F5", "F6", "F7"})):
        stated = goal(NEAR, FAR, "20", delta=ONE, post=post)
        laws = (law._replace(scale=scale) for law in (stated.P, stated.Q))
        found = difference(stated.about(*laws), points=["0"] if scale else [])
        found.require_area()
        assert found.facts == facts | ({"DPI"} if post else set())
        event = difference(found.goal._replace(delta=ZERO, epsilon=ZERO), event=[["-inf", "3"]])
        event.require_on(HALF)
        assert event.facts == ({"F6"} if scale else set())


# ---------------------------------------------------------------- without noise

ATOMS, BELLS = ((0, 0), (2, 0)), ((0, 1), (2, 4))


def mixed(*weights: int) -> Law:
    """Atoms and normal laws with so many eighths."""
    places = (*ATOMS, *BELLS)
    return {place: F(n, 8) for place, n in zip(places, weights, strict=True) if n}


@pytest.mark.parametrize(("p", "q", "area"), [
    (mixed(2, 0, 6, 0), mixed(3, 1, 4, 0), F(2, 8)),  # the density exceeds
    (mixed(3, 2, 1, 2), mixed(2, 1, 3, 2), F(2, 8)),  # it does not, both atoms do
    (mixed(3, 0, 3, 2), mixed(1, 2, 3, 2), F(2, 8)),  # no density is left
    (mixed(4, 0, 2, 2), mixed(1, 5, 0, 2), F(5, 8)),  # the density does, and one atom
])  # fmt: skip
def test_an_area_without_noise_is_exact_where_the_density_has_one_sign(
    p: Law, q: Law, area: Fraction
) -> None:
    left = any(p.get(x) != q.get(x) for x in BELLS)
    density = [["-inf", "inf", 0, 0]] if left else []
    for delta, holds in ((area, True), (area - F(1, 10**60), False)):
        found = difference(goal(p, q, delta=delta), density=density)
        if holds:
            found.require_area()
        else:
            with pytest.raises(Rejected, match="the divergence exceeds delta"):
                found.require_area()


def test_a_density_of_unknown_sign_counts_whole() -> None:
    """Without a cell all of mu+ does, beside the atoms."""
    p, q = mixed(2, 0, 6, 0), mixed(3, 1, 2, 2)
    for delta, holds in ((F(4, 8) + F(1, 10**9), True), (F(4, 8) - F(1, 10**9), False)):
        found = difference(goal(p, q, delta=delta))
        if holds:
            found.require_area()
        else:
            with pytest.raises(Rejected, match="not bounded by delta with these cells"):
                found.require_area()


def test_a_ratio_of_densities_needs_one() -> None:
    atoms = {(0, 0): ONE}
    for p, q in ((atoms, NEAR), (atoms, atoms)):
        found = difference(goal(p, q), y="0")
        with pytest.raises(Rejected, match=r"^the first prior has no density$"):
            found.require_at(ZERO, ratio=True)
        with pytest.raises(Rejected, match=r"^no such margin is proved at y$"):
            found.require_at(F(1, 100), ratio=False)
    noisy = difference(goal(atoms, FAR, spread=ONE), y="0")
    for ratio in (True, False):
        noisy.require_at(F(1, 100), ratio=ratio)
        difference(goal(NEAR, FAR), y="0").require_at(F(1, 100), ratio=ratio)


# ---------------------------------------------------------------- events

LONG = str(1 << 2048)


def test_ends_of_an_event_are_short_where_numbers_stay_what_they_are() -> None:
    with pytest.raises(Rejected, match="of more than 2048 bits is refused"):
        difference(goal(NEAR, FAR), event=[["-inf", LONG]]).require_on(ZERO)
    post = Given(Part(None, F(LONG), "most"))
    difference(goal(NEAR, FAR, post=post), event=[["-inf", LONG]]).require_on(-HALF)


@pytest.mark.parametrize("output", [SUPPRESSED, "low"])
def test_no_row_is_in_an_event_with_all_that_is_suppressed(output: str) -> None:
    """P suppresses with 1/2 more than its half below 0."""
    parts = Part(None, ZERO, output), Part(ZERO, F(1), "next")
    q = {(0, 1): ONE}
    p = {(0, 1): HALF}
    found = goal(p, q, post=Given(*parts), nothing=(HALF, ZERO))
    gap = {SUPPRESSED: F(1, 4), "low": F(-1, 4)}[output]
    difference(found, event=[["-inf", "0"]]).require_on(gap - F(1, 10**9))
    for event, more in (([["-inf", "0"]], gap), ([["0", "1"]], F(-17, 100))):
        with pytest.raises(Rejected, match="no such margin is proved for the event"):
            difference(found, event=event).require_on(more + F(1, 10**9))


# ---------------------------------------------------------------- at every scale


@pytest.mark.parametrize(("p", "q", "epsilon", "found"), [
    ({(0, 4): HALF, (9, 1): HALF}, {(0, 1): ONE}, "9", True),  # the larger variance
    ({(0, 1): ONE}, {(0, 4): HALF, (9, 1): HALF}, "0", False),
    ({(1, 1): ONE}, {(0, 1): ONE}, "9", True),  # the larger mean
    ({(-1, 1): ONE}, {(0, 1): ONE}, "9", True),  # the smaller mean
    ({(0, 1): ONE}, {(-1, 1): HALF, (1, 1): HALF}, "0", False),
    ({(0, 1): ONE}, {(0, 1): ONE}, "0", False),  # nothing is left
    ({(0, 1): HALF, (1, 1): HALF}, {(0, 1): ONE}, "0", True),
    ({(1, 1): HALF, (0, 1): HALF}, {(1, 1): F(1, 4), (0, 1): F(3, 4)}, "log(2)", False),
    ({(1, 1): HALF, (0, 1): HALF}, {(1, 1): F(1, 4), (0, 1): F(3, 4)}, "log(2)-1e-60", True),
])  # fmt: skip
def test_which_tail_outgrows(p: Law, q: Law, epsilon: str, found: bool) -> None:
    assert outgrows(goal(p, q, epsilon, spread=ONE)) is found
    assert not outgrows(goal(p, q, epsilon))
