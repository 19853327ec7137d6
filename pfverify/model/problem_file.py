"""Problem files: TOML, or JSON of the same shape, checked against the published schema."""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.model.mixture import Gaussian, Mixture
from pfverify.model.noise import DiscreteLaplace, GaussianNoise, Laplace, Noise, NoNoise
from pfverify.model.priors import Discrete, Prior
from pfverify.model.problem import Problem
from pfverify.model.words import meant, unknown_key

MAX_BYTES = 256 * 1024 * 1024
_DATA = {".csv", ".tsv", ".xls", ".xlsx", ".parquet", ".npz"}
_SAMPLE = 3  # entries of a mass table or mixture that the schema looks at; the prior reads all


def problem_schema() -> dict[str, Any]:
    """Return the published JSON Schema of problem files."""
    text = files("pfverify.model").joinpath("problem.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def load_problem(path: Path) -> Problem:
    """Read a problem file; TOML unless its suffix is ``.json``.

    Raises InputError of one line: the file, the key, what was found and what was expected.
    Example: ``load_problem(Path("census.toml")).epsilon.text``.
    """
    try:
        return parse_problem(_read(path), json_format=path.suffix.lower() == ".json")
    except InputError as error:
        raise InputError(f"{shorten(path, 200)}: {error}") from None


def parse_problem(text: str, *, json_format: bool) -> Problem:
    """Read a problem from text. Raises InputError naming the key and what was expected."""
    data = _parsed(text, json_format)
    _check_shape(data)
    return _built(data)


def _read(path: Path) -> str:
    try:
        path.stat()
    except ValueError:  # a null byte, or half of a surrogate pair
        raise InputError("no file can have this name") from None
    except OSError:  # said below
        pass
    if path.suffix.lower() in _DATA:
        raise InputError(
            "this is a table of data, expected a problem file (TOML or JSON): count the records "
            "per secret there, as the README shows"
        )
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"the file is larger than {MAX_BYTES >> 20} MiB")
        text = path.read_bytes().decode("utf-8")  # line ends as they are
        if text.startswith("\ufeff"):
            raise InputError("the file starts with a byte order mark, expected UTF-8 without one")
        return text
    except FileNotFoundError:
        near = difflib.get_close_matches(path.name, _neighbours(path), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"there is no such file{hint}") from None
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text, expected TOML or JSON") from None
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}") from None


def _neighbours(path: Path) -> list[str]:
    try:
        return [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return []


def _parsed(text: str, json_format: bool) -> dict[str, Any]:
    try:
        if json_format:
            data = json.loads(
                text,
                parse_float=str,
                parse_constant=_refuse_constant,
                object_pairs_hook=_unique_keys,
            )
        else:
            data = tomllib.loads(text, parse_float=_toml_decimal)
    except RecursionError:
        raise InputError("the file is nested too deeply") from None
    except InputError:
        raise
    except ValueError as error:
        kind = "JSON" if json_format else "TOML"
        raise InputError(f"this is not {kind}: {shorten(error, 120)}") from None
    if not isinstance(data, dict):
        raise InputError(f"expected a table of keys, got {type(data).__name__}")
    return data


def _toml_decimal(text: str) -> str:
    return text.replace("_", "")  # TOML allows 1_000.5


def _refuse_constant(name: str) -> None:
    raise InputError(f"{name} is not a number here, expected a finite one")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise InputError(f"duplicate key {shorten(key, 30)!r}")
        table[key] = value
    return table


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(problem_schema())


def _check_shape(data: dict[str, Any]) -> None:
    from jsonschema.exceptions import best_match

    errors = list(_validator().iter_errors(_skeleton(data)))
    error = best_match(errors)
    if error is None:
        return
    if error.validator == "required":  # a key under another name is better told by that name
        place = error.absolute_path
        unknown = (e for e in errors if e.validator == "additionalProperties")
        error = next((e for e in unknown if e.absolute_path == place), error)
    raise InputError(_shape_message(error))


def _skeleton(value: Any, key: str = "") -> Any:
    """Cut large tables and mixtures to a sample: the schema sees shapes, the prior every entry."""
    if isinstance(value, dict):
        items = list(value.items())
        if key in ("mass", "counts"):
            items = items[:_SAMPLE]
        return {name: _skeleton(part, name) for name, part in items}
    if isinstance(value, list):
        return [_skeleton(part) for part in (value[:_SAMPLE] if key == "components" else value)]
    return value


def _shape_message(error: Any) -> str:
    """Turn a schema error into one line: key, what was found, what was expected."""
    where = ".".join(shorten(part, 30) for part in error.absolute_path) or "top level"
    found = error.instance
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        extra = next(key for key in found if key not in known)
        return f"{where}: {unknown_key(extra, known)}"
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in found]
        return f"{where}: missing key {missing[0]!r}"
    if error.validator == "oneOf":
        names = [option["required"][0] for option in error.validator_value]
        got = "both" if all(name in found for name in names) else "neither"
        return f"{where}: expected exactly one of {' and '.join(names)}, got {got}"
    if error.validator in ("enum", "const"):
        value = error.validator_value
        options = ", ".join(map(str, value)) if error.validator == "enum" else repr(value)
        near = meant(str(found), value) if isinstance(value, list) else None
        hint = f"; did you mean {near!r}?" if near else ""
        return f"{where}: {shorten(found, 40)!r} is unknown, expected {options}{hint}"
    if error.validator == "type":
        kinds = error.validator_value
        expected = "a number or text" if isinstance(kinds, list) else f"a {kinds}"
        expected = {"a object": "a table", "a array": "a list"}.get(expected, expected)
        hint = ""
        if isinstance(found, dict) and {"counts", "mass"} & set(error.absolute_path):
            hint = '; put an atom with a point in quotes, such as "0.5"'
        return f"{where}: expected {expected}, got {_kind(found)}{hint}"
    if error.validator == "not":
        return f"{where}: expected at most one of {' and '.join(error.validator_value['required'])}"
    if error.validator in ("minProperties", "minItems") and not found:
        what = "the support is empty" if where.endswith(("mass", "counts")) else "it is empty"
        return f"{where}: {what}, expected at least one entry"
    return f"{where}: {shorten(error.message, 120)}"


