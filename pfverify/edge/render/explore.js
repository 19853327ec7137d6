"use strict";
// Chooses among texts and pictures that stand in the page. It decides and computes nothing: a place
// between two decided values has no text of its own but the names of those values.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("explored").textContent);
  const signs = { certified: "●", refuted: "✖", undecided: "◆" };
  const columns = data.epsilons.length;
  const sliders = { scale: data.scales, epsilon: data.epsilons };

  // The decided places on both sides of where a slider stands; one place twice where it is decided.
  function ends(name) {
    const input = byId(name);
    if (input === null) return [0, 0];
    const at = Number(input.value);
    return [Math.floor(at / 2), Math.ceil(at / 2)];
  }

  const different = ([low, high]) => (low === high ? [low] : [low, high]);
  const value = (scale, epsilon) => data.values[scale * columns + epsilon];
  const named = (one) => `${one.at} (${one.verdict})`;
  const both = (around) => around.map(named).join(around.length > 2 ? "; " : " and ");

  function say(around) {
    const one = around.length === 1 ? around[0] : null;
    const box = byId("verdict");
    box.className = one === null ? "verdict between" : `verdict ${one.tone}`;
    box.firstElementChild.textContent = one === null ? data.words.open : one.verdict;
    box.lastElementChild.textContent = one === null ? "" : one.at;
    byId("whole").textContent =
      one === null ? data.words.between.split("@").join(both(around)) : one.said;
    byId("one").textContent = one === null ? "" : one.pairs[Number(byId("pair").value)].said;
  }

  function label(name, places, around) {
    const input = byId(name);
    if (input === null) return;
    const texts = different(places).map((k) => sliders[name][k]);
    const text = texts.length === 1 ? texts[0] : `between ${texts[0]} and ${texts[1]}`;
    const verdict = around.length === 1 ? around[0].verdict : data.words.open;
    byId(`${name}-at`).textContent = text;
    input.setAttribute("aria-valuetext", `${text}: ${verdict}`);
  }

  // A mark for each decided place of a slider, where the other one stands on a decided place too.
  function mark(name, places, at) {
    const marks = document.querySelectorAll(`[data-of="${name}"] > .mark`);
    marks.forEach((one, k) => {
      const found = at(k);
      const here = places[0] === k && places[1] === k ? " here" : "";
      one.textContent = found === null ? "·" : signs[found.verdict];
      one.className = `mark${found === null ? "" : ` ${found.tone}`}${here}`;
    });
  }

  function draw(scales, epsilons, between) {
    const pictures = byId("pictures");
    const pair = byId("pair").value;
    pictures.dataset.low = epsilons[0];
    pictures.dataset.high = epsilons[1];
    pictures.classList.toggle("between", between);
    for (const one of pictures.children) {
      one.hidden = one.dataset.pair !== pair || !scales.includes(Number(one.dataset.scale));
    }
  }

  function show() {
    const scales = ends("scale");
    const epsilons = ends("epsilon");
    const around = different(scales).flatMap((k) => different(epsilons).map((j) => value(k, j)));
    say(around);
    label("scale", scales, around);
    label("epsilon", epsilons, around);
    const [scale, epsilon] = [different(scales), different(epsilons)];
    mark("scale", scales, (k) => (epsilon.length === 1 ? value(k, epsilon[0]) : null));
    mark("epsilon", epsilons, (j) => (scale.length === 1 ? value(scale[0], j) : null));
    draw(scales, epsilons, around.length > 1);
  }

  for (const name of ["scale", "epsilon", "pair"]) byId(name)?.addEventListener("input", show);
  byId("controls").hidden = false;
  show();
})();
