"""The exact law of a release: against direct sums, decide's balls, and itself in other forms."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from support import oracles
from support.examples import discrete_examples
from support.latex_grammar import assert_latex

from pfverify.answers.loss import loss
from pfverify.decide.exponential.pair import Pair
from pfverify.edge.packaged import load_example
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, precision
from pfverify.exact.number import Number, number
from pfverify.laws.rate import Rate
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.symbolic.laplace import (
    density,
    discrete_laplace_mass,
    laplace_density,
    laplace_density_by_atoms,
    laplace_segments,
)
from pfverify.symbolic.statement import Y
from pfverify.symbolic.translate import from_number, to_ball, to_number

EXAMPLES = [name for name in discrete_examples() if name != "students-mean"]  # 649 atoms: too many

LIKE_ANOTHER = {"four-users-laws-absent", "four-users-values", "four-users-values-absent"}


def marked(name: str, *more: str) -> Any:
    """Crowds of four users are of one shape: by default one of them."""
    return pytest.param(name, *more, marks=pytest.mark.long if name in LIKE_ANOTHER else ())


PACKAGED = [
    marked(name, secret) for name in EXAMPLES for secret in load_example(name).beliefs["default"]
]


@cache
def packaged(name: str) -> Problem:
    return load_example(name)


def middle(ball: Ball) -> object:
    """A ball's midpoint for mpmath; the tests ask for 250 bits, the oracle holds 60 digits."""
    return oracles.mpf(ball.raw.mid().str(75, radius=False))


def close(ball: Ball, value: object) -> bool:
    return abs(middle(ball) - value) <= abs(value) * oracles.CLOSE  # type: ignore[operator]


def scale_of(problem: Problem) -> object:
    """The scale for mpmath, from its decimal expansion."""
    with precision(300):
        return middle(problem.scale().ball())


def outputs(atoms: tuple[Fraction, ...], rng: Random) -> list[Fraction]:
    """Atoms, just beside atoms, random points, and far outside."""
    tiny = Fraction(1, 10**30)
    width = atoms[-1] - atoms[0] + 1
    return [
        *(atom + shift for atom in atoms for shift in (-tiny, 0, tiny)),
        *(atoms[0] - width + 3 * width * Fraction(rng.randint(0, 999), 999) for _ in range(4)),
        atoms[0] - 40 * width,
        atoms[-1] + 40 * width,
    ]


@pytest.mark.parametrize(("name", "secret"), PACKAGED)
def test_packaged_densities_are_the_direct_sums(name: str, secret: str) -> None:
    problem = packaged(name)
    prior = problem.beliefs["default"][secret]
    release = oracles.Release(prior.mass, scale_of(problem))
    by_segments, by_atoms = density(problem, secret), density(problem, secret, by_atoms=True)
    assert by_segments.expression.has(sympy.Piecewise)
    assert not by_atoms.expression.has(sympy.Piecewise)
    for y in outputs(prior.atoms, Random(f"symbolic {name} {secret}")):
        for statement in (by_segments, by_atoms):
            assert close(statement.value(y=y, bits=250), release.at(y)), y
    assert_latex(by_segments.latex)
    assert_latex(by_atoms.latex)


@pytest.mark.parametrize("name", [marked(name) for name in EXAMPLES])
def test_density_ratios_are_the_balls_of_decide(name: str) -> None:
    """At every atom the log ratio is that of decide/, and its largest is the reported loss."""
    problem = packaged(name)
    for of in problem.questions():
        pair = Pair(of.first_prior, of.second_prior, problem.noise.step)
        laws = [density(problem, secret) for secret in (of.first, of.second)]
        logs = []
        for k in range(len(pair)):
            p, q = (law.value(y=pair.atom(k), bits=160) for law in laws)
            with precision(160):
                expected = pair.log_ratio(k, Rate(problem.scale()).ball().raw)
                logs.append((p / q).log())
                assert logs[-1].raw.overlaps(expected)
                assert (logs[-1].raw - expected).rad() < 1e-30
        largest = max(abs(middle(value)) for value in logs)
        found = loss(problem).epsilon_star
        assert oracles.encloses(found.lower, found.upper, largest, oracles.CLOSE)


