"""For test suites: hold a release to its promise, and implementations against the exact answer.

Example::

    from pfverify.testing import assert_private, assert_sound

    def test_the_release():
        assert_private("problems/release.toml")

    def test_my_scale():
        assert_sound(my_scale, kind="scale", cases=200)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pfverify.crosscheck.kinds import judge
    from pfverify.testing.privacy import NotPrivateError, assert_private
    from pfverify.testing.soundness import assert_sound
    from pfverify.testing.strategies import cases

_HOMES = {
    "NotPrivateError": "pfverify.testing.privacy",
    "assert_private": "pfverify.testing.privacy",
    "assert_sound": "pfverify.testing.soundness",
    "cases": "pfverify.testing.strategies",
    "judge": "pfverify.crosscheck.kinds",
}

__all__ = ["NotPrivateError", "assert_private", "assert_sound", "cases", "judge"]


def __getattr__(name: str) -> Any:
    """Import the public names on first use: the plugin of pytest is in every test run."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pfverify.testing' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
