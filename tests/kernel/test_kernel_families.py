"""Families of priors: the kernel derives the pairs of members itself, and trusts no certificate."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import checker
import pytest
from core import work
from core.grammar import Malformed
from reader import coverage, families, reader
from reader.regions import Box, Listed, Moved
from support.kernel_run import accepted_certificate, kernel_digest

from pfverify import Discrete, Finite, InputError, Problem, certify
from pfverify.certificate.statement import canonical_text
from pfverify.decide.verdict import Verdict
from pfverify.exact.binomial import interval
from pfverify.model.digest import problem_digest
from pfverify.model.priors.prior import Prior

F = Fraction
Table = dict[str, Any]


def law_on(source: Random, atoms: Sequence[str]) -> dict[str, str]:
    weights = [source.choice([0, 1, 1, 2, 3, 5]) for _ in atoms]
    weights[source.randrange(len(atoms))] += 1
    return {x: str(F(w, sum(weights))) for x, w in zip(atoms, weights, strict=True)}


def intervals(source: Random, own: Sequence[str], _every: Sequence[str]) -> Table:
    spans: dict[str, Any] = {}
    for x, m in law_on(source, own).items():
        low = max(F(0), F(m) - F(source.randint(0, 3), 8))
        high = min(F(1), F(m) + F(source.randint(0, 3), 8))
        spans[x] = m if low == high else [str(low), str(high)]
    return {"mass": spans}


def alphabet(source: Random, own: Sequence[str], every: Sequence[str]) -> list[str]:
    found = [*own, *(x for x in every if x not in own and source.random() < 0.5)]
    source.shuffle(found)
    return found


def confidence(source: Random, own: Sequence[str], every: Sequence[str]) -> Table:
    counts = {x: int(F(m) * source.choice([7, 60, 400])) + 1 for x, m in
              law_on(source, own).items()}  # fmt: skip
    more = {"alphabet": alphabet(source, own, every)} if source.random() < 0.5 else {}
    return {"counts": counts, "level": "0.95", **more}


def tv_ball(source: Random, own: Sequence[str], every: Sequence[str]) -> Table:
    more = {"alphabet": alphabet(source, own, every)} if source.random() < 0.5 else {}
    radius = source.choice([0, "1/10", "1/3", "1/2", 1, "3/2"])
    if source.random() < 0.5:
        return {"mass": law_on(source, own), "radius": radius, **more}
    counts = {x: source.randint(0, 9) for x in own} | {own[0]: 4}
    return {"counts": counts, "radius": radius, **more}


def winf_ball(source: Random, own: Sequence[str], every: Sequence[str]) -> Table:
    radius = source.choice([0, "1/2", 1, 3])
    listed = alphabet(source, own, every)
    return {"mass": law_on(source, own), "radius": radius, "alphabet": listed}


def polytope(source: Random, own: Sequence[str], every: Sequence[str]) -> Table:
    listed, inside, rows = alphabet(source, own, every), law_on(source, own), []
    for _ in range(source.randint(0, 3)):
        weights = {x: source.choice([-1, 0, 1, "1/2"]) for x in listed}
        there = sum((F(w) * F(inside.get(x, 0)) for x, w in weights.items()), F(0))
        side = source.choice(["at-most", "at-least", "equal"])
        apart = F(source.randint(0, 3), 8) * {"at-most": 1, "at-least": -1, "equal": 0}[side]
        rows.append({"weights": weights, side: str(there + apart)})
    return {"alphabet": listed, "constraints": rows}


def any_of(source: Random, own: Sequence[str], _every: Sequence[str]) -> Table:
    return {"laws": [law_on(source, own) for _ in range(source.randint(1, 3))]}


def plain(source: Random, own: Sequence[str], _every: Sequence[str]) -> Table:
    return {"mass": law_on(source, own)}


KINDS: dict[str, Callable[[Random, Sequence[str], Sequence[str]], Table]] = {
    "intervals": intervals, "confidence": confidence, "tv-ball": tv_ball, "winf-ball": winf_ball,
    "polytope": polytope, "any-of": any_of, "discrete": plain,
}  # fmt: skip
NOISES = [
    {"kind": "laplace", "scale": 2}, {"kind": "laplace", "scale": "1/2"}, {"kind": "none"},
    {"kind": "discrete-laplace", "scale": 2, "step": 1}, {"kind": "gaussian", "scale": 2},
    {"kind": "laplace", "scale": 2, "releases": 2},
]  # fmt: skip


def prior(source: Random, every: Sequence[str], kind: str, *, named: bool) -> Table:
    own = source.sample(every, source.randint(1, len(every)))
    found = KINDS[kind](source, own, every)
    if named and kind == "discrete":
        return {"kind": "finite", "mass": found["mass"]}
    return {"kind": kind, **found}


def problem(source: Random) -> Table:
    named = source.random() < 0.25
    every = ["x", "y", "z"] if named else [str(x) for x in source.sample(range(-2, 7), 3)]
    table: Table = {
        "schema": "pfverify/problem/1", "epsilon": source.choice(["1/10", "1/2", 1, 3]),
        "delta": source.choice([0, 0, "1/10"]),
    }  # fmt: skip
    if named:
        rows = [[f"{k}/4", f"{4 - k}/4"] for k in (1, 2, 3)]
        table["channel"] = {"kind": "matrix", "inputs": every, "outputs": ["u", "v"], "rows": rows}
    else:
        table["noise"] = source.choice(NOISES)
        if source.random() < 0.1 and table["noise"]["kind"] == "laplace":
            table["noise"] = {"kind": "laplace", "scale": 2}
            table["post"] = [{"clamp": [0, 3]}]
    kinds = [kind for kind in KINDS if not (named and kind == "winf-ball")]
    made = [
        {s: prior(source, every, source.choice(kinds), named=named) for s in "ab"} for _ in range(2)
    ]
    made[0]["a"] = prior(source, every, source.choice(kinds[:-1]), named=named)
    if source.random() < 0.2:
        return table | {"beliefs": {k: {"priors": of} for k, of in zip("de", made, strict=True)}}
    return table | {"priors": made[0]}


def masses(law: Prior) -> dict[Any, Fraction]:
    if isinstance(law, Finite):
        return {x: m for x, m in law.mass.items() if m}
    assert isinstance(law, Discrete)
    whole = sum(law.weights)
    return {x: F(w, whole) for x, w in zip(law.atoms, law.weights, strict=True)}


def stated(table: Table) -> Problem | None:
    """A problem of the package, None for a channel with an input that no law has."""
    try:
        return Problem.from_table(table)
    except InputError as error:
        if "no prior covers the input" not in str(error):
            raise
        return None


def test_kernel_and_package_have_the_same_members_and_agree_on_them() -> None:
    source, seen = Random(62), Counter[str]()
    while seen["problems"] < 110:
        table = problem(source)
        found = stated(table)
        if found is None:
            continue
        seen["problems"] += 1
        assert kernel_digest(table) == problem_digest(found)
        require_same_members(table, found)
        seen["many"] += len(found.beliefs) > 20
        result = certify(found)
        if result.verdict is not Verdict.UNDECIDED:
            _, word, message = accepted_certificate(table, found, result)
            assert word == str(result.verdict), (message, table)
            seen[word] += 1
        for kind in {law["kind"] for of in tables(table) for law in of.values()}:
            seen[kind] += 1
    assert seen["many"] > 5
    assert min(seen["certified"], seen["refuted"]) > 20
    assert min(seen[kind] for kind in [*KINDS, "finite"]) > 3


def require_same_members(table: Table, found: Problem) -> None:
    theirs = reader.problem_of(table).source.beliefs
    assert [*theirs] == [*found.beliefs]
    for belief, laws in found.beliefs.items():
        assert [*theirs[belief]] == [*laws]
        for secret, law in laws.items():
            own = {x: m for x, m in theirs[belief][secret].items() if m}
            assert own == masses(law)


def test_kernel_and_package_choose_the_same_members_by_place() -> None:
    source, ordered = Random(60), ["intervals", "confidence", "tv-ball", "winf-ball"]
    seen, every = Counter[str](), [str(x) for x in (-1, 0, 1, 3, 4)]
    while seen["by place"] < 40:
        kinds = [source.choice(ordered) for _ in "ab"]
        made = ({"kind": k, **KINDS[k](source, source.sample(every, 5), every)} for k in kinds)
        table = BASE | {"priors": dict(zip("ab", made, strict=True))}
        found = Problem.from_table(table)
        if " at " in next(iter(found.beliefs)):
            require_same_members(table, found)
            seen.update(["by place", *kinds])
    assert min(seen[kind] for kind in ordered) > 8


@pytest.mark.parametrize("outputs", [3_000, 3_001])
def test_kernel_and_package_give_up_the_choice_by_place_at_the_same_number(outputs: int) -> None:
    """Beyond it the pairs of extreme laws are taken, where they are not too many."""
    wide = {"kind": "intervals", "mass": {str(k): ["1/16", "1/4"] for k in range(7)}}
    one = {"kind": "discrete", "counts": {str(k): 1 for k in range(outputs)}}
    table = BASE | {"priors": {"a": wide, "b": one}}
    theirs, found = reader.problem_of(table).source.beliefs, Problem.from_table(table).beliefs
    assert [*theirs] == [*found]
    assert (" at " in next(iter(found))) == (outputs == 3_000)


def tables(table: Table) -> list[Table]:
    return [table["priors"]] if "priors" in table else [
        of["priors"] for of in table["beliefs"].values()
    ]  # fmt: skip


def test_intervals_are_those_of_the_package() -> None:
    source = Random(3)
    for number in range(120):
        draws = source.choice([1, 2, 9, 150, 4_000, 30_000 if number % 8 == 0 else 800])
        count = source.choice([0, draws, source.randint(0, draws), min(draws, 3)])
        share = source.choice([F(1, 20), F(1, 60), F(1, 10**6), F(1, 2)])
        assert coverage.interval(draws, count, share) == interval(draws, count, share, 10**9)


@pytest.mark.parametrize(("draws", "count", "chance"), [
    (300, 60, F(1, 4)), (300, 299, F(9, 10)), (2_000, 40, F(1, 100)), (2_000, 1_990, F(99, 100)),
    (700, 1, F(1, 1000)), (5, 5, F(1, 2)),
])  # fmt: skip
def test_the_tail_over_its_first_term_is_enclosed(draws: int, count: int, chance: F) -> None:
    least, most, e = coverage._from_first(draws, count, int(chance * 10**9), 128)
    assert e == -128
    term, exact = F(1), F(1)
    for i in range(count, draws):
        term *= F(draws - i, i + 1) * chance / (1 - chance)
        exact += term
    assert least <= exact * 2**128 <= most
    assert most - least < 2**40


def test_a_million_records_cost_a_tenth_of_the_budget() -> None:
    with work.checking(0) as check:
        assert coverage.interval(10**6, 300_000, F(1, 40)) == interval(
            10**6, 300_000, F(1, 40), 10**9)  # fmt: skip
    assert check.spent < work.AT_LEAST // 10


# ---------------------------------------------------------------- what is not to be accepted

PLAIN = {"kind": "discrete", "mass": {"0": "1/2", "1": "1/4", "2": "1/4"}}
BALL = {"kind": "tv-ball", "mass": PLAIN["mass"], "radius": "1/20", "alphabet": ["0", "1", "2"]}
REGION = {"kind": "confidence", "counts": {"0": 300, "1": 150, "2": 140}, "level": "0.95"}
BASE: Table = {
    "schema": "pfverify/problem/1", "epsilon": "1/8", "delta": 0,
    "noise": {"kind": "laplace", "scale": 2}, "priors": {"a": BALL, "b": REGION},
}  # fmt: skip


def said_of(table: Table, steps: list[Table], result: str = "certified") -> tuple[str, str]:
    """The kernel's answer to steps, with the digest that it works out itself."""
    certificate = {
        "schema": "pfverify/certificate/1", "produced_by": {}, "result": result, "steps": steps,
        "problem": kernel_digest(table),
    }  # fmt: skip
    data = json.dumps(table).encode()
    return checker.check_bytes(data, True, canonical_text(certificate).encode())


