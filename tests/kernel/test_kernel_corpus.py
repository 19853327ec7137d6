"""The attack corpus in tests/certificates, in this process and in isolated interpreters; inputs too
large to store; every rule has an accepted and a rejected case."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import composed_truth
import kernel_builder as kb
import pytest
import renyi_truth
import smooth_cases as sc
from core.couplings import COUPLING
from core.kinds import STEPS
from support.corpus import CASES, files, load

CODES = {"certified": 0, "refuted": 0, "scales": 0, "coupling": 0, "rejected": 1, "malformed": 2}
RULES = [*STEPS, *COUPLING, "scale", "minimum", "no-scale"]


def rules_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("rule"), str):
            yield value["rule"]
        for v in value.values():
            yield from rules_in(v)
    elif isinstance(value, list):
        for v in value:
            yield from rules_in(v)


def kernel(problem: Path, certificate: Path, *flags: str, memory: int = 2 << 30) -> tuple[int, str]:
    """Exit code and standard output of a fresh interpreter; nothing may be on standard error."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    done = subprocess.run(
        [sys.executable, "-I", "-S", *flags, str(kb.KERNEL), str(problem), str(certificate)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        preexec_fn=limit,
        cwd="/",
    )
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1
    assert done.stdout.isascii()
    return done.returncode, done.stdout


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_case(path: Path, record_property: Callable[[str, Any], None]) -> None:
    case = load(path)
    record_property(f"kernel corpus {path.parent.name}", 1)
    word, message = kb.run(case["problem"], case["certificate"], case["problem_suffix"])
    assert word == case["expect"], message
    expected = {"accept": (0,), "reject": (1,), "malformed": (2,)}[path.parent.name]
    assert CODES[word] in expected
    assert "beyond this kernel" not in message
    if (
        path.parent.name == "accept"
        and isinstance(case["problem"], dict)
        and not path.stem.endswith(("enormous-gap", "long-gap"))
    ):
        cert = case["certificate"]
        cert = json.loads(cert) if isinstance(cert, str) else cert
        truth = sc.is_true if sc.is_smooth(case["problem"]) else kb.is_true
        truth = composed_truth.is_true if composed_truth.is_composed(cert) else truth
        truth = renyi_truth.is_true if renyi_truth.is_renyi(case["problem"]) else truth
        assert truth(case["problem"], cert, word)


def test_every_rule_has_an_accept_and_a_reject() -> None:
    for folder, why in (("accept", "accepted"), ("reject", "rejected")):
        found: set[str] = set()
        for path in CASES:
            if path.parent.name == folder:
                case = load(path)
                if isinstance(case["certificate"], dict):
                    names = set(rules_in(case["certificate"]))
                    found |= (
                        names
                        if folder == "accept"
                        else {r for r in names if path.stem.startswith(r)}
                    )
        assert set(RULES) <= found, (why, set(RULES) - found)


@pytest.mark.parametrize("flags", [(), ("-O",), ("-OO",)])
def test_isolated_interpreters_agree(flags: tuple[str, ...], tmp_path: Path) -> None:
    """A spread of the corpus with -I -S, and with -O; the whole of it is in the long battery."""
    for path in CASES[:: 80 if flags else 24]:
        case = load(path)
        code, line = kernel(*files(case, tmp_path), *flags)
        assert line.split(":")[0] == case["expect"], path
        assert code == CODES[case["expect"]]


@pytest.mark.long
@pytest.mark.parametrize("flags", [(), ("-O",), ("-OO",)])
def test_isolated_interpreters_agree_on_all(flags: tuple[str, ...], tmp_path: Path) -> None:
    for path in CASES:
        case = load(path)
        code, line = kernel(*files(case, tmp_path), *flags)
        assert line.split(":")[0] == case["expect"], path
        assert code == CODES[case["expect"]]


