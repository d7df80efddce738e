import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.js";
import { scene } from "./scene.js";
import { BULL, bull, cardNode, cardWords } from "../../nimmt_lab/screens/js/card.js";

const COLOURED = { 7: [{ fill: "#000", ink: "#fff", letter: "R", count: 2, name: "red" }] };

test("a card says its number and its heads, and its colours where it has some", () => {
  assert.equal(cardWords(scene(), 11), "card 11, 5 heads");
  assert.equal(cardWords(scene(), 13), "card 13, 0 heads");
  assert.equal(cardWords(scene({ faces: { heads: { 7: 2 }, colours: COLOURED } }), 7), "card 7, 2 heads, red 2");
});

test("a picture of a card is no button, and a button is no picture", () => {
  const picture = cardNode(scene(), 11, { note: "safe" });
  assert.equal(picture.tagName, "DIV");
  assert.equal(picture.getAttribute("role"), "img");
  assert.equal(picture.getAttribute("aria-label"), "card 11, 5 heads, safe");
  const button = cardNode(scene(), 11, { tag: "button", extra: "nl-option" });
  assert.equal(button.getAttribute("type"), "button");
  assert.equal(button.hasAttribute("role"), false);
  assert.equal(button.classList.contains("nl-option"), true);
  assert.equal(button.getAttribute("aria-label"), "card 11, 5 heads");
  assert.equal(button.dataset.card, "11");
  assert.equal(button.querySelector(".nl-number").textContent, "11");
});

test("the class of a card follows its heads", () => {
  const heads = { 1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 7, 9: 12 };
  const classes = Object.keys(heads).map((card) => {
    const node = cardNode(scene({ faces: { heads } }), Number(card));
    return [...node.classList].find((name) => name.startsWith("nl-heads-"));
  });
  assert.deepEqual(
    classes,
    [0, 1, 2, 3, 3, 5, 5, 7, 7].map((kind) => `nl-heads-${kind}`),
  );
});

test("there is a pip for each head, in the middle and inside the card", () => {
  for (const [card, heads] of [
    [12, 1],
    [11, 5],
    [40, 7],
  ]) {
    const pips = [...cardNode(scene(), card).querySelectorAll(".nl-pips path")];
    assert.equal(pips.length, heads);
    const [places, sizes] = [0, 1].map((which) =>
      pips.map((pip) => {
        const [x, , scale] = pip
          .getAttribute("transform")
          .match(/[\d.]+/g)
          .map(Number);
        return which ? scale * 24 : x;
      }),
    );
    const [left, right] = [places[0], places.at(-1) + sizes.at(-1)];
    assert.ok(left >= 0 && right <= 40, `${left} ${right}`);
    assert.ok(Math.abs(left - (40 - right)) < 0.1, "as much room on the left as on the right");
    for (let at = 1; at < heads; at += 1) assert.ok(places[at] > places[at - 1]);
  }
});

test("coloured heads are letters, one for each", () => {
  const node = cardNode(scene({ faces: { heads: { 7: 2 }, colours: COLOURED } }), 7);
  assert.equal(node.querySelector(".nl-pips"), null);
  assert.equal(node.classList.contains("nl-coloured"), true);
  const letters = [...node.querySelectorAll(".nl-colour")];
  assert.deepEqual(
    letters.map((one) => [one.textContent, one.getAttribute("style")]),
    [
      ["R", "background:#000;color:#fff"],
      ["R", "background:#000;color:#fff"],
    ],
  );
});

test("a bull has the size it is asked for", () => {
  assert.equal(bull(26).getAttribute("width"), "26");
  assert.equal(bull(26).firstChild.getAttribute("d"), BULL);
});
