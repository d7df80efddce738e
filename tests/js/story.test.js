import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { stage, texts } from "./dom.js";
import { scene } from "./scene.js";
import { Story } from "../../nimmt_lab/screens/js/story.js";

const LINES = [
  { group: "Start", text: "" },
  { group: "Turn 1", text: "A plays 5." },
  { group: "Turn 1", text: "B takes row 2.", trap: true },
  { group: "Turn 1", text: "B plays 7.", branch: true },
  { group: "Turn 2", text: "A plays 9." },
];
let picked;
let story;
beforeEach(() => {
  picked = [];
  story = new Story(scene(), (at) => picked.push(at));
  stage().append(story.node);
  story.fill(LINES);
});

test("one line an event, in groups of turns; what branches off has a group of its own", () => {
  const groups = [...story.list.children].map((item) => [
    item.className,
    item.querySelector("h3").textContent,
    ...texts(item.querySelectorAll(".nl-log-line")),
  ]);
  assert.deepEqual(groups, [
    ["", "Start", "The start"],
    ["", "Turn 1", "A plays 5.", "B takes row 2."],
    ["nl-log-branch", "Turn 1", "B plays 7."],
    ["", "Turn 2", "A plays 9."],
  ]);
  assert.deepEqual(texts(story.node.querySelectorAll(".nl-log-trap")), ["B takes row 2."]);
});

test("a click on a line goes there", () => {
  story.lines[3].click();
  assert.deepEqual(picked, [3]);
});

test("the line of now is marked, and it alone can be reached by Tab", () => {
  story.mark(1);
  story.mark(2);
  assert.deepEqual(
    story.lines.map((line) => [line.getAttribute("aria-current"), line.getAttribute("tabindex")]),
    [
      [null, "-1"],
      [null, "-1"],
      ["step", "0"],
      [null, "-1"],
      [null, "-1"],
    ],
  );
  story.mark(99);
  assert.equal(story.node.querySelector("[aria-current]"), null);
});

test("a focus inside the log follows the line of now, one elsewhere stays", () => {
  story.mark(1);
  story.follow();
  assert.equal(story.node.contains(document.activeElement), false);
  story.lines[1].focus();
  story.mark(2);
  story.follow();
  assert.equal(document.activeElement, story.lines[2]);
});

test("a log only to be read has no buttons, and is itself a tab stop", () => {
  const read = new Story(scene(), null);
  read.fill(LINES);
  read.mark(1);
  assert.equal(read.node.getAttribute("tabindex"), "0");
  assert.equal(story.node.hasAttribute("tabindex"), false);
  assert.equal(read.lines[1].tagName, "DIV");
  assert.equal(read.lines[1].hasAttribute("tabindex"), false);
  assert.equal(read.lines[1].getAttribute("aria-current"), "step");
  read.lines[1].click();
  assert.deepEqual(picked, []);
});

test("the log is scrolled until the line of now is in sight, and no further", () => {
  const box = (node, top, bottom) => Object.assign(node, { getBoundingClientRect: () => ({ top, bottom }) });
  box(story.node, 100, 200);
  const scrolled = (top, bottom) => {
    story.node.scrollTop = 500;
    box(story.lines[1], top, bottom);
    story.mark(1);
    return story.node.scrollTop - 500;
  };
  assert.equal(scrolled(150, 170), 0);
  assert.equal(scrolled(128, 140), 0, "below the heading that stays");
  assert.equal(scrolled(110, 130), -18);
  assert.equal(scrolled(190, 230), 34);
  assert.equal(scrolled(180, 200), 0);
});
