"""Puts the kernel's modules, which import each other by plain name, on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "pfverify" / "kernel"))
