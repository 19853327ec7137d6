"""Steps on X before the noise: the same as the problem whose laws are changed by hand."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from support import steps_oracle, tally
from support.kernel_run import accepted_certificate, checker
from support.problems import limited
from support.steps_cases import NOISES, case, chain, law
from support.tally import Record

from pfverify import Discrete, InputError, Laplace, Nothing, Problem, calibrate, certify, loss
from pfverify.certificate.statement import canonical_text
from pfverify.model.digest import problem_digest
from pfverify.model.systems.system import System

Json = dict[str, Any]
SHOWN = ("problems", "kernel", "minima", "refused alike")
BARE: list[Json] = [
    {"kind": "laplace", "scale": 2},
    {"kind": "laplace", "scale": 0},
    {"kind": "discrete-laplace", "scale": 1, "step": "1/6"},
    {"kind": "gaussian", "variance": 4},
    {"kind": "none"},
    {"kind": "table", "weights": {"-1": "1/4", "0": "1/2", "1": "1/4"}},
    {"kind": "truncated-laplace", "scale": 3, "bound": 40},
    {"kind": "discrete-gaussian", "variance": 2, "step": "1/6"},
]
PROOF = canonical_text({"schema": "pfverify/certificate/1", "problem": "0" * 64, "steps": [],
                        "result": "certified", "produced_by": {}}).encode()  # of no problem
KINDS = {str(noise["kind"]) for noise in BARE}


def image(steps: list[Json], x: Fraction) -> Fraction:
    """What steps make of a number, from the words of the guide alone."""
    for step in steps:
        ((key, value),) = step.items()
        if key == "bins":
            edges = [Fraction(e) for e in value["edges"]]
            ((a, b),) = [(a, b) for a, b in pairwise(edges) if a <= x < b]
            x = {"lower": a, "upper": b, "middle": (a + b) / 2}[value["at"]]
        else:
            x = steps_oracle.one(step, x)
    return x


def by_hand(table: Json) -> Json:
    """The problem of the changed laws."""
    found = deepcopy(table)
    steps = found.pop("pre")
    for belief in found.get("beliefs", {"": found}).values():
        for prior in belief["priors"].values():
            one = prior.get("or", prior)
            if "mass" in one:
                masses: Counter[Fraction] = Counter()
                for x, m in one["mass"].items():
                    masses[image(steps, Fraction(x))] += Fraction(m)
                one["mass"] = {str(x): str(m) for x, m in masses.items()}
    return found


def before(rng: Random, near: list[Fraction], noise: Json) -> list[Json]:
    """Steps before the noise: those of after it that make numbers, and bins."""
    steps = [s for s in chain(rng, near, noise) if not s.keys() & {"threshold", "bins"}]
    if rng.random() < 0.3:
        edges = sorted({min(near) - 100, max(near) + 100, *rng.sample(near, 1)})
        at = rng.choice(["lower", "middle", "upper"])
        steps.append({"bins": {"edges": [str(e) for e in edges], "at": at}})
    if not steps or rng.random() < 0.1:
        steps.append({"modulo": rng.choice(["1", "3", "5/2"])})
    return steps


def problem_of(table: Json) -> Problem:
    return Problem.from_text(json.dumps(table), json_format=True)


def answers(table: Json, *, minimum: bool) -> Any:
    """What is said of a problem, or why it is refused; the kernel accepts each certificate."""
    try:
        problem = problem_of(table)
        assert Problem.from_table(problem.to_table()) == problem
        assert Problem.from_text(problem.to_toml()) == problem
        found = certify(problem)
        pairs = [(p.belief, p.from_, p.to, p.verdict, str(p.loss), str(p.delta), p.tie)
                 for p in loss_sorted(found)]
        measured = loss(problem)
        least = str(calibrate(problem, digits=4).minimum) if minimum else None
    except InputError as error:
        return str(error)
    if found.verdict != "undecided":
        word = accepted_certificate(problem.to_table(), problem, found)[1]
        assert word == found.verdict
    return found.verdict, pairs, str(measured.epsilon_star), str(measured.delta), least


def loss_sorted(found: Any) -> Any:
    return sorted(found.pairs, key=lambda p: (p.belief, p.from_, p.to))


def alike(table: Json, counts: Counter[str], *, minimum: bool = False) -> None:
    hand = by_hand(table)
    one, other = answers(table, minimum=minimum), answers(hand, minimum=minimum)
    assert one == other, (json.dumps(table), one, other)
    if not isinstance(one, str):
        assert problem_digest(problem_of(table)) != problem_digest(problem_of(hand))
    counts.update(["refused alike"] if isinstance(one, str) else
                  ["problems", "kernel", str(one[0]), *(["minima"] if minimum else [])])
    counts["laws change"] += {**table, "pre": 0} != {**hand, "pre": 0}


def asked(rng: Random) -> Json:
    return {"epsilon": rng.choice(["0", "1/10", "1/2", "1", "3"]),
            "delta": rng.choice(["0", "0", "1/20", "1/3"])}


def battery(seed: str, count: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for k in range(count):
        rng = Random(f"{seed} {k}")
        noise = deepcopy(BARE[k % len(BARE)])
        unit = Fraction(noise.get("step", rng.choice(["1", "1/2"])))
        atoms = sorted(unit * n for n in rng.sample(range(-12, 30), rng.randint(2, 6)))
        table = {"schema": "pfverify/problem/1", "noise": noise, **asked(rng),
                 "pre": before(rng, atoms, {"kind": "none"}),
                 "priors": {name: law(rng, atoms) for name in "ab"}}
        scaled = noise["kind"] in ("laplace", "discrete-laplace", "gaussian")
        with limited(30):
            alike(table, counts, minimum=scaled and k // len(BARE) % 2 == 0)
        counts.update([noise["kind"], *(key for step in table["pre"] for key in step)])
        found = case(rng, NOISES[k % 3], exact=True).table  # with steps after the noise too
        beliefs = found.get("beliefs", {"": found}).values()
        laws = [one.get("or", one) for belief in beliefs for one in belief["priors"].values()]
        near = sorted({Fraction(x) for one in laws for x in one.get("mass", {"0": 1})})
        with limited(30):
            alike(found | asked(rng) | {"pre": before(rng, near, found["noise"])}, counts)
        counts["after too"] += 1
    return counts


@pytest.mark.parametrize("block", range(4))
def test_before(block: int, record_property: Record) -> None:
    counts = battery(f"default {block}", 8)
    tally.report("steps before the noise by hand", counts, SHOWN, record_property)
    tally.reached(counts, "problems", "minima", "laws change", *KINDS)


@pytest.mark.long
@pytest.mark.parametrize("block", range(10))
def test_before_long(block: int, record_property: Record) -> None:
    counts = battery(f"block {block}", 150)
    tally.report("steps before the noise by hand", counts, SHOWN, record_property)
    tally.reached(counts, *SHOWN, "certified", "refuted", "clamp", "round", "floor", "ceil",
                  "bins", "modulo", "after too", *KINDS)  # fmt: skip


# ---------------------------------------------------------------- systems


def of_users(release: str, rng: Random) -> tuple[Json, Json]:
    """A system, and its secrets' laws of the sum or mean by going through all cases."""
    laws = [law(rng, [Fraction(x) for x in (0, 1, 3)])["mass"] for _ in range(3)]
    user = {"a": {"mass": laws[0]}, "b": {"point": "2"}}
    system = {"release": release, "user": user, "others": [{"mass": m} for m in laws[1:]]}
    own = {"a": laws[0], "b": {"2": "1"}}
    priors: Json = {}
    for name, mine in own.items():
        masses: Counter[Fraction] = Counter()
        for picks in product(mine.items(), *(m.items() for m in laws[1:])):
            chance = Fraction(1)
            for _, m in picks:
                chance *= Fraction(m)
            x = sum(Fraction(x) for x, _ in picks) / (3 if release == "mean" else 1)
            masses[x] += chance
        priors[name] = {"kind": "discrete", "mass": {str(x): str(m) for x, m in masses.items()}}
    return system, priors


