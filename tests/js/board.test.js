import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fire, stage, texts } from "./dom.js";
import { aim, frame, row, scene } from "./scene.js";
import { Board } from "../../nimmt_lab/screens/js/board.js";
import { seatMark } from "../../nimmt_lab/screens/js/marks.js";
import { joined, pointAt } from "../../nimmt_lab/screens/js/scene.js";

let board;
let table;
beforeEach(() => {
  table = scene();
  board = new Board(table);
  stage().append(board.node);
});

const ringed = () => [...board.node.querySelectorAll(".nl-ring")].map((node) => node.dataset.card ?? node.className);
const said = () => board.sentence.textContent;

test("a frame's rows, queue and panels are drawn", () => {
  board.show(frame());
  assert.equal(board.title.textContent, "Classic · round 1, turn 2 of 10");
  assert.equal(said(), "A plays 20.");
  assert.equal(board.lanes.length, 4);
  const cards = board.lanes.map((lane) => [...lane.querySelectorAll("[data-card]")].map((node) => node.dataset.card));
  assert.deepEqual(cards, [["3", "5"], ["12"], ["21", "22", "23", "24", "25"], ["30"]]);
  assert.deepEqual(
    board.lanes.map((lane) => lane.getAttribute("aria-label")),
    ["row 1, 3 5", "row 2, 12", "row 3, 21 22 23 24 25", "row 4, 30, goes down"],
  );
  assert.deepEqual(texts(board.plays.queue.querySelectorAll(".nl-play")), ["20B", "11You= 16"]);
  assert.deepEqual(texts(board.panels.querySelectorAll("h2")), ["To pick from"]);
  assert.deepEqual(texts(board.panels.querySelectorAll(".nl-item")), ["★twoeach"]);
  assert.equal(board.plays.node.classList.contains("nl-bare"), false);
});

test("a lane has its free places, those it has lost, and the notch of the card that takes", () => {
  table.pool[0] = row([3, 0, 5], { lost: [{ sign: "▪", text: "cow" }], takes: 7 });
  board.show(frame());
  const slots = [...board.lanes[0].querySelectorAll(".nl-slots > *")];
  assert.deepEqual(
    slots.map((node) => [node.className, node.textContent]),
    [
      ["nl-slot", "3"],
      ["nl-slot", ""],
      ["nl-slot", "5"],
      ["nl-slot", ""],
      ["nl-slot", ""],
      ["nl-slot nl-lost", "▪"],
      ["nl-notch", "7"],
    ],
  );
  assert.equal(board.lanes[0].getAttribute("aria-label"), "row 1, 3 5");
});

test("printed fields have their signs, and no notch", () => {
  const field = { kind: "take", sign: "!", text: "takes" };
  const plain = { kind: "plain", sign: "", text: "" };
  table.pool[0] = row([3], { places: 2, takes: null, fields: [plain, field], idle: true });
  board = new Board(table);
  board.show(frame());
  assert.equal(board.node.classList.contains("nl-of-fields"), true);
  assert.deepEqual(texts(board.lanes[0].querySelectorAll(".nl-field")), ["", "!"]);
  assert.equal(board.lanes[0].querySelector(".nl-notch"), null);
  assert.equal(board.lanes[0].classList.contains("nl-idle"), true);
  assert.equal(board.lanes[0].querySelector("[title='takes']").dataset.place, "1");
});

test("what did not change is left alone", () => {
  board.show(frame());
  const before = [...board.lanes];
  const [queue, panel] = [board.plays.queue.firstChild, board.panels.firstChild];
  table.pool.push(row([3, 5, 9]), []);
  board.show(frame({ rows: [9, 1, 2, 3] }));
  // A row that got a card keeps what it had.
  assert.deepEqual(board.lanes, before);
  assert.deepEqual(texts(board.lanes[0].querySelectorAll("[data-card]")), ["3", "5", "9"]);
  assert.equal(board.lanes[0].getAttribute("aria-label"), "row 1, 3 5 9");
  // With a marker it is drawn again.
  table.pool.push({ ...row([3, 5, 9]), notes: [{ sign: "!", text: "marked" }] });
  board.show(frame({ rows: [11, 1, 2, 3] }));
  assert.notEqual(board.lanes[0], before[0]);
  assert.deepEqual(board.lanes.slice(1), before.slice(1));
  assert.equal(board.rows.children[0], board.lanes[0]);
  assert.equal(board.plays.queue.firstChild, queue);
  assert.equal(board.panels.firstChild, panel);
  board.show(frame({ rows: [9, 1], queue: 10, panels: 10 }));
  assert.equal(board.rows.children.length, 2);
  assert.equal(board.plays.node.classList.contains("nl-bare"), true);
  assert.equal(board.panels.firstChild, null);
});

