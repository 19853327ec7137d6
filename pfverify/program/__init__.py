"""A program as a channel: the randomness that it asks for, and the exact law of what it returns.

Example, in a file of its own::

    from pfverify.program import coin

    def release(answer):
        return answer if coin("1/2") else coin("1/2")

Then ``channel_of(release, [True, False]).channel`` is randomized response that says the truth with
chance 3/4.
"""

from pfverify.program.channel import channel_of
from pfverify.program.randomness import choose, coin, uniform

__all__ = ["channel_of", "choose", "coin", "uniform"]
