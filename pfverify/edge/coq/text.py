"""A checked certificate as a file of Coq: data, statements, one line of proof each.

The kernel accepts the certificate first. What is stated follows from the problem alone; Coq decides
it anew with the verified checker of `proofs/coq`.
"""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pfverify
from pfverify.decide.assumptions import assumed
from pfverify.edge.coq.claims import AcceptedClaim, AtScale, Group, MinimumClaim, claim_of
from pfverify.edge.coq.names import CoqNames, commented
from pfverify.edge.coq.numbers import coq_decimal, coq_number, logarithm_bases
from pfverify.edge.coq.statements import (
    IMPORTED,
    Effort,
    StatedTheorem,
    TheoremNames,
    bracket,
    definitions_of,
    not_private,
    not_private_without_noise,
    private,
    private_above,
    private_at_no_scale,
    private_without_noise,
)
from pfverify.edge.coq.tables import WIDTH, Tables, folded
from pfverify.edge.coq.users import CALLED, divisor_of, of_user_alone, system_lines, users_of
from pfverify.edge.words import plain
from pfverify.errors import InputError
from pfverify.exact.number import Number
from pfverify.model.digest import problem_digest
from pfverify.model.problem import Problem

_FIRST_BITS = 64  # the checker tries twice and four times as many too
_WORDS = {
    None: ("every output, both orders", "the bound fails at an atom"),
    "events": ("both divergences are at most delta", "a divergence is above delta"),
    "pointwise": (
        "every output, both orders, with delta", "the bound with delta fails at an atom"
    ),
}  # fmt: skip
"""Form of the bound with a delta, None without -> that it holds, and that it fails, in words."""
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
    modules = file.modules
    head = [
        f"(* {command} *)",
        "",
        *_comment(_about(problem, problem_path, claim, file)),
        "",
        "From Coq Require Import Reals ZArith List.",
        "Import ListNotations.",
        f"From Pfverify Require Import {' '.join(IMPORTED)}.",
        f"From Pfverify Require {' '.join(modules)}.",
        "Open Scope R_scope.",
        "",
    ]
    lines = [*head, *body, *_ended(list(file.stated))]
    text = "\n".join(lines) + "\n"
    return Exported(text, modules, file.stated, file.definitions, tuple(file.taken()))


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
    silent = False
    if claim.word != "scales":
        silent = problem.scale().sign() == 0
        noise += f" of scale {_shown(problem.scale())}"
    if problem.noise.step is not None:
        noise += f" on the multiples of {problem.noise.step}"
    yield (
        f"{noise}. epsilon = {_shown(problem.epsilon)}"
        f"{' per unit of distance' if problem.protection.extended else ''}, "
        f"delta = {_shown(problem.delta)}. {claim.pairs} {'pair' if claim.pairs == 1 else 'pairs'} "
        "of priors, both orders, every output."
    )
    if claim.form == "events":
        yield (
            "divergence (the hockey-stick, Divergence.v) is the most that an event can have above "
            "exp epsilon times the other; events are finite unions of intervals (Events.v)."
        )
    if claim.stronger:
        yield "Proved is more than was asked: the bound holds with delta = 0."
    if claim.word == "refuted" and claim.pairs > 1:
        yield "The pair below fails, and so the problem is not private."
    if file.system is not None:
        yield "The tables of the priors are what the protected user reports; " + (
            "S is any law of what the others report in sum."
            if file.system.rest == "any" else
            "those of others what the others do: Systems.v says what is released."
        )  # fmt: skip
    for one in file.taken():
        yield f"Taken from pfverify, not proved here: {one}."
    yield f"Assumed: {commented('; '.join(assumed(problem, bare=silent)), 2000)}."


def _shown(number: Number) -> str:
    return commented(plain(number.text), 200)


def _comment(paragraphs: Iterator[str]) -> list[str]:
    """A comment of several paragraphs."""
    lines = [line for text in paragraphs
             for line in textwrap.wrap(text, WIDTH - 6, break_on_hyphens=False)]  # fmt: skip
    return [f"{'(*' if k == 0 else '  '} {line}" for k, line in enumerate(lines[:-1])] + [
        f"{'(*' if len(lines) == 1 else '  '} {lines[-1]} *)"
    ]


