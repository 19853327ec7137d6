"""Change a claim on purpose, to see which step notices: for teaching."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pfverify.errors import InputError
from pfverify.proof.claim import Claim, Proved
from pfverify.proof.loader import ProofFile, load_proof
from pfverify.proof.terms import Connective, Formula, relation, variables_of


def broken(path: Path, change: str) -> Claim:
    """Return the claim of a proof file with one change.

    `change` is ``drop NAME`` (a hypothesis) or ``NAME = EXPRESSION``, where NAME is a name that
    the file assigns, a hypothesis, a step, or the word ``statement``.
    Raises InputError when there is no such name or the expression cannot be read.
    Example: ``broken(Path("proofs/noise-reduction/N09.py"), "drop columns").id`` is ``"N09"``.
    """
    file = load_proof(path)
    name, text = _read(file, change)
    if text is None:
        return file.changed(lambda claim, _: _replaced(claim, name, None))
    if name in file.names:
        return load_proof(path, {name: text}).claim

    def put(claim: Claim, read: Callable[[str], Any]) -> Claim:
        formula = read(text)
        if not isinstance(formula, Formula):
            raise InputError(f"--break: {text!r} is not a formula")
        return _replaced(claim, name, formula)

    return file.changed(put)


def exchanged(file: ProofFile, change: str) -> tuple[str, Any, Any]:
    """Return the name that a change is about, what it stood for, and what it stands for then.

    What it stood for is None where the name is no name of the file but of a hypothesis, a step or
    the statement; what it stands for then is None where it is dropped.
    Raises InputError as `broken`.
    """
    name, text = _read(file, change)
    return name, file.names.get(name), None if text is None else file.expression(text)


def _read(file: ProofFile, change: str) -> tuple[str, str | None]:
    """The name that a change is about, and the expression that is put there (None: dropped)."""
    if match := re.fullmatch(r"\s*drop\s+(.+?)\s*", change):
        return match[1], None
    names = [*file.names, *_names(file.claim)]
    for name in sorted(names, key=len, reverse=True):
        match = re.fullmatch(rf"\s*{re.escape(name)}\s*=(?!=)(.+)", change, re.DOTALL)
        if match:
            return name, match[1].strip()
    raise InputError(
        f"--break: expected 'drop NAME' or 'NAME = EXPRESSION' with NAME one of {', '.join(names)}"
    )


def _says_nothing(formula: Formula) -> Formula:
    """A formula with the same variables that is always true."""
    trivial = [relation("<=", v, v) for v in sorted(variables_of(formula), key=str)]
    return Connective("and", tuple(trivial)) if trivial else relation("<=", 0, 0)


def _names(claim: Claim) -> list[str]:
    names = {"statement": None}
    for _, part in claim.parts():
        names |= dict.fromkeys(part.given)
        if isinstance(part, Proved):
            names |= dict.fromkeys(step.name for step in part.steps)
    return list(names)


def _replaced(claim: Claim, name: str, formula: Formula | None) -> Claim:
    """A claim with another formula of a name; None drops a hypothesis."""
    hit = False

    def change(part: Any) -> Any:  # a part of the same kind, or None
        nonlocal hit
        if part is None:
            return part
        if name in part.given:
            hit = True
            other = _says_nothing(part.given[name]) if formula is None else formula
            part = replace(part, given={**part.given, name: other})
        elif formula is None:
            return part
        elif name == "statement":
            hit = True
            part = replace(part, statement=formula)
        elif isinstance(part, Proved):
            steps = tuple(replace(s, formula=formula) if s.name == name else s for s in part.steps)
            hit = hit or steps != part.steps
            return replace(part, steps=steps)
        return part

    changed = replace(
        claim,
        printed=change(claim.printed),
        corrected=change(claim.corrected),
        tighter=change(claim.tighter),
        readings=tuple(change(r) for r in claim.readings),
    )
    if not hit:
        known = ", ".join(n for _, p in claim.parts() for n in p.given) or "none"
        raise InputError(f"--break: there is no hypothesis {name!r} (hypotheses: {known})")
    return changed
