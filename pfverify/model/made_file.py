"""Writing a problem file that was made here, after it was read back as the problem that it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.files import write_text
from pfverify.model.problem import Problem
from pfverify.model.problem_file import to_json


def write_made(problem: Problem, table: Mapping[str, Any], text: str, output: Path) -> None:
    """Write `text`, or `table` as JSON where the suffix says so; it is complete or not there.

    Raises InputError where it cannot be written, or would be read as another problem.
    """
    as_json = output.suffix.lower() == ".json"
    written = to_json(dict(table)) if as_json else text
    try:
        if Problem.from_text(written, json_format=as_json) != problem:
            raise InputError("the problem would be read as another one")
        write_text(output, written)
    except InputError as error:
        raise InputError(f"-o {shorten(output, 200)}: {error}") from None
    except OSError as error:
        raise InputError(f"-o {shorten(output, 200)}: cannot write: {error.strerror}") from None
    except ValueError:  # a null byte in the name, half a surrogate pair in the text
        raise InputError(f"-o {shorten(output, 200)}: this cannot be written") from None
