"""The glossary: every name that people meet has an entry, and every entry is about one of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from edge.test_views import RESULTS

from pfverify import Discrete, Laplace, Problem, calibrate, certify, loss
from pfverify.answers.coupling import couplings
from pfverify.answers.methods import Minimum
from pfverify.decide.verdict import Verdict
from pfverify.edge import leave, packaged
from pfverify.edge.book import Book
from pfverify.edge.cli import main
from pfverify.edge.glossary.entries import (
    FAMILIES,
    Entry,
    entries,
    entry,
    folded,
    lookup,
)
from pfverify.edge.papers.scales import CurvesResult, ScaleCell, ScaleRow, ScaleTable
from pfverify.edge.views.registry import VIEWS, view_of
from pfverify.errors import InputError
from pfverify.model.channels.kinds import CHANNELS
from pfverify.model.kinds import NOISES, OTHER_NOISES, PRIORS
from pfverify.model.notion import NOTIONS
from pfverify.model.protection import KINDS
from pfverify.proof.rules import Rule
from pfverify.scales.recipes.table import RECIPES
from pfverify.transport.validate import PROPERTIES

PROVING = ("chains", "instantiate", "integrals", "rules", "termwise")  # where proof rules stand
_KEYS = {"from_": "from"}


def of_family(family: str) -> set[str]:
    assert family in FAMILIES.values()
    return {one.term for one in entries() if one.family == family}


# ---------------------------------------------------------------- what the toolkit names


def proof_rules(base: type[Rule] = Rule) -> Iterator[str]:
    for name in PROVING:
        import_module(f"pfverify.proof.{name}")
    for kind in base.__subclasses__():
        name = vars(kind).get("name")
        yield name if isinstance(name, str) else kind.__name__.lower()
        yield from proof_rules(kind)


def test_every_method_of_calibrate_has_an_entry_and_no_other() -> None:
    assert of_family("method") == {recipe.name for recipe in RECIPES} | {
        "minimum", "region", "every-value"
    }


@pytest.mark.parametrize(
    ("family", "kinds"),
    [("noise", {**NOISES, **OTHER_NOISES}), ("prior", PRIORS), ("channel", CHANNELS),
     ("notion or form", {**KINDS, **NOTIONS})],
)  # fmt: skip
def test_every_kind_has_an_entry_and_no_other(family: str, kinds: dict[str, object]) -> None:
    assert of_family(family) == set(kinds)


def test_every_rule_of_proof_steps_has_an_entry_and_no_other() -> None:
    assert of_family("rule of proof steps") == set(proof_rules())


def test_every_exit_code_has_an_entry_and_no_other() -> None:
    codes = {value for name, value in vars(leave).items() if name.startswith("EXIT_")}
    assert of_family("exit code") == {"0", *map(str, codes)}


# ---------------------------------------------------------------- keys and columns


def keys_of(kind: object, seen: set[object]) -> Iterator[str]:
    """The JSON keys of results of a type, and of what it is made of."""
    for part in get_args(kind):
        yield from keys_of(part, seen)
    if isinstance(kind, type) and is_dataclass(kind) and kind not in seen:
        seen.add(kind)
        hints = get_type_hints(kind)
        for one in fields(kind):
            if one.metadata.get("json", True):
                yield _KEYS.get(one.name, one.name)
                yield from keys_of(hints[one.name], seen)


def json_keys() -> set[str]:
    """The keys of every kind of result that is shown as its own data."""
    own = f"{Book.__module__}.{Book.__qualname__}"  # its view has data of another shape
    kinds = [getattr(import_module(name.rpartition(".")[0]), name.rpartition(".")[2])
             for name in VIEWS if name != own]  # fmt: skip
    return {key for kind in kinds for key in keys_of(kind, set())} | {"pages"}


def schema_keys(schema: object) -> Iterator[str]:
    """The keys of the objects that a published schema is about."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        below = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values()]
        below += [part for key in ("anyOf", "oneOf", "allOf") for part in schema.get(key, [])]
        below += [schema.get(key) for key in ("items", "additionalProperties", "if", "then")]
        for part in below:
            yield from schema_keys(part)


def published_keys() -> set[str]:
    texts = [path.read_text("utf-8") for path in (files("pfverify.edge") / "schemas").iterdir()]
    return {key for text in texts for key in schema_keys(json.loads(text))}


