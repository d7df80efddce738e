import assert from "node:assert/strict";
import { test } from "node:test";
import { fire, press, stage, texts } from "./dom.js";
import { scene } from "./scene.js";
import { Chooser } from "../../nimmt_lab/screens/js/choose.js";

function make(options, how = {}, more = {}) {
  const picked = [];
  const looked = [];
  const chooser = new Chooser(
    scene(),
    { prompt: "Which?", options, aims: {}, ...more },
    {
      pick: (option) => picked.push(option.text),
      look: (option) => looked.push(option?.text ?? null),
      ...how,
    },
  );
  stage().append(chooser.node);
  return { chooser, picked, looked };
}
const CARDS = [10, 33, 40].map((card) => ({ text: String(card), card }));
const stops = (chooser) => chooser.buttons.map((button) => button.getAttribute("tabindex"));

test("cards, rows and words each have their place", () => {
  const { chooser } = make([
    { text: "a", label: "place it", primary: true },
    { text: "@2", row: 1 },
    ...CARDS,
    { text: "b", label: "draw", group: "☘ Luck" },
    { text: "c", label: "again", group: "☘ Luck" },
  ]);
  assert.equal(chooser.node.getAttribute("aria-label"), "Which?");
  assert.deepEqual(
    [...chooser.node.children].map((node) => node.className),
    ["nl-cards nl-choice-cards", "nl-choice-rows", "nl-choice-list", "nl-choice-group"],
  );
  assert.deepEqual(texts(chooser.node.querySelectorAll(".nl-choice-rows button")), ["row 2"]);
  assert.deepEqual(texts(chooser.node.querySelectorAll(".nl-primary")), ["place it"]);
  const folded = chooser.node.querySelector("details");
  assert.equal(folded.querySelector("summary").textContent, "☘ Luck 2");
  assert.equal(folded.querySelector("p").textContent, "draw again", "the rule of that card");
  assert.deepEqual(
    chooser.buttons.map((button) => button.dataset.option),
    ["10", "33", "40", "@2", "a", "b", "c"],
  );
});

test("a click picks; looking shows where it would go, and looking away ends that", () => {
  const { chooser, picked, looked } = make(CARDS);
  chooser.buttons[1].click();
  assert.deepEqual(picked, ["33"]);
  fire(chooser.buttons[2], "pointerenter");
  fire(chooser.buttons[2], "pointerleave");
  assert.deepEqual(looked, ["40", null]);
});

test("all of it is one tab stop: the arrow keys walk round, and looking follows", () => {
  const { chooser, looked } = make(CARDS);
  assert.deepEqual(stops(chooser), ["0", "-1", "-1"]);
  chooser.focus();
  assert.equal(document.activeElement, chooser.buttons[0]);
  assert.deepEqual(looked, [], "where the focus is put, nobody has looked yet");
  assert.equal(press(chooser.buttons[0], "ArrowLeft"), true);
  assert.equal(document.activeElement, chooser.buttons[2]);
  assert.deepEqual(stops(chooser), ["-1", "-1", "0"]);
  press(chooser.buttons[2], "ArrowDown");
  assert.equal(document.activeElement, chooser.buttons[0]);
  press(chooser.buttons[0], "ArrowRight");
  press(chooser.buttons[1], "ArrowUp");
  assert.equal(document.activeElement, chooser.buttons[0]);
  assert.deepEqual(looked.filter(Boolean), ["40", "10", "33", "10"]);
  assert.equal(press(chooser.buttons[0], "x"), false);
  assert.equal(press(chooser.node, "ArrowLeft"), false);
});

test("folded options are passed over", () => {
  const { chooser } = make([CARDS[0], CARDS[1], { text: "b", label: "draw", group: "☘ Luck" }]);
  assert.equal(chooser.visible().length, 2);
  chooser.node.querySelector("details").open = true;
  assert.equal(chooser.visible().length, 3);
  assert.equal(press(chooser.node.querySelector("summary"), "ArrowDown"), false);
});

test("what was selected is pressed and has the tab stop", () => {
  const { chooser } = make(CARDS, { selected: "33" });
  assert.deepEqual(
    chooser.buttons.map((button) => button.getAttribute("aria-pressed")),
    [null, "true", null],
  );
  assert.deepEqual(stops(chooser), ["-1", "0", "-1"]);
});

