"""The page that checks certificates: what stands on it, and the files that it runs.

A page says where the checker goes by a comment that no reader of Markdown shows. All of it is
scripts of the site's folder, the kernel and Python among them: so the page works from a folder
too, without a server, and its policy can forbid the browser every connection.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Any

import site_engine
from sphinx.application import Sphinx
from sphinx.util import logging

import pfverify

log = logging.getLogger(__name__)

PAGE = "guides/check-in-a-browser"
MARK = "<!-- checker -->"
HERE = Path(__file__).parent / "checker"
KERNEL = Path(pfverify.__file__).parent / "kernel"
SCRIPTS = ("page.js", "page.css")
POLICY = {
    "default-src": "'none'",  # no connection of any kind, to whatever place
    "script-src": "'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:",
    "worker-src": "blob:",
    "style-src": "'self' 'unsafe-inline'",
    "font-src": "'self'",
    "img-src": "'self' data:",
    "base-uri": "'none'",
    "form-action": "'self'",  # the search of the site
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Fetch what the page runs, write the page, and put its files into the site."""
    site = Checker()
    app.connect("env-get-outdated", site.fetch)
    app.connect("source-read", site.write)
    app.connect("html-page-context", with_policy)
    app.connect("build-finished", site.pack)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Checker:
    """The checker of one build of the site."""

    def __init__(self) -> None:
        self.engine: dict[str, bytes] = {}
        self.missing = ""

    def fetch(self, _app: Sphinx, env: Any, *_changes: set[str]) -> list[str]:
        """Fetch Python for browsers, if the book has the page, which is then read anew."""
        if PAGE not in env.found_docs:
            return []
        try:
            self.engine = site_engine.engine()
        except site_engine.MissingEngineError as reason:
            self.missing = str(reason)
            log.info("%s: built without Python for browsers: %s", PAGE, reason)
        return [PAGE]

    def write(self, _app: Sphinx, page: str, source: list[str]) -> None:
        """Put the checker where its page says."""
        if page == PAGE:
            source[0] = source[0].replace(MARK, f"```{{raw}} html\n{self.html()}```")

    def html(self) -> str:
        """What stands on the page: the checker, or why it is not there."""
        if self.engine:
            return (HERE / "checker.html").read_text("utf-8")
        return (
            '<p id="checker-missing" class="admonition warning">This copy of the site was built '
            "without Python for browsers, so nothing can be checked on it "
            f"({escape(self.missing)}).</p>\n"
        )

    def pack(self, app: Sphinx, error: Exception | None) -> None:
        """Write the files that the page runs."""
        if error is not None or not self.engine:
            return
        folder = Path(app.outdir) / "_static" / "checker"
        folder.mkdir(parents=True, exist_ok=True)
        for name in SCRIPTS:
            (folder / name).write_bytes((HERE / name).read_bytes())
        (folder / "kernel.js").write_text(kernel_script(), "utf-8")
        (folder / "engine.js").write_text(engine_script(self.engine), "utf-8")


def with_policy(_app: Sphinx, page: str, _template: str, context: dict[str, Any], _: Any) -> None:
    """Tell the browser what the page may do, before anything else on it."""
    if page == PAGE:
        policy = "; ".join(f"{kind} {sources}" for kind, sources in POLICY.items())
        meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        context["metatags"] = f"{meta}\n{context['metatags']}"


def kernel_files() -> dict[str, str]:
    """The kernel's files, as they are."""
    paths = sorted(KERNEL.rglob("*.py"))
    return {path.relative_to(KERNEL).as_posix(): path.read_text("utf-8") for path in paths}


def kernel_script() -> str:
    """The kernel's files, and what hands them to Python, as a script."""
    packed = {"files": kernel_files(), "worker": (HERE / "worker.js").read_text("utf-8")}
    return f"globalThis.pfverifyKernel = {json.dumps(packed, indent=0)};\n"


def engine_script(files: dict[str, bytes]) -> str:
    """Python for browsers as a script: each file compressed, in letters."""
    packed = {
        "package": site_engine.PACKAGE,
        "integrity": f"sha512-{site_engine.SHA512}",
        "files": {
            name: b64encode(gzip.compress(data, 6, mtime=0)).decode()
            for name, data in files.items()
        },
    }
    return f"globalThis.pfverifyEngine = {json.dumps(packed)};\n"
