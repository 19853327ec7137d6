"""The pytest plugin: a fixture, and refutations that are shown without what led to them.

It collects nothing, and imports nothing of the package before a test asks for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from typing import Any

import pytest

_SHORTENED = ("auto", "long")  # styles of a traceback; who asks for another one gets that


@pytest.fixture(name="assert_private")
def _assert_private() -> Callable[..., Any]:
    """`pfverify.testing.assert_private`: fails unless a release is certified."""
    from pfverify.testing.privacy import assert_private

    return assert_private


@pytest.hookimpl(hookwrapper=True)  # as pytest 7 knows it too: the plugin is in every test run
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, None]:
    """Show where a test asked, and the refutation, in place of the source of the test."""
    report = (yield).get_result()
    privacy = sys.modules.get("pfverify.testing.privacy")
    error = None if call.excinfo is None else call.excinfo.value
    if privacy is None or not report.failed or not isinstance(error, privacy.NotPrivateError):
        return
    if call.excinfo is not None and item.config.getoption("tbstyle", "auto") in _SHORTENED:
        report.longrepr = call.excinfo.getrepr(
            style="short", tbfilter=lambda info: info.traceback.cut(path=item.path).filter(info)
        )
