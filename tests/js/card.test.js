import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.js";
import { scene } from "./scene.js";
import { backNode, bull, cardNode, cardWords, icon, signCard, signParts } from "../../nimmt_lab/screens/js/card.js";
import { COLOURED, HORNED, ICONS } from "../../nimmt_lab/screens/js/shapes.js";

const COLOURED_CARD = { 7: [{ fill: "#000", ink: "#fff", letter: "R", count: 2, name: "red" }] };

test("a card says its number and its heads, and its colours where it has some", () => {
  assert.equal(cardWords(scene(), 11), "card 11, 5 heads");
  assert.equal(cardWords(scene(), 13), "card 13, 0 heads");
  assert.equal(cardWords(scene({ faces: { heads: { 7: 2 }, colours: COLOURED_CARD } }), 7), "card 7, 2 heads, red 2");
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
  assert.equal(button.textContent, "11");
});

test("the face of a card follows its heads, its shape and its digits", () => {
  const heads = { 1: 0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 7, 9: 12 };
  const faces = Object.keys(heads).map((card) => {
    const node = cardNode(scene({ faces: { heads } }), Number(card));
    return [...node.classList].find((name) => name.startsWith("nl-heads-"));
  });
  assert.deepEqual(
    faces,
    [0, 1, 2, 3, 4, 5, 6, 7, "many"].map((kind) => `nl-heads-${kind}`),
  );
  assert.equal(cardNode(scene({ faces: { heads } }), 9).dataset.heads, "12");
  assert.equal(cardNode(scene({ faces: { heads, shape: "tile" } }), 9).classList.contains("nl-tile"), true);
  assert.equal(cardNode(scene(), 11).classList.contains("nl-tile"), false);
  assert.deepEqual(
    [99, 100].map((card) => cardNode(scene(), card).classList.contains("nl-long")),
    [false, true],
  );
});

test("a coloured bull has its paint and its letter, and lies where the table says", () => {
  const node = cardNode(scene({ faces: { heads: { 7: 2 }, colours: COLOURED_CARD } }), 7);
  assert.equal(node.classList.contains("nl-coloured"), true);
  const [x, , size] = COLOURED.spots[2][1];
  const bulls = [...node.querySelectorAll("path")];
  assert.deepEqual(
    bulls.map((one) => [one.getAttribute("d"), one.getAttribute("fill")]),
    [
      [HORNED, "#000"],
      [HORNED, "#000"],
    ],
  );
  assert.match(bulls[1].getAttribute("transform"), new RegExp(`^translate\\(${x} `));
  const letters = [...node.querySelectorAll("text")];
  assert.deepEqual(
    letters.map((one) => [one.textContent, one.getAttribute("fill")]),
    [
      ["R", "#fff"],
      ["R", "#fff"],
    ],
  );
  assert.equal(Number(letters[1].getAttribute("x")), x + size / 2);
  assert.equal(node.textContent, "RR7");
});

test("more coloured bulls than a printed card has are one for each colour, with their number", () => {
  const colours = { 7: [{ ...COLOURED_CARD[7][0], count: 12 }] };
  const node = cardNode(scene({ faces: { heads: { 7: 12 }, colours } }), 7);
  assert.equal(node.textContent, "12R7");
});

test("backs and cards with signs say what they are", () => {
  const back = backNode(scene(), "a hidden card");
  assert.equal(back.getAttribute("aria-label"), "a hidden card");
  assert.equal(back.classList.contains("nl-back-card"), true);
  assert.equal(
    backNode(scene({ faces: { heads: {}, shape: "tile" } }), "").className,
    "nl-card nl-back nl-back-tile nl-tile",
  );
  const backs = scene({ faces: { heads: {}, backs: { 3: "horns" } } });
  assert.deepEqual(
    [2, 3, undefined].map((seat) => backNode(backs, "", seat).classList.item(2)),
    ["nl-back-card", "nl-back-horns", "nl-back-card"],
  );
  const card = signCard("special", "stop", "Stop", { tag: "button", extra: "nl-option" });
  assert.equal(card.className, "nl-card nl-sign-card nl-kind-special nl-option");
  assert.equal(card.getAttribute("aria-label"), "Stop");
  assert.equal(card.getAttribute("type"), "button");
  assert.equal(card.querySelector("path").getAttribute("d"), ICONS.stop.fill);
  assert.equal(signCard("fan", "odd", "odd").getAttribute("role"), "img");
});

test("a pictogram has the size it is asked for, and a sign without one stays text", () => {
  assert.equal(bull(26).getAttribute("width"), "26");
  assert.equal(bull(26).firstChild.getAttribute("d"), ICONS.bull.fill);
  assert.deepEqual(signParts({ sign: "x" }), ["x"]);
  const [mark, drawn] = signParts({ sign: "x", icon: "swap", before: "2" });
  assert.equal(mark, "2");
  assert.equal(drawn.querySelector(".nl-pen").getAttribute("d"), ICONS.swap.line);
  assert.equal(icon("swap").querySelectorAll("path").length, 1);
});
