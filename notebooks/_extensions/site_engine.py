"""Python for browsers: the files of one version of the npm package `pyodide`.

`npm` brings the package, as it is configured on this machine; what comes has to have the digest
that stands here.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import tarfile
import tempfile
from base64 import b64encode
from pathlib import Path

PACKAGE = "pyodide@0.29.4"  # CPython 3.13.2
SHA512 = "tCseTsqU3kSxZIjkue5zXxTMNEwrKZwOIIEQRBA/VzHxFN1hoCxe4w41phfCdHd9it9RcCNQb5K/Re0InqMgvA=="
FILES = (
    "pyodide.js",
    "pyodide.asm.js",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
_PATIENCE = ("--fetch-retries=1", "--fetch-retry-maxtimeout=2000", "--fetch-timeout=60000")
_LONGEST = 180  # seconds for npm


class MissingEngineError(Exception):
    """The package cannot be had here; the site is built without it."""


class ForeignEngineError(Exception):
    """What npm brought is not the package whose digest stands here: nothing is built with it."""


def engine() -> dict[str, bytes]:
    """Name -> bytes of the files of the package that a browser needs.

    Raises MissingEngineError where npm is missing or brings nothing, ForeignEngineError where what
    it brings is something else.
    """
    return unpacked(fetched())


def fetched() -> bytes:
    """The package as npm brings it; MissingEngineError where it does not."""
    npm = shutil.which("npm")
    if npm is None:
        raise MissingEngineError("npm is not on this machine")
    with tempfile.TemporaryDirectory() as folder:
        words = [npm, "pack", PACKAGE, "--json", "--pack-destination", folder, *_PATIENCE]
        try:
            run = subprocess.run(words, cwd=folder, capture_output=True, text=True,
                                 timeout=_LONGEST, stdin=subprocess.DEVNULL)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise MissingEngineError(f"npm did not end within {_LONGEST} seconds") from None
        found = [*Path(folder).glob("*.tgz")]
        if run.returncode or len(found) != 1:
            raise MissingEngineError(f"npm brings no {PACKAGE}: {_reason(run.stdout)}")
        return found[0].read_bytes()


def _reason(said: str) -> str:
    """Why npm failed, by its own code alone: its sentences name servers and folders."""
    try:
        return str(json.loads(said)["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return "it does not say why"


def unpacked(package: bytes) -> dict[str, bytes]:
    """The files of the package that are needed; ForeignEngineError unless its digest is right."""
    digest = b64encode(hashlib.sha512(package).digest()).decode()
    if digest != SHA512:
        raise ForeignEngineError(f"{PACKAGE} has the digest sha512-{digest}, not sha512-{SHA512}")
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        members = {name: archive.extractfile(f"package/{name}") for name in FILES}
        return {name: member.read() for name, member in members.items() if member}
