"""A page printed to PDF by Chromium, where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from pfverify.errors import InputError, PfverifyError

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_SECONDS = 180


def browser() -> str:
    """Return the program that prints; InputError without one."""
    found = next((path for name in _PROGRAMS if (path := shutil.which(name))), None)
    if found is None:
        raise InputError(
            "-o: a .pdf is printed by Chromium, and none is installed; write .html and print it "
            "in any browser"
        )
    return found


def pdf_of(page: str) -> bytes:
    """Return a page as PDF. Raises InputError without Chromium, PfverifyError where it fails."""
    program = browser()
    with tempfile.TemporaryDirectory(prefix="pfverify-") as name:
        folder = Path(name)
        (folder / "report.html").write_text(page, "utf-8")
        root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        command = [
            program, "--headless", *root, "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--disable-dev-shm-usage", "--disable-background-networking",
            f"--user-data-dir={folder / 'profile'}", "--no-pdf-header-footer",
            f"--print-to-pdf={folder / 'report.pdf'}", (folder / "report.html").as_uri(),
        ]  # fmt: skip
        quiet = subprocess.DEVNULL
        try:
            subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=_SECONDS,
                           check=True)  # fmt: skip
            return (folder / "report.pdf").read_bytes()
        except (OSError, subprocess.SubprocessError):
            raise PfverifyError(
                f"-o: {program} printed no PDF; write .html and print it in any browser"
            ) from None
