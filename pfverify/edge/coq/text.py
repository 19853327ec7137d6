"""A checked certificate as a file of Coq: data, statements, one line of proof each.

The kernel accepts the certificate first. What is stated follows from the problem alone; Coq decides
it anew with the verified checker of `proofs/coq`.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pfverify
from pfverify.decide.assumptions import assumed
from pfverify.edge.coq.claims import AcceptedClaim, AtScale, Group, MinimumClaim, claim_of
from pfverify.edge.coq.names import CoqNames, commented
from pfverify.edge.coq.numbers import coq_decimal, coq_number, integer, logarithm_bases
from pfverify.edge.coq.statements import (
    IMPORTED,
    NOTES,
    TAKEN,
    StatedTheorem,
    Wording,
    definitions_of,
)
from pfverify.edge.coq.tables import WIDTH, Tables, folded
from pfverify.edge.coq.users import CALLED, divisor_of, of_user_alone, system_lines, users_of
from pfverify.edge.words import plain
from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem
from pfverify.model.question import Question
from pfverify.model.sources.correlated import Correlated
from pfverify.model.sources.users import Users

_ANY = "1%number"  # a scale, of statements about no scale in particular
_FIRST_BITS = 64  # the checker tries twice and four times as many too
_USERS = {"known": "users", "any": "any_rest"}
"""What is known of the other users -> the setting of statements about the protected one."""
_SAFE = set("-_./+=,:@% ")


@dataclass(frozen=True)
class Exported:
    """The text of a file, the modules of the theory that it needs, and what its theorems say.

    `theorems`: name -> the statement in words, in the order of the file; `definitions`: the files
    of the theory that define the words of the statements; `taken`: what pfverify worked out of the
    problem, and no theorem proves.
    """

    text: str
    modules: tuple[str, ...]
    theorems: dict[str, str]
    definitions: tuple[str, ...]
    taken: tuple[str, ...]

    @property
    def axioms(self) -> str:
        """More lines, which have Coq list the axioms of all theorems."""
        names = folded(f"Definition theorems := ({', '.join(self.theorems)}).")
        return "\n".join([*names, "Print Assumptions theorems.", ""])


def coq_text(
    problem: Problem, problem_path: Path, certificate_path: Path, theory: str, output: str
) -> Exported:
    """Return a certificate that the kernel accepts as a file of Coq, to be saved as `output`.

    `theory` is the folder of the theory, as the command in the first comment names it.
    Raises InputError when the certificate is not valid, when there is no Coq rule for it, when the
    tables are too long, and for a name of a file or folder that cannot stand in the comment.
    """
    command = _command(theory, output)
    claim = claim_of(problem, problem_path, certificate_path)
    file = _File(problem, problem_path.stem, claim)
    body = [*file.numbers(), *file.tables(), *file.theorems()]
    head = [
        f"(* {command} *)",
        "",
        _comment(_about(problem, problem_path, claim, file)),
        "",
        "From Coq Require Import Reals ZArith List.",
        "Import ListNotations.",
        f"From Pfverify Require Import {' '.join(IMPORTED)}.",
        f"From Pfverify Require {' '.join(file.modules)}.",
        "Open Scope R_scope.",
        "",
    ]
    text = "\n".join([*head, *body, _ended(file.stated), ""])
    words = {theorem.name: theorem.words for theorem in file.stated}
    return Exported(text, file.modules, words, file.definitions, tuple(file.taken()))


def _command(theory: str, output: str) -> str:
    """The command of the first comment, which a comment must be able to hold."""
    for name in (theory, output):
        if not all((mark.isalnum() and mark.isascii()) or mark in _SAFE for mark in name):
            raise InputError(
                f"{commented(name)}: the file begins with the command to run, expected a name of "
                f"ASCII letters, digits and {' '.join(sorted(_SAFE)).strip()}"
            )
    folder = shlex.quote(theory)
    compiled = shlex.quote(f"{theory.rstrip('/')}/compile")
    return f"sh {compiled} && coqc -R {folder} Pfverify {shlex.quote(output)}"


def _about(problem: Problem, path: Path, claim: AcceptedClaim, file: _File) -> Iterator[str]:
    """What a reader wants to know first, a paragraph each."""
    yield (
        f"pfverify {pfverify.__version__}: {claim.word}, problem '{commented(path.name)}', digest "
        f"{problem_digest(problem)}; its kernel accepts the certificate."
    )
    noise = f"Noise: {problem.noise.kind}"
    if claim.scale is not None:
        noise += f" of scale {_shown(claim.scale)}"
    if problem.noise.step is not None:
        noise += f" on the multiples of {problem.noise.step}"
    yield (
        f"{noise}. epsilon = {_shown(problem.epsilon)}"
        f"{' per unit of distance' if problem.protection.extended else ''}, "
        f"delta = {_shown(problem.delta)}. {claim.pairs} {'pair' if claim.pairs == 1 else 'pairs'} "
        "of priors, both orders, every output."
    )
    found = {
        "events": claim.form == "events",
        "stronger": claim.form is None and problem.delta.sign() != 0,
        "one_fails": claim.word == "refuted" and claim.pairs > 1,
        "users": file.setting == "users",
        "any_rest": file.setting == "any_rest",
    }
    yield from (NOTES[name] for name, holds in found.items() if holds)
    for one in file.taken():
        yield f"Taken from pfverify, not proved here: {one}."
    yield f"Assumed: {commented('; '.join(assumed(problem, bare=claim.silent)), 2000)}."


def _shown(number: Number) -> str:
    return commented(plain(number.text), 200)


def _comment(paragraphs: Iterator[str]) -> str:
    """A comment of several paragraphs."""
    lines = [line for text in paragraphs
             for line in textwrap.wrap(text, WIDTH - 6, break_on_hyphens=False)]  # fmt: skip
    inside = "\n   ".join(lines)
    return f"(* {inside} *)"


def _ended(stated: list[StatedTheorem]) -> str:
    """How to list the axioms: not in the file itself, as Coq looks for them for some seconds."""
    which = "Its axioms" if len(stated) == 1 else "The axioms of a theorem"
    return f"(* {which}, in some seconds: Print Assumptions {stated[0].name}. *)"


def _number(name: str, expression: str) -> list[str]:
    return folded(f"Definition {name} : number := {expression}.")


def _of_group(group: Group, suffix: str) -> dict[str, str]:
    """The identifiers of what a group of pairs is about, and in words which pairs it has."""
    which = f" for the pairs of epsilon {plain(group.epsilon.text)}" if suffix else ""
    return {"epsilon": f"epsilon{suffix}", "pairs": f"pairs{suffix}", "suffix": suffix,
            "which": which}  # fmt: skip


class _File:
    """The parts of one file, which share identifiers; `stated`: the theorems that were written."""

    def __init__(self, problem: Problem, stem: str, claim: AcceptedClaim) -> None:
        self._problem = problem
        self._stem = stem
        self._claim = claim
        self._names = CoqNames()
        self.stated: list[StatedTheorem] = []
        self._system = users_of(problem, claim)
        self._tables = Tables(self._compared(), self._names)
        if (why := self._tables.too_long) is not None:
            raise InputError(f"--coq: {why}")
        self._wording = Wording(self.setting, self._words(), self._names)
        several = len(claim.groups) > 1
        self._groups = [
            (group, _of_group(group, f"_{k}" if several else ""))
            for k, group in enumerate(claim.groups, 1)
        ]

    def _compared(self) -> list[Question]:
        """The pairs with the laws that the tables are of."""
        groups = self._claim.groups
        if self._system is not None:
            groups = of_user_alone(groups, self._system)
        return [item for group in groups for item in group.items]

    @property
    def setting(self) -> str:
        """What the statements are about, as `statements.toml` names it."""
        if self._claim.form is not None:
            return self._claim.form
        if self._system is not None:
            return _USERS[self._system.rest]
        return "tables" if self._problem.noise.step is None else "lattice"

    def _words(self) -> dict[str, str]:
        """What all statements have in common: with what the checker is called, and identifiers."""
        numbers = [group.epsilon for group in self._claim.groups]
        if self._claim.scale is not None:
            numbers.append(self._claim.scale)
        bases = "; ".join(map(integer, logarithm_bases(numbers)))
        words = {
            "bits": str(max(_FIRST_BITS, self._claim.bits // 2)),
            "bases": f"[{bases}]%positive" if bases else "[]",
            "step": "step",
            "users": CALLED,
        }
        return words if self._system is None else words | {"among": str(divisor_of(self._system))}

    def taken(self) -> list[str]:
        """What was worked out of the problem in Python, and is stated as if it were the problem."""
        source, system = self._problem.source, self._system
        mixed = system is not None and system.presence_model == "independent"
        found = {
            "user_alone": system is None and source.part_alone,
            "steps": bool(source.steps),
            "sum_of_users": system is None and type(source.origin) is Users and source.worked_out,
            "correlated": isinstance(source.origin, Correlated),
            "presence": mixed and self.setting == "users",
            "members": source.stands_for is not None,
            "distances": self._problem.protection.extended,
        }
        return [TAKEN[name] for name, holds in found.items() if holds]

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that the theorems name, besides those whose names they use as they are."""
        return tuple(sorted({name for one in self.stated for name in one.modules}))

    @property
    def definitions(self) -> tuple[str, ...]:
        """The files that define what the statements say."""
        return definitions_of(name for one in self.stated for name in one.defining)

    def numbers(self) -> Iterator[str]:
        """The definitions of scale, epsilon and step."""
        if self._claim.scale is not None and not self._claim.silent:
            yield from _number("scale", coq_number(self._claim.scale))
        for group, words in self._groups:
            yield from _number(words["epsilon"], coq_number(group.epsilon))
        if self._claim.form is not None:
            yield from _number("delta", coq_number(self._problem.delta))
        if self._problem.noise.step is not None:
            yield from _number("step", coq_number(Number.of_rational(self._problem.noise.step)))
        yield ""

    def tables(self) -> Iterator[str]:
        """The priors, and the pairs of them that are compared."""
        yield from self._tables.lines()
        if self._system is not None and self.setting == "users":
            yield from system_lines(self._system, self._names)
        yield ""
        for group, words in self._groups:
            called = (
                [self._tables.name(item.belief, name) for name in (item.first, item.second)]
                for item in group.items
            )
            rows = "; ".join(f"({', '.join(pair)})" for pair in called)
            yield from folded(f"Definition {words['pairs']} := [{rows}].")
        yield ""

    def theorems(self) -> Iterator[str]:
        """The theorems, with the definitions of the scales that they name."""
        claim = self._claim
        if claim.scale is not None:
            failing = None if claim.word == "certified" else claim.groups[0]
            shown = "0" if claim.silent else plain(claim.scale.text)
            yield from self._state(self._verdicts(self._stem, "scale", shown, failing))
        if claim.minimum is not None:
            yield from self._minimum(claim.minimum)
        for at in claim.scales:
            yield from self._at(at)

    def _verdicts(
        self, label: str, scale: str, shown: str, failing: Group | None
    ) -> list[StatedTheorem]:
        """One theorem that a group fails at a scale, or one per group that it is private there."""
        kind = "private" if failing is None else "not_private"
        if shown == "0":
            kind = f"{kind}_without_noise"
        bound = "{in_full}" if self._claim.word == "certified" else "{in_short}"
        return [
            self._wording.theorem(
                kind, label, {**words, "scale": scale, "shown": shown, "bound": bound}
            )
            for group, words in self._groups
            if failing is None or group is failing
        ]

    def _state(self, theorems: Iterable[StatedTheorem]) -> Iterator[str]:
        for theorem in theorems:
            self.stated.append(theorem)
            yield from theorem.lines()
            yield ""

    def _at(self, at: AtScale) -> Iterator[str]:
        """What holds at one scale, under its first label, and again under the others."""
        first, *others = at.labels
        scale = self._names.new("scale", first)
        if at.scale != "0":
            yield from _number(scale, coq_decimal(at.scale))
        for theorem in self._verdicts(first, scale, at.scale, at.failing):
            yield from self._state([theorem])
            yield from self._state(self._wording.again(theorem, label) for label in others)

    def _minimum(self, minimum: MinimumClaim) -> Iterator[str]:
        """That the smallest private scale lies between two, for the pairs that fail at the lower.

        The other pairs are private from the upper one on.
        """
        if minimum.upper == "0":
            yield from self._state(self._verdicts(self._stem, "", "0", None))
            return
        if minimum.upper == "inf":
            yield from self._state(
                self._wording.theorem("private_at_no_scale", self._stem, words | {"scale": _ANY})
                for group, words in self._groups if group is minimum.failing
            )  # fmt: skip
            return
        yield from _number("upper", coq_decimal(minimum.upper))
        if minimum.failing is not None:
            yield from _number("lower", coq_decimal(minimum.lower))
        for group, of_group in self._groups:
            kind, words = "private_above", {**of_group, "scale": "upper", "shown": minimum.upper}
            if group is minimum.failing:
                kind = "minimum"
                words |= self._wording.of_bracket("lower", of_group)
                words["shown_lower"] = minimum.lower
            yield from self._state([self._wording.theorem(kind, self._stem, words)])
