"""What changed in a problem since its certificate was made, and what to run: words for people.

The kernel has rejected the certificate already. What is compared here is what the certificate
notes, which proves nothing.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pfverify.certificate.noted import KEY, noted, read
from pfverify.edge.checked import Checked
from pfverify.edge.mistaken import FileKind, kind_of
from pfverify.edge.names import distinct
from pfverify.edge.stdin import DASH
from pfverify.edge.words import plain
from pfverify.errors import InputError, shorten
from pfverify.model.problem import Problem
from pfverify.model.sources.source import DEFAULT_BELIEF

OTHER_PROBLEM = "the certificate belongs to another problem (digest)"  # the kernel's words
OTHER_BYTES = "other bytes (sha256)"  # those about a Statement
_WRITES = {"certified": "certify", "refuted": "certify", "scales": "calibrate",
           "coupling": "coupling", "curve": "curve"}  # fmt: skip
_VALUES = ("epsilon", "delta", "form", "notion")
_MOST = 5  # changes that are said
_NAME = 60  # characters of a text that is no number
Named = tuple[str, Path]
"""A file under the name that was written."""


def with_words(answer: Checked, problem: Named, certificate: Named) -> Checked:
    """Return the kernel's answer with words for people, where they know more than it says.

    Where the digest differs: what changed since, such as "scale 2.04 became 0.1", and what to run.
    Where the second file is no certificate: its name. Both files come under the name as written.
    """
    try:
        now = Problem.load(problem[1])
    except InputError:  # the kernel says what is wrong with it
        return answer
    if answer.result == "malformed" and kind_of(certificate[1]) is not FileKind.CERTIFICATE:
        words = f"{certificate[0]} is no certificate (certify -o writes one): {answer.message}"
        return replace(answer, message=words)
    if answer.result != "rejected" or answer.message != OTHER_PROBLEM:
        return answer
    changed, remedy = _since(now, problem[0], certificate)
    return replace(answer, changed=changed, remedy=remedy)


def after_statement(error: InputError, problem: Named, certificate: Named) -> InputError:
    """Return the error about an in-toto Statement of other bytes, with what changed in the problem.

    Both files come under the name as written. Any other error is returned as it is.
    """
    if OTHER_BYTES not in str(error):
        return error
    try:
        changed, remedy = _since(Problem.load(problem[1]), problem[0], certificate)
    except InputError:
        return error
    told = [f"{error}: {', '.join(changed)}" if changed else str(error)]
    return InputError("; ".join(told if remedy is None else [*told, f"run `{remedy}`"]))


def _since(now: Problem, name: str, certificate: Named) -> tuple[list[str], str | None]:
    """What changed since a certificate was made, and the command that makes it anew."""
    made, wrapped = _certificate(certificate[1])
    producers = made.get("produced_by")
    before = read(producers.get(KEY)) if isinstance(producers, dict) else {}
    changed = list(changes(before, read(noted(now)))) if before else []
    if len(changed) > _MOST:
        changed = [*changed[:_MOST], f"{len(changed) - _MOST} more"]
    command, names = _WRITES.get(str(made.get("result"))), (certificate[0], name)
    if command is None or DASH in names:
        return changed, None
    noise = now.release.noise
    if command == "certify" and noise.has_size and noise.scale is None:  # nothing to certify yet
        return changed, shlex.join(["pfverify", "calibrate", name])
    return changed, shlex.join(["pfverify", command, *["--attest"] * wrapped, "-o", *names])


def _certificate(path: Path) -> tuple[dict[str, Any], bool]:
    """The certificate in a file, and whether it is inside a Statement: read, not checked."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        found = None
    wrapped = isinstance(found, dict) and "_type" in found
    inside = found.get("predicate") if isinstance(found, dict) and wrapped else found
    return inside if isinstance(inside, dict) else {}, wrapped


def changes(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Yield what differs between two problems, as certificates note them.

    Example: ``list(changes({"epsilon": "1/2"}, {"epsilon": "1"}))`` is
    ``["epsilon 0.5 became 1"]``.
    """
    for key in _VALUES:
        yield from _value(key, before.get(key), now.get(key))
    old, new = _table(before.get("noise")), _table(now.get("noise"))
    yield from _value("noise", old.get("kind"), new.get("kind"))
    if old.get("kind") == new.get("kind"):
        for key in {**old, **new}:
            yield from _value(key, old.get(key), new.get(key))
    for key in {**before, **now}:
        if key not in (*_VALUES, "noise", "beliefs") and before.get(key) != now.get(key):
            yield f"the {_shown(key)} changed"
    yield from _priors(before.get("beliefs"), now.get("beliefs"))


def _value(name: str, old: str | None, new: str | None) -> Iterator[str]:
    if old == new:
        return
    if old is None or new is None:
        yield f"{shorten(name, _NAME)} {'appeared' if old is None else 'is gone'}"
    else:
        yield f"{shorten(name, _NAME)} {_shown(old)} became {_shown(new)}"


def _shown(text: str) -> str:
    try:
        return plain(text)
    except InputError:  # a word, or the digest of a long text
        return shorten(ascii(text)[1:-1], _NAME)


def _table(part: object) -> dict[str, str]:
    return part if isinstance(part, dict) else {}


def _priors(before: object, now: object) -> Iterator[str]:
    if not isinstance(before, dict) or not isinstance(now, dict):
        if before != now:
            yield "the priors changed"
        return
    shown = distinct(name for part in (before, now) for belief in part
                     for name in (belief, *part[belief]))  # fmt: skip
    for belief in {**before, **now}:
        old, new = before.get(belief, {}), now.get(belief, {})
        under = "" if belief == DEFAULT_BELIEF else f" under belief {shown[belief]}"
        for secret in {**old, **new}:
            if secret not in new:
                yield f"secret {shown[secret]}{under} is gone"
            elif secret not in old:
                yield f"secret {shown[secret]}{under} is new"
            elif old[secret] != new[secret]:
                yield f"the prior of {shown[secret]}{under} changed"
        if list(old) != list(new) and old == new:
            yield f"the order of the secrets{under} changed"
