"""The process in which a program runs: each run is one path of choices."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pfverify.errors import InputError
from pfverify.program.choice import DEEPEST, Choice
from pfverify.program.randomness import answered_by
from pfverify.program.values import plain, value_of
from pfverify.workers import serving
from pfverify.workers.loading import Function, said


class TooManyError(BaseException):
    """A run asks for so much that there are more paths than allowed; no program catches it."""


class ProgramRun:
    """One run: first the outcomes that it is given, then always the first that can be.

    `asked` are the choices so far.
    """

    def __init__(self, taken: Sequence[int], most: int) -> None:
        self.asked: list[str] = []
        self._taken, self._left = taken, most

    def take(self, choice: Choice) -> int:
        """Return the place of the next outcome; TooManyError where there are too many paths."""
        place = len(self.asked)
        self.asked.append(choice.text)
        self._left -= len(choice.possible) - 1
        if self._left <= 0 or place == DEEPEST:
            raise TooManyError
        taken = self._taken[place] if place < len(self._taken) else None
        return taken if taken in choice.possible else choice.possible[0]


def serve() -> None:
    """Run paths until there are none, then end this process."""
    with answered_by(_outside):
        serving.serve(_answered)


def _outside(choice: Choice) -> int:
    """Refuse a choice that belongs to no path, such as one of a module that is imported."""
    raise InputError(f"{choice.text.partition(' ')[0]} is asked outside of the function's run")


def _answered(
    function: Function, head: dict[str, Any], body: bytes
) -> tuple[dict[str, Any], bytes]:
    """Return the choices of a run, with what it returned or why it did not."""
    wanted = json.loads(body)
    run = ProgramRun(wanted["taken"], head["most"])
    ended: dict[str, Any]
    try:
        with answered_by(run.take):
            returned = function(value_of(wanted["input"]))
        ended = _returned(returned)
    except TooManyError:
        ended = {"many": True}
    except InputError as error:
        ended = {"failed": str(error)}
    except BaseException as error:
        ended = {"failed": said(error)}
    return {}, json.dumps({"asked": run.asked, **ended}).encode("ascii")


def _returned(value: object) -> dict[str, Any]:
    try:
        return {"returned": plain(value)}
    except InputError as error:
        return {"failed": f"it returned {error}"}