test("hints and notes stand on their options", () => {
  const hints = { 33: { text: "It costs 2.5.", shown: "2.5", mean: 2.5, bar: 0.5, part: 1 } };
  const { chooser } = make([...CARDS, { text: "@1", row: 0 }], {
    hints,
    note: (option) => document.createTextNode(` (${option.row})`),
  });
  const under = (at) => chooser.buttons[at].parentNode.querySelector(".nl-hint");
  assert.equal(chooser.buttons[1].parentNode.className, "nl-hinted");
  assert.equal(under(1).textContent, "2.5");
  assert.equal(under(1).querySelector("i").getAttribute("style"), "width:50%");
  assert.equal(chooser.buttons[1].getAttribute("aria-label"), "card 33, 5 heads, It costs 2.5.");
  assert.equal(chooser.buttons[0].parentNode.className, "nl-cards nl-choice-cards");
  assert.equal(chooser.buttons[3].textContent, "row 1 (0)");
});

test("a finger lifts a card first and plays it with the next tap; a mouse plays at once", () => {
  const lifted = [];
  const { chooser, picked } = make(CARDS, { lift: (option) => lifted.push(option.text) });
  const tap = (at, pointerType) => fire(chooser.buttons[at], "click", { pointerType });
  tap(1, "touch");
  assert.deepEqual([lifted, picked], [["33"], []]);
  assert.equal(chooser.buttons[1].classList.contains("nl-up"), true);
  tap(0, "touch");
  assert.deepEqual([lifted, picked], [["33", "10"], []]);
  assert.equal(chooser.buttons[1].classList.contains("nl-up"), false);
  tap(0, "touch");
  assert.deepEqual(picked, ["10"]);
  tap(2, "mouse");
  assert.deepEqual(picked, ["10", "40"]);
});

test("a card that a finger has played is aimed at no longer: the next table does not know it", () => {
  const looked = [];
  const { chooser } = make(CARDS, { lift: () => {}, look: (option) => looked.push(option?.text ?? null) });
  fire(chooser.buttons[0], "click", { pointerType: "touch" });
  fire(chooser.buttons[0], "blur");
  assert.equal(looked.at(-1), "10");
  fire(chooser.buttons[0], "click", { pointerType: "touch" });
  fire(chooser.buttons[0], "blur");
  assert.equal(looked.at(-1), null);
});

const COMPOSER = { label: "☘ Luck", cards: [10, 33, 40], count: 2, before: "!sort:", join: "-" };

test("a choice is put together card by card; the last one completes it", () => {
  const { chooser, picked } = make([], {}, { composers: [COMPOSER] });
  const orders = () => chooser.buttons.map((button) => button.querySelector(".nl-order")?.textContent ?? "");
  chooser.buttons[2].click();
  assert.deepEqual([orders(), picked], [["", "", "1"], []]);
  chooser.buttons[2].click();
  assert.deepEqual(orders(), ["", "", ""], "once more takes it back");
  chooser.buttons[2].click();
  chooser.buttons[0].click();
  assert.deepEqual([orders(), picked], [["2", "", "1"], ["!sort:40-10"]]);
  chooser.buttons[1].click();
  assert.deepEqual(orders(), ["", "1", ""], "after the last one it begins again");
  assert.equal(chooser.buttons[1].getAttribute("aria-pressed"), "true");
  assert.equal(chooser.buttons[0].hasAttribute("aria-pressed"), false);
  assert.deepEqual(texts(chooser.node.querySelectorAll("p")), ["draw again", "Click them in order"]);
});

test("a composed choice that was made before is shown, one that does not fit is not", () => {
  const pressed = (selected) =>
    texts(make([], { selected }, { composers: [COMPOSER] }).chooser.node.querySelectorAll(".nl-order"));
  assert.deepEqual(pressed("!sort:40-10"), ["2", "1"]);
  assert.deepEqual(pressed("!sort:40-11"), []);
  assert.deepEqual(pressed("!sort:40"), []);
  assert.deepEqual(pressed("33"), []);
  assert.deepEqual(pressed(null), []);
});

test("without a name a composer is not folded", () => {
  const { chooser } = make([], {}, { composers: [{ ...COMPOSER, label: "" }] });
  assert.equal(chooser.node.querySelector("details"), null);
  assert.equal(chooser.buttons.length, 3);
});

test("where everything is folded, the focus goes to the first name", () => {
  const { chooser } = make([{ text: "b", label: "draw", group: "☘ Luck" }]);
  chooser.buttons[0].setAttribute("tabindex", "-1");
  chooser.focus();
  assert.equal(document.activeElement.tagName, "SUMMARY");
});
