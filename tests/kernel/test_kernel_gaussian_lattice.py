"""Discrete Gaussian noise in the kernel against sums over the lattice in 60 digits.

Each random problem is asked at the divergence, at the largest ratio, at the excess of the worst
event and at the ratio of one output: a little more is accepted, a little less is not.  The parts
of the normal form are then held to the same sums one by one, at the ends of what they allow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import isqrt
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple

import kernel_builder as kb
import pytest
import steps_truth as st
from core import gaussian_lattice
from core.enclose import Arithmetic, Interval
from core.gaussian_lattice import KIND, STEPPED, Celled, Lattice, Run, celled
from core.grammar import Malformed, canonical
from core.rules import Goal, Rejected
from core.shapes import parse
from core.spans import SUPPRESSED
from core.work import Check
from core.zero import enclose_sum
from mpmath import exp, inf, log, mp, mpf, nstr

Json = dict[str, Any]
NEAR = mpf(10) ** -12
WAYS = ("ab", "ba")
BELL = {"kind": "discrete-gaussian", "variance": "1", "step": "1"}


def problem(priors: Json, epsilon: Any, delta: Any, **noise: str) -> Json:
    return {"schema": "pfverify/problem/1", "epsilon": str(epsilon), "delta": str(delta),
            "noise": {**BELL, **noise}, "priors": priors}  # fmt: skip


def certified(value: Json, rule: str, bits: int = 128, **more: Any) -> tuple[str, str]:
    steps = [kb.step(rule, *way, bits=bits, **more) for way in WAYS]
    return kb.run(value, kb.certificate(value, "certified", steps))


def refuted(value: Json, way: str, rule: str, margin: Any, **more: Any) -> tuple[str, str]:
    step = kb.step(rule, *way, margin=str(margin), **more)
    return kb.run(value, kb.certificate(value, "refuted", [step]))


def atoms(*masses: str, first: str = "0", step: str = "1") -> Json:
    """A law on points of the lattice one after the other; those without mass are left out."""
    places = [str(Fraction(first) + k * Fraction(step)) for k in range(len(masses))]
    return {"kind": "discrete", "mass": {x: m for x, m in zip(places, masses, strict=True) if m}}


def drawn(rng: Random) -> tuple[Json, Json]:
    noise = {"variance": rng.choice(["1/4", "1", "9/4"]), "step": rng.choice(["1", "1/2"])}
    step, first = Fraction(noise["step"]), rng.choice([Fraction(0), Fraction(1, 3)])
    shared = rng.random() < 0.5  # the ends, so that a ratio bounds the loss
    priors = {}
    for name in "ab":
        places = {rng.randint(-2, 2) for _ in range(2)} | ({-2, 2} if shared else set())
        weights = {str(first + k * step): rng.randint(1, 5) for k in sorted(places)}
        priors[name] = {"kind": "discrete", "counts": weights}
    return noise, priors


@pytest.mark.parametrize("k", range(10))
def test_a_little_more_is_proved_and_a_little_less_is_not(k: int) -> None:
    rng = Random(f"gaussian lattice {k}")
    noise, priors = drawn(rng)
    epsilon = rng.choice(["0", "1/4", "1"])
    growth, laws = exp(kb.real(epsilon)), {name: st.law(x) for name, x in priors.items()}
    lattice = st.Lattice(problem(priors, 0, 0, **noise))
    places = [y for y in lattice.points(*laws.values()) if abs(y) < 12 * max(1, lattice.variance)]
    mass = {name: {y: lattice.mass(law, y) for y in places} for name, law in laws.items()}
    worst, top = mpf(0), mpf(0)
    for way in WAYS:
        p, q = mass[way[0]], mass[way[1]]
        gaps = {y: p[y] - growth * q[y] for y in places}
        event = [y for y in places if gaps[y] > 0]
        excess = sum((gaps[y] for y in event), mpf(0))
        worst = max(worst, excess)
        ends = [f(laws[way[0]].keys() | laws[way[1]].keys()) for f in (min, max)]
        limits = [(laws[way[0]].get(x, mpf(0)), laws[way[1]].get(x, mpf(0))) for x in ends]
        ratios = [a / b if b else inf for a, b in limits] + [p[y] / q[y] for y in places]
        top = max(top, *ratios)
        if excess > 0.02:
            value = problem(priors, epsilon, nstr(excess - 0.01, 40), **noise)
            for part, word in ((-NEAR, "refuted"), (NEAR, "rejected")):
                spans = [[str(y), str(y)] for y in event]
                said = refuted(value, way, "event-refuted", 0.01 * (1 + part), event=spans)
                assert said[0] == word, (value, way, said)
        y = max(places, key=lambda y: p[y] / q[y])
        margin = log(p[y] / q[y]) - kb.real(epsilon)
        if margin > NEAR:
            value = problem(priors, epsilon, 0, **noise)
            for part, word in ((-NEAR, "refuted"), (NEAR, "rejected")):
                shown = nstr(margin * (1 + part), 40)
                said = refuted(value, way, "pure-refuted", shown, y=str(y))
                assert said[0] == word, (value, way, said)
    if NEAR < worst < 0.999:
        for part, word in ((NEAR, "certified"), (-NEAR, "rejected")):
            value = problem(priors, epsilon, nstr(worst * (1 + part), 40), **noise)
            assert certified(value, "delta-upper")[0] == word, value
    if top == inf:
        value = problem(priors, 20, 0, **noise)
        assert certified(value, "pure", ties=[])[0] == "rejected"
    elif top > 1 + NEAR:
        for part, word in ((NEAR, "certified"), (-NEAR, "rejected")):
            value = problem(priors, nstr(log(top) * (1 + part), 40), 0, **noise)
            assert certified(value, "pure", ties=[])[0] == word, value


SHARED = {"a": atoms("1/2", "1/4", "1/4"), "b": atoms("1/4", "1/4", "1/2")}


def test_a_tie_far_out_is_decided_by_the_next_atom() -> None:
    """At log 2 the outer atom of each order has no difference, the next one has a negative one."""
    assert certified(problem(SHARED, "log(2)", 0), "pure", ties=[])[0] == "certified"
    assert certified(problem(SHARED, "log(2) - 1e-30", 0), "pure", ties=[])[0] == "rejected"
    positive = {"a": atoms("3/8", "4/8", "1/8"), "b": atoms("1/8", "1/8", "6/8")}
    word, message = certified(problem(positive, "log(3)", 0), "pure", ties=[])
    assert (word, "not bounded far out" in message) == ("rejected", True)


def test_an_inner_output_may_exceed() -> None:
    """Both ends are shared evenly, the middle is not: the ratio is largest between them."""
    priors = {"a": atoms("1/4", "1/2", "1/4"), "b": atoms("1/2", "", "1/2")}
    for variance, word in (("1/100", "rejected"), ("100", "certified")):
        value = problem(priors, "1", 0, variance=variance)
        assert certified(value, "pure", ties=[])[0] == word


@pytest.mark.parametrize(
    ("rule", "more", "said"),
    [
        ("pure-refuted", {"y": "1/2"}, "is not a point of the lattice"),
        ("pure-refuted", {"y": "-1"}, "no such margin"),
        ("pure-refuted", {"y": "1"}, "an output refutes a pure bound only"),
        ("event-refuted", {"event": [["1", "inf"]]}, "finitely many outputs"),
        ("event-refuted", {"event": [["-inf", "1"]]}, "finitely many outputs"),
        ("event-refuted", {"event": [["1/2", "3"]]}, "not a point of the lattice"),
        ("event-refuted", {"event": [["1", "7/2"]]}, "not a point of the lattice"),
        ("event-refuted", {"event": [["1", "10000000"]]}, "too many outputs"),
        ("event-refuted", {"event": [["-5", "0"]]}, "no such margin"),
    ],
)
def test_what_refutes_nothing(rule: str, more: Json, said: str) -> None:
    """0 against 1, with the order in which large numbers are more probable."""
    delta = 0 if rule == "pure-refuted" and more["y"] != "1" else "1/1000"
    value = problem({"a": atoms("1"), "b": atoms("1", first="1")}, "1/10", delta)
    word, message = refuted(value, "ba", rule, "0.001", **more)
    assert (word, said in message) == ("rejected", True), message


def test_runs_of_points_are_events_like_single_ones() -> None:
    value = problem({"a": atoms("1"), "b": atoms("1", first="1")}, 0, "0.38")
    runs: Any
    for runs, word in (
        ([["1", "9"]], "refuted"), ([["2", "9"]], "rejected"), ([["0", "9"]], "rejected"),
        ([["1", "3"], ["4", "9"]], "refuted"), ([[str(k)] * 2 for k in range(1, 9)], "refuted"),
    ):  # fmt: skip
        assert refuted(value, "ba", "event-refuted", "0.0001", event=runs)[0] == word


@pytest.mark.parametrize(
    ("rule", "noise", "more", "word", "said"),
    [
        ("delta-upper", {"variance": "1e14"}, {}, "rejected", "too wide"),
        ("pure", {"variance": "1e14"}, {"ties": []}, "rejected", "too wide"),
        ("pure", {}, {"ties": ["0"]}, "malformed", "no list of ties"),
        ("tupling", {}, {}, "malformed", "not one for this place"),
    ],
)
def test_what_proves_nothing(rule: str, noise: Json, more: Json, word: str, said: str) -> None:
    value = problem(SHARED, 1, "1/10" if rule != "pure" else 0, **noise)
    found, message = certified(value, rule, **more)
    assert (found, said in message) == (word, True), message


@pytest.mark.parametrize("step", ["3", "3/2"])
def test_atoms_off_the_lattice(step: str) -> None:
    with pytest.raises(Malformed, match="multiples of the step"):
        certified(problem(SHARED, 1, "1/10", step=step), "delta-upper")


def test_delta_1_asks_for_nothing() -> None:
    value = problem(SHARED, 0, 1, variance="1e14")
    assert certified(value, "delta-upper")[0] == "certified"


def test_two_laws_that_are_one() -> None:
    same = {"a": SHARED["a"], "b": SHARED["a"]}
    assert certified(problem(same, 0, 0), "pure", ties=[])[0] == "certified"
    assert certified(problem(same, 0, "1e-20"), "delta-upper")[0] == "certified"


# ---------------------------------------------------------------- the parts of the normal form

F = Fraction
EDGES = (-1, 1)
Laws = tuple[dict[int, str], dict[int, str]]
NO_POINT = Run(0, -1, SUPPRESSED)


class Cells(NamedTuple):
    """Steps behind which the points between two cuts are one output; the first may be hidden."""

    cuts: tuple[int, ...]
    hides: bool = False

    def cells(self) -> list[Run]:
        ends = [None, *self.cuts, None]
        found = [
            Run(low, None if above is None else above - 1, f"{k}")
            for k, (low, above) in enumerate(pairwise(ends))
        ]
        return [found[0]._replace(output=SUPPRESSED), *found[1:]] if self.hides else found

    def runs(self, origin: Fraction, low: int, high: int) -> list[Run]:
        return [
            run
            for run in self.cells()
            if (run.low is None or run.low <= high) and (run.high is None or low <= run.high)
        ]

    def hidden(self, origin: Fraction) -> Run:
        return self.cells()[0] if self.hides else NO_POINT

    def named(self, origin: Fraction, name: str) -> Run | None:
        return next((run for run in self.cells() if run.output == name), None)


def masses(*of: str) -> dict[int, str]:
    """On the points from 0 on."""
    return dict(enumerate(of))


def lattice(
    p: Mapping[int, str],
    q: Mapping[int, str],
    epsilon: str = "0",
    delta: str = "0",
    variance: str = "1",
    post: Any = None,
    nothing: tuple[str, str] = ("0", "0"),
    **said: Any,
) -> Lattice:
    """The normal form of two laws on the integers."""
    laws = (
        Celled({F(x): F(m) for x, m in law.items()}, F(none), F(variance), F(1), post)
        for law, none in zip((p, q), nothing, strict=True)
    )
    names, kind = ("", "a", "b"), KIND if post is None else STEPPED
    one, other, numbers = *laws, (parse(epsilon), parse(delta))
    return Lattice(Goal(names, one, other, *numbers, "events", None, kind, False, Check(0)), said)


@cache
def bell(distance: int, variance: Fraction) -> mpf:
    return exp(-mpf(distance * distance) * variance.denominator / (2 * variance.numerator))


def far(variance: Fraction) -> int:
    """Beyond it the bell is below 10^-75."""
    return isqrt(int(350 * variance)) + 2


def whole(variance: Fraction) -> mpf:
    return 1 + 2 * sum(bell(k, variance) for k in range(1, far(variance)))


def tail(distance: int, variance: Fraction) -> mpf:
    return sum(bell(k, variance) for k in range(distance + 1, distance + far(variance)))


def series(distance: int, variance: Fraction) -> mpf:
    """The geometric series of F48i."""
    ratio = exp(-mpf(2 * distance + 1) * variance.denominator / (2 * variance.numerator))
    return bell(distance, variance) * ratio / (1 - ratio)


def gaps(g: Lattice) -> list[mpf]:
    """The c_i, and last that of no row."""
    factor = exp(kb.real(canonical(g.goal.epsilon)))
    return [kb.real(str(p)) - factor * kb.real(str(q)) for p, q in [*g.masses, g.nothing]]


def excess(g: Lattice, run: Run) -> mpf:
    """G of a run, summed."""
    *c, none = gaps(g)
    span = [*g.atoms, *(x for x in run[:2] if x is not None)]
    low = min(span) - far(g.variance) if run.low is None else run.low
    high = max(span) + far(g.variance) if run.high is None else run.high
    bells = {k: bell(k, g.variance) for k in range(max(span) - min(span) + far(g.variance) + 1)}
    total = none * whole(g.variance) if run == g.hidden else mpf(0)
    for x, a in zip(c, g.atoms, strict=True):
        total += x * sum(bells[abs(k - a)] for k in range(low, high + 1))
    return total


def ends(x: Interval) -> tuple[mpf, mpf]:
    low, high, e = x
    return mpf(low) * mpf(2) ** e, mpf(high) * mpf(2) ** e


def slack(bits: int) -> mpf:
    return mpf(2) ** (12 - bits)


VARIANCES = [F(1, 100), F(1, 4), F(1), F(30)]


@pytest.mark.parametrize("variance", VARIANCES)
@pytest.mark.parametrize("bits", [32, 128])
def test_a_tail_is_at_most_its_series(variance: Fraction, bits: int) -> None:
    g = lattice({0: "1"}, {0: "1"}, variance=str(variance))
    for distance in (0, 1, 2, 3, 7):
        found = g.beyond(distance, Arithmetic(bits))
        low, high = ends(found)
        assert low == 0
        assert tail(distance, variance) <= high
        assert series(distance, variance) <= high <= series(distance, variance) * (1 + slack(bits))


@pytest.mark.parametrize("bits", [32, 128, 1024])
def test_beyond_its_reach_the_bell_is_below_the_precision(bits: int) -> None:
    for variance in [*VARIANCES, F(1, 10**6), F(1000)]:
        g = lattice({0: "1"}, {2: "1"}, variance=str(variance))
        reach = g.reach(bits)
        assert reach >= 0
        assert bell(reach, variance) < mpf(2) ** -bits
        assert bell(reach - 3, variance) > mpf(2) ** (-2 * bits)
        assert g.window(bits) == (-reach, 2 + reach)


LAWS: list[tuple[dict[int, str], dict[int, str], tuple[str, str]]] = [
    ({0: "1"}, {7: "1"}, ("0", "0")),
    ({0: "1/3", 4: "1/3"}, {0: "1/4", 9: "1/8"}, ("1/3", "5/8")),
    ({0: "1/8", 4: "1/8", 5: "1/4"}, {5: "1"}, ("1/2", "0")),
]


def runs_of(ends: Sequence[int | None]) -> list[Run]:
    pairs = product([None, *ends], [*ends, None])
    return [Run(a, b, "") for a, b in pairs if a is None or b is None or a <= b]


@pytest.mark.parametrize("reach", [0, 2, None])
@pytest.mark.parametrize("variance", [F(1, 100), F(4)])
def test_a_run_is_enclosed_whatever_the_reach(
    variance: Fraction, reach: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is beyond the reach is bounded, not left out."""
    if reach is not None:
        monkeypatch.setattr(Lattice, "reach", lambda self, bits: reach)
    bits, ar = 64, Arithmetic(64)
    for p, q, nothing in LAWS:
        g = lattice(p, q, "1/4", variance=str(variance), post=Cells((-3,), True), nothing=nothing)
        distance = g.reach(bits)
        room = series(distance, variance) + slack(bits)
        low, high = ends(g.whole(ar))
        within = 1 + 2 * sum(bell(k, variance) for k in range(1, distance + 1))
        assert within * (1 - slack(bits)) <= low <= whole(variance) <= high
        assert high <= (within + 2 * series(distance, variance)) * (1 + slack(bits))
        jumps = g.jumps(ar)
        size = sum(map(abs, gaps(g)))
        hidden = [] if g.hidden is None else [g.hidden]
        for run in [*runs_of((-5, 0, 6, 12)), *hidden]:
            low, high = ends(g.value(run, jumps, ar))
            assert low <= excess(g, run) <= high, (g.masses, run)
            assert high - low <= 4 * size * room, (g.masses, run)


