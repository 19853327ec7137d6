"""The form renyi of densities that end or are kept in part, and on a lattice of Gaussian noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.kernel_run import accepted_certificate

from pfverify import Discrete, InputError, Problem, certify, loss
from pfverify.decide.gaussian_lattice.laws import LatticePair
from pfverify.decide.renyi.lattice import OfLattice
from pfverify.exact.ball import precision

Json = dict[str, Any]
TRUNCATED = {"kind": "truncated-laplace", "scale": "1", "bound": "3/2"}
WINDOW = {"kind": "bounded-laplace", "scale": "1/2", "low": "-1", "high": "5"}
LAPLACE = {"kind": "laplace", "scale": "2"}
LATTICE = {"kind": "discrete-gaussian", "variance": "3/2", "step": "1"}
CLAMP, KEEP = {"clamp": ["0", "2"]}, {"threshold": {"at": 1, "keep": "at-least"}}


def problem(p: Discrete, q: Discrete, noise: Json, order: object, *post: Json) -> Problem:
    return Problem.from_table({
        "schema": "pfverify/problem/1", "form": "renyi", "order": str(order), "epsilon": "1/4",
        "noise": noise, "priors": {"a": p.to_table(), "b": q.to_table()},
        **({"post": [*post]} if post else {}),
    })  # fmt: skip


def ends(of: Problem) -> dict[str, tuple[Any, Any]]:
    return {x.from_: (x.divergence.lower, x.divergence.upper)  # type: ignore[union-attr]
            for x in loss(of).pairs}  # fmt: skip


def kernel_word(of: Problem) -> str:
    return accepted_certificate(of.to_table(), of, certify(of))[1]


def mp(x: Any) -> Any:
    return mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator


def density(law: Discrete, noise: Json, y: Any) -> Any:
    total, s = mpmath.mpf(0), mp(noise["scale"])
    for x, m in ((mp(x), mp(m)) for x, m in law.mass.items()):
        whole = mpmath.mpf(2)
        if "bound" in noise:
            if abs(y - x) > mp(noise["bound"]):
                continue
            whole -= 2 * mpmath.exp(-mp(noise["bound"]) / s)
        if "low" in noise:
            whole -= mpmath.exp(-(x - mp(noise["low"])) / s)
            whole -= mpmath.exp(-(mp(noise["high"]) - x) / s)
        total += m * mpmath.exp(-abs(y - x) / s) / (s * whole)
    return total


def places(p: Discrete, q: Discrete, noise: Json) -> list[Any]:
    atoms = {mp(x) for x in (*p.mass, *q.mass)}
    if "bound" in noise:
        atoms |= {x + side * mp(noise["bound"]) for x in atoms for side in (-1, 1)}
    elif "low" in noise:
        atoms |= {mp(noise["low"]), mp(noise["high"])}
    else:
        atoms |= {mpmath.mpf(x) for x in (-160, -40, -10, 14, 44, 164)}
    return sorted(atoms)


def expected(p: Discrete, q: Discrete, noise: Json, order: Any, clamp: bool = False) -> Any:
    """By quadrature over pieces, and of a clamp at 0 and 2 with two single outputs."""
    a = mp(order)

    def term(x: Any, y: Any) -> Any:
        if x == 0:
            return mpmath.mpf(0)
        if y == 0:
            return mpmath.inf
        return x * mpmath.log(x / y) if a == 1 else x**a * y ** (1 - a)

    cuts = sorted({*places(p, q, noise), *((mpmath.mpf(0), mpmath.mpf(2)) if clamp else ())})
    total, singles = mpmath.mpf(0), {0: [mpmath.mpf(0)] * 2, 2: [mpmath.mpf(0)] * 2}
    for low, high in pairwise(cuts):
        middle = (low + high) / 2
        single = (0 if high <= 0 else 2 if low >= 2 else None) if clamp else None
        if single is not None:
            for k, law in enumerate((p, q)):
                singles[single][k] += mpmath.quad(lambda y, x=law: density(x, noise, y),
                                                  [low, high])  # fmt: skip
        elif density(p, noise, middle):
            if not density(q, noise, middle):
                return mpmath.inf
            total += mpmath.quad(
                lambda y: term(density(p, noise, y), density(q, noise, y)), [low, high]
            )
    total += sum(term(*pair) for pair in singles.values())
    return total if a == 1 else mpmath.log(total) / (a - 1)


def check(found: tuple[Any, Any], value: Any) -> None:
    if value == mpmath.inf:
        assert found == ("inf", "inf")
        return
    low, high = map(mp, found)
    assert low - mpmath.mpf("1e-13") <= value <= high + mpmath.mpf("1e-13")


def laws() -> Any:
    some = st.dictionaries(st.integers(0, 4), st.integers(1, 5), min_size=1, max_size=3)
    return some.map(lambda counts: Discrete(counts=counts))


@settings(max_examples=12, deadline=None)
@given(laws(), laws(), st.sampled_from([TRUNCATED, WINDOW, LAPLACE]),
       st.sampled_from(["1", "3/2", "2", "5"]), st.booleans())  # fmt: skip
def test_densities_that_end_or_are_clamped(
    p: Discrete, q: Discrete, noise: Json, order: str, clamp: bool
) -> None:
    clamp = clamp and noise is not WINDOW
    found = ends(problem(p, q, noise, order, *([CLAMP] if clamp else [])))
    with mpmath.workdps(18):
        check(found["a"], expected(p, q, noise, order, clamp))


@settings(max_examples=12, deadline=None)
@given(laws(), laws(), st.sampled_from(["1", "3/2", "2", "5"]),
       st.sampled_from(["1/3", "3/2", "20"]), st.booleans())  # fmt: skip
def test_a_lattice_of_gaussian_noise_against_sums(
    p: Discrete, q: Discrete, order: str, variance: str, clamp: bool
) -> None:
    noise = LATTICE | {"variance": variance}
    found = ends(problem(p, q, noise, order, *([CLAMP] if clamp else [])))
    with mpmath.workdps(25):
        a, v = mp(order), mp(variance)

        def mass(law: Discrete, y: int) -> Any:
            parts = (mp(m) * mpmath.exp(-((y - mp(x)) ** 2) / (2 * v)) for x, m in law.mass.items())
            return mpmath.fsum(parts)

        outputs: dict[Any, list[Any]] = {}
        for y in range(-130, 135):
            name = min(max(y, 0), 2) if clamp else y
            pair = outputs.setdefault(name, [mpmath.mpf(0)] * 2)
            outputs[name] = [pair[0] + mass(p, y), pair[1] + mass(q, y)]
        whole = mpmath.fsum(mass(Discrete({0: 1}), y) for y in range(-150, 151))
        terms = (x * mpmath.log(x / y) if a == 1 else x**a * y ** (1 - a)
                 for x, y in outputs.values())  # fmt: skip
        total = mpmath.fsum(terms) / whole
        check(found["a"], total if a == 1 else mpmath.log(total) / (a - 1))


CASES = [
    (TRUNCATED, ()), (WINDOW, ()), (LAPLACE, (KEEP,)), (TRUNCATED, (CLAMP,)), (LATTICE, ()),
    (LATTICE, (KEEP,)), (LATTICE, ({"round": {"to": "2"}},)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_kernel_accepts_both_verdicts_beside_the_number(case: Any) -> None:
    noise, post = case
    asked = problem(Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/4", 1: "3/4"}), noise, 2, *post)
    top = max(Fraction(upper) for _, upper in ends(asked).values())
    more, less = (asked.replaced(epsilon=top + x) for x in (Fraction(1, 10**11), -Fraction(
        1, 10**11)))  # fmt: skip
    assert (kernel_word(more), kernel_word(less)) == ("certified", "refuted")


def test_where_one_law_ends_before_the_other_it_is_infinite() -> None:
    one, two = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: 1})
    asked = problem(one, two, TRUNCATED, "11/10")
    assert ends(asked)["a"] == ("inf", "inf")
    assert ends(asked)["b"] != ("inf", "inf")
    assert kernel_word(asked) == "refuted"
    # an atom of next to no mass is enough, and steps that hide what lies beyond it end it
    tiny = Discrete({0: 1 - Fraction(1, 10**40), 1: Fraction(1, 10**40)})
    assert ends(problem(tiny, two, TRUNCATED, 2))["a"] == ("inf", "inf")
    hidden = problem(tiny, two, TRUNCATED, 2, {"clamp": ["0", "1"]})
    assert ends(hidden)["a"] != ("inf", "inf")


def test_a_missing_row_may_make_it_infinite() -> None:
    law, none = {"kind": "discrete", "mass": {"0": 1}}, {"kind": "nothing"}
    for noise in (LAPLACE, LATTICE):
        table = problem(Discrete({0: 1}), Discrete({1: 1}), noise, 2, KEEP).to_table()
        asked = Problem.from_table(table | {"priors": {"a": law, "b": none}})
        assert {x.from_: x.divergence.lower == "inf" for x in loss(asked).pairs} == {  # type: ignore[union-attr]
            "a": True, "b": False}  # fmt: skip
        assert kernel_word(asked) == "refuted"


def test_wide_noise_is_left_undecided_and_says_so() -> None:
    pair = LatticePair({0: Fraction(1)}, {0: Fraction(1, 2), 1: Fraction(1, 2)},
                       Fraction(10**12), Fraction(0), Fraction(1))  # fmt: skip
    found = OfLattice(pair, Fraction(2))
    with precision(64):
        assert "too many points" in found.why
        assert not found.ball().is_finite()


def test_what_is_refused_says_why() -> None:
    gauss = {"kind": "gaussian", "scale": "1"}
    for post in ({"round": {"to": "1"}}, CLAMP, KEEP):
        asked = problem(Discrete({0: 1}), Discrete({1: 1}), gauss, 2, post)
        with pytest.raises(InputError, match="not decided of steps after gaussian noise"):
            certify(asked)
