"""Signs of numbers of a problem, those that cannot be decided too."""

from __future__ import annotations

import pytest
from core.enclose import Undecided
from core.grammar import Malformed
from core.shapes import parse
from core.value import decided_sign, sign


def test_a_sign_that_is_not_decided_is_a_fault_of_the_problem() -> None:
    x = parse("exp(exp(1000000))")
    said = 'the sign of "exp(exp(1000000))" is not decided'
    with pytest.raises(Undecided) as undecided:
        sign(x)
    assert str(undecided.value) == said
    with pytest.raises(Malformed) as refused:
        decided_sign(x, "it")
    assert str(refused.value) == f"it: {said}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0", 0), ("-1/3", -1), ("1e-99", 1), ("exp(1)-3", -1), ("exp(2)-exp(1)*exp(1)", 0),
     ("3-exp(1)", 1)],
)  # fmt: skip
def test_signs(text: str, expected: int) -> None:
    assert sign(parse(text)) == decided_sign(parse(text), "it") == expected
