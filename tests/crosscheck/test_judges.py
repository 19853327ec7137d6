"""Judges of answers: what is below the truth by one unit in the last place is unsound."""

import re
from decimal import Decimal
from fractions import Fraction
from math import exp, inf, log, nan, nextafter

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from pfverify import calibrate, certify
from pfverify.crosscheck.case import AtomLaw, Case, Normals
from pfverify.crosscheck.finding import CaseOutcome, Promised
from pfverify.crosscheck.kinds import KINDS, judge, kind_of
from pfverify.errors import InputError

LEFT, RIGHT = AtomLaw((0.0, 1.0), (1.0, 0.0)), AtomLaw((0.0, 1.0), (0.0, 1.0))
SCALE = Case("scale", "laplace", LEFT, RIGHT, epsilon=0.5)  # the least is 2
LOSS = Case("loss", "laplace", LEFT, RIGHT, scale=2.0)  # 1/2
DELTA = Case("delta", "laplace", LEFT, RIGHT, scale=2.0, epsilon=0.5)  # 0
PLACES = (0.0, 1.0, 3.0)
PLAN = Case("plan", "", AtomLaw(PLACES, (0.5, 0.5, 0.0)), AtomLaw(PLACES, (0.25, 0.25, 0.5)))
MONOTONE = [[0, 0, 0.25], [0, 1, 0.25], [1, 2, 0.5]]
DENSITY = Case("density", "laplace", LEFT, None, scale=2.0, y=(0.0, 1.0))


def below(x):
    return nextafter(x, -inf)


def above(x):
    return nextafter(x, inf)


@pytest.mark.parametrize(("case", "truth"), [(SCALE, 2.0), (LOSS, 0.5), (DELTA, 0.0)])
def test_one_unit_in_the_last_place_tells_sound_from_unsound(case, truth):
    found = {x: judge(case, x) for x in (below(truth), truth, above(truth))}
    outcomes = [finding.outcome for finding in found.values()]
    assert outcomes == [CaseOutcome.UNSOUND, CaseOutcome.SOUND, CaseOutcome.SOUND]
    assert found[truth].words.endswith(("is exactly the least private scale",
                                        "is exactly the largest loss",
                                        "is exactly the divergence"))
    claim = Promised("lower")
    outcomes = [judge(case, x, claim).outcome for x in (below(truth), truth, above(truth))]
    assert outcomes == [CaseOutcome.SOUND, CaseOutcome.SOUND, CaseOutcome.UNSOUND]


def test_the_words_say_what_refutes_by_how_much_and_where():
    words = judge(SCALE, below(2.0)).words
    assert "the scale 1.9999999999999998 is below the least private scale, between 1.99" in words
    assert "(relative 1.11e-16, 1 unit in the last place)" in words
    assert "from p to q the log ratio exceeds epsilon by at least 5.52" in words
    assert words.endswith("at y = 0")
    assert "the log ratio exceeds the answer by at least" in judge(LOSS, below(0.5)).words
    gaussian = Case("delta", "gaussian", LEFT, RIGHT, scale=1.0, epsilon=0.5)
    assert "an event exceeds the answer by at least" in judge(gaussian, 1e-3).words


def test_an_answer_and_a_truth_that_print_alike_are_printed_until_they_differ():
    case = Case("scale", "laplace", LEFT, RIGHT, epsilon=above(0.5))
    words = judge(case, float(Fraction(1) / Fraction(above(0.5)))).words
    assert "1.9999999999999996 (1.999999999999999555910790149937383830547) is below" in words
    assert "between 1.99999999999999955591079014993748243816 and" in words
    assert "(relative 4.93e-32, 4.44e-16 units in the last place)" in words
    words = judge(LOSS, above(0.5), Promised("lower")).words
    assert words == "the loss 0.5000000000000001 is above the largest loss, 0.5"


