"""Mutation testing of the kernel: python tests/kernel/mutants.py [COUNT] [SEED] [MODULE ...]

Changes one operator, constant, condition or statement of a kernel module at a time, runs a short
battery of the tests against the changed copy in a forked process, and prints the survivors and the
score.  Run by hand; it takes a few seconds per mutant.
"""

from __future__ import annotations

import ast
import copy
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = ["enclose", "grammar", "zero", "laplace", "rules", "reader", "checker"]
COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.RShift: ast.LShift,
    ast.LShift: ast.RShift,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.BitOr: ast.BitAnd,
}
SECONDS = 90


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one change each."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        yield ast.Compare(
            node.left, [COMPARISONS[type(node.ops[0])](), *node.ops[1:]], node.comparators
        )
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield node.operand
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        changed = copy.copy(node)
        changed.test = ast.UnaryOp(ast.Not(), node.test)
        yield changed
    if isinstance(node, ast.Raise | ast.Break) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    ):
        yield ast.Pass()
    if isinstance(node, ast.Name) and node.id in ("min", "max", "any", "all"):
        other = {"min": "max", "max": "min", "any": "all", "all": "any"}
        yield ast.Name(other[node.id], node.ctx)


def mutants(source: str) -> Iterator[tuple[int, str]]:
    """(line, source with one change)."""
    tree = ast.parse(source)
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            places = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
            for index, node in places:
                if not isinstance(node, ast.AST) or name in ("annotation", "returns"):
                    continue
                for changed in variants(node):
                    if index is None:
                        setattr(parent, name, changed)
                    else:
                        value[index] = changed
                    line = getattr(node, "lineno", 0)
                    yield line, ast.unparse(ast.fix_missing_locations(copy.deepcopy(tree)))
                    if index is None:
                        setattr(parent, name, node)
                    else:
                        value[index] = node


def battery(tree: Path) -> None:
    """Raises when the tests in the copied tree notice something."""
    sys.path.insert(0, str(tree / "tests" / "kernel"))
    import json

    import kernel_builder as kb
    import test_kernel_corpus as corpus
    import test_kernel_enclose as enclose
    import test_kernel_mutation as mutation
    import test_kernel_rules as rules
    import test_kernel_zero as zero

    for path in corpus.CASES:
        case = json.loads(path.read_text())
        word, message = kb.run(case["problem"], case["certificate"], case["problem_suffix"])
        if word != case["expect"] or "beyond this kernel" in message:
            raise ValueError(path.stem)
    corpus.test_the_minimum_names_its_theorem()
    enclose.test_log_of_2()
    enclose.test_shifts()
    enclose.test_sums_and_products_keep_every_pair_of_members()
    enclose.test_enormous_exponents()
    enclose.run(1500, 1)
    enclose.wide(400, 3)
    enclose.test_high_precision()
    for mark in (
        "test_signs",
        "test_undefined_numbers",
        "test_not_numbers",
        "test_canonical_texts",
    ):
        test = getattr(zero, mark)
        for arguments in test.pytestmark[0].args[1]:
            test(*arguments) if isinstance(arguments, tuple) else test(arguments)
    zero.test_coprime_base()
    zero.test_radicals()
    zero.test_quotient_powers()
    zero.test_quotient_identities()
    zero.test_random_sums_are_never_called_zero_wrongly()
    for text in zero.LINEAR:
        zero.test_forms_and_rates_have_the_value_of_the_number(text)
    for text in zero.SUMS:
        zero.test_sums_have_the_value_of_the_number(text)
    rules.test_decisions_are_reached()
    for seed in range(40):
        rules.near_the_edge(seed)
    for seed in range(60):
        rules.exact_edge(seed)
    rules.test_facts_are_cited()
    rules.test_one_radical_by_squaring()
    rules.test_one_radical_twice()
    rules.test_different_radicals_are_not_taken_for_one()
    enclose.test_undecided_arguments()
    rules.test_two_radicals_are_refused()
    mutation.battery(0.03)


def survives(module: str, source: str) -> bool:
    """Whether the battery passes with this source (in a fork, with a time limit)."""
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name)
        for part in ("pfverify/kernel", "tests/kernel", "tests/certificates"):
            shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
        (tree / "pfverify" / "kernel" / f"{module}.py").write_text(source)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                signal.alarm(SECONDS)  # an endless loop is noticed too
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
                sys.dont_write_bytecode = True
                battery(tree)
                code = 0
            finally:
                os._exit(code)
        return os.waitpid(child, 0)[1] == 0


def main() -> None:
    import flint  # noqa: F401  (imported once, before the forks)
    import hypothesis  # noqa: F401
    import mpmath  # noqa: F401
    import pytest  # noqa: F401

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    everything = []
    for module in sys.argv[3:] or MODULES:
        source = (ROOT / "pfverify" / "kernel" / f"{module}.py").read_text()
        everything += [(module, line, text) for line, text in mutants(source)]
    chosen = random.Random(seed).sample(everything, min(count, len(everything)))
    left = 0
    for i, (module, line, text) in enumerate(chosen, 1):
        if survives(module, text):
            left += 1
            original = ast.unparse(
                ast.parse((ROOT / "pfverify/kernel" / f"{module}.py").read_text())
            )
            pairs = zip(original.splitlines(), text.splitlines(), strict=False)
            before, after = next(((a, b) for a, b in pairs if a != b), ("", ""))
            print(f"survivor {module}.py:{line}: {before.strip()}  ->  {after.strip()}", flush=True)
        if i % 50 == 0:
            print(f"{i} tried, {i - left} killed", flush=True)
    print(f"{len(chosen)} of {len(everything)} mutants tried, {len(chosen) - left} killed")


if __name__ == "__main__":
    main()