def proved() -> list[Table]:
    found = Problem.from_table(BASE)
    certificate, word, _ = accepted_certificate(BASE, found, certify(found))
    assert word == "certified"
    steps: list[Table] = certificate["steps"]
    return steps


def changed(path: Sequence[Any], value: Any) -> Table:
    table = deepcopy(BASE)
    place: Any = table
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return table


def test_the_steps_of_one_problem_are_none_of_a_larger_family() -> None:
    steps = proved()
    assert said_of(BASE, steps)[0] == "certified"
    for path, value in [
        (("priors", "a", "radius"), "1/4"), (("priors", "a", "alphabet"), ["0", "1", "2", "9"]),
        (("priors", "b", "level"), "0.9999999"), (("priors", "b", "counts", "0"), 100),
    ]:  # fmt: skip
        found, message = said_of(changed(path, value), steps)
        assert found == "rejected", message


def test_a_certificate_is_of_one_problem_alone() -> None:
    found = Problem.from_table(BASE)
    text = canonical_text(accepted_certificate(BASE, found, certify(found))[0]).encode()
    for path, value in [
        (("priors", "a", "radius"), "1/21"), (("priors", "b", "level"), "0.951"),
        (("priors", "b", "counts", "0"), 301), (("priors", "a", "alphabet"), ["0", "2", "1"]),
    ]:  # fmt: skip
        data = json.dumps(changed(path, value)).encode()
        assert checker.check_bytes(data, True, text) == (
            "rejected", "the certificate belongs to another problem (digest)"
        )  # fmt: skip


