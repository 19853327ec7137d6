"""Proof files are data: hostile ones are refused in one line, quickly, and nothing in them runs."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from pfverify.certificate.build import kernel_word
from pfverify.errors import InputError
from pfverify.proof.breaking import broken
from pfverify.proof.check import check_claim
from pfverify.proof.loader import MAX_BYTES, ProofFile, load_proof
from pfverify.proof.normal import same
from pfverify.proof.terms import Relation, relation

CLAIM = (
    'Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED, printed=proved('
    'statement=a == a, steps=[step("s", a == a, identity())]))\n'
)
HEAD = 'from pfverify.proof.language import *\na, b = constants("a b")\nv = variables("v")\n'
f = 'f = functions("f")\n'
CODE = "\"__import__('pathlib').Path('{0}').touch()\""

HOSTILE = {
    # texts that sympy would run
    **{
        f"text in {call}": f + f"q = {call.replace('T', CODE)}"
        for call in (
            "log(T)", "exp(T)", "f(T)", "abs(T)", "sqrt(T)", "maximum(T, 1)", "minimum(1, T)",
            "indicator(T)", "total(T, v)", "integral(T, v, 0, 1)", "integral(v, v, T, 1)",
            "at(v, {{v: T}})", "at(T, {{v: 1}})", "use('h', {{v: T}})", "arithmetic(hints=[T])",
            "antiderivative(T)", "rational(T)", "v + T", "-T", "v <= T", "v ** T",
            "integrate('h', v, weight=T)", "one_term('h', {{v: T}})", "instance(a=T)",
            "instance(P={{0: T}})", "masses_of({{0: T}})", "constants(T)", "single('h', v, T)",
            "integrate('h', v, between=(T, 1))", "refuted(v <= 0, at={{v: T}})",
        )
    },
    # Python that is not data
    "attribute": "q = a.name", "dunder": "q = a.__class__", "subscript": "q = [1][0]",
    "lambda": "q = lambda: 1", "comprehension": "q = [1 for k in 2]", "walrus": "q = (r := 1)",
    "f-string": 'q = f"{1}"', "star": "q = maximum(*[1, 2])", "double star": "q = instance(**{})",
    "import": "import os", "other import": "from os import path",
    "alias": "from pfverify.proof.language import exp as e",
    "private import": "from pfverify.proof.language import LANGUAGE",
    "relative import": "from . import language", "def": "def q(): pass", "class": "class Q: pass",
    "if": "if 1: q = 1", "for": "for q in [1]: pass", "while": "while 1: pass", "del": "del a",
    "assert": "assert 1", "with": "with a: pass", "raise": "raise a", "global": "global a",
    "augmented": "a += 1", "annotated": "q: int = 1", "two targets": "q = r = 1",
    "starred target": "q, *r = [1, 2]", "conditional": "q = 1 if 1 else 2", "float": "q = 0.5",
    "complex": "q = 1j", "bytes": 'q = b"1"', "bool": "q = True", "none": "q = None",
    "ellipsis": "q = ...", "set": "q = {1, 2}", "floor": "q = 7 // 2", "modulo": "q = 7 % 2",
    "matrix": "q = a @ b", "shift": "q = 1 << 2", "invert": "q = ~1", "is": "q = a is b",
    "in": "q = a in b", "await": "q = await a", "yield": "q = yield",
    "a word is assigned": "exp = log", "a symbol is called": "q = a(1)",
    "text is called": 'q = "a"()',
    "a number is called": "q = 1(2)", "unknown name": "q = open", "builtin": "q = eval('1')",
    "__builtins__": "q = __builtins__", "options": "q = exp(0, evaluate=0)",
    "options of functions": f + "q = f(1, evaluate=0)", "mixed and": "q = a and 1",
    "not a number": "q = not a", "key twice": "q = {1: 2, 1: 3}", "list as key": "q = {[1]: 2}",
    # no real value
    "1/0": "q = 1 / 0", "0/0": "q = 0 / 0", "0**-1": "q = 0**-1", "log 0": "q = log(0)",
    "log -1": "q = log(-1)", "sqrt -1": "q = sqrt(-1)", "oo - oo": "q = oo - oo",
    "0 oo": "q = 0 * oo", "1/oo": "q = 1 / oo", "oo**0": "q = oo**0",
    "max oo": "q = maximum(a, oo)",
    "exp -oo": "q = exp(-oo)", "f oo": f + "q = f(oo)", "oo <= a": "q = a <= oo",
    "root of a square": "q = sqrt(-a**2)",
    # huge
    "huge power": "q = 10**10**10", "tower": "q = 9**9**9**9**9",
    "power of a long number": "q = 0x" + "f" * 20_000 + "**10000",
    "long hexadecimal": "q = 0x" + "f" * 90_000, "long decimal": "q = " + "9" * 90_000,
    "fractional power": "q = 2**(10**9/7)", "exp log": "q = exp(10**9 * log(2))",
    "log log": "q = 2**(10**9 * log(3) / log(2))", "power put in": "q = at(2**v, {v: 10**9})",
    "exp put in": "q = at(exp(v * log(2)), {v: 10**9})", "root": "q = 2**(1/10**9)",
    "doubled text": 's = "a"\n' + "s = s + s\n" * 60,
    "doubled term": "q = v\n" + "q = q + exp(q)\n" * 60,
    "doubled product": "q = v\n" + "q = exp(q) * abs(q)\n" * 60,
    "doubled formula": "q = v <= 0\n" + "q = q and q\n" * 60,
    "doubled by at": "q = v + exp(v)\n" + "q = at(q, {v: q})\n" * 60,
    "deep term": "q = v\n" + "q = exp(q)\n" * 300,
    "multiplied out": "q = 10**10000\n" + "q = q * q\n" * 60,
    "long run": "q = algorithm_1_scale({0: 1/2, 10**9: 1/2}, {0: 1/3, 10**9: 2/3}, 2)",
    # deep
    "minus": "q = " + "-" * 90_000 + "1", "not": "q = " + "not " * 20_000 + "1",
    "parentheses": "q = " + "(" * 40_000 + "1" + ")" * 40_000, "dots": "q = a" + ".b" * 40_000,
    "powers": "q = " + "2**" * 30_000 + "1", "sum": "q = " + "1+" * 45_000 + "1",
    "lists": "q = " + "[" * 45_000 + "]" * 45_000, "calls": "q = " + "exp(" * 500 + "v" + ")" * 500,
    "some minus": "q = " + "-" * 900 + "1", "nul": "q = 1\0", "surrogate": "q = '\\ud800' + 1",
    "long": "#" * MAX_BYTES,
    # parts of the wrong kind
    "printed text": 'c = Claim(id="F1", source=paper("design", "F1"), words="w", result=PROVED, '
                    'printed="x")',
    "example text": 'q = proved(a == a, [], {"h": a <= a}, "x")',
    "hypotheses list": "q = proved(a == a, [], [a <= a])",
    "step name": "q = step(1, a == a, identity())",
    "hypothesis name": "q = proved(a == a, [], {1: a <= a})", "no rule": 'q = step("s", a == a, 1)',
    "no formula": 'q = step("s", a, identity())', "unknown paper": 'q = paper("none", "F1")',
    "list for text": "q = constants([1])", "name with a dot": 'q = constants("a.b")',
    "no domain": "q = total(v, v)", "wrong domain":
        'x, w = indices("x", "X"), indices("w", "W")\nq = at(x, {x: w})',
    "index by a number": 'x = indices("x", "X")\nq = at(x, {x: 1})', "two claims": CLAIM,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line_and_nothing_runs(name: str, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    text = HOSTILE[name].replace("{0}", str(ran)) if "{0}" in HOSTILE[name] else HOSTILE[name]
    text = text.replace("{{", "{").replace("}}", "}")
    start = time.perf_counter()
    with pytest.raises(InputError) as caught:
        ProofFile(HEAD + text + "\n" + CLAIM, "hostile.py")
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("hostile.py")
    assert len(message) < 700
    assert not ran.exists()
    assert time.perf_counter() - start < 20


def test_the_frame_of_the_hostile_files_is_read_and_proved() -> None:
    assert check_claim(ProofFile(HEAD + CLAIM, "fine.py").claim, kernel_word).failure == ""


@pytest.mark.parametrize(
    "statement",
    [
        "(a + b)**5000 <= 1", "a**10000 <= 1", "exp(10**9 * a) <= 1", "((a + b)**60 + 1)**60 <= 1",
        "exp(exp(exp(exp(a)))) <= 1", "a**(1/10000) <= 1", "(a + b + v)**30 <= exp(a)**10000",
        "(a + b + v)**90 <= 1",
    ],
)  # fmt: skip
def test_heavy_formulas_fail_in_time(statement: str) -> None:
    text = CLAIM.replace("a == a", statement).replace("identity()", "arithmetic()")
    start = time.perf_counter()
    outcome = check_claim(ProofFile(HEAD + text, "heavy.py").claim, kernel_word)
    assert outcome.failure
    assert "\n" not in outcome.failure
    assert time.perf_counter() - start < 60


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    large, latin = tmp_path / "large.py", tmp_path / "latin.py"
    large.write_bytes(b"#" * (MAX_BYTES + 1))
    latin.write_bytes(b"# \xff")
    for path in (large, latin, tmp_path, tmp_path / "none.py", Path("/dev/zero")):
        with pytest.raises(InputError):
            load_proof(path)


@pytest.mark.parametrize(
    "change",
    ["", "drop", "drop s", "a", "none = 1", "s = ", "s = 1", "s = a.b", "s = (", "s = 10**10**10",
     "statement = lambda: 1", "s = log(\"__import__('os')\")", "s = 1/0", "statement = [1]",
     "s = " + "-" * 90_000 + "1", "a = oo - oo"],
)  # fmt: skip
def test_changes_that_cannot_be_read(change: str, tmp_path: Path) -> None:
    path = tmp_path / "F1.py"
    path.write_text(HEAD + CLAIM, "utf-8")
    assert broken(path, "s = a <= b").printed
    with pytest.raises(InputError) as caught:
        broken(path, change)
    assert "\n" not in str(caught.value)


def test_a_difference_is_what_a_term_gains_on_the_way_to_a_value() -> None:
    file = ProofFile(HEAD + CLAIM, "test")

    def holds(equation: str) -> bool:
        formula = file.expression(equation)
        return isinstance(formula, Relation) and same(formula, relation("=", 0, 0))

    assert holds("difference(v**2, v, a) == 2 * a - 1")
    assert holds("difference(v**2, v, a, b) == 2 * a * b - b**2")
    for variable in ("a", "2", 'indices("i", "X")'):
        with pytest.raises(InputError, match="difference: expected a real variable"):
            file.expression(f"difference(v, {variable}, b)")


SETTING = 'from pfverify.proof.language import *\n"""Two numbers."""\nb = positive("b")\na = b\n'
WITH_SETTING = """from pfverify.proof.language import *
from settings.two import *
Claim(id="F1", source=paper("design", "F1"), words="none", result=PROVED,
      printed=proved(statement=0 < a + b, steps=[step("s", 0 < a + b, arithmetic())]))
