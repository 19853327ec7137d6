"""The sampler's law on small formats, against an independent enumeration; and float64 itself."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest

from pfverify import Channel, Discrete, Laplace, Problem, certify, check
from pfverify.certificate.build import write_verdict
from pfverify.subjects.small_floats import law, mass, rounded

F = Fraction


def nearest(number, bits):
    """Rounding a second time, by mpmath at the precision of the format."""
    with mpmath.workprec(bits):
        return +number


def enumerated(x, scale, bits):
    found = {}
    for k in range(1, 2**bits + 1):
        with mpmath.workprec(300):
            log = mpmath.log(mpmath.mpf(k) / 2**bits)
            noise = nearest(scale * nearest(log, bits), bits)
            for y in (nearest(x + noise, bits), nearest(x - noise, bits)):
                key = F(int(mpmath.ldexp(y, 60)), 2**60)
                found[key] = found.get(key, 0) + F(1, 2 ** (bits + 1))
    return found


@pytest.mark.parametrize(("x", "scale", "bits"), [(0, 1, 5), (1, 1, 6), (-3, 3, 6), (1, 2, 8)])
def test_the_law_is_that_of_an_independent_enumeration(x, scale, bits):
    assert law(F(x), F(scale), bits) == enumerated(mpmath.mpf(x), scale, bits)


def test_one_mass_by_bisection_is_that_of_the_law():
    for x in (F(0), F(1)):
        whole = law(x, F(3), 6)
        assert sum(whole.values()) == 1
        for y in [*whole, F(1, 7), F(100)]:
            assert mass(y, x, F(3), 6) == whole.get(y, 0)


def test_a_logarithm_that_is_rounded_once_is_that_of_float64():
    """Where libm is within an ulp: the law of float64 is of a correctly rounded logarithm."""
    k = 2**52 + 12345
    y = rounded(F(math.log(k / 2**53)), 53)
    around = [mass(y + F(j, 2**53), F(0), F(1), 53) for j in (-1, 0, 1)]
    assert sum(around) > 0


@pytest.mark.parametrize(("number", "bits", "value"), [
    (F(5, 8), 2, F(1, 2)), (F(7, 8), 2, F(1)), (F(-7, 8), 2, F(-1)), (F(0), 3, F(0)),
    (F(1, 3), 53, F(1 / 3)), (F(10**30), 53, F(1e30)), (F(4), 1, F(4)),
])  # fmt: skip
def test_rounding_is_to_nearest_and_to_even(number, bits, value):
    assert rounded(number, bits) == value


def test_a_law_of_many_bits_is_refused():
    for bits in (0, 17):
        with pytest.raises(ValueError, match="bits"):
            law(F(0), F(1), bits)


def channel(first, second, outputs):
    rows = [[str(row.get(y, F(0))) for y in outputs] for row in (first, second)]
    named = [str(y) for y in outputs]
    return Channel.of({"kind": "matrix", "inputs": ["0", "1"], "outputs": named, "rows": rows})


def test_the_real_law_is_refuted_and_the_ideal_noise_certified(tmp_path):
    first, second = law(F(0), F(1), 6), law(F(1), F(1), 6)
    real = Problem(channel=channel(first, second, sorted(first | second)), epsilon=1, delta="1/10")
    points = {"0": Discrete(mass={0: 1}), "1": Discrete(mass={1: 1})}
    ideal = Problem(points, noise=Laplace(1), epsilon=1)
    for problem, verdict in ((real, "refuted"), (ideal, "certified")):
        result = certify(problem)
        assert result.verdict.value == verdict
        path, proof = tmp_path / f"{verdict}.toml", tmp_path / f"{verdict}.json"
        problem.save(path)
        write_verdict(proof, path, problem, result, attest=False)
        assert check(path, proof).valid


def test_float64_itself_releases_what_tells_its_inputs_apart():
    """One output: possible for x = 1, impossible for x = 0; no epsilon holds with delta = 0."""
    y = F(1.693147180557204)  # 1 - log(U), U = (2^52 + 12345) / 2^53
    masses = [mass(y, F(x), F(1), 53) for x in (0, 1)]
    assert masses == [0, F(2, 2**54)]
    rows = [{y: m, None: 1 - m} for m in masses]
    problem = Problem(channel=channel(*rows, [y, None]), epsilon=100)
    assert certify(problem).verdict.value == "refuted"