def test_no_step_may_be_missing_twice_or_of_another_pair_of_members() -> None:
    steps = proved()
    assert [step["belief"] for step in steps[1:3]] == [
        "a most, b least at 0", "a least, b most at 0"
    ]  # fmt: skip
    for forged in (
        steps[:-1], [*steps, steps[-1]], steps[::-1], [steps[1], steps[0], *steps[2:]], [],
        [*steps[:2], steps[2] | {"belief": "a most, b least at 0"}, *steps[3:]],
        [steps[0] | {"belief": "default"}, *steps[1:]],
    ):  # fmt: skip
        assert said_of(BASE, forged)[0] == "rejected"


def steps_of(beliefs: Sequence[str]) -> list[Table]:
    return [
        {"rule": "pure", "belief": belief, "from": x, "to": y, "bits": 128, "ties": []}
        for belief in beliefs for x, y in ("ab", "ba")
    ]  # fmt: skip


def test_a_distance_of_the_priors_is_not_that_of_extreme_ones() -> None:
    """Of the average of both laws of a, W-infinity to b is 1, not 10, and 3/10 is too small."""
    both = [{"1": "1/4", "10": "3/4"}, {"1": "3/4", "10": "1/4"}]
    other = {"kind": "discrete", "mass": {"0": "1/2", "10": "1/2"}}
    table = BASE | {"epsilon": "3/10", "noise": {"kind": "laplace", "scale": 1}, "notion": "xdistp"}
    table["priors"] = {"a": {"kind": "any-of", "laws": both}, "b": other}
    with pytest.raises(Malformed, match="beside families the notion is distp"):
        said_of(table, steps_of(["a #1, b #1", "a #2, b #1"]))
    middle = {"kind": "discrete", "mass": {"1": "1/2", "10": "1/2"}}
    single = table | {"priors": {"a": middle, "b": other}}
    assert said_of(single, steps_of(["default"]))[0] == "rejected"
    for secret, law in zip("pq", both, strict=True):
        laws = {"a": {"kind": "discrete", "mass": law}, "b": other}
        assert said_of(table | {"priors": laws}, steps_of(["default"]))[0] == "certified", secret


