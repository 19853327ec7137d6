"""Imports go in the directions of the design, read from the syntax trees."""

import ast
import importlib
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import pfverify
from pfverify.outward import OUTWARD, outward

ROOT = Path(pfverify.__file__).parent

# room -> rooms that it may import from (besides itself and the files of ROOT_FILES)
ALLOWED = {
    "exact": set(),
    "model": {"exact"},
    "laws": {"exact", "model"},
    "transport": {"exact", "model"},
    "sampling": {"exact", "model", "decide", "answers", "certificate"},
    "decide": {"exact", "model", "laws", "transport"},
    "scales": {"exact", "model", "laws", "transport", "decide"},
    "answers": {"exact", "model", "laws", "transport", "decide", "scales"},
    "certificate": {"exact", "model", "transport", "decide", "answers", "scales"},
    "crosscheck": {
        "exact", "model", "laws", "transport", "decide", "answers", "scales", "oracle", "workers",
        "subjects", "bridges",
    },
    "program": {"exact", "model", "sampling", "workers"},
    "oracle": {"exact", "model", "laws", "decide", "answers", "scales"},
    "workers": set(),
    "records": {"exact", "model", "answers"},
    "bridges": {"exact", "model", "answers"},
    "testing": {"exact", "model", "decide", "answers", "crosscheck", "workers"},
    "symbolic": {"exact", "model", "transport", "scales"},
    "proof": {"exact", "model", "transport", "scales", "certificate"},
    "many": {"exact", "model", "decide", "answers", "scales", "workers"},
    "subjects": set(),  # other people's ways of computing
    "edge": {
        "exact", "model", "laws", "transport", "sampling", "decide", "answers", "scales",
        "certificate", "symbolic", "proof", "many", "crosscheck", "subjects", "records", "workers",
        "program",
    },
}
ROOT_FILES = {"errors", "files", "keywords", "outward", "results", "version"}
# folder -> libraries that it imports, all of them; one that is not listed is as the one above it
LIBRARIES = {
    "": set(),
    "answers": {"mpmath"},
    "bridges": {"dp_accounting", "opendp"},
    "certificate": set(),
    "crosscheck": {"numpy"},
    "decide": set(),
    "decide/cells": {"numpy"},
    "decide/charts": {"numpy"},
    "decide/composed": {"numpy"},
    "decide/exponential": {"numpy"},
    "decide/grid": {"numpy"},
    "decide/masses": {"numpy"},
    "decide/sweeps": {"numpy"},
    "edge": {"click", "ipywidgets", "mpmath", "pandas", "platformdirs", "rich"},
    "edge/render": {"click", "matplotlib", "rich"},
    "exact": {"flint"},
    "laws/sweep": {"numpy"},
    "many": {"distributed"},
    "model": {"jsonschema"},
    "model/channels": {"numpy", "pyarrow"},
    "model/priors": {"numpy"},
    "model/steps": {"numpy"},
    "model/systems": {"numpy"},
    "oracle": {"numpy"},
    "proof": {"sympy", "z3"},
    "records": {"duckdb", "numpy", "openpyxl", "sklearn"},
    "scales": {"numpy", "scipy"},
    "subjects": {"numpy", "scipy"},
    "symbolic": {"sympy"},
    "testing": {"hypothesis", "pytest"},
    "transport": {"networkx", "numpy"},
}
# what writes decimals; a decision returns numbers, and these alone may write exact ones in words
WRITERS = tuple(f"pfverify.exact.{name}" for name in (
    "decimals", "enclosure", "published", "written",
))  # fmt: skip
ONLY_IMPORTER = {
    "flint": {"exact/ball.py", "exact/polynomials.py"},
    "z3": {"proof/arithmetic.py"},
}
# what imports by name: the public names, the way outward, tables of the edge, the routes, other
# people's code
BY_NAME = {
    "__init__.py",
    "decide/routes.py", "laws/kinds.py",
    "workers/loading.py",
    "outward.py",
    "testing/__init__.py",
    "edge/commands/shape.py",
    "edge/render/show.py",
    "edge/views/registry.py",
    "subjects/optional.py",
}
HEAVY = {"sympy", "networkx", "matplotlib", "scipy", "numpy", "mpmath", "flint", "rich", "click"}


def modules():
    return sorted(path for path in ROOT.rglob("*.py") if "kernel" not in path.parts)


