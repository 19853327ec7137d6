"""The pure-epsilon statement of a certificate as SMT-LIB 2, for a third opinion.

With atoms on a lattice of step g, every density is a polynomial in t = e**(-g/scale), and the
statement speaks of t and E = e**epsilon only, both between rational bounds. Asserted is the
negation of what the certificate proves, so `unsat` confirms a certified problem; for a refuted one
the violation itself is asserted, so `sat` confirms it.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import reduce
from math import gcd
from pathlib import Path
from typing import Any

from pfverify.certificate.build import check
from pfverify.decide.certify import Question
from pfverify.decide.pair import Pair
from pfverify.errors import InputError
from pfverify.exact.ball import Ball, precision, raw
from pfverify.exact.expsum import Exponent
from pfverify.model.problem import PairOfPriors, Problem, discrete_priors

MAX_DEGREE = 64
_BITS = 160
_ATOMS_ONLY = "export: only priors of atoms with Laplace noise have an SMT-LIB form"


def smtlib_text(problem: Problem, problem_path: Path, certificate_path: Path) -> str:
    """Return the SMT-LIB 2 text for a certificate that the kernel accepts.

    Raises InputError when the certificate is not valid, delta is not 0, it is a certificate of
    scales or of couplings, the noise is Gaussian or a prior has a density, or the supports are too
    wide for polynomials in one variable.
    """
    items = list(problem.pairs_of_priors())
    for item in items:
        discrete_priors(item, _ATOMS_ONLY, problem.noise)
    outcome = check(problem_path, certificate_path)
    if not outcome.valid:
        raise InputError(f"{certificate_path}: {outcome.word}: {outcome.message}")
    if outcome.word not in ("certified", "refuted") or problem.delta.sign() != 0:
        raise InputError("export: only pure-epsilon verdicts (delta = 0) have an SMT-LIB form")
    pairs = [Question.of(problem, item).pair for item in items]
    unit = _lattice(pairs)
    lines = ["(set-logic QF_NRA)", "(declare-const t Real)", "(declare-const E Real)"]
    lines += _bounds(problem, unit)
    if outcome.word == "certified":
        goals = [
            _violation(pair, index, reverse, unit)
            for pair in pairs
            for index in range(len(pair))
            for reverse in (False, True)
        ]
        lines += ["; the negation of the claim: some order fails at some atom",
                  f"(assert (or {' '.join(goals)}))", "; expected: unsat"]
    else:
        lines += ["; the claim: this order fails at this output",
                  f"(assert {_refuting(items, pairs, unit, certificate_path)})",
                  "; expected: sat"]
    return "\n".join([f"; pfverify: {outcome.word}, problem {problem_path.name}", *lines,
                      "(check-sat)"]) + "\n"


def _lattice(pairs: list[Pair]) -> Fraction:
    """The common step of all distances; InputError when powers of t would be too large."""
    gaps = [Fraction(gap, pair.denominator) for pair in pairs for gap in pair.distinct_gaps]
    if not gaps:
        return Fraction(1)
    unit = reduce(lambda a, b: Fraction(gcd(a.numerator * b.denominator,
                                            b.numerator * a.denominator),
                                        a.denominator * b.denominator), gaps)
    widest = max(
        Fraction(pair.points[-1] - pair.points[0], pair.denominator) / unit for pair in pairs
    )
    if widest > MAX_DEGREE:
        raise InputError(
            f"export: the supports are {widest} lattice steps wide, at most {MAX_DEGREE} can be "
            "written as polynomials"
        )
    return unit


def _bounds(problem: Problem, unit: Fraction) -> list[str]:
    """Rational bounds of t and E, and the exact relation between them where there is one."""
    rate = Question.of(problem, next(problem.pairs_of_priors())).rate
    with precision(_BITS):
        values = {
            "t": Ball((-rate.ball().raw * raw(unit)).exp()),
            "E": problem.epsilon.ball().exp(),
        }
    lines = []
    for name, ball in values.items():
        ends = ball.ends()
        if ends is None:
            raise InputError(f"export: {name} has no finite bounds")
        low, high = (mantissa * Fraction(2) ** exponent for mantissa, exponent in ends)
        lines.append(f"(assert (and (<= {_rational(low)} {name}) (<= {name} {_rational(high)})))")
    if rate.exponent is not None and problem.epsilon.linear is not None:
        lines += _relation(problem.epsilon.linear, rate.exponent.times(unit))
    return lines


def _relation(epsilon: Exponent, step: Exponent) -> list[str]:
    """E**b * t**a = 1 where epsilon = (a/b) * (unit/scale) with small a and b: ties need it."""
    ratio = epsilon.quotient(step)
    if ratio is None or max(ratio.numerator, ratio.denominator) > MAX_DEGREE:
        value = epsilon.as_rational()
        growth = None if value is None or value else "1"
        return [f"(assert (= E {growth}))"] if growth else []
    left = _power("E", ratio.denominator)
    return [f"(assert (= (* {left} {_power('t', ratio.numerator)}) 1))"]


def _violation(pair: Pair, index: int, reverse: bool, unit: Fraction) -> str:
    upper, lower = (1, 0) if reverse else (0, 1)
    here = Fraction(pair.points[index], pair.denominator)
    return (
        f"(> {_polynomial(pair, upper, here, unit)} "
        f"(* E {_polynomial(pair, lower, here, unit)}))"
    )


def _refuting(
    items: list[PairOfPriors], pairs: list[Pair], unit: Fraction, path: Path
) -> str:
    data: Any = json.loads(path.read_text("utf-8"))
    step = data.get("predicate", data)["steps"][0]
    for item, pair in zip(items, pairs, strict=True):
        names = (item.first, item.second)
        if item.belief == step["belief"] and {step["from"], step["to"]} == set(names):
            index = next(
                (k for k in range(len(pair)) if pair.atom(k) == Fraction(step["y"])), None
            )
            if index is None:
                raise InputError("export: the refuting output is not an atom")
            return _violation(pair, index, step["from"] != item.first, unit)
    raise InputError("export: the certificate names no pair of this problem")


def _polynomial(pair: Pair, which: int, y: Fraction, unit: Fraction) -> str:
    coefficients: dict[int, Fraction] = {}
    for point, weight in zip(pair.points, pair.weights[which], strict=True):
        if weight:
            degree = int(abs(Fraction(point, pair.denominator) - y) / unit)
            mass = Fraction(weight, pair.totals[which])
            coefficients[degree] = coefficients.get(degree, Fraction(0)) + mass
    terms = [
        f"(* {_rational(c)} {_power('t', d)})" if d else _rational(c)
        for d, c in sorted(coefficients.items())
    ]
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def _power(name: str, degree: int) -> str:
    if degree == 0:
        return "1.0"
    return name if degree == 1 else f"(* {' '.join([name] * degree)})"


def _rational(value: Fraction) -> str:
    text = f"(/ {abs(value.numerator)}.0 {value.denominator}.0)"
    return f"(- {text})" if value < 0 else text
