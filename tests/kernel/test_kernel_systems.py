"""Systems of users: the kernel's priors and digests against the package's, and what is refused."""

from __future__ import annotations

import json
import time
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, factorial, prod
from pathlib import Path
from typing import Any

import kernel_builder as kb
import pytest
from core import kinds, work
from core.grammar import Malformed
from core.kinds import Enclosed, Mixture
from hypothesis import given, settings
from hypothesis import strategies as st
from reader import crowd, places, reader
from reader.crowd import Group
from test_kernel_work import answer

from pfverify import Problem, calibrate
from pfverify.answers.certify import certify
from pfverify.certificate.build import write_verdict
from pfverify.certificate.checking import check
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest
from pfverify.model.priors.discrete import Discrete

Table = dict[str, Any]


def stated(system: Any, **more: Any) -> Table:
    noise = {"kind": "laplace", "scale": "7/2"}
    return {"schema": "pfverify/problem/1", "epsilon": 1, "noise": noise, "system": system, **more}


def read(value: Table) -> tuple[reader.Problem | None, Problem | None]:
    """What the kernel and the package read, None where they refuse."""
    text = json.dumps(value)
    kernel = package = None
    with suppress(Malformed):
        kernel = reader.parse_problem(text.encode(), True)
    with suppress(InputError):
        package = Problem.from_text(text, json_format=True)
    return kernel, package


# ---------------------------------------------------------------- both derivations agree

NUMBERS = st.sampled_from(["0", "1", "-2", "1/2", "3", "0.5", "7/3"])


@st.composite
def tables(draw: Any) -> Table:
    """A law as a table."""
    kind = draw(st.sampled_from(["point", "bernoulli", "mass", "counts", "mean", "components"]))
    if kind == "point":
        return {"point": draw(NUMBERS)}
    if kind == "bernoulli":
        return {"bernoulli": draw(st.sampled_from(["1/3", "0.5", "0", "1"]))}
    places = draw(st.lists(NUMBERS, min_size=1, max_size=3, unique_by=Fraction))
    weights = [draw(st.integers(1, 4)) for _ in places]
    masses = [str(Fraction(w, sum(weights))) for w in weights]
    if kind in ("mass", "counts"):
        return {kind: dict(zip(places, masses if kind == "mass" else weights, strict=True))}
    spread = draw(st.sampled_from([{"sd": "1/2"}, {"variance": 2}, {"variance": 0}]))
    if kind == "mean":
        return {"mean": draw(NUMBERS), **spread}
    rows = [{"weight": m, "mean": x, **spread} for x, m in zip(places, masses, strict=True)]
    return {"components": [*rows[:-1], {**rows[-1], "mean": "1/5"}]}


@st.composite
def systems(draw: Any) -> Table:
    others = [
        draw(tables()) | {"count": draw(st.integers(1, 4)),
                          "presence": draw(st.sampled_from(["1", "1/2", "0", "3/4"]))}
        for _ in range(draw(st.integers(0, 3)))
    ]  # fmt: skip
    each = draw(st.booleans())
    names = ["u"] if each else ["u", "v", "w"]
    user = {name: draw(st.one_of(tables(), st.just("absent"))) for name in names}
    found = {"others": others, "user": user, "release": draw(st.sampled_from(["sum", "mean"])),
             "presence_model": draw(st.sampled_from(["all", "independent"])),
             "rest": draw(st.sampled_from(["known", "known", "any"]))}  # fmt: skip
    sets = ["values", "values-absent", "laws-absent"]
    sets += [] if each else ["laws", "laws", "laws", ""]
    found |= {"pair_set": draw(st.sampled_from(sets)), **({"protect": "each"} if each else {})}
    if each and user["u"] == "absent":
        del found["user"]
    return {key: part for key, part in found.items() if part != ""}


SEEN: Counter[str] = Counter()


