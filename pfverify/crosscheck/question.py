"""What a function is asked: the kind of its answers, the cases, and what it is held to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pfverify.crosscheck.case import Case
from pfverify.crosscheck.cases import COUNT, cases
from pfverify.crosscheck.finding import Promised
from pfverify.crosscheck.kinds import QuestionKind, kind_of
from pfverify.crosscheck.settings import Settings
from pfverify.errors import InputError, require, shorten

_MOST = 10**6  # cases
_DEFAULT = Promised()


@dataclass(frozen=True)
class FunctionQuestion:
    """What a function is asked, and how strictly it is judged.

    Attributes: `kind`; `settings`, what its cases are about; `claim`, with its side resolved;
    `count`, of cases; `seed`, None where `case` is asked alone.
    """

    kind: QuestionKind
    settings: Settings
    claim: Promised
    count: int
    seed: int | None
    case: Case | None = None

    @property
    def signature(self) -> str:
        """How the function is called, as text."""
        return self.kind.signature(self.settings.laws)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of what it is called with, by position."""
        return self.kind.parameters(self.settings.laws)

    def cases(self, *, delta: bool) -> Iterator[Case]:
        """Yield the cases, curated ones first; `delta`: whether the function takes one.

        From 200 cases on one of them has 10**5 atoms, but under normal noise, which takes too long.
        Raises InputError where it has to and does not.
        """
        if self.case is not None:
            if self.case.delta is not None and not delta:
                raise InputError(f"the case has a delta: expected {self.signature}")
            yield self.case
        elif self.seed is not None:
            settings = replace(self.settings, delta=delta and self.kind.takes_delta)
            large = self.count >= COUNT and self.settings.noise != "gaussian"
            yield from cases(settings, number=self.count, seed=self.seed, large=large)

    def options(self) -> list[str]:
        """Return the options that make a command judge as this question does.

        Example: ``question("scale").options()`` is ``[]``.
        """
        claim, found = self.claim, []
        if claim.side != self.kind.sides[0]:
            found += ["--claim", str(claim.side)]
        for name in ("digits", "tolerance", "absolute"):
            if getattr(claim, name) != getattr(_DEFAULT, name):
                found += [f"--{name}", str(getattr(claim, name))]
        return found


def question(
    kind: str,
    *,
    noise: str | None = None,
    laws: str = "atoms",
    count: int = COUNT,
    seed: int = 0,
    claim: Promised = _DEFAULT,
    epsilons: tuple[float, float] | None = None,
) -> FunctionQuestion:
    """Return the question about generated cases; `epsilons`: of these alone.

    Raises InputError naming the kind, noise, shape of laws, number or claim that there is not.
    Example: ``question("scale").settings.noise`` is ``"laplace"``.
    """
    asked = kind_of(kind)
    for name, value, least in (("cases", count, 1), ("seed", seed, 0)):
        if type(value) is not int or not least <= value <= _MOST:
            raise InputError(
                f"{name}: {shorten(value)} is not an integer from {least} to {_MOST}"
            )
    require(laws, str, "laws")
    if noise is not None:
        require(noise, str, "noise")
    if noise is not None and asked.noises == ("",):
        raise InputError(f"noise: a {asked.name} has none, so leave {shorten(noise)!r} out")
    settings = Settings(asked.name, noise or asked.noises[0], laws, asked.takes_delta, epsilons)
    return FunctionQuestion(asked, settings, asked.claim(claim), count, seed)


def question_about(
    case: Case, kind: str | None = None, claim: Promised = _DEFAULT
) -> FunctionQuestion:
    """Return the question about one case alone.

    Raises InputError where it is of another kind than `kind`, or of one that there is not.
    Example: ``question_about(case).count`` is 1.
    """
    asked = kind_of(case.kind)
    if kind is not None and kind_of(kind) is not asked:
        raise InputError(f"kind: the case is of kind {case.kind}, not {kind}")
    settings = Settings(asked.name, case.noise, case.laws, delta=asked.takes_delta)
    case.check()
    return FunctionQuestion(asked, settings, asked.claim(claim), 1, None, case)