"""


def _folder(tmp_path: Path, setting: str, text: str) -> Path:
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / "two.py").write_text(setting)
    (tmp_path / "F1.py").write_text(text)
    return tmp_path / "F1.py"


def test_a_setting_gives_its_names(tmp_path: Path) -> None:
    path = _folder(tmp_path, SETTING, WITH_SETTING)
    file = load_proof(path)
    assert {"a", "b"} <= {*file.names}
    assert check_claim(file.claim, kernel_word).failure == ""
    changed = load_proof(path, {"a": "-b"})  # a change for teaching reaches the setting
    assert check_claim(changed.claim, kernel_word).failure
    assert broken(path, "a = -2 * b").printed != file.claim.printed


@pytest.mark.parametrize(
    ("setting", "text", "why"),
    [
        (SETTING + 'Claim(id="F1", source=paper("design", "F1"), words="n", result=PROVED)',
         WITH_SETTING, "a setting has no Claim"),
        (SETTING, WITH_SETTING.replace("Claim", "a = 2\nClaim", 1), "'a' is assigned in settings"),
        (SETTING, WITH_SETTING.replace("from settings", "a = 2\nfrom settings"), "'a' of settings"),
        (SETTING, WITH_SETTING.replace("*\nC", "a\nC"), "write: from settings.two import *"),
        (SETTING, WITH_SETTING.replace("from settings", "from .settings"), "write: from settings"),
        (SETTING, WITH_SETTING.replace("two", "three"), "expected a file"),
        (SETTING, WITH_SETTING.replace("settings.two", "settings.two.two"), "can be imported"),
        (SETTING, WITH_SETTING.replace("settings.two", "settings.__init__"), "can be imported"),
        (SETTING + "from settings.two import *", WITH_SETTING, "settings.two imports itself"),
        (SETTING + "q = 1 +", WITH_SETTING, "settings/two.py: not Python syntax"),
        (SETTING + "sqrt = 1", WITH_SETTING, "settings/two.py, line 5"),
    ],
)  # fmt: skip
def test_settings_that_are_refused(tmp_path: Path, setting: str, text: str, why: str) -> None:
    with pytest.raises(InputError, match=re.escape(why)) as caught:
        load_proof(_folder(tmp_path, setting, text))
    assert "\n" not in str(caught.value)
