"""Records of callers in Python, who give keyword arguments where the command has options."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from pfverify.errors import InputError, listed, require
from pfverify.exact.argument import Number
from pfverify.model.noises.laplace import Laplace
from pfverify.model.problem import Problem
from pfverify.model.protection import PUFFERFISH
from pfverify.model.record_options import RecordOptions
from pfverify.model.releases.kinds import given_release
from pfverify.model.releases.release import Noise
from pfverify.model.requirement import checked_delta, checked_epsilon
from pfverify.records.coding import FLOATS, ORDER
from pfverify.records.options import OF_COLUMN, POLICIES, RARE, RELEASES, RESTS
from pfverify.records.rows import table_of_frame, table_of_rows

_NAMES = [*RecordOptions.__annotations__, "secret", "public"]
_WORDS = {*POLICIES, *RARE, *RELEASES, *RESTS, *FLOATS, ORDER, "gaussian", "NAME=NUMBER,..."}
_OPTION = re.compile(
    rf"--({'|'.join(sorted((name.replace('_', '-') for name in _NAMES), key=len, reverse=True))})"
    rf"\b(?!-)(?: ('[^']*'|%\S+|(?:{'|'.join(map(re.escape, sorted(_WORDS)))})(?![\w-])))?"
)
_OF_COLUMN = re.compile("'(.*)=([A-Z,]+)'")
_COMMAND_ONLY = (
    ", or leave the rows out with --where", " (or a file of them)",
    ", or count one with --public COL=VALUE",
)  # fmt: skip


def problem_of_rows(rows: object, secret: str, public: str | Sequence[str], *asked: Any) -> Problem:
    """Return the problem of rows; `asked`: epsilon, delta, noise, options.

    See `Problem.from_records`.
    """
    return _problem_of(table_of_rows, rows, secret, public, *asked)


def problem_of_frame(
    frame: object, secret: str, public: str | Sequence[str], *asked: Any
) -> Problem:
    """Return the problem of a data frame, as `problem_of_rows`; see `Problem.from_frame`."""
    return _problem_of(table_of_frame, frame, secret, public, *asked)


def _problem_of(
    table_of: Callable[..., dict[str, Any]],
    rows: object,
    secret: str,
    public: str | Sequence[str],
    epsilon: Number,
    delta: Number,
    noise: Noise | None,
    options: RecordOptions,
) -> Problem:
    require(secret, str, "secret")
    for name in [public] if isinstance(public, str) else listed(public, "public", "columns"):
        require(name, str, "public")
    released = Laplace() if noise is None else given_release(noise=noise)
    target = {
        "epsilon": checked_epsilon(epsilon).text,
        "delta": checked_delta(delta).text,
        **released.tables(PUFFERFISH),
    }
    try:
        return Problem.from_table(table_of(rows, secret, public, options, target))
    except InputError as error:  # about the options of the command
        raise InputError(in_python(str(error))) from None


def in_python(message: str) -> str:
    """Return a message about options with the names of the arguments.

    Example: ``in_python("say --missing drop")`` is ``'say missing="drop"'``.
    """
    for part in _COMMAND_ONLY:
        message = message.replace(part, "")

    def argument(found: re.Match[str]) -> str:
        name, value = found[1].replace("-", "_"), found[2]
        if value is None:
            return f"{name}=True" if name == "decimal_comma" else name
        if name in OF_COLUMN and (of := _OF_COLUMN.fullmatch(value)) is not None:
            return f'{name}={{"{of[1]}": ({of[2]})}}'
        return f"{name}={value}" if value.startswith("'") else f'{name}="{value}"'

    return _OPTION.sub(argument, message)
