"""The budget of work: hostile inputs end early, honest ones are fast and stay far below it."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import checker
import kernel_builder as kb
import pytest
from core import enclose, work
from core.calculus import signs as pure
from core.grammar import Malformed
from core.rules import Rejected
from core.work import AT_LEAST, FOR_SUMS, PER_BYTE, Check, TooMuchWork
from reader import reader
from reader.goals import goals_of

SECONDS, MEMORY = 10, 500 << 20
ACCEPTED = sorted((kb.CORPUS / "accept").glob("*.json"))
NONE: kb.Json = {"ties": []}
SHARE = 0.25  # of the budget that no certificate of ours may pass


def answer(
    problem: bytes, certificate: bytes, folder: Path, suffix: str = ".json", memory: int = MEMORY
) -> str:
    """The kernel's line from a fresh interpreter that has ten seconds of one core and 500 MB."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    paths = folder / f"problem{suffix}", folder / "certificate.json"
    for path, data in zip(paths, (problem, certificate), strict=True):
        path.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(kb.KERNEL), *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=20 * SECONDS,
        check=False,
        preexec_fn=limit,
    )
    assert done.returncode in (0, 1, 2), (done.returncode, done.stderr[-300:])
    assert "MemoryError" not in done.stdout
    return done.stdout


def said(value: Any, cert: Any, folder: Path) -> str:
    raw = cert if isinstance(cert, bytes) else reader.canonical_json(cert)
    return answer(json.dumps(value).encode(), raw, folder)


def share(value: Any, cert: Any) -> float:
    """The part of the budget that a certificate uses, which the kernel must accept."""
    data, raw = json.dumps(value).encode(), reader.canonical_json(cert)
    found = kb.checked(value, cert)
    assert found.word == cert["result"], found.message
    assert found.check is not None
    sums = FOR_SUMS if found.check.sums else 0
    return found.check.spent / (AT_LEAST + sums + PER_BYTE * (len(data) + len(raw)))


# ---------------------------------------------------------------- what the attacks found


def test_a_string_of_quotes_without_an_end(tmp_path: Path) -> None:
    assert answer(b'\\"' * 120_000, b"{}", tmp_path).startswith("malformed: ")
    assert answer(b'"' + b'\\"' * 120_000, b"{}", tmp_path).startswith("malformed: ")
    assert answer(b"{}", b'["' + b'\\"' * 120_000, tmp_path).startswith("malformed: ")


@pytest.mark.parametrize("epsilon", [1, "log(7/3)"])
@pytest.mark.parametrize("rule", ["delta-upper", "delta-tie"])
def test_two_atoms_with_200000_bits(rule: str, epsilon: Any, tmp_path: Path) -> None:
    value = kb.problem({"0": 1, "1": 2}, {"0": 2, "1": 1}, epsilon, "1/2", "3/log(5)")
    cert = kb.certificate(value, "certified", kb.both(rule, 200_000))
    assert said(value, cert, tmp_path).startswith("rejected: too much work for files of this size")


@pytest.mark.parametrize(("epsilon", "answer"), [
    ("1", "certified: "),  # the first look has no need of these bits
    ("log(5)/3", "rejected: too much work for files of this size"),
])  # fmt: skip
def test_two_points_with_200000_bits(epsilon: str, answer: str, tmp_path: Path) -> None:
    value = kb.problem({"0": 1}, {"1": 1}, epsilon, 0, "3/log(5)")
    cert = kb.certificate(value, "certified", kb.both("pure", 200_000, {"ties": []}))
    assert said(value, cert, tmp_path).startswith(answer)


def translated(n: int, shift: int, **more: Any) -> kb.Json:
    p = {str(i): 1 for i in range(n)}
    return kb.problem(p, {str(i + shift): 1 for i in range(n)}, **more)


def test_a_delta_that_280_atoms_tie(tmp_path: Path) -> None:
    """Uniform on 140 points against the next 140: D = 1 - mean of e^-(j + 1/2)."""
    delta = "1-exp(-1/2)*(1-exp(-140))/(140*(1-exp(-1)))"
    value = translated(140, 140, epsilon=0, delta=delta, scale=1)
    cert = kb.certificate(value, "certified", kb.both("delta-tie", 128))
    assert said(value, cert, tmp_path).startswith("certified: ")
    assert share(value, cert) < SHARE
    off = translated(140, 140, epsilon=0, delta=delta + "-1e-60", scale=1)
    cert = kb.certificate(off, "certified", kb.both("delta-tie", 512))
    assert said(off, cert, tmp_path).startswith("rejected: delta-tie")