@settings(deadline=None, max_examples=400)
@given(systems())
def agree(system: Table) -> None:
    kernel, package = read(stated(system))
    assert (kernel is None) == (package is None)
    if kernel is None or package is None:
        SEEN["refused"] += 1
        return
    assert reader.digest(kernel) == problem_digest(package)
    assert tuple(kernel.pairs) == package.pairs
    theirs, ours = package.beliefs["default"], kernel.beliefs["default"]
    assert list(theirs) == list(ours)
    for name, prior in theirs.items():
        mine = ours[name]
        if isinstance(prior, Discrete):
            assert mine == prior.mass
        else:
            assert isinstance(mine, Mixture)
            assert mine.components == tuple((m, v, w) for w, m, v in prior.components)
            SEEN["density"] += 1
    for key in ("release", "presence_model", "rest", "pair_set", "protect"):
        SEEN[str(system.get(key))] += 1
    SEEN["crowded"] += any(one["count"] > len(system["others"]) for one in system["others"])


def test_both_derivations_agree() -> None:
    """In every mode."""
    agree()
    wanted = "sum mean all independent known any values values-absent laws-absent laws each None"
    assert min(SEEN[key] for key in (*wanted.split(), "refused", "density", "crowded")) >= 5, SEEN


LATTICE = st.lists(st.tuples(st.integers(-3, 9), st.integers(1, 9)), min_size=1, max_size=4)


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.tuples(LATTICE, st.integers(1, 6)), min_size=1, max_size=4),
    st.integers(1, 10**9),
)
def test_the_recurrence_is_the_sum_one_by_one(
    users: list[tuple[list[tuple[int, int]], int]], step: int
) -> None:
    groups = [Group(sorted({k * step: w for k, w in law}.items()), n) for law, n in users]
    one_by_one = [(0, 1)]
    for law, count in groups:
        for _ in range(count):
            one_by_one = crowd.added(one_by_one, law)
    assert crowd._by_recurrence(groups) == one_by_one
    assert crowd.crowd(groups) == one_by_one


def test_a_crowd_of_coins_is_binomial() -> None:
    n, heads, tails = 300, 94, 51
    found = crowd.crowd([Group([(0, tails), (1, heads)], n)])
    assert found == [(k, comb(n, k) * heads**k * tails ** (n - k)) for k in range(n + 1)]


