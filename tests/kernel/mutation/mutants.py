"""The mutants of a module of the kernel, as cosmic-ray makes them."""

from __future__ import annotations

import ast
import pickle
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
KERNEL = HERE.parents[2] / "pfverify" / "kernel"
OPERATORS = HERE / "cosmic-ray.toml"


@dataclass(frozen=True, order=True)
class Mutant:
    """One change, named without line numbers: the text of the line, the operator, and which of the
    operator's changes of that line in that function it is."""

    module: str
    within: str
    line: str
    operator: str
    occurrence: int


@dataclass(frozen=True)
class Change:
    """How a mutant is made: the source with the change, the lines of the statement that is changed,
    and the changed line."""

    mutant: Mutant
    source: str
    lines: frozenset[int]
    becomes: str


@cache
def paths() -> dict[str, Path]:
    """The files of the kernel by their names, which are different in its rooms."""
    found = {path.stem: path for path in KERNEL.rglob("*.py")}
    if len(found) < sum(1 for _ in KERNEL.rglob("*.py")):
        raise ValueError("two files of the kernel have one name")
    return found


def imported_as(path: Path) -> str:
    """The name under which the kernel imports a file of its own."""
    return ".".join(path.relative_to(KERNEL).with_suffix("").parts)


def source_of(module: str) -> str:
    return paths()[module].read_text()


def changes(module: str) -> Iterator[Change]:
    """All mutants of a module, in the order of their operators."""
    from cosmic_ray.ast import get_ast
    from cosmic_ray.mutating import MutationVisitor
    from cosmic_ray.plugins import get_operator

    source = source_of(module)
    tree = pickle.dumps(get_ast(source))  # read again sooner than the source
    lines, statements = source.splitlines(), list(_statements(source))
    seen: Counter[tuple[str, str, str]] = Counter()
    for name, occurrence, within, at in sorted(_places(source)):
        operator = name.removeprefix("core/")
        place = (within, lines[at - 1].strip(), operator)
        if place[1].startswith("spend("):  # what is charged decides nothing: test_kernel_work
            continue
        if place[1].startswith("@lru_cache"):  # nor does what is remembered
            continue
        if "BinaryOperator_BitOr" in operator and any(s in place[1] for s in ("def ", " | None")):
            continue  # a type, which is never evaluated
        if place[1] == "if TYPE_CHECKING:":
            continue
        visitor = MutationVisitor(occurrence, get_operator(name)())
        mutated = visitor.walk(pickle.loads(tree)).get_code()
        inner = min((s for s in statements if at in s), key=len)
        mutant = Mutant(module, *place, seen[place])
        seen[place] += 1
        with suppress(SyntaxError):  # ** before the keys of a table is no power
            ast.parse(mutated)
            yield Change(mutant, mutated, frozenset(inner), changed_line(source, mutated))


def _places(source: str) -> Iterator[tuple[str, int, str, int]]:
    """Operator, occurrence, innermost function and line of every change."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.ast.ast_query import ASTQuery
    from cosmic_ray.plugins import get_operator, operator_names

    left_out = re.compile("|".join(tomllib.loads(OPERATORS.read_text())["exclude-operators"]))
    nodes = list(ast_nodes(get_ast(source)))
    for name in operator_names():
        operator = get_operator(name)
        if left_out.match(name) or operator.arguments():
            continue
        positions = (
            (node, start) for node in nodes for start, _ in operator().mutation_positions(node)
        )
        for occurrence, (node, start) in enumerate(positions):
            yield name, occurrence, ASTQuery(node).get_definition_name() or "", start[0]


def _statements(source: str) -> Iterator[range]:
    """The lines of every statement, of a compound one those before its body."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt | ast.excepthandler):
            body = getattr(node, "body", None)
            end = body[0].lineno if body else (node.end_lineno or node.lineno) + 1
            yield range(_first_line(node), max(end, node.lineno + 1))
    yield range(1, len(source.splitlines()) + 1)


def _first_line(node: ast.stmt | ast.excepthandler) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(d.lineno for d in decorators)])


def changed_line(before: str, after: str) -> str:
    """The added lines in one."""
    diff = list(unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=0))[2:]
    return " ".join(line[1:].strip() for line in diff if line.startswith("+"))
