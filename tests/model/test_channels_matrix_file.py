"""A matrix of a channel in a file of its own: CSV, arrays of numpy, Arrow."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sys
import zipfile
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.matrix_files import (
    AB,
    COUNTS,
    arrow_bytes,
    csv_bytes,
    inline,
    matrix_npz,
    most_bytes,
    named,
    npz_bytes,
    problem_of,
)

from pfverify import Channel, Problem
from pfverify.errors import InputError
from pfverify.model.digest import problem_digest


def loaded(folder: Path, **channel: Any) -> Problem:
    place = folder / "problem.json"
    place.write_text(json.dumps(problem_of(channel)))
    return Problem.load(place)


def same(problem: Problem) -> bool:
    other = Problem.from_table(problem_of(inline(AB)))
    assert (problem == other) == (problem_digest(problem) == problem_digest(other))
    return problem == other


def refused(folder: Path, name: str, data: bytes, **more: Any) -> str:
    with pytest.raises(InputError) as caught:
        loaded(folder, **named(folder, name, data, **more))
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(f"{folder}/problem.json: channel.")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_csv_has_the_exact_texts(tmp_path: Path, end: str) -> None:
    assert same(loaded(tmp_path, **named(tmp_path, "m.csv", csv_bytes(AB, end))))


@pytest.mark.parametrize("text", [
    "\ufeffinput,x,y\na,3/4,0.25\nb,1/4,3/4\n", "input, x, y\na, 3/4, 0.25\n\nb, 1/4, 3/4",
    'input,"x","y"\n"a",3/4,"0.25"\nb,1/4,exp(log(3))/4\n',
    "input,x,y\r\na,.75,25e-2\r\nb,0.25,0.75",
])  # fmt: skip
def test_csv_as_people_write_it(tmp_path: Path, text: str) -> None:
    problem = loaded(tmp_path, **named(tmp_path, "m.csv", text.encode()))
    most, least = Fraction(3, 4), Fraction(1, 4)
    assert problem.release.rows == ((most, least), (least, most))


def test_csv_may_have_entries_that_are_not_rational(tmp_path: Path) -> None:
    text = b"input,x,y\na,exp(1)/(1+exp(1)),1/(1+exp(1))\nb,1/(1+exp(1)),exp(1)/(1+exp(1))\n"
    problem = loaded(tmp_path, **named(tmp_path, "m.csv", text))
    rows = [["exp(1)/(1+exp(1))", "1/(1+exp(1))"], ["1/(1+exp(1))", "exp(1)/(1+exp(1))"]]
    other = Problem.from_table(problem_of({"inputs": ["a", "b"], "outputs": ["x", "y"],
                                           "rows": rows}))  # fmt: skip
    assert problem_digest(problem) == problem_digest(other)


@pytest.mark.parametrize("dtype", ["i1", "<i2", ">i4", "<i8", "u1", ">u8", "<f2", ">f4", "<f8"])
@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("order", ["C", "F"])
def test_counts_as_arrays(tmp_path: Path, dtype: str, packed: bool, order: str) -> None:
    data = matrix_npz(COUNTS, dtype, packed, order)
    assert same(loaded(tmp_path, **named(tmp_path, "m.npz", data, normalise=True)))


def test_arrays_without_names_have_numbers(tmp_path: Path) -> None:
    data = npz_bytes(rows=np.array([[1, 0, 0], [0, 0, 1]]))
    release = loaded(tmp_path, **named(tmp_path, "m.npz", data)).release
    assert (release.inputs, release.outputs) == (("0", "1"), ("0", "1", "2"))


def test_floats_are_the_dyadic_numbers_that_they_are(tmp_path: Path) -> None:
    data = npz_bytes(rows=np.array([[0.1, 0.9], [0.5, 0.5]]))
    said = refused(tmp_path, "m.npz", data)
    gap = abs(Fraction(0.1) + Fraction(0.9) - 1)
    assert str(gap) in said
    assert said.endswith("normalise = true divides each row by its sum")
    rows = loaded(tmp_path, **named(tmp_path, "m.npz", data, normalise=True)).release.rows
    whole = Fraction(0.1) + Fraction(0.9)
    assert rows == ((Fraction(0.1) / whole, Fraction(0.9) / whole), (Fraction(1, 2),) * 2)


@pytest.mark.parametrize("name", ["m.arrow", "m.feather", "M.ARROW"])
def test_arrow_has_columns(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pyarrow")
    rows = [[Decimal("0.75"), 0.25], [Decimal("0.25"), 0.75]]
    data = arrow_bytes(AB._replace(rows=rows))
    assert same(loaded(tmp_path, **named(tmp_path, name, data)))


def test_counts_inline_and_in_arrow(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    assert same(loaded(tmp_path, **inline(COUNTS, normalise=True)))
    data = arrow_bytes(COUNTS)
    assert same(loaded(tmp_path, **named(tmp_path, "m.arrow", data, normalise=True)))


def test_without_pyarrow_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said = refused(tmp_path, "m.arrow", b"ARROW1")
    assert said.endswith("pyarrow is not installed; in the checkout: pip install '.[arrow]'")


def test_names_are_relative_to_the_problem_and_else_to_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    table = named(tmp_path / "deep", "m.csv", csv_bytes(AB))
    assert same(loaded(tmp_path / "deep", **table))
    assert same(loaded(tmp_path, file="deep/m.csv"))
    assert same(loaded(tmp_path / "deep", file=str(tmp_path / "deep" / "m.csv")))
    assert same(loaded(tmp_path / "deep", file="../deep/m.csv"))
    monkeypatch.chdir(tmp_path)
    channel = {"kind": "matrix", "file": "deep/m.csv"}
    assert Channel.of(channel).rows[1] == (Fraction(1, 4), Fraction(3, 4))
    assert same(Problem.from_table(problem_of(channel)))
    with pytest.raises(InputError, match=r"^channel.file: m.csv: there is no such file"):
        Channel.of({"kind": "matrix", "file": "m.csv"})


def test_files_of_channels_inside_channels(tmp_path: Path) -> None:
    part = {"kind": "matrix", **named(tmp_path, "m.csv", csv_bytes(AB))}
    for kind in ("composition", "cascade"):
        table = {"kind": kind, "parts": [part, {"kind": kind, "parts": [part]}]}
        if kind == "cascade":
            table["parts"][1] = {"kind": "matrix", **inline(AB._replace(inputs=["x", "y"]))}
        place = tmp_path / "problem.json"
        place.write_text(json.dumps({**problem_of({}), "channel": table}))
        assert Problem.load(place).release.inputs == ("a", "b")
    place.write_text(json.dumps({
        "schema": "pfverify/problem/1", "epsilon": 1,
        "channel": {"kind": "tupling", "dummies": 2, "base": part},
    }))  # fmt: skip
    assert Problem.load(place).release.inputs == ("a", "b")


def test_a_digest_is_held_to(tmp_path: Path) -> None:
    data = csv_bytes(AB)
    digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
    assert same(loaded(tmp_path, **named(tmp_path, "m.csv", data, digest=digest)))
    wrong = f"sha256:{'0' * 64}"
    said = refused(tmp_path, "m.csv", data, digest=wrong)
    assert said.startswith("digest: the bytes of ")
    assert said.endswith(f"have another one: {digest}")
    for other in (digest.upper(), digest[7:], "sha256:", f"sha256:{'g' * 64}", f"{digest} "):
        assert refused(tmp_path, "m.csv", data, digest=other).startswith(
            "digest: "
        )


@pytest.mark.parametrize(("channel", "said"), [
    ({"file": "m.csv", "inputs": ["a"]}, "channel: 'rows' is a dependency of 'inputs'"),
    ({"file": "m.csv", **inline(AB)}, "channel: expected exactly one of rows and file, got both"),
    ({}, "channel: expected exactly one of rows and file, got neither"),
    ({**inline(AB), "digest": "sha256:"}, "channel: 'file' is a dependency of 'digest'"),
    ({"file": 3}, "channel.file: expected a string, got '3'"),
    ({**inline(AB), "normalise": 1}, "channel.normalise: expected a boolean, got '1'"),
    ({"rows": [[1]]}, "channel: missing key 'inputs'"),
])  # fmt: skip
def test_keys_that_do_not_go_together(channel: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        Problem.from_table(problem_of(channel))
    assert str(caught.value) == said


@pytest.mark.parametrize(("channel", "said"), [
    ({"file": "m.csv", "inputs": ["a"]}, "inputs: the file has them, expected no such key beside "),
    ({**inline(AB), "digest": "sha256:"}, "digest: it is that of a file, expected the key file "),
    ({"file": ""}, "file: expected the name of a file in quotes, got ''"),
    ({"file": 3}, "file: expected the name of a file in quotes, got '3'"),
    ({**inline(AB), "normalise": "yes"}, "normalise: expected bool, got str"),
    ({**inline(AB), "normalise": 1}, "normalise: expected bool, got int"),
    ({"file": "m\0.csv"}, "file: m\0.csv: there is no such file"),
    ({"file": "m" * 500 + ".csv"}, "file: mmm"),
])  # fmt: skip
def test_tables_of_python_are_refused_too(
    tmp_path: Path, channel: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.csv").write_bytes(csv_bytes(AB))
    with pytest.raises(InputError) as caught:
        Channel.of({"kind": "matrix", **channel})
    assert str(caught.value).startswith(f"channel.{said}")


@pytest.mark.parametrize(("rows", "said"), [
    ([[0, 0], [1, 3]], "rows[0]: the row of 'a' sums to 0, expected a positive sum to divide by"),
    ([[1, -1], [1, 3]], "rows[0]: -1 is negative, expected a number >= 0"),
    ([[1, "exp(1)"], [1, 3]], "rows[0]: exp(1) is no rational number, expected such with"),
])  # fmt: skip
def test_what_cannot_be_normalised(rows: list[list[Any]], said: str) -> None:
    table = {"kind": "matrix", **inline(COUNTS), "rows": rows, "normalise": True}
    with pytest.raises(InputError) as caught:
        Channel.of(table)
    assert str(caught.value).startswith(f"channel.{said}")


def test_shares_that_are_too_long_for_a_file_are_refused() -> None:
    rows = [[f"1/{10**2000 + k}" for k in (1, 3, 7, 9)], ["1"] * 4]
    table = {"kind": "matrix", "inputs": ["a", "b"], "outputs": list("wxyz"), "rows": rows,
             "normalise": True}  # fmt: skip
    with pytest.raises(InputError, match=r"shares of the row of 'a' have more than 4300 digits"):
        Channel.of(table)


def test_a_problem_is_written_with_its_rows(tmp_path: Path) -> None:
    problem = loaded(tmp_path, **named(tmp_path, "m.npz", matrix_npz(COUNTS, "u1"), normalise=True))
    problem.save(tmp_path / "saved.toml")
    text = (tmp_path / "saved.toml").read_text()
    assert '["3/4", "1/4"]' in text
    assert "m.npz" not in text
    assert same(Problem.load(tmp_path / "saved.toml"))


# ---------------------------------------------------------------- hostile files


@pytest.mark.parametrize(("data", "said"), [
    (b"", "it is empty, expected a first line input,<names of the outputs>"),
    (b"\n\n", "it is empty"),
    (b"x,y\n1,2\n", "line 1: it begins with 'x', expected a first line input,"),
    (b"input\na\n", "line 1: it begins with 'input', expected"),
    (b"input,x,y\n", "inputs: there is none, expected at least 1"),
    (b"input,x,y\na,1\n", "line 2: 2 cells, expected 3"),
    (b"input,x,y\na,1,0,0\n", "line 2: 4 cells, expected 3"),
    (b"input,x,y\na,1,\n", "rows[0]: "),
    (b"input,x,y\na,1,0\na,0,1\n", "inputs: 'a' is there twice"),
    (b"input,x,x\na,1,0\nb,0,1\n", "outputs: 'x' is there twice"),
    (b"input,x,y\na,1,nan\nb,0,1\n", "rows[0]: "),
    (b"input,x,y\na,2,-1\nb,0,1\n", "rows[0]: -1 is negative"),
    (b"input,x,y\na,1/2,1/3\nb,0,1\n", "rows[0]: the row of 'a' sums to 5/6, which is 1/6 less"),
    (b'input,x,y\na,"1,0\n', "line 2: this is no CSV: unexpected end of data"),
    (b'input,x,y\na,"1"0,0\n', "line 2: this is no CSV: "),
    (b"input,x,y\na,\xff,0\n", "the file is not UTF-8 text"),
    (b"input,x,y\na," + b"1" * 200_000 + b",0\n", "line 2: this is no CSV: field larger"),
    (b"input," + b"x," * 5_000 + b"y\n", "inputs: there is none"),
])  # fmt: skip
def test_csv_that_is_none(tmp_path: Path, data: bytes, said: str) -> None:
    told = refused(tmp_path, "m.csv", data)
    assert said in told


def test_csv_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    names = ",".join(f"y{k}" for k in range(2001))
    data = f"input,{names}\n".encode() + (b"a" + b",0" * 2001 + b"\n") * 2000
    assert "at most 4000000 are written out" in refused(tmp_path, "m.csv", data)


def npy(header: str, data: bytes = b"", version: bytes = b"\1\0") -> bytes:
    text = header.encode("latin-1") + b"\n"
    width = 2 if version == b"\1\0" else 4
    return b"\x93NUMPY" + version + len(text).to_bytes(width, "little") + text + data


def zipped(folder: Path, **arrays: bytes) -> bytes:
    place = folder / "made.zip"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in arrays.items():
            archive.writestr(f"{name}.npy", data)
    return place.read_bytes()


HEADER = "{{'descr': {!r}, 'fortran_order': False, 'shape': {}, }}"


class Touch:
    """What touches a file once it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return Path.touch, (self.place,)


