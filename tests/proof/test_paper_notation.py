"""Names in the notation of their paper, only where nothing else looks the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.proofs import EACH, PROOFS, loaded

from pfverify.proof.check import check_claim
from pfverify.proof.claim import Claim
from pfverify.proof.loader import ProofFile
from pfverify.proof.notation import sign_of_name
from pfverify.proof.outcome import StatedPart
from pfverify.proof.paper_notation import symbols_of
from pfverify.proof.shown import names_of
from pfverify.proof.terms import pieces_of


def claim(declared: str, left: str, example: str = "", symbols: str = "{}") -> Claim:
    text = f"""from pfverify.proof.language import *
{declared}
Claim(id="N09", source=paper("noise-reduction", "(9), (11)"), result=PROVED, words="w",
      symbols={symbols}, printed=proved(given={{"h": {left} <= 1/2}}, statement={left} <= 1,
      example=instance({example}), steps=[step("s", {left} <= 1, arithmetic("h"))]))
"""
    return ProofFile(text, "N09.py").claim


INDICES = 'x, z = indices("x z", "X")\nf = functions("f")'
E = 'E = positive("E")'


@pytest.mark.parametrize("path", EACH)
def test_no_two_names_of_a_file_look_alike(path: Path) -> None:
    found = loaded(path).claim
    table = symbols_of(found)
    assert table.items() >= found.symbols.items()
    names = {name for _, part in found.parts() for name in names_of(part)}
    names |= {piece.name for piece in pieces_of(*found.meaning) if piece.is_Symbol}
    assert {*table} <= names
    assert len({sign_of_name(name, table) for name in names}) == len(names)


@pytest.mark.parametrize(
    ("declared", "left", "expected"),
    [
        (INDICES, "f(x) - f(z)", {"z": "x'"}),
        (E, "E", {"E": "e^epsilon"}),
        (INDICES, "f(z)", {}),  # there is no x
        ('E = constants("E")', "E", {}),  # of another kind
        ('z = draws("z", "Z")\nx = variables("x")', "mean(z, z) - x", {}),
        (E + '\nepsilon = constants("epsilon")', "E - epsilon", {}),
        (INDICES + '\nu = indices("u", "X")',  # putting x for u renames the x of the sum: x'
         "at(total(f(x) * f(u), x), {u: x}) - f(z)", {}),
    ],
)  # fmt: skip
def test_a_notation_is_used_where_it_is_clear(
    declared: str, left: str, expected: dict[str, str]
) -> None:
    assert symbols_of(claim(declared, left)) == expected


def test_a_file_says_more_than_its_paper() -> None:
    own = claim(INDICES + "\n" + E, "E * (f(x) - f(z))", symbols='{"z": "y"}')
    assert symbols_of(own) == {"z": "y", "E": "e^epsilon"}
    taken = claim(INDICES, "f(x) - f(z)", symbols='{"f": "x\'"}')
    assert symbols_of(taken) == {"f": "x'"}


def test_formulas_examples_and_data_have_the_notation_in_latex() -> None:
    def stated(made: Claim) -> StatedPart:
        outcome = check_claim(made, str)
        assert outcome.failure == ""
        return outcome.stated[0]

    found = stated(claim(E, "E", "E=1/2"))
    assert found.latex == r"e^{\epsilon} \le 1"
    assert found.instances_latex == [r"e^{\epsilon} = \mathtt{1/2}"]
    path = PROOFS / "distribution-privacy" / "D03.py"
    data = loaded(path).claim
    assert any(
        r"\lambda_{0}(" in text for part in check_claim(data, str).stated
        for text in (part.data_latex, *part.instances_latex)
    )  # fmt: skip


def test_the_names_in_a_maximum_come_in_one_order() -> None:
    """A set of eight has another order in nearly every run; the table of a page does not."""
    names = "P Q R S T U V W"
    largest = f"maximum({', '.join(f'{name}(x)' for name in names.split())})"
    found = claim(f'x = variables("x")\n{names.replace(" ", ", ")} = functions("{names}")', largest)
    _, part = next(iter(found.parts()))
    assert [name for name in names_of(part) if name != "x"] == names.split()
