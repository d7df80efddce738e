// Samples to try in a lesson: a dot each, stacked on a scale, with their mean and spread marked below it.
import { button, el, Life, setText, svg } from "../dom.js";

/** Of the drawing on a wide page and on a phone, so that its letters stay legible. */
const WIDE = 560;
const NARROW = 350;
const HEIGHT = 244;
const LEFT = 16;
const FLOOR = 176;
/** The largest dot. */
const DOT = 9;

/**
 * A step of 1, 2 or 5 times a power of ten, so that about eight marks fit.
 * @param {number} range
 */
function stepOf(range) {
  const rough = range / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5].find((times) => times * power >= rough) ?? 10) * power;
}

/**
 * @param {SamplingData} data
 * @param {number} across
 * @returns {SVGElement}
 */
function drawing(
  { stacks, low: least, high: most, width, mean, median, spread, exact, tail, labels, lang, axis },
  across,
) {
  const low = Math.min(least, ...stacks.map(([at]) => at)) - width / 2;
  const high = Math.max(most, ...stacks.map(([at]) => at)) + width / 2;
  const scale = (across - 2 * LEFT) / (high - low);
  const x = (/** @type {number} */ value) => LEFT + (value - low) * scale;
  const number = (/** @type {number} */ value, places = 2) =>
    value.toLocaleString(lang, { maximumFractionDigits: places }).replace("-", "−");
  const highest = Math.max(1, ...stacks.map(([, count]) => count));
  const dot = Math.min(DOT, width * scale, (FLOOR - 14) / highest);
  const round = dot >= 3;
  const flat = Math.min(width * scale * 0.44, Math.max(dot * 0.46, dot * 1.1));
  const small = { "font-size": 12, fill: "currentColor" };
  /** @type {Node[]} */
  const parts = [];
  if (tail !== null)
    parts.push(
      svg("rect", {
        x: x(tail - width / 2),
        y: 4,
        width: across - LEFT - x(tail - width / 2),
        height: FLOOR - 4,
        class: "nl-tail",
      }),
      svg("text", { x: across - LEFT - 4, y: 18, "text-anchor": "end", ...small }, labels.tail),
    );
  for (const [at, count] of stacks) {
    const shaded = tail !== null && at >= tail ? " nl-in-tail" : "";
    if (round)
      for (let place = 0; place < count; place++)
        parts.push(
          svg("ellipse", {
            cx: x(at),
            cy: FLOOR - dot * (place + 0.5),
            rx: flat,
            ry: dot * 0.46,
            class: `nl-dot${shaded}`,
          }),
        );
    else {
      // Too many for dots: bars to the same scale.
      const tall = ((FLOOR - 14) * count) / highest;
      const wide = Math.max(2, width * scale * 0.86);
      parts.push(
        svg("rect", { x: x(at) - wide / 2, y: FLOOR - tall, width: wide, height: tall, class: `nl-dot${shaded}` }),
      );
    }
  }
  parts.push(svg("line", { x1: LEFT, x2: across - LEFT, y1: FLOOR, y2: FLOOR, stroke: "currentColor" }));
  const step = stepOf(high - low);
  for (let tick = Math.ceil(low / step); tick * step <= high; tick++) {
    const at = tick * step || 0; // not −0
    parts.push(
      svg("line", { x1: x(at), x2: x(at), y1: FLOOR, y2: FLOOR + 4, stroke: "currentColor" }),
      svg("text", { x: x(at), y: FLOOR + 16, "text-anchor": "middle", ...small }, number(at)),
    );
  }
  if (exact !== null)
    parts.push(
      svg("line", {
        x1: x(exact),
        x2: x(exact),
        y1: 4,
        y2: FLOOR,
        stroke: "currentColor",
        "stroke-dasharray": "6 4",
      }),
      svg("text", { x: x(exact) + 4, y: 12, ...small }, `${labels.exact} ${number(exact, 3)}`),
    );
  if (median !== null)
    parts.push(
      svg("path", { d: `M${x(median)} ${FLOOR + 20}v12`, class: "nl-median", "stroke-width": 3 }),
      svg("text", { x: x(median) - 5, y: FLOOR + 32, "text-anchor": "end", ...small }, labels.median),
    );
  if (mean !== null) {
    const y = FLOOR + 26;
    if (spread !== null)
      parts.push(
        svg("path", {
          d: `M${x(mean - spread)} ${y - 5}v10m0-5H${x(mean + spread)}m0-5v10`,
          class: "nl-spread",
          fill: "none",
          "stroke-width": 2,
        }),
      );
    parts.push(
      svg("path", { d: `M${x(mean)} ${y - 6}l6 11h-12z`, class: "nl-mean" }),
      svg(
        "text",
        {
          x: median === null ? x(mean) : x(mean) + 9,
          y: y + (median === null ? 18 : 6),
          "text-anchor": median === null ? "middle" : "start",
          ...small,
        },
        spread === null ? labels.mean : labels.spread,
      ),
    );
  }
  parts.push(svg("text", { x: across - LEFT, y: HEIGHT - 3, "text-anchor": "end", ...small }, axis));
  const said = stacks.map(([at, count]) => `${number(at)}: ${count}`).join("; ");
  return svg(
    "svg",
    {
      viewBox: `0 0 ${across} ${HEIGHT}`,
      class: "nl-dots",
      style: `max-width:${Math.round(across * 1.15)}px`,
      role: "img",
      "aria-label": `${axis}. ${said}`,
    },
    parts,
  );
}

