"""Libraries that only the subjects need, imported when one of them is asked."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pfverify.errors import InputError

REMEDY = "pip install 'pfverify[subjects]'"


def library(module: str, name: str) -> Any:
    """Return a module of an optional library; `name` is what it is called where it is installed.

    Raises InputError with the remedy where it is absent.
    Example: ``library("ot", "POT").emd_1d``.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError:
        raise InputError(f"this subject needs {name}: {REMEDY}") from None