def test_a_delta_tie_of_2000_atoms_on_the_lattice(tmp_path: Path) -> None:
    """On integers, with Laplace noise of the lattice, t = 1/e: the masses P(Y <= 999) - Q(same)."""
    n = 1000
    delta = f"1-2*exp(-1)*(1-exp(-{n}))/({n}*(1+exp(-1))*(1-exp(-1)))"
    value = translated(n, n, epsilon=0, delta=delta, scale=1, step=1)
    cert = kb.certificate(value, "certified", kb.both("delta-tie", 128))
    assert said(value, cert, tmp_path).startswith("certified: ")


def test_a_delta_tie_with_many_radicals_is_rejected_early(tmp_path: Path) -> None:
    rng = random.Random(11)
    p, q = ({str(i): rng.randrange(1, 9) for i in range(280)} for _ in range(2))
    value = kb.problem(p, q, 0, "1/20", 1)
    cert = kb.certificate(value, "certified", kb.both("delta-tie", 128))
    assert said(value, cert, tmp_path).startswith("rejected: delta-tie")


def test_three_thousand_ties_of_equal_priors(tmp_path: Path) -> None:
    atoms = {str(i): 1 + i % 7 for i in range(3000)}
    value = kb.problem(atoms, atoms, 0, 0, 1)
    cert = kb.certificate(value, "certified", kb.both("pure", 128, {"ties": list(atoms)}))
    assert said(value, cert, tmp_path).startswith("certified: ")
    assert share(value, cert) < SHARE


def test_a_translated_uniform_prior_of_ten_thousand_atoms(tmp_path: Path) -> None:
    n = 10_000
    value = translated(n, 1, epsilon=1, scale=1)
    steps = [kb.step("pure", "a", "b", ties=["0"]), kb.step("pure", "b", "a", ties=[str(n)])]
    assert share(value, kb.certificate(value, "certified", steps)) < SHARE
    every = kb.both("pure", 128, {"ties": [str(i) for i in range(n + 1)]})
    assert said(value, kb.certificate(value, "certified", every), tmp_path).startswith(
        'rejected: pure "a" -> "b": no tie is proved at the atom "1"'
    )


def test_a_stretch_of_ties_is_fast_in_one_order() -> None:
    """e^epsilon = (3n+6)/(3n+4), e^-rho = 1/2: both ends cancel, and P = e^epsilon Q between them,
    so that n + 2 atoms are ties, proved with sums of a few terms."""
    n = 2500
    middle = range(2, n + 2)
    p = {"-1": 1, "0": 1, str(n + 3): 1, str(n + 4): 1} | {str(i): 3 for i in middle}
    q = {"-1": 1, str(n + 4): 1} | {str(i): 1 for i in middle}
    value = kb.problem(p, q, f"log({3 * n + 6}/{3 * n + 4})", 0, "1/log(2)")
    problem = reader.problem_of(value)
    goal = next(goals_of(problem, problem.release, Check(0)))
    ties = ["0", *map(str, middle), str(n + 3)]
    with work.checking(len(json.dumps(value))) as check:
        facts = pure(goal, kb.step("pure", "a", "b", bits=64, ties=ties))
        assert facts == {"F1", "F3"}
        assert check.spent < PER_BYTE * len(json.dumps(value)) * SHARE
        with pytest.raises(Rejected, match="no tie is proved"):
            pure(goal, kb.step("pure", "a", "b", bits=64, ties=["-1", *ties]))


def nested() -> dict[str, str]:
    """Divisions of sums of exponentials, inside each other and beside each other."""
    inner = "exp(1/3)"
    for i in range(90):
        inner = f"1/(1+{inner})" if i % 2 else f"exp(1/{i + 7})/({inner}+{i})"
    wide = "+".join(f"1/(1+exp(1/{i}))" for i in range(2, 150))
    return {"inside": inner, "beside": wide, "both": f"({wide})/({inner})"}