@pytest.mark.parametrize("bits", [64, 200])
def test_few_points_are_summed_exactly(bits: int) -> None:
    g = lattice({0: "1/2", 4: "1/4"}, {0: "1/4", 9: "1/8"}, "1/4", nothing=("1/4", "5/8"))
    for run in (Run(-3, -2, ""), Run(0, 0, ""), Run(2, 11, "")):
        found = g.exactly(run)
        assert found is not None
        low, high = ends(enclose_sum(found, Arithmetic(bits)))
        assert low - 1e-50 <= excess(g, run) <= high + 1e-50
        assert high - low < slack(bits)
    assert g.exactly(Run(None, 3, "")) is None
    assert g.exactly(Run(3, None, "")) is None


def test_no_more_points_are_summed_exactly_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaussian_lattice, "EXACT", 12)
    g = lattice({0: "1/2", 4: "1/4"}, {0: "1/4", 9: "1/8"}, nothing=("1/4", "5/8"))
    for low in (-20, -2, 0, 2, 20):
        assert g.exactly(Run(low, low + 3, "")) is not None
        assert g.exactly(Run(low, low + 4, "")) is None


def test_no_row_alone_is_summed_exactly_and_not_beside_points() -> None:
    """What is suppressed of points besides has the sum over the lattice in it."""
    laws: Laws = {0: "1/2"}, {0: "1/4"}
    g = lattice(*laws, "log(2)", post=Cells(()), nothing=("1/2", "3/4"))
    assert g.hidden == NO_POINT
    found = g.exactly(NO_POINT)
    assert found is not None
    low, high = ends(enclose_sum(found, Arithmetic(64)))
    assert low <= -1 <= high <= low + slack(64)
    g.hidden = Run(3, 3, SUPPRESSED)
    assert g.exactly(g.hidden) is None
    assert g.exactly(Run(4, 4, "")) is not None


