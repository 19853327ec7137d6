"""What an ordered pair is held to, as a statement: two laws of a release and their divergence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import sympy

from pfverify.errors import InputError, shorten
from pfverify.model.noises.discrete_laplace import DiscreteLaplace
from pfverify.model.noises.laplace import Laplace
from pfverify.model.notion import Bound, OfDivergence
from pfverify.model.priors.discrete import Discrete
from pfverify.model.priors.joint import Joint
from pfverify.model.priors.mixture import Gaussian, Mixture
from pfverify.model.problem import Problem
from pfverify.symbolic.gaussian import mixture_release_density
from pfverify.symbolic.laplace import density
from pfverify.symbolic.moments import moments
from pfverify.symbolic.statement import Statement, Y, latex_text
from pfverify.symbolic.translate import Expr, from_fraction, from_number

_LETTERS = {Laplace: "p", DiscreteLaplace: "P"}  # densities, and masses
_TAILS = {"inf": (1, "\\infty"), "-inf": (-1, "-\\infty")}


@dataclass(frozen=True)
class Divergence:
    """A divergence of the law under one secret from the law under another.

    Attributes: `laws`, the two laws; `symbol`, the divergence's name in LaTeX; `defined`, LaTeX
    for what it is; `bounded_by`, the name of its bound and the bound; `value`, a statement of what
    it is worth in closed form, None where there is none.
    """

    laws: tuple[Statement, Statement]
    symbol: str
    defined: str
    bounded_by: tuple[str, Expr]
    value: Statement | None

    @property
    def latex(self) -> tuple[str, str, str]:
        """LaTeX for math mode: the laws, then the divergence, with its value if there is one."""
        first, second = self.laws
        text = f"{self.symbol} = {self.defined}"
        if self.value is not None:
            text += f" = {sympy.latex(self.value.expression)}"
        return first.latex, second.latex, text


def check_statable(problem: Problem) -> None:
    """Raise InputError unless `divergence` can state the pairs of a problem."""
    if isinstance(problem.notion, OfDivergence):
        raise InputError(
            f"the form {problem.form} is not stated in LaTeX; --explain writes its number out"
        )
    if not problem.release.plain:
        raise InputError(
            f"the law of a release of kind {problem.release.kind} is not stated in LaTeX; "
            "--explain writes it out"
        )
    noise = problem.noise
    if noise.adds_nothing:
        raise InputError("without noise (scale 0) the release has no density to state")
    for item in problem.questions():
        for name, prior in ((item.first, item.first_prior), (item.second, item.second_prior)):
            if isinstance(prior, Joint):
                raise InputError(
                    f"secret {shorten(name)!r}: a law of several numbers is not stated in LaTeX; "
                    "--explain writes it out"
                )
            if (type(noise), type(prior)) not in _LAWS:
                raise InputError(
                    f"secret {shorten(name)!r}: a {prior.kind} prior with {noise.kind} noise is "
                    "not stated, expected laplace noise, or discrete-laplace noise with atoms"
                )


def divergence(
    problem: Problem, belief: str, source: str, to: str, y: Fraction | str | None = None
) -> Divergence:
    """State the divergence that the problem's target bounds, of the law under `source`.

    At delta = 0 the max divergence, for events the hockey-stick divergence, for the pointwise form
    the largest excess. `y` is where a supremum is reached: an atom, or "inf" or "-inf" for a tail;
    with it the value is stated too, where the laws are sums over atoms or (a tail) normal.

    Raises InputError as `check_statable`.
    Example: ``divergence(problem, "default", "a", "b").value`` is None.
    Source: max divergence and hockey-stick divergence (Balle, Barthe, Gaboardi 2018); tails:
    design fact F7.
    """
    check_statable(problem)
    bound = problem.requirement.one_target.bound
    pair = _Pair(problem, belief, source, to)
    return _STATED[bound](pair, y)


class _Pair:
    """The two laws, and how they are written."""

    def __init__(self, problem: Problem, belief: str, source: str, to: str) -> None:
        target = problem.requirement.one_target
        self.problem = problem
        self.names = (source, to)
        self.priors = tuple(problem.beliefs[belief][name] for name in self.names)
        self.laws = (_law(problem, source, belief), _law(problem, to, belief))
        self.epsilon, self.delta = from_number(target.epsilon), from_number(target.delta)
        self.growth = sympy.exp(self.epsilon)
        self.letter = _LETTERS[type(problem.noise)]
        self.atoms = all(type(prior) is Discrete for prior in self.priors)

    def written(self, which: int, y: str) -> str:
        return _left(self.letter, y, self.names[which])

    def at(self, which: int, y: Fraction) -> Expr:
        return self.laws[which].expression.subs(Y, from_fraction(y))

    def ratio(self, y: str) -> str:
        return f"\\log \\frac{{{self.written(0, y)}}}{{{self.written(1, y)}}}"

    def excess(self, y: str) -> str:
        factor = sympy.latex(self.growth)
        if self.growth.is_Add:
            factor = f"\\left({factor}\\right)"
        gap = f"{self.written(0, y)} - {factor} \\, {self.written(1, y)}"
        return f"\\max\\left(0, {gap}\\right)"

    @property
    def outputs(self) -> str:
        """LaTeX for the set of outputs."""
        step, prior = self.problem.noise.step, self.priors[0]
        if step is None or not isinstance(prior, Discrete):
            return "\\mathbb{R}"
        origin, unit = (sympy.latex(from_fraction(value)) for value in (prior.atoms[0], step))
        return f"{origin} + {unit} \\mathbb{{Z}}"


def _max_divergence(pair: _Pair, y: Fraction | str | None) -> Divergence:
    symbol, text = "D_{\\infty}", f"\\sup_{{y \\in {pair.outputs}}} {pair.ratio('y')}"
    value = None
    if isinstance(y, Fraction) and pair.atoms:
        text += f" = {pair.ratio(sympy.latex(from_fraction(y)))}"
        value = sympy.log(pair.at(0, y) / pair.at(1, y))
    elif isinstance(y, str) and type(pair.problem.noise) is Laplace:
        sign, place = _TAILS[y]
        text += f" = \\lim_{{y \\to {place}}} {pair.ratio('y')}"
        # the density comes to E e**(sign X/b) there, but for a common factor
        rate = sign / from_number(pair.problem.scale())
        first, second = (moments(prior, rate) for prior in pair.priors)
        value = sympy.log(first / second)
    return _made(pair, symbol, text, ("\\epsilon", pair.epsilon), value, "max divergence")


def _hockey_stick(pair: _Pair, y: Fraction | str | None) -> Divergence:
    del y  # every output has its part in it
    if pair.problem.noise.step is None:
        text = f"\\int_{{-\\infty}}^{{\\infty}} {pair.excess('y')} \\, dy"
    else:
        text = f"\\sum_{{y \\in {pair.outputs}}} {pair.excess('y')}"
    bound = ("\\delta", pair.delta)
    return _made(pair, "D_{e^{\\epsilon}}", text, bound, None, "hockey-stick divergence")


def _largest_excess(pair: _Pair, y: Fraction | str | None) -> Divergence:
    text, value = f"\\sup_{{y \\in {pair.outputs}}} {pair.excess('y')}", None
    if isinstance(y, Fraction) and pair.atoms:
        text += f" = {pair.excess(sympy.latex(from_fraction(y)))}"
        gap = pair.at(0, y) - pair.growth * pair.at(1, y)
        value = sympy.Max(0, gap, evaluate=False)
    return _made(pair, "M", text, ("\\delta", pair.delta), value, "largest excess")


_STATED: dict[Bound, Callable[[_Pair, Fraction | str | None], Divergence]] = {
    Bound.RATIO: _max_divergence,
    Bound.DIVERGENCE: _hockey_stick,
    Bound.EXCESS: _largest_excess,
}


def _made(
    pair: _Pair, symbol: str, text: str, bound: tuple[str, Expr], value: Expr | None, name: str
) -> Divergence:
    stated = None
    if value is not None:
        source = "Balle, Barthe, Gaboardi 2018; design facts F1, F4b and F7"
        stated = Statement(f"{name} of {' from '.join(pair.names)}", symbol, value, (), source)
    return Divergence(pair.laws, symbol, text, bound, stated)


def _left(letter: str, y: str, secret: str) -> str:
    return f"{letter}_{{Y \\mid S}}({y} \\mid {latex_text(secret)})"


def _law(problem: Problem, secret: str, belief: str) -> Statement:
    prior = problem.beliefs[belief][secret]
    return _LAWS[type(problem.noise), type(prior)](problem, secret, belief)


def _of_atoms(problem: Problem, secret: str, belief: str) -> Statement:
    return density(problem, secret, belief, by_atoms=True)


def _of_normals(problem: Problem, secret: str, belief: str) -> Statement:
    prior = problem.beliefs[belief][secret]
    return Statement(
        name=f"density of the release given {secret}",
        left=_left("p", "y", secret),
        expression=mixture_release_density(prior.components, problem.scale()),
        conditions=(),
        source="design fact F6",
    )


_LAWS: dict[tuple[type, type], Callable[[Problem, str, str], Statement]] = {
    (Laplace, Discrete): _of_atoms,
    (DiscreteLaplace, Discrete): _of_atoms,
    (Laplace, Gaussian): _of_normals,
    (Laplace, Mixture): _of_normals,
}
"""Kinds of noise and prior -> the statement of the law of the release."""