@pytest.mark.parametrize("name", nested())
def test_nested_divisions_are_not_decided_for_another_problem(name: str) -> None:
    cert = {"schema": "pfverify/certificate/1", "problem": "0" * 64, "produced_by": {}}
    cert |= {"result": "certified", "steps": []}
    found = kb.checked(kb.problem({"0": 1}, {"1": 1}, nested()[name], 0, 1), cert)
    assert found.word == "rejected"
    assert "another problem" in found.message
    assert found.check is not None
    assert found.check.spent < 50_000  # it was read, and nothing was decided


def long_sum(ones: int) -> str:
    """3.5 kB: fourteen sums in brackets, whose texts every partial sum would hold again."""
    sums = ["(" + "+".join(["log(1e4096)"] * 16) + ")"] * 14
    return "+".join([*sums, *["1"] * ones])


def test_a_tree_does_not_hold_the_text_of_every_part(tmp_path: Path) -> None:
    """9 distances of 3 kB each: 1,270 MB when it did."""
    secrets = [f"s{k}" for k in range(5)]
    pairs = list(combinations(secrets, 2))
    metric = [[*pair, long_sum(140)] for pair in pairs[:9]] + [[*pairs[9], 1]]
    channel = {"kind": "matrix", "notion": "xdistp", "metric": metric, "inputs": ["x", "y"],
               "outputs": ["u", "v"], "rows": [["1/2", "1/2"]] * 2}  # fmt: skip
    law = {"kind": "finite", "counts": {"x": 1, "y": 1}}
    value = {"schema": "pfverify/problem/1", "epsilon": 1, "delta": 0, "form": "events"}
    value |= {"channel": channel, "priors": dict.fromkeys(secrets, law)}
    steps = [{"rule": "channel", "belief": "default", "from": a, "to": b}
             for x, y in pairs for a, b in ((x, y), (y, x))]  # fmt: skip
    assert 27_000 < len(json.dumps(value)) < 33_000
    line = said(value, kb.certificate(value, "certified", steps), tmp_path)
    assert line.startswith("certified: ")
    single = kb.problem({"0": 1}, {"1": 1}, long_sum(150), 0, 1)
    raw = reader.canonical_json(kb.certificate(single, "certified", kb.both("pure", 128, NONE)))
    assert len(raw) + len(json.dumps(single)) < 4096
    line = answer(json.dumps(single).encode(), raw, tmp_path, memory=100 << 20)
    assert line.startswith("certified: ")


def crowded(others: list[Any], scale: Any = 1, secrets: int = 2) -> tuple[Any, Any]:
    """A problem about one of several users, and a certificate of it."""
    value = {"schema": "pfverify/problem/1", "epsilon": 1, "delta": 0, "form": "events"}
    value |= {"noise": {"kind": "laplace", "scale": scale}}
    names = [f"s{k}" for k in range(secrets)]
    user = {name: {"point": k} for k, name in enumerate(names)}
    value |= {"system": {"others": others, "user": user}}
    steps = [kb.step("pure", a, b, bits=128, ties=[])
             for x, y in combinations(names, 2) for a, b in ((x, y), (y, x))]  # fmt: skip
    return value, kb.certificate(value, "certified", steps)


@pytest.mark.parametrize(
    ("count", "chance"), [(2000, "94/145"), (2300, "94/145"), (4900, "1/3"), (5800, "1/3")]
)
def test_no_number_of_coins_is_refused_between_smaller_and_larger(count: int, chance: str) -> None:
    """Exact sums went on for longer than the rules that follow had budget for."""
    word, message = kb.run(*crowded([{"bernoulli": chance, "count": count}], scale="3/2"))
    assert word == "certified", message


def long_values() -> tuple[Any, Any]:
    """Sums of 1e-4096 lie at places of 13,600 bits, each of which is moved and compared."""
    law = {"0": "1/2"}
    return crowded([{"mass": law | {f"1e-{4096 - k}": "1/2"}, "count": 40} for k in range(3)])


def alike_users() -> tuple[Any, Any]:
    return crowded([{"bernoulli": f"{k}/{k + 1}", "count": 40} for k in range(2, 91)])