@pytest.mark.parametrize("release", ["sum", "mean"])
@pytest.mark.parametrize(
    "pre",
    [
        [{"clamp": ["1", "4"]}],
        [{"round": {"to": "2", "ties": "even"}}, {"modulo": 4}],
        [{"bins": {"edges": [-1, 2, 10], "at": "upper"}}],
    ],
)
def test_of_a_system_the_law_of_the_sum_is_changed(release: str, pre: Any) -> None:
    system, priors = of_users(release, Random(f"{release} {pre}"))
    base = {"schema": "pfverify/problem/1", "epsilon": "1/2", "noise": BARE[0], "pre": pre}
    one = answers(base | {"system": system}, minimum=True)
    assert one == answers(by_hand(base | {"priors": priors}), minimum=True)
    assert not isinstance(one, str)


def test_what_is_about_one_users_part_does_not_apply() -> None:
    """A clamp of a sum is no sum of clamped values: the recipes of one user are named, not used."""
    system = System(others=[{"point": 2}], user={"y": {"point": 1}, "n": {"point": 0}})
    wrapped = Problem(system=system, noise=Laplace(1), epsilon=1, pre=[{"modulo": 3}])
    found = calibrate(wrapped, digits=3)
    assert float(found.minimum.lower) > 1  # user_values alone would say 1
    users = [name for name in found.not_applicable if name.startswith(("user_", "any_rest"))]
    assert len(users) == 11
    assert not any(name.startswith(("user_", "any_rest")) for name in found.methods)
    with pytest.raises(InputError, match="act on the sum"):
        wrapped.for_any_rest()
    anyone = System(others=[{"bernoulli": "1/2"}], user={"y": {"point": 1}, "n": {"point": 0}},
                    rest="any")
    with pytest.raises(InputError, match="pre: with rest = any"):
        Problem(system=anyone, noise=Laplace(1), epsilon=1, pre=[{"clamp": [0, 1]}])