def test_objects_are_never_unpickled(tmp_path: Path) -> None:
    place = tmp_path / "touched"
    bad = np.array([[Touch(place), 1], [1, 1]], object)
    assert "objects of Python, expected numbers" in refused(tmp_path, "m.npz", npz_bytes(rows=bad))
    for data in (pickle.dumps(Touch(place)), zipped(tmp_path, rows=pickle.dumps(Touch(place)))):
        refused(tmp_path, "m.npz", data)
        refused(tmp_path, "m.csv", data)
    names = np.array([Touch(place), 1], object)
    refused(tmp_path, "m.npz", npz_bytes(rows=np.eye(2), inputs=names))
    assert not place.exists()


@pytest.mark.parametrize(("arrays", "said"), [
    ({"rows": np.array([[np.nan, 1], [0, 1]])}, "rows[0][0]: nan is no finite number"),
    ({"rows": np.array([[0, 1], [np.inf, 1]])}, "rows[1][0]: inf is no finite number"),
    ({"rows": np.array([[2.0, -1], [0, 1]])}, "rows[0]: -1 is negative"),
    ({"rows": np.array([[2, -1], [0, 1]])}, "rows[0]: -1 is negative"),
    ({"rows": np.array([1, 0])}, "rows: it has the shape (2,), expected rows and columns"),
    ({"rows": np.zeros((0, 2))}, "rows: it has the shape (0, 2)"),
    ({"rows": np.eye(2, dtype=bool)}, "rows: its entries are bool"),
    ({"rows": np.eye(2, dtype=complex)}, "rows: its entries are complex128"),
    ({"rows": np.array([["1", "0"], ["0", "1"]])}, "rows: its entries are <U1"),
    ({"rows": np.eye(2, dtype="m8[s]")}, "rows: its entries are timedelta64"),
    ({"rows": np.zeros((2, 2), [("a", "i4")])}, "rows: this is no array of"),
    ({"inputs": np.array(["a", "b"])}, "it has no array rows"),
    ({"rows": np.eye(2), "inputs": np.array(["a"])}, "inputs: 1 names, expected 2"),
    ({"rows": np.eye(2), "outputs": np.array([1, 2])}, "outputs: it is int64 of shape (2,)"),
    ({"rows": np.eye(2), "outputs": np.array([["a", "b"]])}, "outputs: it is <U1 of shape (1, 2)"),
    ({"rows": np.eye(2), "outputs": np.array(["", "b"])}, "is empty or not printable"),
    ({"rows": np.eye(2), "outputs": np.array(["", ""])}, "is empty or not printable"),
    ({"rows": np.eye(2), "outputs": np.array([b"a", b"b"])}, "outputs: it is |S1"),
    ({"rows": np.eye(2), "more": np.eye(2)}, "'more.npy' is not known, expected the arrays rows"),
])  # fmt: skip
def test_arrays_that_are_no_matrix(tmp_path: Path, arrays: dict[str, Any], said: str) -> None:
    assert said in refused(tmp_path, "m.npz", npz_bytes(**arrays))


