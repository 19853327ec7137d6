"""The pure-epsilon statement of a certificate as SMT-LIB 2, for a third opinion.

With atoms on a lattice of one step, every density is, up to one factor, a polynomial in
t = e**(-step/scale), and the statement speaks of t and E = e**epsilon only. What is written down:

* t and E are exact where they are rational; else they lie between decimals, as many digits as the
  proof needs;
* where an inequality holds with equality, no bounds decide it: then t and E are also tied to each
  other through common powers (see `algebraic`), by exact polynomial equations;
* asserted is the negation of what the certificate proves, for all values within these bounds. So
  the expected answer is `unsat` for a certified problem and for a refuted one.

That the expected answer follows is decided here before anything is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from pathlib import Path
from typing import Any

import pfverify
from pfverify.decide.exponential.exact_gaps import ExactGaps
from pfverify.decide.exponential.pair import Pair
from pfverify.edge.algebraic import Relations, rational_power, related
from pfverify.edge.proved import accepted_steps, is_about
from pfverify.edge.sentences import sentence
from pfverify.errors import InputError, shorten
from pfverify.exact.ball import Ball, Raw, precision, raw
from pfverify.exact.decimals import decimal_text, enclosure_text
from pfverify.exact.expsum import Exponent
from pfverify.exact.number import Number
from pfverify.exact.rising import rising
from pfverify.laws.rate import Rate
from pfverify.model.digest import problem_digest
from pfverify.model.notion import Bound
from pfverify.model.problem import Problem
from pfverify.model.question import Question

MAX_DEGREE = 64
_FIRST_DIGITS, _LAST_DIGITS = 8, 1024
_TIE_DIGITS = 60  # of bounds that leave only ties open, or nearly
_ATOMS_ONLY = "export: only priors of atoms with Laplace noise have an SMT-LIB form"

Powers = dict[int, Fraction]
"""Power of t -> mass."""
Box = dict[str, tuple[Fraction, Fraction]]
"""Name of a variable -> bounds; two equal ends are an exact value."""


@dataclass(frozen=True, eq=False)
class _Goal:
    """p(y) > e**epsilon q(y) at one atom, for one order: the sums as {power of t: mass}."""

    pair: Pair
    index: int
    reverse: bool
    unit: Fraction

    @cached_property
    def sides(self) -> tuple[Powers, Powers]:
        """The sums of p and of q."""
        first, second = (_polynomial(self.pair, k, self.index, self.unit) for k in (0, 1))
        return (second, first) if self.reverse else (first, second)

    def sign(self, box: dict[str, Raw]) -> int | None:
        """The sign of p - E q on a whole box, where it is one."""
        p, q = (_value(side, box["t"]) for side in self.sides)
        return Ball(p - box["E"] * q).certain_sign()

    def stated(self, relation: str) -> str:
        """How p stands to E q, in SMT-LIB."""
        p, q = map(_horner, self.sides)
        return f"({relation} {p} (* E {q}))"


def smtlib_text(problem: Problem, problem_path: Path, certificate_path: Path) -> str:
    """Return the SMT-LIB 2 text for a certificate that the kernel accepts.

    The solver should answer `unsat`, for a certified problem and for a refuted one.

    Raises InputError when the certificate is not valid, delta is not 0, it is a certificate of
    scales or of couplings, it refutes by an event, the noise is Gaussian or a prior has a density,
    the supports are too wide for polynomials in one variable, or a tie has no polynomial form.
    """
    problem.release.require_scale("export")
    if not problem.release.plain:
        raise InputError(f"export: a release of kind {problem.release.kind} has no SMT-LIB form")
    if problem.noise.adds_nothing:
        raise InputError("export: without noise (scale 0) there is no SMT-LIB form")
    items = list(problem.questions())
    for item in items:
        item.discrete_priors(_ATOMS_ONLY, exponential=True)
    word, steps = accepted_steps(problem_path, certificate_path)
    bounds_ratio = problem.notion.bound(problem.delta) is Bound.RATIO
    if word not in ("certified", "refuted") or not bounds_ratio:
        raise InputError("export: only pure-epsilon verdicts (delta = 0) have an SMT-LIB form")
    if problem.scale().sign() == 0:
        raise InputError("export: without noise there are no polynomials in t to write")
    pairs = [Pair(*item.discrete_priors(_ATOMS_ONLY), problem.noise.step) for item in items]
    unit = _lattice(pairs)
    variables = _Variables(Rate(problem.scale()), problem.requirement.one_epsilon, unit)
    if word == "refuted":
        goals = [_refuting(items, pairs, unit, steps[0])]
        sign, claim = 1, "the claim: at this output the bound fails, whatever the values"
    else:
        goals = [
            _Goal(pair, index, reverse, unit)
            for pair in pairs
            for index in range(len(pair))
            for reverse in (False, True)
        ]
        sign, claim = -1, "the claim: the bound holds at every atom, in both orders"
    ties, relations = _ties(variables, goals if sign < 0 else [])
    strict = [goal for goal in goals if goal not in ties]
    box = _box(variables, relations, lambda at: _decided(strict, at, sign))
    parts = [goal.stated("<=" if sign > 0 else ">") for goal in goals]
    negation = parts[0] if len(parts) == 1 else f"(or {' '.join(parts)})"
    names = [*relations.generators, "t", "E"]
    return "\n".join([
        *_header(problem, problem_path, word, unit, relations),
        "(set-logic QF_NRA)",
        *(f"(declare-const {name} Real)" for name in names),
        *(_bounded(name, *box[name]) for name in names),
        *(f"(assert {equation})" for equation in relations.equations),
        f"; {claim};",
        "; asserted is its negation",
        f"(assert {negation})",
        "; expected: unsat",
        "(check-sat)",
    ]) + "\n"


def _header(
    problem: Problem, path: Path, word: str, unit: Fraction, relations: Relations
) -> list[str]:
    said = ["head"]
    if problem.source.stands_for is not None:
        said.append("members")
    if problem.source.steps:
        said.append("prepared")
    words = {
        "version": pfverify.__version__, "word": word, "name": ascii(path.name)[1:-1],
        "digest": problem_digest(problem), "step": unit,
        "scale": shorten(problem.scale().text), "epsilon": shorten(problem.epsilon.text),
    }  # fmt: skip
    lines = "\n".join(sentence(f"smtlib.{key}", **words) for key in said).split("\n")
    return [f"; {line}" for line in (*lines, *relations.words)]


def _lattice(pairs: list[Pair]) -> Fraction:
    """The common step of all distances; InputError when powers of t would be too large."""
    below = lcm(*(pair.denominator for pair in pairs))
    step = gcd(*(gap * below // pair.denominator for pair in pairs for gap in pair.distinct_gaps))
    unit = Fraction(step, below) or Fraction(1)
    widest = max(
        Fraction(pair.points[-1] - pair.points[0], pair.denominator) / unit for pair in pairs
    )
    if widest > MAX_DEGREE:
        raise InputError(
            f"export: the supports are {widest} lattice steps wide, at most {MAX_DEGREE} can be "
            "written as polynomials"
        )
    return unit


@dataclass(frozen=True)
class _Variables:
    """The numbers t = e**(-step/scale) and E = e**epsilon."""

    rate: Rate
    epsilon: Number
    unit: Fraction

    def logarithms(self) -> dict[str, Exponent | None]:
        """Their logarithms, None for one outside the exact classes."""
        step = self.rate.exponent
        return {"t": None if step is None else step.times(-self.unit), "E": self.epsilon.linear}

    def balls(self) -> dict[str, Ball]:
        """Enclosures of both at the current precision."""
        t = (-self.rate.ball().raw * raw(self.unit)).exp()
        return {"t": Ball(t), "E": self.epsilon.ball().exp()}


def _ties(variables: _Variables, goals: list[_Goal]) -> tuple[list[_Goal], Relations]:
    """The atoms where the bound is an equality, by an exact test, and the equations they need."""
    with precision(64 + 4 * _TIE_DIGITS):
        box = _balls(_enclosed(variables.balls(), _TIE_DIGITS))
    left = [goal for goal in goals if goal.sign(box) is None]
    epsilon, step = variables.epsilon.linear, variables.rate.exponent
    if not left:
        return [], Relations()
    if epsilon is None or step is None:
        raise InputError(
            "export: epsilon or 1/scale is outside the exact classes, so a tie has no "
            "polynomial form"
        )
    ties = [
        goal for goal in left
        if ExactGaps(goal.pair, step, epsilon, goal.reverse).sign(goal.index) == 0
    ]
    return ties, related(step.times(-variables.unit), epsilon) if ties else Relations()


def _decided(goals: list[_Goal], box: dict[str, Raw], sign: int) -> bool:
    """Whether every goal has the sign on the whole box; InputError where one has the other."""
    signs = {goal.sign(box) for goal in goals}
    if -sign in signs:
        raise InputError("export: the certificate and the bounds of t and E disagree")
    return None not in signs


def _box(
    variables: _Variables, relations: Relations, decides: Callable[[dict[str, Raw]], bool]
) -> Box:
    """Bounds of every variable, in as many digits as the claim needs."""
    fixed: Box = {}
    for name, exponent in variables.logarithms().items():
        value = None if exponent is None else rational_power(exponent)
        if value is not None:
            fixed[name] = value, value
    for digits in rising(_FIRST_DIGITS, _LAST_DIGITS):
        with precision(64 + 4 * digits):
            values = {name: exponent.ball().exp()
                      for name, exponent in relations.generators.items()}
            box = _enclosed(values | variables.balls(), digits) | fixed
            if decides(_balls(box)):
                return box
    raise InputError(f"export: {_LAST_DIGITS} digits of t and E do not decide the claim")


def _enclosed(values: dict[str, Ball], digits: int) -> Box:
    box: Box = {}
    for name, ball in values.items():
        ends = enclosure_text(ball, digits)
        if ends is None:
            raise InputError(f"export: {name} has no finite bounds")
        box[name] = Fraction(ends[0]), Fraction(ends[1])
    return box


def _balls(box: Box) -> dict[str, Raw]:
    return {name: raw(low).union(raw(high)) for name, (low, high) in box.items()}


def _refuting(items: list[Question], pairs: list[Pair], unit: Fraction, step: Any) -> _Goal:
    """What a refuting step is about: one atom, in one order."""
    if "y" not in step:
        raise InputError(f"export: a refutation by an event ({step['rule']}) has no SMT-LIB form, "
                         "only one at an output")
    for item, pair in zip(items, pairs, strict=True):
        if is_about(step, item):
            atoms = [pair.atom(k) for k in range(len(pair))]
            y = Fraction(step["y"])
            if y not in atoms:
                raise InputError("export: the refuting output is not an atom")
            return _Goal(pair, atoms.index(y), step["from"] != item.first, unit)
    raise InputError("export: the certificate names no pair of this problem")


def _polynomial(pair: Pair, which: int, index: int, unit: Fraction) -> Powers:
    """One prior's release at one atom as {power of t: mass}."""
    y = pair.points[index]
    coefficients: Powers = {}
    for point, weight in zip(pair.points, pair.weights[which], strict=True):
        if weight:
            degree = int(Fraction(abs(point - y), pair.denominator) / unit)
            mass = Fraction(weight, pair.totals[which])
            coefficients[degree] = coefficients.get(degree, Fraction(0)) + mass
    return coefficients


