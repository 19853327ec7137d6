"""The glossary: every name that people meet has an entry, and every entry is about one of them."""

from __future__ import annotations

import pytest

from pfverify.edge.glossary.entries import FAMILIES, Entry, entries, entry, folded, lookup
from pfverify.errors import InputError
from pfverify.scales.recipes.table import RECIPES


def of_family(family: str) -> set[str]:
    return {one.term for one in entries() if one.family == family}


def test_every_method_of_calibrate_has_an_entry_and_no_other() -> None:
    assert of_family("method") == {recipe.name for recipe in RECIPES} | {"minimum"}


def test_a_method_has_a_sentence_a_formula_and_a_source() -> None:
    for name in of_family("method"):
        found = entry(name)
        assert found.family == "method"
        assert found.formula
        assert found.source


@pytest.mark.parametrize("one", entries(), ids=lambda one: f"{one.family}-{one.term}")
def test_an_entry_is_a_sentence_and_says_where_it_appears(one: Entry) -> None:
    assert one.family in FAMILIES.values()
    assert one.sentence.endswith(".")
    assert one.where


@pytest.mark.parametrize(
    "name", ["relaxed_rows", "Relaxed-Rows", "relaxed rows", " RELAXEDROWS", "relaxed__rows"]
)
def test_case_hyphens_underscores_and_spaces_do_not_matter(name: str) -> None:
    assert entry(name).term == "relaxed_rows"


def test_no_two_entries_of_a_family_have_one_name() -> None:
    names = [(one.family, folded(one.term)) for one in entries()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["relaxed_row", "relaxd rows", "coupling_pl"])
def test_an_unknown_term_gets_the_nearest(name: str) -> None:
    with pytest.raises(InputError, match=r"did you mean '(relaxed_rows|coupling_lp)'"):
        lookup(name)


@pytest.mark.parametrize("name", ["", "xyzzy", "\x1b[31m", "q" * 9000])
def test_a_term_that_is_near_to_none_says_how_to_list_them(name: str) -> None:
    with pytest.raises(InputError, match=r"there is no term .{0,60}; try --list"):
        lookup(name)


def test_a_term_is_a_text() -> None:
    with pytest.raises(InputError, match="a term"):
        lookup(3)  # type: ignore[arg-type]
