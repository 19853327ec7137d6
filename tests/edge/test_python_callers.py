"""Python callers get InputError (or another PfverifyError), whatever they pass."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import chdir
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas
import pytest
from support.users import users_scale

from pfverify import (
    Discrete,
    DiscreteLaplace,
    Finite,
    Gaussian,
    GaussianNoise,
    InputError,
    Laplace,
    Mixture,
    NoNoise,
    PfverifyError,
    Problem,
    System,
    calibrate,
    certify,
    check,
    loss,
    oracle,
    sample,
)
from pfverify.answers.grid import grid_certify
from pfverify.crosscheck.question import question
from pfverify.crosscheck.replay import text_of
from pfverify.edge.packaged import example_path, example_text, load_example
from pfverify.exact.ball import precision
from pfverify.exact.number import number, rational
from pfverify.many import calibrate_many, certify_many, loss_many
from pfverify.scales.normal_tail import tau_lambert, tau_star
from pfverify.symbolic import gaussian as formulas
from pfverify.symbolic.bernoulli import least_scale
from pfverify.symbolic.laplace import density
from pfverify.symbolic.plans import plan_matrix
from pfverify.symbolic.relaxed import relaxed_columns
from pfverify.testing import assert_private, assert_sound
from pfverify.transport.cost import w_1
from pfverify.transport.flow import w_infinity
from pfverify.transport.lifting import approximate_lifting, lifting
from pfverify.transport.line import monotone_plan
from pfverify.transport.metric import AbsoluteDifference
from pfverify.transport.optimality import optimality
from pfverify.transport.plan import plan_of_line, plan_of_masses
from pfverify.transport.repair import repaired
from pfverify.transport.validate import validate_plan
from pfverify.workers.function import Limits


class Hostile:
    """Every way to print or number it raises."""

    def __repr__(self):
        raise RuntimeError("hostile")

    __str__ = __index__ = __int__ = __float__ = __repr__

    def __format__(self, spec):
        raise RuntimeError("hostile")


class Numbered:
    """An index that is no integer."""

    def __index__(self):
        raise ValueError("no index")


HUGE = 10**6000  # Python refuses to print it
JUNK = [
    None, True, -1, 0, HUGE, -HUGE, 1.5, float("nan"), float("inf"), 2 + 1j, Fraction(1, 3),
    Fraction(HUGE, 7), Fraction(1, HUGE), Decimal("0.5"), Decimal("NaN"), Decimal("sNaN"),
    Decimal("1e99999"), np.float64(0.5), np.float32(2), np.int64(-3), np.bool_(True),
    np.longdouble(1), np.array([1, 2]), np.array([[0.5]]), np.array(3), np.str_("1/2"),
    np.datetime64("2026-01-01"), "", " ", "a", "1/0", "log(0)", "1e-9999", "nan", "9" * 5000,
    "x" * 100_000, "\x00", "\ud800", "1;2", b"1", bytearray(b"ab"), [], [1], [[1]], [None, 2],
    ["a", "b"], (), (1, 2), ("a", 1.5), [(1, 1)], [(1, 1.5)], [("a", "b")], {}, {"a": 1},
    {0: 0.5, 1: 0.5}, {None: 1}, {(): 1}, {HUGE: 1}, {0: HUGE, 1: 1}, {"0": None}, {1: "x"},
    set(), {1, 2}, frozenset("ab"), range(3), Path("nowhere"), Path("/"), Path("x" * 5000),
    object(), object, len, Ellipsis, NotImplemented, date(2026, 1, 1), Hostile(), Numbered(),
    [Hostile()],
    {"a": Hostile()}, (Hostile(), Hostile()), Laplace(), Discrete({0: 1}), Gaussian(0, 1),
    DiscreteLaplace(1), GaussianNoise(variance=2), Exception("e"),
]  # fmt: skip

A, B = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/4", 1: "3/4"})
LINE = AbsoluteDifference()
PLAN = plan_of_line(monotone_plan(A, B))


def small(**more):
    return Problem(**({"priors": {"a": A, "b": B}, "noise": Laplace(1), "epsilon": 1} | more))


def table(key, value):
    """A dict, which the caller builds: what cannot be a key is no fault of pfverify."""
    try:
        return {key: value}
    except TypeError as error:
        raise InputError(f"not a key: {error}") from None


def written(result, **arguments):
    """Write a certificate; a name without a folder stands for a file in a new one."""
    with TemporaryDirectory() as folder, chdir(folder):
        result.write(**arguments)


CERTIFIED = certify(small(epsilon=2), digits=3)

DRAWN = small(noise=DiscreteLaplace(9))

TABLE = {  # name -> (callable, arguments that work; each is replaced by junk in turn)
    "Discrete(mass)": (Discrete, {"mass": {0: 1}}),
    "Discrete(counts)": (Discrete, {"counts": {0: 1}}),
    "Discrete atom": (lambda atom: Discrete(table(atom, 1)), {"atom": 0}),
    "Discrete count": (lambda count: Discrete(counts={0: count}), {"count": 1}),
    "Gaussian": (Gaussian, {"mean": 0, "variance": 1}),
    "Gaussian sd": (Gaussian, {"mean": 0, "sd": 1}),
    "Mixture": (Mixture, {"components": [{"weight": 1, "mean": 0, "sd": 1}]}),
    "Mixture entry": (
        lambda **entry: Mixture([entry]), {"weight": 1, "mean": 0, "variance": 1}
    ),
    "Mixture component": (lambda part: Mixture([part]),
                          {"part": {"weight": 1, "mean": 0, "sd": 1}}),
    "Laplace": (Laplace, {"scale": 1}),
    "DiscreteLaplace": (DiscreteLaplace, {"scale": 1, "step": 1}),
    "GaussianNoise scale": (GaussianNoise, {"scale": 1}),
    "GaussianNoise variance": (GaussianNoise, {"variance": 1}),
    "with_scale": (lambda scale: [n.with_scale(scale) for n in (Laplace(1), DiscreteLaplace(1),
                                                                 GaussianNoise(1))], {"scale": 2}),
    "Problem": (Problem, {"priors": {"a": A, "b": B}, "noise": Laplace(1), "epsilon": 1,
                          "delta": 0, "pairs": [("a", "b")], "form": "events"}),
    "Problem.from_records": (Problem.from_records, {
        "rows": [("a", 1), ("b", 2)], "epsilon": 1, "delta": 0, "secret": "s", "public": "x",
        "noise": Laplace(1), "codes": {"a": 1}, "missing": "drop", "missing_values": ["?"],
        "rare": 0, "pairs": [("a", "b")], "bin_width": 1, "bin_at": "lower", "floats": "exact",
        "date_format": None, "decimal_comma": False, "release": "value", "short_names": True,
    }),
    "Problem.from_records row": (lambda secret, value: Problem.from_records(
        [(secret, value), ("b", 2)], epsilon=1), {"secret": "a", "value": 1}),
    "Problem.from_records fit": (lambda **options: Problem.from_records(
        [("a", 1), ("a", 2), ("b", 2), ("b", 3)], epsilon=1, **options), {
            "fit": "gaussian", "absent": "away", "release": "sum", "rest": "any"}),
    "Problem.from_frame": (Problem.from_frame, {
        "frame": pandas.DataFrame({"s": ["a", "b"], "x": [1, 2]}), "secret": "s", "public": "x",
        "epsilon": 1}),
    "Problem beliefs": (Problem, {"beliefs": {"x": {"a": A, "b": B}}, "noise": Laplace(1),
                                  "epsilon": 1}),
    "Problem belief": (lambda table: Problem(beliefs={"x": table}, noise=Laplace(1), epsilon=1),
                       {"table": {"a": A, "b": B}}),
    "Problem belief name": (
        lambda name: Problem(beliefs=table(name, {"a": A, "b": B}), noise=Laplace(1), epsilon=1),
        {"name": "x"}),
    "Problem secret": (lambda name: small(priors=table(name, A) | {"b": B}),
                       {"name": "x"}),
    "Problem prior": (lambda prior: Problem({"a": prior, "b": B}, noise=Laplace(1), epsilon=1),
                      {"prior": A}),
    "Problem pair": (lambda pair: small(pairs=[pair]), {"pair": ("a", "b")}),
    "Problem lattice": (lambda prior, step: small(priors={"a": prior, "b": B},
                                                  noise=DiscreteLaplace(1, step)),
                        {"prior": A, "step": 1}),
    "Problem.load": (Problem.load, {"path": example_path("census")}),
    "replaced": (lambda **new: small().replaced(**new), {"epsilon": 1, "delta": 0, "scale": 2}),
    "certify": (certify, {"problem": small(), "digits": 3, "progress": None}),
    "write": (lambda **arguments: written(CERTIFIED, **arguments),
              {"path": "x.cert", "problem": None, "attest": False}),
    "to_frame": (CERTIFIED.to_frame, {"exact": True}),
    "Enclosure": (lambda other: CERTIFIED.pairs[0].loss < other, {"other": 3}),
    "Finite": (lambda name, mass: Finite([(name, mass)]), {"name": "a", "mass": 1}),
    "Discrete pairs": (lambda entry: Discrete([entry]), {"entry": (0, 1)}),
    "Discrete columns": (lambda atoms, counts: Discrete(counts=(atoms, counts)),
                         {"atoms": np.array([0, 1]), "counts": np.array([2, 3])}),
    "Discrete.from_arrays": (Discrete.from_arrays, {"atoms": [0, 1], "counts": np.array([2, 3])}),
    "loss": (loss, {"problem": small(), "digits": 3, "progress": None}),
    "calibrate": (calibrate, {"problem": small(), "digits": 3, "progress": None}),
    "oracle.density": (oracle.density, {"p": A, "noise": Laplace(1), "y": 0, "scale": 2,
                                        "digits": 3, "nearest": True, "exact": True}),
    "oracle.log_ratio": (oracle.log_ratio, {"p": A, "q": B, "noise": Laplace(1), "y": [0, 1],
                                            "both": True}),
    "oracle.density columns": (
        lambda atoms, masses: oracle.density((atoms, masses), Laplace(1), 0, exact=True),
        {"atoms": [0, 1], "masses": [0.5, 0.25]}),
    "oracle.delta": (oracle.delta, {"p": A, "q": B, "noise": Laplace(1), "epsilon": "1/10"}),
    "oracle.epsilon": (oracle.epsilon, {"p": A, "q": B, "noise": NoNoise(), "delta": "1/10",
                                        "exact": False}),
    "oracle.tradeoff": (oracle.tradeoff, {"p": A, "q": B, "noise": NoNoise(), "alpha": "1/10"}),
    "oracle.scales": (lambda epsilon, delta: oracle.scales(A, B, Laplace(), epsilon, delta,
                                                           digits=2), {"epsilon": 1, "delta": 0}),
    "sample": (sample, {"source": DRAWN, "count": 1, "value": None, "certificate": None,
                        "uncertified": False}),
    "sample value": (lambda value: sample(DRAWN, value=value), {"value": 1}),
    "sample noise": (sample, {"source": DiscreteLaplace(2), "count": 2}),
    "on_lattice": (small().on_lattice, {"step": "1/2"}),
    "grid_certify": (grid_certify, {"problem": small(), "points": 3}),
    "check": (check, {"problem": example_path("census"), "certificate": example_path("census")}),
    "load_example": (load_example, {"name": "census"}),
    "assert_sound": (lambda **given: assert_sound(lambda *values: 1e9, **given), {
        "kind": "scale", "cases": 1, "noise": "laplace", "laws": "atoms", "seed": 0,
        "claim": "upper", "digits": 12, "tolerance": 1e-12}),
    "assert_private": (lambda **given: assert_private(epsilon=2, **given), {
        "problem": "example:census", "delta": 0}),
    "assert_sound case": (lambda case: assert_sound(lambda *values: 1e9, case=case), {
        "case": text_of(next(question("scale").cases(delta=False)))}),
    "Limits": (Limits, {"timeout": 1.0, "memory": 0}),
    "number": (number, {"value": 1}),
    "rational": (rational, {"value": 1}),
    "System": (System, {
        "others": [{"bernoulli": "1/2", "count": 2, "presence": "1/2"}],
        "user": {"a": {"point": 1}, "b": "absent"}, "release": "sum", "presence_model": "all",
        "rest": "known", "pair_set": "values-absent", "protect": None}),
    "System other": (lambda **law: System([law], {"a": {"point": 1}, "b": "absent"}), {
        "bernoulli": "1/2", "count": 2, "presence": "1/2"}),
    "System case": (lambda **law: System([], {"a": law, "b": "absent"}), {"point": 1}),
    "tau_star": (tau_star, {"delta": "1/100"}),
    "tau_lambert": (tau_lambert, {"delta": "1/100"}),
    "statement value": (formulas.theorem_1().value, {
        "bits": 64, **dict.fromkeys(formulas.theorem_1().parameters, "1/2")}),
    "least_scale holds": (least_scale().holds, {"p": 0, "q": 1, "epsilon": 1, "h": 1}),
    "density": (density, {"problem": small(), "secret": "a"}),
    "density value": (density(small(), "a").value, {"y": "1/2", "bits": 64}),
    "plan_matrix": (plan_matrix, {"first": A, "second": B}),
    "relaxed_columns": (relaxed_columns, {"plan": plan_matrix(A, B), "epsilon": 1}),
    "monotone_plan": (monotone_plan, {"first": A, "second": B}),
    "w_infinity": (w_infinity, {"first": {0: 1}, "second": {1: 1}, "metric": LINE}),
    "w_1": (w_1, {"first": {0: 1}, "second": {1: 1}, "metric": LINE}),
    "lifting": (lifting, {"first": {"a": 1}, "second": {"b": 1}, "relation": [("a", "b")],
                          "points": ()}),
    "approximate_lifting": (approximate_lifting, {
        "first": {"a": 1}, "second": {"b": 1}, "relation": [("a", "b")], "factor": 2, "delta": 0}),
    "plan_of_masses": (plan_of_masses, {"masses": [(0, 1, 1)]}),
    "plan_of_masses entry": (lambda a, b, m: plan_of_masses([(a, b, m)]), {"a": 0, "b": 1, "m": 1}),
    "plan_of_line": (plan_of_line, {"plan": monotone_plan(A, B)}),
    "optimality": (optimality, {"plan": PLAN, "metric": LINE}),
    "validate_plan": (validate_plan, {"plan": PLAN, "first": A, "second": B, "metric": LINE}),
    "certify_many": (certify_many, {
        "problems": [], "digits": 3, "jobs": 1, "scheduler": None, "results": None,
        "progress": None}),
    "loss_many": (loss_many, {
        "problems": [], "digits": 3, "jobs": 1, "scheduler": None, "results": None,
        "progress": None}),
    "calibrate_many": (calibrate_many, {
        "problems": [], "digits": 3, "jobs": 1, "scheduler": None, "results": None,
        "progress": None}),
    "repaired": (repaired, {"plan": PLAN, "first": A, "second": B}),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_only_pfverify_errors_come_out(name):
    function, good = TABLE[name]
    function(**good)
    seen, wrong = Counter(), []
    for key in good:
        for junk in JUNK:
            if key == "progress" and callable(junk):
                continue  # what it raises when it is called is its own
            try:
                function(**good | {key: junk})
            except PfverifyError as error:
                seen["refused"] += 1
                if "\n" in str(error) or len(str(error)) > 500:
                    wrong.append(f"{key}: a message of {len(str(error))} characters")
            except Exception as error:
                wrong.append(f"{key} = {type(junk).__name__}: {error!r}"[:200])
            else:
                seen["taken"] += 1
    assert not wrong, "\n".join(wrong)
    assert sum(seen.values()) >= len(good) * (len(JUNK) - 2)
    assert seen["refused"] >= len(JUNK) // 2


def test_the_table_counts_thousands_of_calls():
    assert sum(len(good) for _, good in TABLE.values()) * len(JUNK) >= 8000


@pytest.mark.parametrize("name", ["census", "tie-bernoulli"])
def test_a_file_is_decided_by_its_name(name, tmp_path, monkeypatch):
    (tmp_path / "mine.toml").write_text(example_text(name))
    monkeypatch.chdir(tmp_path)
    for path in ("mine.toml", Path("mine.toml"), tmp_path / "mine.toml"):
        assert certify(path) == certify(load_example(name))
        assert loss(path).epsilon_star == loss(load_example(name)).epsilon_star
    assert calibrate("mine.toml").minimum == calibrate(load_example(name)).minimum
    assert grid_certify("mine.toml", 3) == grid_certify(load_example(name), 3)


def test_a_table_of_data_is_named_as_such(tmp_path):
    for name in ("data.csv", "data.CSV", "data.parquet"):
        (tmp_path / name).write_text("a,b\n1,2\n")
        with pytest.raises(InputError, match=r"table of data, expected .*pfverify prior"):
            certify(tmp_path / name)
    (tmp_path / "data.json").write_text(json.dumps([1]))
    with pytest.raises(InputError, match="expected a table of keys, got list"):
        certify(str(tmp_path / "data.json"))
    with pytest.raises(InputError, match="there is no such file"):
        certify("mine.toml")


def test_the_published_scales_of_users_take_plain_numbers():
    users = [(1, 1), (2, 1), (5, 4)]
    found = users_scale(users, 1, "1/1000")
    assert found == users_scale(users, number(1), number("1/1000"))
    assert found[0] == "8.40660394612"
    same = users_scale([(0, 1)], Fraction(1), "0.01", 5)
    assert same[0] == users_scale([(0, 1)], 1, Decimal("0.01"), 5)[0] == "2.5759"
    with precision(64):
        assert tau_star("1/100").raw < 2.5759
