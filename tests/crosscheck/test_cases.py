"""The cases themselves: the same every time, of every family, to and from JSON to the last bit."""

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from math import fsum, inf, nan

import jsonschema
import pytest

from pfverify import Discrete
from pfverify.crosscheck.case import NOISES, AtomLaw, Case, Normals, parameters
from pfverify.crosscheck.cases import COUNT, cases
from pfverify.crosscheck.curated import curated
from pfverify.crosscheck.generated import families_of
from pfverify.crosscheck.kinds import KINDS
from pfverify.crosscheck.settings import Settings
from pfverify.crosscheck.vectors import vectors, write_vectors
from pfverify.errors import InputError

ALL = [
    Settings(kind.name, noise, laws, delta=kind.takes_delta)
    for kind in KINDS.values() for noise in kind.noises for laws in kind.laws
    if laws != "normal" or not noise.startswith("discrete-")
]  # fmt: skip
IDS = [one.text for one in ALL]
SCHEMA = json.loads((files("pfverify.crosscheck") / "vectors.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("settings", ALL, ids=IDS)
def test_every_case_is_a_question_of_its_kind(settings):
    found = list(cases(settings, number=100))
    assert len(found) == 100
    for case in found:
        assert (case.kind, case.laws) == (settings.kind, settings.laws)
        positional, named = case.arguments()
        assert len(positional) == len(parameters(case.kind, case.laws))
        assert set(named) <= ({"delta"} if settings.delta else set())
        if isinstance(case.p, AtomLaw):
            assert list(case.p.atoms) == sorted(set(case.p.atoms))
            assert case.q is None or case.q.atoms == case.p.atoms
            assert min(case.p.masses) >= 0
            if settings.lattice:
                assert all(atom.is_integer() for atom in case.p.atoms)
        for law in (case.p, case.q or case.p):
            weights = law.masses if isinstance(law, AtomLaw) else [row[0] for row in law.rows]
            assert abs(fsum(weights) - 1) < 1e-14, case.origin
        assert case.p.prior() is not None
        if case.q is not None and case.size < 50:
            assert case.problem().epsilon.fraction is not None
        assert Case.from_dict(json.loads(json.dumps(case.to_dict()))) == case


def test_cases_depend_on_the_seed_alone():
    settings = Settings("scale")
    again = list(cases(settings))
    assert list(cases(settings)) == again
    assert list(cases(settings, number=80)) == again[:80]
    others = list(cases(settings, seed=1))
    curated_ones = len(list(curated(settings)))
    assert others[:curated_ones] == again[:curated_ones]
    assert all(a != b for a, b in zip(others[curated_ones:], again[curated_ones:], strict=True))


def test_the_first_200_are_of_every_family_and_of_every_sort_asked_for():
    settings = Settings("loss")
    found = list(cases(settings, number=COUNT))
    turns = Counter(case.origin.split(", number")[0] for case in found if ", number" in case.origin)
    assert set(turns) == set(families_of(settings))
    assert min(turns.values()) >= 8
    laws = [law for case in found for law in (case.p, case.q)]
    sorts = {
        "ties and neighbours": sum("tie" in case.origin for case in found),
        "masses of 1e-300": sum(1e-300 in law.masses for law in laws),
        "masses of 0": sum(0.0 in law.masses for law in laws),
        "scales of 1e-6": sum(case.scale <= 1e-4 for case in found),
        "scales of 1e6": sum(case.scale >= 1e4 for case in found),
        "no lattice": sum(not all((10 * atom).is_integer() for atom in law.atoms) for law in laws),
        "point masses": sum(max(law.masses) == 1.0 for law in laws),
        "the same law": sum(case.p == case.q for case in found),
        "huge atoms": sum(max(map(abs, law.atoms)) >= 1e100 for law in laws),
        "disjoint": sum(
            all(0.0 in pair for pair in zip(c.p.masses, c.q.masses, strict=True)) for c in found
        ),
        "100 atoms or more": sum(case.size >= 100 for case in found),
    }
    assert min(sorts.values()) >= 2, sorts


def test_private_priors_and_mixtures_are_among_them():
    zero = [case for case in cases(Settings("scale"), number=110)
            if KINDS["scale"].truth(case).enclosure.upper == 0]  # fmt: skip
    assert len(zero) >= 3
    rows = [len(case.p.rows) for case in cases(Settings("loss", laws="normal"), number=60)]
    assert {1, 2, 3} <= set(rows)
    with_delta = [case.delta for case in cases(Settings("scale", delta=True), number=120)]
    assert None in with_delta
    assert len(set(with_delta)) >= 4


def test_a_hundred_thousand_atoms_are_asked_for_by_name():
    sizes = [case.size for case in curated(Settings("plan"), large=True)]
    assert max(sizes) == sizes[-1] == 10**5
    assert max(case.size for case in curated(Settings("plan"))) < 20


def test_the_truth_is_that_of_the_floats_divided_by_their_exact_sum():
    law = AtomLaw((0.0, 0.1), (0.1, 0.2))
    p, q = Fraction(0.1), Fraction(0.2)
    assert law.prior() == Discrete({0: p / (p + q), Fraction(0.1): q / (p + q)})
    rows = Normals(((0.1, 0.0, 1.0), (0.2, 1.0, 2.0))).prior()
    assert [part.weight for part in rows.components] == [p / (p + q), q / (p + q)]
    tiny = AtomLaw((0.0, 1.0), (1.0, 5e-324)).prior()
    assert tiny.weights == (1 << 1074, 1)
    assert Normals(((1.0, 0.5, 0.0),)).prior() == Discrete({Fraction(1, 2): 1})


def test_a_subject_may_write_into_its_arguments():
    case = next(cases(Settings("loss")))
    first = case.arguments()[0]
    first[1][:] = 7
    assert case.arguments()[0][1][0] == case.p.masses[0]
    assert first[1].flags["C_CONTIGUOUS"]


GOOD = {"kind": "density", "noise": "laplace", "atoms": {"hex": ["0x0p+0"], "decimal": ["0.0"]},
        "p": {"hex": ["0x1p+0"]}, "scale": {"hex": ["0x1p+1"]}}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), [
    ({"p": None}, "p: expected a table with a list hex"),
    ({"p": {"hex": ["x"]}}, "expected hexadecimal floats"),
    ({"p": {"hex": [1]}}, "expected hexadecimal floats"),
    ({"p": {"hex": ["nan"]}}, "p: nan is not finite"),
    ({"p": {"hex": ["0x1p+0"], "decimal": ["2.0"]}}, "the decimal floats differ"),
    ({"scale": {"hex": ["0x1p+0", "0x1p+0"]}}, "expected one number, got 2"),
    ({"more": 1}, "unknown key 'more'"), ({"kind": 3}, "kind: expected text"),
    ({"atoms": "x"}, "atoms: expected a table"), ({"q": {"rows": 1}}, "q: expected"),
])  # fmt: skip
def test_what_is_no_case_is_named(change, said):
    assert Case.from_dict(GOOD).size == 1
    with pytest.raises(InputError, match=said):
        Case.from_dict(GOOD | change)