def chart_of_many_bits() -> tuple[Any, Any]:
    case = json.loads((kb.CORPUS / "accept" / "chart-gaussian-noise.json").read_text())
    steps = [step | {"bits": 20_000} for step in case["certificate"]["steps"]]
    return case["problem"], case["certificate"] | {"steps": steps}


def divisions(name: str) -> tuple[Any, Any]:
    value = kb.problem({"0": 1}, {"1": 1}, nested()[name], 0, nested()[name])
    return value, kb.certificate(value, "certified", kb.both("pure", 128, NONE))


def counts_far_apart(first: int, second: int) -> tuple[Any, Any]:
    """A confidence region of which one atom has hardly any of the records."""
    region = {"kind": "confidence", "counts": {"0": str(first), "1": str(second)}, "level": "0.95"}
    value = kb.problem({"0": 1}, {"0": 1}, 1, 0, 1)
    value["priors"]["a"] = region
    cert = {"schema": "pfverify/certificate/1", "problem": "0" * 64, "produced_by": {}}
    return value, cert | {"result": "certified", "steps": []}


TOO_MUCH: dict[str, Callable[[], tuple[Any, Any]]] = {
    "users with long values": long_values,
    "users almost alike": alike_users,
    "a chart of many bits": chart_of_many_bits,
    "few of many records": partial(counts_far_apart, 39, 10**40),
    "many records but a few": partial(counts_far_apart, 10**40, 39),
    **{f"divisions {name}": partial(divisions, name) for name in nested()},
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_is_charged_ends_with_the_budget(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the budget ends in a fifth of the seconds; the batteries spend all of it."""
    files = TOO_MUCH[name]()
    monkeypatch.setattr(work, "AT_LEAST", AT_LEAST // 5)
    monkeypatch.setattr(work, "PER_BYTE", PER_BYTE // 5)
    start = time.process_time()
    word, message = kb.run(*files)
    assert time.process_time() - start < SECONDS / 5
    assert (word, message[:13]) == ("rejected", "too much work")


@pytest.mark.long
@pytest.mark.parametrize("name", TOO_MUCH)
def test_the_whole_budget_is_spent_in_time(name: str, tmp_path: Path) -> None:
    assert said(*TOO_MUCH[name](), tmp_path).startswith("rejected: too much work")


# ---------------------------------------------------------------- the budget


def test_what_is_not_read_buys_no_work() -> None:
    """Spaces, comments and where a file comes from raise no budget; numbers do."""
    case = json.loads((kb.CORPUS / "accept" / "pure-plain.json").read_text())
    value, cert = case["problem"], case["certificate"]
    sizes: list[int] = []

    def answer(data: bytes, certificate: Any) -> str:
        found = checker.checked(data, True, reader.canonical_json(certificate))
        assert found.check is not None
        sizes.append(found.check.allowed)
        return found.word

    long = {"text": "x" * 10_000}
    told = cert | {"produced_by": long, "created": "y" * 10_000}
    for problem, certificate, space in (
        (value, cert, b""),
        (value | {"provenance": long}, cert, b""),
        (value, told, b""),
        (value, cert, b" " * 10_000),
    ):
        data = json.dumps(problem).encode() + space
        assert answer(data, certificate) == "certified"
    assert len(set(sizes)) == 1
    longer = value | {"epsilon": str(value["epsilon"]) + "+0" * 100}
    answer(json.dumps(longer).encode(), cert)
    assert sizes[-1] > sizes[0] + 190 * PER_BYTE


def test_the_budget_grows_with_the_bytes_of_both_files() -> None:
    for size in (0, 1010, 5003):
        with work.checking(size) as check:
            assert check.allowed == AT_LEAST + PER_BYTE * size
            work.spend(check.allowed)
            with pytest.raises(TooMuchWork, match="too much work"):
                work.spend(1)


def test_a_check_starts_and_ends_its_own_count() -> None:
    path = kb.CORPUS / "accept" / "pure-plain.json"
    case = json.loads(path.read_text())
    used = set()
    for _ in range(3):
        found = kb.checked(case["problem"], case["certificate"])
        assert found.check is not None
        used.add(found.check.spent)
    assert 0 < max(used) < AT_LEAST / 100


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda p: p.stem)
def test_the_corpus_stays_far_below(path: Path) -> None:
    case = json.loads(path.read_text())
    if isinstance(case["problem"], dict) and isinstance(case["certificate"], dict):
        assert share(case["problem"], case["certificate"]) < SHARE


def test_a_margin_of_32768_bits_is_taken() -> None:
    """1 - e^-20000 is refuted by e^-20000, about 1e-8686; the price of an exponential is fair."""
    value = kb.problem({"0": 1}, {"1": 1}, "1-exp(-20000)", 0, 1)
    step = kb.step("pure-refuted", "a", "b", bits=32768, y="0", margin="1.1e-8686")
    assert share(value, kb.certificate(value, "refuted", [step])) < SHARE


@pytest.mark.parametrize("bits", [64, 512, 4096, 16384])
def test_the_prices_are_near_the_times(bits: int) -> None:
    """A unit is a quarter of a microsecond, nowhere six times as much (small exponentials cost
    less than their price)."""
    ar = enclose.Arithmetic(bits)
    x, y = ar.of(Fraction(10**9 + 7, 3 * 10**8 + 1)), ar.div(ar.of(Fraction(1)), (7, 7, 0))
    for operation in (ar.exp, ar.log, ar.sqrt, lambda x: ar.div(y, x), lambda x: ar.mul(y, x)):
        start = time.process_time()
        with work.checking(1 << 20) as check:
            while (seconds := time.process_time() - start) < 0.02:
                enclose.log_of_2.cache_clear()
                operation(x)
        assert seconds < 1.5e-6 * check.spent


@pytest.mark.parametrize("scale", [1, f"1/{2**61 - 1}"])
def test_atoms_of_one_hash_are_charged(scale: Any, tmp_path: Path) -> None:
    """Multiples of 2^61 - 1 have the hash 0; with the scale 1/(2^61 - 1) so have all rates."""
    prime = 2**61 - 1
    for n, by in ((150, prime), (150, 1)):
        p, q = ({str(by * i): 1 for i in range(k, n + k)} for k in (0, 1))
        value = kb.problem(p, q, 0, 0, scale)
        every = {"ties": [str(by * i) for i in range(n + 1)]}
        cert = kb.certificate(value, "certified", kb.both("pure", 128, every))
        word, _, _ = said(value, cert, tmp_path).partition(":")
        assert word == "rejected"


def test_gaps_of_one_hash_are_charged(tmp_path: Path) -> None:
    prime = 2**61 - 1
    atoms = {str(k + prime * k * (k - 1) // 2): 1 for k in range(150)}
    value = kb.problem(atoms, {**atoms, "0": 2}, 1, 0, 1)
    cert = kb.certificate(value, "certified", kb.both("pure", 64, {"ties": []}))
    assert said(value, cert, tmp_path).split(":")[0] in ("certified", "rejected")


@pytest.mark.parametrize(
    ("rule", "epsilon", "delta", "bits"),
    [("pure", 5, 0, 128), ("delta-upper", 1, "1/2", 512),
     pytest.param("delta-upper", 1, "1/2", 128, marks=pytest.mark.long)],
)  # fmt: skip
def test_ten_thousand_atoms_stay_far_below(rule: str, epsilon: int, delta: Any, bits: int) -> None:
    rng = random.Random(3)
    p, q = ({str(i): rng.randrange(1, 99) for i in range(10_000)} for _ in range(2))
    value = kb.problem(p, q, epsilon, delta, 1)
    more: kb.Json = {"ties": []} if rule == "pure" else {}
    assert share(value, kb.certificate(value, "certified", kb.both(rule, bits, more))) < SHARE


def test_numbers_that_no_work_decides_are_malformed_or_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A gaussian scale is squared before the digest exists: the budget, here a fifth of it, holds
    there as well."""
    value = kb.problem({"0": 1}, {"1": 1}, 1, 0, nested()["beside"])
    value["noise"]["kind"] = "gaussian"
    monkeypatch.setattr(work, "AT_LEAST", AT_LEAST // 5)
    monkeypatch.setattr(work, "PER_BYTE", PER_BYTE // 5)
    start = time.process_time()
    word, _ = kb.run(value, {})
    assert word in ("malformed", "rejected")
    assert time.process_time() - start < SECONDS / 5
    with pytest.raises(Malformed):
        reader.problem_of({"epsilon": 1})
