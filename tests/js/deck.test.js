import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press, stage } from "./dom.js";
import { scene } from "./scene.js";
import { Deck } from "../../nimmt_lab/screens/js/deck.js";

const CARDS = Array.from({ length: 40 }, (_, at) => at + 1);
let deck;
let picked;
beforeEach(() => {
  picked = [];
  deck = new Deck("All cards", (card) => picked.push(card));
  stage().append(deck.node);
  deck.show(scene(), CARDS);
});
const stop = () => deck.buttons.flatMap((button, at) => (button.getAttribute("tabindex") === "0" ? [at] : []));
const walk = (key, more) => press(document.activeElement, key, more);

test("every card is a button that is picked by a click", () => {
  assert.equal(deck.buttons.length, 40);
  deck.buttons[4].click();
  assert.deepEqual(picked, [5]);
  deck.show(scene(), CARDS);
  assert.deepEqual(stop(), [4], "the tab stop stays where somebody was");
});

test("the arrow keys walk by one and by ten, and not beyond the ends", () => {
  deck.buttons[0].focus();
  const seen = [];
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp", "End", "ArrowRight", "Home"]) {
    assert.equal(walk(key), true);
    assert.deepEqual(stop(), [deck.buttons.indexOf(document.activeElement)]);
    seen.push(stop()[0]);
  }
  assert.deepEqual(seen, [1, 11, 10, 0, 0, 39, 39, 0]);
});

test("other keys, and keys of the notebook, are left alone", () => {
  deck.buttons[0].focus();
  assert.equal(walk("x"), false);
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }])
    assert.equal(walk("ArrowRight", more), false);
  assert.deepEqual(stop(), [0]);
});

test("cards say where they lie, which are held here, and which may not be picked", () => {
  deck.show(scene(), CARDS, { where: new Map([[5, "row 1"]]), here: new Set([7]), off: new Set([9]) });
  const button = (card) => deck.buttons[card - 1];
  assert.equal(button(5).title, "row 1");
  assert.equal(button(5).classList.contains("nl-lies"), true);
  assert.match(button(5).getAttribute("aria-label"), /, row 1$/);
  assert.equal(button(6).classList.contains("nl-lies"), false);
  assert.equal(button(7).getAttribute("aria-pressed"), "true");
  assert.equal(button(6).hasAttribute("aria-pressed"), false);
  assert.deepEqual(
    deck.buttons.filter((one) => one.disabled),
    [button(9)],
  );
});

test("the focus stays inside when all is drawn anew, even with fewer cards", () => {
  deck.buttons[20].focus();
  walk("ArrowRight");
  deck.show(scene(), CARDS);
  assert.equal(document.activeElement, deck.buttons[21]);
  deck.show(scene(), [1, 2]);
  assert.equal(document.activeElement, deck.buttons[1]);
  document.activeElement.blur();
  deck.show(scene(), CARDS);
  assert.equal(deck.node.contains(document.activeElement), false, "who was elsewhere stays there");
});
