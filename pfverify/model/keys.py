"""Keys of tables as data: reader, writer, canonical form and schema come of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple, Self

from pfverify.errors import InputError

NUMBER = {"$ref": "#/$defs/number"}
"""Of a number, in the published schema."""
NUMBERS = {"type": "array", "minItems": 1, "items": NUMBER}
"""Of a list of numbers."""
AMOUNTS = {"type": "object", "minProperties": 1, "additionalProperties": NUMBER}
"""Of a table of amounts."""
TEXT = attrgetter("text")
"""How an exact number is written."""


def same(value: Any) -> Any:
    """Return a value as it is. Example: ``same(3)`` is 3."""
    return value


class Key(NamedTuple):
    """One key of a table.

    Attributes: `name`, in files, and of a parameter of the class; `description` and `shape`, in the
    published schema; `needed`, whether it must be there, and `what` it is then, in words; `parse`,
    what the parameter is of what a file says; `read`, the checked value of a parameter; `kept`, the
    attribute that has what is written, where it is not that of its name; `text`, how that is
    written; `shown`, how a repr has it; `written`, False for another way to state what others say.
    """

    name: str
    description: str = ""
    shape: Mapping[str, Any] = NUMBER
    needed: bool = False
    what: str = ""
    parse: Callable[[Any], Any] = same
    read: Callable[[Any], Any] = same
    kept: str = ""
    text: Callable[[Any], Any] = str
    shown: Callable[[Any], str] | None = None
    written: bool = True

    def schema(self) -> dict[str, Any]:
        """Return its definition in the published schema."""
        return {**self.shape, **({"description": self.description} if self.description else {})}


CLOSED = {"additionalProperties": False}
"""What the published schema says of a table that has known keys alone."""


def needed_of(keys: Iterable[Key]) -> list[str]:
    """Return the names of the keys that must be there."""
    return [key.name for key in keys if key.needed]


def check_needed(
    table: Mapping[str, Any], keys: Iterable[Key], where: str = "", of: str = ""
) -> None:
    """Raise InputError that begins with `where` for a key that a table must have and has not.

    Example: ``check_needed({}, [Key("a", needed=True)], "x: ")`` raises.
    """
    for name in needed_of(keys):
        if name not in table:
            raise InputError(f"{where}missing key {name!r}{of}")


def table_of_keys(keys: Sequence[Key], said: Mapping[str, Any] = CLOSED) -> dict[str, Any]:
    """Return the definition of a table of these keys, of which more is `said`: no others, at first.

    Example: ``table_of_keys([Key("a", needed=True)])["required"]`` is ``["a"]``.
    """
    needed = needed_of(keys)
    return {
        "type": "object", **({"required": needed} if needed else {}), **said,
        "properties": {key.name: key.schema() for key in keys},
    }  # fmt: skip


def table_of_kinds(kinds: Iterable[str], prefix: str = "") -> dict[str, Any]:
    """Return the definition of a table of one of these kinds, whose own have this prefix.

    Example: ``table_of_kinds(["a"], "b-")["allOf"][0]["then"]`` is ``{"$ref": "#/$defs/b-a"}``.
    """
    names = list(kinds)
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": names}},
        "allOf": [
            {
                "if": {"required": ["kind"], "properties": {"kind": {"const": name}}},
                "then": {"$ref": f"#/$defs/{prefix}{name}"},
            }
            for name in names
        ],
    }


class Keyed(ABC):
    """A kind that is read, written and published by its keys.

    Attributes: `kind`, its name in files; `keys`, what its table may have besides; `one_of`, those
    of them of which exactly one is there.
    """

    __slots__ = ()

    kind: ClassVar[str]
    keys: ClassVar[tuple[Key, ...]]
    one_of: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def __init__(self, *values: Any, **named: Any) -> None:
        """Check and keep the values of its keys."""

    @classmethod
    def _values(cls, **values: object) -> dict[str, Any]:
        """The values of some keys as they read them; None where one is missing that may be."""
        keys = {key.name: key for key in cls.keys}
        return {
            name: x if x is None and not keys[name].needed else keys[name].read(x)
            for name, x in values.items()
        }

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Self:
        """Return what a table that has known keys alone states; InputError naming the key."""
        check_needed(table, cls.keys, of=f" of kind {cls.kind}")
        stated = [(key, table[key.name]) for key in cls.keys if key.name in table]
        return cls(**{key.name: key.parse(x) for key, x in stated})

    def to_table(self) -> dict[str, Any]:
        """Return the table that `from_table` reads as this."""
        return {"kind": self.kind, **{key.name: key.text(x) for key, x in self._stated()}}

    def _stated(self) -> list[tuple[Key, Any]]:
        """The keys that are written, with what they say: those that say something."""
        found = [(key, getattr(self, key.kept or key.name)) for key in self.keys if key.written]
        return [(key, x) for key, x in found if x is not None]

    @classmethod
    def known_keys(cls) -> list[str]:
        """Return the kind, and the names of all keys."""
        return ["kind", *(key.name for key in cls.keys)]

    @classmethod
    def together(cls) -> dict[str, Any]:
        """Return what the published schema says of keys together: one of some is there."""
        return {"oneOf": [{"required": [key]} for key in cls.one_of]} if cls.one_of else {}
