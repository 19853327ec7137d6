"""The view of noise scales: every recipe with its verdict, and the minimum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from pfverify.answers.methods import CalibrateResult, Method
from pfverify.decide.verdict import Verdict
from pfverify.edge.document import (
    Column,
    Inline,
    Paragraph,
    Section,
    Table,
    Text,
    bad,
    first,
    say,
    text_of,
    title,
    toned,
)
from pfverify.edge.footing_words import footing_data, footing_words
from pfverify.edge.pictures import Bar
from pfverify.edge.region_words import region_data, region_words
from pfverify.edge.views.data import as_data
from pfverify.edge.views.numbers import brief_upper, rounded_up, times
from pfverify.edge.views.pairs import ALIKE, direction, shown_names
from pfverify.edge.views.view import Columns, SingleView
from pfverify.edge.words import closed_form, inequality, plain, size_word, witness_words
from pfverify.exact.simplify import simple_text
from pfverify.model.counted import counts_of
from pfverify.model.releases.repeated import Repeated

_SHOWN = 12  # places where recipes fail, and reasons why some do not apply
_LONGEST = 60  # characters of a closed form that are shown


class CalibrateView(SingleView[CalibrateResult]):
    """The scales of a problem."""

    schema = "calibrate"
    exact = (
        "epsilon", "delta", "methods.*.exact", "methods.*.witness.y", "methods.*.witness.event",
        "methods.*.witness.growth", "methods.*.witness.loss_step",
        "methods.*.witness.order",
    )
    columns: ClassVar[Columns] = {
        "epsilon": "epsilon", "delta": "delta", "form": "form", "method": "methods",
        "scale": "methods.*.scale", "exact": "methods.*.exact", "verdict": "methods.*.verdict",
        "waste": "methods.*.waste", "sd": "methods.*.sd", "mean_abs": "methods.*.mean_abs",
        "minimum_lower": "minimum.lower", "minimum_upper": "minimum.upper",
    }

    def section(self) -> Section:
        """Return the minimum, the table of recipes, where some fail, and which do not apply."""
        result, size = self.result, self._size
        kind = result.noise if size == "scale" else f"{result.noise}: {size}"
        kind = kind if result.several is None else f"{kind}, {result.several}"
        formula = inequality(result.form, result.epsilon, result.delta, result.notion)
        is_open, least = result.minimum.verdict is Verdict.UNDECIDED, self.minimum()
        return Section(
            headline=say(title(self.name), f": noise scales ({kind}) for {formula}", level=0),
            said=[] if is_open else [*least, *self.estimate(), *self._region()],
            assumed=result.assumed,
            undecided=least if is_open else [],
            tables=[self._table()] if result.methods else [],
            notes=[*self._notes()],
        )

    def data(self) -> object:
        """Return the result, and what its minimum rests on where the problem tells of records."""
        data, found = as_data(self.result), self.result.rests_on
        problem = self.result.problem
        if found is not None and problem is not None and problem.tells_records:
            data["rests_on"] = footing_data(found, self._size)
        if found is not None and found.region is not None:
            data["region"] = region_data(found.region, self._size)
        return data

    def point(self) -> dict[str, Inline]:
        """Return the least scale, and the smallest that a recipe finds."""
        result, least = self.result, self.result.minimum
        open_, none = Verdict.UNDECIDED, Verdict.REFUTED
        bare = {open_: "undecided", none: "none"}.get(least.verdict)
        recipes = {name: one for name, one in result.methods.items() if name != "minimum"}
        best = min(
            (name for name, one in recipes.items() if one.certified),
            key=lambda name: Fraction(recipes[name].scale),
            default=None,
        )
        refuted = sum(one.refuted for one in recipes.values())
        return {
            "epsilon": plain(result.epsilon),
            "delta": plain(result.delta),
            f"smallest {self._size}": bare or brief_upper(least.upper),
            "best recipe": best or "",
            f"its {self._size}": "" if best is None else brief_upper(recipes[best].scale),
            "waste": "" if best is None else times(recipes[best].waste, ""),
            "refuted": bad(str(refuted)) if refuted else "",
        }

    @property
    def _size(self) -> str:
        return size_word(self.result.noise)

    def minimum(self) -> list[Paragraph]:
        """Return what is known of the least scale."""
        minimum, size = self.result.minimum, self._size
        why = minimum.reason or ""
        if "unprocessed" in self.result.methods:
            return [
                say(
                    f"From {minimum.upper} on every {size} is private: the release is without its "
                    "steps, and they keep it so."
                ),
                say(f"{why}."),
            ]
        if "minimum" in self.result.not_applicable:
            tried = [row for name, row in self.result.methods.items() if name != "minimum"]
            known = f"What is certified is so at exactly the {size} that is shown"
            if not any(row.certified for row in tried):
                known = f"No {size} that was tried is certified"
            return [say(f"{known}: {why}.")]
        if minimum.verdict is Verdict.UNDECIDED:
            return [say(f"The smallest private {size} is undecided: {why}.")]
        if minimum.upper == "inf":
            return [say(f"No {size} works: {why}.")]
        if minimum.upper == "0":
            return [say(f"The smallest private {size} is 0: {why}.")]
        of = self.result.several or ""
        whose = f" {of}{',' if ',' in of else ''}" if of else ""
        found = say(
            f"The smallest private {size}{whose} is above {minimum.lower} (refuted) and at most "
            f"{minimum.upper} (certified)."
        )
        return [found, say(f"{why}.")] if why else [found]

    def estimate(self) -> list[Paragraph]:
        """Return what the scale is for the laws alone that families are around: without doubt."""
        found = self.result.estimate
        if found is None:
            return []
        size, why = self._size, f": {found.reason}" if found.reason else ""
        known = f"above {found.lower} and at most {found.upper}"
        if found.upper in ("0", "inf"):
            known = f"{found.upper}{why}"
        return [
            say(
                f"If every law were exactly the one that its family is around, the {size} would be "
                f"{known}."
            )
        ]

    def _region(self) -> list[Paragraph]:
        """What the scale is for all laws that counts leave possible."""
        rests = self.result.rests_on
        problem = self.result.problem
        if rests is None or rests.region is None:
            return []
        said = region_words(rests.region, self._size)[:1]
        if rests.region.least is not None and problem is not None and counts_of(problem):
            said.append(
                "The recipes below are for the counts as exact: certified there says nothing of "
                "all laws that they leave possible."
            )
        return [say(one) for one in said]

    def _table(self) -> Table:
        rows = self.rows_of_recipes()
        columns = [
            Column(header, breaks=False, whole=width is not None, width=width)
            for header, width in (
                ("method", max(len(text_of(row[0])) for row in rows.values())),
                (self._size, 8),
                ("verdict", 9),
                ("waste", 6),
                ("noise sd", 8),
                ("closed form", None),  # may be cut
            )
        ]
        return Table(columns, [*rows.values()])

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
            (f"no {self._size} works" if never else toned(method.verdict),),
            (times(method.waste, ""),),
            (rounded_up(method.sd, 4),),
            (_cut(exact),),
        ]

    def _failures(self) -> list[Paragraph]:
        """Say for every refuted scale which recipes ask for it, and where it fails."""
        found: dict[tuple[str, str], list[str]] = {}
        rows = self.result.methods
        shown = shown_names(row.witness for row in rows.values() if row.witness is not None)
        for name, row in rows.items():
            if row.witness is not None:
                words = witness_words(row.witness, self.result.delta)
                words = f"{direction(row.witness, shown)}, {words}"
                found.setdefault((str(row.scale), words), []).append(name)
        said = [
            say(
                bad(f"{', '.join(names)} {'fail' if len(names) > 1 else 'fails'}"),
                f" at {self._size} {scale}: {words}",
            )
            for (scale, words), names in found.items()
        ]
        printed = sorted(
            name for name, row in rows.items() if row.refuted and name.endswith("_published")
        )
        if printed:
            said.insert(0, say(
                f"{', '.join(printed)}: as printed in a paper, and known to be too small for some "
                "priors; not to be used (pfverify explain says more)",
            ))  # fmt: skip
        return first(said, _SHOWN, "that fail", "--json has all")

    def _notes(self) -> Iterator[Paragraph]:
        """What the minimum rests on, where recipes fail or do not apply, and how to read all."""
        result = self.result
        for recipes, row in self.rows_of_recipes().items():
            if len(recipes) > 1:
                yield say(f"{text_of(row[0])}, with the same numbers: {', '.join(recipes)}",
                          folds=True)  # fmt: skip
        if result.rests_on is not None:
            more = region_words(result.rests_on.region, self._size)[1:]
            for words in (*more, *footing_words(result.rests_on, self._size)):
                yield say(words, folds=True)
        yield from self._failures()
        decided, bounded = result.pairs_decided, result.pairs_bounded
        if bounded:
            yield say(
                f"{decided} of {decided + bounded} pairs were decided. None of the others is the "
                "worst: W-infinity over epsilon, private for a pair, is below these scales."
            )
        if any(name.startswith("chain_") for name in result.methods):
            yield say(
                "The published recipes of chains cover every number that one record moves by at "
                "most as much; the other scales are for this release alone."
            )
        yield say(
            "Scales and sd are rounded up; waste is the scale over the minimum. --json has all "
            "digits and whole closed forms."
        )
        if (of_many := self._of_many()) is not None:
            yield say(of_many)
        names: dict[str, list[str]] = {}
        for name, reason in result.not_applicable.items():
            names.setdefault(reason, []).append(name)
        why = [say(f"{', '.join(of)}: not applicable: {reason}") for reason, of in names.items()]
        yield from first(why, _SHOWN, "reasons", "--json has all")

    def _of_many(self) -> str | None:
        """What the recipes for one release say of many."""
        problem = self.result.problem
        release = None if problem is None else problem.release
        if problem is not None and problem.numbers:
            return "Recipes for one number: not applicable: X is several numbers."
        if not isinstance(release, Repeated) or release.count == 1:
            return None
        if release.fresh:
            return (
                "Losses of fresh draws add: the recipes for one release are asked for its share of "
                "epsilon and delta."
            )
        return (
            "Releases of one X are worth one release: the recipes for one are times "
            f"{closed_form(simple_text(release.scale_worth))}, which is sufficient (F40, F41). "
            "added: as if their losses were to add, which they need not."
        )


def _cut(form: str) -> str:
    return form if len(form) <= _LONGEST else f"{form[: _LONGEST - 3]}..."