def test_a_wrong_sum_is_never_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The weights are counted a second time, by the totals of the laws."""
    honest = crowd.added
    monkeypatch.setattr(crowd, "added", lambda a, b: honest(a, [(k, w + (k == 1)) for k, w in b]))
    with pytest.raises(Malformed, match="are wrong"):
        crowd.crowd([Group([(0, 1), (1, 2)], 9)])


# ---------------------------------------------------------------- both readers take the same tables

COIN = {"bernoulli": "1/2"}
TWO: Table = {"a": {"point": 0}, "b": {"point": 1}}
LAWS: list[Any] = [
    COIN | {"presence": "3/2"}, COIN | {"presence": "-1/2"}, COIN | {"presence": 0},
    COIN | {"presence": "1e-9"}, COIN | {"presence": "exp(0)"}, COIN | {"presence": None},
    {"bernoulli": 2}, {"bernoulli": -1}, {"bernoulli": True}, {"bernoulli": "nan"},
    {"bernoulli": "0.5"}, {"bernoulli": 0}, {"bernoulli": 1}, {"bernoulli": "log(2)"},
    {"mass": {"0": "1/2"}}, {"mass": {}}, {"mass": {"0": 1, "0.0": 0}}, {"mass": {"0": 1}},
    {"mass": []}, {"counts": {"0": 2, "5": 0}}, {"counts": {"0": "1/2"}}, {"counts": {"0": -1}},
    COIN | {"count": 0}, COIN | {"count": -3}, COIN | {"count": "5"}, COIN | {"count": True},
    COIN | {"count": 10**9}, COIN | {"count": 10**9 - 1}, COIN | {"count": 10**400},
    COIN | {"count": 1.0}, COIN | {"count": None}, COIN | {"point": 1}, COIN | {"sd": 1},
    COIN | {"chance": 1}, COIN | {"kind": "bernoulli"}, {"kind": "discrete", "mass": {"0": 1}},
    {"mean": 1}, {"mean": 0, "sd": 1, "variance": 1}, {"mean": 0, "sd": -1}, {"sd": 1},
    {"mean": "1/3", "sd": "0"}, {"mean": 0, "sd": "sqrt(2)"}, {"mean": 1, "weight": 1, "sd": 1},
    {"components": []}, {"components": [{"weight": 1, "mean": 0, "sd": 2}]},
    {"components": [{"weight": "1/2", "mean": 0, "sd": 2}]}, {"components": {"mean": 1}},
    {"components": [{"weight": 1, "mean": 0, "variance": 0}]}, {"point": "1/3"}, {"point": "x"},
    {"point": 10**4000}, {"law": COIN}, {}, "absent", "away", None, 3, [],
]  # fmt: skip
WHOLE: list[Any] = [
    {"user": {"a": {"point": 1}}}, {"user": {}}, {"user": TWO}, {"user": None}, {"others": []}, {},
    {"user": TWO | {"c": "away"}}, {"user": TWO | {"c": "absent", "d": "absent"}}, [], None, "sum",
    {"user": TWO | {"": COIN}}, {"user": TWO | {" ": COIN}}, {"user": TWO | {"a\nb": COIN}},
    {"user": TWO, "release": "max"}, {"user": TWO, "release": None}, {"user": TWO, "rest": "some"},
    {"user": TWO, "pair_set": "laws"}, {"user": TWO, "pair_set": "values"},
    {"user": TWO, "pair_set": None}, {"user": TWO, "pair_set": ["laws"]}, {"user": TWO, "more": 1},
    {"user": TWO, "protect": "each"}, {"user": TWO, "protect": "each", "pair_set": "values"},
    {"user": TWO, "protect": "nobody"}, {"protect": "each", "pair_set": "values"},
    {"others": {}, "user": TWO}, {"others": [COIN] * 3, "protect": "each", "pair_set": "laws"},
    {"others": [COIN] * 3, "protect": "each", "pair_set": "laws-absent"},
    {"others": [{"point": 1}], "protect": "each", "pair_set": "values"},
    {"others": [{"point": 1}], "protect": "each", "pair_set": "values-absent"},
    {"others": [{"mean": 1, "sd": 1}], "protect": "each", "pair_set": "values"},
    {"others": [{"mean": 1, "sd": 1}], "protect": "each", "pair_set": "laws-absent"},
    {"others": [COIN], "user": {"": {"point": 2}}, "protect": "each", "pair_set": "laws-absent"},
    {"others": [COIN], "user": {"user 1": COIN}, "protect": "each", "pair_set": "laws-absent"},
    {"others": [COIN], "user": {"me": "absent"}, "protect": "each", "pair_set": "laws-absent"},
    {"others": [COIN | {"count": 999_999_999}], "user": TWO},
    {"others": [COIN | {"count": 500_000_000}] * 2, "user": TWO},
]  # fmt: skip


@pytest.mark.parametrize(
    "system",
    [*({"others": [COIN, law], "user": TWO} for law in LAWS),
     *({"others": [COIN], "user": TWO | {"c": law}} for law in LAWS), *WHOLE],
    ids=lambda value: json.dumps(value)[:60],
)  # fmt: skip
def test_both_readers_take_the_same_tables(system: Any) -> None:
    mixed = [] if type(system) is not dict else [system | {"presence_model": "independent"}]
    for table in [system, *mixed]:
        for more in ({}, {"pairs": [["a", "b"]]}, {"priors": {}}):
            kernel, package = read(stated(table, **more))
            ours = None if kernel is None else reader.digest(kernel)
            assert ours == (None if package is None else problem_digest(package))


# ---------------------------------------------------------------- certificates

STUDENTS: Table = {
    "release": "mean",
    "others": [{"bernoulli": "94/145", "count": 6}, {"mass": {"0": "1/4", "3": "3/4"}}],
    "user": {"yes": {"point": 1}, "no": {"point": 0}, "away": "absent"},
    "pair_set": "values",
}
GAUSSIAN: Table = {"kind": "gaussian", "scale": 4}
KINDS: dict[str, Table] = {
    "mean": stated(STUDENTS, noise={"kind": "laplace", "scale": "1/8"}),
    "refuted": stated(STUDENTS, noise={"kind": "laplace", "scale": "1/9"}),
    "sum": stated(STUDENTS | {"release": "sum"}),
    "events with delta": stated(STUDENTS | {"release": "sum"}, delta="1/10", epsilon="1/4"),
    "pointwise": stated(STUDENTS, form="pointwise", delta="1/2"),
    "independent": stated(
        {"others": [COIN | {"presence": "1/3", "count": 5}], "presence_model": "independent",
         "user": {"in": COIN, "out": "absent"}}),
    "any": stated(STUDENTS | {"rest": "any", "release": "sum"}),
    "each": stated({"others": [COIN | {"count": 3}, {"mass": {"1": "1/2", "2": "1/2"}}],
                    "protect": "each", "pair_set": "values-absent"}),
    "gaussian users": stated({"others": [{"mean": 1, "sd": 2, "count": 9}], "release": "mean",
                              "user": {"in": {"mean": 1, "sd": 2}, "out": "absent"}}),
    "gaussian noise": stated({"others": [COIN | {"count": 3}], "user": TWO}, noise=GAUSSIAN,
                             delta="1/10"),
    "lattice": stated({"others": [COIN | {"count": 7}], "user": TWO},
                      noise={"kind": "discrete-laplace", "scale": 1, "step": 1}),
    "no noise": stated({"others": [COIN | {"count": 7}], "user": TWO}, noise={"kind": "none"},
                       delta="1/2"),
}  # fmt: skip


def proof(value: Table, folder: Path) -> tuple[Path, Path, str]:
    """The two files of a problem and of our certificate of it, and its verdict."""
    path, cert = folder / "problem.json", folder / "certificate.json"
    path.write_text(json.dumps(value))
    problem = Problem.load(path)
    result = certify(problem)
    write_verdict(cert, path, problem, result, attest=False)
    return path, cert, str(result.verdict)


@pytest.mark.parametrize("name", KINDS)
def test_certificates_of_every_kind_of_system(name: str, tmp_path: Path) -> None:
    path, cert, verdict = proof(KINDS[name], tmp_path)
    found = check(path, cert, trusts=True)
    assert found.word == verdict == ("refuted" if name == "refuted" else "certified")
    assert "users independent" in found.message
    assert found.trusts is not None
    assert {"reader/system.py", "reader/crowd.py"} <= set(found.trusts.files)


def test_no_other_answer_rests_on_systems(tmp_path: Path) -> None:
    case = json.loads((kb.CORPUS / "accept" / "pure-plain.json").read_text())
    path, cert = tmp_path / "problem.json", tmp_path / "certificate.json"
    path.write_text(json.dumps(case["problem"]))
    cert.write_bytes(reader.canonical_json(case["certificate"]))
    trusts = check(path, cert, trusts=True).trusts
    assert trusts is not None
    assert not {"reader/system.py", "reader/crowd.py"} & set(trusts.files)


OTHERS = STUDENTS["others"]
CHANGES: dict[str, Table] = {
    "law": {"others": [OTHERS[0] | {"bernoulli": "93/145"}, OTHERS[1]]},
    "value": {"others": [OTHERS[0], {"mass": {"0": "1/4", "4": "3/4"}}]},
    "count": {"others": [OTHERS[0] | {"count": 5}, OTHERS[1]]},
    "presence": {"others": [OTHERS[0] | {"presence": "1/2"}, OTHERS[1]]},
    "release": {"release": "sum"},
    "rest": {"rest": "any"},
    "model": {"presence_model": "independent"},
    "pair set": {"pair_set": "values-absent"},
    "the user": {"user": STUDENTS["user"] | {"yes": {"point": 2}}},
    "the order": {"others": OTHERS[::-1]},
    "one more": {"others": [*OTHERS, {"point": 0}]},
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Any:
    _, cert, verdict = proof(KINDS["mean"], tmp_path_factory.mktemp("students"))
    assert verdict == "certified"
    return json.loads(cert.read_text())


@pytest.mark.parametrize("name", CHANGES)
def test_a_certificate_is_of_one_system_only(name: str, certificate: Any) -> None:
    changed = {**KINDS["mean"], "system": STUDENTS | CHANGES[name]}
    word, message = kb.run(changed, certificate)
    assert word == "rejected"
    assert "another problem" in message
    assert kb.run(KINDS["mean"], certificate)[0] == "certified"


UNSEEN = {"law", "value", "count", "model", "the order"}


@pytest.mark.parametrize("name", [name for name in CHANGES if name not in UNSEEN])
def test_a_forged_digest_does_not_help(name: str, certificate: Any) -> None:
    """The kernel looks at the changed users; where all are there, chances do not count."""
    changed = {**KINDS["mean"], "system": STUDENTS | CHANGES[name]}
    word, message = kb.run(changed, certificate | {"problem": kb.digest(changed)})
    assert word == ("certified" if name == "presence" else "rejected"), message


# ---------------------------------------------------------------- hostile tables

WIDE = {str(k * k): "1/100" for k in range(100)}
PRIME = 2**61 - 1
DEEP: Any = {"point": 1}
for _ in range(100):
    DEEP = {"mass": DEEP}
HOSTILE: dict[str, Table] = {
    "a million wide laws": {"others": [{"mass": WIDE, "count": 999_000}], "user": TWO},
    "a hundred wide laws": {"others": [{"mass": WIDE, "count": 100}], "user": TWO},
    "coins without end": {"others": [COIN | {"count": 999_000}], "user": TWO},
    "coins of long chance": {"others": [{"bernoulli": f"1/{3**300}", "count": 9999}], "user": TWO},
    "many atoms": {"others": [{"counts": {str(k): 1 for k in range(3000)}}] * 2, "user": TWO},
    "one hash": {"others": [{"counts": {str(PRIME * k): 1 for k in range(300)}}] * 2, "user": TWO},
    "no lattice": {"others": [{"mass": {"0": "1/2", f"1/{p}": "1/2"}} for p in range(3, 90)],
                   "user": TWO},
    "far apart": {"others": [{"mass": {"0": "1/2", "1": "1/4", f"{10**3000}": "1/4"}, "count": 99}],
                  "user": TWO},
    "huge values": {"others": [{"point": "1e4000", "count": 9}], "user": TWO},
    "nested": {"others": [DEEP], "user": TWO},
    "many components": {"others": [{"components": [
        {"weight": "1/60", "mean": k, "variance": k * k + 1} for k in range(60)], "count": 40}],
        "user": TWO},
    "everybody": {"others": [{"counts": {str(k): 1 for k in range(99)}, "count": 2}] * 20,
                  "protect": "each", "pair_set": "values"},
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_tables_end_early(name: str) -> None:
    value = stated(HOSTILE[name], noise={"kind": "laplace", "scale": "1/9"})
    data = json.dumps(value)
    cert = {"schema": "pfverify/certificate/1", "problem": "0" * 64, "produced_by": {}}
    steps = kb.both("pure", 128, {"ties": []})
    start = time.process_time()
    with suppress(Malformed):
        cert["problem"] = kb.digest(value)
    found = kb.checked(data, cert | {"result": "certified", "steps": steps})
    assert found.word in ("rejected", "malformed")
    assert "beyond this kernel" not in found.message
    assert "\n" not in found.message
    assert time.process_time() - start < 10
    assert found.check is None or found.check.spent <= found.check.allowed + 10**7


@pytest.mark.parametrize("text", [
    '{"user": {"a": {"point": 1}, "a": {"point": 2}}}',
    '{"user": {"a": {"point": NaN}, "b": {"point": 2}}}',
    '{"user": {"a": {"point": 1, "point": 1}, "b": {"point": 2}}}',
    '{"others": [{"bernoulli": Infinity}], "user": {"a": {"point": 1}, "b": {"point": 2}}}',
    '{"others": [{"bernoulli": 0.5, "count": 1e1}], "user": {"a": "absent", "b": {"point": 2}}}',
])  # fmt: skip
def test_texts_that_are_no_system(text: str) -> None:
    data = json.dumps(stated({})).replace('"system": {}', f'"system": {text}')
    word, message = kb.run(data, {})
    assert word == "malformed"
    assert "\n" not in message
    with pytest.raises(InputError):
        Problem.from_text(data, json_format=True)


def test_large_crowds_stay_within_the_budget() -> None:
    for others, size in (
        ([{"bernoulli": "94/145", "count": 648}], 649),
        ([{"bernoulli": f"{k}/1001"} for k in range(1, 200)], 200),
        ([{"bernoulli": "1/3", "count": 3000}], 3001),
    ):
        problem = reader.problem_of(stated({"others": others, "user": TWO}))
        start = time.process_time()
        with work.checking(0) as check:
            assert len(problem.beliefs["default"]["a"]) == size
        seconds = time.process_time() - start
        assert check.spent < work.AT_LEAST / 2
        assert seconds < 1.5e-6 * check.spent


# ---------------------------------------------------------------- masses too long to be exact


@pytest.fixture
def rounded(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes every law of atoms too long, with bounds of so many bits."""

    def to(digits: int) -> None:
        monkeypatch.setattr(places, "EXACT", -1)
        monkeypatch.setattr(places, "DIGITS", digits)

    return to


