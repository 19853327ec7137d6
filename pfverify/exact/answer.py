"""YES, NO or UNKNOWN: what a rigorous comparison can say, with no truth value."""

from enum import Enum
from typing import NoReturn


class Answer(Enum):
    """A three-valued answer.

    It has no truth value on purpose: ``if answer:`` raises, because "not proved" is not "false".
    Compare with ``is``: ``answer is Answer.YES``.
    """

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"

    def __bool__(self) -> NoReturn:
        raise TypeError("an Answer has no truth value: compare with `is Answer.YES`")