def test_a_scale_of_next_to_no_normal_noise_is_judged_by_the_bracket():
    case = Case("scale", "gaussian", LEFT, RIGHT, epsilon=0.5, delta=1e-3)
    found = judge(case, 1e-300)
    assert found.outcome is CaseOutcome.UNSOUND
    assert found.words.endswith("(relative 1)")


@pytest.mark.parametrize("case", [
    Case("loss", "laplace", AtomLaw((0.0, 0.0), (0.5, 0.5)), RIGHT, scale=1.0),
    Case("plan", "", AtomLaw((0.0, -0.0), (0.5, 0.5)), AtomLaw((0.0, -0.0), (0.5, 0.5))),
    Case("loss", "laplace", LEFT, AtomLaw((0.0, 2.0), (0.5, 0.5)), scale=1.0),
    Case("plan", "", LEFT, AtomLaw((0.0, 2.0), (0.5, 0.5))),
    Case("loss", "laplace", LEFT, Normals(((1.0, 0.0, 1.0),)), scale=1.0),
    Case("loss", "laplace", LEFT, None, scale=1.0), Case("loss", "laplace", LEFT, RIGHT),
    Case("loss", "laplace", LEFT, RIGHT, scale=nan), Case("scale", "laplace", LEFT, RIGHT),
    Case("density", "laplace", LEFT, None, scale=1.0, y=(inf,)),
])  # fmt: skip
def test_what_is_no_question_is_not_judged(case):
    with pytest.raises(InputError):
        judge(case, 1.0)


@pytest.mark.parametrize("kind", ["scale", "loss", "delta"])
@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_numbers_too_long_to_work_with_are_no_answers(kind, noise):
    given = {"epsilon": 0.5, "delta": 1e-3 if kind == "scale" else None, "scale": 1.0}
    case = Case(kind, noise, LEFT, RIGHT, **given)
    for answer in (Fraction(1, 2**4999), Fraction(2**4999)):
        assert judge(case, answer).outcome in (CaseOutcome.UNSOUND, CaseOutcome.WASTEFUL)
    for answer in (Fraction(1, 2**5000), 2**5000, Decimal("1e1501")):
        assert judge(case, answer).outcome is CaseOutcome.NAN


DELTA_ABOVE = Case("delta", "laplace", LEFT, RIGHT, scale=below(2.0), epsilon=0.5)


def test_a_divergence_of_a_tie_missed_by_one_unit_is_not_0():
    finding = judge(DELTA_ABOVE, 0.0)
    assert finding.outcome is CaseOutcome.UNSOUND
    assert 2.7e-17 < finding.truth.lower < 2.8e-17
    assert judge(DELTA_ABOVE, 2.8e-17).outcome is CaseOutcome.SOUND


def test_waste_is_a_factor_and_so_little_above_0_is_none():
    assert judge(SCALE, 5.0).outcome is CaseOutcome.WASTEFUL
    assert judge(SCALE, 5.0).factor == Fraction(5, 2)
    assert judge(SCALE, 5.0, Promised(waste=3)).outcome is CaseOutcome.SOUND
    assert judge(SCALE, inf).outcome is CaseOutcome.WASTEFUL
    assert judge(DELTA, 1e-17).outcome is CaseOutcome.SOUND
    assert judge(DELTA, 1e-17).factor == inf
    assert judge(DELTA, 1e-3).outcome is CaseOutcome.WASTEFUL


def test_a_scale_that_no_noise_needs_is_0():
    alike = Case("scale", "laplace", LEFT, LEFT, epsilon=0.5)
    assert judge(alike, 0).outcome is CaseOutcome.SOUND
    assert judge(alike, 1.0).outcome is CaseOutcome.WASTEFUL
    assert judge(alike, 1.0).factor == inf


