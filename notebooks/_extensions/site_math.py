"""Mathematics as MathML, which browsers draw themselves: no script and no network."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

log = logging.getLogger(__name__)

_DIGITS = re.compile(r"\\([td]?frac)(\d)(\d)")  # \tfrac12 is one half, and no number 12
_AFTER = re.compile(r"\\(log|cosh)\s*(?=[A-Za-z0-9]|\\(?!left|big|[,;!]))")
_BEFORE = re.compile(r"(\d)\s*(?=\\(?:log|cosh))")


def setup(app: Sphinx) -> dict[str, Any]:
    """Offer the renderer under the name that `_config.yml` asks for."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def inline(self: Any, node: nodes.math) -> None:
    """Write a formula of a line."""
    write(self, node, as_block=False)


def display(self: Any, node: nodes.math_block) -> None:
    """Write a formula of its own line."""
    write(self, node, as_block=True)


def write(writer: Any, node: nodes.Element, as_block: bool) -> None:
    """Append the MathML; a formula that cannot be read is a warning, which fails the build."""
    text = node.astext()
    try:
        found = latex2mathml.tex2mathml(spelled(text), as_block=as_block)
    except MathError as error:
        log.warning("formula %r: %s", text, error, location=node)
        found = f"<code>{writer.encode(text)}</code>"
    writer.body.append(f'<div class="math" tabindex="0">{found}</div>' if as_block else found)
    raise nodes.SkipNode


def spelled(text: str) -> str:
    """A formula with the braces and thin spaces that TeX adds and the reader of it does not."""
    text = _DIGITS.sub(r"\\\1{\2}{\3}", text)
    return _BEFORE.sub(r"\1\\,", _AFTER.sub(r"\\\1\\, ", text))
