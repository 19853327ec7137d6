"""Every ``Example:`` of a docstring is run, and what it claims is checked.

An example is one or more claims, separated by semicolons: ``code`` alone, which must run; ``code``
is ``value`` (or True, False, None, a number), equal or printed so; ``ball``, which is something,
contains a number, whole or begun as 2.57...; ``code`` raises, perhaps "the message". What follows
is for the reader. In a value, 1/2 is the fraction. Names are those of the module and of `names`.
"""

from __future__ import annotations

import ast
import importlib
import re
import shlex
import textwrap
from collections.abc import Iterator
from contextlib import chdir
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import mpmath
import pytest
import sympy
from click.testing import CliRunner
from support.chart_orders import orders_of

import pfverify
from pfverify import Chain, Discrete, Gaussian, Laplace, Problem, System, certify
from pfverify.certificate.build import write_verdict
from pfverify.crosscheck.case import AtomLaw, Case
from pfverify.crosscheck.kinds import judge
from pfverify.decide.exponential.pair import Pair
from pfverify.decide.routes import comparison
from pfverify.edge.cli import commands
from pfverify.edge.packaged import example_text
from pfverify.edge.views.registry import view_of
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, raw
from pfverify.exact.enclosure import Enclosure
from pfverify.exact.expsum import Exponent, ExpSum
from pfverify.exact.grid import Grid
from pfverify.exact.number import Number, number
from pfverify.model.channels.channel import Channel
from pfverify.model.notion import Renyi
from pfverify.model.requirement import Requirement
from pfverify.model.sources.given import Given
from pfverify.proof.files import proof_files
from pfverify.symbolic.bernoulli import least_scale
from pfverify.symbolic.plans import plan_matrix
from pfverify.transport.line import monotone_plan
from pfverify.transport.plan import plan_of_line
from pfverify.transport.validate import validate_plan

ROOT = Path(pfverify.__file__).parent
PROOFS = Path(__file__).resolve().parents[2] / "proofs"  # not beside an installed package

TEXT = re.compile(
    r"\bExample:\s+(``.*?)(?=\n[ \t]*\n|\bSource: |\bRaises |\Z)", re.DOTALL
)
BLOCK = re.compile(r"\bExample::\n\n(.*)", re.DOTALL)
COMMAND = re.compile(r"^ *(pfverify .*)$", re.MULTILINE)
CLAIM = re.compile(
    r"``(?P<code>(?:[^`]|`(?!`))+)``"
    r"(?:(?:, which is .*,)? (?P<verb>is|contains|raises)\b *(?P<rest>.*))?\.?"
)
VALUE = re.compile(r"``(.+?)``(?!`)|(True|False|None|-?\d+(?:/\d+|\.\d+)?)(?![\d.]*\d)")
BEGUN = re.compile(r"(-?\d+)\.(\d+)\.\.\.")

PEOPLE = "smoker,age,job\nyes,34,a\nno,41,a\nno,29,b\nyes,57,b\nno,63,a\nno,34,b\n"
MINE = """
import numpy as np

def scale(atoms, p, q, epsilon):
    return (atoms[-1] - atoms[0]) / epsilon

def loss(atoms, p, q, scale):
    return (atoms[-1] - atoms[0]) / scale

def noisy(x, n, seed=0, scale=1.0):
    return x + np.random.default_rng(seed).laplace(0, scale, n)
"""
RELEASE = """
from pfverify.program import coin

def release(answer):
    return answer if coin("1/2") else coin("1/2")
"""
PTABLE = "i,j,p,v\n0,0,1,0\n1,0,0.5,-1\n1,2,0.5,1\n"
PERTURB = "original,published,share\n0,0,1\n1,0,0.5\n1,2,0.5\n"
PROVE = "pfverify prove"
# the proofs that the examples of `prove` run on: every paper and result that they name
FEW = ("N09", "N20", "G11", "G12")


# run by default on less, where the command or the function has its own tests; whole here
LONG = {
    "pfverify demo",
    "pfverify demo --locations --csv",
    "pfverify demo --multi-user",
    "pfverify prove",
    "pfverify prove --html book",
    "pfverify report example:theorem-2-fails -o theorem.md",
    "pfverify crosscheck mine:scale --kind scale --problem smallest.toml --json",
    "pfverify.edge.papers.locations:compare_locations",
    "pfverify.edge.papers.scales:multi_user_curves",
    "pfverify.edge.report.report:save_report",
    "pfverify.edge.report.report:written",
    "pfverify.edge.thresholded:reported",
}


class Example(NamedTuple):
    """One docstring's example: where it stands, and its text."""

    module: str
    owner: str
    text: str


@cache
def docstrings() -> list[tuple[str, str, str]]:
    """Every docstring of the files that have examples, with its module and its owner."""
    every = []
    for path in sorted(ROOT.rglob("*.py")):
        source = path.read_text("utf-8")
        if "Example" not in source:
            continue
        module = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        for node in _documented(ast.parse(source)):
            found = ast.get_docstring(node)
            if found:
                owner = getattr(node, "name", "module")
                every.append((module.removesuffix(".__init__"), owner, found))
    return every