test("a title says the round only where there are several, and never more turns than there are", () => {
  board.show(frame({ turn: 11 }));
  assert.equal(board.title.textContent, "Classic · round 1, turn 10 of 10");
  table.game.rounds = false;
  board.show(frame({ turn: 3 }));
  assert.equal(board.title.textContent, "Classic · turn 3 of 10");
  board.show(frame({ over: true }));
  assert.equal(board.title.textContent, "Classic · over");
});

test("the rule that applied is named, and a click on it says it", () => {
  board.show(frame({ rule_name: "Rule 2", rule_text: "The closest row." }));
  assert.equal(board.say.firstChild, board.rule);
  assert.equal(board.ruling.hidden, true);
  board.rule.click();
  assert.equal(board.ruling.hidden, false);
  assert.equal(board.rule.getAttribute("aria-expanded"), "true");
  assert.equal(board.ruling.textContent, "The closest row.");
  board.show(frame({ rule_name: "Rule 3", rule_text: "Too low." }));
  assert.equal(board.ruling.hidden, false, "who reads goes on reading");
  board.show(frame({ rule_name: "Rule 4" }));
  assert.equal(board.ruling.hidden, true);
  assert.equal(board.rule.disabled, true);
  board.show(frame());
  assert.equal(board.rule.parentNode, null);
});

test("traps and takes are marked, silence too", () => {
  const focus = { type: "RowTaken", kind: "take", rows: [2], cards: [] };
  board.show(frame({ focus, trap: true }));
  assert.deepEqual([...board.say.classList].sort(), ["nl-is-take", "nl-is-trap", "nl-say"]);
  board.show(frame({ text: "" }));
  assert.deepEqual([...board.say.classList].sort(), ["nl-say", "nl-silent"]);
});

test("what an event is about gets a ring", () => {
  const focus = (kind, more) => ({ type: "X", kind, rows: [], cards: [], ...more });
  board.show(frame({ focus: focus("place", { rows: [1], cards: [12] }) }));
  assert.deepEqual(ringed(), ["12"]);
  board.show(frame({ focus: focus("take", { rows: [2], cards: [20] }), trap: true }));
  assert.equal(ringed().length, 2);
  assert.equal(board.lanes[2].classList.contains("nl-ring-trap"), true);
  board.show(frame({ focus: focus("marker", { rows: [3], cards: [30] }) }));
  assert.equal(board.lanes[3].querySelector(".nl-note").classList.contains("nl-ring"), true);
  assert.equal(board.lanes[2].classList.contains("nl-ring"), false);
  board.show(frame({ focus: focus("field", { rows: [0], cards: [3], slot: 4 }) }));
  assert.deepEqual([...board.node.querySelectorAll(".nl-ring")], [board.lanes[0].querySelector("[data-place='4']")]);
  board.show(frame({ focus: focus("other", { rows: [0, 9] }) }));
  assert.deepEqual([...board.node.querySelectorAll(".nl-ring")], [board.lanes[0]]);
  board.show(frame());
  assert.deepEqual(ringed(), []);
});

