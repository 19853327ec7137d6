"""A channel whose outputs are numbers, with steps after it: what is published is made of them."""

from __future__ import annotations

from typing import Any

from pfverify.errors import InputError, shorten
from pfverify.exact.number import rational
from pfverify.model.channels.channel import Channel
from pfverify.model.channels.entries import Entry
from pfverify.model.protection import Protection
from pfverify.model.releases.stepped import columns_of
from pfverify.model.steps.kinds import steps_of, steps_table
from pfverify.model.steps.step import PostStep, published


class MergedOutputs(Channel):
    """A channel, then steps in order: its outputs that become one are one, their masses summed.

    Raises InputError for an output that is no number, naming it, and as `steps_of`.
    Example: ``MergedOutputs(Channel.of({"kind": "truncated-geometric", "size": 3, "ratio": "1/2"}),
    [{"clamp": [0, 1]}]).outputs`` is ``("0", "1")``. Source: post-processing.
    """

    kind = "merged"
    base: Channel
    steps: tuple[PostStep, ...]
    _images: list[str]

    def __init__(self, base: Channel, steps: object) -> None:
        if not base.written_out:
            raise InputError(
                f"post: steps follow outputs that are numbers, and those of a channel of kind "
                f"{base.kind} are none"
            )
        found = steps_of(steps)
        images = []
        for name in base.outputs:
            try:
                images.append(published(found, rational(name)))
            except InputError:
                raise InputError(
                    f"post: steps follow outputs that are numbers, and the output "
                    f"{shorten(name, 30)!r} of the channel is none"
                ) from None
        self._keep(
            base=base, steps=found, inputs=base.inputs, _images=images,
            _outputs=tuple(dict.fromkeys(images)),
        )  # fmt: skip

    def canonical(self) -> dict[str, Any]:
        """Return the channel's table, and the steps."""
        return {**self.base.canonical(), "post": steps_table(self.steps)}

    def worked_out(self) -> tuple[tuple[Entry, ...], ...]:
        """Return the rows of the channel with equal outputs summed."""
        rows = [list(zip(self._images, row, strict=True)) for row in self.base.rows]
        return tuple(zip(*columns_of(rows).values(), strict=True))

    @property
    def named_kind(self) -> str:
        """The kind of the channel."""
        return self.base.kind

    def notion(self, *, with_priors: bool) -> str:
        """Return the channel's."""
        return self.base.notion(with_priors=with_priors)

    def released(self, *, bare: bool) -> str:
        """Return that the channel is taken as it is, and the steps."""
        steps = "; ".join(step.words for step in self.steps)
        return f"{self.base.released(bare=bare)}, then exactly these steps: {steps}"

    def tables(self, protection: Protection) -> dict[str, Any]:
        """Return `channel` and `post`."""
        return {**self.base.tables(protection), "post": steps_table(self.steps)}

    def canonical_tables(self, protection: Protection) -> dict[str, Any]:
        """Return `channel` and `post`."""
        return {**self.base.canonical_tables(protection), "post": steps_table(self.steps)}

    def __repr__(self) -> str:
        return f"MergedOutputs({self.base!r}, {steps_table(self.steps)!r})"
