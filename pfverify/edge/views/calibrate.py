"""The view of noise scales: every recipe with its verdict, and the minimum."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pfverify.answers.methods import CalibrateResult, Method
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import Inline, Text, bad, text_of, toned
from pfverify.edge.footing_words import footing_words
from pfverify.edge.ordered import shown_names
from pfverify.edge.pictures import Bar
from pfverify.edge.region_words import region_words, rests_data
from pfverify.edge.sentences import sentence
from pfverify.edge.views.data import as_data
from pfverify.edge.views.pairs import ALIKE, direction
from pfverify.edge.views.view import View
from pfverify.edge.words import (
    brief_upper,
    closed_form,
    rounded_up,
    size_word,
    times,
    witness_words,
)
from pfverify.exact.simplify import simple_text
from pfverify.model.counted import counts_of
from pfverify.model.releases.repeated import Repeated

_LONGEST = 60  # characters of a closed form that are shown


class CalibrateView(View[CalibrateResult]):
    """The scales of a problem."""

    schema = "calibrate"

    def kind(self) -> str:
        """Return what noise is looked at."""
        result, size = self.result, self.size()
        kind = result.noise if size == "scale" else f"{result.noise}: {size}"
        return kind if result.several is None else f"{kind}, {result.several}"

    def is_open(self) -> bool:
        """Say whether the least scale is undecided."""
        return self.result.minimum.verdict is Verdict.UNDECIDED

    def data(self) -> object:
        """Return the result, and what its minimum rests on where the problem tells of records."""
        problem = self.result.problem
        records = problem is not None and problem.tells_records
        rests = rests_data(self.result.rests_on, self.size(), records=records)
        return as_data(self.result) | rests

    def least(self) -> str:
        """Return the least scale, for the table of a sweep."""
        least = self.result.minimum
        bare = {Verdict.UNDECIDED: "undecided", Verdict.REFUTED: "none"}.get(least.verdict)
        return bare or brief_upper(least.upper)

    def best(self) -> tuple[str, Method] | None:
        """Return the recipe that finds the smallest scale."""
        sound = [(name, one) for name, one in self._recipes() if one.certified]
        return min(sound, key=lambda one: Fraction(one[1].scale), default=None)

    def refuted(self) -> Inline:
        """Return how many recipes are refuted."""
        count = sum(one.refuted for _, one in self._recipes())
        return bad(str(count)) if count else ""

    def _recipes(self) -> list[tuple[str, Method]]:
        return [(name, one) for name, one in self.result.methods.items() if name != "minimum"]

    def size(self) -> str:
        """Return what the scale is called."""
        return size_word(self.result.noise)

    def minimum(self) -> list[str]:
        """Return what is known of the least scale."""
        minimum, of, known = self.result.minimum, self.result.several or "", self._known()
        said = sentence(
            f"minimum.{known}", size=self.size(), lower=minimum.lower, upper=minimum.upper,
            why=minimum.reason or "", of=f" {of}{',' if ',' in of else ''}" if of else "",
        )  # fmt: skip
        apart = known in ("unprocessed", "ends") and minimum.reason
        return [said, f"{minimum.reason}."] if apart else [said]

    def _known(self) -> str:
        """The sentence about the least scale."""
        minimum = self.result.minimum
        if "unprocessed" in self.result.methods:
            return "unprocessed"
        if "minimum" in self.result.not_applicable:
            return "shown" if any(row.certified for _, row in self._recipes()) else "tried"
        if minimum.verdict is Verdict.UNDECIDED:
            return "undecided"
        return {"inf": "none", "0": "zero"}.get(str(minimum.upper), "ends")

    def estimate(self) -> list[str]:
        """Return what the scale is for the laws alone that families are around: without doubt."""
        found = self.result.estimate
        if found is None:
            return []
        known = f"above {found.lower} and at most {found.upper}"
        if found.upper in ("0", "inf"):
            known = f"{found.upper}: {found.reason}" if found.reason else str(found.upper)
        return [sentence("minimum.estimate", size=self.size(), known=known)]

    def region(self) -> list[str]:
        """Return what the scale is for all laws that counts leave possible."""
        rests, problem = self.result.rests_on, self.result.problem
        if rests is None or rests.region is None:
            return []
        said = region_words(rests.region, self.size())[:1]
        if rests.region.least is not None and problem is not None and counts_of(problem):
            said.append(sentence("minimum.exact-counts"))
        return said

    def rows_of_recipes(self) -> dict[tuple[str, ...], list[Text]]:
        """Return recipes -> their row; those with the same numbers share one where they are many.

        The minimum has a row of its own.
        """
        methods = self.result.methods
        alike: dict[object, list[str]] = {}
        for name, method in methods.items():
            numbers = name if name == "minimum" else tuple(self.cells(name, method)[1:-1])
            alike.setdefault(numbers, []).append(name)
        rows: dict[tuple[str, ...], list[Text]] = {}
        for name, method in methods.items():
            names = next(names for names in alike.values() if name in names)
            if len(names) < ALIKE:
                rows[name,] = self.cells(name, method)
            elif name == names[0]:
                forms = dict.fromkeys(text_of(self.cells(one, methods[one])[-1]) for one in names)
                exact = _cut("; ".join(form for form in forms if form))
                label = f"{name} and {len(names) - 1} more"
                rows[tuple(names)] = [(label,), *self.cells(name, method)[1:-1], (exact,)]
        return rows

    def bars(self) -> list[Bar]:
        """Return the scale of every row of the table, for a picture."""
        methods = self.result.methods
        found = [(text_of(row[0]), methods[names[0]])
                 for names, row in self.rows_of_recipes().items()]  # fmt: skip
        return [Bar(name, float(one.scale), one.verdict.value) for name, one in found]

    def cells(self, name: str, method: Method) -> list[Text]:
        """Return the row of a recipe: its name and numbers, and at the end its closed form."""
        exact = closed_form(method.exact or "")
        if method.bound is not None:
            exact = f"{exact} with bound {rounded_up(method.bound, 4)}".strip()
        never = method.scale == "inf" and method.verdict is Verdict.REFUTED
        return [
            (name,),
            (rounded_up(method.scale, 4),),
            (f"no {self.size()} works" if never else toned(method.verdict),),
            (times(method.waste),),
            (rounded_up(method.sd, 4),),
            (_cut(exact),),
        ]

    def printed(self) -> list[str]:
        """Return the recipes that are refuted and stand in a paper, if there are any."""
        rows = self.result.methods.items()
        found = sorted(n for n, row in rows if row.refuted and n.endswith("_published"))
        return [", ".join(found)] if found else []

    def failures(self) -> dict[tuple[str, str], list[str]]:
        """Return every refuted scale and where it fails -> the recipes that ask for it."""
        found: dict[tuple[str, str], list[str]] = {}
        rows = self.result.methods
        shown = shown_names(row.witness for row in rows.values() if row.witness is not None)
        for name, row in rows.items():
            if row.witness is not None:
                words = witness_words(row.witness, self.result.delta)
                words = f"{direction(row.witness, shown)}, {words}"
                found.setdefault((str(row.scale), words), []).append(name)
        return found

    def fail(self, names: Sequence[str]) -> Inline:
        """Return that these recipes fail."""
        return bad(f"{', '.join(names)} {'fail' if len(names) > 1 else 'fails'}")

    def alike(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the rows of several recipes, and these."""
        rows = self.rows_of_recipes().items()
        return [(text_of(row[0]), recipes) for recipes, row in rows if len(recipes) > 1]

    def rests(self) -> list[str]:
        """Return what the minimum rests on."""
        rests, size = self.result.rests_on, self.size()
        if rests is None:
            return []
        return [*region_words(rests.region, size)[1:], *footing_words(rests, size)]

    def pairs(self) -> int:
        """Return how many pairs there are."""
        return self.result.pairs_decided + self.result.pairs_bounded

    def chains(self) -> bool:
        """Say whether there are recipes of chains."""
        return any(name.startswith("chain_") for name in self.result.methods)

    def not_applicable(self) -> dict[str, list[str]]:
        """Return why recipes do not apply -> which."""
        names: dict[str, list[str]] = {}
        for name, reason in self.result.not_applicable.items():
            names.setdefault(reason, []).append(name)
        return names

    def of_many(self) -> str | None:
        """Return what the recipes for one release say of many."""
        problem = self.result.problem
        release = None if problem is None else problem.release
        if problem is not None and problem.numbers:
            return sentence("minimum.numbers")
        if not isinstance(release, Repeated) or release.count == 1:
            return None
        if release.fresh:
            return sentence("minimum.fresh")
        return sentence("minimum.same", worth=closed_form(simple_text(release.scale_worth)))


def _cut(form: str) -> str:
    return form if len(form) <= _LONGEST else f"{form[: _LONGEST - 3]}..."
