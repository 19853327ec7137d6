"""Problems put on a lattice: which steps work, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfverify import (
    Channel,
    Discrete,
    DiscreteLaplace,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    NoNoise,
    Problem,
    System,
    certify,
)
from pfverify.edge.packaged import load_example
from pfverify.model.lattices import largest_step
from pfverify.model.releases.release import Noise


def problem(*tables: dict[str, str], noise: Noise | None = None, **more: object) -> Problem:
    priors = {f"s{k}": Discrete(table) for k, table in enumerate(tables)}
    return Problem(priors, noise=noise or Laplace("5/2"), epsilon=1, **more)


def evenly(*atoms: str) -> dict[str, str]:
    return {atom: f"1/{len(atoms)}" for atom in atoms}


def lattice(step: Fraction) -> DiscreteLaplace:
    return DiscreteLaplace("5/2", step)


LARGEST = [
    ((("0", "1"), ("0",)), "1"),
    ((("0", "6"), ("4",)), "2"),
    ((("1/2", "5/2"), ("1/2", "9/2")), "2"),
    ((("0",), ("3/10",)), "3/10"),
    ((("0", "1/3"), ("1/4", "1/2")), "1/12"),
    ((("-7", "1"), ("9", "13")), "4"),
    ((("1/3",), ("1/3",)), "0"),
]


@pytest.mark.parametrize(("atoms", "largest"), LARGEST, ids=str)
def test_the_largest_step_is_the_common_divisor_of_the_differences(
    atoms: tuple[tuple[str, ...], ...], largest: str
) -> None:
    asked = problem(*(evenly(*names) for names in atoms))
    found = largest_step(asked.beliefs, asked.pairs)
    assert found == Fraction(largest)
    steps = [Fraction(a, b) for a, b in product(range(1, 13), range(1, 13))]
    works = 0
    for step in steps:
        if (found / step).denominator == 1:
            assert asked.on_lattice(step).noise.canonical() == lattice(step).canonical()
            works += 1
            continue
        with pytest.raises(InputError, match=f"the largest step that works is {found}, and so"):
            asked.on_lattice(step)
        with pytest.raises(InputError):  # nor does the noise itself take these priors
            problem(*(evenly(*names) for names in atoms), noise=lattice(step))
    assert works


def test_only_pairs_that_are_compared_need_one_lattice() -> None:
    tables = [evenly("0", "1"), evenly("2"), evenly("1/3"), evenly("4/3")]
    asked = problem(*tables, pairs=[("s0", "s1"), ("s2", "s3")])
    assert asked.on_lattice(1).noise.step == 1
    with pytest.raises(InputError, match="works is 1/3"):
        problem(*tables).on_lattice(1)


def test_every_belief_counts() -> None:
    beliefs = {
        name: {"a": Discrete({0: 1}), "b": Discrete({atom: 1})}
        for name, atom in (("x", 4), ("y", 6))
    }
    asked = Problem(beliefs=beliefs, noise=Laplace(1), epsilon=1)
    assert largest_step(asked.beliefs, asked.pairs) == 2


def test_the_mean_over_n_is_on_multiples_of_one_over_n() -> None:
    mean = load_example("students-mean")
    assert largest_step(mean.beliefs, mean.pairs) == Fraction(1, 649)
    moved = mean.on_lattice("1/1298")
    assert moved.source.key() == mean.source.key()
    with pytest.raises(InputError, match="largest step that works is 1/649,"):
        mean.on_lattice("1/100")


def test_the_problem_on_the_lattice_is_decided_on_its_own() -> None:
    """F12: with a delta the verdict of Laplace noise is not that of the lattice."""
    points = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    asked = Problem(points, noise=Laplace("1/log(4)"), epsilon=0, delta="11/20")
    assert certify(asked).certified
    assert certify(asked.on_lattice(1)).refuted
    fine = certify(asked.on_lattice("1/50"))
    assert fine.certified


def test_everything_else_of_the_problem_stays() -> None:
    asked = problem(evenly("0", "1"), evenly("1"), delta="1/10", form="pointwise")
    moved = asked.on_lattice("1/2")
    assert moved == asked.on_lattice(Fraction(1, 2))
    for key in ("beliefs", "epsilon", "delta", "form", "pairs", "protection"):
        assert getattr(moved, key) == getattr(asked, key)
    assert moved.noise.scale == asked.noise.scale
    assert Problem.from_text(moved.to_toml()) == moved


POINTS = [evenly("0"), evenly("1")]
NORMAL = {"a": Discrete({0: 1}), "b": Gaussian(0, 1)}
RESPONSE = Channel.of({"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"})
REFUSED = [
    (problem(*POINTS, noise=DiscreteLaplace(1)), 1, "discrete-laplace, on a lattice already"),
    (problem(*POINTS, noise=GaussianNoise(1)), 1, "state noise of kind discrete-gaussian"),
    (problem(*POINTS, noise=NoNoise()), 1, "nothing is added"),
    (Problem(NORMAL, noise=Laplace(1), epsilon=1), 1, "prior of 'b' has a density, so that X is"),
    (Problem(channel=RESPONSE, epsilon=1), 1, "releases through a channel"),
    (problem(*POINTS), 0, "lattice: step: 0 is not > 0"),
    (problem(*POINTS), "-1/2", "is not > 0"),
    (problem(*POINTS), "log(2)", "expected a rational number"),
    (problem(*POINTS), 0.5, "is a float"),
    (Problem(system=System([{"mean": 0, "variance": 1}], {"a": {"point": 0}, "b": {"point": 1}}),
             noise=Laplace(1), epsilon=1), 1, "has a density"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "step", "words"), REFUSED, ids=[words for *_, words in REFUSED])
def test_what_has_no_lattice_is_refused(asked: Problem, step: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        asked.on_lattice(step)


@given(
    atoms=st.lists(st.fractions(-9, 9, max_denominator=12), min_size=1, max_size=5, unique=True),
    other=st.fractions(-9, 9, max_denominator=12),
    step=st.sampled_from(["1", "1/2", "1/3", "5/12", "2/7"]),
)
def test_discrete_noise_takes_atoms_that_are_whole_steps_apart(
    atoms: list[Fraction], other: Fraction, step: str
) -> None:
    priors = {"a": Discrete(counts={other: 1}), "b": Discrete(counts=dict.fromkeys(atoms, 1))}
    off = [atom for atom in sorted(atoms) if ((atom - other) / Fraction(step)).denominator != 1]
    if not off:
        Problem(priors, noise=DiscreteLaplace(1, step), epsilon=1)
        return
    with pytest.raises(InputError) as error:
        Problem(priors, noise=DiscreteLaplace(1, step), epsilon=1)
    words = f"atom {off[0]} is not a multiple of the step {step} away from atom {other};"
    assert str(error.value).startswith(f"prior of 'b': {words}")