test("an aim points to the place behind the last card, with the distance to each row", () => {
  board.show(frame());
  board.aim(aim({ differences: [5, 2, null, 20], value: 10 }), 10);
  assert.equal(board.lanes[0].querySelector("[data-place='2'] .nl-ghost").textContent, "10");
  assert.deepEqual(texts(board.node.querySelectorAll(".nl-diff")), ["+5", "−2", "−20"]);
  assert.deepEqual(texts(board.node.querySelectorAll(".nl-chosen")), ["+5"]);
  assert.deepEqual(
    board.lanes.map((lane) => [lane.classList.contains("nl-dim"), lane.classList.contains("nl-target")]),
    [
      [false, true],
      [false, false],
      [true, false],
      [false, false],
    ],
  );
  assert.equal(board.aimText.textContent, "10 to row 1, place 3", "row 2 is closer: that is not the reason");
  board.aim(aim(), 10);
  assert.equal(board.aimText.textContent, "10 to row 1, place 3 · closest lower: 5 (+5)");
  board.aim(aim({ value: 28, row: 3, differences: [null, null, null, 2] }), 28);
  assert.equal(board.aimText.textContent, "28 to row 4, place 2 · closest higher: 30 (−2)");
  board.clearAim();
  assert.equal(board.node.querySelector(".nl-diff, .nl-ghost, .nl-dim, .nl-target, .nl-bite"), null);
  assert.equal(board.aimText.textContent, "");
});

test("an aim that takes bites into the notch, one that fits nowhere says so", () => {
  board.show(frame());
  board.aim(aim({ value: 26, row: 2, takes: true, heads: 9, differences: [null, null, 1, null] }), 26);
  assert.equal(board.lanes[2].querySelector(".nl-notch").classList.contains("nl-bite"), true);
  assert.equal(board.lanes[2].querySelector(".nl-ghost"), null);
  assert.equal(board.aimText.textContent, "26 is card 6 of row 3: 9 heads · closest lower: 25 (+1)");
  board.aim(aim({ value: 2, row: -1, differences: [null, null, null, null] }), 2);
  assert.equal(board.aimText.textContent, "2 fits nowhere");
  board.aim(aim({ row: -1, differences: undefined, marks: ["R", null, "R G", null], text: "red" }), 2);
  assert.deepEqual(texts(board.node.querySelectorAll(".nl-diff")), ["R", "R G"]);
  assert.equal(board.aimText.textContent, "red");
  board.aim(null, 2);
  assert.equal(board.node.classList.contains("nl-aiming"), false);
});

test("a tap on a sign says what it means, unless something is aimed", () => {
  board.show(frame());
  fire(board.lanes[0].querySelector(".nl-notch"), "click");
  assert.equal(board.aimText.textContent, "card 6 takes");
  fire(board.title, "click");
  assert.equal(board.aimText.textContent, "");
  board.aim(aim(), 10);
  const words = board.aimText.textContent;
  fire(board.lanes[0].querySelector(".nl-notch"), "click");
  assert.equal(board.aimText.textContent, words);
});

test("beside a high board there is room for more", () => {
  assert.deepEqual(board.beside(), []);
  table.frames = [frame(), frame({ rows: [0, 0, 0, 0, 0, 0, 0] })];
  assert.deepEqual(board.beside(), [board.panels]);
});

const turn = (more = {}) => {
  const revealed = { type: "CardsRevealed", kind: "reveal", rows: [], cards: [], revealed: [20, 11] };
  table.pool.push([{ seat: 0, card: 11, value: 16 }], [], row([12, 20]));
  table.frames = [
    frame({ focus: revealed }),
    frame({ queue: 9, rows: [0, 11, 2, 3], focus: { ...revealed, kind: "place", cards: [20], revealed: undefined } }),
    frame({ queue: 10, focus: { type: "RowTaken", kind: "take", rows: [2], cards: [11], taken: [21, 22] }, ...more }),
  ];
  return table.frames;
};

test("this turn's cards stay beside the rows, each with where it went", () => {
  const [, placed] = turn();
  board.show(placed);
  assert.deepEqual(texts(board.plays.queue.querySelectorAll(".nl-play")), ["20B→ row 2", "11You= 16"]);
  assert.equal(board.plays.queue.querySelectorAll("[data-card]").length, 1, "20 lies in its row: here it is a picture");
});

