"""Tables of problem files as TOML text, in the layout of the README."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")  # a number as a key is clearer in quotes


def toml_text(table: Mapping[str, Any]) -> str:
    """Return the TOML text of a table in the shape of a problem file.

    Values are text, integers, lists and tables of such. Noise, every prior and the user of a
    system have a section of their own; what is inside a prior is inline, as people write it: no
    library lays it out so.
    Example: ``toml_text({"epsilon": "1/2"})`` is ``'epsilon = "1/2"\\n'``.
    """
    lines = [f"{_key(key)} = {_value(v)}" for key, v in table.items() if not isinstance(v, Mapping)]
    for path, section in _sections(table):
        lines += ["", f"[{'.'.join(map(_key, path))}]"]
        lines += [f"{_key(key)} = {_value(value)}" for key, value in section.items()]
    return "\n".join(lines) + "\n"


def _sections(table: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    for key, part in table.items():
        match key:
            case "system":
                yield from _system(part)
            case "priors":
                yield from (((key, secret), prior) for secret, prior in part.items())
            case "beliefs":
                for belief, inner in part.items():
                    for secret, prior in inner["priors"].items():
                        yield (key, belief, "priors", secret), prior
            case _ if isinstance(part, Mapping):
                yield (key,), part


def _system(
    system: Mapping[str, Any],
) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    yield ("system",), {key: value for key, value in system.items() if key != "user"}
    if "user" in system:
        yield ("system", "user"), system["user"]


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if type(value) is int:
        return str(value)
    if isinstance(value, list):
        if any(isinstance(part, Mapping) for part in value):
            # an inline table may not be broken, the list may
            return "[\n" + "".join(f"  {_value(part)},\n" for part in value) + "]"
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_value(part)}' for key, part in value.items())} }}"
    raise TypeError(f"a problem file has no value of type {type(value).__name__}")


def _string(text: str) -> str:
    """A basic string: the escapes of JSON are escapes of TOML, which wants DEL escaped too."""
    if text.isalnum():
        return f'"{text}"'
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
