"""The sign of an exponential sum, decided: for rules whose cases are told by such signs."""

from __future__ import annotations

from core.enclose import Arithmetic, Undecided
from core.rules import Rejected
from core.zero import SIGN_BITS, Sum, sign_of_sum


def decided_sign(s: Sum) -> int:
    """The sign, at rising precision and by the zero test; Rejected where neither tells."""
    for bits in SIGN_BITS:
        try:
            return sign_of_sum(s, Arithmetic(bits))
        except Undecided:
            continue
    raise Rejected("a sign is not decided")
