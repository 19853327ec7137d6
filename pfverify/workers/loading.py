"""Loading somebody's function in the process in which it runs, under a limit of memory."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from pfverify.errors import shorten

_WORDS = 300  # characters of what is said about an error

Function = Callable[..., object]


class SignatureError(Exception):
    """A function cannot be called as its kind is called; the message says how it is."""


def taken(
    function: Function, positional: Sequence[str], optional: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return which of some optional keywords a function takes; none where it does not say.

    Raises SignatureError for one that does not take the positional values.
    Example: ``taken(max, ["a", "b"])`` is ``()``.
    """
    try:
        known = inspect.signature(function)
    except (TypeError, ValueError):  # functions of C may not say
        return ()
    called = f"it is called as {shorten(known, 100)}"
    try:
        bound = known.bind(*positional)
    except TypeError as error:
        raise SignatureError(f"{called}: {error}") from None
    for name in optional:
        if name in bound.arguments:
            raise SignatureError(f"{called}: {name} has the place of another value")
    return tuple(name for name in optional if _binds(known, positional, name))


def _binds(known: inspect.Signature, positional: Sequence[str], name: str) -> bool:
    try:
        known.bind(*positional, **{name: 0.0})
    except TypeError:
        return False
    return True


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


def loaded(
    asked: dict[str, Any], function_of: Callable[[Any], Any] = lambda named: named
) -> tuple[Function | None, dict[str, Any]]:
    """Return the function and what it takes, or None and why it cannot be used.

    `function_of` makes a function of what has the name and need not be one.

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
    function = function_of(function)
    if not callable(function):
        return None, {"refused": f"it is {type(function).__name__}, not a function"}
    try:
        return function, {"takes": taken(function, asked["positional"], asked["optional"])}
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


def said(error: BaseException) -> str:
    """Return the type and the message of an error, whatever its class does when it is printed.

    Example: ``said(ValueError("no root"))`` is ``"ValueError: no root"``.
    """
    try:
        text = " ".join(str(error).split())
    except BaseException:
        text = ""
    return shorten(f"{type(error).__name__}: {text}".removesuffix(": "), _WORDS)
