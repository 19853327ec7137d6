"""Exercises of the notebooks: no answer is stored, the toolkit decides what is right.

An exercise says what has to be certified and what refuted once the reader's answer is put in; a
witness goes to the kernel, a plan to the checker of plans. An answer of ``...`` or None is none
yet: in the place of a number None would leave the one of the problem.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from pfverify.answers.certify import certify
from pfverify.answers.outcome import CertifyResult
from pfverify.answers.released import has_names
from pfverify.certificate.build import SCHEMA
from pfverify.certificate.checking import check
from pfverify.certificate.statement import canonical_text
from pfverify.decide.verdict import Verdict
from pfverify.errors import InputError, shorten
from pfverify.exact.no_truth import NoTruth
from pfverify.exact.number import number, rational
from pfverify.model.digest import problem_digest
from pfverify.model.priors.discrete import Discrete
from pfverify.model.problem import Problem
from pfverify.transport.hall import HallSet
from pfverify.transport.metric import AbsoluteDifference
from pfverify.transport.plan import plan_of_masses
from pfverify.transport.validate import validate_plan

_REFUTES = {"y": "pure-refuted", "event": "event-refuted", "output": "output-refuted"}
_HAIR = "1e-30"


@dataclass(frozen=True, repr=False)
class Answered(NoTruth, ask="use .right, as in `is True`"):
    """What is said of an answer: `right` (None: there is none yet) and why."""

    right: bool | None
    why: str

    def __repr__(self) -> str:
        word = {True: "right", False: "not yet", None: "no answer yet"}[self.right]
        return f"{word}: {self.why}"


def judged(
    answer: Any,
    *,
    certified: Iterable[Callable[[Any], Problem]] = (),
    refuted: Iterable[Callable[[Any], Problem]] = (),
) -> Answered:
    """Put an answer into problems and decide them: those that hold, and those that must fail.

    Example: ``judged("2", certified=[lambda x: problem.replaced(scale=x)])`` is ``right: certified
    at scale 2, epsilon 1, delta 1/100``.
    """
    wanted = [(Verdict.CERTIFIED, make) for make in certified]
    wanted += [(Verdict.REFUTED, make) for make in refuted]
    if not wanted:
        raise InputError("an exercise needs a problem to be certified or refuted")
    if _is_missing(answer):
        return Answered(None, "replace the dots by your answer")
    said = []
    for verdict, make in wanted:
        try:
            result = certify(make(answer))
        except (InputError, TypeError, ValueError) as error:  # of another shape, or no number
            return Answered(False, f"this cannot be read as an answer: {_why(answer, error)}")
        if result.verdict is not verdict:
            return Answered(False, f"it was to be {verdict}, and is {_found(result)}")
        said.append(_found(result))
    return Answered(True, "; ".join(said))


def least(answer: Any, problem: Problem, key: str, *, within: str = _HAIR) -> Answered:
    """Whether a number is the least epsilon, delta or scale (`key`) with which a problem holds.

    It has to be certified, and to be refuted when it is smaller by the part `within`.
    Example: ``least("1", problem, "scale").right`` is False.
    """
    if key not in ("epsilon", "delta", "scale"):
        raise InputError(f"key: {shorten(key)!r}, expected epsilon, delta or scale")
    if not 0 < rational(within, "within") < 1:
        raise InputError(f"within: {within}, expected a part between 0 and 1")

    def at(factor: str) -> Callable[[Any], Problem]:
        return lambda asked: problem.replaced(**{key: f"({asked}) * ({factor})"})

    if not _is_missing(answer) and (why := _unread(str(answer))):
        return Answered(False, f"this cannot be read as an answer: {why}")
    enough = judged(answer, certified=[at("1")])
    if enough.right is not True:
        return enough
    if judged(answer, refuted=[at(f"1 - {within}")]).right is not True:
        why = f"{key} {answer} is enough, but a little less is not refuted: it is not the least"
        return Answered(False, why)
    return Answered(True, f"certified at {key} {answer}, and refuted a little below")


def verdict(answer: Any, problem: Problem) -> Answered:
    """Whether the verdict on a problem was foreseen.

    Example: ``verdict("refuted", problem).right`` is False.
    """
    if _is_missing(answer):
        return Answered(None, 'write "certified" or "refuted"')
    if answer not in [one.value for one in Verdict]:
        return Answered(False, f'write "certified" or "refuted", got {shorten(repr(answer))}')
    result = certify(problem)
    return Answered(answer == result.verdict.value, f"it is {_found(result)}")


def witness(
    answer: Any, problem: Problem, order: tuple[str, str], *, margin: str = "1e-9"
) -> Answered:
    """Whether the kernel accepts an answer as a refutation of a problem with one belief.

    The answer is ``{"y": number}`` (an atom), ``{"event": [[low, high], ...]}`` or, of a channel,
    ``{"output": name}``; `order` names the secret that makes it too likely, and the other one;
    `margin` is by how much, at least.
    Example: ``witness({"y": "0"}, problem, ("a", "b")).right`` is False.
    """
    if _is_missing(answer):
        return Answered(None, "replace the dots by an output or an event")
    kinds = ", ".join(_REFUTES)
    if not isinstance(answer, Mapping) or len(answer) != 1 or not answer.keys() <= _REFUTES.keys():
        return Answered(False, f"an answer has one of the keys {kinds}, got {shorten(answer)}")
    ((key, value),) = answer.items()
    try:
        value = _SHAPES[key](value)
    except (TypeError, ValueError, ArithmeticError):
        said = f"{key} is to be {_EXPECTED[key]}, got {shorten(repr(value))}"
        return Answered(False, said)
    (belief,) = problem.beliefs
    from_, to = order
    step = {"rule": _REFUTES[key], "belief": belief, "from": from_, "to": to, "bits": 512}
    step |= {"margin": margin, key: value}
    certificate = {
        "schema": SCHEMA,
        "problem": problem_digest(problem),
        "produced_by": {},
        "result": "refuted",
        "steps": [step],
    }
    with tempfile.TemporaryDirectory(prefix="pfverify-") as folder:
        stated, proof = Path(folder, "problem.json"), Path(folder, "answer.cert")
        problem.save(stated)
        proof.write_text(canonical_text(certificate) + "\n", "utf-8")
        found = check(stated, proof)
    if found.refuted:
        return Answered(True, f"the kernel accepts it, with a margin of at least {margin}")
    why = found.message.removeprefix(f'{step["rule"]} "{from_}" -> "{to}": ')
    return Answered(False, f"the kernel rejects it: {why}")


def plan(answer: Any, first: Discrete, second: Discrete, *, within: int) -> Answered:
    """Whether ``{(x, x'): mass}`` is a plan between two priors with no edge longer than `within`.

    Example: ``plan({(0, 0): "1/2"}, Discrete({0: 1}), Discrete({0: 1}), within=1).right`` is False.
    """
    if _is_missing(answer):
        return Answered(None, "write the masses of the edges: {(x, x'): mass, ...}")
    if not _is_plan(answer):
        said = f"write the masses of the edges: {{(x, x'): mass, ...}}, got {shorten(repr(answer))}"
        return Answered(False, f"this is no plan: {said}")
    try:
        report = validate_plan(
            plan_of_masses(answer), first, second, AbsoluteDifference(), within=within
        )
    except InputError as error:
        return Answered(False, f"this is no plan: {str(error).removeprefix('plan: ')}")
    for side, residuals in (("row", report.rows), ("column", report.columns)):
        for wrong in residuals:
            said = f"{side} {wrong.point} sums to {wrong.found}, and not to {wrong.expected}"
            return Answered(False, said)
    for edge in report.outside or ():
        return Answered(False, f"the edge from {edge.row} to {edge.column} is longer than {within}")
    return Answered(True, f"a plan without an edge longer than {within}")


def obstacle(answer: Any, first: Discrete, second: Discrete, *, closer: int) -> Answered:
    """Whether a set of atoms proves that no plan has only edges shorter than `closer`.

    It does if it has more mass than all atoms of the second prior that are nearer to one of it.
    Example: ``obstacle({0}, Discrete({0: 1}), Discrete({3: 1}), closer=3).right`` is True.
    Source: Strassen 1965, Theorem 11; Hall 1935.
    """
    if _is_missing(answer):
        return Answered(None, "write the atoms of the set: {x, ...}")
    try:
        atoms = sorted({Fraction(x) for x in answer})
    except (TypeError, ValueError, ArithmeticError):
        said = f"an answer is a set of numbers: {{x, ...}}, got {shorten(repr(answer))}"
        return Answered(False, said)

    def near(x: Any, y: Any) -> bool:
        return bool(abs(x - y) < closer)

    reached = [y for y in second.atoms if any(near(x, y) for x in atoms)]
    mass = sum((first.mass.get(x, Fraction(0)) for x in atoms), Fraction(0))
    taken = sum((second.mass[y] for y in reached), Fraction(0))
    said = f"it holds {mass}, and places closer than {closer} take {taken}"
    if mass <= taken:
        return Answered(False, said)
    proof = HallSet(tuple(atoms), tuple(reached), mass, taken)
    try:
        proof.check(first, second, near)  # counts again
    except InputError as error:
        return Answered(False, str(error))
    return Answered(True, said)


def slider(draw: Callable[[str], object], name: str, values: Sequence[str], start: str) -> None:
    """Show a picture of a number that a slider moves; without ipywidgets, of `start` alone.

    `draw` takes the number as text. Raises InputError where `start` is not among the values.
    Example: ``slider(print, "epsilon", ["1/2", "1"], "1")``.
    """
    if start not in values:
        raise InputError(f"start: {shorten(start)!r} is none of the values of the slider")
    try:
        from ipywidgets import SelectionSlider, interact
    except ImportError:
        draw(start)
        return
    field = SelectionSlider(options=list(values), value=start, description=name)
    interact(lambda value: draw(value), value=field)


def _why(answer: object, error: Exception) -> str:
    """Why an answer cannot be put into a problem, in what was typed and not what was made of it."""
    if isinstance(answer, str) and (unread := _unread(answer)):
        return unread
    if isinstance(error, InputError):
        return str(error)
    return f"{shorten(repr(answer))} has another shape than what is asked for"


def _unread(text: str) -> str:
    """Why a text is no number, "" if it is one."""
    try:
        number(text, "")
    except InputError as error:
        return str(error).removeprefix(": ")
    return ""


def _place(value: object) -> str:
    """A number of an answer as certificates write it; an exception for what is none."""
    text = str(value)
    return text if text in ("inf", "-inf") else str(Fraction(text))


def _atom(value: object) -> str:
    return str(Fraction(str(value)))


def _intervals(value: object) -> list[list[str]]:
    """The intervals of an answer, none of them empty; an exception for what is no list of them."""
    if not isinstance(value, list | tuple):
        raise TypeError(value)
    found = [[_place(low), _place(high)] for low, high in value]
    if any(_size(low) > _size(high) for low, high in found):
        raise ValueError(value)
    return found


def _size(place: str) -> Fraction | float:
    return float(place) if place in ("inf", "-inf") else Fraction(place)


_SHAPES: dict[str, Callable[[Any], Any]] = {"y": _atom, "event": _intervals, "output": str}
_EXPECTED = {
    "y": 'a rational number, such as "3/2"',
    "event": 'a list of intervals, [[low, high], ...] with low <= high, such as [["3/2", "inf"]]',
    "output": "the name of an output",
}


def _is_plan(answer: object) -> bool:
    """Whether an answer has the shape of a table (from, to) -> mass, or of triples."""
    if not isinstance(answer, Mapping | list | tuple):
        return False
    parts = 2 if isinstance(answer, Mapping) else 3
    return all(isinstance(edge, tuple | list) and len(edge) == parts for edge in answer)


def _is_missing(answer: object) -> bool:
    """Whether nothing was answered: the dots are still there, or a cell returned nothing."""
    return answer is ... or answer is None


def _found(result: CertifyResult) -> str:
    """The verdict, and on what."""
    size = "" if has_names(result) else f"scale {result.scale}, "
    return f"{result.verdict} at {size}epsilon {result.epsilon}, delta {result.delta}"
