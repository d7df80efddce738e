import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fire, press, resize, stage, texts, watching } from "./dom.js";
import { frame, row, scene } from "./scene.js";
import { Life } from "../../nimmt_lab/screens/js/dom.js";
import { NumberStrip } from "../../nimmt_lab/screens/js/line.js";

let strip;
let table;
let life;
function make(how, more) {
  table = scene(more);
  life = new Life();
  strip = new NumberStrip(table, life, how);
  stage().append(strip.node);
  strip.show(frame(), 0);
}
beforeEach(() => make());

const found = (selector) => [...strip.holder.querySelectorAll(selector)];
const number = (node, name) => Number(node.getAttribute(name));

test("each row says which values it takes, what is unseen, and how much room it has", () => {
  assert.deepEqual(texts(strip.legend.querySelectorAll("li")), [
    "16–11 · unseen before 12: 4 · free: 3",
    "213–24 · unseen before 25: 7 · free: 4",
    "326–29 · unseen before 30: 4 · card 6 takes",
    "431–40 · unseen: 7 · free: 4 · goes down",
  ]);
  assert.deepEqual(
    [...strip.legend.querySelectorAll(".nl-full")].map((node) => node.dataset.row),
    ["2"],
  );
});

test("rows stand in the order of their ends; one that takes nothing says so; many gaps become one range", () => {
  table.pool[0] = row([39]);
  table.pool[8] = [1, 3, 5, 7].map((value) => [value, value, 1]);
  strip.key = "";
  strip.show(frame(), 0);
  assert.deepEqual(texts(strip.legend.querySelectorAll(".nl-tag")), ["2", "3", "4", "1"]);
  const [second, third] = texts(strip.legend.querySelectorAll("li"));
  assert.match(second, /^21–7 · unseen: 3/);
  assert.equal(third, "3none");
});

test("three runs of values are named one by one", () => {
  table.pool[8] = [
    [1, 2, 1],
    [4, 4, 1],
    [6, 9, 1],
  ];
  strip.key = "";
  strip.show(frame(), 0);
  assert.match(texts(strip.legend.querySelectorAll("li"))[1], /^21–2, 4, 6–9 · /);
});

test("every value is a cell: those we have seen, and the others", () => {
  const count = (selector) => found(selector)[0].getAttribute("d").match(/M/g)?.length ?? 0;
  // 3 5 12 21–25 30 in rows, 10 33 40 ours, 1 2 taken, 20 and 11 to be placed, 34 to pick from.
  assert.equal(count(".nl-cell-seen"), 17);
  assert.equal(count(".nl-cell-open"), 40 - 17);
  strip.show(frame(), 1);
  assert.equal(count(".nl-cell-seen"), 14, "another seat has not seen our hand");
});

test("own cards are ticks above the line, in order", () => {
  assert.deepEqual(texts(found(".nl-tick-text")), ["10", "33", "40"]);
  const places = found(".nl-tick-text").map((node) => number(node, "x"));
  assert.ok(places[0] < places[1] && places[1] < places[2]);
  strip.show(frame(), 1);
  assert.deepEqual(found(".nl-tick"), []);
});

test("neighbours take turns on two levels, and a third one has only its tick", () => {
  table.pool[4].hand = [10, 11, 12, 40, 99];
  strip.key = "";
  resize(strip.holder, 300);
  strip.show(frame(), 0);
  assert.equal(found(".nl-tick").length, 4, "99 is not in the deck");
  assert.deepEqual(texts(found(".nl-tick-text")), ["10", "11", "40"]);
  assert.equal(found(".nl-stalk").length, 1);
  const [ten, eleven] = found(".nl-tick-text").map((node) => number(node, "y"));
  assert.ok(eleven < ten);
});

test("the ends of rows are on the scale, and tens where there is room", () => {
  assert.deepEqual(texts(found(".nl-end-text")), ["5", "12", "25", "30"]);
  assert.deepEqual(texts(found(".nl-scale")), ["10", "20", "40"]);
});

test("bands lie where their values are; a full row has a warning", () => {
  const bands = found(".nl-band");
  assert.equal(bands.length, 5);
  const cell = 640 / 40;
  assert.deepEqual(
    bands.map((node) => [number(node, "x") / cell, number(node, "width") / cell]),
    [
      [0, 4],
      [4, 7],
      [11, 13],
      [24, 5],
      [29, 11],
    ],
  );
  assert.match(bands[0].getAttribute("fill"), /-low\)$/);
  assert.equal(found("rect[fill$='-full)']").length, 1);
  assert.deepEqual(texts(found(".nl-band-text")), ["too low", "row 1", "row 2", "row 3", "row 4"]);
});

test("a band has as long a name as fits", () => {
  table.pool[1] = row([2], { down: true });
  table.pool[8] = [
    [1, 1, 0],
    [2, 4, 1],
    [5, 40, 3],
  ];
  strip.key = "";
  strip.show(frame(), 0);
  assert.deepEqual(texts(found(".nl-band-text")), ["1", "◂2", "row 4"]);
  resize(strip.holder, 256);
  assert.deepEqual(texts(found(".nl-band-text")), ["◂2", "row 4"]);
  resize(strip.holder, 900);
  assert.deepEqual(texts(found(".nl-band-text")), ["1", "◂ row 2", "row 4"]);
});

