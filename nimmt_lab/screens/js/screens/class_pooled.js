// Everybody's results on the wall: one histogram.
import { el, svg } from "../dom.js";

const WIDE = 640;
const HIGH = 360;
const FOOT = 44;

// One histogram of everybody's results, the mean with its interval below, and a dot for each pupil.
/**
 * @param {ClassPooled} pooled
 * @param {string} lang
 */
function histogram({ bars, wide, dots, mean, ends, exact, text, scale = [] }, lang) {
  const values = bars.map(([value]) => value);
  const low = Math.min(...values, ...dots, ...ends, ...scale) - 0.6 * wide;
  const high =
    Math.max(...values.map((value) => value + (wide > 1 ? wide - 1 : 0)), ...dots, ...ends, ...scale) + 0.6 * wide;
  const most = Math.max(1, ...bars.map(([, count]) => count));
  const x = (/** @type {number} */ value) => 20 + ((WIDE - 40) * (value - low)) / (high - low || 1);
  const base = HIGH - FOOT - 70;
  const number = (/** @type {number} */ value) => value.toLocaleString(lang, { maximumFractionDigits: 2 });
  let labelled = Number.NEGATIVE_INFINITY; // where the last number stands: two must not touch
  const half = (x(wide) - x(0)) * 0.42;
  const column = (/** @type {number} */ dot) => Math.round(x(dot) / 14);
  const deepest = Math.max(1, ...dots.map((dot) => dots.filter((other) => column(other) === column(dot)).length));
  const apart = Math.min(13, 46 / deepest); // one above the other, however many there are
  const placed = new Map();
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, class: "nl-wall-chart", role: "img", "aria-label": text },
    bars.flatMap(([value, count]) => {
      const middle = x(value + Math.max(0, wide - 1) / 2);
      const tall = ((base - 34) * count) / most;
      const free = middle - labelled >= 22 + 8 * number(value).length;
      if (free) labelled = middle;
      return [
        svg("rect", { x: middle - half, y: base - tall, width: 2 * half, height: tall, class: "nl-wall-bar" }),
        free ? svg("text", { x: middle, y: base - tall - 8, class: "nl-wall-text nl-middle" }, String(count)) : null,
        !free ? null : svg("text", { x: middle, y: base + 26, class: "nl-wall-text nl-middle" }, number(value)),
      ];
    }),
    svg("line", { x1: 10, x2: WIDE - 10, y1: base, y2: base, class: "nl-wall-axis" }),
    dots.map((dot) => {
      const place = column(dot);
      const level = placed.get(place) ?? 0;
      placed.set(place, level + 1);
      return svg("circle", { cx: x(dot), cy: base + 44 + level * apart, r: 6, class: "nl-wall-dot" });
    }),
    svg("line", { x1: x(ends[0]), x2: x(ends[1]), y1: HIGH - 22, y2: HIGH - 22, class: "nl-wall-interval" }),
    svg("circle", { cx: x(mean), cy: HIGH - 22, r: 10, class: "nl-wall-mean" }),
    exact === null ? null : svg("line", { x1: x(exact), x2: x(exact), y1: 10, y2: HIGH - 8, class: "nl-wall-exact" }),
  );
}

/**
 * @param {ClassPooled} pooled
 * @param {ClassWallData} data
 * @param {string} title
 * @param {string} [dots]
 */
export function pooledNode(pooled, { labels, lang }, title, dots = labels.dots) {
  const exact =
    pooled.exact === null
      ? ""
      : ` ┆ ${labels.exact}: ${pooled.exact.toLocaleString(lang, { maximumFractionDigits: 4 })}`;
  return el(
    "section",
    { class: "nl-wall-pooled" },
    el("h2", {}, title),
    histogram(pooled, lang),
    el(
      "p",
      { class: "nl-wall-big" },
      el("span", { class: "nl-wall-key-mean", "aria-hidden": "true" }, "● "),
      pooled.text,
      exact ? el("span", { class: "nl-wall-key-exact" }, exact) : "",
    ),
    el("p", { class: "nl-note-line" }, dots),
  );
}
