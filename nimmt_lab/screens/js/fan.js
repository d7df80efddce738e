// A fan of cards to look at: no game lies behind it.
import { pictureOf } from "./marks.js";
import { el } from "./dom.js";

export const SCENE = /** @type {Scene} */ (
  /** @type {unknown} */ ({
    labels: { card: "{card}", heads: "" },
    faces: { heads: { 10: 3, 11: 5, 12: 1, 15: 2, 44: 5, 55: 7, 70: 3 } },
  })
);

/** @param {number[]} cards those that `SCENE` knows */
export function fan(cards = [11, 44, 55, 70]) {
  return el(
    "div",
    { class: "nl-fan", "aria-hidden": "true" },
    cards.map((card) => pictureOf(SCENE, card)),
  );
}
