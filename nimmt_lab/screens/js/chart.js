// Two small charts: how often each number came up, and how a mean settles. Lines differ by dash as well as by colour.
import { el, percent, svg } from "./dom.js";

const WIDE = 560;
const HIGH = 230;
const LEFT = 52;
const FOOT = 34;
const RIGHT = 26;
/** @type {{ class: string, "stroke-dasharray": string | null }[]} */
export const LOOKS = [
  { class: "nl-line-a", "stroke-dasharray": null },
  { class: "nl-line-b", "stroke-dasharray": "7 4" },
];

/**
 * @param {number} low
 * @param {number} high
 * @param {number} count
 */
function ticks(low, high, count) {
  const raw = (high - low || 1) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5].map((one) => one * power).find((one) => one >= raw) ?? 10 * power;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step)
    found.push(Number(at.toPrecision(12)));
  return found;
}

class Axes {
  /**
   * @param {[number, number]} across
   * @param {[number, number]} up
   * @param {string} lang
   */
  constructor([x0, x1], [y0, y1], lang) {
    this.range = { x0, x1, y0, y1 };
    this.lang = lang;
  }

  /** @param {number} value */
  x(value) {
    const { x0, x1 } = this.range;
    return LEFT + ((WIDE - LEFT - RIGHT) * (value - x0)) / (x1 - x0 || 1);
  }

  /** @param {number} value */
  y(value) {
    const { y0, y1 } = this.range;
    return 10 + (HIGH - FOOT - 10) * (1 - (value - y0) / (y1 - y0 || 1));
  }

  /**
   * @param {string} xTitle
   * @param {(value: number) => string} format
   */
  draw(xTitle, format) {
    const { x0, x1, y0, y1 } = this.range;
    const number = (/** @type {number} */ value) => value.toLocaleString(this.lang);
    return [
      ...ticks(y0, y1, 5).flatMap((value) => [
        svg("line", { x1: LEFT, x2: WIDE - RIGHT, y1: this.y(value), y2: this.y(value), class: "nl-grid" }),
        svg("text", { x: LEFT - 5, y: this.y(value) + 4, "text-anchor": "end", class: "nl-axis-text" }, format(value)),
      ]),
      ...ticks(x0, x1, 8).map((value) =>
        svg(
          "text",
          { x: this.x(value), y: HIGH - FOOT + 15, "text-anchor": "middle", class: "nl-axis-text" },
          number(value),
        ),
      ),
      svg(
        "text",
        { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 3, "text-anchor": "middle", class: "nl-axis-text" },
        xTitle,
      ),
    ];
  }
}

/**
 * @param {Child[]} parts
 * @param {string} words
 */
function whole(parts, words) {
  return el(
    "div",
    { class: "nl-figure" },
    svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: "100%", role: "img", "aria-label": words }, parts),
  );
}

// `series`: [{ bars: [[number, share], …] }, …], drawn as steps around each number.
/**
 * @param {{ bars: [number, number][] }[]} series
 * @param {string} xTitle
 * @param {string} lang
 * @param {string} words
 */
export function histogram(series, xTitle, lang, words) {
  const numbers = series.flatMap(({ bars }) => bars.map(([number]) => number));
  const low = Math.min(0, ...numbers);
  const high = Math.max(1, ...numbers);
  const most = Math.max(0.01, ...series.flatMap(({ bars }) => bars.map(([, share]) => share)));
  const axes = new Axes([low - 0.5, high + 0.5], [0, most * 1.05], lang);
  const lines = series.map(({ bars }, at) => {
    const share = new Map(bars);
    const points = [];
    for (let number = low; number <= high; number += 1) {
      const y = axes.y(share.get(number) ?? 0).toFixed(1);
      points.push(`${axes.x(number - 0.5).toFixed(1)},${y}`, `${axes.x(number + 0.5).toFixed(1)},${y}`);
    }
    return svg("polyline", { points: points.join(" "), fill: "none", ...LOOKS[at] });
  });
  return whole([...axes.draw(xTitle, (value) => percent(value, lang)), ...lines], words);
}

// `series`: [{ path: [[rounds, mean, error], …] }, …] with their bands of 1.96 errors.
/**
 * @param {{ path: Mean[] }[]} series
 * @param {string} xTitle
 * @param {string} lang
 * @param {string} words
 */
export function settling(series, xTitle, lang, words) {
  const late = series.flatMap(({ path }) => path.slice(Math.floor(path.length / 8)));
  const edges = late.flatMap(([, mean, error]) => [mean - 1.96 * error, mean + 1.96 * error]);
  const rounds = Math.max(...series.map(({ path }) => path[path.length - 1][0]));
  const axes = new Axes([0, rounds], [Math.min(...edges), Math.max(...edges)], lang);
  const { y0, y1 } = axes.range;
  const inside = (/** @type {number} */ value) => axes.y(Math.min(Math.max(value, y0), y1)).toFixed(1);
  const number = (/** @type {number} */ value) => value.toLocaleString(lang, { maximumFractionDigits: 2 });
  const parts = series.flatMap(({ path }, at) => {
    const x = (/** @type {Mean} */ one) => axes.x(one[0]).toFixed(1);
    const band = [
      ...path.map((one) => `${x(one)},${inside(one[1] + 1.96 * one[2])}`),
      ...path.toReversed().map((one) => `${x(one)},${inside(one[1] - 1.96 * one[2])}`),
    ];
    return [
      svg("polygon", { points: band.join(" "), class: `nl-band-fill ${LOOKS[at].class}` }),
      svg("polyline", {
        points: path.map((one) => `${x(one)},${inside(one[1])}`).join(" "),
        fill: "none",
        ...LOOKS[at],
      }),
    ];
  });
  return whole([...axes.draw(xTitle, number), ...parts], words);
}