@pytest.mark.parametrize("stored", [
    b"", b"\x93NUMPY", b"\x93NUMPY\3\0\0\0\0\0", npy("{}"), npy("[" * 3000), npy("-" * 4000 + "1"),
    npy("__import__('os')"), npy("{'descr': '<f8', 'fortran_order': False}"),
    npy(HEADER.format("<f8", (2, -2))), npy(HEADER.format("<f8", ("2", "2"))),
    npy(HEADER.format("<f8", (2, 2))), npy(HEADER.format("<f8", (2, 2)), bytes(31)),
    npy(HEADER.format("<f8", (2, 2)), bytes(33)), npy(HEADER.format("<f8", (10**9, 10**9))),
    npy(HEADER.format("<f8", (10**30, 1))), npy(HEADER.format("<f8", (2, 2)) + " " * 9000),
    npy(HEADER.format("|O", (2, 2)), bytes(32)), npy(HEADER.format("<U1000000", (2, 2)), bytes(8)),
    npy(HEADER.format("<i3", (2, 2)), bytes(12)), npy(HEADER.format("<f8", "(1" * 900)),
    npy(HEADER.format("<f8", f"({'1' * 50}")), npy(HEADER.format("<f8", f"({'1, ' * 50})")),
    npy(HEADER.format("<f16", (1, 1)), bytes(16)), npy(HEADER.format("|V8", (2, 2)), bytes(32)),
    b"\x93NUMPY\2\0\xff\xff\xff\xff{",
])  # fmt: skip
def test_headers_that_say_too_much(tmp_path: Path, stored: bytes) -> None:
    assert refused(tmp_path, "m.npz", zipped(tmp_path, rows=stored)).startswith("file: ")
    good = npy(HEADER.format("|u1", (2, 2)), bytes([1, 0, 0, 1]))
    loaded(tmp_path, **named(tmp_path, "m.npz", zipped(tmp_path, rows=good)))
    assert refused(tmp_path, "m.npz", zipped(tmp_path, rows=good, inputs=stored))


