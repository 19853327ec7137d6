"""Pages as HTML that needs no network, no script and no font: one shell for every page.

All text is escaped here; markup enters only as `Maths` and `Display`, which
`pfverify.proof.mathml` writes.
"""

from __future__ import annotations

import posixpath
import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from urllib.parse import quote

from pfverify.edge.document import Block, Paragraph, Section, Table, Text, Toned, text_of
from pfverify.edge.pages import (
    Code,
    Display,
    Heading,
    Hidden,
    Item,
    Link,
    Listed,
    Listing,
    Maths,
    Page,
    Report,
    Site,
)
from pfverify.edge.pictures import BarChart, Graph, Plot
from pfverify.edge.render import svg
from pfverify.edge.render.kinds import Kind, drawer

_SHELL, _STYLE, _REPORT_STYLE = "page.html", "style.css", "report.css"
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
_CURRENT = ' aria-current="page"'
_ALONE = (
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:{}\">"
)


def rendered(site: Site) -> dict[str, str]:
    """Return the files of a site, by their place in its folder."""
    return {_STYLE: read_text(_STYLE), **{page.place: _page(page, site) for page in site.pages}}


def read_text(name: str) -> str:
    """Return a file beside this one. Example: ``read_text("page.html")[:15]`` is
    ``"<!DOCTYPE html>"``.
    """
    return files("pfverify.edge.render").joinpath(name).read_text("utf-8")


def _page(page: Page, site: Site) -> str:
    write = Writer(page.place)
    links = [(write.address(link.page), link.page == page.place, link.text) for link in site.menu]
    badge = f" {write.text((page.badge,))}" if page.badge else ""
    return _shell(
        f"{page.title} - {site.name}",
        f'<link rel="stylesheet" href="{write.address(_STYLE)}">',
        f"<header>{_menu('Main', links)}</header>",
        f"<h1>{escape(page.title)}{badge}</h1>\n{write.marked('lead', page.lead)}\n"
        f"{write.blocks(page.blocks)}",
        site.foot,
    )


def html_of(report: Report) -> str:
    """Return a report as one file. The same report gives the same page."""
    write = Writer("")
    tone, word = report.badge.tone.value, escape(report.badge.text)
    links = [(f"#{part.place}", False, part.title) for part in report.parts]
    main = [
        f"<h1>{escape(report.title)}</h1>", write.marked("by", (report.by,) if report.by else ()),
        f'<p class="verdict {tone}"><strong>{word}</strong> {write.text(report.lead)}</p>',
        write.marked("action", report.action), write.marked("banner", report.banner),
        _menu("Contents", links) if len(links) > 1 else "", *map(write.section, report.parts),
    ]  # fmt: skip
    return alone(f"{report.title} - {report.badge.text}", main, report.foot)


def alone(
    title: str, main: Sequence[str], foot: str, styles: Sequence[str] = (), script: str = ""
) -> str:
    """Return a page that is one file, from its parts and more styles.

    Nothing is loaded, and no script runs but this one, which the page allows by its digest.
    """
    style = "\n".join([*map(read_text, (_STYLE, _REPORT_STYLE)), *styles])
    allowed = ""
    if script:
        digest = b64encode(sha256(script.encode()).digest()).decode()
        allowed, main = f"; script-src 'sha256-{digest}'", [*main, f"<script>{script}</script>"]
    head = f"{_ALONE.format(allowed)}\n<style>\n{style}</style>"
    return _shell(title, head, "", "\n".join(filter(None, main)), foot)


def _shell(title: str, head: str, header: str, main: str, foot: str) -> str:
    return read_text(_SHELL).format(
        title=escape(title), head=head, header=header, main=main, foot=escape(foot)
    )


def _plain(text: str) -> str:
    """Plain text, in which no line ends inside an option of a command."""
    return _OPTION.sub(r'<span class="option">\g<0></span>', escape(text))


def _menu(label: str, links: Sequence[tuple[str, bool, str]]) -> str:
    """Links (address, whether it is this page, words) one beside the other."""
    entries = [
        f'<li><a href="{address}"{_CURRENT * here}>{escape(words)}</a></li>'
        for address, here, words in links
    ]
    return f'<nav aria-label="{label}"><ul>{"".join(entries)}</ul></nav>'


