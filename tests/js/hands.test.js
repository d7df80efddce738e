import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { press, stage, texts } from "./dom.js";
import { frame, row, scene } from "./scene.js";
import { Hands } from "../../nimmt_lab/screens/js/hands.js";
import { Signs } from "../../nimmt_lab/screens/js/signs.js";

let table;
beforeEach(() => {
  table = scene();
});
const cards = (hands) =>
  hands.boxes.map((box) => [...box.querySelectorAll(".nl-card")].map((node) => node.dataset.card));

test("open hands show their cards, hidden ones their backs; points have a real minus", () => {
  const hands = new Hands(table);
  hands.show(frame());
  assert.deepEqual(cards(hands), [
    ["10", "33", "40"],
    [undefined, undefined],
  ]);
  assert.deepEqual(texts(hands.node.querySelectorAll(".nl-points")), ["3", "−4"]);
  assert.deepEqual(texts(hands.node.querySelectorAll(".nl-name")), ["You", "B"]);
  assert.equal(hands.node.querySelector(".nl-badge").title, "unused");
  assert.equal(hands.of(1), hands.boxes[1]);
  assert.equal(hands.of(7), undefined);
});

test("compact hands say how many cards there are, and show open ones only if asked to", () => {
  const compact = new Hands(table, { compact: true });
  compact.show(frame());
  assert.deepEqual(cards(compact), [[], []]);
  assert.deepEqual(texts(compact.node.querySelectorAll(".nl-count")), ["×3", "×2"]);
  const open = new Hands(table, { compact: true, open: true });
  open.show(frame());
  assert.deepEqual(cards(open), [["10", "33", "40"], []]);
  assert.deepEqual(texts(open.node.querySelectorAll(".nl-count")), ["×2"]);
});

test("who acts and who won is marked; boxes that did not change stay", () => {
  const hands = new Hands(table);
  hands.show(frame({ focus: { type: "X", kind: "other", rows: [], cards: [], seat: 1 } }));
  assert.deepEqual(
    hands.boxes.map((box) => box.classList.contains("nl-acting")),
    [false, true],
  );
  const before = [...hands.boxes];
  table.pool.push({ hand: [10], count: 1, pile: [], points: null, badges: [] });
  hands.show(frame({ seats: [9, 5], winners: [0] }));
  assert.notEqual(hands.boxes[0], before[0]);
  assert.equal(hands.boxes[1], before[1]);
  assert.deepEqual(
    hands.boxes.map((box) => [box.classList.contains("nl-acting"), box.classList.contains("nl-winner")]),
    [
      [false, true],
      [false, false],
    ],
  );
  assert.equal(hands.boxes[0].querySelector(".nl-points"), null);
  assert.equal(hands.node.children[0], hands.boxes[0]);
});

test("many seats stand closer together", () => {
  assert.equal(new Hands(table).node.classList.contains("nl-many"), false);
  const seats = Array.from({ length: 6 }, (_, seat) => ({ ...table.seats[0], seat }));
  assert.equal(new Hands(scene({ seats })).node.classList.contains("nl-many"), true);
});

test("the signs of a board are explained behind one button, each once and in order", () => {
  table.pool.push(row([7], { takes: 4, lost: [{ sign: "▪", text: "cow" }] }), row([8], { takes: 4 }));
  table.pool.push(row([], { takes: 3, fields: [] }));
  const signs = new Signs(table);
  stage().append(signs.button, signs.node);
  assert.equal(signs.node.hidden, true);
  signs.button.click();
  assert.equal(signs.button.getAttribute("aria-expanded"), "true");
  assert.deepEqual(texts(signs.node.querySelectorAll("li")), [
    "bull heads",
    "★Star: a star",
    "☘Luck: draw again",
    "4▸card 4 takes",
    "6▸card 6 takes",
    "▪cow",
    "▼own",
    "●seen",
    "○unseen",
  ]);
  assert.equal(signs.node.getAttribute("tabindex"), "0"); // many signs scroll, with the keys too,
  const heard = [];
  signs.node.parentNode.addEventListener("keydown", (event) => heard.push(event.key));
  for (const key of ["ArrowDown", "Home", " ", "ArrowRight"]) assert.equal(press(signs.node, key), false);
  assert.deepEqual(heard, ["ArrowRight"]); // and the board around does not step with these
  assert.equal(press(signs.node, "x"), false);
  assert.equal(signs.node.hidden, false);
  press(signs.node, "Escape");
  assert.equal(signs.node.hidden, true);
  assert.equal(document.activeElement, signs.button);
});

test("where there is no number line, its signs are not explained", () => {
  table.pool[8] = [];
  const signs = new Signs(table);
  signs.open(true);
  assert.doesNotMatch(signs.node.textContent, /unseen/);
});

test("a hand that only loses a card keeps the others as they are drawn", () => {
  const hands = new Hands(table);
  hands.show(frame());
  const [box] = hands.boxes;
  const kept = [...box.querySelectorAll(".nl-card")].filter((node) => node.dataset.card !== "33");
  const before = table.pool[frame().seats[0]];
  const at = table.pool.push({ ...before, hand: [10, 40] }) - 1;
  hands.show(frame({ seats: [at, 5] }));
  assert.equal(hands.boxes[0], box);
  assert.deepEqual([...box.querySelectorAll(".nl-card")], kept);
  // Other points are written in their place.
  hands.show(frame({ seats: [table.pool.push({ ...before, hand: [10], points: 9 }) - 1, 5] }));
  assert.equal(hands.boxes[0], box);
  assert.deepEqual(cards(hands)[0], ["10"]);
  assert.equal(texts(hands.node.querySelectorAll(".nl-points"))[0], "9");
  // With a card more it is drawn again.
  hands.show(frame());
  assert.notEqual(hands.boxes[0], box);
  assert.deepEqual(cards(hands)[0], ["10", "33", "40"]);
  assert.equal(texts(hands.node.querySelectorAll(".nl-points"))[0], "3");
});
