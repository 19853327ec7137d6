"""Messages for callers in Python, who gave keyword arguments where the command has options."""

from __future__ import annotations

import re

from pfverify.model.record_options import RecordOptions
from pfverify.records.coding import FLOATS, ORDER
from pfverify.records.options import POLICIES, RARE, RELEASES, RESTS

_NAMES = [*RecordOptions.__annotations__, "secret", "public"]
_WORDS = {*POLICIES, *RARE, *RELEASES, *RESTS, *FLOATS, ORDER, "gaussian", "NAME=NUMBER,..."}
_OPTION = re.compile(
    rf"--({'|'.join(sorted((name.replace('_', '-') for name in _NAMES), key=len, reverse=True))})"
    rf"\b(?!-)(?: ('[^']*'|%\S+|(?:{'|'.join(map(re.escape, sorted(_WORDS)))})(?![\w-])))?"
)
_COMMAND_ONLY = (
    ", or leave the rows out with --where", " (or a file of them)",
    ", or count one with --public COL=VALUE",
)  # fmt: skip


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
        return f"{name}={value}" if value.startswith("'") else f'{name}="{value}"'

    return _OPTION.sub(argument, message)
