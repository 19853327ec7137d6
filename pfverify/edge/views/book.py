"""The book of checked claims as pages: one for each claim and paper, the graph, what is assumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property

from pfverify.edge.book import Book, Chapter
from pfverify.edge.document import (
    Block,
    Paragraph,
    Section,
    Text,
    say,
    simple_table,
    text_of,
    with_commas,
)
from pfverify.edge.pages import Heading, Item, Link, Listed, Page, Site
from pfverify.edge.pictures import Graph, Node
from pfverify.edge.progress import Report, each
from pfverify.edge.sentences import sentence
from pfverify.edge.views import claim_page, rules_page
from pfverify.edge.views.results import FAILED, KINDS, badge, result_word
from pfverify.edge.views.typeset import typeset
from pfverify.edge.views.view import View
from pfverify.proof.citations import CITATIONS
from pfverify.proof.papers import PAPERS, Paper

INDEX, GRAPH, ASSUMED = "index.html", "graph.html", "assumed.html"
_NAME = "The claims, checked"


def claim_place(name: str) -> str:
    """Return the place of the page of a claim."""
    return f"claims/{name}.html"


def paper_place(paper: str) -> str:
    """Return the place of the page of a paper."""
    return f"papers/{paper}.html"


class BookView(View[Book]):
    """The book: its pages, and a sentence for the terminal."""

    def sections(self) -> list[Section]:
        """Return how many pages there are, and what is wrong with exercises."""
        wrong = [say(f"{c.name}: the exercise {one.entry.change!r}: {one.failure}", folds=True)
                 for c in self.result.chapters for one in c.exercises if one.failure]
        said = say(f"the book is {self.name}, {len(self.site().pages)} pages", level=0, folds=True)
        return [Section(said=[said, *wrong], apart=True)]

    def data(self) -> object:
        """Return the places of the pages."""
        return {"pages": [page.place for page in self.site().pages]}

    def site(self, report: Report = lambda done, total: None) -> Site:
        """Return the pages, which are made once; `report` is told how many claims are done."""
        if self._site is None:
            self._site = self._made(report)
        return self._site

    _site: Site | None = None

    @cached_property
    def _chapters(self) -> dict[str, Chapter]:
        return {chapter.name: chapter for chapter in self.result.chapters}

    def _made(self, report: Report) -> Site:
        chapters = self._chapters
        claims = [c.file.claim for c in chapters.values() if c.file is not None]
        pages = [self._index(), self._graph(), self._assumed(), rules_page.page(claims)]
        pages += [self._paper(key) for key in self._papers()]
        names = list(chapters)
        for k, name in enumerate(each(names, report)):
            users = [other for other in names if name in chapters[other].outcome.uses]
            around = names[max(k - 1, 0) : k] + names[k + 1 : k + 2]
            uses = self._links(chapters[name].outcome.uses)
            pages.append(claim_page.page(
                claim_place(name), chapters[name], uses, self._links(users), self._links(around)
            ))  # fmt: skip
        menu = [Link("Contents", INDEX), Link("Graph", GRAPH), Link("Assumed and cited", ASSUMED),
                Link("Rules", rules_page.RULES)]  # fmt: skip
        menu += [Link(key, paper_place(key)) for key in self._papers()]
        return Site(_NAME, pages, menu, sentence("book.foot"))

    def _links(self, names: Iterable[str]) -> Text:
        """Links to claims; one that is not in this book is only named."""
        return with_commas(
            (Link(name, claim_place(name)) if name in self._chapters else name,) for name in names
        )

    def _papers(self) -> list[str]:
        return list(PAPERS) + sorted({c.paper for c in self.result.chapters} - {*PAPERS})

    def _index(self) -> Page:
        kinds = [name for name, _ in KINDS]
        rows: list[list[Text]] = []
        for key in self._papers():
            counts = Counter(result_word(c.outcome) for c in self.result.chapters if c.paper == key)
            missing = len(self._missing(key))
            cells = [*(counts[kind] for kind in kinds), missing]
            rows.append([(Link(key, paper_place(key)),), *((str(n),) for n in cells)])
        header = ["Paper", *kinds, "No page"]
        legend = [Item((badge(name), f" {words}")) for name, words in KINDS]
        blocks: list[Block] = [
            Paragraph((sentence("book.intro"),)),
            Heading(("Papers",)),
            simple_table("Claims by paper and result", header, rows, stacked=True),
            Heading(("What the results mean",)),
            Listed(legend),
            Heading(("All claims",)),
        ]
        for key in self._papers():
            blocks += [Heading((key,), 3), *self._all(key)]
        return Page(INDEX, _NAME, blocks)

    def _all(self, paper: str) -> list[Block]:
        """The claims of a paper, each with what it says."""
        items = [Item((*self._links([c.name]), ": ", *typeset(c.outcome.words)))
                 for c in self.result.chapters if c.paper == paper]  # fmt: skip
        missing = self._missing(paper)
        blocks: list[Block] = [Listed(items)] if items else []
        if missing:
            blocks.append(Paragraph((f"without a page: {', '.join(missing)}",)))
        return blocks or [Paragraph(("none",))]

    def _missing(self, paper: str) -> list[str]:
        known = PAPERS[paper].claims if paper in PAPERS else frozenset()
        return sorted(known - self._chapters.keys())

    def _paper(self, key: str) -> Page:
        paper = PAPERS.get(key, Paper("A folder of proof files", frozenset()))
        rows = [_row(chapter) for chapter in self.result.chapters if chapter.paper == key]
        for name in self._missing(key):
            why = "has a file, left out here" if name in self.result.left_out else "no file yet"
            rows.append([(name,), ("",), (why,), ("missing",)])
        if paper.claims:
            rows.sort(key=lambda row: text_of(row[0]))
        header = ["Claim", "In the paper", "It says", "Result"]
        return Page(paper_place(key), key, [simple_table(f"Claims of {key}", header, rows)],
                    lead=(paper.reference,))  # fmt: skip

    def _graph(self) -> Page:
        arrows = [(name, used) for name, chapter in self._chapters.items()
                  for used in chapter.outcome.uses if used in self._chapters]  # fmt: skip
        blocks: list[Block] = [] if arrows else [Paragraph(("No claim here uses another.",))]
        for key in self._papers():
            blocks += self._graph_of(key, arrows)
        alone = [name for name in self._chapters if not any(name in arrow for arrow in arrows)]
        if alone:
            blocks += [Heading(("Claims that stand alone",)), Paragraph(self._links(alone))]
        return Page(GRAPH, "Which claim uses which", blocks)

    def _graph_of(self, paper: str, arrows: list[tuple[str, str]]) -> list[Block]:
        """The graph of what the claims of a paper use, with claims of others that these are."""
        chapters = self._chapters
        arrows = [arrow for arrow in arrows if chapters[arrow[0]].paper == paper]
        names = [name for name in chapters if any(name in arrow for arrow in arrows)]
        if not names:
            return []
        places = {name: k for k, name in enumerate(names)}
        nodes = [Node(n, claim_place(n), result_word(chapters[n].outcome),
                      result_word(chapters[n].outcome).lower()) for n in names]  # fmt: skip
        ends = [(places[a], places[b]) for a, b in arrows]
        graph = Graph(sentence("book.graph", paper=paper), nodes, ends, KINDS)
        used = [Item((*self._links([n]), " uses ", *self._links(chapters[n].outcome.uses)))
                for n in names if chapters[n].paper == paper and chapters[n].outcome.uses]
        return [Heading((paper,), 2, f"graph-{paper}"), graph,
                Heading(("The same in words",), 3), Listed(used)]  # fmt: skip

    def _assumed(self) -> Page:
        chapters = self.result.chapters
        blocks: list[Block] = [Heading(("Cited from the literature",))]
        for key, citation in CITATIONS.items():
            by = self._links([c.name for c in chapters if key in c.outcome.citations])
            blocks += [Heading((citation.words,), 3, f"cite-{key}"),
                       Paragraph((citation.reference,)),
                       Paragraph(by or ("no claim of this book",), "Results that rest on it")]
        kernel = [c.name for c in chapters if any("certificate" in s for s in c.outcome.steps)]
        blocks += [
            Heading(("Programs that are trusted",)),
            Listed([
                Item(("Arithmetic steps: the solver z3 derives them from the facts named.",)),
                Item(("All other rules: pfverify/proof, with exact numbers of Python and sympy.",)),
                Item(("Problems that are decided: the kernel of pfverify, which checks a "
                      "certificate; used by ", *(self._links(kernel) or ("no claim here",)))),
            ]),
            *self._told("Also proved in Coq", _in_coq),
            *self._told("Left open", lambda chapter: typeset(chapter.outcome.open)),
            *self._told("Not checkable", lambda chapter: typeset(chapter.outcome.reason)),
        ]  # fmt: skip
        failed = [c.name for c in chapters if result_word(c.outcome) == FAILED]
        if failed:
            blocks += [Heading(("Files that fail",)), Paragraph(self._links(failed))]
        return Page(ASSUMED, "What is assumed and cited", blocks)

    def _told(self, title: str, told: Callable[[Chapter], Text]) -> list[Block]:
        """What is told of some chapters, each with its claim."""
        items = [Item((*self._links([chapter.name]), ": ", *text))
                 for chapter in self.result.chapters if (text := told(chapter))]  # fmt: skip
        return [Heading((title,)), Listed(items or [Item(("nothing",))])]


def _in_coq(chapter: Chapter) -> Text:
    return with_commas((f"{theorem.name} ({theorem.file})",) for theorem in chapter.theorems)


def _row(chapter: Chapter) -> list[Text]:
    number = chapter.outcome.source.partition(" ")[2]
    name, words = Link(chapter.name, claim_place(chapter.name)), typeset(chapter.outcome.words)
    return [(name,), (number,), words, (badge(result_word(chapter.outcome)),)]
