"""The theorems that an exported file states, each with its one line of proof.

The statements are written out from the definitions of `proofs/coq`: Coq takes the theorems of
`Check.v`, `Bracket.v`, `Lattice.v` and `EveryScale.v` for them by conversion, and a reader needs
`Release.v`, `Numbers.v` and the tables of `Problems.v` alone (and what `discrete_private` and
`bare_private` mean, where they occur).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pfverify.edge.coq.numbers import integer
from pfverify.edge.coq.tables import WIDTH, folded

_EVALUATED = "ltac:(vm_cast_no_check\xa0(eq_refl\xa0true))"
"""A proof that a test answers true: it runs once, when the theorem is closed (kept on one line)."""


@dataclass(frozen=True)
class Question:
    """The identifiers that one theorem is about: of the scale, epsilon, the pairs and the step.

    `users`: that of a system of users; then a table is what the protected one reports.
    """

    scale: str
    epsilon: str
    pairs: str
    step: str | None
    users: str | None = None

    @property
    def problem(self) -> str:
        """The record of `Problems.v`."""
        return f"(Problem {self.scale} {self.epsilon} {self.pairs})"

    def law(self, table: str) -> str:
        """The prior that a table stands for."""
        return f"(law {table})" if self.users is None else f"(released_law {self.users} {table})"

    def laws(self) -> str:
        """That P and Q stand for laws."""
        return f"probability {self.law('P')} /\\ probability {self.law('Q')} /\\"

    def release(self, table: str) -> str:
        """The release of a prior at y, a density or a mass."""
        prior = self.law(table)
        if self.step is None:
            return f"release (value {self.scale}) {prior} y"
        return f"discrete_release (value {self.scale}) (value {self.step}) {prior} y"

    def private(self, scale: str, step: str | None = None) -> str:
        """Both orders at every output, for P and Q, with noise of a scale (and another step)."""
        if self.step is None:
            return f"private {scale} (value {self.epsilon}) {self.law('P')} {self.law('Q')}"
        step = step or f"(value {self.step})"
        return f"discrete_private {scale} {step} (value {self.epsilon}) (law P) (law Q)"

    def positive(self) -> str:
        """What `certifies` and `refutes` begin with."""
        step = "" if self.step is None else f" /\\ 0 < value {self.step}"
        return f"0 < value {self.scale}{step} /\\"


@dataclass(frozen=True)
class Theorem:
    """A name, lines of a statement, and a term that proves it."""

    name: str
    statement: Sequence[str]
    proof: str

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

    def certified(self, about: Question) -> str:
        """A term that proves `certifies`."""
        if about.users is not None:
            with_effort = f"{self.bits} {self.listed}"
            check = f"(certify {with_effort}) (certified {with_effort})"
            return f"(certified_system {check} {about.users} {about.problem} {_EVALUATED})"
        return f"(certified {self.bits} {self.listed} {about.problem} {_EVALUATED})"

    def refuted(self, about: Question) -> str:
        """A term that proves `refutes`."""
        if about.users is not None:
            check = f"(refute {self.bits}) (refuted {self.bits})"
            return f"(refuted_system {check} {about.users} {about.problem} {_EVALUATED})"
        return f"(refuted {self.bits} {about.problem} {_EVALUATED})"


def private(name: str, about: Question, effort: Effort, *, whole: bool) -> Theorem:
    """Return the theorem that every pair is private in both orders, at every output.

    `whole`: with the definition of `private` written out.
    """
    orders = [
        f"    (forall y, {_bound(about, 'P', 'Q')}) /\\",
        f"    (forall y, {_bound(about, 'Q', 'P')}).",
    ]
    statement = [
        f"  {about.positive()}",
        f"  forall P Q, In (P, Q) {about.pairs} ->",
        f"    {about.laws()}",
        *(orders if whole else [f"    {about.private(f'(value {about.scale})')}."]),
    ]
    proof = effort.certified(about)
    if about.step is not None:
        proof = f"(certified_discrete {about.step} {about.problem} {_EVALUATED} {proof})"
    return Theorem(name, statement, proof)


def not_private(name: str, about: Question, effort: Effort) -> Theorem:
    """Return the theorem that one pair fails, at an atom, in one order."""
    statement = [
        f"  {about.positive()}",
        "  exists P Q y,",
        f"    (In (P, Q) {about.pairs} \\/ In (Q, P) {about.pairs}) /\\",
        f"    {about.laws()}",
        *(["    In y (atoms (law P ++ law Q)) /\\"] if about.users is None else []),
        f"    {_growth(about, 'Q')} <\n      {about.release('P')}.",
    ]
    proof = effort.refuted(about)
    if about.step is not None:
        proof = f"(refuted_discrete {about.step} {about.problem} {_EVALUATED} {proof})"
    return Theorem(name, statement, proof)


def approximate(name: str, about: Question, bits: int) -> Theorem:
    """Return the theorem that both divergences of every pair are at most delta."""
    statement = [
        f"  {about.positive()}",
        f"  forall P Q, In (P, Q) {about.pairs} ->",
        *_releases(about),
        f"    {about.laws()}",
        "    divergence E p q <= value delta /\\ divergence E q p <= value delta.",
    ]
    return Theorem(name, statement, f"(certified_delta {bits} delta {about.problem} {_EVALUATED})")


def not_approximate(name: str, about: Question, bits: int) -> Theorem:
    """Return the theorem that one pair has a divergence above delta, in one order."""
    statement = [
        f"  {about.positive()}",
        "  exists P Q,",
        f"    (In (P, Q) {about.pairs} \\/ In (Q, P) {about.pairs}) /\\",
        f"    {about.laws()}",
        f"    value delta < divergence (exp (value {about.epsilon}))",
        f"      ({_density(about, 'P')}) ({_density(about, 'Q')}).",
    ]
    return Theorem(name, statement, f"(refuted_delta {bits} delta {about.problem} {_EVALUATED})")


def _density(about: Question, table: str) -> str:
    return f"release (value {about.scale}) {about.law(table)}"


def _releases(about: Question) -> list[str]:
    return [
        f"    let p := {_density(about, 'P')} in",
        f"    let q := {_density(about, 'Q')} in",
        f"    let E := exp (value {about.epsilon}) in",
    ]


def private_above(name: str, upper: Question, effort: Effort) -> Theorem:
    """Return the theorem that every larger scale is private for every pair."""
    ends = f"{upper.scale} {upper.epsilon} {upper.pairs}"
    proof = f"(private_above {ends} {effort.certified(upper)})"
    if upper.users is not None:
        proof = f"(private_above_system {upper.users} {ends} {effort.certified(upper)})"
    if upper.step is not None:
        ends = f"{upper.step} {ends} {_EVALUATED}"
        proof = f"(discrete_private_above {ends} {effort.certified(upper)})"
    return Theorem(name, [f"{_above(upper)}."], proof)


def bracket(name: str, lower: Question, upper: Question, effort: Effort) -> Theorem:
    """Return the theorem that the smallest private scale lies between two."""
    ends = f"{lower.scale} {upper.scale} {upper.epsilon} {upper.pairs}"
    both = f"{effort.refuted(lower)} {effort.certified(upper)}"
    proof = f"(bracket {ends} {both})"
    if upper.users is not None:
        proof = f"(bracket_system {upper.users} {ends} {both})"
    if upper.step is not None:
        proof = f"(bracket_discrete {upper.step} {ends} {_EVALUATED} {both})"
    statement = [f"  ({_above(upper).strip()}) /\\", f"  ({_below(lower).strip()})."]
    return Theorem(name, statement, proof)


def private_without_noise(name: str, about: Question, effort: Effort) -> Theorem:
    """Return the theorem that every pair is private without noise, and so at every scale."""
    scales, private = "forall theta, 0 < theta ->", about.private("theta")
    proved_by = "private_at_every_scale"
    if about.step is not None:
        scales = "forall theta step, 0 < theta -> 0 < step ->"
        private = about.private("theta", "step")
        proved_by = f"discretely_{proved_by}"
    statement = [
        f"  forall P Q, In (P, Q) {about.pairs} ->",
        "    probability (law P) /\\ probability (law Q) /\\",
        f"    bare_private (value {about.epsilon}) (law P) (law Q) /\\",
        f"    {scales}\n      {private}.",
    ]
    ends = f"{effort.bits} {effort.listed} {about.epsilon} {about.pairs} {_EVALUATED}"
    return Theorem(name, statement, f"({proved_by} {ends})")


def not_private_without_noise(name: str, about: Question, effort: Effort) -> Theorem:
    """Return the theorem that one pair fails without noise, at an atom, in one order."""
    statement = [
        "  exists P Q y,",
        f"    (In (P, Q) {about.pairs} \\/ In (Q, P) {about.pairs}) /\\",
        "    probability (law P) /\\ probability (law Q) /\\ In y (atoms (law P ++ law Q)) /\\",
        f"    exp (value {about.epsilon}) * mass_at (law Q) y < mass_at (law P) y.",
    ]
    ends = f"{effort.bits} {about.epsilon} {about.pairs} {_EVALUATED}"
    return Theorem(name, statement, f"(not_private_without_noise {ends})")


def private_at_no_scale(name: str, about: Question, effort: Effort) -> Theorem:
    """Return the theorem that some pair is private at no scale."""
    statement = [
        f"  exists P Q, In (P, Q) {about.pairs} /\\",
        "    probability (law P) /\\ probability (law Q) /\\",
        f"    forall theta, 0 < theta -> ~ {about.private('theta')}.",
    ]
    proof = (
        f"(private_at_no_scale {effort.listed} {about.epsilon} {about.pairs} {_EVALUATED})"
        if about.step is None else
        f"(discretely_private_at_no_scale {about.step} {effort.listed} {about.problem} "
        f"{_EVALUATED} {_EVALUATED})"
    )  # fmt: skip
    return Theorem(name, statement, proof)


def _above(upper: Question) -> str:
    return (
        f"  forall theta, value {upper.scale} <= theta -> forall P Q, In (P, Q) {upper.pairs} ->\n"
        f"    {upper.private('theta')}"
    )


def _below(lower: Question) -> str:
    return (
        f"  forall theta, 0 < theta <= value {lower.scale} -> "
        f"exists P Q, In (P, Q) {lower.pairs} /\\\n    ~ {lower.private('theta')}"
    )


def _growth(about: Question, law: str) -> str:
    return f"exp (value {about.epsilon}) * {about.release(law)}"


def _bound(about: Question, p: str, q: str) -> str:
    return f"{about.release(p)} <=\n       {_growth(about, q)}"
