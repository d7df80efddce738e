// An experiment: run it, see how often each result came and the mean settle, beside the exact value once that is known.
import { button, el, Life, setText, svg } from "../dom.js";

const WIDTH = 420;
const HEIGHT = 120;

/**
 * @param {Mean[]} path
 * @param {number | null} exact
 * @param {string} lang
 * @param {string} label what the band is; without it there is none
 */
function drawing(path, exact, lang, label) {
  const [runs, last, error] = path[path.length - 1];
  const means = path.slice(Math.floor(path.length / 20)).map(([, mean]) => mean);
  if (exact !== null) means.push(exact);
  const low = Math.min(...means) - 2 * error;
  const high = Math.max(...means) + 2 * error;
  const x = (/** @type {number} */ at) => 44 + ((WIDTH - 54) * at) / runs;
  const y = (/** @type {number} */ value) =>
    8 + (HEIGHT - 24) * (1 - (Math.min(Math.max(value, low), high) - low) / (high - low || 1));
  const band = [
    ...path.map(([at, mean, off]) => [x(at), y(mean + 2 * off)]),
    ...path.toReversed().map(([at, mean, off]) => [x(at), y(mean - 2 * off)]),
  ];
  const points = (/** @type {number[][]} */ list) => list.map(([a, b]) => `${a.toFixed(1)},${b.toFixed(1)}`).join(" ");
  const number = (/** @type {number} */ value) =>
    value.toLocaleString(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const small = { "text-anchor": "end", "font-size": 11, fill: "currentColor" };
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "nl-settling", role: "img", "aria-label": number(last) },
    label ? svg("polygon", { points: points(band), class: "nl-settling-band" }) : null,
    label ? svg("text", { x: 48, y: HEIGHT - 3, "font-size": 11, fill: "currentColor" }, label) : null,
    svg("polyline", { points: points(path.map(([at, mean]) => [x(at), y(mean)])), class: "nl-course", fill: "none" }),
    exact === null
      ? null
      : svg("line", {
          x1: 44,
          x2: WIDTH - 10,
          y1: y(exact),
          y2: y(exact),
          stroke: "currentColor",
          "stroke-dasharray": "6 4",
        }),
    [low, high].map((value) => svg("text", { x: 40, y: y(value) + 4, ...small }, number(value))),
    svg("text", { x: WIDTH - 10, y: HEIGHT - 3, ...small }, String(runs)),
  );
}

// How often each result came: a bar each, at its place on a scale, with its number on it.
/**
 * @param {[value: number, count: number][]} bars
 * @param {string} lang
 */
function histogram(bars, lang) {
  const most = Math.max(...bars.map(([, count]) => count));
  const low = Math.min(0, ...bars.map(([value]) => value));
  const high = Math.max(1, ...bars.map(([value]) => value));
  const nearest = Math.min(high - low, ...bars.slice(1).map(([value], at) => value - (bars[at]?.[0] ?? value - 1)));
  const scale = (WIDTH - 40) / (high - low + nearest);
  const x = (/** @type {number} */ value) => 20 + (value - low + nearest / 2) * scale;
  const wide = Math.min(nearest * scale * 0.84, 60);
  const short = (/** @type {number} */ value) => value.toLocaleString(lang, { maximumFractionDigits: 2 });
  const small = { "text-anchor": "middle", "font-size": 11, fill: "currentColor" };
  let free = Number.NEGATIVE_INFINITY; // labels that would overlap are left out
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      class: "nl-settling nl-counts",
      role: "img",
      "aria-label": bars.map(([value, count]) => `${short(value)}: ${count}`).join("; "),
    },
    svg("line", { x1: 20, x2: WIDTH - 20, y1: HEIGHT - 16, y2: HEIGHT - 16, stroke: "currentColor" }),
    bars.flatMap(([value, count]) => {
      const tall = ((HEIGHT - 32) * count) / most;
      const middle = x(value);
      const named = middle - free >= 24;
      if (named) free = middle;
      return [
        svg("rect", {
          x: middle - wide / 2,
          y: HEIGHT - 16 - tall,
          width: wide,
          height: tall,
          class: "nl-settling-band",
          stroke: "currentColor",
          "stroke-width": 0.7,
          "data-value": value,
        }),
        named ? svg("text", { x: middle, y: HEIGHT - 4, ...small }, short(value)) : null,
        named ? svg("text", { x: middle, y: HEIGHT - 19 - tall, ...small }, String(count)) : null,
      ];
    }),
  );
}

/** @param {View<Part<ExperimentData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const told = el("p", { role: "status" });
  const picture = el("div", {});
  const meaning = el("p", { class: "nl-note-line" });
  const stop = button(model.get("stop"), () => model.send({ type: "stop" }), { "data-do": "stop", hidden: true });
  const buttons = model
    .get("buttons")
    .map(({ times, text }) => button(text, () => model.send({ type: "run", times }), { "data-times": times }));
  const go = button(model.get("go"), () => model.send({ type: "go" }), { "data-do": "go" });
  buttons.push(go);
  holder.append(
    el(
      "section",
      { class: "nl-experiment" },
      el("p", {}, model.get("text")),
      el("div", { class: "nl-bar" }, buttons, stop),
      told,
      picture,
      meaning,
    ),
  );
  const draw = () => {
    const { told: words, path, bars, exact, running, meaning: meant, counted, running_mean: mean, band } = model.data;
    const lang = document.documentElement.lang || "en";
    setText(told, words);
    stop.hidden = !running;
    for (const node of buttons) node.disabled = running;
    /**
     * @param {string} title
     * @param {Node} drawn
     */
    const named = (title, drawn) => el("figure", { class: "nl-watched" }, el("figcaption", {}, title), drawn);
    picture.replaceChildren(
      ...(bars.length ? [named(counted, histogram(bars, lang))] : []),
      ...(path.length ? [named(mean, drawing(path, exact, lang, band))] : []),
    );
    setText(meaning, path.length ? meant : "");
  };
  draw();
  life.model(model, "change", draw);
  return () => life.end();
}

export default { render };