@pytest.mark.parametrize("digits", [2, 20, 512])
def test_bounds_of_masses_are_outward(digits: int, rounded: Any) -> None:
    value = stated(STUDENTS)
    exact = dict(reader.problem_of(value).beliefs["default"])
    rounded(digits)
    for name, prior in reader.problem_of(value).beliefs["default"].items():
        assert isinstance(prior, Enclosed)
        truth = exact[name]
        assert isinstance(truth, dict)
        assert list(prior.low) == list(prior.high) == list(truth)
        for x, mass in truth.items():
            assert 0 < prior.low[x] <= mass <= prior.high[x]
            assert prior.high[x] <= prior.low[x] * (1 + Fraction(4, 2**digits))
            assert prior.low[x] == mass or prior.low[x] < mass < prior.high[x]


def test_sums_with_a_density_are_never_bounded(rounded: Any) -> None:
    value = stated({"others": [{"mean": 1, "sd": 1, "count": 3}], "user": TWO})
    exact = dict(reader.problem_of(value).beliefs["default"])
    rounded(64)
    assert dict(reader.problem_of(value).beliefs["default"]) == exact


CLOSE: dict[str, Table] = {
    "pure": stated(STUDENTS | {"release": "sum"}),
    "delta": stated(STUDENTS | {"release": "sum"}, delta="1/10", epsilon="1/4"),
    "pointwise": stated(STUDENTS | {"release": "sum"}, delta="1/50", form="pointwise",
                        epsilon="1/4"),
}
SHARES = ("1/2", "4/5", "19/20", "99/100", "999/1000", "1001/1000", "101/100", "21/20", "5/4", "2")