@pytest.mark.parametrize(("name", "secret"), PACKAGED)
def test_neighbouring_pieces_agree_at_every_atom_and_the_mass_is_one(
    name: str, secret: str
) -> None:
    problem = packaged(name)
    prior = problem.beliefs["default"][secret]
    theta = problem.scale()
    segments = laplace_segments(prior, theta)
    assert len(segments) == len(prior.atoms) + 1
    assert segments[0].falling == 0
    assert segments[-1].rising == 0
    assert segments[0].low is None
    assert segments[-1].high is None
    zero, total = Number.of_rational(0), Number.of_rational(0)
    for k, atom in enumerate(prior.atoms):
        assert segments[k].high == segments[k + 1].low == atom
        sides = [
            bare(up, theta) * power(atom, theta) + bare(down, theta) * power(-atom, theta)
            for _, _, up, down in segments[k : k + 2]
        ]
        assert (sides[0] - sides[1]).sign() == 0
        assert (sides[0] - zero).sign() == 1
    for low, high, rising, falling in segments:
        a, b = bare(rising, theta), bare(falling, theta)
        if high is not None:
            total = total + a * power(high, theta) - b * power(-high, theta)
        if low is not None:
            total = total - a * power(low, theta) + b * power(-low, theta)
    gap = total - Number.of_rational(2)
    if name == "tie-bernoulli":  # fractions of many terms: beyond the exact zero test
        with precision(400):
            assert gap.ball().raw.contains(0)
            assert gap.ball().raw.rad() < 1e-90
    else:
        assert gap.sign() == 0


def bare(coefficient: object, theta: Number) -> Number:
    """A coefficient times 2 theta: an exponential sum, so that ties are decidable."""
    return to_number(sympy.expand(2 * from_number(theta) * coefficient), {})


def power(atom: Fraction, theta: Number) -> Number:
    return (Number.of_rational(atom) / theta).exp()


rationals = st.fractions(min_value=-20, max_value=20, max_denominator=30)
tables = st.dictionaries(
    st.fractions(min_value=-8, max_value=8, max_denominator=6), st.integers(1, 50), min_size=1,
    max_size=5,
)  # fmt: skip
scales = st.fractions(min_value=Fraction(1, 50), max_value=40, max_denominator=50)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(tables, scales, rationals, st.integers(0, 10))
def test_random_densities(
    counts: dict[Fraction, int], scale: Fraction, y: Fraction, at: int
) -> None:
    prior = Discrete(counts=counts)
    if at < len(prior.atoms):  # often exactly at an atom
        y = prior.atoms[at]
    expected = oracles.Release(prior.mass, scale).at(y)
    values = {"y": number(y)}
    symbolic = {"y": number(y), "theta": number(scale)}
    with precision(250):
        for expression, at_values in (
            (laplace_density(prior, scale), values),
            (laplace_density_by_atoms(prior, scale), values),
            (laplace_density(prior), symbolic),
            (laplace_density_by_atoms(prior), symbolic),
        ):
            assert close(to_ball(expression, at_values), expected)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    st.dictionaries(st.integers(-6, 6), st.integers(1, 50), min_size=1, max_size=4),
    scales,
    st.fractions(min_value=Fraction(1, 6), max_value=4, max_denominator=6),
    rationals,
    st.integers(-9, 9),
)
def test_random_lattice_masses(
    counts: dict[int, int], scale: Fraction, step: Fraction, origin: Fraction, at: int
) -> None:
    table = {origin + step * k: count for k, count in counts.items()}
    noise = DiscreteLaplace(scale, step)
    prior = Discrete(counts=table)
    problem = Problem({"a": prior, "b": prior}, noise=noise, epsilon=1)
    y = origin + step * at
    expected = oracles.Release(prior.mass, scale, step).at(y)
    for by_atoms in (False, True):
        statement = density(problem, "a", by_atoms=by_atoms)
        assert close(statement.value(y=y, bits=250), expected)
        with pytest.raises(InputError, match="plus a multiple of the step"):
            statement.value(y=y + step / 2)
        assert_latex(statement.latex)


def test_lattice_masses_sum_to_exactly_one() -> None:
    prior = Discrete({-1: "1/3", 0: "1/6", 3: "1/2"})
    for scale in ("3/2", "1/log(2)"):
        mass = discrete_laplace_mass(prior, scale, 1)
        t = (Number.of_rational(-1) / number(scale)).exp()
        inside = [to_number(mass, {"y": number(k)}) for k in range(-1, 4)]
        total = (inside[0] + inside[-1]) * t / (Number.of_rational(1) - t)
        for value in inside:
            total = total + value
        assert (total - Number.of_rational(1)).sign() == 0