def box(*atoms: str) -> Table:
    return {"kind": "intervals", "mass": {x: [0, 1] for x in atoms}}


@pytest.mark.parametrize(("change", "said"), [
    ({"pairs": [["a", "zz"]]}, "a pair names \"zz\", which is no secret"),
    ({"pairs": [["a", "b"], ["b", "c"]]}, "a pair names \"c\", which is no secret"),
    ({"noise": {"kind": "laplace", "scale": 1, "releases": 2, "draws": "fresh"}}, "fresh draws"),
    ({"noise": {"kind": "laplace", "scales": [1, 2], "draws": "fresh"}}, "fresh draws"),
    ({"pre": [{"clamp": [0, 1]}]}, "pre is not known"),
    ({"priors": {"a": BALL}}, "no pairs"),
    ({"priors": {"a": BALL, "b": {"kind": "gaussian", "mean": 0, "variance": 1}}},
     "beside families priors are of atoms"),
    ({"noise": {"kind": "discrete-laplace", "scale": 1000, "step": 1},
      "priors": {"a": box("50.5", "51.5", "52.5", "100", "101", "102"),
                 "b": box("0", "1", "2", "150.5", "151.5", "152.5")}}, "multiples of the step"),
    ({"priors": {"a": REGION, "b": REGION | {"level": "0.9"}}}, "one level"),
    ({"priors": {"a": box(*map(str, range(20))), "b": box("0", "1")}, "delta": "1/10"},
     "too many pairs of extreme laws"),
    ({"priors": {name: box("0", "1") for name in ("a", "b", "b #1, c", "c")}}, None),
    ({"priors": {name: box("0", "1") for name in ("a", "b #1, c", "a #1, b", "c")}},
     "two pairs of laws would be called"),
], ids=lambda x: str(x)[:40])  # fmt: skip
def test_what_the_kernel_does_not_know_beside_families(change: Table, said: str | None) -> None:
    if said is None:  # a name that looks like that of a pair is one like any other
        assert len(reader.problem_of(BASE | change).beliefs) == 24
        return
    with pytest.raises(Malformed, match=said):
        reader.problem_of(BASE | change)


