"""What the tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.browser import Browser, chromium


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program = chromium()
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    with Browser(program, tmp_path_factory.mktemp("profile")) as found:
        yield found
