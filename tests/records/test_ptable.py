"""``pfverify table``: the noise tables of statistics offices as files, also hostile ones."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from pfverify import Discrete, InputError, Problem, TableNoise, certify
from pfverify.edge.cli import main
from pfverify.records.ptable import ptable_problem

# as the R package ptable writes it: original count, count, probability, perturbation, intervals
OFFICE = """\
"i","j","p","v","p_int_lb","p_int_ub","type"
0,0,1,0,0,1,"all"
1,0,0.5,-1,0,0.5,"all"
1,2,0.5,1,0.5,1,"all"
2,1,0.25,-1,0,0.25,"all"
2,2,0.5,0,0.25,0.75,"all"
2,3,0.25,1,0.75,1,"all"
"""
BY = {0: {0: 1}, 1: {-1: "1/2", 1: "1/2"}, 2: {-1: "1/4", 0: "1/2", 1: "1/4"}}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(text: str, name: str = "ptable.csv", **options: object) -> Problem:
    Path(name).write_text(text)
    return ptable_problem(Path(name), **options).problem  # type: ignore[arg-type]


def expected(by: dict[int, object] | None = None, **target: object) -> Problem:
    by = BY if by is None else by  # type: ignore[assignment]
    last = max(by)
    names = [str(count) for count in range(min(by), last + 2)]
    return Problem(
        {name: Discrete({name: 1}) for name in names},
        noise=TableNoise(by=by, larger=by[last]),  # type: ignore[arg-type]
        pairs=[*pairwise(names)],
        epsilon=1, **target,  # type: ignore[arg-type]
    )  # fmt: skip


def test_the_table_of_an_office() -> None:
    assert read(OFFICE) == expected()


@pytest.mark.parametrize(
    "text",
    [
        OFFICE.replace('"', "").replace(",", ";"),
        OFFICE.replace("\n", "\r\n"),
        "\ufeff" + OFFICE,
        "i,p,v\n2,0.25,1\n2,0.5,0\n1,0.5,1\n0,1.0,0\n1,5e-1,-1\n2,.25,-1\n",  # in any order
        "i,j,p\n0,0,1\n1,0,0.5\n1,2,0.5\n1,1,0\n2,1,0.25\n2,2,0.5\n2,3,0.25\n",  # and with a zero
        "Count\tNoise\tProb\n0\t0\t1\n1\t-1\t0.5\n1\t1\t0.5\n2\t-1\t0.25\n2\t0\t0.5\n2\t1\t0.25\n",
    ],
)
def test_tables_that_say_the_same(text: str) -> None:
    assert read(text) == expected()


def test_columns_may_be_named() -> None:
    text = "a,b,c\n0,0,1\n1,0,0.5\n1,2,0.5\n2,1,0.25\n2,2,0.5\n2,3,0.25\n"
    columns = {"count": "a", "perturbed": "b", "probability": "c"}
    assert read(text, columns=columns) == expected()
    comma = "i;v;p\n0;0;1\n1;-1;0,5\n1;1;0,5\n"
    assert read(comma, decimal_comma=True) == expected({0: BY[0], 1: BY[1]})


def test_random_tables_are_read_exactly() -> None:
    rng = Random("ptables")
    for _ in range(30):
        by: dict[int, dict[Fraction, Fraction]] = {}
        rows = []
        for count in range(rng.randint(0, 2), rng.randint(3, 6)):
            moves = rng.sample(range(-count, 6), rng.randint(1, 5))
            cuts = sorted(rng.randint(0, 10**6) for _ in moves[1:])
            parts = [b - a for a, b in zip([0, *cuts], [*cuts, 10**6], strict=True)]
            shares = [Fraction(part, 10**6) for part in parts]
            by[count] = {Fraction(n): p for n, p in zip(moves, shares, strict=True)}
            rows += [f"{count},{n},{part}e-6" for n, part in zip(moves, parts, strict=True)]
        rng.shuffle(rows)
        assert read("i,v,p\n" + "\n".join(rows)) == expected(by)  # type: ignore[arg-type]


ROUNDED = "i,v,p\n0,0,1\n1,-1,0.333\n1,0,0.333\n1,1,0.333\n"


def test_rounded_probabilities_are_refused_or_rescaled_aloud(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("p.csv").write_text(ROUNDED)
    assert main(["table", "p.csv", "-o", "cells.toml"]) == 2
    assert capsys.readouterr().err == (
        "pfverify: p.csv: count 1: the probabilities sum to 0.999, expected exactly 1; --rescale "
        "divides by the sum\n"
    )
    assert not Path("cells.toml").exists()
    assert main(["table", "p.csv", "--rescale", "-o", "cells.toml"]) == 0
    told = "divided by what they sum to: 0.999 for count 1"
    assert told in " ".join(capsys.readouterr().out.split())
    assert told in " ".join(Path("cells.toml").read_text().replace("# ", "").split())
    third = dict.fromkeys((-1, 0, 1), "1/3")
    assert Problem.load("cells.toml") == expected({0: BY[0], 1: third})
    assert main(["table", "p.csv", "--rescale", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rescaled"] == {"1": "0.999"}
    Path("p.csv").write_text(OFFICE)
    assert main(["table", "p.csv", "--rescale"]) == 0  # nothing to divide
    assert "RESCALED" not in capsys.readouterr().out


def test_from_the_file_to_a_certificate(capsys: pytest.CaptureFixture[str]) -> None:
    Path("p.csv").write_text(OFFICE)
    asked = ["--epsilon", "log(2)", "--delta", "1/2", "-o", "cells.toml"]
    assert main(["table", "p.csv", *asked]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "3 counts, 6 rows read." in out
    assert "Counts above 2 have its table" in out
    assert "cells that share records, and so record keys, are not independent" in out
    assert "Next: pfverify certify cells.toml" in out
    assert main(["certify", "cells.toml", "-o", "cells.cert"]) == 0
    assert main(["check", "cells.toml", "cells.cert", "--expect", "certified"]) == 0
    capsys.readouterr()
    assert main(["table", "p.csv", *asked[:-2]]) == 0  # printed, with its remarks as comments
    printed = capsys.readouterr().out
    assert Problem.from_text(printed) == Problem.load("cells.toml")
    assert certify(Problem.from_text(printed)).certified
    assert main(["table", "p.csv", *asked[:-1], "cells.json"]) == 0
    assert Problem.load("cells.json") == Problem.load("cells.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("i,v,p\n", "there are no rows"),
        ("i,v\n0,0\n", "no column is known as the probability: say --probability; there are i, v"),
        ("n,v,p\n0,0,1\n", "no column is known as the count: say --count"),
        ("i,p\n0,1\n", "say --perturbation or --perturbed"),
        ("i,count,v,p\n0,0,0,1\n", "the count may be i or count: say --count"),
        ("i,v,p\n0,0,1\n2,0,1\n", "count 1 has no rows, but counts 0 and 2 have"),
        ("i,v,p\n0,0,0.5\n0,0.0,0.5\n", "count 0: perturbation 0 is there twice"),
        ("i,v,p\n0,0,0.5\n0,0,0.5\n", "count 0: perturbation 0 is there twice"),
        ("i,v,p\n0,0,1.5\n0,1,-0.5\n", "count 0: perturbation 1 has the negative probability -0.5"),
        ("i,v,p\n0,0,0\n", "count 0: the probabilities sum to 0, expected exactly 1\n"),
        ("i,v,p\n-1,0,1\n", "column 'i': -1 is no count"),
        ("i,v,p\n0.5,0,1\n", "column 'i': 0.5 is no count"),
        ("i,v,p\n0,,1\n", "column 'v': '' is no exact number"),
        ("i,v,p\n0,0,NA\n", "column 'p': 'NA' is no exact number"),
        ("i,v,p\n0,0,nan\n", "column 'p': 'nan' is no exact number"),
        ("i,v,p\n0,0,1e999\n", "column 'p': the number 1e999 overflows"),
        ("i;v;p\n0;0;0,5\n0;1;0,5\n", "is it written with a comma? --decimal-comma"),
        ("i,j,v,p\n1,3,1,1\n", "count 1: 1 + 1 is not the perturbed count 3"),
        ("i,v,p,type\n0,0,1,even\n1,0,1,odd\n", "column 'type' has 2 values"),
        ("i,v,p\n0,0,1,7\n", "line 2: 4 cells"),
        ("i,i,v,p\n0,0,0,1\n", "'i'"),
    ],
)
def test_files_that_are_no_noise_table(
    text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("p.csv").write_text(text)
    assert main(["table", "p.csv"]) == 2
    out, err = capsys.readouterr()
    assert (out, said in err, err.count("\n")) == ("", True, 1), err
    assert err.startswith("pfverify: p.csv: ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--count", "n"], "--count: no column 'n'"),
        (["--count", "p"], "one column is named for two things"),
        (["--epsilon", "-1"], "epsilon"),
        (["--decimal-comma"], "has a point: --decimal-comma"),
        (["-o", "p.csv"], "p.csv"),
        (["-o", "cells.txt"], "expected a name that ends in .toml or .json"),
    ],
)
def test_options_that_do_not_fit(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("p.csv").write_text(OFFICE)
    assert main(["table", "p.csv", *options]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert Path("p.csv").read_text() == OFFICE


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["table", "none.csv"]) == 2
    assert "there is no such file" in capsys.readouterr().err


# ---------------------------------------------------------------- a row for each cell key


def keyed(by: dict[int, list[int]], first: int = 0, head: str = "pcv,ckey,pvalue") -> str:
    """A row for each count and key, in any order."""
    rows = [f"{count},{key},{move}" for count, moves in by.items()
            for key, move in enumerate(moves, first)]  # fmt: skip
    Random(len(rows)).shuffle(rows)
    return head + "\n" + "\n".join(rows) + "\n"


KEYS = {0: [0] * 8, 1: [-1, 1] * 4, 2: [-1, 0, 0, 1] * 2}  # the laws of BY


@pytest.mark.parametrize("text", [
    keyed(KEYS), keyed(KEYS, first=1), keyed(KEYS, head="Count,Cell Key,Noise"),
    keyed({count: moves * 32 for count, moves in KEYS.items()}),
])  # fmt: skip
def test_the_share_of_the_keys_is_the_probability(text: str) -> None:
    assert read(text) == expected()


def test_upper_ends_of_ranges_are_cell_keys_too() -> None:
    ranges = "pcv,ckey,pvalue\n0,1,0\n1,1,1\n1,0.5,-1\n2,0.25,-1\n2,0.75,0\n2,1.0,1\n"
    assert read(ranges) == expected()


def test_columns_of_keys_may_be_named_and_the_page_says_how_many(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("keys.csv").write_text(keyed(KEYS, head="cell,k,added"))
    named = ["--count", "cell", "--key", "k", "--perturbation", "added"]
    assert main(["table", "keys.csv", *named, "-o", "cells.toml"]) == 0
    told = "a row for each of 8 cell keys, which are equally likely"
    assert told in " ".join(capsys.readouterr().out.split())
    assert Problem.load("cells.toml") == expected()
    assert main(["table", "keys.csv", *named, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["keys"] == 8
    Path("p.csv").write_text(OFFICE)
    assert main(["table", "p.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["keys"] is None


@pytest.mark.parametrize(("text", "said"), [
    (keyed({**KEYS, 1: KEYS[1][:-1]}), "count 1: its cell keys are not 0 to 7, or 1 to 8"),
    (keyed(KEYS, first=2), "count 0: its cell keys are not 0 to 7, or 1 to 8, each once"),
    (keyed(KEYS).replace("1,3,1", "1,3.5,1"), "count 1: its cell keys are not 0 to 7"),
    ("pcv,ckey,pvalue\n0,0.5,0\n0,0.9,1\n", "count 0: its largest cell key is 9/10, expected 1"),
    (keyed(KEYS) + "1,3,0\n", "count 1: cell key 3 is there twice"),
    (keyed(KEYS) + "1,3,1\n", "count 1: cell key 3 is there twice"),
    (keyed({0: [0, 0], 2: [0, 1]}), "count 1 has no rows"),
    ("pcv,ckey,pvalue,p\n0,0,0,1\n", "probabilities (p) and cell keys (ckey), expected one"),
    ("pcv,ckey\n0,0\n", "no column is known as the perturbation"),
    ("ckey,pvalue\n0,0\n", "no column is known as the count"),
    ("pcv,pvalue\n0,0\n", "no column is known as the probability"),
])  # fmt: skip
def test_keys_that_are_no_table(text: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        read(text)
