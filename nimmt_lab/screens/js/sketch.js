// Small drawings of what a button leads to: shapes only, in the colours of the page, in a picture of 200 by 80.
import { el, svg } from "./dom.js";

/** @typedef {[x: number, y: number, wide: number, high: number, look: string]} Shape */

/**
 * Rows of cards; each is written as what lies on its places: c a card, m the card it is about, b one to take.
 * @param {string[]} rows
 * @returns {Shape[]}
 */
const rowsOf = (...rows) =>
  rows.flatMap((row, line) =>
    Array.from({ length: 6 }, (_, place) => {
      const look = { c: "card", m: "mark", b: "bad" }[row[place] ?? ""] ?? "slot";
      return /** @type {Shape} */ ([10 + 31 * place, 4 + 19 * line, 25, 15, look]);
    }),
  );

/**
 * A hand of cards: the one it is about is raised.
 * @param {number} count
 * @param {number} chosen
 * @param {number} [top]
 * @param {number} [high]
 * @returns {Shape[]}
 */
const hand = (count, chosen, top = 20, high = 50) =>
  Array.from({ length: count }, (_, at) => {
    const wide = 150 / count;
    const raised = at === chosen ? Math.min(12, top) : 0;
    return [25 + at * wide, top - raised, wide - 8, high, at === chosen ? "mark" : "card"];
  });

/** @type {Record<string, Shape[]>} */
const SKETCHES = {
  review: [18, 10, 6, 4, 62, 12, 30, 3, 8, 5].map((high, at) => [
    4 + 19 * at,
    76 - high,
    14,
    high,
    high > 25 ? "bad" : "plain",
  ]),
  position: rowsOf("c", "ccc", "cc", "cccc"),
  record: [0, 1, 2, 3].map((line) => [14, 8 + 17 * line, 172 - ((line * 53) % 70), 8, line === 3 ? "mark" : "plain"]),
  bots: hand(4, 0, 16),
  row: rowsOf("cc", "ccm", "c", "ccc"),
  takes: rowsOf("cc", "bbbbbm", "c", "ccc"),
  match: rowsOf("ccm", "cc", "cm", "ccc"),
  safe: rowsOf("c", "cccm", "bbbbb", "cc"),
  best_choice: hand(5, 3),
  best_card: [...hand(5, -1, 4, 28), ...hand(5, 1, 48, 28)],
};

/** @param {string} name */
export function sketch(name) {
  return svg(
    "svg",
    { viewBox: "0 0 200 80", class: "nl-sketch", "aria-hidden": "true" },
    (SKETCHES[name] ?? SKETCHES.position).map(([x, y, width, height, look]) =>
      svg("rect", { x, y, width, height, rx: 3, class: `nl-sketch-${look}` }),
    ),
  );
}

/**
 * What a page begins with: a title, a sentence, what one can do, and a picture.
 * @param {string} title
 * @param {string} text
 * @param {Children} buttons
 * @param {Node} picture
 */
export function hero(title, text, buttons, picture) {
  return el(
    "section",
    { class: "nl-hero nl-felt-panel" },
    el("div", {}, el("h1", {}, title), el("p", {}, text), el("div", { class: "nl-bar" }, ...buttons)),
    picture,
  );
}