def test_an_infinite_truth_takes_an_infinite_answer_alone():
    never = Case("scale", "laplace", LEFT, RIGHT, epsilon=0.0)
    assert judge(never, inf).outcome is CaseOutcome.SOUND
    assert judge(never, 1e6).outcome is CaseOutcome.UNSOUND
    normal = Case("loss", "gaussian", LEFT, RIGHT, scale=1.0)
    assert judge(normal, inf).outcome is CaseOutcome.SOUND
    assert judge(normal, 50.0).outcome is CaseOutcome.UNSOUND
    assert judge(normal, inf, Promised("lower")).outcome is CaseOutcome.SOUND


@pytest.mark.parametrize("answer", [0.5, np.float64(0.5), np.array(0.5), np.float32(0.5),
                                    Fraction(1, 2)])
def test_numbers_of_python_and_numpy_are_read(answer):
    assert judge(LOSS, answer).outcome is CaseOutcome.SOUND
    assert judge(LOSS, answer).digits == 17


@pytest.mark.parametrize(("answer", "said"), [
    (nan, "nan for the loss"), (None, "None instead of a number"), (True, "True instead of"),
    (1j, "the complex number 1j"), ("x", "'x' of type str"), ([0.5], "of type list"),
    (np.array([0.5]), r"an array of shape \(1,\) instead of one number"), (np.bool_(1), "True"),
    (object, "of type type"),
])  # fmt: skip
def test_what_is_no_number_is_named(answer, said):
    finding = judge(LOSS, answer)
    assert finding.outcome is CaseOutcome.NAN
    assert re.search(said, finding.words)


def test_negative_numbers_and_infinities_are_named():
    assert judge(LOSS, -0.5).outcome is CaseOutcome.UNSOUND
    assert "is negative" in judge(LOSS, -0.5).words
    assert judge(LOSS, -inf).outcome is CaseOutcome.UNSOUND
    assert judge(LOSS, -0.5, Promised("lower")).outcome is CaseOutcome.SOUND


def test_the_first_wrong_digit_is_counted():
    for answer, digits in ((0.5, 17), (0.5000001, 6), (0.51, 1), (0.6, 0)):
        finding = judge(LOSS, answer, Promised("nearest"))
        assert finding.digits == digits
        wanted = CaseOutcome.SOUND if digits >= 12 else CaseOutcome.WRONG_DIGITS
        assert finding.outcome is wanted
    assert "digit 7 is the first wrong one" in judge(LOSS, 0.5000001, Promised("nearest")).words
    assert judge(LOSS, 0.5000001, Promised("nearest", digits=6)).outcome is CaseOutcome.SOUND


def test_densities_are_judged_at_every_output():
    right = [0.25, 0.25 * exp(-0.5)]
    assert judge(DENSITY, np.array(right)).outcome is CaseOutcome.SOUND
    wrong = judge(DENSITY, [right[0], right[1] * (1 + 1e-8)])
    assert wrong.outcome is CaseOutcome.WRONG_DIGITS
    assert wrong.digits == 8
    assert "at y = 1.0" in wrong.words
    for answer in (right[0], right[:1], [right], [nan, 0.1], ["a", "b"], None):
        assert judge(DENSITY, answer).outcome is CaseOutcome.NAN


def test_densities_of_every_noise_and_law():
    rows = Normals(((0.5, 0.0, 1.0), (0.5, 2.0, 0.0)))
    lattice = Case("density", "discrete-laplace", LEFT, None, scale=1.0, y=(0.0, 3.0))
    t = exp(-1)
    assert (
        judge(lattice, [(1 - t) / (1 + t), t**3 * (1 - t) / (1 + t)]).outcome is CaseOutcome.SOUND
    )
    normal = Case("density", "gaussian", rows, None, scale=1.0, y=(0.0,))
    value = (0.5 / 2**0.5 + 0.5 * exp(-2)) / (2 * np.pi) ** 0.5
    assert judge(normal, [value]).outcome is CaseOutcome.SOUND


def test_a_density_below_the_floats_is_0():
    far = Case("density", "laplace", LEFT, None, scale=1.0, y=(1e5,))
    assert judge(far, [0.0]).outcome is CaseOutcome.SOUND