def _value(polynomial: Powers, t: Raw) -> Raw:
    total = raw(0)
    for degree, mass in polynomial.items():
        total += raw(mass) * t**degree
    return total


def _horner(polynomial: Powers) -> str:
    """The polynomial in t, nested: of linear size."""
    text = ""
    degrees = sorted(polynomial, reverse=True)
    for degree, below in zip(degrees, [*degrees[1:], 0], strict=True):
        mass = _rational(polynomial[degree])
        text = f"(+ {mass} {text})" if text else mass
        if degree > below:
            text = f"(* {' '.join(['t'] * (degree - below))} {text})"
    return text


def _bounded(name: str, low: Fraction, high: Fraction) -> str:
    if low == high:
        return f"(assert (= {name} {_rational(low)}))"
    return f"(assert (and (<= {_decimal(low)} {name}) (<= {name} {_decimal(high)})))"


def _decimal(value: Fraction) -> str:
    """A bound as the plain decimal that it is, or as a quotient where that is scientific."""
    text = decimal_text(value, _LAST_DIGITS)
    if re.fullmatch(r"\d+(\.\d+)?", text) is None:
        return _rational(value)
    return text if "." in text else f"{text}.0"


def _rational(value: Fraction) -> str:
    text = f"(/ {abs(value.numerator)}.0 {value.denominator}.0)"
    return f"(- {text})" if value < 0 else text
