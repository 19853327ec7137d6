// The page around the kernel: files in, one check at a time in a worker, its answer in words.
"use strict";

(() => {
  const MOST = (64 << 20) + 1; // bytes of a file that the kernel reads, and one more
  const CODES = { certified: 0, refuted: 0, scales: 0, coupling: 0, rejected: 1, malformed: 2 };
  const MEANS = {
    certified: "The promise holds for this problem file: for every output, pair and order.",
    refuted: "The promise does not hold: what the certificate names breaks it.",
    scales: "The scales that it names are private. Nothing is said about the scale in the file.",
    coupling: "The plans and distances that it names are right.",
    rejected: "Nothing is proved: the certificate does not fit the file, or a step is wrong.",
    malformed: "Nothing was checked: a file is not what the kernel reads.",
  };
  // from when a file is read on: nothing is loaded any more, all that is needed is here already
  const CLOSED =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; " +
    "style-src 'unsafe-inline'; img-src data:; form-action 'self'";

  const base = new URL(".", document.currentScript.src).href;
  const $ = (name) => document.getElementById(`checker-${name}`);
  const form = document.getElementById("checker");
  const inputs = [$("problem"), $("certificate"), $("named")];
  let worker = null; // Python, from one check to the next
  let busy = false; // whether it is checking
  let turn = 0; // counts checks, so that what comes late is not taken for an answer
  let clock = 0;
  let parts = null; // what is run, once it was asked for

  function element(name, text, kind) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  function show(...parts) {
    $("answer").replaceChildren(...parts);
  }

  const note = (text) => show(element("p", text, "checker-note"));

  // ------------------------------------------------------------------ what is run, loaded once

  function script(name) {
    return new Promise((done, fail) => {
      const made = element("script");
      made.src = base + name;
      made.onload = done;
      made.onerror = () => fail(new Error(`${name} is missing in this copy of the site`));
      document.head.append(made);
    });
  }

  async function unpacked(letters) {
    const packed = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  async function load() {
    await Promise.all([script("kernel.js"), script("engine.js")]);
    const { package: name, integrity, files } = globalThis.pfverifyEngine;
    const engine = {};
    for (const [file, letters] of Object.entries(files)) engine[file] = await unpacked(letters);
    const policy = element("meta");
    policy.httpEquiv = "Content-Security-Policy";
    policy.content = CLOSED;
    document.head.append(policy);
    const { files: kernel, worker: source } = globalThis.pfverifyKernel;
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    return { name, integrity, engine, kernel, address };
  }

  // --------------------------------------------------------------------------------- one check

  function end() {
    if (busy) discard();
    turn += 1;
    clearInterval(clock);
    $("clock").textContent = "";
    $("check").disabled = false;
    $("stop").disabled = true;
    $("answer").setAttribute("aria-busy", "false");
  }

  function discard() {
    worker?.terminate();
    worker = null;
    busy = false;
  }

  // Python, which takes some seconds to start
  async function start() {
    parts ??= load().catch((reason) => {
      parts = null; // the next check tries again
      throw reason;
    });
    const { engine, kernel, address } = await parts;
    if (worker === null) {
      const made = new Worker(address);
      made.onerror = (event) => {
        made.broken = event; // before a check asks it
      };
      made.postMessage({ engine, kernel });
      worker = made;
    }
    return parts;
  }

  function answered(files) {
    return new Promise((done, fail) => {
      const broken = (event) => fail(new Error(event.message || "Python could not be started"));
      busy = true;
      if (worker.broken) broken(worker.broken);
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = broken;
      worker.postMessage(files);
    });
  }

  function begin() {
    end();
    const began = performance.now();
    const tick = () => {
      $("clock").textContent = `${Math.round((performance.now() - began) / 1000)} s`;
    };
    clock = setInterval(tick, 1000);
    $("check").disabled = true;
    $("stop").disabled = false;
    $("answer").setAttribute("aria-busy", "true");
    return turn;
  }

  async function read(file) {
    try {
      return { name: file.name, bytes: await file.slice(0, MOST).arrayBuffer() };
    } catch {
      throw new Error(`${file.name} cannot be read: is it a folder, or was it changed?`);
    }
  }

  function chosen() {
    const [problem, certificate, named] = inputs.map((input) => [...input.files]);
    if (!problem.length) throw new Error("A problem file is missing.");
    if (!certificate.length) throw new Error("A certificate is missing.");
    const all = [...problem, ...certificate, ...named];
    const names = all.map((file) => file.name);
    const twice = names.find((name, place) => names.indexOf(name) !== place);
    if (twice !== undefined) throw new Error(`Two of the files have the name ${twice}.`);
    return all;
  }

  async function check() {
    const mine = begin();
    try {
      const files = chosen();
      note("Starting Python in this browser …");
      const { name, integrity } = await start();
      const [problem, certificate, ...named] = await Promise.all(files.map(read));
      if (mine !== turn) return;
      note("Checking …");
      const answer = await answered({ problem, certificate, named });
      if (mine !== turn) return;
      const shown = said(answer, [problem.name, certificate.name], `${name} (${integrity})`);
      busy = false;
      end();
      show(...shown);
    } catch (reason) {
      if (mine !== turn) return;
      end(); // a Python that failed is not asked again
      note(`No answer: ${reason.message}`);
    }
  }

  // -------------------------------------------------------------------------- its answer, shown

  function said({ failed, printed, code, digest, version, seconds }, names, engine) {
    if (failed !== undefined) throw new Error(`Python stopped: ${failed}`);
    const [line, ...rest] = printed.trimEnd().split("\n");
    const word = line.slice(0, line.indexOf(": "));
    if (!Object.hasOwn(CODES, word) || CODES[word] !== code) {
      throw new Error("the kernel said what this page does not know");
    }
    const list = element("details");
    list.append(element("summary", "All that the command prints"), element("pre", printed));
    const about = `${names.join(" and ")}, checked in ${seconds.toFixed(1)} s. Kernel: sha256 ` +
      `${digest}. Python ${version} of ${engine}.`;
    return [
      element("p", word, `checker-word checker-${word}`),
      element("p", MEANS[word]),
      element("p", line.slice(word.length + 2), "checker-reason"),
      ...(code === 0 ? rested(rest) : []), // on what else nothing rests
      list,
      element("p", about, "checker-small"),
    ];
  }

  function rested(lines) {
    const after = (start) =>
      lines.filter((one) => one.startsWith(start)).map((one) => one.slice(start.length));
    const rules = element("ul");
    rules.append(...after("rule ").map((one) => element("li", one)));
    const facts = rules.children.length ? ", and on the facts that its rules name:" : ".";
    return [element("p", `It rests on ${after("total: ")} of the kernel${facts}`), rules];
  }

  // --------------------------------------------------------------------------- files in, by hand

  function changed() {
    end();
    show(); // an answer stands beside the files that it is about, or not at all
    start().catch(() => {}); // a check says what is wrong
  }

  async function kind(file) {
    if (/\.toml$/i.test(file.name)) return "problem";
    if (/\.cert$/i.test(file.name)) return "certificate";
    if (!/\.json$/i.test(file.name)) return "named";
    let schema = "";
    try {
      schema = String(JSON.parse(await file.slice(0, MOST).text()).schema);
    } catch {
      return "named";
    }
    return /^pfverify\/(problem|certificate)\//.exec(schema)?.[1] ?? "named";
  }

  async function dropped(files) {
    changed();
    const mine = turn;
    await start().catch(() => {}); // no file is read before
    const sorted = { problem: [], certificate: [], named: [] };
    for (const file of files) sorted[await kind(file)].push(file);
    if (mine !== turn) return;
    for (const one of ["problem", "certificate"]) {
      if (sorted[one].length > 1) {
        const names = sorted[one].map((file) => file.name).join(", ");
        note(`One ${one} at a time, please: ${names}.`);
        return;
      }
    }
    for (const [name, found] of Object.entries(sorted)) {
      if (!found.length) continue;
      const given = new DataTransfer();
      for (const file of found) given.items.add(file);
      $(name).files = given.files;
    }
    if ($("problem").files.length && $("certificate").files.length) {
      await check();
    } else {
      note($("problem").files.length ? "The certificate is missing." : "The problem is missing.");
    }
  }

  for (const input of inputs) {
    input.addEventListener("click", changed); // the same file again, changed, is no change
    input.addEventListener("change", changed);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  $("stop").addEventListener("click", () => {
    end();
    note("Stopped: no answer.");
  });
  // anywhere on the page: beside the form, a browser would open the files in its place
  const brings = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    form.classList.add("checker-over");
  });
  document.addEventListener("dragleave", () => form.classList.remove("checker-over"));
  document.addEventListener("drop", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    form.classList.remove("checker-over");
    dropped([...event.dataTransfer.files]);
  });

  const lacks = ["Worker", "WebAssembly", "DecompressionStream"].filter((one) => !(one in window));
  form.hidden = lacks.length > 0;
  $("unable").hidden = !form.hidden;
  $("unable").textContent = `The checker needs a newer browser: this one has no ${lacks.join(", ")}.`;
})();