def is_outweighed(g: Lattice, lead: int, k: int) -> bool:
    """Whether the atom outweighs those behind it at k."""
    *c, _ = gaps(g)
    sizes = [abs(x) * bell(k - a, g.variance) for x, a in zip(c, g.atoms, strict=True)]
    behind = sizes[:lead] if k > g.atoms[lead] else sizes[lead + 1 :]
    return bool(sum(behind) < sizes[lead])


@pytest.mark.parametrize("variance", [F(1, 5), F(3), F(40)])
def test_a_tail_begins_where_the_outer_atom_outweighs_the_others(variance: Fraction) -> None:
    """Found within a factor of two."""
    for seed in range(12):
        rng = Random(seed)
        places = sorted(rng.sample(range(-6, 7), 4))
        p, q = ({x: f"{rng.randint(1, 60)}/240" for x in places} for _ in "pq")
        g = lattice(p, q, "1/8", variance=str(variance))
        for lead in range(4):
            for way in EDGES:
                edge = g._edge(lead, way)
                distance = way * (edge - g.atoms[lead])
                assert distance >= 1
                assert is_outweighed(g, lead, edge)
                if distance > 1:
                    assert not is_outweighed(g, lead, g.atoms[lead] + way * (distance // 2))


def test_a_tail_of_a_tiny_difference_is_found() -> None:
    """A difference of 2^-1500, of either sign, which no coarse precision tells from 0; and exact
    ones of a whole unit."""
    for more in ("", "-"):
        epsilon = f"log(2) - ({more}1/{2**1500})"
        g = lattice({0: "1/2", 1: "1/2"}, {0: "3/4", 1: "1/4"}, epsilon, variance="1/100")
        edge = g._edge(1, 1)
        assert 8 < edge < 64
        assert g._edge(0, -1) == -1
    for p, q in (("1", "0"), ("0", "1")):
        g = lattice({0: p, 1: q}, {0: q, 1: p}, variance="1/100")
        assert (g._edge(0, -1), g._edge(1, 1)) == (-1, 2)


def test_an_atom_that_seems_to_outweigh_the_others_does_not() -> None:
    """Of a difference that 256 bits tell from 0 with an error of some hundredth; at a distance of 8
    the others weigh a little more than it."""
    t = F(1, 10**76)
    with mp.workdps(150):
        for part, distance in ((-0.002, 8), (0.002, 16), (0.2, 16)):
            variance = F(nstr(17 / (2 * (log(2 / kb.real(str(t))) - part)), 30))
            laws: Laws = {0: "1/2", 1: "1/2"}, {0: "3/4", 1: "1/4"}
            g = lattice(*laws, f"log(2) - {t}", variance=str(variance))
            assert is_outweighed(g, 1, 9) == (part < 0)
            assert g._edge(1, 1) - 1 >= distance, part


def test_a_tail_that_begins_too_far_out(monkeypatch: pytest.MonkeyPatch) -> None:
    g = lattice({0: "1/2", 1: "1/2"}, {0: "3/4", 1: "1/4"}, "log(2) - 1e-9", variance="1")
    distance = g._edge(1, 1) - 1
    assert distance > 8
    monkeypatch.setattr(gaussian_lattice, "MOST", 2 * distance)
    assert g._edge(1, 1) - 1 == distance
    monkeypatch.setattr(gaussian_lattice, "MOST", 2 * distance - 1)
    with pytest.raises(Rejected, match="too wide"):
        g._edge(1, 1)


def test_work_is_bounded_by_atoms_times_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the limit, and one beyond it."""
    g = lattice({0: "1/2", 3: "1/2"}, {0: "1"})
    ar = Arithmetic(32)
    jumps = g.jumps(ar)
    reach = g.reach(ar.bits)
    monkeypatch.setattr(gaussian_lattice, "MOST", 2 * reach)
    assert g.reach(ar.bits) == reach
    monkeypatch.setattr(gaussian_lattice, "MOST", 2 * reach - 1)
    with pytest.raises(Rejected, match="too wide"):
        g.reach(ar.bits)
    monkeypatch.setattr(gaussian_lattice, "MOST", 20)
    for low in (-30, -5, 0, 30):
        assert len(g.runs(low, low + 10)) == 11
        with pytest.raises(Rejected, match="too wide"):
            g.runs(low, low + 11)
    monkeypatch.setattr(Lattice, "reach", lambda self, bits: 12)
    for low in (-9, -5, 0, 3):
        g.value(Run(low, low + 10, ""), jumps, ar)
        with pytest.raises(Rejected, match="an output of too many points"):
            g.value(Run(low, low + 11, ""), jumps, ar)


def test_an_event_is_bounded_by_atoms_times_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaussian_lattice, "MOST", 20)
    laws: Laws = {0: "1/2", 3: "1/2"}, {0: "1"}
    for event in ([["4", "13"]], [["-1", "2"], ["4", "9"]], [["-20", "-11"]]):
        assert len([*lattice(*laws, event=event)._said(Arithmetic(32))]) == 10
    for event in ([["4", "14"]], [["-1", "2"], ["4", "10"]], [["-20", "-10"]]):
        with pytest.raises(Rejected, match="an event of too many outputs"):
            [*lattice(*laws, event=event)._said(Arithmetic(32))]
    monkeypatch.setattr(gaussian_lattice, "MOST", 2)
    assert [*lattice(*laws, y="7")._said(Arithmetic(32))] == [Run(7, 7, "")]
    monkeypatch.setattr(gaussian_lattice, "MOST", 1)
    with pytest.raises(Rejected, match="an event of too many outputs"):
        [*lattice(*laws, y="7")._said(Arithmetic(32))]


def test_outputs_are_said_once_each() -> None:
    g = lattice({0: "1/2"}, {0: "1"}, post=Cells((0, 3)), outputs=["1", "0"])
    assert [*g._said(Arithmetic(32))] == [Run(0, 2, "1"), Run(None, -1, "0")]
    for outputs in ([], ["1", "0", "1"]):
        g.said["outputs"] = outputs
        with pytest.raises(Malformed, match="outputs must be different, at least one"):
            [*g._said(Arithmetic(32))]


def test_only_steps_need_the_bound_of_tails_at_an_output() -> None:
    for post, said in ((None, {"y": "0"}), (Cells((-3, 4)), {"output": "1"})):
        g = lattice({0: "1"}, {0: "1/2"}, "1/4", nothing=("0", "1/2"), post=post, bits=64, **said)
        g.require_at(F(1, 100), ratio=True)
        assert g.facts == (set() if post is None else {"F48i"})


def test_an_output_without_mass_refutes_nothing() -> None:
    """Where no row alone is, no number has a mass; and a mass of a whole unit counts."""
    g = lattice({}, {}, post=Cells((0,)), nothing=("1", "1"), output="1", bits=64)
    with pytest.raises(Rejected, match="no such margin is proved at the output"):
        g.require_at(F(1, 100), ratio=True)
    g = lattice({0: "1"}, {}, "-1/100", nothing=("0", "1"), y="0", bits=64)
    g.require_at(F(1, 100), ratio=True)


def tried(g: Lattice, *bits: int) -> list[tuple[list[Interval], Arithmetic]]:
    return [(g.jumps(ar), ar) for ar in map(Arithmetic, bits)]


def test_a_tie_at_one_output_is_decided() -> None:
    for post in (None, Cells((0, 3))):
        for epsilon, holds in (("log(2)", True), ("log(2) - 1e-40", False)):
            g = lattice({0: "1/2"}, {0: "1/4"}, epsilon, nothing=("1/2", "3/4"), post=post)
            for run in (Run(0, 0, ""), Run(0, 2, "")):
                assert g._is_bounded(run, tried(g, 64)) is holds
                assert g._is_bounded(run, tried(g, 64, 256)) is holds


def test_an_output_without_end_is_tried_at_each_precision() -> None:
    """Its sum has no exact form: 64 bits tell the ratio from neither 2 nor a little less."""
    run, nothing = Run(None, 3, ""), ("1/2", "3/4")
    for more, holds in (("+", True), ("-", False)):
        g = lattice({0: "1/2"}, {0: "1/4"}, f"log(2) {more} 1e-30", nothing=nothing)
        assert not g._is_bounded(run, tried(g, 64))
        assert g._is_bounded(run, tried(g, 64, 256)) is holds
    g = lattice({0: "1/3"}, {0: "1/3"}, nothing=("2/3", "2/3"))
    assert not g._is_bounded(run, tried(g, 64, 256))


def test_one_unit_is_more_than_none_and_none_is_not() -> None:
    g = lattice({0: "1"}, {}, nothing=("0", "1"), post=Cells(()), variance="1/100")
    assert not g._is_bounded(Run(0, 0, ""), tried(g, 64))
    g = lattice({0: "1/2"}, {0: "1/2"}, nothing=("1/2", "1/2"))
    assert g._is_bounded(Run(None, 3, ""), tried(g, 64))


def drawn_laws(rng: Random) -> tuple[dict[int, str], dict[int, str], tuple[str, str]]:
    """Two laws, with more of no row under the second."""
    places = rng.sample(range(-3, 4), rng.randint(1, 3))
    weights = [[rng.choice([0, 1, 1, 2, 3, 5, 8, 40]) for _ in [*places, 0]] for _ in "pq"]
    weights[1][-1] += rng.choice([0, 0, 20])
    p, q = ([F(w, sum(of)) for w in of] for of in [x if sum(x) else [1] * len(x) for x in weights])
    first, second = ({x: str(m) for x, m in zip(places, of, strict=False)} for of in (p, q))
    return first, second, (str(p[-1]), str(q[-1]))


def drawn_cells(rng: Random) -> Cells:
    """Many points and some longer runs of them, of which the first is hidden or not."""
    cuts = set(range(-9, 10)) if rng.random() < 0.7 else set[int]()
    cuts -= set(rng.sample(range(-9, 10), 8))
    cuts |= set(range(-30, 30)) - set(range(-12, 12)) if rng.random() < 0.7 else set()
    return Cells(tuple(sorted(cuts)), rng.random() < 0.5)


WIDE = 60


def is_bounded(g: Lattice) -> bool:
    """Whether G <= 0 at all outputs."""
    *c, none = gaps(g)
    at = {
        k: sum((x * bell(k - a, g.variance) for x, a in zip(c, g.atoms, strict=True)), mpf(0))
        for k in range(-WIDE, WIDE)
    }
    if not isinstance(g.law.post, Cells):
        return bool(max(at.values()) <= 0)
    cells = g.law.post.cells()
    if g.hidden is not None and g.hidden not in cells:
        cells.append(g.hidden)
    for cell in cells:
        low, high = (
            -WIDE if cell.low is None else cell.low,
            WIDE if cell.high is None else cell.high,
        )
        of = sum((at.get(k, mpf(0)) for k in range(low, high + 1)), mpf(0))
        if of + (none * whole(g.variance) if cell == g.hidden else 0) > 0:
            return False
    return True


@pytest.mark.parametrize("part", range(4))
def test_a_ratio_is_bounded_where_it_is_at_all_outputs(part: int) -> None:
    said = []
    for seed in range(25):
        rng = Random(f"{part} {seed}")
        p, q, nothing = drawn_laws(rng)
        post = drawn_cells(rng) if nothing != ("0", "0") or rng.random() < 0.5 else None
        variance = rng.choice(["1/9", "1/2", "2"])
        epsilon = rng.choice(["1/7", "1", "2", "5"])
        g = lattice(p, q, epsilon, variance=variance, post=post, nothing=nothing)
        said.append(g.positive() is None)
        assert said[-1] == is_bounded(g), (p, q, nothing, post, epsilon, variance)
    assert 6 <= sum(said) <= 19


UP, FAR = "the ratio is not bounded at an output", "the ratio is not bounded far out"
NONE = "the ratio is not bounded where there is no row"


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(
    ("q", "epsilon", "variance"),
    [
        (("1/51", "10/51", "40/51"), "log(51/20)", "5/12"),  # exceeded at 0 alone
        (("704/787", "80/787", "3/787"), "log(787/160)", "18/25"),  # at 3 alone
    ],
)
def test_an_output_at_or_beyond_the_outer_atom_may_exceed_alone(
    q: tuple[str, ...], epsilon: str, variance: str, mirrored: bool
) -> None:
    """All differences of the atoms but the middle one are negative."""
    g = lattice({1: "1"}, masses(*q[::-1]) if mirrored else masses(*q), epsilon, variance=variance)
    points = [Run(k, k, "") for k in range(-9, 12)]
    assert sum(excess(g, run) > 0 for run in points) == 1
    assert g.positive() == UP


@pytest.mark.parametrize(
    ("p", "q", "nothing", "cuts", "said"),
    [
        # what is left of the first output seen is hidden, or one more output that exceeds
        (("1/8", "1/8"), ("1/16", "3/8"), ("3/4", "9/16"), (-1, 3), UP),
        (("1/8", "1/8"), ("1/16", "3/8"), ("1/16", "9/16"), (-1, 2), None),
        (("1/8", "1/8"), ("1/16", "3/8"), ("1/16", "9/16"), (-2, -1, 3), FAR),
        # the last output seen is endless; or all that is seen is hidden, and the last one is not
        (("1/8", "1/8"), ("3/8", "1/16"), ("1/16", "9/16"), (-5, 0), None),
        (("1/8", "1/8"), ("3/8", "1/16"), ("1/16", "9/16"), (-5, 0, 20), FAR),
        (("1/8", "1/8"), ("3/8", "1/16"), ("1/16", "9/16"), (20,), FAR),
    ],
)
def test_far_out_all_is_hidden_or_nothing_exceeds(
    p: tuple[str, ...], q: tuple[str, ...], nothing: Any, cuts: tuple[int, ...], said: str | None
) -> None:
    g = lattice(masses(*p), masses(*q), variance="1/9", post=Cells(cuts, True), nothing=nothing)
    assert g.positive() == said
    assert (said is None) == is_bounded(g)


def test_one_output_alone_tells_nothing() -> None:
    laws: Laws = {0: "1"}, {1: "1"}
    assert lattice(*laws, post=Cells(())).positive() is None
    shared: Laws = {0: "1/2"}, {1: "1/4"}
    g = lattice(*shared, post=Cells((), True), nothing=("1/2", "3/4"))
    assert g.positive() is None
    assert lattice(*shared, post=Cells(()), nothing=("1/2", "3/4")).positive() == UP


def test_no_row_may_exceed_alone() -> None:
    for nothing, said in ((("1", "1/2"), NONE), (("1/2", "1/2"), None), (("1/2", "1"), None)):
        assert lattice({}, {}, post=Cells((0,)), nothing=nothing).positive() == said


def divergence(g: Lattice) -> mpf:
    excesses = (excess(g, Run(k, k, "")) for k in range(-25, 35))
    return sum((x for x in excesses if x > 0), mpf(0)) / whole(g.variance)


@pytest.mark.parametrize("reach", [0, 1, 3])
def test_the_tails_beyond_a_window_count(reach: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lattice, "reach", lambda self, bits: reach)
    cases: list[Laws] = [
        ({0: "1"}, {5: "1"}), ({5: "1"}, {0: "1"}), ({0: "1/4", 3: "3/4"}, {0: "1/2", 2: "1/2"}),
        ({0: "1"}, {}),
    ]  # fmt: skip
    for laws in cases:
        for variance in ("1/100", "4"):
            g = lattice(*laws, variance=variance)
            found = divergence(g)
            g = lattice(*laws, delta=nstr(found * (1 - NEAR), 40), variance=variance)
            with pytest.raises(Rejected, match="not bounded by delta at this precision"):
                g._require_sum(Arithmetic(64))
            rest = 4 * series(reach, g.variance) / whole(g.variance) + NEAR
            if found + rest < 1:
                delta = nstr((found + rest) / (1 - rest), 40)
                lattice(*laws, delta=delta, variance=variance)._require_sum(Arithmetic(64))


def test_four_precisions_are_tried_where_none_is_said() -> None:
    """The divergence is 1/6; 2^-2000 more needs the fourth one."""
    laws: Laws = {0: "1/3"}, {0: "1/6"}
    for more, bits in ((2000, None), (100, None), (100, 256)):
        delta = f"1/6 + 1/{2**more}"
        said: Json = {} if bits is None else {"bits": bits}
        g = lattice(*laws, delta=delta, variance="1/100", nothing=("2/3", "5/6"), **said)
        g.require_area()
        assert g.facts == {"F48i"}
    with pytest.raises(Rejected):
        lattice(
            *laws, delta=delta, variance="1/100", nothing=("2/3", "5/6"), bits=64
        ).require_area()


def test_noise_of_the_normal_form() -> None:
    for step, amount in ((None, F(1)), (F(1), F(0)), (F(1), F(-1, 2)), (F(1), parse("sqrt(2)"))):
        with pytest.raises(Malformed, match="needs a step and a positive variance"):
            celled({F(0): F(1)}, SimpleNamespace(step=step, amount=amount))
    law = celled({F(0): F(1)}, SimpleNamespace(step=F(2), amount=F(1, 9)))
    assert law == Celled({F(0): F(1)}, F(0), F(1, 9), F(2), None)


def test_a_further_precision_is_tried_where_the_sign_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not where an enclosure, or the exact sum, tells that G > 0; the further one says 0 here."""
    g = lattice({0: "1"}, {}, nothing=("0", "1"), variance="1/100")
    run, ar = Run(0, 0, ""), Arithmetic(64)
    further: tuple[list[Interval], Arithmetic] = ([(0, 0, 0)], Arithmetic(256))
    cases: list[tuple[Interval, bool]] = [
        ((1, 1, 0), False), ((1, 2, -5), False), ((0, 1, 0), True), ((-1, 1, 0), True),
    ]  # fmt: skip
    for jump, holds in cases:
        assert not g._is_bounded(run, [([jump], ar), further])  # by the exact sum
        with monkeypatch.context() as changed:
            changed.setattr(gaussian_lattice, "EXACT", 0)
            assert g._is_bounded(run, [([jump], ar), further]) is holds
