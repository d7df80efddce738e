// A card: the number, and its heads as pips whose shape and count say how much it costs.
import { el, fill, svg } from "./dom.js";

// A bull's head of our own, in a square of 24: horns, ears of none, a long face.
export const BULL =
  "M2.5 2.5C2 8 4.6 10.6 8 11v3.2c0 3.4 1.6 7.3 4 7.3s4-3.9 4-7.3V11c3.4-.4 6-3 5.5-8.5-.9 2.9-2.9 4.4-5.7 4.4H8.2c-2.8 0-4.8-1.5-5.7-4.4z";

/** @param {number} size */
export function bull(size) {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", width: size, height: size, class: "nl-bull", "aria-hidden": "true" },
    svg("path", { d: BULL, fill: "currentColor" }),
  );
}

/** @param {number} heads */
function headClass(heads) {
  return [7, 5, 3].find((least) => heads >= least) ?? heads;
}

/** @param {number} heads */
function pips(heads) {
  const step = Math.min(7, 33 / Math.max(heads, 1));
  const left = 20 - (step * (heads - 1)) / 2;
  const drawn = svg("svg", { viewBox: "0 0 40 10", class: "nl-pips", "aria-hidden": "true" });
  for (let at = 0; at < heads; at += 1) {
    const size = Math.min(8.4, step * 1.16);
    drawn.append(
      svg("path", {
        d: BULL,
        transform: `translate(${(left + step * at - size / 2).toFixed(2)} ${(5 - size / 2).toFixed(2)}) scale(${(size / 24).toFixed(4)})`,
      }),
    );
  }
  return drawn;
}

// Where heads have colours: one letter in its colour for each.
/** @param {Bulls[]} list */
function coloured(list) {
  return el(
    "span",
    { class: "nl-colours", "aria-hidden": "true" },
    list.flatMap(({ fill: background, ink, letter, count }) =>
      Array.from({ length: count }, () =>
        el("i", { class: "nl-colour", style: `background:${background};color:${ink}` }, letter),
      ),
    ),
  );
}

/**
 * @param {Scene} scene
 * @param {number} card
 */
export function cardWords(scene, card) {
  const words = [fill(scene.labels.card, { card }), fill(scene.labels.heads, { heads: scene.faces.heads[card] ?? 0 })];
  const colours = scene.faces.colours?.[card];
  if (colours) words.push(colours.map(({ count, name }) => `${name} ${count}`).join(", "));
  return words.join(", ");
}

/**
 * @template {"div" | "button"} [T="div"]
 * @param {Scene} scene
 * @param {number} card
 * @param {{ tag?: T, extra?: string, note?: string }} look
 * @returns {HTMLElementTagNameMap[T]}
 */
export function cardNode(scene, card, { tag = /** @type {T} */ ("div"), extra = "", note = "" } = {}) {
  const heads = scene.faces.heads[card] ?? 0;
  const colours = scene.faces.colours?.[card];
  return el(
    tag,
    {
      class: `nl-card nl-${colours ? "coloured" : `heads-${headClass(heads)}`} ${extra}`,
      "data-card": card,
      type: tag === "button" ? "button" : null,
      role: tag === "button" ? null : "img",
      "aria-label": cardWords(scene, card) + (note ? `, ${note}` : ""),
    },
    colours ? coloured(colours) : pips(heads),
    el("span", { class: "nl-number" }, String(card)),
  );
}
