"""Read a proof file: Python syntax, interpreted as data and never executed.

A file holds one docstring (it may end with what symbols mean, see symbol_words.py), imports from
pfverify.proof.language, assignments and one `Claim`.
What several files of a paper assign alike stands once in `settings/NAME.py` beside them, a file
without a claim, from which they (and other settings) import with `from settings.NAME import *`.
There is no control flow, no attribute access and no float; whole numbers are exact, `a / b` of
numbers is a fraction, comparisons are formulas, `and`, `or`, `not` connect formulas.

A file is read twice. What is proved, and printed, are terms as sympy simplifies them: u/u is 1,
sqrt(u)^2 is u, whatever u is. What must have a value are the terms as they are written: the second
reading simplifies nothing, and the claim knows both.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import sympy as sp
from sympy.core.function import UndefinedFunction

from pfverify.errors import InputError, shorten
from pfverify.proof.claim import Claim, paired
from pfverify.proof.language import LANGUAGE
from pfverify.proof.terms import (
    MAX_BITS,
    Connective,
    Formula,
    as_term,
    combined,
    power,
    real_term,
    relation,
    require_manageable,
)

MODULE = "pfverify.proof.language"
_SETTING = re.compile(r"settings\.([a-z][a-z0-9_]*)")
MAX_BYTES = 100_000
_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: partial(combined, operator.add),
    ast.Sub: partial(combined, operator.sub),
    ast.Mult: partial(combined, operator.mul),
    ast.Div: partial(combined, operator.truediv),
    ast.Pow: power,
}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


class Setting:
    """A file of assignments: the names it assigns, and expressions read among these names.

    `folder` is where `settings/` is looked for, None where there is none; `within` are the settings
    that are being read.
    """

    def __init__(
        self, text: str, where: str, changes: Mapping[str, str] | None = None,
        folder: Path | None = None, within: tuple[Path, ...] = (),
    ) -> None:  # fmt: skip
        self.where = where
        self._within = within
        self._changes = dict(changes or {})
        self._folder = folder
        self.names: dict[str, Any] = {}
        self.settings: dict[str, str] = {}  # the texts of the settings that it imports
        self._set: dict[str, str] = {}  # the names that a setting assigned, and which
        if len(text) > MAX_BYTES:
            raise InputError(f"{where}: longer than {MAX_BYTES} bytes")
        try:
            with warnings.catch_warnings():  # of escapes in text and the like, not for readers
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            why = str(error) or "it is nested too deeply"
            raise InputError(f"{where}: not Python syntax: {_line(why)}") from None
        claims: list[Claim] = []
        for statement in tree.body:
            try:
                claims += self._statement(statement)
            except InputError as error:
                text = _line(str(error))
                raise InputError(f"{where}, line {statement.lineno}: {text}") from None
            except Exception as error:  # whatever a word of the language makes of its arguments
                what = _line(f"{type(error).__name__}: {error}")
                raise InputError(f"{where}, line {statement.lineno}: {what}") from None
        self._take(claims)

    def _take(self, claims: list[Claim]) -> None:
        if claims:
            raise InputError(f"{self.where}: a setting has no Claim")

    def expression(self, text: str) -> Any:
        """Return the value of an expression among the names of the file.

        Raises InputError for text that is no expression of the language.
        """
        try:
            return self._value(ast.parse(text, mode="eval").body)
        except InputError:
            raise
        except Exception as error:  # as for statements
            why = _line(f"{type(error).__name__}: {error}")
            raise InputError(f"cannot read {shorten(text)!r} as an expression: {why}") from None

    def _statement(self, node: ast.stmt) -> list[Claim]:
        if isinstance(node, ast.ImportFrom):
            if match := _SETTING.fullmatch(node.module or ""):
                self._import_setting(match[1], node)
                return []
            if node.module != MODULE:
                raise InputError(f"only {MODULE} and settings.NAME can be imported")
            for alias in node.names:
                if alias.asname or (alias.name != "*" and alias.name not in LANGUAGE):
                    raise InputError(f"{MODULE} has no {alias.name!r}")
            return []
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                return []
            value = self._value(node.value)
            return [value] if isinstance(value, Claim) else []
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return self._assign(node.targets[0], self._value(node.value))
        raise InputError(f"a proof file has no {type(node).__name__}")

    def _import_setting(self, name: str, node: ast.ImportFrom) -> None:
        if self._folder is None:
            raise InputError("a setting is imported by proof files in a folder, by nothing else")
        if node.level or [(a.name, a.asname) for a in node.names] != [("*", None)]:
            raise InputError(f"write: from settings.{name} import *")
        path = self._folder / "settings" / f"{name}.py"
        if path in self._within:
            raise InputError(f"settings.{name} imports itself")
        within, where = (*self._within, path), f"settings/{path.name}"
        setting = Setting(_text(path), where, self._changes, self._folder, within)
        self.settings |= {**setting.settings, where: _text(path)}
        for assigned, value in setting.names.items():
            if assigned in self.names:
                raise InputError(f"{assigned!r} of {setting.where} is assigned here already")
            self._put(assigned, value)
            self._set[assigned] = setting._set.get(assigned, where)

    def _put(self, name: str, value: Any) -> None:
        if name in self._set:
            raise InputError(f"{name!r} is assigned in {self._set[name]} already")
        self.names[name] = value

    def _assign(self, target: ast.expr, value: Any) -> list[Claim]:
        if isinstance(target, ast.Tuple):
            if not isinstance(value, tuple | list) or len(value) != len(target.elts):
                raise InputError(f"{len(target.elts)} names for another number of values")
            for part, item in zip(target.elts, value, strict=True):
                self._assign(part, item)
            return []
        if not isinstance(target, ast.Name):
            raise InputError("only names can be assigned")
        if target.id in LANGUAGE:
            raise InputError(f"{target.id!r} is a word of the language")
        if target.id in self._changes:
            value = self.expression(self._changes[target.id])
        self._put(target.id, value)
        return [value] if isinstance(value, Claim) else []

    def _value(self, node: ast.expr) -> Any:
        value = self._read(node)
        if isinstance(value, sp.Basic | Formula):
            require_manageable(value)
            if isinstance(value, sp.Expr):
                as_term(value)
        elif isinstance(value, str) and len(value) > MAX_BYTES:
            raise InputError(f"a text is longer than {MAX_BYTES} characters")
        return value

    def _read(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool) or not isinstance(node.value, int | str):
                raise InputError(f"{node.value!r}: write numbers as whole numbers or fractions")
            if isinstance(node.value, int) and node.value.bit_length() > MAX_BITS:
                raise InputError("a number is too large")
            return sp.Integer(node.value) if isinstance(node.value, int) else node.value
        if isinstance(node, ast.Name):
            if node.id in self.names:
                return self.names[node.id]
            if node.id in LANGUAGE:
                return LANGUAGE[node.id]
            raise InputError(f"{node.id!r} is not defined")
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = self._value(node.left), self._value(node.right)
            if isinstance(left, str) and isinstance(right, str) and isinstance(node.op, ast.Add):
                return left + right
            return _OPERATORS[type(node.op)](real_term(left), real_term(right))
        if isinstance(node, ast.UnaryOp):
            value = self._value(node.operand)
            if isinstance(node.op, ast.USub):
                return -as_term(value)
            if isinstance(node.op, ast.Not) and isinstance(value, Formula):
                return Connective("not", (value,))
        if isinstance(node, ast.BoolOp):
            parts = tuple(self._value(v) for v in node.values)
            if all(isinstance(p, Formula) for p in parts):
                return Connective("and" if isinstance(node.op, ast.And) else "or", parts)
        if isinstance(node, ast.Compare):
            return self._comparison(node)
        if isinstance(node, ast.List | ast.Tuple):
            values = [self._value(v) for v in node.elts]
            return values if isinstance(node, ast.List) else tuple(values)
        if isinstance(node, ast.Dict):
            if None in node.keys:
                raise InputError("** is not in the language")
            keys = [self._value(k) for k in node.keys if k is not None]
            if len(set(keys)) != len(keys):
                raise InputError("a key stands twice")
            return dict(zip(keys, map(self._value, node.values), strict=True))
        if isinstance(node, ast.Call):
            return self._call(node)
        raise InputError(f"a proof file has no {type(node).__name__}")

    def _comparison(self, node: ast.Compare) -> Formula:
        sides = [real_term(self._value(v)) for v in (node.left, *node.comparators)]
        parts: list[Formula] = []
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            if type(op) not in _COMPARISONS:
                raise InputError(f"{type(op).__name__} is not in the language")
            parts.append(relation(_COMPARISONS[type(op)], left, right))
        return parts[0] if len(parts) == 1 else Connective("and", tuple(parts))

    def _call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name):
            raise InputError("only names can be called")
        function = self._value(node.func)
        if not callable(function):
            raise InputError(f"{node.func.id!r} cannot be called")
        args = [self._value(a) for a in node.args]
        if isinstance(function, UndefinedFunction):  # sympy would read text as a program
            if node.keywords or not args:
                raise InputError(f"{node.func.id!r} needs terms")
            return function(*(real_term(a) for a in args))
        keywords: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in keywords:
                raise InputError("** is not in the language, and a keyword stands once")
            keywords[keyword.arg] = self._value(keyword.value)
        return function(*args, **keywords)


def _line(text: str) -> str:
    """Text of any length as one line."""
    return shorten(text, 400)


class _Reading(Setting):
    """A proof file as it is read once."""

    claim: Claim

    def _take(self, claims: list[Claim]) -> None:
        if len(claims) != 1:
            raise InputError(f"{self.where}: expected one Claim, found {len(claims)}")
        self.claim = claims[0]


class ProofFile(_Reading):
    """A proof file: its claim, the names it assigns, and expressions read among these names."""

    def __init__(
        self, text: str, where: str, changes: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:  # fmt: skip
        super().__init__(text, where, changes, folder)
        with sp.evaluate(False):
            self._written = _Reading(text, where, changes, folder)
        self.claim = self.changed(lambda claim, _: claim)

    def changed(self, change: Callable[[Claim, Callable[[str], Any]], Claim]) -> Claim:
        """Return the claim after a change, which is made to the claim as written too.

        The change is given the claim, and what reads an expression among the names of the file.
        """
        with sp.evaluate(False):
            written = change(self._written.claim, self._written.expression)
        return paired(change(self.claim, self.expression), written)


def load_proof(path: Path, changes: Mapping[str, str] | None = None) -> ProofFile:
    """Read a proof file; `changes` gives names that it (or a setting) assigns another expression.

    Raises InputError naming file, line and what was wrong.
    """
    return ProofFile(_text(path), path.name, changes, path.parent)


def _text(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            raise InputError(f"{path}: expected a file of at most {MAX_BYTES} bytes")
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot read: {error}") from None