@pytest.mark.parametrize("cut", [1, 10, 100, -1, -30])
def test_half_a_file_is_none(tmp_path: Path, cut: int) -> None:
    data = matrix_npz(COUNTS, "u1", packed=True)
    assert "as numpy.savez writes it" in refused(tmp_path, "m.npz", data[:cut])
    assert refused(tmp_path, "m.npz", data[:60] + bytes(20) + data[80:])


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from pfverify.model.channels import matrix_file

    monkeypatch.setattr(matrix_file, "MAX_BYTES", 1 << 20)
    data = zipped(tmp_path, rows=npy(HEADER.format("|u1", (2048, 1024)), bytes(1 << 21)))
    assert len(data) < 1 << 14
    assert "rows: with it, it is larger than 1 MiB" in refused(tmp_path, "m.npz", data)
    data = npz_bytes(packed=True, rows=np.zeros((2001, 2000), "u1"))
    monkeypatch.undo()
    assert "at most 4000000 are written out" in refused(tmp_path, "m.npz", data)


def test_an_arrow_file_is_not_unpacked_before_its_size_is_known(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import feather

    zeros = {f"y{k}": pa.array(np.zeros(1_000_000)) for k in range(20)}
    place = tmp_path / "big.feather"
    table = pa.table({"input": ["a"] * 1_000_000, **zeros})
    feather.write_feather(table, place, compression="zstd")
    data, before = place.read_bytes(), pa.default_memory_pool().max_memory()
    with most_bytes() as peak:
        said = refused(tmp_path, "m.feather", data)
    assert "1000000 inputs and 21 outputs" in said
    assert peak() + pa.default_memory_pool().max_memory() - before < 100 << 20


def test_what_is_packed_in_another_way_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "m.npz"
    with zipfile.ZipFile(place, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("rows.npy", npy(HEADER.format("|u1", (2, 2)), bytes(4)))
    assert "packed in another way" in refused(tmp_path, "m.npz", place.read_bytes())
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("rows.npy", npy(HEADER.format("|u1", (2, 2)), bytes(4)))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("rows.npy", npy(HEADER.format("|u1", (2, 2)), bytes(4)))
    assert "'rows.npy' is there twice" in refused(tmp_path, "m.npz", place.read_bytes())


@pytest.mark.parametrize("rows", [
    [[None, 1], [0, 1]], [["1", "0"], ["0", "1"]], [[True, False], [False, True]],
    [[float("nan"), 1.0], [0.0, 1.0]], [[float("inf"), 1.0], [0.0, 1.0]], [[2, -1], [0, 1]],
    [[b"1", b"0"], [b"0", b"1"]], [[[1], [0]], [[0], [1]]],
])  # fmt: skip
def test_arrow_that_is_no_matrix(tmp_path: Path, rows: list[list[Any]]) -> None:
    pytest.importorskip("pyarrow")
    assert refused(tmp_path, "m.arrow", arrow_bytes(COUNTS._replace(rows=rows)))


def test_arrow_that_is_none(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    data = arrow_bytes(COUNTS)
    for other in (b"", b"ARROW1", data[:-20], data[:200], csv_bytes(AB)):
        assert "no Arrow file" in refused(tmp_path, "m.arrow", other)
    assert "its columns begin with ''" in refused(tmp_path, "m.arrow", _arrow(pa.table({})))
    for table in ({"x": [1]}, {"input": ["a"]}, {"input": [], "x": []}):
        assert "expected a first column input" in refused(tmp_path, "m.arrow", _arrow(table))
    assert "of texts" in refused(tmp_path, "m.arrow", _arrow({"input": [1, 2], "x": [1, 1]}))


def _arrow(table: Any) -> bytes:
    import pyarrow as pa
    from pyarrow import ipc

    out, found = pa.BufferOutputStream(), pa.table(table)
    with ipc.new_file(out, found.schema) as writer:
        writer.write_table(found)
    data: bytes = out.getvalue().to_pybytes()
    return data


def test_only_regular_files_of_known_formats(tmp_path: Path) -> None:
    for name in ("m.txt", "m", "m.npy", "m.csv.gz", ".csv"):
        assert "expected a name that ends in .csv, .npz, .arrow or" in refused(tmp_path, name, b"")
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    for name in ("folder.csv", "pipe.csv"):
        with pytest.raises(InputError, match="this is no regular file"):
            loaded(tmp_path, file=name)
    with pytest.raises(InputError, match="did you mean folder"):
        loaded(tmp_path, file="folders.csv")


def test_a_file_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pfverify.model import named_bytes

    monkeypatch.setattr(named_bytes, "MAX_BYTES", 10)
    assert "the file is larger than 0 MiB" in refused(tmp_path, "m.csv", csv_bytes(AB))
