"""A report as one HTML file that needs no network, no script and no other file."""

from __future__ import annotations

from importlib.resources import files

import jinja2
import markupsafe

from pfverify.edge.render.html import STYLE, written, written_text
from pfverify.edge.report.sections import Report

_TEMPLATE, _MORE_STYLE = "report.html.jinja", "report.css"


def html_of(report: Report) -> str:
    """Return the page of a report.

    All text is escaped: that of the shell by jinja2, that of blocks by their writer. The same
    report gives the same page.
    """
    here, shared = files("pfverify.edge.report"), files("pfverify.edge.render")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    template = environment.from_string(here.joinpath(_TEMPLATE).read_text("utf-8"))
    styles = [place.read_text("utf-8") for place in (
        shared.joinpath(STYLE), here.joinpath(_MORE_STYLE))]  # fmt: skip
    return template.render(
        report=report,
        tone=report.badge.tone.value,
        lead=markupsafe.Markup(written_text(report.lead)),
        action=markupsafe.Markup(written_text(report.action)),
        banner=markupsafe.Markup(written_text(report.banner)),
        parts=[(part, markupsafe.Markup(written(part.blocks))) for part in report.parts],
        style=markupsafe.Markup("\n".join(styles)),
    )
