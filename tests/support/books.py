"""Books built as the documentation site is, whole or in part."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "notebooks"


def build(
    source: Path, out: Path, *, strict: bool = True, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Build a book as CI does (-W: each warning is an error), its pages somewhere else."""
    code = "from jupyter_book.cli.main import main; main()"
    words = ["build", *(["-W"] if strict else []), "-n", "--keep-going", str(source)]
    return subprocess.run(
        [sys.executable, "-c", code, *words, "--path-output", str(out)],
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
    )


def small(folder: Path, pages: Mapping[str, str]) -> Path:
    """The source of a book in a folder: the site's settings, and pages, the first its root."""
    for name in ("_extensions", "_static"):
        (folder / name).symlink_to(SOURCE / name)
    (folder / "_config.yml").write_text((SOURCE / "_config.yml").read_text("utf-8"), "utf-8")
    root, *others = pages
    chapters = "".join(f"  - file: {name}\n" for name in others)
    toc = f"format: jb-book\nroot: {root}\n" + (f"chapters:\n{chapters}" if others else "")
    (folder / "_toc.yml").write_text(toc, "utf-8")
    for name, text in pages.items():
        path = folder / f"{name}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return folder
