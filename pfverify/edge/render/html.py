"""Sites as HTML files that need no network, no script and no font: one shell for every page.

All text is escaped here; markup enters only as `Maths` and `Display`, which
`pfverify.proof.mathml` writes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from html import escape
from importlib.resources import files
from urllib.parse import quote

from pfverify.edge.render import svg
from pfverify.edge.views.page import (
    Block,
    Code,
    Display,
    Graph,
    Grid,
    Heading,
    Hidden,
    Inline,
    Item,
    Link,
    Listed,
    Maths,
    Page,
    Paragraph,
    Picture,
    Plot,
    Site,
    Source,
    Text,
)
from pfverify.edge.views.view import Toned

STYLE = "style.css"


def rendered(site: Site) -> dict[str, str]:
    """Return the files of a site, by their place in its folder."""
    style = files("pfverify.edge.render").joinpath(STYLE).read_text("utf-8")
    return {STYLE: style, **{page.place: document(page, site) for page in site.pages}}


def written(blocks: Sequence[Block]) -> str:
    """Return blocks that link to no other page, as they stand on a page of their own."""
    return _Writer("").blocks(blocks)


def written_text(text: Text) -> str:
    """Return a sentence, as `written` does blocks."""
    return _Writer("").text(text)


def document(page: Page, site: Site) -> str:
    """Return a page in the shell of its site."""
    write = _Writer(page.place)
    menu = "".join(_entry(link, page, write) for link in site.menu)
    badge = f" {write.inline(page.badge)}" if page.badge else ""
    lead = f'<p class="lead">{write.text(page.lead)}</p>' if page.lead else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(page.title)} - {escape(site.name)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{write.address(STYLE)}">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><nav aria-label="Main"><ul>{menu}</ul></nav></header>
<main id="main" tabindex="-1">
<h1>{escape(page.title)}{badge}</h1>
{lead}
{write.blocks(page.blocks)}
</main>
<footer><p>{escape(site.foot)}</p></footer>
</body>
</html>
"""


def _entry(link: Link, page: Page, write: _Writer) -> str:
    here = ' aria-current="page"' if link.page == page.place else ""
    return f'<li><a href="{write.address(link.page)}"{here}>{escape(link.text)}</a></li>'


class _Writer:
    """Writes what stands on one page."""

    def __init__(self, place: str) -> None:
        self._folder = posixpath.dirname(place) or "."
        self._pictures = 0
        self._kinds: dict[type, Callable[..., str]] = {
            Heading: self._heading, Paragraph: self._paragraph, Display: self._display,
            Listed: self._list, Grid: self._grid, Hidden: self._hidden, Source: self._source,
            Plot: self._plot, Picture: self._finished, Graph: self._graph,
        }  # fmt: skip

    def address(self, page: str, place: str = "") -> str:
        """The address of a page of the site, seen from this one."""
        path = quote(posixpath.relpath(page, self._folder)) if page else ""
        return f"{path}#{place}" if place else path

    def blocks(self, blocks: Sequence[Block]) -> str:
        return "\n".join(self._kinds[type(block)](block) for block in blocks)

    def text(self, text: Text) -> str:
        return "".join(map(self.inline, text))

    def inline(self, part: Inline) -> str:
        if isinstance(part, str):
            return escape(part)
        if isinstance(part, Toned):
            return f'<strong class="badge {part.tone.value}">{escape(part.text)}</strong>'
        if isinstance(part, Link):
            return f'<a href="{self.address(part.page, part.place)}">{escape(part.text)}</a>'
        if isinstance(part, Code):
            return f"<code>{escape(part.text)}</code>"
        if isinstance(part, Maths):
            return f"<math>{part.markup}</math>"
        raise TypeError(f"{type(part).__name__} is no part of a text")

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

    def _grid(self, block: Grid) -> str:
        head = "".join(f'<th scope="col">{self.text(cell)}</th>' for cell in block.header)
        named = [escape("".join(part for part in cell if isinstance(part, str)))
                 for cell in block.header]  # fmt: skip
        rows = []
        for row in block.rows:  # narrow pages set a row as lines, each with its header
            cells = [f'<td data-head="{name}">{self.text(cell)}</td>'
                     for name, cell in zip(named, row, strict=True)]  # fmt: skip
            if block.named:
                cells[0] = f'<th scope="row">{self.text(row[0])}</th>'
            rows.append(f"<tr>{''.join(cells)}</tr>")
        caption = escape(block.caption)
        return (f'<div class="wide" tabindex="0" role="group" aria-label="{caption}"><table>'
                f"<caption>{caption}</caption><thead><tr>{head}</tr></thead>"
                f"<tbody>{''.join(rows)}</tbody></table></div>")  # fmt: skip

    def _hidden(self, block: Hidden) -> str:
        inside = self.blocks(block.below)
        kind = "" if block.printed else ' class="screen"'
        return f"<details{kind}><summary>{escape(block.summary)}</summary>{inside}</details>"

    def _source(self, block: Source) -> str:
        label = escape(block.label)
        return (f'<pre tabindex="0" role="group" aria-label="{label}"><code>{escape(block.text)}'
                "</code></pre>")  # fmt: skip

    def _picture(self, drawn: str, caption: str) -> str:
        return f"<figure>{drawn}<figcaption>{escape(caption)}</figcaption></figure>"

    def _plot(self, block: Plot) -> str:
        self._pictures += 1
        drawn = svg.plot(block, f"picture-{self._pictures}")
        return self._picture(f'<div class="drawn">{drawn}</div>', block.caption)

    def _finished(self, block: Picture) -> str:
        keys = svg.legend([(kind, "", words) for kind, words in block.keys])
        return (f'<figure><div class="drawn">{block.markup}</div>{keys}'
                f"<figcaption>{self.text(block.caption)}</figcaption></figure>")  # fmt: skip

    def _graph(self, block: Graph) -> str:
        self._pictures += 1
        drawn = svg.graph(block, f"picture-{self._pictures}", self.address)
        return self._picture(drawn, block.caption)
