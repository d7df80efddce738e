import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "./dom.js";
import { Life } from "../../nimmt_lab/screens/js/dom.js";
import { download, MODULES, Part, slot } from "../../nimmt_lab/screens/js/part.js";

const whole = (data = {}, parts = {}, module = "m") => ({ module, data, parts });

function made(data, parts) {
  const said = [];
  const part = new Part((one) => said.push(one), [], whole(data, parts));
  return { part, said };
}

test("data that was set is sent once, and only what was set", () => {
  const { part, said } = made({ at: 1, seat: 2 });
  part.set("at", 5);
  assert.equal(part.get("at"), 5);
  assert.deepEqual(said, []);
  part.save_changes();
  part.save_changes();
  assert.deepEqual(said, [{ path: [], data: { at: 5 } }]);
});

test("a message goes up with the path of its screen", () => {
  const { part, said } = made({}, { a: whole({}, { b: whole() }) });
  part.parts.a.parts.b.send({ type: "go" });
  assert.deepEqual(said, [{ path: ["a", "b"], message: { type: "go" } }]);
});

test("changed data is known before anybody hears of it: each name, then the change", () => {
  const { part } = made({ a: 1, b: 1 });
  const heard = [];
  part.on("change:a", () => heard.push(["a", part.get("b")]));
  part.on("change", () => heard.push("change"));
  part.on("change:c", () => heard.push("c"));
  part.apply({ path: [], data: { a: 2, b: 2 } });
  assert.deepEqual(heard, [["a", 2], "change"]);
});

test("who stops listening hears nothing more, and may do so while it is said", () => {
  const { part } = made({});
  const heard = [];
  const once = () => {
    heard.push("once");
    part.off("change", once);
  };
  part.on("change", once);
  part.on("change", () => heard.push("always"));
  part.off("never", once);
  part.apply({ path: [], data: { a: 1 } });
  part.apply({ path: [], data: { a: 2 } });
  assert.deepEqual(heard, ["once", "always", "always"]);
});

test("a message is for the screen at its path; a path to nothing is passed over", () => {
  const { part } = made({}, { a: whole() });
  const heard = [];
  part.on("msg:custom", () => heard.push("outer"));
  part.parts.a.on("msg:custom", (message) => heard.push(message));
  part.apply({ path: ["a"], message: { type: "refused", text: "no" } });
  part.apply({ path: ["gone"], message: { type: "refused", text: "no" } });
  assert.deepEqual(heard, [{ type: "refused", text: "no" }]);
});

test("what a screen has no words for comes back, to be said by the page", () => {
  const { part } = made({}, { a: whole() });
  const message = { type: "refused", text: "no such card" };
  assert.equal(part.apply({ path: ["a"], message }), "no such card");
  part.parts.a.on("msg:custom", () => {});
  assert.equal(part.apply({ path: ["a"], message }), undefined);
});

test("a screen is put in, replaced and taken out, with data that change with it", () => {
  const { part, said } = made({ step: 1 });
  const heard = [];
  part.on("part:board", () => heard.push([part.parts.board?.get("n"), part.get("step")]));
  part.apply({ path: [], part: "board", screen: whole({ n: 1 }), data: { step: 2 } });
  part.apply({ path: [], part: "board", screen: whole({ n: 2 }) });
  part.parts.board.send({ type: "x" });
  part.apply({ path: [], part: "board", screen: null });
  assert.deepEqual(heard, [
    [1, 2],
    [2, 2],
    [undefined, 2],
  ]);
  assert.deepEqual(said[0].path, ["board"]);
  assert.deepEqual(part.whole(), whole({ step: 2 }));
});

test("all of it can be told again", () => {
  const all = whole({ a: 1 }, { b: whole({ c: 2 }, {}, "n") });
  assert.deepEqual(new Part(() => {}, [], structuredClone(all)).whole(), all);
});

test("a slot draws what is put there, and ends what is taken out", () => {
  const log = [];
  MODULES.m = {
    render({ model, el }) {
      log.push(`draw ${model.get("n")}`);
      el.append(String(model.get("n")));
      return () => log.push(`end ${model.get("n")}`);
    },
  };
  const holder = stage();
  const life = new Life();
  const { part } = made({}, { a: whole({ n: 1 }) });
  slot(part, "a", holder, life);
  part.apply({ path: [], part: "a", screen: whole({ n: 2 }) });
  assert.equal(holder.textContent, "2");
  part.apply({ path: [], part: "a", screen: null });
  assert.equal(holder.textContent, "");
  part.apply({ path: [], part: "a", screen: whole({ n: 3 }) });
  life.end();
  part.apply({ path: [], part: "a", screen: whole({ n: 4 }) });
  assert.deepEqual(log, ["draw 1", "end 1", "draw 2", "end 2", "draw 3", "end 3"]);
});

test("a file to keep has its name and its text, and its address is given back", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const blobs = [];
  const gone = [];
  t.mock.method(URL, "createObjectURL", (blob) => `blob:${blobs.push(blob)}`);
  t.mock.method(URL, "revokeObjectURL", (address) => gone.push(address));
  const clicked = [];
  t.mock.method(HTMLElement.prototype, "click", function () {
    clicked.push([this.getAttribute("download"), this.getAttribute("href")]);
  });
  download("a.txt", "one");
  download("b.bin", new Blob(["two"]));
  assert.deepEqual(clicked, [
    ["a.txt", "blob:1"],
    ["b.bin", "blob:2"],
  ]);
  assert.deepEqual(await Promise.all(blobs.map((blob) => blob.text())), ["one", "two"]);
  assert.deepEqual(gone, []);
  t.mock.timers.tick(10_000);
  assert.deepEqual(gone, ["blob:1", "blob:2"]);
});