test("a card that takes is seen until it starts the row, and so are the cards it takes", () => {
  table.pool[2] = row([]);
  const [, , taking] = turn();
  board.show(taking);
  assert.equal(board.plays.queue.querySelectorAll("[data-card='11']").length, 1);
  assert.deepEqual(texts(board.lanes[2].querySelectorAll(".nl-leaving")), ["21", "22"]);
  assert.equal(board.lanes[2].querySelectorAll("[data-card]").length, 0, "the row itself is empty");
  board.show(frame());
  assert.equal(board.node.querySelector(".nl-leaving"), null);
});

test("while cards are chosen, they lie face down", () => {
  const asks = [{ seat: 0, prompt: "", options: [{ text: "10", card: 10 }], aims: {}, composers: [] }];
  table.pool.push([], asks);
  board.show(frame({ queue: 9, asked: 10 }));
  assert.equal(board.plays.queue.querySelectorAll(".nl-back").length, 1);
  assert.deepEqual(texts(board.plays.queue.querySelectorAll(".nl-play")), ["?You", "B"]);
});

test("whose card it is; the team has a letter of its own", () => {
  assert.equal(seatMark(table, 1).textContent, "B");
  assert.equal(seatMark(table, 0).textContent, "You");
  assert.equal(seatMark(table, -1).textContent, "T");
});

test("pointing at an option aims on the board and on the line; at none, nowhere", () => {
  const marked = [];
  const strip = { mark: (...what) => marked.push(what) };
  const aims = { 10: aim(), "11=16": aim({ value: 16, row: 1, differences: [null, 4, null, null] }) };
  const question = { prompt: "", options: [], aims };
  board.show(frame());
  pointAt(board, strip, question, { text: "10", card: 10 });
  pointAt(board, strip, question, { text: "11=16", of: 11 });
  assert.equal(board.lanes[1].querySelector(".nl-ghost").textContent, "11");
  pointAt(board, strip, question, { text: "33", card: 33 });
  assert.equal(board.node.classList.contains("nl-aiming"), false);
  pointAt(board, strip, null, null);
  assert.deepEqual(marked, [[10, 10], [11, 16], [null], [null]]);
});

test("later frames point into the pool they have joined", () => {
  const later = { pool: [row([1]), [], { hand: [], count: 0, pile: [], points: 0, badges: [] }], frames: [] };
  later.frames.push(frame({ rows: [0], seats: [2], queue: 1, panels: 1, zones: 1, asked: 1, text: "later" }));
  later.frames.push(frame({ rows: [0], seats: [2], queue: 1, panels: 1, zones: 1 }));
  const size = table.pool.length;
  const [first, second] = joined(table, later);
  assert.equal(table.pool.length, size + 3);
  assert.deepEqual(
    [first.rows, first.seats, first.queue, first.panels, first.zones, first.asked, first.text],
    [[size], [size + 2], size + 1, size + 1, size + 1, size + 1, "later"],
  );
  assert.equal(second.asked, undefined);
  assert.deepEqual(table.pool[first.rows[0]], row([1]));
});

test("as many rows and places are drawn as the rules have", () => {
  for (const [rows, places] of [
    [1, 1],
    [5, 5],
    [8, 9],
  ]) {
    const cards = (at) => Array.from({ length: Math.min(places, 2) }, (_, place) => 10 * at + place + 1);
    const pool = Array.from({ length: rows }, (_, at) => row(cards(at), { places, takes: places + 1 }));
    const whole = scene({ pool: [...pool, ...table.pool.slice(4)] });
    const shown = frame({
      rows: pool.map((_, at) => at),
      seats: [rows, rows + 1],
      queue: rows + 2,
      panels: rows + 3,
      zones: rows + 4,
    });
    const other = new Board({ ...whole, frames: [shown] });
    other.show(shown);
    assert.equal(other.lanes.length, rows);
    for (const lane of other.lanes) {
      assert.equal(lane.querySelectorAll(".nl-slot").length, places);
      assert.equal(lane.querySelector(".nl-notch").textContent, String(places + 1));
    }
    assert.equal(other.rows.classList.contains("nl-long"), places > 6);
    assert.equal(other.beside().length > 0, rows > 6);
  }
});