@pytest.mark.parametrize(("change", "said"), [
    ({"radius": -1}, "negative radius"), ({"radius": "log(2)"}, "radius"),
    ({"radius": None}, "radius must be an integer"), ({"radius": True}, "radius must be an"),
    ({"alphabet": []}, "different ones"), ({"alphabet": ["0"]}, "not in the alphabet"),
    ({"alphabet": ["0", "0.0", "1", "2"]}, "different"), ({"alphabet": "012"}, "alphabet"),
    ({"counts": {"0": 1}}, "counts or mass"), ({"mass": {"0": "1/2"}}, "sum to"),
    ({"mass": {"0": "3/2", "1": "-1/2"}}, "negative"), ({"mass": []}, "tables"),
    ({"more": 1}, "more"), ({"kind": "winf-ball", "alphabet": None}, "alphabet"),
    ({"kind": "intervals"}, "key"), ({"kind": []}, "radius"), ({"kind": "ball"}, "kind"),
], ids=str)  # fmt: skip
def test_tables_that_state_no_ball(change: Table, said: str) -> None:
    """Nothing is accepted, and nothing is beyond the kernel."""
    table = BASE | {"priors": {"a": BALL | change, "b": PLAIN}}
    with pytest.raises(Malformed, match=said):
        reader.problem_of(table)


@pytest.mark.parametrize("law", [
    {"kind": "any-of", "laws": []}, {"kind": "any-of", "laws": [None]},
    {"kind": "any-of", "laws": ["01"]}, {"kind": "any-of", "laws": [["0", "1"]]},
    {"kind": "any-of", "laws": {"0": 1}}, {"kind": "any-of", "laws": [{"0": "NaN"}]},
    {"kind": "intervals", "mass": {"0": ["1/2"]}}, {"kind": "intervals", "mass": {"0": [1, 0]}},
    {"kind": "intervals", "mass": {"0": [0, "1/4"], "1": [0, "1/4"]}},
    {"kind": "intervals", "mass": {"0": [0, 2]}}, {"kind": "intervals", "mass": {}},
    {"kind": "intervals", "mass": {"0": {}}}, {"kind": "intervals", "mass": {"0": [True, True]}},
    {"kind": "confidence", "counts": {"0": "1/2"}, "level": "0.9"},
    {"kind": "confidence", "counts": {"0": -1, "1": 4}, "level": "0.9"},
    {"kind": "confidence", "counts": {"0": 0, "1": 0}, "level": "0.9"},
    {"kind": "confidence", "counts": {"0": 1, "1": 1}, "level": 1},
    {"kind": "confidence", "counts": {"0": 1, "1": 1}, "level": "0"},
    {"kind": "polytope", "alphabet": ["0", "1"], "constraints": [{"weights": {"0": 1}}]},
    {"kind": "polytope", "alphabet": ["0"], "constraints": [{"weights": {"1": 1}, "equal": 0}]},
    {"kind": "polytope", "alphabet": ["0"], "constraints": [{"weights": [1], "equal": 0}]},
    {"kind": "polytope", "alphabet": ["0"], "constraints": [{"weights": {"0": 1}, "equal": 0}]},
    {"kind": "polytope", "alphabet": ["0"], "constraints": {}},
], ids=str)  # fmt: skip
def test_tables_that_state_no_family(law: Table) -> None:
    data = json.dumps(BASE | {"priors": {"a": law, "b": PLAIN}}).encode()
    word, message = checker.check_bytes(data, True, b"{}")
    assert word == "malformed"
    assert "beyond" not in message
    with pytest.raises(Malformed):
        reader.problem_of(json.loads(data))


def test_the_message_says_what_the_beliefs_are_and_by_which_facts() -> None:
    message = said_of(BASE, proved())[1]
    assert "every pair of members that decides" in message
    assert "(F60)" in message
    assert "(F62)" in message
    assert "any members of the families, which hold together with probability" in message


def test_beside_a_ball_on_the_line_members_are_not_chosen_at_atoms_alone() -> None:
    """The worst output, 23/4, is between atoms, and so is its member's order of the atoms."""
    atoms = zip((0, 2, 3, 4, 9, 10, 14, 17, 18), (3, 1, 1, 1, 1, 1, 2, 3, 1), strict=True)
    spans = {str(x): [str(F(m, 140)), str(F(19 * m, 140))] for x, m in atoms}
    table: Table = BASE | {
        "epsilon": "3.95", "noise": {"kind": "laplace", "scale": "3/2"},
        "priors": {
            "p": {"kind": "winf-ball", "mass": {"4": "1/2", "14": "1/2"}, "radius": "7/4"},
            "q": {"kind": "intervals", "mass": spans},
        },
    }  # fmt: skip
    found = Problem.from_table(table)
    result = certify(found)
    certificate, word, message = accepted_certificate(table, found, result)
    assert (word, str(result.verdict)) == ("certified", "certified"), message
    less = table | {"epsilon": "3.85"}
    assert certify(Problem.from_table(less)).refuted
    by_atom = [
        {"rule": "spread", "belief": f"p {one}, q {other} at {x}", "from": a, "to": b,
         "bits": 128, "ties": []}
        for x in spans for one, other in (("most", "least"), ("least", "most"))
        for a, b in ("pq", "qp")
    ]  # fmt: skip
    assert said_of(less, by_atom)[0] == "rejected"
    assert said_of(less, certificate["steps"])[0] == "rejected"


