"""Python for browsers comes from npm with the digest that is written down, or not at all."""

from __future__ import annotations

import hashlib
import io
import sys
import tarfile
from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.books import SOURCE

sys.path.insert(0, str(SOURCE / "_extensions"))

import site_engine


def package(names: tuple[str, ...]) -> bytes:
    """A package with these files, each of which has its own name in it."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for name in names:
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(name)
            archive.addfile(entry, io.BytesIO(name.encode()))
    return made.getvalue()


def npm(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A program of that name which does something else, and nothing beside it on the path."""
    program = folder / "npm"
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_only_the_package_whose_digest_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    data = package((*site_engine.FILES, "console.html"))
    with pytest.raises(site_engine.ForeignEngineError, match="has the digest sha512-"):
        site_engine.unpacked(data)
    right = b64encode(hashlib.sha512(data).digest()).decode()
    monkeypatch.setattr(site_engine, "SHA512", right)
    found = site_engine.unpacked(data)
    assert found == {name: name.encode() for name in site_engine.FILES}
    with pytest.raises(site_engine.ForeignEngineError):
        site_engine.unpacked(data + b"\0")


def test_a_package_that_lacks_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    data = package(site_engine.FILES[1:])
    right = b64encode(hashlib.sha512(data).digest()).decode()
    monkeypatch.setattr(site_engine, "SHA512", right)
    with pytest.raises(KeyError, match=site_engine.FILES[0]):
        site_engine.unpacked(data)


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("""echo '{"error": {"code": "ENOTFOUND", "summary": "a server"}}'; exit 1""", "ENOTFOUND"),
        ("echo no; exit 1", "it does not say why"),
        ("echo '[]'; exit 0", "it does not say why"),
    ],
)
def test_without_a_package_it_is_missing(
    script: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm(tmp_path, monkeypatch, script)
    with pytest.raises(site_engine.MissingEngineError) as found:
        site_engine.engine()
    assert str(found.value) == f"npm brings no {site_engine.PACKAGE}: {why}"


def test_what_npm_brings_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """npm is asked for the version that is written down, and what it stores is not believed."""
    script = """while [ "$1" != --pack-destination ]; do said="$said $1"; shift; done
echo "$said" > "$2/brought.tgz"; echo '[]'"""
    npm(tmp_path, monkeypatch, script)
    assert site_engine.fetched().decode().strip() == f"pack {site_engine.PACKAGE} --json"
    with pytest.raises(site_engine.ForeignEngineError):
        site_engine.engine()


def test_without_npm_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(site_engine.MissingEngineError, match="npm is not on this machine"):
        site_engine.engine()


def test_a_site_is_built_without_the_package_but_not_with_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("sphinx", reason="sphinx is missing: the extra docs")
    import site_checker

    book = SimpleNamespace(found_docs={site_checker.PAGE})
    monkeypatch.setenv("PATH", str(tmp_path))
    site = site_checker.Checker()
    assert site.fetch(None, SimpleNamespace(found_docs={"index"})) == []
    assert site.fetch(None, book) == [site_checker.PAGE]
    assert "(npm is not on this machine)" in site.html()
    npm(tmp_path, monkeypatch, 'echo other > "$5/other.tgz"')
    with pytest.raises(site_engine.ForeignEngineError, match="has the digest sha512-"):
        site_checker.Checker().fetch(None, book)
    source = [f"# A page\n\n{site_checker.MARK}\n"]
    site.write(None, "index", source)
    assert site_checker.MARK in source[0]
    site.write(None, site_checker.PAGE, source)
    assert "checker-missing" in source[0]


def test_the_page_says_where_the_checker_goes() -> None:
    page = (SOURCE / "guides" / "check-in-a-browser.md").read_text("utf-8")
    assert page.count("<!-- checker -->") == 1