class Writer:
    """Writes what stands on one page."""

    def __init__(self, place: str) -> None:
        """Take the place of the page in its site."""
        self._folder = posixpath.dirname(place) or "."
        self._pictures = 0
        self.kinds: dict[Kind, Callable[..., str]] = {
            Heading: self._heading, Paragraph: self._paragraph, Display: self._display,
            Listed: self._list, Table: self._table, Hidden: self._hidden, Listing: self._source,
            Plot: self._figure, BarChart: self._figure, Graph: self._graph,
            str: _plain, Toned: self._toned, Link: self._link, Code: self._code,
            Maths: self._maths,
        }  # fmt: skip

    def address(self, page: str, place: str = "") -> str:
        """Return the address of a page of the site, seen from this one."""
        path = quote(posixpath.relpath(page, self._folder)) if page else ""
        return f"{path}#{place}" if place else path

    def section(self, section: Section) -> str:
        """Return a part of the page with its heading."""
        place, heading = section.place, self.text((section.title,))
        return (f'<section aria-labelledby="{place}">\n<h2 id="{place}">{heading}</h2>\n'
                f"{self.blocks(section.blocks)}\n</section>")  # fmt: skip

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Return blocks one below the other."""
        return "\n".join(drawer(self.kinds, block)(block) for block in blocks)

    def text(self, text: Text) -> str:
        """Return a line of text."""
        return "".join(drawer(self.kinds, part)(part) for part in text)

    def marked(self, kind: str, text: Text) -> str:
        """Return a paragraph of a class of the style sheet, nothing for no text."""
        return f'<p class="{kind}">{self.text(text)}</p>' if text else ""

    def _toned(self, part: Toned) -> str:
        return f'<strong class="badge {part.tone.value}">{escape(part.text)}</strong>'

    def _link(self, part: Link) -> str:
        return f'<a href="{self.address(part.page, part.place)}">{escape(part.text)}</a>'

    def _code(self, part: Code) -> str:
        return f"<code>{escape(part.text)}</code>"

    def _maths(self, part: Maths) -> str:
        return f"<math>{part.markup}</math>"

    def _heading(self, block: Heading) -> str:
        place = f' id="{block.place}"' if block.place else ""
        return f"<h{block.level}{place}>{self.text(block.text)}</h{block.level}>"

    def _paragraph(self, block: Paragraph) -> str:
        label = f'<span class="label">{escape(block.label)}</span> ' if block.label else ""
        return f"<p>{label}{self.text(block.text)}</p>"

    def _display(self, block: Display) -> str:
        rows = []
        for k, line in enumerate(block.lines):
            parts = "".join(f'<math display="block">{part}</math>' for part in line)
            link = '<span class="and">and</span> ' if k else ""
            rows.append(f'<div class="line">{link}{parts}</div>')
        inside = "".join(rows)
        return f'<div class="formula" tabindex="0" role="group" aria-label="formula">{inside}</div>'

    def _list(self, block: Listed) -> str:
        tag = "ol" if block.numbered else "ul"
        return f"<{tag}>{''.join(map(self._item, block.items))}</{tag}>"

    def _item(self, item: Item) -> str:
        place = f' id="{item.place}"' if item.place else ""
        return f"<li{place}><p>{self.text(item.text)}</p>{self.blocks(item.below)}</li>"

    def _table(self, block: Table) -> str:
        caption = escape(block.caption)
        return (f'<div class="wide" tabindex="0" role="group" aria-label="{caption}">'
                f"{self.table(block)}</div>")  # fmt: skip

    def table(self, block: Table) -> str:
        """Return a table that fits."""
        title = block.title or (block.caption,)
        caption = f"<caption>{self.text(title)}</caption>" if block.caption else ""
        headers = [column.header for column in block.columns]
        head = "".join(f'<th scope="col">{self.text((cell,))}</th>' for cell in headers)
        # narrow pages set a row as lines, each with its header
        named = ["" if isinstance(cell, Maths) else escape(text_of((cell,))) for cell in headers]
        rows = []
        for row in block.rows:
            cells = [f'<td data-head="{name}">{self.text(cell)}</td>'
                     for name, cell in zip(named, row, strict=True)]  # fmt: skip
            if block.named:
                cells[0] = f'<th scope="row">{self.text(row[0])}</th>'
            rows.append(f"<tr>{''.join(cells)}</tr>")
        kind = ' class="stacked"' if block.stacked else ""
        return (f"<table{kind}>{caption}<thead><tr>{head}</tr></thead>"
                f"<tbody>{''.join(rows)}</tbody></table>")  # fmt: skip

    def _hidden(self, block: Hidden) -> str:
        inside = self.blocks(block.below)
        kind = "" if block.printed else ' class="screen"'
        return f"<details{kind}><summary>{escape(block.summary)}</summary>{inside}</details>"

    def _source(self, block: Listing) -> str:
        label = escape(block.label)
        return (f'<pre tabindex="0" role="group" aria-label="{label}"><code>{escape(block.text)}'
                "</code></pre>")  # fmt: skip

    def _figure(self, block: Plot | BarChart) -> str:
        drawn = svg.DRAWN[type(block)](block, self._next())
        keys = svg.legend([(style, "", words) for style, words in block.keys])
        return (f'<figure><div class="drawn">{drawn}</div>{keys}'
                f"<figcaption>{escape(block.caption)}</figcaption></figure>")  # fmt: skip

    def _graph(self, block: Graph) -> str:
        drawn = svg.graph(block, self._next(), self.address)
        return f"<figure>{drawn}<figcaption>{escape(block.caption)}</figcaption></figure>"

    def _next(self) -> str:
        """An id for the next picture."""
        self._pictures += 1
        return f"picture-{self._pictures}"