def test_what_is_missing_is_named():
    for key in ("kind", "noise", "p"):
        with pytest.raises(InputError, match=f"missing key '{key}'"):
            Case.from_dict({k: v for k, v in GOOD.items() if k != key})
    for bad in (None, [], "x"):
        with pytest.raises(InputError, match="expected a table"):
            Case.from_dict(bad)
    mixed = {**GOOD, "q": {"hex": ["0x1p+0"]}}
    del mixed["atoms"]
    with pytest.raises(InputError, match="p: expected a table of rows"):
        Case.from_dict(mixed)


def test_floats_that_are_no_law_are_an_error():
    for law in (AtomLaw((0.0, 1.0), (1.0,)), AtomLaw((0.0,), (nan,)), AtomLaw((inf,), (1.0,)),
                AtomLaw((0.0,), (0.0,)), AtomLaw((0.0,), (-1.0,)), AtomLaw((), ()),
                Normals(((0.0, 0.0, 1.0),)), Normals(((1.0, nan, 1.0),)),
                Normals(((1.0, 0.0, -1.0),)), Normals(())):  # fmt: skip
        with pytest.raises(InputError):
            law.prior()


@pytest.mark.parametrize("wrong", [
    {"kind": "x"}, {"kind": None}, {"kind": "loss", "noise": "x"}, {"kind": "loss", "laws": "x"},
    {"kind": "loss", "noise": "discrete-laplace", "laws": "normal"},
    {"kind": "plan", "laws": "normal"}, {"kind": "loss", "delta": True},
    {"kind": "scale", "noise": "gaussian"},
])  # fmt: skip
def test_a_combination_that_is_no_question_is_an_error(wrong):
    with pytest.raises(InputError):
        Settings(**wrong)


