"""What an answer rests on: the files of the kernel that were loaded for it, and the facts it used.

Looked at when the answer is there, so this file is none of them.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

from core.rules import Facts

HERE = Path(__file__).resolve().parent
NOT_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
            tokenize.ENDMARKER)  # fmt: skip


def code_lines(source: str) -> int:
    """The number of lines with code: without docstrings, comments and blank lines."""
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in NOT_CODE:
            code.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if ast.get_docstring(node) is not None:
                code.difference_update(range(first.lineno, (first.end_lineno or 0) + 1))
    return len(code)


def files() -> dict[str, int]:
    """The loaded files of the kernel but this one, each with its lines of code."""
    loaded = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    paths = {Path(path).resolve() for path in loaded if path}
    own = sorted(p for p in paths if HERE in p.parents and p != Path(__file__).resolve())
    return {path.relative_to(HERE).as_posix(): code_lines(path.read_text("utf-8")) for path in own}


def report(used: dict[str, Facts]) -> list[str]:
    """The lines that say it: files with their lines of code, the total, rules with their facts."""
    found = files()
    lines = [f"file {name}: {count}" for name, count in found.items()]
    lines.append(f"total: {sum(found.values())} lines of code in {len(found)} files")
    for rule, facts in sorted(used.items()):
        lines.append(f"rule {rule}: {', '.join(sorted(facts)) or 'no named fact'}")
    return lines
