"""The theorems that an exported file states, each with its one line of proof.

The statements are written out from the definitions of `proofs/coq`: Coq takes the theorems of
`Check.v`, `Bracket.v`, `Lattice.v` and `EveryScale.v` for them by conversion, and a reader needs
`Release.v`, `Numbers.v` and the tables of `Problems.v` alone. Every other name is written with its
module, and no other module is imported: none can give a word of a statement another meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pfverify.edge.coq.numbers import integer
from pfverify.edge.coq.tables import WIDTH, folded

IMPORTED = ("Release", "Numbers", "Problems")
"""The modules whose names statements use as they are, in the order of what they require."""
_MORE = {"Systems": ("Independent",), "Divergence": ("Integrals",), "Bare": ("Means",)}
"""Module that statements name -> the modules besides that define what its definitions say."""
_QUALIFIED = re.compile(r"\b([A-Z]\w*)\.(?=[A-Za-z])")


def definitions_of(modules: Iterable[str]) -> tuple[str, ...]:
    """Return the files with every definition that statements need, which name these modules.

    Example: ``definitions_of(["Bare"])[3:]`` is ``("Bare.v", "Means.v")``.
    """
    named = sorted({name for one in modules for name in (one, *_MORE.get(one, ()))})
    return tuple(f"{name}.v" for name in (*IMPORTED, *named))


_EVALUATED = "ltac:(vm_cast_no_check\xa0(eq_refl\xa0true))"
"""A proof that a test answers true: it runs once, when the theorem is closed (kept on one line)."""


@dataclass(frozen=True)
class TheoremNames:
    """The identifiers that one theorem is about: of the scale, epsilon, the pairs and the step.

    `users`: that of a system of users; then a table is what the protected one reports. `among`: so
    many users, where nothing is known of the others; then too. `form`: events or pointwise, where
    the bound has a delta.
    """

    scale: str
    epsilon: str
    pairs: str
    step: str | None
    users: str | None = None
    among: int | None = None
    form: str | None = None

    @property
    def problem(self) -> str:
        """The record of `Problems.v`."""
        return f"(Problem {self.scale} {self.epsilon} {self.pairs})"

    @property
    def of_tables(self) -> bool:
        """Whether the tables are what is released."""
        return self.users is None and self.among is None

    def law(self, table: str) -> str:
        """The prior that a table stands for."""
        if self.users is not None:
            return f"(Systems.released_law {self.users} {table})"
        return (
            f"(law {table})"
            if self.among is None
            else f"(Systems.released {self.among} (law {table}) S)"
        )

    def laws(self) -> str:
        """That P and Q stand for laws."""
        p, q = ("(law P)", "(law Q)") if self.users is None else (self.law("P"), self.law("Q"))
        return f"probability {p} /\\ probability {q} /\\"

    def others(self, quantifier: str) -> list[str]:
        """Where nothing is known of the others: that S is any law of theirs, or some."""
        if self.among is None:
            return []
        join = "->" if quantifier == "forall" else "/\\"
        return [f"    {quantifier} S, probability S {join}"]

    def release(self, table: str) -> str:
        """The release of a prior at y, a density or a mass."""
        prior = self.law(table)
        if self.step is None:
            return f"release (value {self.scale}) {prior} y"
        return f"Lattice.discrete_release (value {self.scale}) (value {self.step}) {prior} y"

    def private(self, scale: str, step: str | None = None) -> str:
        """Both orders at every output or event, for P and Q, with noise of a scale (and a step)."""
        epsilon, p, q = f"(value {self.epsilon})", self.law("P"), self.law("Q")
        orders = (p, q), (q, p)
        match self.form:
            case "events":
                bounds = [
                    f"Divergence.divergence (exp {epsilon}) (release {scale} {one}) "
                    f"(release {scale} {other}) <= value delta" for one, other in orders
                ]  # fmt: skip
            case "pointwise":
                bounds = [f"Pointwise.pointwise {scale} {epsilon} (value delta) {one} {other}"
                          for one, other in orders]  # fmt: skip
            case None if self.step is None:
                return f"private {scale} {epsilon} {p} {q}"
            case None:
                step = step or f"(value {self.step})"
                return f"Lattice.discrete_private {scale} {step} {epsilon} (law P) (law Q)"
            case _:
                raise ValueError(f"the form {self.form} has no statement in Coq")
        return " /\\\n    ".join(bounds)

    def defined(self) -> str:
        """That its numbers are defined, scale and step positive, and delta at least 0."""
        numbers = [self.scale, self.epsilon, *filter(None, [self.step])]
        positive = [f"0 < value {self.scale}"]
        if self.step is not None:
            positive.append(f"0 < value {self.step}")
        if self.form is not None:
            numbers.append("delta")
        if self.form == "pointwise":
            positive.append("0 <= value delta")
        return " /\\ ".join([*(f"defined {one}" for one in numbers), *positive]) + " /\\"


@dataclass(frozen=True)
class StatedTheorem:
    """A name, lines of a statement, and a term that proves it."""

    name: str
    statement: Sequence[str]
    proof: str

    @property
    def defining(self) -> set[str]:
        """The modules that its statement names."""
        return {*_QUALIFIED.findall(" ".join(self.statement))}

    @property
    def modules(self) -> set[str]:
        """The modules that it names."""
        return self.defining | {*_QUALIFIED.findall(self.proof)}

    def lines(self) -> list[str]:
        """The theorem as it stands in the file."""
        return [
            f"Theorem {self.name} :",
            *(line for part in self.statement for whole in part.splitlines()
              for line in _within(whole)),
            *self._proved(),
        ]  # fmt: skip

    def _proved(self) -> list[str]:
        line = f"Proof. exact {self.proof}. Qed."
        lines = [line] if len(line) <= WIDTH else [
            "Proof.", *folded(f"exact {self.proof}.", "  ", "    "), "Qed."
        ]  # fmt: skip
        return [line.replace("\xa0", " ") for line in lines]


def _within(line: str) -> list[str]:
    """A line with its indent, over several where it is long."""
    text = line.lstrip()
    indent = line[: len(line) - len(text)]
    return folded(text, indent, f"{indent}  ")


@dataclass(frozen=True)
class Effort:
    """With what the checker is called: its first precision, and the bases of logarithms."""

    bits: int
    bases: Sequence[int]

    @property
    def listed(self) -> str:
        """The bases, as a list."""
        return f"[{'; '.join(map(integer, self.bases))}]%positive" if self.bases else "[]"

    def certified(self, about: TheoremNames) -> str:
        """A term that proves `certifies`, or what stands for it."""
        return self._term("certify", "certified", f"{self.bits} {self.listed}", about)

    def refuted(self, about: TheoremNames) -> str:
        """A term that proves `refutes`, or what stands for it."""
        return self._term("refute", "refuted", str(self.bits), about)

    def _term(self, test: str, proved: str, effort: str, about: TheoremNames) -> str:
        """The theorem that a test of the checker proves what it is named after, applied."""
        on = f"{about.problem} {_EVALUATED})"
        if about.form is not None:
            module, name = _WITH_DELTA[about.form]
            return f"({module}.{proved}_{name} {self.bits} delta {on}"
        if about.of_tables:
            return f"(Check.{proved} {effort} {on}"
        check = f"(Check.{test} {effort}) (Check.{proved} {effort})"
        which = "system" if about.users is not None else "any_rest"
        return f"(Systems.{proved}_{which} {check} {about.users or about.among} {on}"


_WITH_DELTA = {"events": ("DivergenceCheck", "delta"), "pointwise": ("PointwiseCheck", "pointwise")}
"""Form of a bound with a delta -> the module of its checker, and what its theorems end in."""


def private(name: str, about: TheoremNames, effort: Effort, *, whole: bool) -> StatedTheorem:
    """Return the theorem that every pair is private in both orders, at every output or event.

    `whole`: with the definition of `private` written out.
    """
    orders = [f"    {about.private(f'(value {about.scale})')}."]
    if about.form == "pointwise" or (whole and about.form is None):
        orders = [
            f"    (forall y, {_bound(about, 'P', 'Q')}) /\\",
            f"    (forall y, {_bound(about, 'Q', 'P')}).",
        ]
    statement = [
        f"  {about.defined()}",
        f"  forall P Q, In (P, Q) {about.pairs} ->",
        f"    {about.laws()}",
        *about.others("forall"),
        *orders,
    ]
    proof = effort.certified(about)
    if about.step is not None:
        proof = f"(Lattice.certified_discrete {about.step} {about.problem} {_EVALUATED} {proof})"
    return StatedTheorem(name, statement, proof)


def not_private(name: str, about: TheoremNames, effort: Effort) -> StatedTheorem:
    """Return the theorem that one pair fails in one order: at an atom, or for an event."""
    of_events = about.form == "events"
    among, some = ("", "") if about.among is None else (" S", " probability S /\\")
    statement = [
        f"  {about.defined()}",
        f"  exists P Q{among}{'' if of_events else ' y'},",
        f"    (In (P, Q) {about.pairs} \\/ In (Q, P) {about.pairs}) /\\",
        f"    {about.laws()}{some}",
        *(["    In y (atoms (law P ++ law Q)) /\\"] if about.of_tables and not of_events else []),
        f"    {_violation(about)}.",
    ]
    proof = effort.refuted(about)
    if about.step is not None:
        proof = f"(Lattice.refuted_discrete {about.step} {about.problem} {_EVALUATED} {proof})"
    return StatedTheorem(name, statement, proof)


def private_above(name: str, upper: TheoremNames, effort: Effort) -> StatedTheorem:
    """Return the theorem that every larger scale is private for every pair."""
    ends = f"{upper.scale} {upper.epsilon}{_delta(upper)} {upper.pairs}"
    proof = _over_scales(upper, "private_above", ends, effort.certified(upper))
    return StatedTheorem(name, [f"{_above(upper)}."], proof)


def bracket(name: str, lower: TheoremNames, upper: TheoremNames, effort: Effort) -> StatedTheorem:
    """Return the theorem that the smallest private scale lies between two."""
    ends = f"{lower.scale} {upper.scale} {upper.epsilon}{_delta(upper)} {upper.pairs}"
    both = f"{effort.refuted(lower)} {effort.certified(upper)}"
    proof = _over_scales(upper, "bracket", ends, both)
    statement = [f"  ({_above(upper).strip()}) /\\", f"  ({_below(lower).strip()})."]
    return StatedTheorem(name, statement, proof)


def _delta(about: TheoremNames) -> str:
    return "" if about.form is None else " delta"


def _over_scales(about: TheoremNames, what: str, ends: str, proofs: str) -> str:
    """The term of a theorem about many scales: of the module and under the name that it has."""
    if about.form == "events":
        return f"(BracketEvents.{what}_delta {ends} {proofs})"
    if about.form == "pointwise":
        return f"(Pointwise.{what}_pointwise {ends} {proofs})"
    if about.users is not None:
        return f"(Systems.{what}_system {about.users} {ends} {proofs})"
    if about.among is not None:
        return f"(Systems.{what}_any_rest {about.among} {ends} {proofs})"
    if about.step is not None:
        name = {"bracket": "bracket_discrete", "private_above": "discrete_private_above"}[what]
        return f"(Lattice.{name} {about.step} {ends} {_EVALUATED} {proofs})"
    return f"(Bracket.{what} {ends} {proofs})"


def private_without_noise(name: str, about: TheoremNames, effort: Effort) -> StatedTheorem:
    """Return the theorem that every pair is private without noise, and so at every scale."""
    scales, private = "forall theta, 0 < theta ->", about.private("theta")
    proved_by = "private_at_every_scale"
    if about.step is not None:
        scales = "forall theta step, 0 < theta -> 0 < step ->"
        private = about.private("theta", "step")
        proved_by = f"discretely_{proved_by}"
    statement = [
        f"  defined {about.epsilon} /\\",
        f"  forall P Q, In (P, Q) {about.pairs} ->",
        "    probability (law P) /\\ probability (law Q) /\\",
        f"    Bare.bare_private (value {about.epsilon}) (law P) (law Q) /\\",
        f"    {scales}\n      {private}.",
    ]
    ends = f"{effort.bits} {effort.listed} {about.epsilon} {about.pairs} {_EVALUATED}"
    return StatedTheorem(name, statement, f"(EveryScale.{proved_by} {ends})")


def not_private_without_noise(name: str, about: TheoremNames, effort: Effort) -> StatedTheorem:
    """Return the theorem that one pair fails without noise, at an atom, in one order."""
    statement = [
        f"  defined {about.epsilon} /\\",
        "  exists P Q y,",
        f"    (In (P, Q) {about.pairs} \\/ In (Q, P) {about.pairs}) /\\",
        "    probability (law P) /\\ probability (law Q) /\\ In y (atoms (law P ++ law Q)) /\\",
        f"    exp (value {about.epsilon}) * Means.mass_at (law Q) y < Means.mass_at (law P) y.",
    ]
    ends = f"{effort.bits} {about.epsilon} {about.pairs} {_EVALUATED}"
    return StatedTheorem(name, statement, f"(EveryScale.not_private_without_noise {ends})")


def private_at_no_scale(name: str, about: TheoremNames, effort: Effort) -> StatedTheorem:
    """Return the theorem that some pair is private at no scale."""
    step = "" if about.step is None else f"defined {about.step} /\\ 0 < value {about.step} /\\"
    statement = [
        f"  defined {about.epsilon} /\\ {step}".rstrip(),
        f"  exists P Q, In (P, Q) {about.pairs} /\\",
        "    probability (law P) /\\ probability (law Q) /\\",
        f"    forall theta, 0 < theta -> ~ {about.private('theta')}.",
    ]
    proof = (
        f"(EveryScale.private_at_no_scale {effort.listed} {about.epsilon} {about.pairs} "
        f"{_EVALUATED})"
        if about.step is None else
        f"(EveryScale.discretely_private_at_no_scale {about.step} {effort.listed} {about.problem} "
        f"{_EVALUATED} {_EVALUATED})"
    )  # fmt: skip
    return StatedTheorem(name, statement, proof)


def _above(upper: TheoremNames) -> str:
    others = "".join(f" {line.strip()}" for line in upper.others("forall"))
    return (
        f"  {upper.defined()}\n"
        f"  forall theta, value {upper.scale} <= theta -> forall P Q, In (P, Q) {upper.pairs} ->\n"
        f"    {upper.laws()}{others}\n"
        f"    {upper.private('theta')}"
    )


def _below(lower: TheoremNames) -> str:
    others = "".join(f" {line.strip()}" for line in lower.others("exists"))
    private = lower.private("theta")
    return (
        f"  {lower.defined()}\n"
        f"  forall theta, 0 < theta <= value {lower.scale} -> "
        f"exists P Q, In (P, Q) {lower.pairs} /\\\n    {lower.laws()}{others}\n"
        f"    ~ {private if lower.form is None else f'({private})'}"
    )


def _growth(about: TheoremNames, law: str) -> str:
    return f"exp (value {about.epsilon}) * {about.release(law)}"


def _bound(about: TheoremNames, p: str, q: str) -> str:
    if about.form == "pointwise":
        return f"{about.release(p)} -\n       {_growth(about, q)} <= value delta"
    return f"{about.release(p)} <=\n       {_growth(about, q)}"


def _violation(about: TheoremNames) -> str:
    """One order fails, for P against Q."""
    if about.form == "events":
        p, q = (f"(release (value {about.scale}) {about.law(name)})" for name in "PQ")
        growth = f"(exp (value {about.epsilon}))"
        return f"value delta <\n      Divergence.divergence {growth} {p} {q}"
    if about.form == "pointwise":
        return f"value delta <\n      {about.release('P')} -\n      {_growth(about, 'Q')}"
    return f"{_growth(about, 'Q')} <\n      {about.release('P')}"