@pytest.mark.parametrize("digits", [2, 6, 40])
@pytest.mark.parametrize("name", CLOSE)
def test_what_holds_of_the_bounds_holds(name: str, digits: int, rounded: Any) -> None:
    """Around the smallest scale: what is accepted is true, and more bits accept more."""
    exact = around_the_least(name)
    assert [kb.run(*case)[0] for case in exact] == [cert["result"] for _, cert in exact]
    assert {cert["result"] for _, cert in exact} == {"certified", "refuted"}
    rounded(digits)
    found = [kb.run(*case)[0] for case in exact]
    for word, (_, cert) in zip(found, exact, strict=True):
        assert word in (cert["result"], "rejected")
    assert found[-1] == "certified" or digits == 2
    assert found[0] == "refuted" or digits == 2
    assert (found.count("rejected") == 0) == (digits == 40)


@cache
def around_the_least(name: str) -> list[tuple[Table, Table]]:
    """Problems with scales next to the smallest one, and our certificates of them."""
    least = calibrate(Problem.from_text(json.dumps(CLOSE[name]), json_format=True)).minimum.upper
    exact = []
    for share in SHARES:
        value = CLOSE[name] | {"noise": {"kind": "laplace", "scale": f"{least}*{share}"}}
        result = certify(Problem.from_text(json.dumps(value), json_format=True))
        first = next((pair for pair in result.pairs if pair.refuted), None)
        used = result.pairs if first is None else [first]
        steps = [{"belief": pair.belief, "from": pair.from_, "to": pair.to, **pair.proof.step(256)}
                 for pair in used if pair.proof is not None]  # fmt: skip
        for step in steps:
            step |= {"margin": "0.000001"} if "margin" in step else {}
        exact.append((value, kb.certificate(value, str(result.verdict), steps)))
    return exact


