"""Every path of choices of a program, each run twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from sys import intern
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.program.choice import DEEPEST, choice_of
from pfverify.program.values import Plain, name_of
from pfverify.workers.function import FunctionProcess, Limits, words_of
from pfverify.workers.place import Place
from pfverify.workers.process import GoneError, SilentError
from pfverify.workers.wire import BrokenFrameError

Report = Callable[[int, int], None]
_SERVE = "from pfverify.program.child import serve; serve()"
_OTHER = "asked for other randomness than in an earlier run"
_CHANGING = (
    "its randomness has to come from coin, choose and uniform alone, and nothing that it uses may "
    "change from run to run"
)


@dataclass(frozen=True)
class ProgramPath:
    """One path of a program.

    `asked` are the choices, in order, and `taken` the places of their outcomes; `chance` is that of
    all of them, given the input, and `returned` what came of it.
    """

    input: Plain
    asked: tuple[str, ...]
    taken: tuple[int, ...]
    chance: Fraction
    returned: Plain = None

    def words(self) -> str:
        """Return the input and the choices, for people.

        Example: ``ProgramPath(1, ("coin 1/3",), (0,), Fraction(1, 3)).words()`` is
        ``"input 1, path coin(1/3) = True"``.
        """
        steps = (choice_of(text).words(k) for text, k in zip(self.asked, self.taken, strict=False))
        path = shorten(", ".join(steps), 200) or "without a choice"
        return f"input {shorten(name_of(self.input), 30)}, path {path}"


class ProgramProcess(FunctionProcess):
    """A program in a process of its own, which runs one path at a time."""

    def __init__(self, place: Place, limits: Limits, most: int) -> None:
        """Take where the program is, what a run may take, and how many paths there may be."""
        super().__init__(
            _SERVE, place, ["input"], expected="a function of one input", limits=limits
        )
        self._most = most

    def completed(self, start: ProgramPath) -> ProgramPath:
        """Return the path that begins so and then takes the first outcome of every choice.

        Raises InputError, with the path in words, for a run that fails, that does not begin so, or
        that has too many paths.
        """
        body = json.dumps({"input": start.input, "taken": start.taken}).encode("ascii")
        try:
            _, answer = self.asked({"most": self._most}, body)
            path, ended = _read(start, answer)
        except (SilentError, GoneError) as error:
            raise self._failed(start, str(error)) from None
        except BrokenFrameError as error:
            raise self._failed(start, str(self.overwritten(error))) from None
        if path.asked[: len(start.asked)] != start.asked:
            raise self._changed(start, _OTHER)
        if "many" in ended:
            raise self.too_many()
        if "failed" in ended:
            raise self._failed(path, words_of(ended["failed"]))
        return path

    def again(self, path: ProgramPath) -> None:
        """Run a path a second time; InputError where that differs from the first."""
        second = self.completed(path)
        if second.asked != path.asked:
            raise self._changed(path, _OTHER)
        first, then = (json.dumps(one.returned) for one in (path, second))
        if first != then:
            names = shorten(name_of(path.returned), 40), shorten(name_of(second.returned), 40)
            raise self._changed(path, f"returned {names[0]!r}, and then {names[1]!r}")

    def too_many(self) -> InputError:
        """Return the error about a program that has more paths than are allowed."""
        return InputError(
            f"{self._place.text}: it has more than {self._most} paths of choices, or one of more "
            f"than {DEEPEST} choices; ask for a larger bound on paths, or for less randomness"
        )

    def _failed(self, path: ProgramPath, words: str) -> InputError:
        return InputError(f"{self._place.text}: {path.words()}: {words}")

    def _changed(self, path: ProgramPath, what: str) -> InputError:
        return self._failed(path, f"two runs differ, it {what}; {_CHANGING}")


def _read(start: ProgramPath, answer: bytes) -> tuple[ProgramPath, dict[str, Any]]:
    """Return the path of a run that began so, and how it ended; BrokenFrameError for no run."""
    try:
        ended = json.loads(answer)
        asked = tuple(intern(text) for text in ended["asked"])
        choices = [choice_of(text) for text in asked]
        returned = ended.get("returned")
        name_of(returned)
        if not ended.keys() & {"many", "failed", "returned"}:
            raise KeyError
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BrokenFrameError("an answer that is no run") from None
    chance, taken = start.chance, start.taken
    for choice in choices[len(taken) :]:
        chance *= choice.chances[choice.possible[0]]
    firsts = tuple(choice.possible[0] for choice in choices[len(taken) :])
    return ProgramPath(start.input, asked, taken + firsts, chance, returned), ended


def every_path(
    program: ProgramProcess, inputs: Iterable[Plain], most: int, report: Report
) -> list[ProgramPath]:
    """Return the paths of every input, each run once; zero-chance outcomes are not run.

    Raises InputError as `ProgramProcess.completed`, and for more paths than `most`.
    """
    waiting = [ProgramPath(one, (), (), Fraction(1)) for one in inputs][::-1]
    found: list[ProgramPath] = []
    while waiting:
        start = waiting.pop()
        path = program.completed(start)
        found.append(path)
        waiting += _siblings(path, start)
        if len(found) + len(waiting) > most:
            raise program.too_many()
        report(len(found), 2 * (len(found) + len(waiting)))
    return found


def _siblings(path: ProgramPath, start: ProgramPath) -> Iterator[ProgramPath]:
    """The paths that leave one at a choice after its start, the deepest last."""
    chance = start.chance
    for depth in range(len(start.taken), len(path.taken)):
        choice = choice_of(path.asked[depth])
        for place in choice.possible[:0:-1]:
            taken = (*path.taken[:depth], place)
            asked = path.asked[: depth + 1]
            yield ProgramPath(path.input, asked, taken, chance * choice.chances[place])
        chance *= choice.chances[choice.possible[0]]


def run_again(program: ProgramProcess, paths: Sequence[ProgramPath], report: Report) -> None:
    """Run every path a second time, in another order, so that what is kept from runs shows."""
    for done, path in enumerate([paths[0], *reversed(paths)], len(paths)):
        program.again(path)
        report(done, 2 * len(paths))