// The cells of a matrix: the more often one was played, the brighter; the last one has a frame.
/** @param {NonNullable<SamplingData["cells"]>} cells */
function matrix({ rows, columns, entries, counts, last }) {
  const all = Math.max(
    1,
    counts.reduce((sum, count) => sum + count, 0),
  );
  const line = (/** @type {string} */ name, /** @type {number} */ at) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, name),
      columns.map((_, column) => {
        const cell = at * columns.length + column;
        const share = Math.round((100 * (counts[cell] ?? 0)) / all);
        return el(
          "td",
          {
            class: cell === last ? "nl-lit nl-last" : "nl-lit",
            style: `--share:${share}%`,
            "data-count": counts[cell] ?? 0,
          },
          el("b", {}, String(entries[cell]).replace("-", "−")),
          el("small", {}, `${counts[cell] ?? 0} ×`),
        );
      }),
    );
  return el(
    "table",
    { class: "nl-chart nl-matrix" },
    el(
      "tr",
      {},
      el("td", {}),
      columns.map((name) => el("th", { scope: "col" }, name)),
    ),
    rows.map(line),
  );
}

/** @param {View<Part<SamplingData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const told = el("p", { role: "status" });
  const picture = el("div", { class: "nl-sampled" });
  const ways = model.data.ways.map((text, at) =>
    button(text, () => model.send({ type: "way", at }), { "data-way": at, class: "nl-sample-way" }),
  );
  const buttons = model.data.buttons.map(({ times, text }) =>
    button(text, () => model.send({ type: "run", times }), { "data-times": times }),
  );
  holder.append(
    el(
      "section",
      { class: "nl-experiment nl-sampling" },
      ways.length > 1 ? el("div", { class: "nl-bar", role: "group" }, ways) : "",
      el("div", { class: "nl-bar" }, buttons),
      told,
      picture,
    ),
  );
  const draw = () => {
    const { way, running, cells } = model.data;
    setText(told, model.data.told);
    for (const [at, node] of ways.entries()) node.setAttribute("aria-pressed", String(at === way));
    for (const node of buttons) node.disabled = running;
    const across = (picture.clientWidth || WIDE) < 480 ? NARROW : WIDE;
    picture.replaceChildren(...(cells ? [matrix(cells)] : []), drawing(model.data, across));
  };
  draw();
  life.model(model, "change", draw);
  life.on(window, "resize", draw);
  return () => life.end();
}

export default { render };
