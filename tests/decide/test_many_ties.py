"""Many atoms that tie, or nearly: the exact signs against sums of fractions and of mpmath."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from support.problems import limited, problem
from support.slices import sliced

from pfverify import Problem, System, certify
from pfverify.decide.exponential.exact_gaps import ExactGaps, _without_shared, signs_at
from pfverify.decide.exponential.pair import Pair
from pfverify.exact.expsum import ExpSum
from pfverify.exact.number import number
from pfverify.exact.polynomials import Polynomial
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete

HALF = Fraction(1, 2)
SCALE = "1/log(2)"  # one step of the lattice halves the noise
TWO_POINTS = "1/log((9*exp(1)-2)/(8-exp(1)))"  # the least for chances 1/5 and 9/10 at epsilon 1


def from_values(values):
    """The signed weights whose sums over 2**-distance are these values on 0 ... n - 1."""
    n, t = len(values), HALF
    found = []
    for k, value in enumerate(values):
        inside = 1 + (t * t if 0 < k < n - 1 else 0)
        around = sum(values[j] for j in (k - 1, k + 1) if 0 <= j < n)
        found.append((inside * value - t * around) / (1 - t * t))
    return found


def smoothed(weights):
    """Sums of weight * 2**-distance, by two recurrences in fractions."""
    out = []
    for table in (weights, weights[::-1]):
        total, side = Fraction(0), []
        for w in table:
            total = total * HALF + w
            side.append(total)
        out.append(side)
    return [a + b - w for a, b, w in zip(out[0], out[1][::-1], weights, strict=True)]


def plateau(n):
    """Two priors on 0 ... 2n - 1 for which p - q is the same at the first n atoms."""
    signed = from_values([Fraction(1)] * n + [Fraction(-1)] * n)
    mass = sum(max(w, 0) for w in signed)
    return tuple(
        {k: max(sign * w, 0) / mass for k, w in enumerate(signed) if sign * w > 0}
        for sign in (1, -1)
    )


@pytest.mark.parametrize("n", [3, 9, 30, 120, pytest.param(400, marks=pytest.mark.long)])
def test_pointwise_ties_at_more_than_eight_atoms_are_decided(n):
    p, q = plateau(n)
    signed = [p.get(k, 0) - q.get(k, 0) for k in range(2 * n)]
    gaps = [value / 3 for value in smoothed(signed)]  # (1 - t) / (1 + t) = 1/3
    delta = max(gaps)
    assert sum(gap == delta for gap in gaps) == n
    with limited(60):
        tie = certify(problem(p, q, SCALE, 0, str(delta), "pointwise", step=1))
        below = certify(
            problem(p, q, SCALE, 0, str(delta * Fraction(999, 1000)), "pointwise", step=1)
        )
    assert tie.verdict == "certified"
    assert [pair.tie for pair in tie.pairs] == [True, True]
    assert sorted(len(pair.ties) for pair in tie.pairs) == [n, n]
    assert below.verdict == "refuted"


@pytest.mark.parametrize("n", [20, 200, pytest.param(1000, marks=pytest.mark.long)])
def test_pure_ties_at_half_of_the_atoms_are_found_together(n):
    # p - 2 q is -c at the first half of the atoms, and 0 at the second
    half = n // 2
    signed = from_values([Fraction(-1)] * half + [Fraction(0)] * half)
    q = [Fraction(8 if k in (0, half - 1) else 3 if k < half else 1) for k in range(n)]
    c = sum(q) / -sum(signed)
    p = [2 * b + c * w for b, w in zip(q, signed, strict=True)]
    assert sum(p) == sum(q)
    assert min(p) >= 0
    gaps = [a - 2 * b for a, b in zip(smoothed(p), smoothed(q), strict=True)]
    assert [k for k in range(n) if gaps[k] == 0] == list(range(half, n))
    tables = [{k: w / sum(x) for k, w in enumerate(x) if w} for x in (p, q)]
    with limited(60):
        result = certify(problem(*tables, SCALE, "log(2)", step=1))
        order = next(pair for pair in result.pairs if pair.from_ == "a")
    assert order.verdict == "certified"
    assert order.ties == tuple(range(half, n))


@pytest.mark.parametrize(("n", "spacing"), sliced(2, [400, 5000], [10**4, 10**9]))
def test_a_translated_prior_with_far_apart_atoms_is_decided_at_once(n, spacing):
    p = {spacing * k: Fraction(1, n) for k in range(n)}
    q = {x + 1: mass for x, mass in p.items()}
    with limited(60):
        result = certify(problem(p, q, 1, 1))
        assert result.verdict == "certified"
        ends = {pair.from_: pair.ties for pair in result.pairs}
        assert ends == {"a": (0,), "b": (spacing * (n - 1) + 1,)}
        assert certify(problem(p, q, "0.999999", 1)).verdict == "refuted"


SEEN = Counter()


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2), st.integers(0, 2)), min_size=9,
             max_size=24),
    st.sampled_from([1, 7, 15]),
    st.sampled_from(["1", "1/2", "3", SCALE]),
    st.sampled_from(["0", "1", "log(2)", "1/2+log(3)"]),
    st.booleans(),
    st.booleans(),
)
@example([(1, 1, 1)] * 9, 1, "1", "0", False, True)  # a tie everywhere
@settings(max_examples=25, deadline=None)
def signs_agree(rows, stretch, scale, epsilon, reverse, equal):
    places = [0]
    for gap, _, _ in rows:
        places.append(places[-1] + gap * stretch)
    tables = [
        {x: row[1 + which] for x, row in zip(places, rows, strict=False) if row[1 + which]}
        for which in (0, 1)
    ]
    assume(tables[0] and tables[1])
    if equal:  # ties wherever epsilon = 0
        tables[1] = tables[0]
    pair = Pair(*(Discrete(counts=t) for t in tables))
    rate, level = number(scale).reciprocal, number(epsilon).linear
    gaps = ExactGaps(pair, rate, level, reverse)
    found = signs_at(gaps, range(len(pair)), 4, final=True)
    with mp.workprec(2500):
        e = mp.mpf(1)
        r = {"1": e, "1/2": 2 * e, "3": e / 3, SCALE: mp.log(2)}[scale]
        eps = {"0": 0 * e, "1": e, "log(2)": mp.log(2), "1/2+log(3)": e / 2 + mp.log(3)}[epsilon]
        truth = {}
        for k, here in enumerate(pair.points):
            sums = [
                mp.fsum(mp.mpf(w) / total * mp.exp(-abs(x - here) * r)
                        for x, w in zip(pair.points, weights, strict=True))
                for weights, total in zip(pair.weights, pair.totals, strict=True)
            ]
            up, down = reversed(sums) if reverse else sums
            gap = up - mp.exp(eps) * down
            tiny = mpf(2) ** -2400 * (up + down)
            truth[k] = 0 if abs(gap) < tiny else int(mp.sign(gap))
    SEEN.update(truth.values())
    if 1 in truth.values():
        assert len(found) == 1
        ((k, sign),) = found.items()
        assert sign == truth[k] == 1
    else:
        assert found == truth


def test_signs_agree_with_high_precision():
    SEEN.clear()
    signs_agree()
    assert min(SEEN[-1], SEEN[0], SEEN[1]) > 0


OWN = {  # what one person adds: the first divided by the second is no polynomial with weights > 0
    "values": ([1], [0, 1]),
    "chances": ([4, 1], [1, 9]),
    "a factor of its own": ([1, 0, 0, 1], [2, 3, 1]),  # both have 1 + z, left is 1 - z + z**2
    "ends that are shared": ([0, 0, 1, 2], [0, 0, 3, 0, 1]),
    "one law": ([1, 2], [1, 2]),
}


@given(
    st.sampled_from(sorted(OWN)),
    st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(lambda law: law[0] and law[-1]),
    st.sampled_from([1, 2, 9]),
    st.sampled_from([("1", "1"), ("1/2", "1"), (SCALE, "log(2)"), ("1", "1/3+log(2)"), ("3", "0")]),
    st.booleans(),
)
@example("chances", [1, 2], 30, (TWO_POINTS, "1"), True)
@example("values", [1], 1, ("1", "1"), False)
@settings(max_examples=120, deadline=None, derandomize=True)
def signs_in_a_crowd_agree(own, other, count, levels, reverse):
    crowd = Polynomial(other) ** count
    weights = [(crowd * Polynomial(one)).coefficients() for one in OWN[own]]
    pair = Pair(*(Discrete(counts=dict(enumerate(w))) for w in weights))
    rate, level = number(levels[0]).reciprocal, number(levels[1]).linear
    gaps = ExactGaps(pair, rate, level, reverse)
    with mp.workprec(2500):
        e = mp.mpf(1)
        r = {"1": e, "1/2": 2 * e, "3": e / 3, SCALE: mp.log(2),
             TWO_POINTS: mp.log((9 * mp.e - 2) / (8 - mp.e))}[levels[0]]
        eps = {"0": 0 * e, "1": e, "log(2)": mp.log(2), "1/3+log(2)": e / 3 + mp.log(2)}[levels[1]]
        for k in range(0, len(pair), max(1, len(pair) // 4)):
            sums = [
                mp.fsum(mp.mpf(w) / total * mp.exp(-abs(x - pair.points[k]) * r)
                        for x, w in zip(pair.points, column, strict=True))
                for column, total in zip(pair.weights, pair.totals, strict=True)
            ]
            up, down = reversed(sums) if reverse else sums
            gap = up - mp.exp(eps) * down
            truth = 0 if abs(gap) < mpf(2) ** -2300 * (up + down) else int(mp.sign(gap))
            assert gaps.sign(k) == truth
            around = [gaps._around(k, which) for which in (gaps.upper, gaps.lower)]
            left = _without_shared(*around)
            SEEN[truth, len(left[0]) < len(around[0]), min(left[0].values()) < 0] += 1


def test_what_both_laws_share_changes_no_sign():
    SEEN.clear()
    signs_in_a_crowd_agree()
    assert min(SEEN[sign, True, False] for sign in (-1, 0, 1)) > 0
    assert min(SEEN[sign, False, False] for sign in (-1, 1)) > 0
    assert min(SEEN[sign, True, True] for sign in (-1, 1)) > 0  # times a factor that is not plain


@pytest.mark.parametrize("release", ["sum", "mean"])
@pytest.mark.parametrize(("user", "scale", "ties"), [
    ({"a": {"point": 1}, "b": {"point": 0}}, "1", 2),
    ({"a": {"bernoulli": "1/5"}, "b": {"bernoulli": "9/10"}}, TWO_POINTS, 1),
])  # fmt: skip
def test_a_scale_met_exactly_by_one_of_many_people(release, user, scale, ties):
    crowd = System([{"bernoulli": "239/649", "count": 999}], user, release=release)
    unit = "" if release == "sum" else "/1000"
    with limited(20):
        found = certify(Problem(system=crowd, noise=Laplace(f"({scale}){unit}"), epsilon=1))
    assert found.verdict == "certified"
    assert sum(order.tie for order in found.pairs) == ties
    assert all(len(order.ties) == order.tie for order in found.pairs)
    smaller = Problem(system=crowd, noise=Laplace(f"({scale}){unit}*(1-1e-30)"), epsilon=1)
    assert certify(smaller).verdict == "refuted"


def test_the_shared_sums_see_ties_that_a_bound_makes():
    p, q = plateau(12)
    pair = Pair(Discrete(p), Discrete(q), Fraction(1))
    signed = [p.get(k, 0) - q.get(k, 0) for k in range(24)]
    level = max(smoothed(signed))
    gaps = ExactGaps(
        pair, number(SCALE).reciprocal, number(0).linear, False,
        ExpSum.constant(1), ExpSum.constant(level * pair.whole),
    )
    assert gaps.ties(range(24)) == set(range(12))
