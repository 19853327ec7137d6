"""Libraries that only the subjects need, imported when one of them is asked."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pfverify.errors import InputError


def library(module: str, name: str) -> Any:
    """Return a module of an optional library; `name` is what it is called where it is installed.

    Raises InputError with the remedy where it is absent.
    Example: ``library("ot", "POT").emd_1d``.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError:
        raise _absent(name) from None


def opendp() -> Any:
    """Return OpenDP with all its mechanisms; InputError with the remedy where it is absent."""
    dp = library("opendp.prelude", "OpenDP")
    dp.enable_features("contrib")
    return dp


def installed(name: str) -> str:
    """Return the version of what is installed under a name.

    Raises InputError with the remedy where it is absent.
    Example: ``installed("no-such")`` raises
    "this subject needs no-such: in the checkout, pip install '.[subjects]'".
    """
    try:
        return version(name)
    except PackageNotFoundError:
        raise _absent(name) from None


def _absent(name: str) -> InputError:
    return InputError(f"this subject needs {name}: in the checkout, pip install '.[subjects]'")
