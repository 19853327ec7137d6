"""What the package says to install can be installed from a checkout: no registry has it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SAID = re.compile(r"pip\s+install\s+(?:-e\s+)?'([^']*)'")


def test_every_extra_that_is_named_is_one_of_the_checkout() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    texts = [*(ROOT / "pfverify").rglob("*.py"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    texts += (ROOT / "notebooks").glob("**/*.md")
    found = [(path, said) for path in texts for said in _SAID.findall(path.read_text("utf-8"))]
    assert len(found) > 15
    for path, said in found:
        extras = re.fullmatch(r"\.\[([a-z0-9,]+)\]", said)
        assert extras is not None, (path, said)
        assert set(extras[1].split(",")) <= known.keys(), (path, said)
