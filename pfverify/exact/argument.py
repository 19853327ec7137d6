"""What a number may be given as, for type checkers: a float is refused, as it is when called."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import SupportsIndex

from pfverify.exact.number import Number as ExactNumber
from pfverify.exact.published import Irrational

Number = int | str | Fraction | Decimal | SupportsIndex | ExactNumber | Irrational
"""An argument that is an exact number: 1, "0.52", "log(3)", Fraction(1, 2), a numpy integer."""
