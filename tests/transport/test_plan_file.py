"""Files of plans that somebody else computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pfverify.errors import InputError
from pfverify.transport.plan_file import read_plan


def test_bad_arrays(tmp_path: Path) -> None:
    path = tmp_path / "plan.npz"
    for arrays in (
        {"from": [0], "to": [1]},
        {"from": [0], "to": [1], "mass": [float("nan")]},
        {"from": [0], "to": [1, 2], "mass": [1.0]},
        {"from": [0], "to": [1], "mass": ["x"]},
    ):
        np.savez(path, **arrays)
        with pytest.raises(InputError):
            read_plan(path)
    path.write_bytes(b"PK not a zip")
    with pytest.raises(InputError):
        read_plan(path)
