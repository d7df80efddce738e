import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./dom.js";
import { histogram, LOOKS, settling } from "../../nimmt_lab/screens/js/chart.js";

const points = (node) =>
  node
    .getAttribute("points")
    .split(" ")
    .map((pair) => pair.split(",").map(Number));
const axis = (figure, anchor) => texts(figure.querySelectorAll(`.nl-axis-text[text-anchor='${anchor}']`));

test("a histogram steps up to each share and says it in words", () => {
  const bars = [
    [1, 0.25],
    [3, 0.75],
  ];
  const figure = histogram([{ bars }], "heads", "en", "in words");
  assert.equal(figure.querySelector("svg").getAttribute("aria-label"), "in words");
  const line = points(figure.querySelector("polyline"));
  assert.equal(line.length, 8, "two points for each of 0 to 3");
  const heights = [0, 1, 2, 3].map((at) => line[2 * at][1]);
  assert.equal(heights[0], heights[2], "what never came has no height");
  assert.ok(heights[3] < heights[1] && heights[1] < heights[0], "more is higher up");
  assert.ok(Math.abs((heights[0] - heights[3]) / (heights[0] - heights[1]) - 3) < 0.02);
  for (const at of [0, 1, 2, 3]) assert.equal(line[2 * at][1], line[2 * at + 1][1]);
  for (let at = 1; at < line.length; at += 1) assert.ok(line[at][0] >= line[at - 1][0]);
  assert.deepEqual(axis(figure, "end"), ["0%", "20%", "40%", "60%"]);
  assert.deepEqual(axis(figure, "middle"), ["-0.5", "0", "0.5", "1", "1.5", "2", "2.5", "3", "3.5", "heads"]);
});

test("numbers are written as the language writes them", () => {
  const figure = histogram([{ bars: [[1, 0.003]] }], "x", "cs", "");
  assert.deepEqual(axis(figure, "end"), ["0\u00a0%", "0,5\u00a0%", "1\u00a0%"]);
});

test("two series differ by their dashes", () => {
  const figure = histogram([{ bars: [[1, 1]] }, { bars: [[-2, 1]] }], "x", "en", "");
  const lines = [...figure.querySelectorAll("polyline")];
  assert.deepEqual(
    lines.map((line) => line.getAttribute("stroke-dasharray")),
    [null, "7 4"],
  );
  assert.deepEqual(
    lines.map((line) => line.getAttribute("class")),
    LOOKS.map((look) => look.class),
  );
  assert.equal(points(lines[0]).length, 8, "from the least of all to the most of all");
});

test("a mean settles inside its band", () => {
  const path = [
    [100, 4, 1],
    [200, 5, 0.5],
  ];
  const figure = settling([{ path }], "rounds", "en", "words");
  const mean = points(figure.querySelector("polyline"));
  const band = points(figure.querySelector("polygon"));
  assert.equal(mean.length, 2);
  assert.equal(band.length, 4);
  assert.ok(mean[1][1] < mean[0][1], "5 is above 4");
  assert.ok(mean[0][0] < mean[1][0]);
  const wide = (at) => band[3 - at][1] - band[at][1];
  assert.ok(Math.abs(wide(0) / wide(1) - 2) < 0.02, "half the error, half the band");
  for (const at of [0, 1]) assert.ok(band[at][1] < mean[at][1] && mean[at][1] < band[3 - at][1]);
  assert.ok(band[0][1] > 10.5 && band[1][1] === 10, "the upper edge is 4 + 1.96 below 5 + 0.98");
  assert.equal(mean[1][0], 560 - 26, "the last one is at the edge");
  assert.match(figure.querySelector("polygon").getAttribute("class"), /nl-line-a/);
  assert.deepEqual(axis(figure, "middle").at(-1), "rounds");
});

test("what was far off at first does not flatten the rest, and stays in the picture", () => {
  const path = Array.from({ length: 16 }, (_, at) => [at + 1, at < 2 ? 1000 : 5, 0.5]);
  const figure = settling([{ path }], "rounds", "en", "");
  const mean = points(figure.querySelector("polyline"));
  assert.deepEqual([mean[0][1], mean[1][1]], [10, 10], "at the upper edge");
  assert.ok(Math.abs(mean[5][1] - (10 + (230 - 34 - 10) / 2)) < 0.1, "in the middle");
});

test("what never changes can be drawn, too", () => {
  const figure = settling([{ path: [[10, 3, 0]] }], "rounds", "en", "");
  assert.doesNotMatch(figure.querySelector("polyline").getAttribute("points"), /NaN|Infinity/);
});