def test_of_a_chain_of_records_the_law_of_the_sum_is_changed() -> None:
    chain = {"states": {"low": 0, "high": 1}, "start": "stationary", "length": 5, "release": "sum",
             "transition": {"low": {"low": "7/10", "high": "3/10"},
                            "high": {"low": "3/10", "high": "7/10"}}, "secrets": "each"}
    base = {"schema": "pfverify/problem/1", "epsilon": "1/2", "noise": BARE[0]}
    table = base | {"chain": chain, "pre": [{"clamp": ["1", "3"]}]}
    (laws,) = Problem.from_table(base | {"chain": chain}).beliefs.values()
    priors = {name: law.to_table() for name, law in laws.items()}
    pairs = [list(pair) for pair in Problem.from_table(table).pairs]
    hand = by_hand(base | {"pre": table["pre"], "priors": priors, "pairs": pairs})
    one, other = (answers(x, minimum=True) for x in (table, hand))
    assert [*map(str, one[1:])] == [*map(str, other[1:])]
    reasons = calibrate(Problem.from_table(table), digits=3).not_applicable
    assert "act on the sum" in reasons["chain_quilt"]


# ---------------------------------------------------------------- what holds of all such steps

A, B = Discrete({0: "1/2", 300: "1/2"}), Discrete({"255": "1/2", "-4": "1/2"})


def made(pre: Any, **more: Any) -> Problem:
    return Problem({"a": A, "b": B}, noise=Laplace(2), epsilon=1, pre=pre, **more)


def test_twice_is_once_and_nothing_is_nothing() -> None:
    clamp, whole = {"clamp": [0, 100]}, {"round": {"to": 1}}
    plain = Problem({"a": A, "b": B}, noise=Laplace(2), epsilon=1)
    assert made([clamp, clamp]).beliefs == made([clamp]).beliefs
    assert made([whole]).beliefs == plain.beliefs
    assert made([whole]).source.origin.laws == plain.beliefs
    digests = {problem_digest(p) for p in (plain, made([whole]), made([clamp]), made([clamp] * 2))}
    assert len(digests) == 4


def test_the_digest_is_that_of_what_the_steps_do() -> None:
    same = [[{"round": {"to": to, "ties": "up"}}] for to in (1, "1.0", "2/2")]
    same += [[{"round": {"to": "1"}}]]
    assert len({problem_digest(made(pre)) for pre in same}) == 1
    assert len({made(pre) for pre in same}) == 1
    others = [[{"round": {"to": 1, "ties": "down"}}], [{"floor": {"to": 1}}], [{"modulo": 1}]]
    assert len({problem_digest(made(pre)) for pre in [same[0], *others]}) == 4


def test_the_trap_of_wrapping_before_the_noise() -> None:
    """255 and 256 become 255 and 0: fact F49."""
    laws = {"a": Discrete({255: 1}), "b": Discrete({256: 1})}
    star = [loss(Problem(laws, noise=Laplace(1), epsilon=1, pre=pre)).epsilon_star
            for pre in (None, [{"modulo": 256}])]
    assert [(x.lower, x.upper) for x in star] == [("1", "1"), ("255", "255")]


def test_no_row_stays_no_row() -> None:
    post = [{"threshold": {"at": 1}}]
    problem = Problem({"a": Nothing(Discrete({7: 1}), "1/2"), "b": Nothing()}, noise=Laplace(1),
                      epsilon=1, delta="1/2", pre=[{"clamp": [0, 1]}], post=post)
    assert problem.beliefs["default"] == {"a": Nothing(Discrete({1: 1}), "1/2"), "b": Nothing()}


