"""What a proof file states: a claim of a source, its parts, and the steps that settle them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.proof.meaning import Instance
from pfverify.proof.outcome import Result
from pfverify.proof.rules import Rule
from pfverify.proof.terms import Formula


@dataclass(frozen=True)
class Source:
    """A paper's key (see papers.py) and the number of the claim in it, as printed."""

    paper: str
    number: str


@dataclass(frozen=True)
class Step:
    """A named conclusion and the rule that is to check it; `written` as `Proved.written`."""

    name: str
    formula: Formula
    rule: Rule
    written: Formula | None = None

    def all(self) -> Iterator[Step]:
        """Yield the steps inside its rule, and it."""
        for step in self.rule.inner:
            yield from step.all()
        yield self


@dataclass(frozen=True)
class Proved:
    """A statement that follows from hypotheses by steps: it is a step's formula, or joins such.

    In each of the `examples` every hypothesis holds, and each guard inside the statement holds in
    one of them, so that the statement is not empty.
    `data` is an instance the statement is about (tables of a paper); only the rules `finite` and
    `enclosure` read it. `meets` gives values to free variables at which the guards inside the
    statement hold, where the checker does not find them by itself. A part that `denies` shows that
    what is printed, the formula `denied`, is false: that it fails follows from the hypotheses and
    the statement, for all values of its free variables, or where `at` puts terms for these.
    `written` is the part before sympy simplified it, where it comes from a file (see `paired`).
    """

    statement: Formula
    steps: tuple[Step, ...]
    given: Mapping[str, Formula] = field(default_factory=dict)
    examples: tuple[Instance, ...] = ()
    data: Instance | None = None
    words: str = ""
    meets: Mapping[Any, Any] = field(default_factory=dict)
    denied: Formula | None = None
    at: Mapping[Any, Any] = field(default_factory=dict)
    written: Proved | None = None

    @property
    def denies(self) -> bool:
        """Whether it is shown against what is printed."""
        return self.denied is not None

    def formulas(self) -> list[Formula]:
        """Return what it is about: hypotheses, the statement, and what is denied."""
        return [*self.given.values(), self.statement, *([self.denied] if self.denied else [])]

    def all_steps(self) -> list[Step]:
        """Return the steps, each after those that are inside its rule."""
        return [inner for step in self.steps for inner in step.all()]


@dataclass(frozen=True)
class Refuted:
    """A statement that fails in an instance where its hypotheses hold.

    `at` gives values to free variables of the statement. With a `problem` (the shape of a problem
    file) the kernel must accept a certificate that it is `verdict`; the statement may then be that
    the problem has the other verdict. `written` as `Proved.written`.
    """

    statement: Formula
    instance: Instance | None = None
    given: Mapping[str, Formula] = field(default_factory=dict)
    at: Mapping[Any, Number] = field(default_factory=dict)
    problem: Mapping[str, Any] | None = None
    verdict: str = "refuted"
    binds: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    written: Refuted | None = None

    def formulas(self) -> list[Formula]:
        """Return what it is about: hypotheses and the statement."""
        return [*self.given.values(), self.statement]


Part = Proved | Refuted


@dataclass(frozen=True)
class Break:
    """An edit after which the claim must fail (see `breaking.broken`), and the step that notices.

    `where` is an instance, and `at` values of free variables, where what was changed is false
    although the hypotheses that are left, and the claim's `meaning`, hold.
    """

    change: str
    step: str
    where: Instance | None = None
    at: Mapping[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """One claim of a source and all that is shown about it.

    `printed` settles the claim as printed, `corrected` proves the statement that should stand in
    its place, `tighter` proves a stronger one; `readings` settles each reading of an ambiguous
    text; `not_checkable` says why nothing can be shown, `open` what is left open. `symbols` gives
    names the paper's notation where `paper_notation` does not; `meaning` says what the symbols are
    in the paper beyond what the claim needs (masses sum to 1, E > 1), which the counterexamples of
    `breaks` respect.
    """

    id: str
    source: Source
    words: str
    result: Result
    printed: Part | None = None
    corrected: Proved | None = None
    tighter: Proved | None = None
    readings: tuple[Part, ...] = ()
    not_checkable: str = ""
    open: str = ""
    symbols: Mapping[str, str] = field(default_factory=dict)
    meaning: tuple[Formula, ...] = ()
    breaks: tuple[Break, ...] = ()

    def parts(self) -> list[tuple[str, Part]]:
        """Return the parts by name."""
        named: list[tuple[str, Part | None]] = [
            ("printed", self.printed), ("corrected", self.corrected), ("tighter", self.tighter),
            *((f"reading {k}", part) for k, part in enumerate(self.readings, 1)),
        ]  # fmt: skip
        return [(name, part) for name, part in named if part is not None]

    def earned_result(self) -> Result | None:
        """Return the result that the parts amount to if they all check, None if to none."""
        if self.not_checkable:
            return None if self.parts() else Result.NOT_CHECKABLE
        if self.readings:
            alone = self.printed is None and self.corrected is None
            return Result.BOTH_READINGS if alone and len(self.readings) > 1 else None
        if isinstance(self.printed, Proved) and not self.printed.denies:
            return Result.PROVED if self.corrected is None else None
        if self.printed is not None:
            return Result.REFUTED if self.corrected is None else Result.REPAIRED
        return None


def paired(claim: Claim, written: Claim) -> Claim:
    """Return a claim whose parts and steps know how they are written.

    `written` is the same claim, read without simplifying: sympy makes 1 of x/x, so that only what
    is written shows where a formula has a value. Raises InputError where the two differ in more.
    """
    return replace(
        claim,
        **{name: _part(getattr(claim, name), getattr(written, name))
           for name in ("printed", "corrected", "tighter")},
        readings=tuple(_each(_part, claim.readings, written.readings)),
    )  # fmt: skip


def _part(part: Any, written: Any) -> Any:
    if type(part) is not type(written) or (part and [*part.given] != [*written.given]):
        raise InputError("it reads as something else before it is simplified")
    if isinstance(part, Proved):
        part = replace(part, steps=tuple(_each(_step, part.steps, written.steps)))
    return part and replace(part, written=replace(written, written=None))


def _step(step: Step, written: Step) -> Step:
    rule = step.rule
    if rule.inner or written.rule.inner:
        rule = rule.with_inner(_each(_step, rule.inner, written.rule.inner))
    return replace(step, rule=rule, written=written.formula)


def _each(pair: Callable[[Any, Any], Any], some: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    if len(some) != len(others):
        raise InputError("it has other steps before it is simplified")
    return [pair(a, b) for a, b in zip(some, others, strict=True)]
