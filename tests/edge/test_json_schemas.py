"""Every JSON that a command prints keeps the schema that it names, and says what it is about."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import pfverify
from pfverify import Gaussian, Laplace, Problem, certify
from pfverify.edge import packaged
from pfverify.edge.cli import commands, main
from pfverify.edge.explain import Explanation
from pfverify.edge.views.envelope import object_of
from pfverify.edge.views.nearest import nearest, with_nearest
from pfverify.edge.views.registry import VIEWS, view_class, view_of
from pfverify.exact.number import number
from pfverify.model.digest import problem_digest

SCHEMAS = Path(str(files("pfverify.edge") / "schemas"))
FOR_PEOPLE = {"Book", "Explanation", "Fragment"}
LISTS = {"sweep": "sweep", "results": "results"}
"""Schemas of lists of answers: no view has them. Name -> key of the list."""
LINES = {"answer"}
"""Schemas of lines of files, which no view prints (`tests/many`)."""
SLOW = {"cholesterol", "corollary-2-fails", "education", "rappor-one-time", "students-mean",
        "tupling-dummies"}  # fmt: skip


def names() -> set[str]:
    return {path.name.removesuffix(".schema.json") for path in SCHEMAS.iterdir()}


@cache
def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))


def validated(data: Any) -> str:
    """The name of the schema that data keeps."""
    name = data["schema"].removeprefix("pfverify/").removesuffix("/1")
    Draft202012Validator(schema(name)).validate(data)
    for item in data.get(LISTS.get(name, ""), []):
        validated(item)
    return str(name)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main([*arguments, "--json"])
    out, err = capsys.readouterr()
    assert err == ""
    return code, json.loads(out)


def test_every_kind_with_json_has_a_schema_and_every_schema_a_kind() -> None:
    kinds = {kind.rpartition(".")[2]: view_class(kind).schema for kind in VIEWS}
    assert {kind for kind, name in kinds.items() if not name} == FOR_PEOPLE
    found = [name for name in kinds.values() if name]
    assert sorted([*found, *LISTS, *LINES]) == sorted(names())


@pytest.mark.parametrize("name", sorted(names()))
def test_a_schema_is_one_names_itself_and_leaves_nothing_open(name: str) -> None:
    one = schema(name)
    Draft202012Validator.check_schema(one)
    assert one["$id"] == one["properties"]["schema"]["const"] == f"pfverify/{name}/1"
    assert {"title", "description"} <= set(one)
    for part in objects({key: one[key] for key in one if name not in LISTS or key != "properties"}):
        assert part["additionalProperties"] is not True
    for key, part in one.get("$defs", {}).items():
        others = (schema(other).get("$defs", {}) for other in names())
        assert all(other.get(key, part) == part for other in others), f"{key} is said in two ways"


def objects(part: Any) -> list[Any]:
    """The parts of a schema that are about objects."""
    below = part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
    own = [part] if isinstance(part, dict) and part.get("type") == "object" else []
    return own + [found for one in below for found in objects(one)]


def test_a_view_without_a_schema_has_no_json() -> None:
    with pytest.raises(TypeError, match="ExplanationView has no JSON"):
        object_of(view_of(Explanation(["a line"])))


CHEAP = [name for name in packaged.example_names() if name not in SLOW]


@pytest.mark.parametrize("example", [
    *CHEAP, *(pytest.param(name, marks=pytest.mark.long) for name in sorted(SLOW))
])  # fmt: skip
@pytest.mark.parametrize("command", ["certify", "loss", "coupling"])
def test_the_answers_about_examples(
    capsys: pytest.CaptureFixture[str], command: str, example: str
) -> None:
    problem = packaged.load_example(example)
    few = len(problem.pairs) <= 20 or command != "coupling"  # a second of each
    one = [] if few else ["--pair", ",".join(problem.pairs[0])]
    code = main([command, f"example:{example}", *one, "--json"])
    out, err = capsys.readouterr()
    if code == 2:
        assert command == "coupling", err
        return
    data = json.loads(out)
    assert validated(data) in (command, "lifting")
    head = ["schema", "version", "problem", "digest"]
    assert list(data)[:4] == head
    digest = problem_digest(problem)
    assert [data[key] for key in head[1:]] == [pfverify.__version__, f"example:{example}", digest]


OFTEN = {"census", "dummies", "four-users-values", "gaussian-pair", "theorem-2-fails",
         "tie-bernoulli"}  # fmt: skip


@pytest.mark.parametrize("example", [
    *sorted(OFTEN),
    *(pytest.param(name, marks=pytest.mark.long)
      for name in packaged.example_names() if name not in OFTEN),
])  # fmt: skip
def test_scales(capsys: pytest.CaptureFixture[str], example: str) -> None:
    code = main(["calibrate", f"example:{example}", "--json"])
    out, err = capsys.readouterr()
    if code == 2:
        assert "no scale" in err or "through a channel" in err
        return
    assert validated(json.loads(out)) in ("calibrate", "dummies")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["certify", "example:census", "--grid", "20"], "grid"),
        (["certify", "example:home-and-out", "--grid", "20"], "grid"),
        (["certify", "example:largest-move", "--grid", "20"], "grid"),
        (["certify", "example:tie-delta", "--delta", "0.2"], "certify"),
        (["certify", "example:dummies", "--epsilon", "1/100"], "certify"),
        (["calibrate", "example:threshold", "--threshold"], "least-size"),
        (["calibrate", "example:threshold", "--threshold", "--delta", "0"], "least-size"),
        (["calibrate", "example:census", "--releases"], "most-releases"),
        (["compose", "example:census", "example:census", "--draws", "same"], "compose"),
        (["calibrate", "example:census", "--releases", "--epsilon", "3"], "most-releases"),
        (["certify", "example:home-and-out", "--epsilon", "1/100"], "certify"),
        (["coupling", "example:census", "--plan", "plan.csv"], "plan"),
        (["coupling", "example:census", "--relation", "relation.csv"], "coupling"),
        (["coupling", "example:home-and-out", "--relation", "inputs.csv"], "lifting"),
        (["prior", "table.csv", "--secret", "s", "--public", "x"], "prior"),
        (["demo", "--examples"], "examples"),
        (["explain", "coupling"], "explain"),
        (["explain", "--list"], "explain"),
        (["demo", "--distribution"], "distribution"),
        (["sample", "example:census", "--lattice", "1/3", "--count", "3"], "sample"),
        (["sample", "example:census", "--lattice", "1", "--value", "4"], "sample"),
        (["sample", "example:home-and-out", "--value", "home"], "sample"),
        (["sample", "example:dummies", "--value", "home", "--uncertified"], "sample"),
        pytest.param(["demo"], "demo", marks=pytest.mark.long),
        pytest.param(["demo", "--multi-user"], "multi-user", marks=pytest.mark.long),
        pytest.param(["demo", "--locations"], "locations", marks=pytest.mark.long),
        (["prove", "N09"], "prove"),
        (["check", "example:census", "census.cert"], "check"),
        (["check", "example:census", "census.cert", "--trusts"], "check"),
        (["check", "broken.toml", "census.cert"], "check"),
        (["crosscheck", "mine.py:plan", "--kind", "plan", "--cases", "2"], "crosscheck"),
        (["enumerate", "program.py:release", "--inputs", "1,2"], "enumerate"),
        (["table", "noise.csv"], "table"),
        (["explore", "example:census", "--values", "3", "-o", "p.html"], "explore"),
        (["explore", "example:tie-delta", "--scale", "1/2", "-o", "p.html"], "explore"),
        (["explore", "example:home-and-out", "--values", "2", "-o", "p.html"], "explore"),
        (["start", "--publish", "answer", "--answers", "a,b", "--times", "1", "--epsilon", "1"],
         "start"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_other_answers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    arguments: list[str], name: str,
) -> None:  # fmt: skip
    if arguments[0] == "prove":
        monkeypatch.chdir(Path(__file__).parents[2])
    else:
        monkeypatch.chdir(tmp_path)
    if arguments[0] == "check":
        assert main(["certify", "example:census", "-o", "census.cert"]) == 0
        capsys.readouterr()
    (tmp_path / "plan.csv").write_text("from,to,mass\n1,1,1/2\n")
    (tmp_path / "relation.csv").write_text("from,to\n1,1\n")
    (tmp_path / "inputs.csv").write_text("from,to\nhome,office\n")
    (tmp_path / "broken.toml").write_text("no problem")
    (tmp_path / "mine.py").write_text("def plan(atoms, p, q): return [(0, 0, 1)]")
    (tmp_path / "program.py").write_text(
        "from pfverify.program import uniform\ndef release(x): return uniform(x)"
    )
    (tmp_path / "noise.csv").write_text("i,v,p\n0,0,1\n1,0,1\n")
    (tmp_path / "table.csv").write_text("s,x\na,0\na,1\nb,0\nb,1\n")
    _, data = said(capsys, *arguments)
    assert validated(data) == name
    assert ("digest" in data) == (arguments[0] not in ("crosscheck", "demo", "explain", "prove"))


def test_every_command_with_json_is_asked_above() -> None:
    found = {name for name, command in commands.commands.items()
             if any("--json" in option.opts for option in command.params)}  # fmt: skip
    assert found == {
        "calibrate", "certify", "check", "compose", "coupling", "crosscheck", "curve", "demo",
        "enumerate", "explain", "explore", "loss", "prior", "prove", "sample", "start", "table",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "values"),
    [(["0.1,"], 1), (["0.1,0.5"], 2), (["0.1", "0.5"], 2), (["0.1,", "0.5,"], 2), (["0.1"], None)],
)
@pytest.mark.parametrize("command", ["certify", "loss", "calibrate"])
def test_what_is_written_as_a_sweep_is_a_list(
    capsys: pytest.CaptureFixture[str], command: str, options: list[str], values: int | None
) -> None:
    given = [word for option in options for word in ("--epsilon", option)]
    _, data = said(capsys, command, "example:tie-delta", *given)
    assert validated(data) == ("sweep" if values else command)
    if values:
        assert list(data) == ["schema", "version", "sweep"]
        assert len(data["sweep"]) == len({item["digest"] for item in data["sweep"]}) == values


def test_the_digest_is_that_of_the_problem_with_its_overrides(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, data = said(capsys, "certify", "example:census", "--scale", "3")
    assert data["digest"] == problem_digest(packaged.load_example("census").replaced(scale="3"))


@pytest.mark.parametrize("text", ["0.1,,", ",0.1", ",", ""])
def test_an_empty_value_is_none(capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert main(["certify", "example:census", "--epsilon", text]) == 2
    assert "--epsilon: an empty value" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["certify", "loss", "calibrate"])
def test_columns_keep_their_places_and_the_new_ones_come_last(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, "example:census", "--epsilon", "log(3),1/3", "--csv"]) in (0, 1)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    columns = list(rows[0])
    assert columns[-4:] == ["problem", "digest", "version", "schema"]
    assert columns[:2] == ["epsilon", "delta"]
    first = columns.index("epsilon_decimal")
    assert not any(name.endswith("_decimal") for name in columns[:first])
    assert all(name.endswith("_decimal") for name in columns[first:-4])
    assert {row["schema"] for row in rows} == {f"pfverify/{command}/1"}
    assert {(row["epsilon"], row["epsilon_decimal"]) for row in rows} == {
        ("log(3)", "1.09861228867"), ("1/3", "0.333333333333"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "digits", "expected"),
    [
        ("1/3", 4, "0.3333"), ("2/3", 4, "0.6667"), ("-2/3", 4, "-0.6667"), ("0", 4, "0"),
        ("inf", 4, None), ("-inf", 4, None), ("about 0.3", 4, None), ("51/25", 12, "2.04"),
        ("log(3)", 6, "1.09861"), ("sqrt(2)-3/2", 5, "-0.085786"), ("1e-30", 3, "1e-30"),
        ("5/2", 1, "2"), ("log(4)-2*log(2)", 3, None),
    ],
)  # fmt: skip
def test_the_nearest_decimal(text: str, digits: int, expected: str | None) -> None:
    assert nearest(text, digits) == expected


@pytest.mark.parametrize("digits", [1, 5, 30])
@pytest.mark.parametrize("text", ["1/7", "-22/7", "exp(1)", "1/log(2)", "exp(-40)", "10**3/3"])
def test_no_decimal_of_so_many_digits_is_nearer(text: str, digits: int) -> None:
    text = text.replace("**3", "00")
    found = nearest(text, digits)
    assert found is not None
    with localcontext(prec=digits + 20):
        decimal = Decimal(found)
        assert len(decimal.normalize().as_tuple().digits) <= digits
        unit = Decimal(1).scaleb(decimal.adjusted() - digits + 1)
    exact = number(text).ball().raw
    assert abs(float(Fraction(found)) - float(exact)) <= float(unit) * (1 / 2 + 1e-9) + 1e-12


def test_decimals_follow_their_text_wherever_a_path_leads() -> None:
    data = {"a": [{"b": "1/2", "c": "1/4"}, {"b": None}], "d": {"x": {"b": [["1/8", "inf"]]}}}
    found = with_nearest(data, ("a.b", "d.*.b"), 3, frozenset())
    assert found == {
        "a": [{"b": "1/2", "b_decimal": "0.5", "c": "1/4"}, {"b": None, "b_decimal": None}],
        "d": {"x": {"b": [["1/8", "inf"]], "b_decimal": [["0.125", None]]}},
    }
    assert list(found["a"][0]) == ["b", "b_decimal", "c"]


def test_the_name_of_an_output_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    _, data = said(capsys, "certify", "example:home-and-out")
    assert {pair["worst_y_decimal"] for pair in data["pairs"]} == {None}
    assert main(["loss", "example:home-and-out", "--csv"]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {row["y_decimal"] for row in rows} == {""}


def test_digits_count_for_the_decimals_too(capsys: pytest.CaptureFixture[str]) -> None:
    _, data = said(capsys, "certify", "example:census", "--epsilon", "log(3)", "--digits", "30")
    assert data["epsilon_decimal"] == "1.0986122886681096913952452369"[:31] + "2"


def test_a_result_that_was_not_asked_of_a_file_names_none() -> None:
    normal = Problem({"a": Gaussian(0, 1), "b": Gaussian(1, 1)}, noise=Laplace(1), epsilon=2)
    data = object_of(view_of(certify(normal)))
    assert "problem" not in data
    assert data["pairs"][0]["worst_y_decimal"] is None
