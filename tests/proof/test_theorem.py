"""Theorems of other files: what may stand for their symbols, what must be shown, no circles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pfverify.proof.outcome import Outcome
from pfverify.proof.run import prove, prove_changed

HEAD = """
from pfverify.proof.language import *
b, c, E = positive("b c E")
a, d, k = constants("a d k")
v, y, u, w = variables("v y u w")
x, z = indices("x z", "X")
i = indices("i", "I")
r, s = draws("r", "L"), draws("s", "M")
j = indices("j", "I")
o, e = member("o", "X"), member("e", "I")
f, g = functions("f g")
P, Q, R = masses("P Q R")
"""
MEAN = """printed=proved(
    given={"law": total(P(x), x) == 1, "bound": f(x) <= a},
    example=instance(X=[0, 1], P={0: 1/2, 1: 1/2}, f={0: 0, 1: 1}, a=1),
    statement=total(P(x) * f(x), x) <= a,
    steps=[step("sum", total(P(x) * f(x), x) <= a * total(P(x), x), integrate("bound", x,
                weight=P(x))),
           step("all", total(P(x) * f(x), x) <= a, arithmetic("sum", "law"))])"""
SQUARE = """printed=proved(statement=b + v**2 > 0 and (v + a)**2 == v**2 + 2*a*v + a**2, steps=[
    step("s", b + v**2 > 0 and (v + a)**2 == v**2 + 2*a*v + a**2, arithmetic())])"""
EVERY = """printed=proved(given={"h": k * f(v) <= a - f(v)**2},
    example=instance(k=0, a=1, f={"else": 0}), statement=k * f(y) <= a,
    steps=[step("s", k * f(y) <= a, arithmetic(use("h", {v: y})))])"""
SHIFT = """printed=proved(given={"h": f(v) <= a}, example=instance(a=0, f={"else": 0}),
    statement=f(d + 1) <= a, steps=[step("s", f(d + 1) <= a, arithmetic(use("h", {v: d + 1})))])"""
DOMINATED = """printed=proved(given={"h": abs(f(v)) <= 1}, example=instance(f={"else": 0}),
    statement=abs(integral(f(v), v, 0, 1)) <= 1,
    steps=[step("one", integral(0*v + 1, v, 0, 1) == 1, antiderivative(v)),
           step("f", abs(integral(f(v), v, 0, 1)) <= integral(0*v + 1, v, 0, 1), dominated("h")),
           step("s", abs(integral(f(v), v, 0, 1)) <= 1, arithmetic("f", "one"))])"""
DATA = """printed=proved(data=instance(a=1), statement=a == 1, steps=[
    step("s", a == 1, finite())])"""
MEMBER = """printed=proved(given={"all": P(x) <= b}, example=instance(X=[0], P={0: 1}, b=1, o=0),
    statement=P(o) <= b, steps=[step("s", P(o) <= b, arithmetic(use("all", {x: o})))])"""
VERDICT = """printed=proved(statement=verdict("A", "certified"), steps=[step(
    "s", verdict("A", "certified"), certificate(problem({0: 1}, {1: 1}, epsilon=1, scale=1)))])"""
FALSE = """printed=proved(statement=a == 1, steps=[step("s", a == 1, arithmetic())])"""
REFUTED = """printed=refuted(statement=a == 1, instance=instance(a=0))"""
INNER = """printed=proved(given={"law": total(P(x), x) == 1},
    example=instance(X=[0], P={0: 1}, a=0), statement=total(P(x) * (a + x), x) == a
    + total(P(x) * x, x), steps=[
        step("split", total(P(x) * (a + x), x) == a * total(P(x), x) + total(P(x) * x, x),
             identity()),
        step("s", total(P(x) * (a + x), x) == a + total(P(x) * x, x),
             arithmetic("split", "law"))])"""
INTEGRAL = """printed=proved(statement=integral(exp(-v), v, 0, oo) == 1, steps=[
    step("s", integral(exp(-v), v, 0, oo) == 1, antiderivative(-exp(-v)))])"""
AVERAGE = """printed=proved(given={"bound": f(r) <= a, "f": integrable(f(r), r)},
    example=instance(L=law({0: 1/2, 1: 1/2}), f={0: 0, 1: 1}, a=1), statement=mean(f(r), r) <= a,
    steps=[step("s", mean(f(r), r) <= a, integrate("bound", r))])"""
OTHERS = {
    "F1": MEAN, "F2": SQUARE, "F3": EVERY, "F4": SHIFT, "F5": DOMINATED, "F6": DATA, "F7": MEMBER,
    "F8": VERDICT, "F9": FALSE, "F10": REFUTED, "F11": INNER, "F8b": INTEGRAL, "F8c": AVERAGE,
}  # fmt: skip


def written(folder: Path, files: dict[str, str], result: dict[str, str] | None = None) -> Path:
    place = folder / "design"
    place.mkdir()
    for name, parts in files.items():
        word = (result or {}).get(name, "REFUTED" if parts is REFUTED else "PROVED")
        (place / f"{name}.py").write_text(
            f'{HEAD}\nClaim(id="{name}", source=paper("design", "{name.rstrip("bc")}"), '
            f'words="none", '
            f"result={word}, {parts})\n", "utf-8")  # fmt: skip
    return place / "F12.py"


def checked(folder: Path, statement: str, rule: str, rest: str = "") -> Outcome:
    part = f"printed=proved(statement={statement}, steps=[step('s', {statement}, {rule})], {rest})"
    (outcome,) = prove([written(folder, {**OTHERS, "F12": part})])
    return outcome


LAW = "given={'law': total(Q(i), i) == 1, 'g': g(i) <= d}, " \
      "example=instance(I=[0], Q={0: 1}, g={0: 0}, d=0)"
TO_I = "'X': 'I', 'P': Q, 'f': g, 'a': d, 'x': i"
CASES: dict[str, tuple[str, str, str, str]] = {  # statement, rule, rest, "" or why it fails
    "other names": ("total(Q(i) * g(i), i) <= d", f"theorem('F1', {{{TO_I}}}, 'law', 'g')", LAW,
                    ""),
    "a hypothesis is not shown": ("total(Q(i) * g(i), i) <= d",
                                  f"theorem('F1', {{{TO_I}}}, 'law')", LAW, "F1 needs: g(i) <= d"),
    "another hypothesis is not shown": ("total(Q(i) * g(i), i) <= d",
                                        f"theorem('F1', {{{TO_I}}}, 'g')", LAW, "F1 needs: sum"),
    "hypotheses by arithmetic": ("total(Q(i) * g(i)**2, i) <= 1",
        "theorem('F1', {'X': 'I', 'P': Q, 'f': maps(i, g(i)**2), 'a': 1, 'x': j}, 'law', "
        "use('g', {i: j}))",
        "given={'law': total(Q(i), i) == 1, 'g': g(i) <= 1 and -1 <= g(i)}, "
        "example=instance(I=[0], Q={0: 1}, g={0: 0})", ""),
    "it says something else": ("total(Q(i) * g(i), i) <= d + 1",
                               f"theorem('F1', {{{TO_I}}}, 'law', 'g')", LAW, "F1 says: "),
    "one of two formulas": ("c + y**2 > 0", "theorem('F2', {'b': c, 'v': y, 'a': d})", "", ""),
    "the other": ("(y + d)**2 == y**2 + 2*d*y + d**2", "theorem('F2', {'v': y, 'a': d})", "", ""),
    "a positive constant": ("c + 1 + v**2 > 0", "theorem('F2', {'b': c + 1})", "", ""),
    "not a positive one": ("d + v**2 > 0", "theorem('F2', {'b': d})", "", "F2 needs: 0 < d"),
    "a constant without a value": ("1/d**2 + v**2 > 0", "theorem('F2', {'b': 1/d**2})", "",
                                   "it needs d != 0"),
    "a variable in place of a constant": ("(v + y)**2 == v**2 + 2*y*v + y**2",
                                          "theorem('F2', {'a': y})", "", ""),
    "the same variable in both places": ("(v + v)**2 == v**2 + 2*v*v + v**2",
                                         "theorem('F2', {'a': v})", "", "name another variable"),
    # k f(v) <= a - f(v)^2 for every v is needed: not at the v that is in place of k
    "a hypothesis for every number": ("y * g(y) <= d", "theorem('F3', {'f': g, 'a': d, 'k': v}, "
        "'h')", "given={'h': v*g(v) <= d - g(v)**2}, example=instance(d=1, g={'else': 0})",
        "name another variable"),
    "two variables become one": ("k * g(v) <= d", "theorem('F3', {'f': g, 'a': d, 'y': v}, 'h')",
        "given={'h': k*g(v) <= d - g(v)**2}, example=instance(d=1, k=0, g={'else': 0})",
        "two variables of the theorem become one"),
    "every number, in other letters": ("k * g(u) <= d",
        "theorem('F3', {'f': g, 'a': d, 'v': w, 'y': u}, use('h', {v: w}))",
        "given={'h': k*g(v) <= d - g(v)**2}, example=instance(d=1, k=0, g={'else': 0})", ""),
    "a hypothesis about one number": ("g(d + 1) <= 0", "theorem('F4', {'f': g, 'a': 0}, 'h')",
        "given={'h': g(d) <= 0}, example=instance(d=0, g={'else': 0})", "F4 needs: g(v) <= 0"),
    "a function with a symbol of the theorem in it": ("(d + 1) - d <= 0",
        "theorem('F4', {'f': maps(y, y - v), 'a': 0, 'd': d, 'v': v})", "",
        "name another variable"),
    "a function that is bound": ("abs(integral(g(v)/(1 + g(v)**2), v, 0, 1)) <= 1",
        "theorem('F5', {'f': maps(y, g(y)/(1 + g(y)**2)), 'v': v})", "", ""),
    "a function that is not bound": ("abs(integral(g(v), v, 0, 1)) <= 1", "theorem('F5', {'f': g})",
                                     "", "F5 needs: Abs(g(v)) <= 1"),
    "a function without a value": ("abs(integral(1/v, v, 0, 1)) <= 1",
        "theorem('F5', {'f': maps(y, 1/y)})", "", "needs v != 0"),
    "data are these data": ("d == 1", "theorem('F6', {'a': d})", "", "about these data only"),
    "a verdict is about its problem": ("verdict('A', 'certified')", "theorem('F8')", "",
                                       "about that problem only"),
    "a member": ("Q(e) <= 2", "theorem('F7', {'X': 'I', 'P': Q, 'b': 2, 'o': e, 'x': i}, 'q')",
                 "given={'q': Q(i) <= 2}, example=instance(I=[0], Q={0: 1}, e=0)", ""),
    "a member is not of another domain": ("Q(e) <= 2",
        "theorem('F7', {'P': Q, 'b': 2, 'o': e, 'x': x}, 'q')",
        "given={'q': Q(i) <= 2}, example=instance(I=[0], Q={0: 1}, e=0)", "runs over X"),
    "a number is no member": ("Q(0) <= 2", "theorem('F7', {'X': 'I', 'P': Q, 'b': 2, 'o': 0}, 'q')",
        "given={'q': Q(i) <= 2}, example=instance(I=[0], Q={0: 1}, e=0)", "o runs over I"),
    "a mass is a mass": ("total(Q(i) * g(i), i) <= d",
        "theorem('F1', {'X': 'I', 'P': f, 'f': g, 'a': d, 'x': i}, 'law', 'g')", LAW,
        "only a mass stands for a mass"),
    "a mass is a function": ("P(d + 1) <= 0", "theorem('F4', {'f': P, 'a': 0}, 'h')",
        "given={'h': P(v) <= 0}, example=instance(d=0, P={})", ""),
    "a mass is a bounded function, if it is": ("abs(integral(P(v), v, 0, 1)) <= 1",
        "theorem('F5', {'f': P}, 'h')", "given={'h': P(v) <= 2}, example=instance(P={})",
        "F5 needs: Abs(P(v)) <= 1"),
    "a law for a domain": ("total(Q(r) * g(r), r) <= d", "theorem('F1', {'X': 'L', 'P': Q, 'f': g, "
        "'a': d, 'x': r}, 'law')", "given={'law': mean(Q(r), r) == 1}, "
        "example=instance(L=law({0: 1}), Q={0: 1}, g={0: 0}, d=0)", "total: r has no domain"),
    "a draw for an index": ("mean(Q(r) * g(r), r) <= d", "theorem('F1', {'X': 'L', 'P': Q, 'f': g, "
        "'a': d, 'x': r}, 'law')", "given={'q': Q(r) <= 1, 'law': mean(Q(r), r) == 1}, "
        "example=instance(L=law({0: 1}), Q={0: 1}, g={0: 0}, d=0)", "x runs over L, r does not"),
    "a draw for a member": ("Q(r) <= 2", "theorem('F7', {'X': 'L', 'P': Q, 'b': 2, 'o': r}, 'q')",
        "given={'q': Q(r) <= 2}, example=instance(L=law({0: 1}), Q={0: 1})", "o runs over L"),
    "a draw of another law": ("mean(g(s), s) <= d", "theorem('F8c', {'f': g, 'a': d, 'r': s}, 'h')",
        "given={'h': g(s) <= d and integrable(g(s), s)}, "
        "example=instance(M=law({0: 1}), g={0: 0}, d=0)", "r runs over L, s does not"),
    "a term for a mass is not negative": ("total(g(i) * 2, i) <= 2",
        "theorem('F1', {'X': 'I', 'P': maps(i, g(i)), 'f': maps(i, 0*i + 2), 'a': 2, 'x': j}, "
        "'law')", "given={'law': total(g(i), i) == 1}, example=instance(I=[0], g={0: 1})",
        "F1 needs: 0 <= g(i)"),
    "bound letters keep out of the way": ("total(Q(i)*(x + i), i) == x + total(Q(i)*i, i)",
        "theorem('F11', {'X': 'I', 'P': Q, 'a': x}, 'law')",
        "given={'law': total(Q(i), i) == 1}, example=instance(I=[0], X=[0], Q={0: 1})", ""),
    "a bound letter does not take a free one in": (
        "total(P(x)*(x + x), x) == x + total(P(x)*x, x)", "theorem('F11', {'a': x}, 'law')",
        "given={'law': total(P(x), x) == 1}, example=instance(X=[0], P={0: 1})", "F11 says: "),
    "it is false": ("d == 1", "theorem('F9', {'a': d})", "", "F9: it is not proved"),
    "it is refuted": ("d == 1", "theorem('F10', {'a': d})", "", "no proved part 'printed'"),
    "a part that is not there": ("c + v**2 > 0", "theorem('F2', {'b': c}, part='tighter')", "",
                                 "no proved part 'tighter'"),
    "a symbol that is not there": ("c + v**2 > 0", "theorem('F2', {'B': c})", "",
                                   "has no 'B'"),
    "a file that is not there": ("c + v**2 > 0", "theorem('F22', {'b': c})", "",
                                 "did you mean"),
    "itself": ("d == 1", "theorem('F12', {'a': d})", "", "a circle: F12 -> F12"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_theorem_is_used_as_it_was_proved(name: str, tmp_path: Path) -> None:
    statement, rule, rest, why = CASES[name]
    outcome = checked(tmp_path, statement, rule, rest)
    assert (outcome.failure == "") is (why == ""), outcome.failure
    assert why in outcome.failure
    assert outcome.uses == ([] if why else [rule.split("'")[1]])


def test_a_circle_of_files_fails_in_every_one(tmp_path: Path) -> None:
    files = {}
    for name, other in (("F1", "F2"), ("F2", "F3"), ("F3", "F1")):
        files[name] = ("printed=proved(statement=a == 1, "
                       f"steps=[step('s', a == 1, theorem('{other}'))])")  # fmt: skip
    written(tmp_path, files)
    outcomes = prove([tmp_path / "design" / f"{name}.py" for name in files])
    assert all("a circle: " in o.failure and o.result == "" for o in outcomes)


def test_a_file_that_uses_a_broken_one_is_not_proved(tmp_path: Path) -> None:
    """Also when the broken one was checked before, or is not asked for."""
    use = "printed=proved(statement=a == 1, steps=[step('s', a == 1, theorem('F9'))])"
    path = written(tmp_path, {"F9": FALSE, "F12": use})
    for paths in ([path], [path.with_name("F9.py"), path]):
        assert "F9: it is not proved" in prove(paths)[-1].failure


def test_what_a_theorem_cites_its_users_cite(tmp_path: Path) -> None:
    cited = """printed=proved(
        given={"c": rational(f(x)), "r": rational(g(x)), "apart": implies(x != z, g(x) != g(z))},
        example=instance(X=[0, 1], f={0: 0, 1: 0}, g={0: 0, 1: 1}),
        statement=implies(total(f(x)*exp(g(x)), x) == 0, f(x) == 0),
        steps=[step("s", implies(total(f(x)*exp(g(x)), x) == 0, f(x) == 0), cite(
            "Lindemann-Weierstrass", "c", "r", "apart", c=f, r=g, k=x, l=z))])"""
    use = cited.replace('cite(\n            "Lindemann-Weierstrass", "c", "r", "apart", c=f, r=g, '
                        'k=x, l=z)', "theorem('F1', {}, 'c', 'r', 'apart')")  # fmt: skip
    (outcome,) = prove([written(tmp_path, {"F1": cited, "F12": use})])
    assert (outcome.failure, outcome.uses) == ("", ["F1"])
    assert outcome.citations == ["Lindemann-Weierstrass"]
    assert outcome.result == "PROVED given Lindemann-Weierstrass"


def test_a_changed_claim_uses_the_other_files_too(tmp_path: Path) -> None:
    statement, rule, rest, _ = CASES["other names"]
    part = f"printed=proved(statement={statement}, steps=[step('s', {statement}, {rule})], {rest})"
    path = written(tmp_path, {**OTHERS, "F12": part})
    assert prove_changed(path, "i = indices('i', 'I')").failure == ""
    changed = prove_changed(path, "drop law")
    assert changed.failed_step == "s"
    assert "F1 needs" in changed.failure


@pytest.mark.parametrize(
    ("statement", "rule", "rest", "needle"),
    [
        ("mean(g(s), s) <= 1", "theorem('F8c', {'L': 'M', 'f': g, 'r': s, 'a': 1}, 'h', 'g')",
         "given={'h': g(s) <= 1, 'g': integrable(g(s), s)}, "
         "example=instance(M=law({0: 1}), g={0: 0})", ""),
        ("mean(abs(s)/(1 + abs(s)), s) <= 1",
         "theorem('F8c', {'L': 'M', 'f': maps(s, abs(s)/(1 + abs(s))), 'r': s, 'a': 1})", "",
         "no step has shown"),
        ("mean(indicator(s), s) <= 1",
         "theorem('F8c', {'L': 'M', 'f': maps(s, indicator(s)), 'r': s, 'a': 1})", "", ""),
        ("mean(2*indicator(s), s) <= 1",
         "theorem('F8c', {'L': 'M', 'f': maps(s, 2*indicator(s)), 'r': s, 'a': 1})", "",
         "F8c needs"),
        ("mean(g(s), s) <= 1", "theorem('F8c', {'L': 'M', 'f': g, 'r': s, 'a': 1}, 'h')",
         "given={'h': g(s) <= 1}, example=instance(M=law({0: 1}), g={0: 0})", "no step has shown"),
        ("total(g(x), x) <= 1", "theorem('F8c', {'L': 'X', 'f': g, 'r': x, 'a': 1}, 'h')",
         "given={'h': g(x) <= 1}, example=instance(X=[0, 1], g={0: 0, 1: 0})", "r runs over X"),
        # what cancels in a formula does not exist because the theorem is about the rest of it
        ("integral(exp(-v), v, 0, oo) == 1", "theorem('F8b')", "", ""),
        ("integral(exp(-v), v, 0, oo) + integral(v + 1, v, 0, oo) - integral(v, v, 0, oo)"
         " - integral(1 + 0*v, v, 0, oo) == 1", "theorem('F8b')", "", "does not show"),
        ("integral(exp(-v), v, 0, oo) + mean(v*s + s, s) - v*mean(s, s) - mean(s, s) == 1",
         "theorem('F8b')", "", "no step has shown|does not show"),
    ],
)  # fmt: skip
def test_theorems_about_laws(
    tmp_path: Path, statement: str, rule: str, rest: str, needle: str
) -> None:
    failure = checked(tmp_path, statement, rule, rest).failure
    assert bool(failure) is bool(needle), failure
    assert not needle or re.search(needle, failure), failure


def test_a_theorem_shows_no_mean_of_what_is_left_where_draws_change_places(tmp_path: Path) -> None:
    """g = -f/2 with f(u, w) = -f(w, u): what is put in is 0, and f need not have a mean."""
    statement = "mean(h(r, t), r, t) <= a and mean(g(r, t), r) <= mean(g(r, t), r) + 1"
    words = 't, h = draws("t", "L"), functions("h")\n'
    general = f"""printed=proved(
    given={{"bound": abs(h(u, w)) <= a, "i": integrable(g(r, t), r)}},
    example=instance(a=1, h={{"else": 1}}, g={{"else": 1}}, L=law({{0: 1}})), statement={statement},
    steps=[step("p", h(u, w) <= a, arithmetic("bound")),
           step("q", mean(h(r, t), r, t) <= a, integrate(use("p", {{u: r, w: t}}), r, t)),
           step("s", {statement}, arithmetic("q"))])"""
    case = """printed=proved(
    given={"bound": abs(f(u, w) + g(u, w) - g(w, u)) <= a, "i": integrable(f(r, t), r)},
    example=instance(a=1, f={"else": 1}, g={"else": 0}, L=law({0: 1})),
    statement=mean(f(r, t), r, t) <= a, steps=[step("s", mean(f(r, t), r, t) <= a, theorem(
        "F1", {"h": maps(u, w, f(u, w) + g(u, w) - g(w, u)), "g": f}, "bound", "i"))])"""
    text = """{HEAD}{words}
Claim(id="{name}", source=paper("design", "{name}"), words="none", result=PROVED, {parts})
"""
    folder = tmp_path / "design"
    folder.mkdir()
    files = []
    for name, parts in (("F1", general), ("F2", case)):
        files.append(folder / f"{name}.py")
        files[-1].write_text(text.format(HEAD=HEAD, words=words, name=name, parts=parts))
    known, refused = prove(files)
    assert known.failure == ""
    assert "F1 does not show" in refused.failure