def dict_keys(data: object) -> Iterator[str]:
    """The keys in data, but not names that a user or a table made up."""
    made_up = {"methods", "not_applicable", "columns", "rows"}
    if isinstance(data, dict):
        for key, part in data.items():
            yield key
            if key not in made_up or not isinstance(part, dict):
                yield from dict_keys(part)
    if isinstance(data, list):
        for part in data:
            yield from dict_keys(part)


def examples() -> Iterator[object]:
    """Results that have keys, columns and headers of their own."""
    for name in ("census", "tie-delta", "theorem-2-fails", "home-and-out"):
        problem = packaged.load_example(name)
        yield from (certify(problem), loss(problem))
        if not problem.release.named:
            yield calibrate(problem)
    priors = {"a": Discrete({0: 1}), "b": Discrete({1: 1})}
    pointwise = Problem(priors, noise=Laplace(1), epsilon=1, delta="1/9", form="pointwise")
    yield from (certify(pointwise), loss(pointwise), calibrate(pointwise))
    cells = [
        ScaleCell(method=name, scale="2", verdict=Verdict.CERTIFIED)
        for name in ("user_two_points", "user_relaxed")
    ]
    row = ScaleRow(epsilon="1", cells=cells, any_rest="2", minimum=Minimum("1", "2", None),
                   waste="1")  # fmt: skip
    yield CurvesResult([ScaleTable(figure="Figure 8", reading="a reading", rows=[row])],
                       all_certified=True)  # fmt: skip
    items = list(pointwise.questions())
    yield couplings(pointwise, items, relation=[items[0].first_prior.atoms * 2])


def headers(result: object) -> Iterator[str]:
    view = view_of(result, "p.toml")
    for section in view.sections():
        for table in section.tables:
            yield from (column.header for column in table.columns)
    try:
        rows = view.rows()
    except InputError:
        return
    yield from rows[0]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    folder = tmp_path_factory.mktemp("results")
    return [*(make(folder) for make in RESULTS.values()), *examples()]


def unexplained(names: set[str]) -> list[str]:
    missing = []
    for name in sorted(names):
        try:
            lookup(name)
        except InputError:
            missing.append(name)
    return missing


def test_every_key_of_json_has_an_entry(shown: list[object]) -> None:
    keys = json_keys()
    for result in shown:
        if type(result).__name__ in ("Couplings", "Liftings"):
            keys |= set(dict_keys(view_of(result).data()))
    assert "waste" in keys
    assert "reachable" in keys
    assert unexplained(keys) == []


def test_every_key_of_a_published_schema_has_an_entry() -> None:
    keys = published_keys()
    assert {"waste", "results", "reachable", "digest"} <= keys
    assert unexplained(keys) == []


def test_every_column_has_an_entry(shown: list[object]) -> None:
    names = {name for result in shown for name in headers(result)}
    assert {"y of loss", "y of excess", "witness", "mean_abs", "loss_lower"} <= names
    assert unexplained(names) == []


PARTS = {"decimal", "sigma"}
"""The end of keys beside exact numbers; what the column of scales is called for gaussian noise."""


def test_no_entry_of_a_key_or_column_is_left_over(shown: list[object]) -> None:
    used = json_keys() | published_keys() | PARTS | set(PROPERTIES)
    for result in shown:
        used |= set(headers(result)) | set(dict_keys(view_of(result).data()))
    known = {folded(name) for name in used}
    over = [
        one.term
        for one in entries()
        if one.family == "key or column"
        and not known & {folded(name) for name in (one.term, *one.aliases)}
        and not any(name.startswith((f"{folded(one.term)}lower", folded(one.term) + "upper"))
                    for name in known)
    ]  # fmt: skip
    assert over == []


# ---------------------------------------------------------------- the words of the field

FIELD = """pufferfish, secret, belief, prior, coupling, plan, scale, epsilon, delta, loss,
hockey-stick, W1, W-infinity, tie, enclosure, certificate, digest, certified, refuted, undecided,
observed on a grid, exit code 0, exit code 1, exit code 2, exit code 3, waste, witness, noise sd,
closed form, kernel, tau*, epsilon*, Theorem 2 of the Gaussian-priors paper, histogram, mean,
sensitivity, clipping, suppression, weekly, repeated releases, correlated, k-anonymity,
group privacy, chain, hmm, network"""


def test_post_processing_is_explained_before_the_channel_that_is_called_so() -> None:
    assert [one.term for one in lookup("post-processing")] == ["post-processing", "cascade"]