def _documented(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> Iterator[Any]:
    """A module with its classes and functions, and theirs."""
    yield node
    for part in node.body:
        if isinstance(part, ast.ClassDef | ast.FunctionDef):
            yield from _documented(part)


def examples() -> list[Example]:
    return [
        Example(module, owner, found[1])
        for module, owner, text in docstrings()
        for found in TEXT.finditer(text)
    ]


def command_lines() -> list[str]:
    """The examples of the command line, of the help too, which stand below each other."""
    helps = [command.help or "" for command in commands.commands.values()]
    return [
        found[1]
        for text in [*(text for _, _, text in docstrings()), *helps]
        if re.search(r"\bExamples?:\n", text)
        for found in COMMAND.finditer(text[text.index("Example") :])
    ]


class _Exact(ast.NodeTransformer):
    """Quotients of integers become fractions, as they are meant in a value."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        signed = node.left.operand if isinstance(node.left, ast.UnaryOp) else node.left
        whole = all(
            isinstance(part, ast.Constant) and isinstance(part.value, int)
            for part in (signed, node.right)
        )
        if isinstance(node.op, ast.Div) and whole:
            name = ast.Name("Fraction", ast.Load())
            return ast.Call(name, [node.left, node.right], [])
        return node


def evaluated(code: str, names: dict[str, Any], *, exact: bool = False) -> Any:
    tree = ast.parse(code, mode="eval")
    if exact:
        tree = ast.fix_missing_locations(_Exact().visit(tree))
    return eval(compile(tree, "<example>", "eval"), names)


def holds(found: Any, value: Any) -> bool:
    """Whether a value equals the one that was claimed; True is not 1."""
    if isinstance(value, bool) or value is None:
        return found is value
    return bool(found == value)


def contains(found: Any, claimed: str, names: dict[str, Any]) -> bool:
    """Whether a ball meets the decimals that a number begins with, or holds all of it."""
    ball = found if isinstance(found, Ball) else Ball(found)
    if begun := BEGUN.match(claimed):
        low = Fraction(f"{begun[1]}.{begun[2]}")
        high = low + Fraction(1, 10 ** len(begun[2]))
        low, high = Ball(low).raw, Ball(high).raw
        return bool(low < ball.raw < high)
    value = VALUE.match(claimed)
    assert value, f"no number: {claimed}"
    exact = evaluated(value[1] or value[2], names, exact=True)
    return bool(Ball(exact).raw in ball.raw)


def check_claim(claim: str, names: dict[str, Any]) -> None:
    found = CLAIM.fullmatch(claim.strip())
    assert found, f"not a claim: {claim}"
    code, verb, rest = found["code"], found["verb"], found["rest"] or ""
    if verb == "raises":
        with pytest.raises(Exception) as caught:  # noqa: PT011
            evaluated(code, names)
        if message := re.match(r'"(.*)"', rest):
            assert str(caught.value) == message[1]
        return
    value = evaluated(code, names)
    if verb == "contains":
        assert contains(value, rest, names), value
    elif verb == "is":
        claimed = VALUE.match(rest)
        assert claimed, f"no value: {rest}"
        text = claimed[1] or claimed[2]
        if " ".join(repr(value).split()) != text:
            expected = evaluated(text, names, exact=True)
            assert holds(value, expected), f"{value!r} is not {expected!r}"


def claims(example: Example) -> list[str]:
    return re.split(r"; (?=``)", " ".join(example.text.split()))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that examples name."""
    place = tmp_path_factory.mktemp("examples")
    for name in ("census.toml", "mine.toml"):
        (place / name).write_text(example_text("census"), "utf-8")
    census = Problem.load(place / "census.toml")
    (place / "people.csv").write_text(PEOPLE, "utf-8")
    (place / "mine.py").write_text(MINE, "utf-8")
    (place / "release.py").write_text(RELEASE, "utf-8")
    (place / "ptable.csv").write_text(PTABLE, "utf-8")
    (place / "perturb.csv").write_text(PERTURB, "utf-8")
    write_verdict(
        place / "census.cert", place / "census.toml", census, certify(census), attest=False
    )
    for path in proof_files(PROOFS, FEW):
        paper = place / "proofs" / path.parent.name
        paper.mkdir(parents=True, exist_ok=True)
        (paper / path.name).symlink_to(path)
    return place


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all proofs."""
    place = tmp_path_factory.mktemp("checkout")
    (place / "proofs").symlink_to(PROOFS)
    return place


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    """What examples speak of without saying what it is."""
    p, q = Discrete({0: "1/2", 1: "1/2"}), Discrete({0: "1/4", 3: "3/4"})
    problem = problem_of({"a": p, "b": q})
    diverging = Problem({"a": p, "b": q}, noise=Laplace(2), epsilon=1, form=Renyi(2))
    normals = problem_of({"a": Gaussian(0, sd=1), "b": Gaussian("1/2", sd=1)})
    (normal_pair,) = normals.questions()
    (pair,) = problem.questions()
    points = Pair(Discrete({0: 1}), Discrete({1: 1}))
    turn = {"low": {"low": "3/4", "high": "1/4"}, "high": {"low": "1/4", "high": "3/4"}}
    chain = Chain({"low": 0, "high": 1}, "stationary", turn, 5)
    system = System(others=[{"bernoulli": "2/3"}], user={"yes": {"point": 1}, "no": {"point": 0}})
    plan = plan_of_line(monotone_plan(p, q))
    kinds = (Fraction, Ball, Number, Exponent, ExpSum, Enclosure, Grid, Given, Requirement)
    exact = {kind.__name__: kind for kind in kinds}
    public = {name: getattr(pfverify, name) for name in pfverify.__all__}
    return exact | public | {
        "sympy": sympy, "mpmath": mpmath, "raw": raw, "number": number, "Path": Path,
        "p": p, "q": q, "problem": problem, "diverging": diverging,
        "pair": pair, "item": pair, "items": [pair],
        "priors": {"a": p, "b": q},
        "system": system, "chain": chain,
        "epsilon": problem.epsilon, "delta": problem.delta, "plan": plan,
        "monotone_plan": monotone_plan, "report": validate_plan(plan, p, q),
        "normal_items": [normal_pair], "order": orders_of(normal_pair)[0],
        "points": points, "comparison": comparison,
        "statement": least_scale(), "channel": Channel.of(RESPONSE),
        "two_apart": plan_matrix(Discrete({0: 1}), Discrete({2: 1})),
        "view": view_of(certify(problem)),
        "case": QUESTION, "finding": judge(QUESTION, 0.4),
    }  # fmt: skip


QUESTION = Case(
    "loss", "laplace", AtomLaw((0.0, 1.0), (1.0, 0.0)), AtomLaw((0.0, 1.0), (0.0, 1.0)), scale=2.0
)
RESPONSE = {"kind": "randomized-response", "inputs": ["a", "b"], "truth": "3/4"}


def problem_of(priors: dict[str, Any]) -> Problem:
    return Problem(priors, noise=Laplace(2), epsilon=1, delta="1/100")


def marked(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.long] if name in LONG else []


@pytest.mark.parametrize(
    "example",
    [pytest.param(one, id=name, marks=marked(name)) for one in examples()
     for name in [f"{one.module}:{one.owner}"]],
)  # fmt: skip
def test_an_example_is_as_it_says(example: Example, names: dict[str, Any], folder: Path) -> None:
    own = vars(importlib.import_module(example.module))
    with chdir(folder):
        for claim in claims(example):
            try:
                check_claim(claim, {**names, **own})
            except InputError as error:
                if not str(error).startswith("this subject needs"):
                    raise
                pytest.skip(str(error))  # a library that the tests do without


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=marked(line)) for line in command_lines()]
)
def test_an_example_of_the_command_line_runs(line: str, folder: Path) -> None:
    """Those of `prove` here on a few proofs; on all of them, see the next test."""
    with chdir(folder):
        found = CliRunner().invoke(commands, shlex.split(line)[1:])
    assert found.exit_code in (0, 1, 3), found.output


@pytest.mark.long
@pytest.mark.parametrize("line", [one for one in command_lines() if one.startswith(PROVE)])
def test_an_example_of_prove_runs_on_all_proofs(line: str, checkout: Path) -> None:
    """Of minutes, with every exercise for the book; .ci/run checks all proofs."""
    with chdir(checkout):
        found = CliRunner().invoke(commands, shlex.split(line)[1:], standalone_mode=False)
    assert found.return_value == int("--break" in line), found.output


def test_the_example_of_the_package_runs() -> None:
    found = BLOCK.search(pfverify.__doc__ or "")
    assert found
    exec(textwrap.dedent(found[1]), {})


def test_examples_are_found_and_can_fail(names: dict[str, Any]) -> None:
    assert len(examples()) > 150
    assert len(command_lines()) > 80
    assert {*command_lines(), *(f"{one.module}:{one.owner}" for one in examples())} >= LONG
    for module, owner, text in docstrings():
        for begins in re.findall(r"\bExamples?:\s+(\S+)", text):
            assert begins.startswith(("``", "pfverify")), f"{module}:{owner}"
    for good in (
        "``1 + 1`` is 2.", "``Fraction(1, 2)`` is ``1/2``", "``raw(2).sqrt()`` contains 1.414...",
        "``Fraction('x')`` raises.", "``1`` is 1, as is well known", "``raw(2)`` contains 2.",
    ):  # fmt: skip
        check_claim(good, names)
    for bad in (
        "``1 + 1`` is 3.", "``1`` is True.", "``raw(2).sqrt()`` contains 1.415...", "``1/0``",
        "``1`` raises.", "of one it is one", "``1`` is one", "``1`` gives 1",
        "``raw(2)`` contains 3", "``1`` is ``-1/1``",
    ):  # fmt: skip
        with pytest.raises((AssertionError, ZeroDivisionError, pytest.fail.Exception)):
            check_claim(bad, names)
