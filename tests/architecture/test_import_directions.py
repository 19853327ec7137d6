"""Imports go in the directions of the design, read from the syntax trees."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pfverify

ROOT = Path(pfverify.__file__).parent

# room -> rooms that it may import from (besides itself and pfverify.errors)
ALLOWED = {
    "exact": set(),
    "model": {"exact"},
    "transport": {"exact", "model"},
    "decide": {"exact", "model"},
    "scales": {"exact", "model", "transport", "decide"},
    "certificate": {"exact", "model", "transport", "decide", "scales"},
    "symbolic": {"exact", "model", "transport", "scales"},
    "proof": {"exact", "model", "transport", "scales", "certificate"},
    "edge": {"exact", "model", "transport", "decide", "scales", "certificate", "symbolic", "proof"},
}
ONLY_IMPORTER = {
    "flint": ("exact/ball.py",),
    "rich": ("edge",),
    "click": ("edge",),
    "networkx": ("transport",),
    "sympy": ("symbolic", "proof"),
    "z3": ("proof/arithmetic.py",),
}
HEAVY = {"sympy", "networkx", "matplotlib", "scipy", "numpy", "mpmath", "flint", "rich", "click"}


def modules():
    return sorted(path for path in ROOT.rglob("*.py") if "kernel" not in path.parts)


def imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module


def test_the_rooms_are_the_known_ones():
    rooms = {p.parent.name for p in ROOT.glob("*/__init__.py")}
    assert rooms == set(ALLOWED)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_one_way(path):
    relative = path.relative_to(ROOT)
    room = relative.parts[0] if len(relative.parts) > 1 else None
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "pfverify" and room and len(parts) > 1 and parts[1] != "errors":
            assert parts[1] in ALLOWED[room] | {room}, f"{relative} imports {name}"
        home = ONLY_IMPORTER.get(parts[0])
        if home:
            assert str(relative).startswith(home), f"{relative} imports {name}"


def test_the_kernel_imports_only_the_standard_library_and_itself():
    kernel = ROOT / "kernel"
    own = {path.stem for path in kernel.glob("*.py")}
    assert own, "the kernel is missing"
    assert not own & set(sys.stdlib_module_names) - {"__main__"}
    for path in kernel.glob("*.py"):
        for name in imported(path):
            top = name.split(".")[0]
            assert top in own or top in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_import_pfverify_stays_cheap():
    code = "import sys, pfverify; print(' '.join(sorted(m.split('.')[0] for m in sys.modules)))"
    run = [sys.executable, "-c", code]
    loaded = set(subprocess.run(run, capture_output=True, text=True, check=True).stdout.split())
    assert not loaded & HEAVY


@pytest.mark.parametrize("name", sorted(set(pfverify.__all__) - {"__version__"}))
def test_no_room_shadows_a_public_name(name):
    """A subpackage called like a public function would replace it once it is imported."""
    assert not (ROOT / name).exists()
    assert not (ROOT / f"{name}.py").exists()
    code = (
        "import pkgutil, importlib, pfverify\n"
        "for m in pkgutil.walk_packages(pfverify.__path__, 'pfverify.'):\n"
        "    if '__main__' not in m.name: importlib.import_module(m.name)\n"
        f"from pfverify import {name}\n"
        f"assert callable({name}), {name}\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
