"""The kernel's reader of numbers, in this process."""

from __future__ import annotations

import sys
from pathlib import Path

import pfverify

sys.path.insert(0, str(Path(pfverify.__file__).parent / "kernel"))

from core.grammar import Malformed, canonical
from core.shapes import parse
from core.value import require_defined


def kernel_number(text: str) -> str:
    """The canonical text of a number by the kernel's reader, "" where it is refused."""
    try:
        x = parse(text)
        require_defined(x)
    except Malformed:
        return ""
    return canonical(x)
