import assert from "node:assert/strict";
import { test } from "node:test";
import { fire, press, stage, texts } from "./dom.js";
import { counts, gameFields, optionField } from "../../nimmt_lab/screens/js/screens/game_fields.js";
import { button } from "../../nimmt_lab/screens/js/dom.js";
import { check, choice, field, line, whole } from "../../nimmt_lab/screens/js/screens/parts.js";

const GAMES = [
  { name: "classic", title: "Classic", players: [2, 10], usual: 4, options: [] },
  {
    name: "duel",
    title: "Duel",
    players: [2, 3],
    usual: 2,
    options: [
      { name: "open", label: "Open hands", usual: false, kind: "flag" },
      { name: "rounds", label: "Rounds", usual: null, kind: "number", empty: "until 66" },
      {
        name: "edition",
        label: "Edition",
        usual: "new",
        kind: "choice",
        choices: [
          { value: "new", label: "New" },
          { value: null, label: "None" },
        ],
      },
    ],
  },
];
const change = (node, value) => {
  node.value = value;
  fire(node, "change");
};

test("a button acts, and keeps its own class beside ours", () => {
  const done = [];
  const node = button("Go", () => done.push("go"), { class: "nl-primary", "data-do": "go" });
  node.click();
  assert.deepEqual(
    [done, node.className, node.dataset.do, node.type],
    [["go"], "nl-button nl-primary", "go", "button"],
  );
});

test("a choice shows the value it has, be it a number or a text, and tells what is chosen", () => {
  const chosen = [];
  const box = choice(
    "Players",
    [
      [2, "two"],
      [3, "three"],
    ],
    "3",
    (value) => chosen.push(value),
  );
  const select = box.querySelector("select");
  assert.equal(select.value, "3");
  assert.equal(box.querySelector("label").getAttribute("for"), select.id);
  change(select, "2");
  assert.deepEqual(chosen, ["2"]);
  const hidden = choice("Who", [["a", "A"]], "a", () => {}, { hidden: true, "data-do": "who" });
  assert.deepEqual([hidden.tagName, hidden.getAttribute("aria-label"), hidden.dataset.do], ["SELECT", "Who", "who"]);
  assert.equal(select.hasAttribute("aria-label"), false);
});

test("fields and checks have labels of their own", () => {
  const input = line({ value: "x" });
  assert.equal(field("Name", input).querySelector("label").getAttribute("for"), input.id);
  const told = [];
  const box = check("Hints", 1, (on) => told.push(on)).querySelector("input");
  assert.equal(box.checked, true);
  box.checked = false;
  fire(box, "change");
  assert.deepEqual(told, [false]);
});

test("a whole number becomes one; anything else stays as it was typed", () => {
  assert.deepEqual(["12", " 7 ", "007", "1.5", "-3", "x", "", "1".repeat(16)].map(whole), [
    12,
    7,
    7,
    "1.5",
    "-3",
    "x",
    "",
    "1".repeat(16),
  ]);
});

test("keys typed into a line stay there; Enter sends it, but not while a letter is being composed", () => {
  const holder = stage();
  const [heard, entered] = [[], []];
  holder.addEventListener("keydown", (event) => heard.push(event.key));
  const node = line({}, (text) => entered.push(text));
  holder.append(node);
  node.value = "14";
  assert.equal(press(node, "a"), false);
  assert.equal(press(node, "Enter"), true);
  press(node, "Enter", { isComposing: true });
  assert.deepEqual([heard, entered], [[], ["14"]]);
  const silent = line({});
  holder.append(silent);
  assert.equal(press(silent, "Enter"), false);
});

test("as many players as a game allows", () => {
  assert.deepEqual(counts(GAMES[1]), [
    [2, "2"],
    [3, "3"],
  ]);
});

test("an option that is as usual is left out, another one is kept", () => {
  const [open, rounds, edition] = GAMES[1].options;
  const options = {};
  let changes = 0;
  const changed = () => {
    changes += 1;
  };
  const flag = optionField(open, options, changed).querySelector("input");
  flag.checked = true;
  fire(flag, "change");
  assert.deepEqual(options, { open: true });
  flag.checked = false;
  fire(flag, "change");
  assert.deepEqual(options, {});
  const number = optionField(rounds, options, changed).querySelector("input");
  assert.deepEqual([number.value, number.placeholder], ["", "until 66"]);
  change(number, " 3 ");
  assert.deepEqual(options, { rounds: 3 });
  change(number, "three");
  assert.deepEqual(options, {});
  const select = optionField(edition, options, changed).querySelector("select");
  assert.equal(select.value, '"new"');
  change(select, "null");
  assert.deepEqual(options, { edition: null });
  assert.equal(optionField(edition, options).querySelector("select").value, "null");
  assert.equal(changes, 5);
});

test("another game keeps the players if it may, and has options of its own", () => {
  const said = [];
  const setup = { game: "classic", players: 4, options: { old: 1 } };
  const fields = gameFields(GAMES, setup, { game: "Game", players: "Players", more: "More" }, (now) => said.push(now));
  change(fields.querySelector("[data-do='game']"), "duel");
  change(fields.querySelector("[data-do='players']"), "5");
  assert.deepEqual(said, [
    { game: "duel", players: 2, options: {} },
    { game: "classic", players: 5, options: { old: 1 } },
  ]);
  assert.equal(fields.querySelector("details"), null);
  const duel = gameFields(GAMES, { game: "duel", players: 3, options: {} }, {}, (now) => said.push(now));
  change(duel.querySelector("[data-do='game']"), "classic");
  assert.deepEqual(said[2], { game: "classic", players: 3, options: {} });
  assert.equal(duel.querySelector("details").open, false);
  const without = gameFields(GAMES, { game: "gone", players: 3, options: {} }, {}, () => {}, { players: false });
  assert.equal(without.querySelector("[data-do='players']"), null);
  assert.deepEqual(texts(without.querySelectorAll("option[selected]")), ["Classic"]);
});