def test_numbers_of_cases_are_whole():
    for wrong in ({"number": 0}, {"number": True}, {"number": 1.5}, {"seed": -1}, {"seed": None}):
        with pytest.raises(InputError, match="is not a whole number"):
            cases(Settings("loss"), **wrong)


def test_every_noise_that_is_offered_is_known_to_every_kind():
    assert {noise for kind in KINDS.values() for noise in kind.noises} == {*NOISES, ""}
    assert {*KINDS} == {one.kind for one in ALL}


@pytest.mark.parametrize("settings", [Settings(kind) for kind in KINDS], ids=list(KINDS))
def test_vectors_hold_floats_and_the_enclosed_truth(settings, tmp_path):
    many = settings.kind == "accountant"  # between two bounds
    near = Fraction(1, 10**4 if many else 10**15)
    asked = list(cases(settings, number=6 if many else 12))
    write_vectors(asked, tmp_path / "v.json")
    table = json.loads((tmp_path / "v.json").read_text())
    assert table == json.loads(json.dumps(vectors(asked)))
    jsonschema.validate(table, SCHEMA)
    for case, told in zip(asked, table["cases"], strict=True):
        truths = told.pop("truth")
        assert Case.from_dict(told) == case
        for truth in truths if isinstance(truths, list) else [truths]:
            low, high = Fraction(truth["lower"]), Fraction(truth["upper"])
            assert low <= high <= low * (1 + near) or low == 0
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**table, "more": 1}, SCHEMA)


def test_the_schema_of_vectors_is_of_every_kind():
    assert SCHEMA["$defs"]["case"]["properties"]["kind"]["enum"] == list(KINDS)
    empty = vectors([])
    assert SCHEMA["description"] == empty["about"]
    assert SCHEMA["properties"]["schema"]["const"] == SCHEMA["title"] == empty["schema"]


def test_vectors_that_cannot_be_written_are_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        write_vectors([], tmp_path / "none" / "v.json")


def test_vectors_of_an_infinite_truth_and_of_normal_laws():
    law = AtomLaw((0.0, 1.0), (1.0, 0.0)), AtomLaw((0.0, 1.0), (0.0, 1.0))
    normal = Normals(((1.0, 0.0, 1.0),)), Normals(((1.0, 1.0, 1.0),))
    found = vectors([Case("loss", "gaussian", *law, scale=1.0),
                     Case("loss", "laplace", *normal, scale=1.0)])  # fmt: skip
    jsonschema.validate(found, SCHEMA)
    assert found["cases"][0]["truth"] == {"lower": "inf", "upper": "inf"}
    assert found["signatures"] == {"loss, atoms": "loss(atoms, p, q, scale)",
                                   "loss, normal laws": "loss(p, q, scale)"}  # fmt: skip


@pytest.mark.parametrize("settings", [one for one in ALL if one.kind in ("scale", "delta")],
                         ids=lambda one: one.text)
@pytest.mark.parametrize("ends", [(0.25, 0.5), (1e-3, 1e3), (0.3, 0.3)])
def test_no_case_leaves_the_range_of_epsilon(settings, ends):
    found = list(cases(replace(settings, epsilons=ends), number=80))
    assert len(found) == 80
    assert all(ends[0] <= case.epsilon <= ends[1] for case in found)
    assert len({case.epsilon for case in found}) >= (1 if ends[0] == ends[1] else 3)


@pytest.mark.parametrize("ends", [(0, 1), (2, 1), (1, inf), (nan, 1), (1,), ("a", 1), 3])
def test_what_is_no_range_of_epsilon_is_refused(ends):
    with pytest.raises(InputError, match="is no range, expected two numbers, 0 < LOW <= HIGH"):
        Settings("scale", epsilons=ends)
    with pytest.raises(InputError, match="a loss is not asked with an epsilon"):
        Settings("loss", epsilons=(1, 2))