def _kind(value: Any) -> str:
    names = {dict: "a table", list: "a list", bool: "a truth value", type(None): "null"}
    return names.get(type(value), f"{shorten(value, 30)!r}")


def _built(data: dict[str, Any]) -> Problem:
    noise = _at("noise", _noise, data["noise"])
    if "priors" in data:
        tables = {"priors": _priors("priors", data["priors"])}
        source: dict[str, Any] = {"priors": tables["priors"]}
    else:
        source = {
            "beliefs": {
                name: _priors(f"beliefs.{shorten(name, 30)}.priors", belief["priors"])
                for name, belief in data["beliefs"].items()
            }
        }
    return Problem(
        noise=noise,
        epsilon=data["epsilon"],
        delta=data.get("delta", 0),
        pairs=[tuple(pair) for pair in data["pairs"]] if "pairs" in data else None,
        form=data.get("form", "events"),
        **source,
    )


def _noise(table: Mapping[str, Any]) -> Noise:
    kind, scale = table["kind"], table.get("scale")
    if kind == "none":
        for key in table:
            if key != "kind":
                raise InputError(f"{key}: noise of kind none has no {key}, expected kind alone")
        return NoNoise()
    if kind == "gaussian":
        if "step" in table:
            raise InputError("step: only discrete-laplace noise has a step")
        return GaussianNoise(scale, table.get("variance"))
    if "variance" in table:
        what = "2*scale**2" if kind == "laplace" else "another than scale**2"
        raise InputError(
            f"variance: only gaussian noise is given by its variance ({kind} noise has {what}); "
            "did you mean 'scale'?"
        )
    if kind == "laplace":
        if "step" in table:
            raise InputError("step: only discrete-laplace noise has a step")
        return Laplace(scale)
    if kind != "discrete-laplace":
        raise InputError(f"kind: {shorten(kind)!r} is unknown")
    if "step" not in table:
        raise InputError("step: missing, expected the lattice step of discrete-laplace noise")
    return DiscreteLaplace(scale, table["step"])


def _priors(where: str, table: Mapping[str, Any]) -> dict[str, Prior]:
    return {
        secret: _at(f"{where}.{shorten(secret, 30)}", _prior, entry)
        for secret, entry in table.items()
    }


def _prior(entry: Mapping[str, Any]) -> Prior:
    if entry["kind"] == "gaussian":
        return Gaussian(entry["mean"], entry.get("variance"), entry.get("sd"))
    if entry["kind"] == "mixture":
        return Mixture(entry["components"])
    return Discrete(mass=entry.get("mass"), counts=entry.get("counts"))


def _at(where: str, build: Any, value: Any) -> Any:
    try:
        return build(value)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