def _ended(names: list[str]) -> list[str]:
    """How to list the axioms: not in the file itself, as Coq looks for them for some seconds."""
    which = "Its axioms" if len(names) == 1 else "The axioms of a theorem"
    return [f"(* {which}, in some seconds: Print Assumptions {names[0]}. *)"]


def _number(name: str, expression: str) -> list[str]:
    return folded(f"Definition {name} : number := {expression}.")


class _File:
    """The parts of one file, which share identifiers.

    `stated`: name of a theorem -> its statement in words, of those that were written.
    """

    def __init__(self, problem: Problem, stem: str, claim: AcceptedClaim) -> None:
        self._problem = problem
        self._stem = stem
        self._claim = claim
        self._names = CoqNames()
        self._step = None if problem.noise.step is None else "step"
        # group -> what its identifiers end in
        self._groups = [
            (group, "" if len(claim.groups) == 1 else f"_{k}")
            for k, group in enumerate(claim.groups, 1)
        ]
        numbers = [group.epsilon for group in claim.groups]
        if claim.word != "scales":
            numbers.append(problem.scale())
        self._effort = Effort(max(_FIRST_BITS, claim.bits // 2), logarithm_bases(numbers))
        self.system = users_of(problem, claim)
        alone = self.system is not None and self.system.rest == "known"
        self._users = CALLED if alone else None
        groups = claim.groups
        if self.system is not None:
            groups = of_user_alone(claim.groups, self.system)
        self._tables = Tables([item for group in groups for item in group.items], self._names)
        if (why := self._tables.too_long) is not None:
            raise InputError(f"--coq: {why}")
        self.stated: dict[str, str] = {}
        self._theorems: list[StatedTheorem] = []

    def taken(self) -> Iterator[str]:
        """What was worked out of the problem in Python, and is stated as if it were the problem."""
        source = self._problem.source
        if self.system is None and source.part_alone:
            yield (
                "that what the protected user alone adds to the release decides, whatever the "
                "others report; the tables are that"
            )
        elif self.system is None and source.worked_out:
            yield (
                "that the tables are the laws of what the independent users release in sum; its "
                "kernel derives them anew"
            )
        mixed = self.system is not None and self.system.presence_model == "independent"
        if self._users is not None and mixed:
            yield (
                "that a user who is there with a chance reports 0 with the chance of absence; the "
                "tables of others have it in them"
            )
        if self._problem.protection.extended:
            yield (
                "that the epsilon of each pair is that of the problem times the distance of its "
                "priors (W-infinity, where the problem states none)"
            )

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules that the theorems name, besides those whose names they use as they are."""
        return tuple(sorted({name for one in self._theorems for name in one.modules}))

    @property
    def definitions(self) -> tuple[str, ...]:
        """The files that define what the statements say."""
        return definitions_of(name for one in self._theorems for name in one.defining)

    @property
    def _silent(self) -> bool:
        """Whether it is the verdict of a problem without noise."""
        return self._claim.word != "scales" and self._problem.scale().sign() == 0

    def numbers(self) -> Iterator[str]:
        """The definitions of scale, epsilon and step."""
        if self._claim.word != "scales" and not self._silent:
            yield from _number("scale", coq_number(self._problem.scale()))
        for group, suffix in self._groups:
            yield from _number(f"epsilon{suffix}", coq_number(group.epsilon))
        if self._claim.form is not None:
            yield from _number("delta", coq_number(self._problem.delta))
        if self._problem.noise.step is not None:
            yield from _number("step", coq_number(Number.of_rational(self._problem.noise.step)))
        yield ""

    def tables(self) -> Iterator[str]:
        """The priors, and the pairs of them that are compared."""
        yield from self._tables.lines()
        if self.system is not None and self._users is not None:
            yield from system_lines(self.system, self._names)
        yield ""
        for group, suffix in self._groups:
            called = (
                [self._tables.name(item.belief, name) for name in (item.first, item.second)]
                for item in group.items
            )
            rows = "; ".join(f"({', '.join(pair)})" for pair in called)
            yield from folded(f"Definition pairs{suffix} := [{rows}].")
        yield ""

    def theorems(self) -> Iterator[str]:
        """The theorems, with the definitions of the scales that they name."""
        if self._claim.word != "scales":
            failing = None if self._claim.word == "certified" else self._claim.groups[0]
            shown = "0" if self._silent else plain(self._problem.scale().text)
            for _, theorem, words in self._verdicts(self._stem, "scale", shown, failing):
                yield from self._state(theorem, words)
            return
        if self._claim.minimum is not None:
            yield from self._minimum(self._claim.minimum)
        for at in self._claim.scales:
            yield from self._at(at)

    def _question(self, scale: str, suffix: str) -> TheoremNames:
        among = None
        if self.system is not None and self._users is None:
            among = divisor_of(self.system)
        return TheoremNames(scale, f"epsilon{suffix}", f"pairs{suffix}", self._step, self._users,
                        among, self._claim.form)  # fmt: skip

    def _verdicts(
        self, label: str, scale: str, shown: str, failing: Group | None
    ) -> list[tuple[str, StatedTheorem, str]]:
        """One theorem that a group fails at a scale, or one per group that it is private there.

        Each with what its name ends in, and its words.
        """
        holds, fails = _WORDS[self._claim.form]
        found = []
        stated: Callable[[str, TheoremNames, Effort], StatedTheorem]
        for group, suffix in self._groups:
            which = self._which(group)
            if shown == "0" and failing is None:
                ending, stated = f"is_private_without_noise{suffix}", private_without_noise
                words = f"private without noise, and at every scale{which}"
            elif failing is None:
                ending = f"is_private{suffix}"
                stated = partial(private, whole=self._claim.word == "certified")
                words = f"private at scale {shown}{which}: {holds}"
            elif group is failing and shown == "0":
                ending, stated = "is_not_private_without_noise", not_private_without_noise
                words = f"not private without noise{which}: the bound fails at an atom"
            elif group is failing:
                ending, stated = "is_not_private", not_private
                words = f"not private at scale {shown}{which}: {fails}"
            else:
                continue
            name, about = self._names.new("", label, ending), self._question(scale, suffix)
            found.append((ending, stated(name, about, self._effort), words))
        return found

    def _which(self, group: Group) -> str:
        """Which pairs a statement is about, where they differ in epsilon."""
        if len(self._groups) == 1:
            return ""
        return f" for the pairs of epsilon {plain(group.epsilon.text)}"

    def _state(self, theorem: StatedTheorem, words: str) -> Iterator[str]:
        self.stated[theorem.name] = words
        self._theorems.append(theorem)
        yield from theorem.lines()
        yield ""

    def _at(self, at: AtScale) -> Iterator[str]:
        """What holds at one scale, under its first label, and again under the others."""
        first, *others = at.labels
        scale = self._names.new("scale", first)
        if at.scale != "0":
            yield from _number(scale, coq_decimal(at.scale))
        for ending, theorem, words in self._verdicts(first, scale, at.scale, at.failing):
            yield from self._state(theorem, words)
            for label in others:
                name = self._names.new("", label, ending)
                yield from self._state(replace(theorem, name=name, proof=theorem.name), words)

    def _minimum(self, minimum: MinimumClaim) -> Iterator[str]:
        """That the smallest private scale lies between two, for the pairs that fail at the lower.

        The other pairs are private from the upper one on.
        """
        if minimum.upper == "0":
            for _, theorem, words in self._verdicts(self._stem, "", "0", None):
                yield from self._state(theorem, words)
            return
        if minimum.upper == "inf":
            yield from self._nowhere(minimum)
            return
        yield from _number("upper", coq_decimal(minimum.upper))
        if minimum.failing is not None:
            yield from _number("lower", coq_decimal(minimum.lower))
        for group, suffix in self._groups:
            above, which = self._question("upper", suffix), self._which(group)
            if group is minimum.failing:
                name = self._names.new("", self._stem, f"minimum{suffix}")
                theorem = bracket(name, self._question("lower", suffix), above, self._effort)
                ends = f"[{minimum.lower}, {minimum.upper}]"
                words = f"the smallest private scale{which} lies in {ends}"
            else:
                name = self._names.new("", self._stem, f"is_private_above{suffix}")
                theorem = private_above(name, above, self._effort)
                words = f"private at every scale{which} from {minimum.upper} on"
            yield from self._state(theorem, words)

    def _nowhere(self, minimum: MinimumClaim) -> Iterator[str]:
        """That no scale is enough for some pair."""
        for group, suffix in self._groups:
            if group is minimum.failing:
                name = self._names.new("", self._stem, "is_private_at_no_scale")
                about = self._question("1%number", suffix)
                theorem = private_at_no_scale(name, about, self._effort)
                yield from self._state(theorem, f"private at no scale{self._which(group)}")
