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
from typing import Any, TypeVar

from pfverify.certificate.noted import KEY, noted, read
from pfverify.edge.checked import Checked
from pfverify.edge.mistaken import Kind, kind_of
from pfverify.edge.names import distinct
from pfverify.edge.stdin import DASH
from pfverify.edge.words import plain
from pfverify.errors import InputError, shorten
from pfverify.model.problem import DEFAULT_BELIEF, Problem

OTHER_PROBLEM = "the certificate belongs to another problem (digest)"  # the kernel's words
_WRITES = {"certified": "certify", "refuted": "certify", "scales": "calibrate",
           "coupling": "coupling"}  # fmt: skip
_VALUES = ("epsilon", "delta", "form", "notion")
_MOST = 5  # changes that are said
_NAME = 60  # characters of a text that is no number
Answer = TypeVar("Answer", bound=Checked)
Named = tuple[str, Path]
"""A file under the name that was written."""


def with_words(answer: Answer, problem: Named, certificate: Named) -> Answer:
    """Return the kernel's answer with words for people, where they know more than it says.

    Where the digest differs: what changed since, such as "scale 2.04 became 0.1", and what to run.
    Where the second file is no certificate: its name. Both files come under the name as written.
    """
    try:
        now = Problem.load(problem[1])
    except InputError:  # the kernel says what is wrong with it
        return answer
    if answer.result == "malformed" and kind_of(certificate[1]) is not Kind.CERTIFICATE:
        words = f"{certificate[0]} is no certificate (certify -o writes one): {answer.message}"
        return replace(answer, message=words)
    if answer.result != "rejected" or answer.message != OTHER_PROBLEM:
        return answer
    return _with_changes(answer, now, problem[0], certificate)


def _with_changes(answer: Answer, now: Problem, problem: str, certificate: Named) -> Answer:
    made = _certificate(certificate[1])
    before = read(made["produced_by"].get(KEY))
    changed = list(changes(before, read(noted(now)))) if before else []
    if len(changed) > _MOST:
        changed = [*changed[:_MOST], f"{len(changed) - _MOST} more"]
    command, names = _WRITES.get(str(made["result"])), (certificate[0], problem)
    if command is None or DASH in names:
        return replace(answer, changed=changed)
    return replace(answer, changed=changed, remedy=shlex.join(["pfverify", command, "-o", *names]))


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


def _certificate(path: Path) -> dict[str, Any]:
    """The certificate, which the kernel has read; inside a Statement too."""
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found["predicate"] if "_type" in found else found
