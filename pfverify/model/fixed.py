"""Data that stays as it was when it was checked."""

from __future__ import annotations

from typing import NoReturn


class Fixed:
    """Its attributes are kept by `__init__`; setting one later is an AttributeError.

    What is checked when it is made would otherwise be decided unchecked after a change: a
    negative scale, no pairs at all. Example: ``Laplace(1).scale = -1`` raises.
    """

    def _keep(self, **attributes: object) -> None:
        """Keep these attributes, for good."""
        vars(self).update(attributes)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"{type(self).__name__}.{name} cannot be set: make another {type(self).__name__}"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be deleted")
