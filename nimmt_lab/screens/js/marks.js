// Small signs that several parts of a table share: heads, players' marks, a card shown a second time.
import { bull, cardNode } from "./card.js";
import { button, el } from "./dom.js";
import { stroke } from "./icons.js";

// A card that is only shown again, where the card itself lies elsewhere.
/**
 * @param {Scene} scene
 * @param {number} card
 */
export function pictureOf(scene, card) {
  return asPicture(cardNode(scene, card));
}

// The same card, from now on only shown here again.
/** @param {HTMLElement} node */
export function asPicture(node) {
  node.removeAttribute("data-card");
  node.removeAttribute("role");
  node.removeAttribute("aria-label");
  node.setAttribute("aria-hidden", "true");
  return node;
}

export function headSign() {
  return el("i", { class: "nl-head", "aria-hidden": "true" }, bull(13));
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
export function seatMark(scene, seat) {
  const at = scene.seats.findIndex((other) => other.seat === seat);
  const name = at < 0 ? "T" : nameOf(scene, scene.seats[at]);
  return el("span", { class: `nl-seat-mark nl-of-${Math.max(at, 0) % 10}` }, name);
}

/**
 * @param {Scene} scene
 * @param {Seat} seat
 */
export function nameOf(scene, seat) {
  return seat.you ? scene.labels.you_name : seat.name;
}

/**
 * A button of a table's bar: an icon and a word.
 * @param {string} name
 * @param {string} icon
 * @param {string} text
 * @param {() => void} act
 * @param {Attributes} extra
 */
export function tool(name, icon, text, act, extra = {}) {
  const node = button("", act, { class: "nl-quiet nl-tool", "data-do": name, ...extra });
  node.append(stroke(icon, 20), el("span", {}, text));
  return node;
}