def test_plans_are_judged_by_their_exact_marginals():
    assert judge(PLAN, MONOTONE).outcome is CaseOutcome.SOUND
    assert judge(PLAN, np.array(MONOTONE)).factor == 1
    off = [[0, 0, 0.25], [0, 1, 0.25], [1, 2, 0.5 - 1e-11]]
    assert judge(PLAN, off).outcome is CaseOutcome.UNSOUND
    assert judge(PLAN, off, Promised(tolerance=1e-10)).outcome is CaseOutcome.SOUND
    swapped = [[j, i, mass] for i, j, mass in MONOTONE]
    finding = judge(PLAN, swapped)
    assert finding.outcome is CaseOutcome.UNSOUND
    assert "with rows and columns swapped" in finding.words
    negative = [*MONOTONE, [1, 2, 0.1], [1, 2, -0.1]]
    assert "negative mass -0.1" in judge(PLAN, negative).words


def test_a_plan_that_moves_too_far_is_wasteful():
    case = Case("plan", "", AtomLaw((0.0, 1.0), (0.5, 0.5)), AtomLaw((0.0, 1.0), (0.25, 0.75)))
    far = [[0, 0, 0.0], [0, 1, 0.5], [1, 0, 0.25], [1, 1, 0.25]]
    assert judge(case, far).outcome is CaseOutcome.WASTEFUL
    assert judge(case, far).factor == 3


@pytest.mark.parametrize("answer", [
    None, "x", 1.0, [], [[0, 0]], [[0, 3, 0.5]], [[-1, 0, 0.5]], [[0.5, 0, 0.5]], [[0, 0, nan]],
    [[0, 0, inf]], [[0, 0, 1j]], [[1, 2], [1]],
])  # fmt: skip
def test_what_is_no_plan_is_named(answer):
    assert judge(PLAN, answer).outcome is CaseOutcome.NAN


def test_a_finding_states_a_problem_that_decides_it():
    for case, truth in ((SCALE, 2.0), (LOSS, 0.5), (DELTA, 0.0)):
        kind = KINDS[case.kind]
        assert certify(kind.stated(case, truth)).certified
    assert certify(KINDS["scale"].stated(SCALE, below(2.0))).refuted
    assert certify(KINDS["loss"].stated(LOSS, below(0.5))).refuted
    assert certify(KINDS["delta"].stated(DELTA_ABOVE, 0.0)).refuted
    for answer in (nan, inf, -1.0, None):
        assert KINDS["loss"].stated(LOSS, answer) is None
    assert KINDS["delta"].stated(DELTA, 1.5) is None
    assert KINDS["plan"].stated(PLAN, MONOTONE) is None


def test_the_signatures_are_those_of_the_design():
    assert [kind.signature() for kind in KINDS.values()] == [
        "scale(atoms, p, q, epsilon, delta=...)", "loss(atoms, p, q, scale)",
        "delta(atoms, p, q, scale, epsilon)", "density(atoms, p, scale, y)", "plan(atoms, p, q)",
        "relaxed_columns(atoms, p, q, epsilon)",
        "accountant(atoms, p, q, scale, count, epsilon)",
    ]  # fmt: skip
    assert KINDS["scale"].signature("normal") == "scale(p, q, epsilon, delta=...)"


def test_what_is_not_known_is_an_error():
    for bad in ("x", None, 3):
        with pytest.raises(InputError, match=r"kind: .* is unknown, expected scale, loss"):
            kind_of(bad)
    with pytest.raises(InputError, match="a loss is not 'coupling', expected upper or lower"):
        judge(LOSS, 0.5, Promised("coupling"))
    for wrong in ({"side": "up"}, {"digits": 0}, {"waste": 0.5}, {"waste": nan}, {"digits": True},
                  {"tolerance": -1e-9}, {"tolerance": "x"}):  # fmt: skip
        with pytest.raises(InputError):
            Promised(**wrong)
    with pytest.raises(InputError, match="noise: 'cauchy' is unknown"):
        judge(Case("loss", "cauchy", LEFT, RIGHT, scale=2.0), 0.5)