def test_steps_after_a_channel_leave_the_choice_by_output() -> None:
    names, masses_of_ball = [f"i{k}" for k in range(6)], ["3/12", *["2/12"] * 4, "1/12"]
    rows = [[f"{k}/9", f"{7 - k}/9", "2/9"] for k in range(6)]
    law = dict(zip(names, masses_of_ball, strict=True))
    spans = {x: [str(F(m) / 2), str(F(m) * F(3, 2))] for x, m in law.items()}
    table: Table = {
        "schema": "pfverify/problem/1", "epsilon": 1, "post": [{"clamp": [0, 2]}],
        "channel": {
            "kind": "matrix", "inputs": names, "outputs": ["1", "2", "3"], "rows": rows,
        },
        "priors": {s: {"kind": "intervals", "mass": spans} for s in "ab"},
    }  # fmt: skip
    for epsilon, verdict in ((1, "certified"), ("1/10", "refuted")):
        stated_now = table | {"epsilon": epsilon}
        found = Problem.from_table(stated_now)
        assert [*found.beliefs][::2] == [f"a most, b least at {y}" for y in (1, 2)]
        require_same_members(stated_now, found)
        _, word, message = accepted_certificate(stated_now, found, certify(found))
        assert word == verdict, message


# ---------------------------------------------------------------- places of mass 0


def mixed_table(other: Table, **more: Any) -> Table:
    """A ball beside another law."""
    return BASE | {
        "priors": {"a": {"kind": "tv-ball", "mass": {"4": "7/12", "0": "5/12"}, "radius": "1/4"},
                   "b": other}, **more,
    }  # fmt: skip


CHANNEL = {"kind": "matrix", "inputs": ["x", "y", "z"], "outputs": ["0", "1"],
           "rows": [["1/2", "1/2"], ["1/3", "2/3"], ["1/5", "4/5"]]}  # fmt: skip


def of_inputs(other: Table) -> Table:
    ball = {"kind": "tv-ball", "mass": {"y": "1/2", "x": "1/2"}, "radius": "1/4"}
    own = {k: v for k, v in BASE.items() if k != "noise"}
    return own | {"channel": CHANNEL, "priors": {
        "a": ball, "b": other, "c": {"kind": "finite", "mass": {"z": 1}}}}  # fmt: skip


EMPTY = [
    (mixed_table({"kind": "discrete", "mass": {"4": "1/2", "0": "1/2"}}),
     mixed_table({"kind": "discrete", "mass": {"4": "1/2", "-2": 0, "0": "1/2", "9": "0"}})),
    (mixed_table({"kind": "discrete", "counts": {"4": 3, "0": 2}}),
     mixed_table({"kind": "discrete", "counts": {"9": 0, "4": 3, "0": 2}})),
    (mixed_table({"kind": "any-of", "laws": [{"0": 1}]}),
     mixed_table({"kind": "any-of", "laws": [{"0": 1, "9": 0}]})),
    (of_inputs({"kind": "finite", "mass": {"x": 1}}),
     of_inputs({"kind": "finite", "mass": {"x": 1, "y": 0}})),
]  # fmt: skip


@pytest.mark.parametrize(("bare", "named"), EMPTY)
def test_a_place_of_mass_0_is_in_digest_and_members_of_both_readers(
    bare: Table, named: Table
) -> None:
    digests = set()
    for table in (bare, named):
        ours = reader.problem_of(table)
        theirs = Problem.from_table(table)
        assert kernel_digest(table) == problem_digest(theirs)
        digests.add(problem_digest(theirs))
        assert [*ours.source.beliefs] == [*theirs.beliefs]
        assert problem_digest(Problem.from_table(theirs.to_table())) == problem_digest(theirs)
    assert len(digests) == 2
    more = [len(reader.problem_of(table).source.beliefs) for table in (bare, named)]
    assert more[1] > more[0] or "channel" in bare  # where y is a place of the ball's own


def test_a_place_of_mass_0_is_nothing_without_a_family() -> None:
    laws = {"kind": "discrete", "mass": {"4": "1/2", "0": "1/2"}}
    empty = {"kind": "discrete", "mass": {"4": "1/2", "9": 0, "0": "1/2"}}
    bare, named = (BASE | {"priors": {"a": laws, "b": one}} for one in (laws, empty))
    for table in (bare, named):
        assert kernel_digest(table) == problem_digest(Problem.from_table(table))
    assert kernel_digest(bare) == kernel_digest(named)


# ---------------------------------------------------------------- which members are chosen