def test_outputs_need_not_be_rational() -> None:
    """log(3) lies between two atoms; log(exp(2)) is the atom 2, exactly."""
    prior = Discrete({1: "1/4", 2: "3/4"})
    problem = Problem({"a": prior, "b": prior}, noise=Laplace("1/2"), epsilon=1)
    law = density(problem, "a")
    release = oracles.Release(prior.mass, Fraction(1, 2))
    assert close(law.value(y="log(3)", bits=250), release.at(oracles.ctx.log(3)))
    assert close(law.value(y="log(exp(2))", bits=250), release.at(Fraction(2)))
    lattice = Problem({"a": prior, "b": prior}, noise=DiscreteLaplace(1), epsilon=1)
    mass = density(lattice, "a")
    expected = oracles.Release(prior.mass, 1, Fraction(1)).at(Fraction(2))
    assert close(mass.value(y="log(exp(2))", bits=250), expected)
    with pytest.raises(InputError, match="multiple of the step"):
        mass.value(y="log(3)")


def test_without_a_scale_theta_stays_a_symbol() -> None:
    problem = Problem(
        {"a": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(), epsilon=1
    )
    law = density(problem, "b")
    assert law.parameters == ("theta", "y")
    assert close(
        law.value(y="1/3", theta="7/5", bits=250),
        oracles.Release({Fraction(1): Fraction(1)}, Fraction(7, 5)).at(Fraction(1, 3)),
    )
    for theta in (0, -1, "log(4)-2*log(2)"):
        with pytest.raises(InputError, match="theta > 0"):
            law.value(y=0, theta=theta)
    assert "\\theta > 0" in law.latex


def test_several_beliefs_and_other_bad_questions() -> None:
    a, b = Discrete({0: 1}), Discrete({1: 1})
    problem = Problem(
        beliefs={"north": {"a": a, "b": b}, "south": {"a": b, "b": a}}, noise=Laplace(1), epsilon=1
    )
    north, south = (density(problem, "a", belief) for belief in ("north", "south"))
    assert close(north.value(y=0, bits=250), oracles.mpf(1) / 2)
    assert close(south.value(y=0, bits=250), oracles.ctx.exp(-1) / 2)
    with pytest.raises(InputError, match="north, south"):
        density(problem, "a")
    with pytest.raises(InputError, match="expected one of north, south"):
        density(problem, "a", "east")
    with pytest.raises(InputError, match="expected one of a, b"):
        density(problem, "c", "north")
    with pytest.raises(InputError, match=r"0\.5 is a float"):
        north.value(y=0.5)
    with pytest.raises(InputError, match="y missing"):
        north.value()
    with pytest.raises(InputError, match="unknown symbol 'Y'"):
        north.value(y=0, Y=0)
    with pytest.raises(InputError, match="is exactly 0"):
        laplace_density(a, 0)
    many = Discrete(counts=dict.fromkeys(range(201), 1))
    with pytest.raises(InputError, match="201 atoms"):
        laplace_density(many, 1)
    with precision(250):
        ball = to_ball(laplace_density_by_atoms(many, 3), {"y": number("100")})
    assert close(ball, oracles.Release(many.mass, 3).at(Fraction(100)))
    off = Problem(
        {"a": a, "b": b, "c": Discrete({0: "1/2", "1/2": "1/2"})},
        noise=DiscreteLaplace(1),
        epsilon=1,
        pairs=[("a", "b")],
    )
    third = off.beliefs["default"]["c"]
    for bad in (lambda: density(off, "c"), lambda: discrete_laplace_mass(third)):
        with pytest.raises(InputError, match="on one lattice"):
            bad()


def test_values_never_come_from_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """No value goes through sympy's own evaluation."""
    problem = packaged("census")
    statements = [density(problem, secret) for secret in problem.beliefs["default"]]

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("evalf was called")

    for owner, name in (
        (sympy.core.evalf.EvalfMixin, "evalf"), (sympy.core.evalf.EvalfMixin, "n"),
        (sympy.core.expr.Expr, "__float__"), (sympy.core.basic.Basic, "subs"),
    ):  # fmt: skip
        monkeypatch.setattr(owner, name, refuse)
    for statement in statements:
        for y in ("-1", "0", "7/3", "8", "log(5)"):
            assert statement.value(y=y).ends() is not None
    with pytest.raises(AssertionError, match="evalf was called"):
        sympy.sqrt(2).evalf()


def test_the_documented_example() -> None:
    point = laplace_density(Discrete({0: 1}), 1)
    assert str(point) == "Piecewise((exp(y)/2, y < 0), (exp(-y)/2, True))"
    assert laplace_density_by_atoms(Discrete({0: 1}), 1) == sympy.exp(-sympy.Abs(Y)) / 2
    strange = Problem(
        {"50% _of_ {a}": Discrete({0: 1}), "b": Discrete({1: 1})}, noise=Laplace(1), epsilon=1
    )
    statement = density(strange, "50% _of_ {a}")
    assert "\\text{50\\% \\_of\\_ \\{a\\}}" in statement.latex
    assert_latex(statement.latex)