def test_extreme_floats_are_decided():
    places = (-1e300, 0.0, 1e-300)
    wide = AtomLaw(places, (0.5, 0.5, 0.0)), AtomLaw(places, (0.5, 0.0, 0.5))
    case = Case("loss", "laplace", *wide, scale=1.0)
    assert judge(case, 0.0, Promised("lower")).outcome is CaseOutcome.SOUND
    assert judge(case, 1e-300, Promised("lower")).outcome is CaseOutcome.UNSOUND
    assert judge(case, 1e-300).outcome is CaseOutcome.SOUND
    tiny = AtomLaw((0.0, 1.0), (1.0, 1e-300)), AtomLaw((0.0, 1.0), (1.0, 0.0))
    case = Case("loss", "laplace", *tiny, scale=1.0)
    found = judge(case, 0.0)
    assert found.outcome is CaseOutcome.UNSOUND
    assert float(found.truth.upper) == pytest.approx((exp(1) - exp(-1)) * 1e-300)
    assert judge(SCALE, 5e-324).outcome is CaseOutcome.UNSOUND
    assert judge(SCALE, 1e308, Promised(waste=inf)).outcome is CaseOutcome.SOUND
    assert judge(LOSS, 1e308, Promised(waste=inf)).outcome is CaseOutcome.SOUND


def test_masses_are_divided_by_their_exact_sum():
    counts = AtomLaw((0.0, 1.0), (376.0, 204.0)), AtomLaw((0.0, 1.0), (34.0, 35.0))
    case = Case("loss", "laplace", *counts, scale=2.04)
    found = judge(case, log(2))
    assert found.outcome is not CaseOutcome.UNSOUND
    halves = Case("loss", "laplace", *(AtomLaw(law.atoms, tuple(m / 1024 for m in law.masses))
                                       for law in counts), scale=2.04)  # fmt: skip
    assert judge(halves, log(2)).truth == found.truth


@pytest.mark.parametrize("number", [Fraction(1, 2), Decimal("0.5"), 0.5])
def test_exact_numbers_are_read_in_plans_and_alone(number: object) -> None:
    """Masses of a half from atom 0 and from atom 1, where they are; and a scale."""
    half = AtomLaw((0.0, 1.0), (0.5, 0.5))
    plan = Case("plan", "", half, half)
    assert judge(plan, [(0, 0, number), (1, 1, number)]).outcome is CaseOutcome.SOUND
    assert judge(plan, [(0, 0, number), (1, 1, Decimal("NaN"))]).outcome is CaseOutcome.NAN
    assert judge(plan, [(0, 0, number), (1, 1, "half")]).outcome is CaseOutcome.NAN
    scale = Case("scale", "laplace", half, half, epsilon=1.0)
    assert judge(scale, number).outcome is CaseOutcome.WASTEFUL
    assert judge(scale, Decimal("1e9999")).outcome is CaseOutcome.NAN


def relaxed(p, q, epsilon, atoms=(0.0, 1.0, 3.0)):
    return Case("relaxed_columns", "laplace", AtomLaw(atoms, p), AtomLaw(atoms, q), epsilon=epsilon)


def test_the_relaxed_scale_is_held_to_its_own_truth_not_to_the_least():
    """At p = (1/2, 1/2), q = (1, 0) half of the column of 0 moves by 1: (1 + e^(1/s))/2 = e^eps."""
    case = relaxed((0.5, 0.5), (1.0, 0.0), float(log(2)), (0.0, 1.0))
    near = 1 / log(2 * exp(float(log(2))) - 1)
    for answer, outcome in ((near * (1 - 1e-9), "unsound"), (near * (1 + 1e-9), "sound")):
        assert judge(case, answer).outcome.value == outcome
    assert judge(case, near, Promised("nearest")).outcome is CaseOutcome.SOUND
    other = relaxed((1.0, 0.0), (0.5, 0.5), 0.5, (0.0, 1.0))  # a column of which all moves
    assert judge(other, 2.0).outcome is CaseOutcome.SOUND
    scale = Case("scale", "laplace", other.p, other.q, epsilon=0.5)
    assert judge(other, 2.0).truth.lower > judge(scale, 2.0).truth.upper