WIDE = ["0", "1/2", "2", "3", "7/2", "11/2"]  # intervals of them have more than 144 corners


def wide(atoms: Sequence[str] = WIDE) -> Table:
    spans = {x: [f"{k % 3 + 1}/40", f"{9 + 2 * k}/40"] for k, x in enumerate(atoms)}
    return {"kind": "intervals", "mass": spans}


def chosen(table: Table) -> tuple[bool, set[str]]:
    """Whether members are chosen by output, and the facts why the beliefs stand for all."""
    found = reader.problem_of(table).source
    at = {" at " in name for name in found.beliefs}
    assert len(at) == 1
    return at.pop(), found.seen()[1]


DISCRETE = {"kind": "discrete-laplace", "scale": 2, "step": "1/2"}


@pytest.mark.parametrize(("change", "by_output"), [
    ({}, True),
    ({"delta": "1/10"}, False),
    ({"delta": "log(2)-log(2)"}, True),
    ({"noise": {"kind": "none"}}, True),
    ({"noise": {"kind": "gaussian", "scale": 2}}, False),
    ({"noise": {"kind": "laplace", "scale": 2, "releases": 2}}, False),
    ({"noise": DISCRETE}, True),
    ({"noise": DISCRETE | {"step": "1/6"}}, True),
    ({"priors": {"a": BALL, "b": PLAIN}}, False),  # few corners
], ids=str)  # fmt: skip
def test_members_are_chosen_by_output_of_a_ratio_that_is_largest_at_atoms(
    change: Table, by_output: bool
) -> None:
    plain_law = {"kind": "discrete", "mass": {"0": "1/2", "3": "1/2"}}
    found = chosen(BASE | {"priors": {"a": wide(), "b": plain_law}} | change)
    assert found == (by_output, {"F60" if by_output else "F61"})


@pytest.mark.parametrize("among_dummies", [False, True])
def test_among_dummies_the_outputs_are_tuples(among_dummies: bool) -> None:
    rows = [[f"{k}/9", f"{9 - k}/9"] for k in (2, 5, 1, 7, 3, 4)]
    matrix = {"kind": "matrix", "inputs": WIDE, "outputs": ["u", "v"], "rows": rows}
    table = {k: v for k, v in BASE.items() if k != "noise"} | {
        "channel": {"kind": "tupling", "base": matrix, "dummies": 2} if among_dummies else matrix,
        "priors": {"a": wide(), "b": {"kind": "finite", "mass": {"0": "1/2", "3": "1/2"}}},
    }  # fmt: skip
    assert chosen(table) == (not among_dummies, {"F61" if among_dummies else "F60"})


@pytest.mark.parametrize(("atoms", "step", "known"), [
    (["1/3"], "1/2", True), (["1/3", "4/3"], 1, True), (["1/3", "4/3", "10/3"], "1/3", True),
    (["1/2", "1"], 1, False), (["1/4", "3/4", "5/4"], 1, False), (["0", "1", "3/2"], 1, False),
    (["0", "1/2"], "1/2", True), (["0", "2"], 2, True), (["1", "2"], 2, False),
])  # fmt: skip
def test_atoms_of_one_lattice_are_the_outputs(
    atoms: list[str], step: str | int, known: bool
) -> None:
    law = {"kind": "discrete", "counts": {atoms[0]: 1}}
    table = {k: v for k, v in BASE.items() if k != "epsilon"} | {
        "epsilon": 1, "noise": DISCRETE | {"step": step}, "priors": {"a": law, "b": law},
    }  # fmt: skip
    views = families._views(reader.problem_of(table).release, [F(x) for x in atoms], ())
    assert [y for y, _ in views] == (atoms if known else [])


BOX = Box([1, 2, 3, 1, 2, 3], [9, 11, 13, 15, 17, 19], 40)