def test_a_certificate_of_other_steps_is_rejected() -> None:
    problem = made([{"clamp": [0, 1]}])
    certificate = accepted_certificate(problem.to_table(), problem, certify(problem))[0]
    for pre in ([{"clamp": [-9, 2]}], [{"clamp": [0, 1]}] * 2, None):
        table = made(pre).to_table()
        word, said = checker.check_bytes(
            json.dumps(table).encode(), True, canonical_text(certificate).encode()
        )
        assert (word, "digest" in said) == ("rejected", True)
        # with the other problem's digest its own steps prove nothing of it
        forged = certificate | {"problem": problem_digest(made(pre))}
        word, said = checker.check_bytes(
            json.dumps(table).encode(), True, canonical_text(forged).encode()
        )
        assert word == ("certified" if pre and len(pre) == 2 else "rejected")
        assert word == "certified" or "digest" not in said


REFUSED = [
    ([], "pre: expected a list of steps"),
    ("clamp", "pre: expected a list"),
    ([{"threshold": {"at": 1}}], "unknown key 'threshold': to suppress by the true"),
    ([{"clamp": [2, 1]}], "2 is above high"),
    ([{"bins": {"edges": [0, 1]}}], "missing key 'at'"),
    ([{"bins": {"edges": [0, 1], "at": "left"}}], "lower, middle or upper"),
    ([{"bins": {"edges": [0], "at": "lower"}}], "at least 2"),
    ([{"bins": {"edges": [1, 0], "at": "lower"}}], "increasing"),
    ([{"bins": {"edges": [-10, 300], "at": "lower"}}], "300 is in none"),
    ([{"bins": {"edges": [-3, 400], "at": "lower"}}], "-4 is in none"),
    ([{"modulo": 0}], "not > 0"),
    ([{"round": {"to": 1}, "floor": {"to": 1}}], "one of clamp"),
]


@pytest.mark.parametrize(("pre", "said"), REFUSED, ids=[str(k) for k in range(len(REFUSED))])
def test_bad_steps_are_one_line(pre: Any, said: str) -> None:
    table = made([{"modulo": 1}]).to_table()
    with pytest.raises(InputError) as caught:
        made(pre)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError):
        Problem.from_table(table | {"pre": pre})
    words = [checker.check_bytes(json.dumps(x).encode(), True, PROOF)[0]
             for x in (table | {"pre": pre}, table)]
    assert words == ["malformed", "rejected"]


def test_what_steps_before_the_noise_do_not_go_with() -> None:
    finite = {"kind": "finite", "mass": {"x": "1"}}
    channel = {"kind": "matrix", "inputs": ["x", "y"], "outputs": ["0", "1"],
               "rows": [["1/2", "1/2"], ["1/4", "3/4"]]}
    base = {"schema": "pfverify/problem/1", "epsilon": 1, "pre": [{"clamp": [0, 1]}]}
    normal = {"kind": "gaussian", "mean": 0, "variance": 1}
    point = {"kind": "discrete", "mass": {"0": "1"}}
    priors = {"a": point, "b": {"kind": "discrete", "mass": {"1": "1"}}}
    line = {"kind": "laplace", "scale": 1}
    for table, said in (
        ({"channel": channel}, "pre: steps act on X"),
        ({"channel": channel, "priors": {"a": finite, "b": finite | {"mass": {"y": "1"}}}},
         "a prior of kind finite"),
        ({"noise": line, "priors": {"a": normal, "b": point}}, "leaves atoms and a density"),
        ({"noise": line, "priors": priors, "notion": "xdistp"}, "notion: xdistp"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=said) as caught:
            Problem.from_table(base | table)
        assert "\n" not in str(caught.value)
        data = json.dumps(base | table).encode()
        assert checker.check_bytes(data, True, PROOF)[0] == "malformed"


def test_why_no_true_value_is_suppressed_before_the_noise() -> None:
    """4 is hidden for sure, 5 never: the two are told apart with delta < 1 at every scale."""
    rows = {"4": ["1", "0"], "5": ["0", "1"]}
    table = {
        "schema": "pfverify/problem/1", "epsilon": "100", "delta": "0.999999",
        "channel": {"kind": "matrix", "inputs": [*rows], "outputs": ["suppressed", "5 + N"],
                    "rows": [*rows.values()]},
        "priors": {x: {"kind": "finite", "mass": {x: "1"}} for x in rows},
    }  # fmt: skip
    assert certify(Problem.from_table(table)).refuted
    assert certify(Problem.from_table(table | {"delta": "1"})).certified
    with pytest.raises(InputError, match=r"no scale .* helps, .* a threshold in \[\[post\]\]"):
        Problem(priors={"a": Discrete({5: 1}), "b": Discrete({4: 1})}, noise=Laplace(2), epsilon=1,
                pre=[{"threshold": {"at": 5, "keep": "at-least"}}])  # fmt: skip
