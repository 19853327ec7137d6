"""POT, another implementation to compare with."""

from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def ot() -> ModuleType:
    """Imported where it is used: it takes longer than all other libraries of the tests together."""
    import ot

    return ot
