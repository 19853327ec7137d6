"""Puts the oracles of tests/kernel, and the kernel's own modules, on the path."""

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
for folder in (TESTS / "kernel", TESTS.parent / "pfverify" / "kernel"):
    sys.path.insert(0, str(folder))
