"""What a proved claim rests on: the files of pfverify/proof that read and check it, and how long.

Rendering, exercises, the search for counterexamples, filters and tests of substance are in files
of their own: an error there makes no false claim pass.
"""

import ast
import io
import tokenize
from pathlib import Path

from pfverify import proof

ROOM = Path(proof.__file__).parent
# reached from the checker, and yet not trusted: why
NOT_TRUSTED = {
    "alike": "refuses names that look alike; what it lets through is still proved",
    "files": "finds files; what it finds is checked whole",
    "notation": "how names look",
    "outcome": "carries what was found",
    "paper_notation": "how names look",
    "papers": "references",
    "sampling": "looks for counterexamples, which are only reported",
    "stated": "what readers are shown",
    "substance": "refuses claims that say little; what it lets through is still proved",
    "written": "what readers are shown",
}
# lines of code: raise one only for a rule that shortens the proof files by more (once it was for
# what is written, what is printed and denied, and means before draws change places: all of them
# were believed before; and six lines of imports, for what proof files say of problems is in a file
# of its own)
CHECKING, READING = 3126, 799
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
          tokenize.ENDMARKER}  # fmt: skip


def imports(module):
    found = set()
    for node in ast.walk(ast.parse((ROOM / f"{module}.py").read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "pfverify.proof":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module.startswith("pfverify.proof."):
            found.add(node.module.split(".")[2])
    return found


def reached(*start):
    found, todo = set(), {*start}
    while todo:
        module = todo.pop()
        found.add(module)
        todo |= imports(module) - found - {*NOT_TRUSTED}
    return found


def is_rule(node):
    return isinstance(node, ast.ClassDef) and "Rule" in [getattr(b, "id", "") for b in node.bases]


def with_rules():
    trees = {p.stem: ast.parse(p.read_text("utf-8")) for p in ROOM.glob("*.py")}
    return {name for name, tree in trees.items() if any(map(is_rule, tree.body))}


def code_lines(source):
    """The number of lines with code: without docstrings, comments and blank lines."""
    code = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in LAYOUT:
            code |= {*range(token.start[0], token.end[0] + 1)}
    documented = ast.Module | ast.ClassDef | ast.FunctionDef
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, documented) and ast.get_docstring(node):
            code -= {*range(node.body[0].lineno, node.body[0].end_lineno + 1)}
    return len(code)


def lines(modules):
    return sum(code_lines((ROOM / f"{module}.py").read_text("utf-8")) for module in modules)


def parts():
    """The files that check steps, and those that only read them."""
    checking = reached("check", *with_rules()) | {"library"}
    return checking, reached("library", "loader") - checking


def test_the_trusted_part_does_not_grow():
    checking, reading = parts()
    assert {"terms", "normal", "arithmetic", "rules", "integrals", "check"} <= checking
    assert {"loader", "language"} <= reading
    assert lines(checking) <= CHECKING
    assert lines(reading) <= READING


def test_what_is_shown_or_sampled_is_no_part_of_it():
    trusted = set.union(*parts())
    assert not trusted & {"mathml", "shown", "exercises", "breaking", "run"}
    assert {*NOT_TRUSTED} <= {name for m in {*trusted, *NOT_TRUSTED} for name in imports(m)}
    assert not {*NOT_TRUSTED} & with_rules()


def test_lines_of_code_are_counted():
    source = '"""What."""\n\nx = 1  # so\n# that\ndef f():\n    """It."""\n    return x\n'
    assert code_lines(source) == 3
