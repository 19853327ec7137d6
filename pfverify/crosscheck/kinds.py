"""The kinds of question: what a function is called with, and who judges its answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from pfverify.crosscheck.answers import NotAnAnswerError, number_of
from pfverify.crosscheck.case import NOISES, Case, parameters
from pfverify.crosscheck.density import density_judge
from pfverify.crosscheck.finding import Finding, Promised
from pfverify.crosscheck.numeric import NumberJudge
from pfverify.crosscheck.plans import plan_judge
from pfverify.crosscheck.relaxed import RelaxedColumns
from pfverify.crosscheck.truth import (
    ComposedDelta,
    LargestDelta,
    LargestLoss,
    LeastScale,
    Truth,
)
from pfverify.errors import InputError, shorten
from pfverify.exact.published import Infinite
from pfverify.model.problem import Problem

_ON_ATOMS = "discrete-gaussian"  # has no least scale, and a loss that is mostly infinite
_NOTHING = "none"  # is for many releases of a value
_ANY_NOISE = tuple(noise for noise in NOISES if noise not in (_ON_ATOMS, _NOTHING))
_DELTAS = ("delta", "accountant")  # whose answer is a delta
_SLACK = Fraction(1, 10**12)  # a loss or a divergence that is so little too large is no waste


@dataclass(frozen=True)
class QuestionKind:
    """One kind of question.

    Attributes: `name`; `takes_delta`, whether a function may take ``delta=``; `laws`, the shapes
    of laws ("atoms" or "normal"); `noises`; `sides`, what an answer may claim to be, the first by
    default; `judge`; `truth`, the exact number, None where the answer is not one number; `answer`,
    what is returned, in words.
    """

    name: str
    takes_delta: bool
    laws: tuple[str, ...]
    noises: tuple[str, ...]
    sides: tuple[str, ...]
    judge: Callable[[Case, object, Promised], Finding]
    truth: Callable[[Case], Truth] | None
    answer: str

    @property
    def pair(self) -> bool:
        """Whether it is about two laws."""
        return "q" in self.parameters()

    def parameters(self, laws: str = "atoms") -> tuple[str, ...]:
        """Return the names of the parameters, by position: normal laws need no atoms.

        Example: ``KINDS["scale"].parameters("normal")`` is ``('p', 'q', 'epsilon')``.
        """
        return parameters(self.name, laws)

    def signature(self, laws: str = "atoms") -> str:
        """Return the expected signature as text.

        Example: ``KINDS["scale"].signature()`` is ``'scale(atoms, p, q, epsilon, delta=...)'``.
        """
        named = ("delta=...",) if self.takes_delta else ()
        return f"{self.name}({', '.join((*self.parameters(laws), *named))})"

    def claim(self, claim: Promised) -> Promised:
        """Return a claim with its side resolved; InputError for a side that the kind has not."""
        side = self.sides[0] if claim.side is None else claim.side
        if side not in self.sides:
            offered = " or ".join(self.sides)
            raise InputError(f"claim: a {self.name} is not {claim.side!r}, expected {offered}")
        if claim.absolute and side != "nearest":
            raise InputError(f"absolute: only for the claim nearest, this one is {side}")
        return replace(claim, side=side)

    def stated(self, case: Case, answer: object) -> Problem | None:
        """Return the problem that is certified exactly where a number is not below the truth.

        None where the kind has no such problem, or the answer is none that the truth may have.
        """
        if self.truth is None:
            return None
        try:
            read = number_of(answer, self.name)
        except NotAnAnswerError:
            return None
        if isinstance(read, Infinite) or read < 0 or (self.name in _DELTAS and read > 1):
            return None
        return self.truth(case).stated(read)


def _number(
    name: str,
    truth_name: str,
    truth: Callable[[Case], Truth],
    slack: Fraction,
) -> QuestionKind:
    return QuestionKind(
        name,
        takes_delta=name == "scale",
        laws=("atoms", "normal"),
        noises=_ANY_NOISE,
        sides=("upper", "lower", "nearest"),
        judge=NumberJudge(name, truth_name, truth, slack),
        truth=truth,
        answer="one number",
    )


_ALL = (
    _number("scale", "the least private scale", LeastScale, Fraction(0)),
    _number("loss", "the largest loss", LargestLoss, _SLACK),
    replace(
        _number("delta", "the divergence", LargestDelta, _SLACK), noises=(*_ANY_NOISE, _ON_ATOMS)
    ),
    QuestionKind(
        "density",
        takes_delta=False,
        laws=("atoms", "normal"),
        noises=_ANY_NOISE,
        sides=("nearest",),
        judge=density_judge,
        truth=None,
        answer="an array with a number for each y",
    ),
    QuestionKind(
        "plan",
        takes_delta=False,
        laws=("atoms",),
        noises=("",),
        sides=("coupling",),
        judge=plan_judge,
        truth=None,
        answer="rows (i, j, mass), from atom i under p to atom j under q",
    ),
    replace(
        _number("scale", "the relaxed scale over columns", RelaxedColumns, Fraction(0)),
        name="relaxed_columns",
        takes_delta=False,
        laws=("atoms",),
        noises=("laplace",),
    ),
    QuestionKind(
        "accountant",
        takes_delta=False,
        laws=("atoms",),
        noises=(*_ANY_NOISE, _ON_ATOMS, _NOTHING),
        sides=("upper", "lower", "nearest"),
        judge=NumberJudge("delta", "the divergence of the releases", ComposedDelta, _SLACK),
        truth=ComposedDelta,
        answer="one number",
    ),
)
KINDS = {kind.name: kind for kind in _ALL}
"""The kinds of question by name."""


def kind_of(name: object) -> QuestionKind:
    """Return a kind by its name; InputError for a name that is not one.

    Example: ``kind_of("loss").sides`` is ``('upper', 'lower', 'nearest')``.
    """
    if not isinstance(name, str) or name not in KINDS:
        raise InputError(f"kind: {shorten(name)!r} is unknown, expected {', '.join(KINDS)}")
    return KINDS[name]


_DEFAULT = Promised()


def judge(case: Case, answer: object, claim: Promised = _DEFAULT) -> Finding:
    """Judge what an implementation returned for a case; nothing undecided is called sound.

    Raises InputError for a claim that the kind of the case has not, or a case that is
    no question.
    Example: ``judge(case, 0.4).outcome.value`` is ``"unsound"``, of a largest loss of 0.5.
    Source: design section 6, crosscheck signatures.
    """
    kind = kind_of(case.kind)
    case.check()
    return kind.judge(case, answer, kind.claim(claim))
