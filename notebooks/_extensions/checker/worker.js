// Python in a worker of its own. It is given every file that it reads, loads the kernel anew for each
// check, runs it as the command line does, and hands back what the kernel printed.
"use strict";

const RUN = `
import contextlib, hashlib, io, os, pathlib, runpy, shutil, sys

KERNEL, FILES, PATH = pathlib.Path("/kernel"), pathlib.Path("/files"), [*sys.path]

def digest(folder):
    """Of the lines that sha256sum prints of the files, in the order of their names' bytes."""
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.py"))
    lines = [f"{hashlib.sha256((folder / n).read_bytes()).hexdigest()}  ./{n}\\n" for n in names]
    return hashlib.sha256("".join(lines).encode()).hexdigest()

def clear():
    """As before the first check: no file of it, and nothing of the kernel loaded."""
    os.chdir("/")
    shutil.rmtree(FILES, ignore_errors=True)
    FILES.mkdir()
    os.chdir(FILES)
    sys.path[:] = PATH
    ours = {path.stem for path in KERNEL.iterdir()} - {"__main__"}
    for name in [name for name in sys.modules if name.partition(".")[0] in ours]:
        del sys.modules[name]

def answer(problem, certificate):
    printed, code, identity = io.StringIO(), None, digest(KERNEL)
    sys.argv[:] = [str(KERNEL), "--trusts", problem, certificate]
    with contextlib.redirect_stdout(printed):
        try:
            runpy.run_path(str(KERNEL), run_name="__main__")
        except SystemExit as left:
            code = left.code
    return [printed.getvalue(), code, identity, sys.version.split()[0]]

[clear, answer]
`;

const local = (bytes) => URL.createObjectURL(new Blob([bytes]));

// A file that the problem names in a folder below its own is put there too.
function places(name, problem) {
  const named = problem.matchAll(/["']((?:[^"'\\\n/]+\/)+)([^"'\\\n/]+)["']/g);
  const below = [...named].filter((one) => one[2] === name).map((one) => one[1]);
  const inside = below.filter((path) => !path.split("/").includes(".."));
  return ["", ...inside].map((path) => `/files/${path}`);
}

function put(FS, path, bytes) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  FS.writeFile(path, new Uint8Array(bytes));
}

async function started({ engine, kernel }) {
  // the package asks for its files by name, and gets those that were handed over
  globalThis.fetch = async (address) => {
    const name = String(address.url ?? address).split("/").pop();
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(engine[name], { headers: { "content-type": type } });
  };
  importScripts(local(engine["pyodide.asm.js"]), local(engine["pyodide.js"]));
  const python = await loadPyodide({
    indexURL: "https://engine.invalid/", // no place: see fetch
    lockFileContents: new TextDecoder().decode(engine["pyodide-lock.json"]),
    jsglobals: Object.create(null), // nothing of the browser is there for Python
  });
  for (const [name, text] of Object.entries(kernel)) {
    put(python.FS, `/kernel/${name}`, new TextEncoder().encode(text));
  }
  const [clear, answer] = python.runPython(RUN).toJs();
  return { FS: python.FS, clear, answer };
}

async function checked({ problem, certificate, named }) {
  const { FS, clear, answer } = await python;
  const began = performance.now();
  clear();
  const stated = new TextDecoder().decode(problem.bytes);
  for (const file of named) {
    for (const place of places(file.name, stated)) put(FS, place + file.name, file.bytes);
  }
  for (const file of [problem, certificate]) put(FS, `/files/${file.name}`, file.bytes);
  const [printed, code, digest, version] = answer(problem.name, certificate.name).toJs();
  const seconds = (performance.now() - began) / 1000;
  return { printed, code, digest, version, seconds };
}

let python = null; // Python with the kernel's files, once it is started

onmessage = async ({ data }) => {
  try {
    if (data.engine) {
      python = started(data);
      await python;
    } else {
      postMessage(await checked(data));
    }
  } catch (reason) {
    postMessage({ failed: String(reason) });
  }
};