@pytest.mark.parametrize("name", [name.strip() for name in FIELD.split(",")])
def test_the_words_of_the_field_have_entries(name: str) -> None:
    assert lookup(name)


# ---------------------------------------------------------------- entries


@pytest.mark.parametrize("one", entries(), ids=lambda one: f"{one.family}-{one.term}")
def test_an_entry_is_a_sentence_and_refers_to_what_there_is(one: Entry) -> None:
    for text in (one.sentence, one.definition, one.formula, one.source):
        assert text is None or isinstance(text, str)
    for texts in (one.where, one.aliases, one.see):
        assert isinstance(texts, (list, tuple))
        assert all(isinstance(text, str) for text in texts)
    assert one.sentence.endswith(".")
    assert "\n" not in one.sentence
    assert one.where
    assert (one.sentence + (one.definition or "") + (one.formula or "")).isascii()
    for name in one.see:
        assert lookup(name)


def test_sources_name_proof_files_that_are_there() -> None:
    sources = [one.source for one in entries() if one.source]
    unknown = re.compile(r"design fact|(?<![/\w])(?<!the fact )F\d")
    assert not [source for source in sources if unknown.search(source)]
    named = {name for source in sources for name in re.findall(r"proofs/\S+\.py", source)}
    assert len(named) > 8
    root = Path(__file__).parents[2]
    assert all((root / name).is_file() for name in named)


def test_methods_rules_facts_and_kinds_have_a_formula_and_a_source() -> None:
    loose = ("word", "key or column", "exit code")
    for one in entries():
        if one.family not in loose:
            assert one.formula, one.term
            assert one.source, one.term


@pytest.mark.parametrize(
    "name", ["relaxed_rows", "Relaxed-Rows", "relaxed rows", " RELAXEDROWS", "relaxed__rows"]
)
def test_case_hyphens_underscores_and_spaces_do_not_matter(name: str) -> None:
    assert entry(name).term == "relaxed_rows"


def test_no_two_entries_of_a_family_have_one_name() -> None:
    names = [(one.family, folded(one.term)) for one in entries()]
    assert len(set(names)) == len(names)


def test_a_name_of_several_things_has_an_entry_of_each() -> None:
    assert [one.family for one in lookup("coupling")] == ["word", "rule of certificates"]
    assert [one.family for one in lookup("gaussian")] == ["noise", "prior"]
    assert [one.term for one in lookup("delta_upper")] == ["delta-upper", "delta", "upper"]


@pytest.mark.parametrize("name", ["relaxed_row", "relaxd rows", "coupling_pl"])
def test_an_unknown_term_gets_the_nearest(name: str) -> None:
    with pytest.raises(InputError, match=r"did you mean '(relaxed_rows|coupling_lp)'"):
        lookup(name)


@pytest.mark.parametrize("name", ["", "xyzzy", "\x1b[31m", "q" * 9000, "%s {0} \\"])
def test_a_term_that_is_near_to_none_says_how_to_list_them(name: str) -> None:
    with pytest.raises(InputError, match=r"there is no term .{0,60}; try --list"):
        lookup(name)


def test_a_term_is_a_text() -> None:
    with pytest.raises(InputError, match="a term"):
        lookup(3)  # type: ignore[arg-type]


# ---------------------------------------------------------------- the command


def test_the_command_says_all_of_an_entry(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "Relaxed", "rows"]) == 0
    out = capsys.readouterr().out
    one = entry("relaxed_rows")
    assert out.startswith("relaxed_rows (method)\n")
    for text in (one.sentence, one.formula, one.source, *one.where, *one.see):
        assert text is not None
        assert "".join(text.split()) in "".join(out.split())


def test_the_command_gives_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "waste", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["terms"]
    assert found["term"] == "waste"
    assert found["formula"].startswith("waste = scale / minimum")


def test_the_list_has_every_term(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--list"]) == 0
    out = capsys.readouterr().out
    for one in entries():
        assert f"  {one.term}: " in out


@pytest.mark.parametrize("words", [[], ["waste", "--list"]], ids=str)
def test_one_term_or_all(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(["explain", *words]) == 2
    assert capsys.readouterr().err == "pfverify: explain: name one term, or --list them all\n"


def test_an_unknown_term_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "wast"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("pfverify: there is no term 'wast'; did you mean 'waste'")
