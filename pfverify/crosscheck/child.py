"""The process in which a subject runs: it loads one function, and calls it as often as it is asked.

Requests come on standard input and answers leave on standard output, which the function never
sees: what it prints goes to standard error, at any level. It may end this process at any time.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import os
import sys
from types import ModuleType
from typing import Any

import numpy as np

from pfverify.crosscheck.calling import Function, SignatureError, replied, said, taken
from pfverify.errors import shorten
from pfverify.workers.serving import end_with_parent, pipe
from pfverify.workers.wire import read, write

_CLOSED = 74  # EX_IOERR of sysexits.h: the pipe to pfverify is closed


def serve() -> None:
    """Answer requests until there are none, then end this process."""
    requests, answers = pipe()
    own = os.getpid()
    end_with_parent()
    first = read(requests)
    if first is None:
        os._exit(0)
    unlimited = limited(first[0]["memory"])
    function, reply = loaded(first[0])
    write(answers, {**reply, "unlimited": unlimited})
    while function is not None and (request := read(requests)) is not None:
        head, body = replied(function, *_arguments(*request))
        _flush()
        if os.getpid() != own:  # the function forked, and this is the copy
            os._exit(0)
        try:
            write(answers, {**head, "id": request[0]["id"]}, body)
        except OSError:  # the function closed what was not its own
            os._exit(_CLOSED)
    os._exit(0)  # without what the function may have left to be done


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # the function closed or replaced it
            continue


def limited(mebibytes: int) -> str | None:
    """Limit the memory of this process (0: not); return why that is not possible, or None.

    Example: ``limited(0)`` is None.
    """
    if not mebibytes:
        return None
    if sys.platform == "darwin":
        return "macOS takes a limit and does not keep it"
    try:
        import resource

        size = mebibytes << 20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, AttributeError, ValueError, OSError) as error:
        return f"this platform sets no limit ({shorten(error)})"
    return None


def loaded(asked: dict[str, Any]) -> tuple[Function | None, dict[str, Any]]:
    """Return the function and what it takes, or None and why it cannot be used.

    Example: ``loaded({"module": "os", "file": None, "function": "gone"})[0]`` is None.
    """
    try:
        module = _module(asked["module"], asked["file"])
    except ModuleNotFoundError as error:
        if asked["module"] and f"{asked['module']}.".startswith(f"{error.name}."):
            return None, {"refused": f"there is no module {error.name!r} here or on Python's path"}
        return None, {"refused": f"importing it failed: {said(error)}"}
    except BaseException as error:  # the module runs its own code
        return None, {"refused": f"importing it failed: {said(error)}"}
    function: Any = module
    for name in asked["function"].split("."):
        try:
            function = getattr(function, name)
        except BaseException:
            return None, {"refused": _absent(function, name, asked["module"] or asked["file"])}
    if not callable(function):
        return None, {"refused": f"it is {type(function).__name__}, not a function"}
    try:
        return function, {"takes": taken(function, asked["positional"])}
    except SignatureError as error:
        return None, {"signature": str(error)}


def _module(name: str | None, file: str | None) -> ModuleType:
    if name is not None:
        sys.path.insert(0, os.getcwd())
        return importlib.import_module(name)
    file = str(file)
    sys.path.insert(0, os.path.dirname(file))
    name = os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # classes and dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def _absent(where: object, name: str, place: str) -> str:
    import difflib

    known = [one for one in vars(where) if callable(getattr(where, one, None))]
    near = difflib.get_close_matches(name, known, 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"there is no {name!r} in {shorten(place)}{hint}"


def _arguments(head: dict[str, Any], body: bytes) -> tuple[list[Any], dict[str, float]]:
    """Return the values and the named numbers of a request."""
    values, start = [], 0
    for shape in head["shapes"]:
        size = 8 * math.prod(shape)
        array = np.frombuffer(body[start : start + size], "<f8").astype(np.float64).reshape(shape)
        values.append(array if shape else float(array))
        start += size
    count = len(values) - len(head["named"])
    return values[:count], dict(zip(head["named"], values[count:], strict=True))
