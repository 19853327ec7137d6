"""What runs coqc: the theory is compiled once, or these tests are skipped with a reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import coq


@pytest.fixture(scope="session")
def theory() -> Path:
    """The folder of the theory, compiled."""
    if (reason := coq.missing()) is not None:
        pytest.skip(reason)
    coq.compile_theory()
    return coq.THEORY