def test_wide_bounds_prove_nothing(rounded: Any) -> None:
    """Equal secrets are private at every epsilon >= 0, but not by bounds a quarter apart."""
    alike = {"a": {"bernoulli": "1/3"}, "b": {"mass": {"0": "2/3", "1": "1/3"}}}
    value = stated({"others": [COIN], "user": alike}, epsilon="1/9")
    cert = kb.certificate(value, "certified", kb.both("pure", 128, {"ties": []}))
    assert kb.run(value, cert)[0] == "certified"
    rounded(2)
    assert kb.run(value, cert)[0] == "rejected"
    step = kb.step("pure-refuted", "a", "b", y="0", margin="0.01")
    assert kb.run(value, kb.certificate(value, "refuted", [step]))[0] == "rejected"


def test_rules_that_need_exact_priors_say_so(rounded: Any) -> None:
    rounded(64)
    alike = {"user": {"a": COIN, "b": {"point": 0}}}
    tie = stated(alike, delta="1/2", epsilon=0)
    bare = stated(alike, noise={"kind": "none"}, delta="1/2")
    nothing = {"rule": "minimum", "lower": "0", "upper": "0", "lower_step": None,
               "upper_steps": [{"rule": "no-noise"}]}  # fmt: skip
    never = nothing | {"upper": "inf", "upper_steps": [{"rule": "no-scale"}]}
    zero = stated(alike, epsilon=0)
    for value, result, steps in (
        (tie, "certified", kb.both("delta-tie")),
        (stated(alike, noise={"kind": "gaussian", "scale": 1}, delta="1/2"), "certified",
         [{"rule": "equal", "belief": "default", "from": a, "to": b} for a, b in ("ab", "ba")]),
        (bare, "certified", [{"rule": "no-noise", "belief": "default", "from": a, "to": b}
                             for a, b in ("ab", "ba")]),
        (tie, "scales", [nothing]),
        (zero, "scales", [never]),
    ):  # fmt: skip
        word, message = kb.run(value, kb.certificate(value, result, steps))
        assert word == "rejected"
        assert "exact priors, and they are too long" in message