def test_usage(tmp_path: Path) -> None:
    run = [sys.executable, "-I", "-S", str(kb.KERNEL)]
    for arguments in (
        [],
        ["x"],
        ["x", "y", "z"],
        [str(tmp_path), str(tmp_path)],
        ["/nonexistent", "y"],
    ):
        done = subprocess.run([*run, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stdout.startswith("malformed: ")
        assert done.stderr == ""


def test_the_minimum_names_its_theorem() -> None:
    case = load(kb.CORPUS / "accept" / "scale-and-minimum.json")
    _, message = kb.run(case["problem"], case["certificate"])
    assert (
        "monotonicity in the scale (F2: Laplace(theta') = Laplace(theta) + independent noise)"
        in message
    )


def test_labels_of_scales_are_quoted_and_never_read_as_proved() -> None:
    """Only the rule minimum, which proves both ends, prints a minimum."""
    value = kb.problem({"0": 1}, {"1": 1}, 1, 0, 2)
    steps = [kb.scale_step(value, name, "1000000") for name in ("minimum", "wasserstein")]
    word, message = kb.run(value, kb.certificate(value, "scales", steps))
    assert word == "scales"
    assert 'scale 1000000 (labelled "minimum") certified; ' in message
    assert 'scale 1000000 (labelled "wasserstein") certified; ' in message
    assert "minimum 1000000" not in message
    assert "minimum in" not in message


def test_names_cannot_forge_output(tmp_path: Path) -> None:
    name = "b\ncertified: everything \u2028 \ud800"
    value = kb.problem({"0": 1}, {"1": 1}, 1, 0, 2)
    steps = [kb.step("pure", "a", name, ties=[]), kb.step("pure", name, "a", ties=["5"])]
    case = {
        "problem": value,
        "problem_suffix": ".json",
        "certificate": kb.certificate(value, "certified", steps),
    }
    code, line = kernel(*files(case, tmp_path))
    assert code == 1
    assert line.startswith("rejected: ")
    value["priors"][name] = value["priors"].pop("b")
    code, line = kernel(*files(case, tmp_path))
    assert code == 2
    assert line.startswith("malformed: ")


def processor_time(who: int) -> float:
    """Seconds of processor time, which other work on the machine does not lengthen."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


BIG = {
    "integer of a million digits": b'{"bits":' + b"7" * 10**6 + b"}",
    "nesting of arrays": b"[" * 10**5 + b"]" * 10**5,
    "nesting of tables": b'{"a":' * 10**5 + b"1" + b"}" * 10**5,
    "nesting hidden by a string": b'["]]]]' + b'",["]' * 10**5,
    "unclosed nesting": b"[" * 10**6,
    "a hundred megabytes": b" " * (100 << 20),
    "thirty megabytes of quotes": b'"\\"' * (10 << 20),
    "a million escaped quotes that no string holds": b'\\"' * 10**6,
    "not UTF-8": b"\xff\xfe" * 1000,
    "NUL bytes": b"\0" * 1000,
    "a million numbers": b"[" + b"1," * 10**6 + b"1]",
}


@pytest.mark.parametrize("name", BIG)
@pytest.mark.parametrize("side", ["problem.json", "problem.toml", "certificate"])
def test_large_input_is_malformed_quickly(name: str, side: str, tmp_path: Path) -> None:
    good = load(kb.CORPUS / "accept" / "pure-plain.json")
    problem, certificate = files(good, tmp_path)
    bad = tmp_path / ("bad.toml" if side == "problem.toml" else "bad.json")
    bad.write_bytes(BIG[name])
    before = processor_time(resource.RUSAGE_CHILDREN)
    pair = (problem, bad) if side == "certificate" else (bad, certificate)
    code, line = kernel(*pair, memory=1 << 30)
    assert code == 2
    assert line.startswith("malformed: ")
    assert processor_time(resource.RUSAGE_CHILDREN) - before < 20
    bad.unlink()


@pytest.mark.parametrize(
    "toml",
    [
        "a." * 10**5 + "b = 1",
        "a = " + "[" * 10**5,
        "epsilon = " + "9" * 10**6,
        "x = " + "{y=" * 10**4,
        "[" + "a." * 20_000 + "b]\n" * 3,
        "epsilon = 0x" + "f" * 10**6,
    ],
    ids=["dotted", "arrays", "digits", "tables", "headers", "hexadecimal"],
)
def test_large_toml_is_malformed_quickly(toml: str) -> None:
    before = processor_time(resource.RUSAGE_SELF)
    word, _ = kb.run(toml, "{}", ".toml")
    assert word == "malformed"
    assert processor_time(resource.RUSAGE_SELF) - before < 20


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "1" + ")" * 5000,
        "-" * 9999 + "1",
        "exp(" * 90 + "9" * 4000 + ")" * 90,
        "1e4096*" * 1400 + "1",
        "log(" * 90 + "2" + ")" * 90,
        "*".join(f"(exp({i}/7)+1)" for i in range(1, 600)),
        "1/" * 4000 + "3",
        "9" * 9999,
        "log(" + "*".join(["9" * 600] * 6) + "+1)-1",
        "+".join(f"log({i})" for i in range(2, 390)),
    ],
    ids=[
        "parentheses",
        "minus",
        "tower",
        "product",
        "logs",
        "many-exponentials",
        "quotients",
        "digits",
        "long-log",
        "many-logs",
    ],
)
def test_extreme_numbers_are_answered_quickly(text: str) -> None:
    value = kb.problem({"0": 1}, {"1": 1}, 1, 0, 1)
    value["noise"]["scale"] = text
    before = processor_time(resource.RUSAGE_SELF)
    word, message = kb.run(value, "{}")
    assert word == "malformed"
    assert "beyond this kernel" not in message
    assert processor_time(resource.RUSAGE_SELF) - before < 20


def test_peak_memory_is_linear(tmp_path: Path) -> None:
    """Ten thousand atoms within 200 MB of address space."""
    n = 10_000
    value = kb.problem(
        {str(i): 1 + i % 3 for i in range(n)}, {str(i): 2 for i in range(n)}, 2, 0, 1
    )
    steps = kb.both("pure", 64, {"ties": []})
    case = {
        "problem": value,
        "problem_suffix": ".json",
        "certificate": kb.certificate(value, "certified", steps),
    }
    code, line = kernel(*files(case, tmp_path), memory=200 << 20)
    assert (code, line[:10]) == (0, "certified:")


def test_no_assert_and_only_the_standard_library() -> None:
    import ast

    own = {".".join(p.relative_to(kb.KERNEL).with_suffix("").parts) for p in kb.files()}
    rooms = {name.split(".")[0] for name in own}
    assert not rooms & set(sys.stdlib_module_names) - {"__main__"}
    own |= {"core", "reader"}
    for path in kb.files():
        for node in ast.walk(ast.parse(path.read_text())):
            assert not isinstance(node, ast.Assert)
            names = []
            if isinstance(node, ast.Import):
                names = [a.name for a in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0
                names = [node.module or ""]
            for name in names:
                assert name in own or name.split(".")[0] in sys.stdlib_module_names
                assert name not in ("pickle", "marshal", "ctypes")
                # the table of kinds loads the modules that it names itself
                assert name != "importlib" or path.name in ("kinds.py", "tables.py")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__", "float")
    assert os.path.isfile(kb.KERNEL / "__main__.py")