@cache
def imported(path):
    """The modules that a file imports, inside functions and for type checkers too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            # a relative import keeps its dots, with which no table knows it
            module = "." * node.level + (node.module or "")
            names = [f"{module}.{alias.name}" for alias in node.names]
            found |= {name if file_of(name) else module for name in names}
    return sorted(found)


def file_of(name):
    """The file of a module of this project, or None."""
    top, *parts = name.split(".")
    base = ROOT.joinpath(*parts)
    found = [base / "__init__.py", base.parent / f"{base.name}.py"]
    return next((p for p in found if top == "pfverify" and p.is_file()), None)


def libraries(path):
    """The libraries of others that a file imports."""
    tops = {name.split(".")[0] for name in imported(path)}
    return tops - set(sys.stdlib_module_names) - {"pfverify"}


def listed_folder(path):
    """The nearest folder above a file that is in the table of libraries."""
    names = [str(p) for p in path.relative_to(ROOT).parents]
    return next(name for name in ["" if n == "." else n for n in names] if name in LIBRARIES)


def cycle(graph):
    """A cycle of a graph (node -> nodes), or None."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def test_the_rooms_are_the_known_ones():
    rooms = {p.parent.name for p in ROOT.glob("*/__init__.py")}
    assert rooms == set(ALLOWED)
    assert {p.stem for p in ROOT.glob("*.py")} == ROOT_FILES | {"__init__", "__main__"}


def against(path):
    """The imports of a file that go against the directions."""
    relative = path.relative_to(ROOT)
    room = relative.parts[0] if len(relative.parts) > 1 else None
    for name in imported(path):
        top, *parts = name.split(".")
        first = "".join(parts[:1])
        if top == "":
            yield f"{relative} imports {name}, relative to itself"
        elif top != "pfverify":
            continue
        elif not file_of(name):
            yield f"{relative} imports {name}, which is not there"
        elif room:
            # `import pfverify` would run through whatever the package root names
            allowed = ALLOWED[room] | ROOT_FILES | {room} | ({""} if room == "edge" else set())
            if first not in allowed:
                yield f"{relative} imports {name}"
        elif relative.stem in ROOT_FILES and first not in ROOT_FILES:
            yield f"{relative} imports {name}"


def test_imports_go_one_way():
    paths = modules()
    assert len(paths) > 400, "the files were not found"
    assert [fault for path in paths for fault in against(path)] == []


def test_decisions_and_scales_are_found_without_decimals():
    writing = {
        str(path.relative_to(ROOT))
        for room in ("decide", "scales")
        for path in (ROOT / room).rglob("*.py")
        if any(name.startswith(WRITERS) for name in imported(path))
    }
    assert writing == set()


def test_no_file_imports_itself_on_a_detour():
    paths = modules()
    graph = {p: {f for name in imported(p) if (f := file_of(name))} - {p} for p in paths}
    assert sum(map(len, graph.values())) > 500, "the imports were not read"
    found = cycle(graph)
    assert found is None, " -> ".join(str(p.relative_to(ROOT)) for p in found)
    assert cycle({1: {2}, 2: {3}, 3: {1}, 4: {1}}), "a cycle must be found"


def kernel_modules():
    """The modules of the kernel, by their names in its rooms."""
    folder = ROOT / "kernel"
    return {".".join(path.relative_to(folder).with_suffix("").parts): path
            for path in folder.rglob("*.py")}  # fmt: skip


def test_the_core_of_the_kernel_does_not_know_its_reader():
    found = {name: {*imported(path)} for name, path in kernel_modules().items()}
    assert {name for name in found if name.startswith("reader.")}
    assert not {
        name for name, others in found.items()
        if name.startswith("core.") and any(o.startswith("reader") for o in others)
    }  # fmt: skip


def test_no_file_of_the_kernel_imports_itself_on_a_detour():
    kernel = kernel_modules()
    graph = {name: set(kernel) & {*imported(path)} for name, path in kernel.items()}
    assert graph["__main__"], "the imports were not read"
    found = cycle(graph)
    assert found is None, " -> ".join(found)


def test_each_folder_imports_the_libraries_of_the_table():
    found = {folder: set() for folder in LIBRARIES}
    for path in modules():
        found[listed_folder(path)] |= libraries(path)
    assert found == LIBRARIES
    for name, importers in ONLY_IMPORTER.items():
        by = {str(path.relative_to(ROOT)) for path in modules() if name in libraries(path)}
        assert by == importers, f"{by} import {name}"


def test_the_kernel_imports_only_the_standard_library_and_itself():
    kernel = ROOT / "kernel"
    own = {name.split(".")[0] for name in kernel_modules()}
    assert own, "the kernel is missing"
    assert not own & set(sys.stdlib_module_names) - {"__main__"}
    known = own | set(sys.stdlib_module_names)
    assert [
        f"{path.name} imports {name}"
        for path in sorted(kernel.rglob("*.py"))
        for name in imported(path)
        if name.split(".")[0] not in known
    ] == []