@pytest.mark.parametrize("secrets", [2, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["masses", "bounds", "sparse", "product"])
def test_large_crowds_need_little_memory(name: str, secrets: int, tmp_path: Path) -> None:
    """Several secrets of a crowd at the limit: ten seconds and 500 MB do, whatever the answer."""
    others: list[Table] = {
        "masses": [{"bernoulli": "1/3", "count": 5700}],
        "bounds": [{"bernoulli": "1/3", "count": 12_900}],
        "sparse": [{"mass": {"0": "1/2", f"1/{p}": "1/2"}} for p in range(101, 115)],
        "product": [{"counts": {str(k * k): 1 for k in range(300)}, "count": 2}] * 2,
    }[name]
    user = {f"is {k}": {"point": k} for k in range(secrets)}
    value = stated({"others": others, "user": user}, noise={"kind": "laplace", "scale": 20})
    steps = [kb.step("pure", a, b, bits=64, ties=[]) for x, y in combinations(user, 2)
             for a, b in ((x, y), (y, x))]  # fmt: skip
    raw = reader.canonical_json(kb.certificate(value, "certified", steps))
    line = answer(json.dumps(value).encode(), raw, tmp_path)
    assert line.startswith(("certified: ", "rejected: too much work"))


def test_rules_for_measures() -> None:
    rules = {
        (row.partition(".")[2], name)
        for row in kinds.KINDS.values()
        for kind in [kinds.kind_at(row)]
        for group in (kind.certified, kind.refuted, kind.unscaled, kind.hopeless)
        for name, rule in group.items()
        if rule.measures
    }
    wanted = {"pure", "delta-upper", "pointwise"}
    wanted |= {"pure-refuted", "event-refuted", "pointwise-refuted"}
    found = {("laplace", name) for name in wanted}
    # of several releases: what they ask of one decides there
    found |= {("releases:SAME", name) for name in ("pure", "delta-upper", "one-refuted")}
    found |= {(f"releases:{draws}", name) for draws in ("FRESH", "DRAWN")
              for name in ("product", "one-refuted", "product-refuted")}  # fmt: skip
    found |= {("releases:REPEATED", name) for name in ("one-refuted", "product-refuted")}
    assert rules == found | {("releases:SAME_DENSITIES", "one-refuted")}


def test_many_releases_of_laws_between_bounds() -> None:
    """Too many users for exact laws: what is proved of the bounds holds of many releases too."""
    crowded = {"others": [{"bernoulli": "1/3", "count": 9999}], "user": TWO}
    least = {"rule": "pure", "bits": 128, "ties": []}
    noise = {"kind": "laplace", "scale": "9/4", "releases": 2}
    for word, count in (("certified", 2), ("rejected", 3)):
        again = stated(crowded, noise={**noise, "releases": count})
        cert = kb.certificate(again, "certified", kb.both("pure", 128, {"ties": []}))
        assert kb.run(again, cert)[0] == word
    fresh = stated(crowded, noise={**noise, "draws": "fresh"})
    part = {"epsilon": "1/2", "delta": "0", "step": least}
    steps = [{**step, "parts": [part]} for step in kb.both("product")]
    for step in steps:
        del step["bits"]
    assert kb.run(fresh, kb.certificate(fresh, "certified", steps))[0] == "certified"


def test_ten_thousand_coins() -> None:
    """Beyond the exact sizes; the answer comes within the budget of two small files."""
    crowded = {"others": [{"bernoulli": "1/3", "count": 9999}], "user": TWO}
    for scale, verdict in (("9/8", "certified"), ("8/9", "refuted")):
        value = stated(crowded, noise={"kind": "laplace", "scale": scale})
        steps = kb.both("pure", 128, {"ties": []})
        if verdict == "refuted":
            steps = [kb.step("pure-refuted", "b", "a", y="9000", margin="0.1")]
        cert = kb.certificate(value, verdict, steps)
        found = kb.checked(value, cert)
        assert found.word == verdict, found.message
        assert found.check is not None
        assert found.check.spent < work.AT_LEAST / 2


def test_a_tie_of_a_crowd_with_bounds_alone_is_too_much_work() -> None:
    """Bounds of masses prove no tie: the proof may be right, and the answer says so."""
    crowded = {"others": [{"bernoulli": "94/145", "count": 2200}], "user": TWO}
    value = stated(crowded, noise={"kind": "laplace", "scale": 1})
    for ties in ([], ["0"]):
        cert = kb.certificate(value, "certified", kb.both("pure", 128, {"ties": ties}))
        word, message = kb.run(value, cert)
        assert word == "rejected"
        assert message.startswith("too much work: this needs exact priors") is bool(ties)


def test_the_pairs_of_each_user_are_bounded() -> None:
    many = [{"counts": {str(k): 1 for k in range(3000)}}]
    with pytest.raises(Malformed, match="too many pairs"):
        reader.parse_problem(
            json.dumps(stated({"others": many, "protect": "each", "pair_set": "values"})).encode(),
            True,
        )
    start = time.perf_counter()
    kernel, package = read(stated({"others": many, "protect": "each", "pair_set": "values-absent"}))
    assert kernel is not None
    assert package is not None
    assert [*map(tuple, kernel.pairs)] == [*package.pairs]
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize(("delta", "said"), [("1/10", True), ("0", False)])
def test_a_bound_on_masses_is_about_others_without_a_density(delta: str, said: bool) -> None:
    user = {"a": {"bernoulli": "1/2"}, "b": {"bernoulli": "3/5"}}
    more = {"noise": {"kind": "none"}, "form": "pointwise", "delta": delta}
    kernel, _ = read(stated({"user": user, "rest": "any"}, **more))
    assert kernel is not None
    assert ("none of them with a density" in kernel.source.given(kernel)) is said


def test_users_who_add_a_certain_number_are_added_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred million of them, beside users whose places are too far apart for a recurrence."""
    calls = []

    def counted(one: crowd.Points, other: crowd.Points) -> crowd.Points:
        calls.append(other)
        assert len(calls) < 10
        return added(one, other)

    added = crowd.added
    monkeypatch.setattr(crowd, "added", counted)
    groups = [crowd.Group([(3, 1)], 10**8), crowd.Group([(0, 1), (1, 1), (10**9, 2)], 4)]
    assert not crowd._recurs(groups)
    found = crowd.crowd(groups)
    terms = [(j, k, factorial(4) // prod(map(factorial, (j, k, 4 - j - k)))) for k in range(5)
             for j in range(5 - k)]  # fmt: skip
    assert found == [(3 * 10**8 + j + k * 10**9, times * 2**k) for j, k, times in terms]
    assert calls[0] == [(3 * 10**8, 1)]
    assert len(calls) == 5
