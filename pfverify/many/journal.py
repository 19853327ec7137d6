"""A file of results: a line of JSON for every answer, from which a run that was ended goes on.

Lines are appended as answers arrive; when all are there the file is written once more, in the order
of the questions. So it is the same file however often the run was ended, and by whatever means it
was answered.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pfverify.errors import InputError, shorten, told_at
from pfverify.files import write_bytes
from pfverify.many.question import SCHEMA, CommandQuestion, Data

_BEGINS = f'{{"schema": "{SCHEMA}"'.encode("ascii")
_SUM = "checksum"  # whether the rest of the line is as it was written, not whether it is right
_KEPT = (None, "input", "undecided")  # kinds of errors that another run would meet too
_WORDS = {
    "version": "version of pfverify",
    "command": "command",
    "digits": "number of digits",
    "digest": "problem or other numbers",
}


class Journal:
    """The answers of a file of results, and where more of them go.

    `known` holds those that were in the file, under the texts of their questions' keys; `torn`
    says whether its last line was not finished, and is left out.
    """

    def __init__(self, path: Path, file: IO[bytes], asked: Mapping[str, CommandQuestion]) -> None:
        self.known: dict[str, Data] = {}
        self._path, self._file, self._asked = path, file, asked
        file.seek(0)
        *lines, rest = file.read().split(b"\n")
        if not rest.startswith(_BEGINS[: len(rest)]):
            raise InputError(f"{path}: this is no file of results, expected one or a new name")
        for place, line in enumerate(lines, 1):
            with told_at(f"{path}, line {place}: "):
                self._take(line)
        self.torn = bool(rest)
        self._order = list(self.known)
        file.truncate(sum(len(line) + 1 for line in lines))

    def _take(self, line: bytes) -> None:
        """Note a line that answers one of the questions; InputError for any other."""
        try:
            data = json.loads(line)
            claimed = data.pop(_SUM)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError("this is no line of a file of results") from None
        if claimed != _digest(data):
            raise InputError("the line was changed after it was written")
        key = {name: data.pop(name, None) for name in next(iter(self._asked.values())).key()}
        text = json.dumps(key)
        if text not in self._asked:
            raise InputError(f"{self._difference(key)}; expected a file of this run, or a new name")
        if text in self.known:
            raise InputError("a second answer to the same question")
        if line + b"\n" != self._line(text, data):
            raise InputError("the line is written in another way")
        if data.get("kind") not in _KEPT or not isinstance(data.get("error", ""), str):
            raise InputError("the line has an error of a kind that is not kept")
        self.known[text] = data

    def _difference(self, key: Data) -> str:
        """How a line's question differs from all that are asked, in a few words."""
        asked = [question.key() for question in self._asked.values()]
        name = shorten(key["problem"])
        for field, word in _WORDS.items():
            if all(one[field] != key[field] for one in asked):
                return f"it is about another {word} ({name}, {field} {shorten(key[field], 20)})"
        return f"it is about a problem or part that is not asked about ({name})"

    def keep(self, text: str, answer: Data) -> None:
        """Append an answer, in one piece; what another run need not meet is left out."""
        if answer.get("kind") in _KEPT:
            self._file.write(self._line(text, answer))
            self._file.flush()
            self._order.append(text)

    def finish(self, answers: Mapping[str, Data]) -> None:
        """Put the lines in the order of the questions."""
        kept = set(self._order)
        order = [text for text in self._asked if text in kept]
        if order != self._order:
            write_bytes(self._path, b"".join(self._line(text, answers[text]) for text in order))

    def _line(self, text: str, answer: Data) -> bytes:
        data = self._asked[text].key() | answer
        return json.dumps(data | {_SUM: _digest(data)}).encode("ascii") + b"\n"


def _digest(data: Data) -> str:
    return hashlib.sha256(json.dumps(data).encode("ascii")).hexdigest()


@contextmanager
def journal(path: Path, asked: Mapping[str, CommandQuestion]) -> Iterator[Journal]:
    """Open a file of results for the questions, by the texts of their keys.

    Raises InputError for a file that cannot be used, is about other questions, or is in use.
    """
    try:
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "this is no regular file")
        file = path.open("a+b")
    except OSError as error:
        raise InputError(f"{shorten(path, 200)}: cannot write: {error.strerror}") from None
    except ValueError:  # a null byte
        raise InputError(f"{shorten(path, 200)}: no file can have this name") from None
    with file:
        _lock(file, path)
        yield Journal(path, file, asked)


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep other runs out until the file is closed, where the platform can."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"{path}: another run is writing this file") from None