def test_a_tie_a_point_and_equal_laws_of_the_relaxed_scale_are_exact():
    point = relaxed((1.0, 0.0), (0.0, 1.0), 0.5, (0.0, 1.0))
    found = [judge(point, x).outcome for x in (below(2.0), 2.0, above(2.0))]
    assert found == [CaseOutcome.UNSOUND, CaseOutcome.SOUND, CaseOutcome.SOUND]
    assert "exactly the relaxed scale over columns" in judge(point, 2.0).words
    same = relaxed((0.5, 0.25, 0.25), (0.5, 0.25, 0.25), 0.5)
    assert judge(same, 0.0).words == "the scale 0.0 is exactly the relaxed scale over columns"
    assert judge(same, -1.0).outcome is CaseOutcome.UNSOUND
    never = relaxed((1.0, 0.0), (0.0, 1.0), 0.0, (0.0, 1.0))
    assert [judge(never, x).outcome for x in (1e300, inf)] == [
        CaseOutcome.UNSOUND,
        CaseOutcome.SOUND,
    ]


def test_the_relaxed_scale_is_the_recipe_of_calibrate():
    case = relaxed((0.5, 0.25, 0.25), (0.2, 0.3, 0.5), 0.5)
    recipe = calibrate(case.problem(), digits=17).methods["relaxed_columns"].scale
    truth = judge(case, 1.0).truth
    assert abs(float(recipe) / float(truth.lower) - 1) < 1e-14


@given(st.floats(0, 1e-3), st.integers(0, 60))
def test_an_absolute_tolerance_stands_beside_the_digits(absolute, bits):
    """An answer passes exactly if it has the digits, or is off by at most the tolerance."""
    case = Case("delta", "laplace", LEFT, RIGHT, scale=2.0, epsilon=0.25)
    truth = judge(case, 1.0).truth
    error = Fraction(1, 2**bits)
    answer = truth.lower + error
    plain = judge(case, answer, Promised("nearest")).outcome
    found = judge(case, answer, Promised("nearest", absolute=absolute)).outcome
    event(f"within: {error < absolute}")
    if plain is CaseOutcome.SOUND or error <= Fraction(absolute) * (1 - Fraction(1, 10**6)):
        assert found is CaseOutcome.SOUND
    elif error > Fraction(absolute):
        assert found is plain is CaseOutcome.WRONG_DIGITS


def test_a_tiny_density_may_be_rounded_to_0_with_an_absolute_tolerance():
    case = Case("density", "laplace", LEFT, None, scale=1.0, y=(0.0, 60.0))
    answer = np.array([0.5, 0.0])
    assert judge(case, answer).outcome is CaseOutcome.WRONG_DIGITS
    assert judge(case, answer, Promised(absolute=1e-12)).outcome is CaseOutcome.SOUND
    wrong = np.array([0.4, 0.0])
    assert judge(case, wrong, Promised(absolute=1e-12)).digits == 0


@pytest.mark.parametrize(("kind", "claim", "words"), [
    (SCALE, Promised(absolute=1e-9), "absolute: only for the claim nearest, this one is upper"),
    (PLAN, Promised(absolute=1e-9), "absolute: only for the claim nearest, this one is coupling"),
])  # fmt: skip
def test_a_tolerance_of_a_bound_is_refused(kind, claim, words):
    with pytest.raises(InputError, match=words):
        judge(kind, 1.0, claim)


@pytest.mark.parametrize("absolute", [-1.0, inf, nan, "1"])
def test_what_is_no_tolerance_is_refused(absolute):
    with pytest.raises(InputError, match="is not a finite number >= 0"):
        Promised("nearest", absolute=absolute)