def test_the_chosen_members_have_most_and_least_of_every_output() -> None:
    """Of Laplace noise of the scale 1/log(4) with atoms in halves, where densities are powers of
    2, and of a channel: of all corners, these have the highest and the least probability."""
    corners = [law for law in BOX.corners() if sum(law) == BOX.whole]
    names = [f"i{k}" for k in range(6)]
    rows = [[F(k, 9), F(7 - k, 9), F(2, 9)] for k in (2, 5, 1, 7, 3, 4)]
    atoms = [F(x) for x in WIDE]
    channel = {"kind": "matrix", "inputs": names, "outputs": ["u", "v", "w"],
               "rows": [[*map(str, row)] for row in rows]}  # fmt: skip
    spans = {x: [str(F(m, 40)), str(F(n, 40))]
             for x, m, n in zip(WIDE, BOX.low, BOX.high, strict=True)}  # fmt: skip
    own = {k: v for k, v in BASE.items() if k != "noise"}
    of_names = {"kind": "intervals", "mass": dict(zip(names, spans.values(), strict=True))}
    families_of = {"kind": "intervals", "mass": spans}
    for table, outputs, places in (
        (BASE | {"priors": dict.fromkeys("ab", families_of)},
         {x: [F(1, 4 ** int(2 * abs(F(x) - y))) for y in atoms] for x in WIDE}, atoms),
        (own | {"channel": channel, "priors": dict.fromkeys("ab", of_names)},
         dict(zip("uvw", zip(*rows, strict=True), strict=True)), names),
    ):  # fmt: skip
        beliefs = reader.problem_of(table).source.beliefs
        assert len(beliefs) == 2 * len(outputs)
        for y, chances in outputs.items():
            of_corner = [sum(F(m, 40) * x for m, x in zip(law, chances, strict=True))
                         for law in corners]  # fmt: skip
            ends = {"most": max(of_corner), "least": min(of_corner)}
            for p, q in (("most", "least"), ("least", "most")):
                laws = beliefs[f"a {p}, b {q} at {y}"]
                for secret, end in (("a", p), ("b", q)):
                    there = [laws[secret].get(x, F(0)) for x in places]
                    value = sum(m * x for m, x in zip(there, chances, strict=True))
                    assert value == ends[end], (y, secret, end)


def ways(*counts: int) -> families.Members:
    """A ball with so many corners at most."""
    region = Moved((1,) * len(counts), [range(n) for n in counts], len(counts))
    return families.Members([F(k) for k in range(len(counts))], region, None)


def test_pairs_of_144_corners_are_few() -> None:
    only = families.Members([], None, {F(0): F(1)})
    assert (only.size, ways(9, 16).size, ways(5, 29).size) == (1, 144, 145)
    assert not families._by_order(ways(9, 16), only)
    assert not families._by_order(ways(12), ways(12))
    assert families._by_order(ways(5, 29), only)
    assert families._by_order(only, ways(145))
    listed = families.Members([F(0)], Listed([(1,)] * 145, 1), None)
    assert not families._by_order(only, listed)
    assert not families._by_order(listed, ways(145))
    assert not families._by_order(families.Members([], None, None), ways(145))


def test_pairs_of_40000_laws_are_not_too_many() -> None:
    def listed(count: int) -> families.Members:
        return families.Members([F(0)], Listed([(1,)] * count, 1), None)

    name, laws = next(families._pairs_of("a", listed(200), "b", listed(200), []))
    assert (name, laws) == ("a #1, b #1", {"a": {F(0): F(1)}, "b": {F(0): F(1)}})
    for first, second in ((221, 181), (181, 221), (40_001, 1)):
        with pytest.raises(Malformed, match=r"^families with too many pairs of extreme laws$"):
            next(families._pairs_of("a", listed(first), "b", listed(second), []))


@pytest.mark.parametrize(("most", "by_output"), [(6, True), (5, False)])
def test_of_too_many_outputs_members_are_not_chosen(
    most: int, by_output: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(families, "MOST_OUTPUTS", most)
    law = {"kind": "discrete", "mass": {"0": "1/2", "3": "1/2"}}
    assert chosen(BASE | {"priors": {"a": wide(), "b": law}})[0] == by_output


@pytest.mark.parametrize(("secrets", "same"), [
    ("abc", True), ("cab", True), ("ab", False), ("abd", False), ("abcd", False),
])  # fmt: skip
def test_all_beliefs_have_the_same_secrets_in_any_order(secrets: str, same: bool) -> None:
    own = {k: v for k, v in BASE.items() if k != "priors"}
    table = own | {"beliefs": {
        name: {"priors": dict.fromkeys(of, BALL)} for name, of in (("d", "abc"), ("e", secrets))
    }}  # fmt: skip
    if same:
        found = reader.problem_of(table).source.beliefs
        for pair in combinations("abc", 2):
            of = [name[0] for name, laws in found.items() if laws.keys() == {*pair}]
            assert of.count("d") == of.count("e") > 0
        return
    with pytest.raises(Malformed, match=r"^beside families all beliefs have the same secrets$"):
        reader.problem_of(table)


@pytest.mark.parametrize(("delta", "said"), [
    ("log(1/2)", "delta must lie in [0, 1]"), ("log(3)", "delta must lie in [0, 1]"),
    ("log(-1)", "delta: "), (-1, "delta must lie in [0, 1]"),
])  # fmt: skip
def test_the_delta_is_one(delta: str | int, said: str) -> None:
    with pytest.raises(Malformed) as refused:
        reader.problem_of(BASE | {"delta": delta})
    assert str(refused.value).startswith(said)
