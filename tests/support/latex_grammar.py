"""A small reader of LaTeX math: braces, \\left and \\right, environments, known commands."""

from __future__ import annotations

import re

KNOWN = {
    "left", "right", "begin", "end", "frac", "log", "exp", "max", "min", "theta", "epsilon",
    "text", "mid", "leq", "geq", "neq", "in", "mathbb", "qquad", "pi", "lfloor", "sqrt", "limits",
    "backslash", "textbackslash", "textasciitilde", "textasciicircum", "cdot", "operatorname",
    "mu", "sigma", "delta", "Delta", "lambda", "tau", "infty", "int", "sum", "sup", "lim", "to",
}  # fmt: skip
TOKEN = re.compile(
    r"\\text\{(?:\\.|\{\}|[^{}\\])*\}|\\[a-zA-Z]+|\\.|[{}^_&%$#~]|[^\\{}^_&%$#~]", re.DOTALL
)
CLOSES = {"{": "}", "left": "right", "begin": "end"}


def assert_latex(text: str) -> None:
    """Fail unless the text is well formed math of commands that every TeX knows."""
    assert "".join(TOKEN.findall(text)) == text
    open_: list[str] = []
    tokens = iter(TOKEN.findall(text))
    script_base = True
    for token in tokens:
        name = token[1:] if token.startswith("\\") else token
        if token.startswith("\\text{"):
            continue
        if name.isalpha() and token.startswith("\\"):
            assert name in KNOWN, token
        if token == "{" or name in ("left", "begin"):
            open_.append("{" if token == "{" else name)
        elif token == "}" or name in ("right", "end"):
            assert open_, f"{token} closes nothing in {text}"
            begun = open_.pop()
            assert CLOSES[begun] == name, f"{begun} closed by {token}"
        elif token == "&" or token == "\\\\":
            assert "begin" in open_, f"{token} outside an environment"
        assert token not in ("%", "$", "#", "~"), token
        if token in ("^", "_"):
            assert script_base, f"{token} on nothing"
        script_base = token not in ("^", "_", "&", "{")
    assert not open_, f"{open_} stays open in {text}"
    for environment in ("cases", "matrix"):
        assert text.count(f"\\begin{{{environment}}}") == text.count(f"\\end{{{environment}}}")
