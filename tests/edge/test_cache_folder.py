"""The user's folder for what is kept: theirs alone, or none."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest

from pfverify.edge import cache_folder as kept
from pfverify.edge.cache_folder import _base, cache_folder


def test_it_is_where_the_platform_has_caches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert _base() == tmp_path / "pfverify"


def test_it_is_made_for_the_user_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept, "_base", lambda: tmp_path / "a" / "b")
    with cache_folder("proofs") as place:
        assert place == tmp_path / "a" / "b" / "proofs"
        assert place.stat().st_mode & 0o777 == 0o700


def test_a_folder_to_which_others_may_write_is_not_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kept, "_base", lambda: tmp_path)
    (tmp_path / "proofs").mkdir()
    for mode, used in ((0o755, True), (0o775, False), (0o757, False)):
        (tmp_path / "proofs").chmod(mode)
        for fresh in (False, True):
            with cache_folder("proofs", fresh=fresh) as place:
                assert (place is not None) is used
    (tmp_path / "proofs").chmod(0o700)
    monkeypatch.setattr("os.getuid", lambda: -1)
    with cache_folder("proofs") as place:
        assert place is None


def test_where_there_can_be_none_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(kept, "_base", lambda: tmp_path / "file")
    with cache_folder("proofs") as place:
        assert place is None
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kept, "_base", lambda: Path("~") / ".cache")  # without a home
    with cache_folder("proofs") as place:
        assert place is None
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name == "platformdirs":
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(kept, "_base", _base)
    monkeypatch.setattr(builtins, "__import__", without)
    with cache_folder("proofs") as place:
        assert place is None


def test_a_full_disk_is_no_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept, "_base", lambda: tmp_path)
    monkeypatch.setattr("tempfile.TemporaryDirectory", full)
    with cache_folder("proofs", fresh=True) as place:
        assert place is None


def test_a_fresh_one_is_empty_and_replaces_what_it_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kept, "_base", lambda: tmp_path)
    with cache_folder("proofs") as place:
        assert place is not None
        (place / "old.json").write_text("old")
        (place / "other.json").write_text("other")
    with cache_folder("proofs", fresh=True) as empty:
        assert empty is not None
        assert [*empty.iterdir()] == []
        (empty / "old.json").write_text("new")
    found = {path.name: path.read_text() for path in place.iterdir()}
    assert found == {"old.json": "new", "other.json": "other"}
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert {path.name: path.read_text() for path in place.iterdir()} == found


def interrupted() -> None:
    with cache_folder("proofs", fresh=True) as empty:
        assert empty is not None
        (empty / "old.json").write_text("half")
        raise KeyboardInterrupt