def test_what_is_imported_by_name_is_what_the_tables_list():
    """Where a name is text, no other test here sees the import."""
    found = {
        str(path.relative_to(ROOT))
        for path in modules()
        if "import_module" in path.read_text("utf-8")
    }
    assert found == BY_NAME
    for name, module in OUTWARD.items():
        assert callable(getattr(importlib.import_module(module), name))
    with pytest.raises(KeyError):
        outward("system")


def test_routes_name_functions_of_their_own_room():
    """They are text for `_late`, which loads them when a question first needs them."""
    tree = ast.parse((ROOT / "decide" / "routes.py").read_text("utf-8"))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    rooms = {"_late": "", "_further": "several.", "_further_scaled": "several."}
    calls = [
        (rooms[ast.unparse(node.func)], *map(ast.literal_eval, node.args))
        for node in nodes
        if ast.unparse(node.func) in rooms and isinstance(node.args[0], ast.Constant)
    ]
    assert len(calls) > 20, "the calls were not found"
    for room, module, *name in calls:
        found = importlib.import_module(f"pfverify.decide.{room}{module}")
        assert callable(getattr(found, *(name or ["compared"])))


# what messages, JSON, pages, pictures, sweeps and more than one number need, and a verdict does not
ASIDE = {
    "difflib", "json", "traceback", "pfverify.answers.leaks", "pfverify.edge.mistaken",
    "pfverify.edge.pages", "pfverify.edge.pictures", "pfverify.edge.render.picture_file",
    "pfverify.edge.views.data", "pfverify.edge.views.sweep", "pfverify.exact.meant",
    "pfverify.model.steps.cells",
}  # fmt: skip
MOST_OF_A_VERDICT = 247  # modules of this project that one loads, its packages, and every noise


def loaded_by(code):
    """The modules that a program leaves loaded."""
    code += "\nimport sys; print(*sys.modules, file=sys.stderr)"
    run = [sys.executable, "-c", code]
    return set(subprocess.run(run, capture_output=True, text=True, check=True).stderr.split())


def heavy(loaded):
    """The libraries among loaded modules that are slow to load."""
    return {name.partition(".")[0] for name in loaded} & (HEAVY | {"jsonschema", "attrs"})


def test_import_pfverify_stays_cheap():
    assert not heavy(loaded_by("import pfverify"))


@pytest.mark.parametrize("example", ["census", "tie-delta"])
def test_a_verdict_on_few_atoms_loads_no_arrays_and_no_validator(example):
    """Both are slow to load: what is refused, and what has many atoms, asks for them."""
    code = f"from pfverify.edge.cli import main; main(['certify', 'example:{example}'])"
    loaded = loaded_by(code)
    assert heavy(loaded) == {"flint", "rich", "click"}
    assert loaded & ASIDE == set()
    assert sum(name.startswith("pfverify") for name in loaded) <= MOST_OF_A_VERDICT


def test_what_a_verdict_need_not_load_is_there():
    """Of the project: a module that is renamed would be missed by no other test."""
    assert all(file_of(name) for name in ASIDE if name.startswith("pfverify"))


def test_a_check_loads_nothing_that_decides(tmp_path):
    """The kernel decides, in an interpreter of its own."""
    place = tmp_path / "census.cert"
    pfverify.certify("example:census").write(place)
    words = ["check", "example:census", str(place), "--expect", "certified"]
    loaded = loaded_by(f"from pfverify.edge.cli import main; assert main({words}) == 0")
    assert heavy(loaded) == {"rich", "click"}
    assert not {"pfverify.model.problem", "pfverify.answers.outcome"} & loaded


PUBLIC = sorted(set(pfverify.__all__) - {"__version__", "Number"})  # a union is not called


def test_no_room_shadows_a_public_name():
    """A subpackage called like a public function would replace it once it is imported."""
    tops = {path.stem for path in ROOT.iterdir()}
    assert tops.isdisjoint(PUBLIC)
    code = (
        "import pkgutil, importlib, pfverify\n"
        "for m in pkgutil.walk_packages(pfverify.__path__, 'pfverify.'):\n"
        "    if '__main__' not in m.name: importlib.import_module(m.name)\n"
        f"print(*(name for name in {PUBLIC} if callable(getattr(pfverify, name))))\n"
    )
    run = [sys.executable, "-c", code]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.split() == PUBLIC
