// Cards, tiles, backs, cards with signs, and pictograms. Faces and backs are in the stylesheet (14-shapes.css).
import { el, fill, svg } from "./dom.js";
import { COLOURED, HORNED, ICONS, MOST } from "./shapes.js";

/**
 * A pictogram, as high as the text around it unless a size is given. What it means has to be said beside it.
 * @param {string} name
 * @param {number} [size]
 */
export function icon(name, size) {
  const { fill: filled, line } = ICONS[name];
  return svg(
    "svg",
    { viewBox: "0 0 24 24", width: size, height: size, class: "nl-shape", "data-icon": name, "aria-hidden": "true" },
    filled ? svg("path", { d: filled }) : null,
    line ? svg("path", { d: line, class: "nl-pen" }) : null,
  );
}

/** @param {number} size */
export function bull(size) {
  return icon("bull", size);
}

/**
 * The sign of a note, drawn if it has a drawing.
 * @param {Pick<Sign, "sign" | "icon" | "before" | "after">} sign
 * @returns {(string | SVGElement | null)[]}
 */
export function signParts({ sign, icon: name, before, after }) {
  return name ? [before || null, icon(name), after || null] : [sign];
}

// Where heads have colours: a painted bull with its letter for each.
/** @param {Bulls[]} list */
function coloured(list) {
  let painted = list.flatMap((one) => Array.from({ length: one.count }, () => ({ ...one, text: one.letter })));
  if (painted.length > MOST) painted = list.map((one) => ({ ...one, text: `${one.count}${one.letter}` }));
  const { letter, height, spots } = COLOURED;
  return svg(
    "svg",
    { viewBox: `0 0 100 ${height}`, "aria-hidden": "true" },
    painted.flatMap(({ fill: paint, ink, text }, at) => {
      const [x, y, size] = spots[painted.length][at];
      const written = size * letter.size * (text.length === 1 ? 1 : 0.7);
      return [
        svg("path", { d: HORNED, fill: paint, transform: `translate(${x} ${y}) scale(${size / 24})` }),
        svg("text", { x: x + size / 2, y: y + size * letter.middle, "font-size": written, fill: ink }, text),
      ];
    }),
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
  const looks = ["nl-card"];
  if (colours) looks.push("nl-coloured nl-kind-coloured");
  else looks.push(`nl-heads-${heads > MOST ? "many" : heads}`);
  if (scene.faces.shape === "tile") looks.push("nl-tile");
  if (card > 99) looks.push("nl-long");
  if (extra) looks.push(extra);
  return el(
    tag,
    {
      class: looks.join(" "),
      "data-card": card,
      "data-heads": colours ? null : heads,
      type: tag === "button" ? "button" : null,
      role: tag === "button" ? null : "img",
      "aria-label": cardWords(scene, card) + (note ? `, ${note}` : ""),
    },
    colours ? coloured(colours) : null,
    String(card),
  );
}

/**
 * A card or tile face down.
 * @param {Scene} scene
 * @param {string} words
 * @param {number} [seat] whose it is
 */
export function backNode(scene, words, seat) {
  const kind = (seat === undefined ? null : scene.faces.backs?.[seat]) ?? scene.faces.shape ?? "card";
  const tile = kind === "tile" ? " nl-tile" : "";
  return el("div", { class: `nl-card nl-back nl-back-${kind}${tile}`, role: "img", "aria-label": words });
}

/**
 * A card that does something, with a sign instead of a number.
 * @template {"div" | "button"} [T="div"]
 * @param {string} kind "fan", "special", "luck" or "action"
 * @param {string} name of the pictogram
 * @param {string} words
 * @param {{ tag?: T, extra?: string }} look
 * @returns {HTMLElementTagNameMap[T]}
 */
export function signCard(kind, name, words, { tag = /** @type {T} */ ("div"), extra = "" } = {}) {
  return el(
    tag,
    {
      class: `nl-card nl-sign-card nl-kind-${kind}${extra ? ` ${extra}` : ""}`,
      type: tag === "button" ? "button" : null,
      role: tag === "button" ? null : "img",
      "aria-label": words,
      title: words,
    },
    icon(name),
  );
}
