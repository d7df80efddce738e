import assert from "node:assert/strict";
import { test } from "node:test";
import { fire, stage } from "./dom.js";
import {
  el,
  fill,
  focusIn,
  followTheme,
  Life,
  reducedMotion,
  setText,
  stand,
  svg,
  uid,
} from "../../nimmt_lab/screens/js/dom.js";

test("an element gets its attributes, but not those that are nothing", () => {
  const node = el("button", { type: "button", hidden: true, title: null, id: undefined, disabled: false, tabindex: 0 });
  assert.deepEqual(node.getAttributeNames().sort(), ["hidden", "tabindex", "type"]);
  assert.equal(node.getAttribute("hidden"), "");
  assert.equal(node.getAttribute("tabindex"), "0");
});

test("children are nodes and texts, alone or in lists, and text is never markup", () => {
  const node = el("p", {}, "a<b>c</b>", null, [el("i", {}, "d"), undefined, "e"]);
  assert.equal(node.textContent, "a<b>c</b>de");
  assert.equal(node.children.length, 1);
});

test("drawings are in the namespace of drawings", () => {
  assert.equal(svg("path", { d: "M0 0" }).namespaceURI, "http://www.w3.org/2000/svg");
  assert.equal(el("p").namespaceURI, "http://www.w3.org/1999/xhtml");
});

test("no two ids are the same", () => {
  assert.match(uid("a"), /^nl-a-\d+$/);
  assert.notEqual(uid("a"), uid("a"));
});

test("a template is filled in; what nobody knows stays", () => {
  assert.equal(fill("row {row} of {all}, {row}", { row: 0 }), "row 0 of {all}, 0");
  assert.equal(fill("{a}"), "{a}");
});

test("numbers are inflected as the template's language asks", () => {
  const cards = "{n:pl|# karta|# karty|# kart|# karty}";
  const forms = [0, 1, 2, 5, 12, 22, "1,5"].map((n) => fill(cards, { n }));
  assert.deepEqual(forms, ["0 kart", "1 karta", "2 karty", "5 kart", "12 kart", "22 karty", "1,5 karty"]);
  const cows = [0, 1, 2, 5, 12, 22, 1.5].map((n) => fill("{n:cs|kráva|krávy|krávy (1,5)|krav}", { n }));
  assert.deepEqual(cows, ["krav", "kráva", "krávy", "krav", "krav", "krav", "krávy (1,5)"]);
  assert.equal(fill("{n:en|# card|# cards}", { n: 1 }), "1 card");
  assert.equal(fill("{n:en|# card|# cards}", { n: "1,001" }), "1,001 cards");
  assert.equal(fill(cards, { n: "2\u00a0022" }), "2\u00a0022 karty");
  assert.equal(fill("{n:en|# card|# cards}", { n: 1.5 }), "1.5 cards");
});

test("lists choose a verb and get a conjunction", () => {
  const winners = "{who:pl|Wygrywa|Wygrywają} {who:pl&i}.";
  assert.equal(fill(winners, { who: ["A"] }), "Wygrywa A.");
  assert.equal(fill(winners, { who: ["A", "B", "C"] }), "Wygrywają A, B i C.");
  assert.equal(fill("{who}", { who: ["A", "B"] }), "A, B");
});

test("prepositions are written as the number is read", () => {
  const of = [1, 4, 5, 40, 45, 50, 70, 104, 435, 1000, 2000].map((n) => fill("{n:cs<z}", { n }));
  assert.deepEqual(of, ["z\u00a01", "ze 4", "z\u00a05", "ze 40", "ze 45", "z\u00a050", "ze 70", "ze 104", "ze 435",
    "z\u00a01000", "ze 2000"]); // biome-ignore format: a list
  assert.equal(fill("{n:cs<k}", { n: 70 }), "k\u00a070");
  assert.equal(fill("{n:pl<z}", { n: 104 }), "ze 104");
});

test("a text is only set when it differs", async () => {
  const node = el("p", {}, "same");
  const before = node.firstChild;
  setText(node, "same");
  assert.equal(node.firstChild, before);
  setText(node, "other");
  assert.equal(node.textContent, "other");
});

test("focus is found inside a box, and not outside it", () => {
  const holder = stage();
  const [inside, outside] = [el("button"), el("button")];
  const box = el("div", {}, inside);
  holder.append(box, outside);
  inside.focus();
  assert.equal(focusIn(box), inside);
  outside.focus();
  assert.equal(focusIn(box), null);
});

test("everything a life has begun ends with it, once", () => {
  const life = new Life();
  const heard = [];
  const node = el("div");
  const model = { on: (name) => heard.push(`on ${name}`), off: (name) => heard.push(`off ${name}`) };
  life.on(node, "click", () => heard.push("click"));
  life.model(model, "change:at", () => {});
  life.atEnd(() => heard.push("end"));
  fire(node, "click");
  life.end();
  fire(node, "click");
  life.end();
  assert.deepEqual(heard, ["on change:at", "click", "off change:at", "end"]);
});

test("the theme is that of the colour behind", () => {
  const holder = stage();
  const life = new Life();
  for (const [colour, theme] of [
    ["rgb(20, 20, 20)", "dark"],
    ["rgb(240, 240, 240)", "light"],
    ["rgb(0, 160, 0)", "dark"],
    ["rgb(160, 160, 0)", "light"],
  ]) {
    holder.style.backgroundColor = colour;
    const root = el("div");
    holder.append(root);
    followTheme(root, life);
    assert.equal(root.dataset.theme, theme, colour);
  }
  // What lets through what is behind it says nothing; what hardly does says it all.
  holder.style.backgroundColor = "rgba(20, 20, 20, 0.9)";
  const nearly = el("div");
  holder.append(nearly);
  followTheme(nearly, life);
  assert.equal(nearly.dataset.theme, "dark");
  document.body.style.backgroundColor = "rgb(0, 0, 0)";
  holder.style.backgroundColor = "rgba(255, 255, 255, 0.2)";
  const root = el("div");
  holder.append(root);
  followTheme(root, life);
  assert.equal(root.dataset.theme, "dark");
  document.body.style.backgroundColor = "";
  life.end();
});

test("with no colour behind, the reader's settings decide, unless the notebook is light", (t) => {
  const holder = stage();
  const life = new Life();
  let dark = true;
  t.mock.method(window, "matchMedia", () => ({ matches: dark, addEventListener() {} }));
  const theme = () => {
    const root = el("div");
    holder.append(root);
    followTheme(root, life);
    return root.dataset.theme;
  };
  assert.equal(theme(), "dark");
  document.body.dataset.jpThemeLight = "true";
  assert.equal(theme(), "light");
  delete document.body.dataset.jpThemeLight;
  dark = false;
  assert.equal(theme(), "light");
  life.end();
});

test("less motion is asked for by the reader's settings", (t) => {
  const asked = [];
  t.mock.method(window, "matchMedia", (query) => {
    asked.push(query);
    return { matches: true, addEventListener() {} };
  });
  assert.equal(reducedMotion(), true);
  assert.deepEqual(asked, ["(prefers-reduced-motion: reduce)"]);
});

test("what stands in its place is taken away with all it has begun", () => {
  const holder = stage();
  const life = new Life();
  const ended = [];
  life.atEnd(() => ended.push("life"));
  const root = el("div");
  const end = stand(
    { root, inner: { end: () => ended.push("inner") }, motion: { stop: () => ended.push("motion") } },
    holder,
    life,
  );
  assert.equal(holder.firstChild, root);
  end();
  assert.deepEqual(ended, ["life", "inner", "motion"]);
  assert.equal(holder.firstChild, null);
});