test("of two ends that are close each keeps to its own side, but not across lines", () => {
  const anchors = () => found(".nl-end-text").map((node) => [node.textContent, node.getAttribute("text-anchor")]);
  table.pool[1] = row([6]);
  table.pool[3] = row([26]);
  strip.key = "";
  strip.show(frame(), 0);
  assert.deepEqual(anchors(), [
    ["5", "end"],
    ["6", "start"],
    ["25", "end"],
    ["26", "start"],
  ]);
  table.pool[1] = row([20]);
  table.pool[3] = row([21]);
  strip.key = "";
  resize(strip.holder, 200);
  strip.show(frame(), 0);
  assert.deepEqual(anchors(), [
    ["5", "middle"],
    ["20", "middle"],
    ["21", "middle"],
    ["25", "middle"],
  ]);
});

test("rows differ by their pattern, and after five by their tint alone", () => {
  const pattern = (at) => {
    const [, ...drawn] = strip.patterns().querySelector(`[id$='-${at}']`).children;
    assert.ok(drawn.length <= 1);
    return drawn.map((node) => `${node.tagName} ${node.getAttribute("d")}`).join();
  };
  const all = Array.from({ length: 10 }, (_, at) => pattern(at));
  assert.equal(new Set(all).size, 5);
  assert.deepEqual(all.slice(5), all.slice(0, 5));
});

test("a narrow strip goes on in more lines, and what crosses an end comes in pieces", () => {
  resize(strip.holder, 200);
  const drawing = strip.holder.firstChild;
  assert.equal(number(drawing, "height"), 2 * 72);
  assert.equal(found(".nl-band").length, 6, "12–24 crosses the end of the first line");
  const at = strip.layout();
  assert.deepEqual([at.lines, at.perLine, at.x(21), at.y(20), at.y(21)], [2, 20, 0, 0, 72]);
  const before = strip.holder.firstChild;
  resize(strip.holder, 200);
  assert.equal(strip.holder.firstChild, before, "the same width is not drawn again");
  resize(strip.holder, 0);
  assert.equal(strip.holder.firstChild, before, "what is hidden has no width");
});

test("the same frame is not drawn again, and no zones hide the line", () => {
  const before = strip.holder.firstChild;
  strip.show(frame(), 0);
  assert.equal(strip.holder.firstChild, before);
  table.pool.push([]);
  strip.show(frame({ zones: 9 }), 0);
  assert.equal(strip.node.hidden, true);
});

test("a card is marked where it counts, with a jump where that is elsewhere", () => {
  strip.mark(10);
  assert.equal(found(".nl-mark").length, 1);
  assert.equal(found(".nl-jump").length, 0);
  assert.equal(number(found(".nl-mark")[0], "x"), 9 * 16 - 1);
  strip.mark(10, 16);
  assert.equal(number(found(".nl-mark")[0], "x"), 15 * 16 - 1);
  assert.equal(found(".nl-jump").length, 1);
  for (const [card, value] of [
    [41, 10],
    [10, 0],
    [null, undefined],
  ]) {
    strip.mark(card, value);
    assert.equal(found(".nl-mark").length, 0);
  }
});

test("a cursor walks over the numbers, stays on the line, and says where each would go", () => {
  make({ cursor: true });
  const moved = [];
  strip.onMove = (value) => moved.push(value);
  assert.equal(press(strip.holder, "ArrowRight"), true);
  assert.equal(strip.words.textContent, "2 fits nowhere");
  press(strip.holder, "PageUp");
  assert.equal(strip.words.textContent, "12 → row 2: 13–24 · unseen before 25: 7 · free: 4");
  assert.equal(strip.holder.getAttribute("aria-valuenow"), "12");
  assert.equal(strip.holder.getAttribute("aria-valuetext"), strip.words.textContent);
  for (const key of ["End", "ArrowUp", "Home", "ArrowLeft", "ArrowDown", "PageDown"]) press(strip.holder, key);
  assert.deepEqual(moved, [2, 12, 40, 40, 1, 1, 1, 1]);
  assert.equal(press(strip.holder, "x"), false);
  assert.equal(found(".nl-cursor").length, 1);
});

test("the pointer takes the cursor along", () => {
  make({ cursor: true });
  fire(strip.holder, "pointermove", { clientX: 5.5 * 16, clientY: 3 });
  assert.equal(strip.at, 6);
  fire(strip.holder, "pointermove", { clientX: 9999, clientY: 9999 });
  assert.equal(strip.at, 40);
  fire(strip.holder, "pointermove", { clientX: -5, clientY: -5 });
  assert.equal(strip.at, 1);
});

test("a strip without a cursor has none, and the end of its life is the end of its watching", () => {
  assert.equal(press(strip.holder, "End"), false);
  assert.equal(strip.holder.hasAttribute("role"), false);
  const before = watching();
  life.end();
  assert.equal(watching(), before - 1);
});
