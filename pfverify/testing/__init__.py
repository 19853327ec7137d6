"""For test suites of other people's implementations: hold them against the exact answer.

Example::

    from pfverify.testing import assert_sound

    def test_my_scale():
        assert_sound(my_scale, kind="scale", cases=200)
"""

from pfverify.crosscheck.kinds import judge
from pfverify.testing.soundness import assert_sound
from pfverify.testing.strategies import cases

__all__ = ["assert_sound", "cases", "judge"]
