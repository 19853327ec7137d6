"""The bytes of a file that a problem names from its folder."""

from __future__ import annotations

import hashlib
import os
from typing import Any

from core.grammar import Malformed, shown
from core.shapes import string
from core.work import PER_BYTE, spend, under_way
from reader.files import read_bytes


def named_bytes(value: Any, what: str, kinds: tuple[str, ...]) -> tuple[str, str, bytes]:
    """Where messages say that a file is, how its name ends, and its bytes; where the table states
    their digest they must have it."""
    name = string(value["file"], f"{what}: file")
    check = under_way()
    path = name if check is None else os.path.join(check.folder, name)
    kind = os.path.splitext(name)[1].lower()
    if kind not in kinds:
        ends = " or ".join(kinds)
        raise Malformed(f"{what}: {shown(name)} is no {ends}, which this kernel reads")
    if not os.path.isfile(path):  # nor what does not end, or waits
        raise Malformed(f"{what}: {shown(name)} is no regular file")
    data = read_bytes(path)
    if check is not None and (real := os.path.realpath(path)) not in check.files:
        check.files.add(real)
        check.allowed += PER_BYTE * len(data)  # once, however often the file is named
    spend(len(data) >> 5)
    stated = string(value.get("digest", ""), f"{what}: digest")
    if "digest" in value and stated != f"sha256:{hashlib.sha256(data).hexdigest()}":
        raise Malformed(f"{what}: {shown(name)} has other bytes than the digest says")
    return f"{what}: {shown(name)}", kind, data
