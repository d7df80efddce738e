import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fire, stage } from "./dom.js";
import { scene } from "./scene.js";
import { Controls, icon, SPEEDS } from "../../nimmt_lab/screens/js/controls.js";
import { Life } from "../../nimmt_lab/screens/js/dom.js";

const NAMES = ["first", "previous", "play", "next", "last"];
let controls;
let done;
let life;
beforeEach(() => {
  done = [];
  life = new Life();
  const actions = { go: (at) => done.push(at), faster: () => done.push("faster") };
  for (const name of NAMES) actions[name] = () => done.push(name);
  controls = new Controls(scene(), life, actions);
  stage().append(controls.node);
});
const off = () => NAMES.filter((name) => controls.buttons[name].disabled);

test("each button does what it says", () => {
  for (const name of NAMES) controls.node.querySelector(`[data-do='${name}']`).click();
  controls.speed.click();
  assert.deepEqual(done, [...NAMES, "faster"]);
  assert.deepEqual(
    [...controls.node.children].map((node) => node.dataset.do ?? node.tagName),
    [...NAMES, "INPUT", "SPAN", "speed"],
  );
  assert.equal(controls.buttons.first.title, "First");
});

test("the scrub bar goes to its place, as a number", () => {
  controls.show(0, 9, false, 1);
  controls.scrub.value = "7";
  fire(controls.scrub, "input");
  assert.deepEqual(done, [7]);
  assert.equal(controls.scrub.getAttribute("aria-label"), "of");
});

test("where one is: in numbers, and which ways lead on", () => {
  controls.show(0, 9, false, 1);
  assert.deepEqual(off(), ["first", "previous"]);
  assert.equal(controls.place.textContent, "1/10");
  assert.equal(controls.scrub.max, "9");
  assert.equal(controls.scrub.getAttribute("aria-valuetext"), "1 of 10");
  controls.show(4, 9, false, 2);
  assert.deepEqual(off(), []);
  assert.equal(controls.scrub.value, "4");
  assert.equal(controls.speed.textContent, "2×");
  assert.equal(controls.speed.getAttribute("aria-label"), "Speed 2");
  controls.show(9, 9, false, 1);
  assert.deepEqual(off(), ["next", "last"]);
});

test("one button plays and pauses, and is drawn anew only when that changes", () => {
  controls.show(0, 9, false, 1);
  const play = controls.buttons.play.firstChild;
  controls.show(1, 9, false, 1);
  assert.equal(controls.buttons.play.firstChild, play);
  controls.show(1, 9, true, 1);
  assert.equal(controls.buttons.play.title, "Pause");
  assert.equal(controls.buttons.play.getAttribute("aria-label"), "Pause");
  const drawn = (name) => icon(name).firstChild.getAttribute("d");
  assert.equal(controls.buttons.play.querySelector("path").getAttribute("d"), drawn("pause"));
  controls.show(1, 9, false, 1);
  assert.equal(controls.buttons.play.querySelector("path").getAttribute("d"), drawn("play"));
});

test("after the end nothing is done", () => {
  life.end();
  controls.buttons.next.click();
  assert.deepEqual(done, []);
});

test("speeds double, and 1 is one of them", () => {
  assert.ok(SPEEDS.includes(1));
  for (let at = 1; at < SPEEDS.length; at += 1) assert.equal(SPEEDS[at], 2 * SPEEDS[at - 1]);
});
