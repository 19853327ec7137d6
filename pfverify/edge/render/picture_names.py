"""The names of the files that pictures are written to, looked at before there is any picture."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from pfverify.errors import InputError

SUFFIXES = (".svg", ".png", ".pdf")


def check_file(name: str) -> None:
    """Raise InputError for a name without a known suffix, and without matplotlib.

    Example: ``check_file("loss.gif")`` raises.
    """
    if Path(name).suffix.lower() not in SUFFIXES:
        raise InputError(f"--plot: {name!r} ends in none of {', '.join(SUFFIXES)}")
    if find_spec("matplotlib") is None:
        raise InputError(
            "--plot: a file needs matplotlib: in the checkout, pip install '.[report]'"
        )
