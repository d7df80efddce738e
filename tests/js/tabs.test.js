// Several tabs on one storage: nothing is lost, nothing comes back, everything is replaced as a whole or not at all.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Store } from "../../nimmt_lab/screens/js/host/store.js";
import { FakeDisk, settled } from "../../tools/fake_idb.js";

let disk;
beforeEach(() => {
  disk = new FakeDisk();
  globalThis.indexedDB = disk.factory;
});

const PROGRESS = "nimmt-lab.json";
const PAGES = "nimmt-lab-pages.json";
const progress = (done, more = {}) => JSON.stringify({ format: "p", lang: "en", name: "", done, ...more });
const pages = (kept) => JSON.stringify({ format: "f", pages: kept });
const text = (content) => (typeof content === "string" ? content : new TextDecoder().decode(content));
const stored = (name) => JSON.parse(text(disk.data.get(name)));
// What a tab says about keeping.
const noted = (said) => (name, other) => said.push(name ? [name, other] : "changed");
const listed = () => [...disk.data.keys()].filter((name) => !name.startsWith(".")).sort();

async function keep(store, files) {
  for (const [name, content] of Object.entries(files)) store.put(name, content);
  await settled(store);
}

test("two tabs do not erase each other's progress", async () => {
  await keep(await Store.open(), {
    [PROGRESS]: progress({ a: [1, 5] }),
    [PAGES]: pages({ home: { screen: "learn" } }),
  });
  const [one, other] = [await Store.open(), await Store.open()];
  await keep(one, {
    [PROGRESS]: progress({ a: [4, 5], b: [2, 2] }),
    [PAGES]: pages({ home: { screen: "learn" }, x: { a: 1 } }),
  });
  await keep(other, {
    [PROGRESS]: progress({ a: [1, 5], c: [3, 3] }, { lang: "pl" }),
    [PAGES]: pages({ home: { screen: "play" } }),
  });
  await keep(one, { [PROGRESS]: progress({ a: [4, 5], b: [2, 2], d: [1, 1] }) });
  assert.deepEqual(stored(PROGRESS).done, { a: [4, 5], b: [2, 2], c: [3, 3], d: [1, 1] });
  assert.equal(stored(PROGRESS).lang, "pl");
  assert.deepEqual(stored(PAGES).pages, { home: { screen: "play" }, x: { a: 1 } });
});

test("many tabs that write at the same time lose nothing", async () => {
  await keep(await Store.open(), { [PROGRESS]: progress({}) });
  const tabs = await Promise.all(Array.from({ length: 8 }, () => Store.open()));
  for (let turn = 0; turn < 10; turn += 1)
    for (const [which, tab] of tabs.entries()) {
      const done = Object.fromEntries(Array.from({ length: turn + 1 }, (_, at) => [`${which}-${at}`, [at, 10]]));
      tab.put(PROGRESS, progress(done));
    }
  await settled(...tabs);
  assert.equal(Object.keys(stored(PROGRESS).done).length, 80);
});

test("saved games are united, under names of their own", async () => {
  const [one, other] = [await Store.open(), await Store.open()];
  const said = [];
  await keep(one, { "games/classic-1.nimmt": "mine" });
  other.tell = noted(said);
  other.put("games/classic-1.nimmt", "yours");
  await settled(other);
  assert.deepEqual(said, [["games/classic-1.nimmt", "games/classic-2.nimmt"]]);
  // The second game of that tab has the name that its first one got.
  other.put("games/classic-2.nimmt", "yours, too");
  other.put("games/classic-1.nimmt", "yours, again");
  await settled(other);
  assert.deepEqual(
    listed().map((name) => [name, text(disk.data.get(name))]),
    [
      ["games/classic-1.nimmt", "mine"],
      ["games/classic-2.nimmt", "yours, again"],
      ["games/classic-3.nimmt", "yours, too"],
    ],
  );
  assert.deepEqual([...other.files.keys()].sort(), ["games/classic-2.nimmt", "games/classic-3.nimmt"]);
});

test("what one tab has forgotten does not come back from another", async () => {
  await keep(await Store.open(), { [PROGRESS]: progress({ a: [1, 1] }), "games/x-1.nimmt": "1" });
  const [one, stale] = [await Store.open(), await Store.open()];
  const said = [];
  await one.clear();
  stale.tell = noted(said);
  stale.put("page.json", "{}"); // whichever file it is that notices
  await settled(stale);
  stale.put(PROGRESS, progress({ a: [1, 1], b: [1, 1] }));
  await settled(stale);
  assert.deepEqual(listed(), []);
  assert.equal(stale.replaced, true);
  assert.deepEqual(said, ["changed"]);
  one.put(PROGRESS, progress({}));
  await settled(one);
  assert.deepEqual(listed(), [], "nor from the one that has forgotten it");
  const fresh = await Store.open();
  await keep(fresh, { [PROGRESS]: progress({ c: [1, 1] }) });
  assert.deepEqual(stored(PROGRESS).done, { c: [1, 1] });
});

test("a file that one tab has removed stays removed", async () => {
  await keep(await Store.open(), { "material/baron.csv": "1", [PROGRESS]: progress({}) });
  const [one, stale] = [await Store.open(), await Store.open()];
  await keep(one, { "material/baron.csv": null });
  await keep(stale, { [PROGRESS]: progress({ a: [1, 1] }) });
  assert.deepEqual(listed(), [PROGRESS]);
});

test("everything is replaced as a whole or not at all, whatever fails", async () => {
  const before = { [PROGRESS]: progress({ a: [1, 1] }), "games/x-1.nimmt": "1" };
  await keep(await Store.open(), before);
  const files = new Map([
    [PROGRESS, progress({})],
    ["hand-in/b", "2"],
  ]);
  const failures = [];
  for (let at = 0; ; at += 1) {
    const store = await Store.open();
    let count = 0;
    disk.failing = () => count++ === at;
    const failed = await store.replace(files).then(
      () => false,
      () => true,
    );
    disk.failing = () => false;
    if (!failed) break;
    failures.push(at);
    assert.deepEqual(Object.fromEntries(disk.data), before);
    await keep(store, { "games/x-1.nimmt": "1" });
    assert.equal(store.replaced, false, "this tab goes on");
  }
  assert.ok(failures.length >= 7, `every request and the commit: ${failures}`);
  assert.deepEqual(listed(), ["hand-in/b", PROGRESS]);
});

test("it can be undone, and that, too", async () => {
  const before = { [PROGRESS]: progress({ a: [1, 1] }), "games/x-1.nimmt": "1", "page.json": "{}" };
  await keep(await Store.open(), before);
  assert.equal((await Store.open()).undoable, false);
  await (await Store.open()).replace(new Map([["hand-in/b", "2"]]));
  const tab = await Store.open();
  assert.deepEqual([...tab.files.keys()], ["hand-in/b"]);
  assert.equal(tab.undoable, true);
  await keep(tab, { "hand-in/c": "3" });
  await tab.undo();
  assert.deepEqual(listed(), ["games/x-1.nimmt", PROGRESS]);
  assert.equal(text(disk.data.get("games/x-1.nimmt")), "1");
  await (await Store.open()).undo();
  assert.deepEqual(listed(), ["hand-in/b", "hand-in/c"]);
  await (await Store.open()).clear();
  assert.equal((await Store.open()).undoable, false, "what is forgotten is forgotten");
});

test("another tab that was open while everything was replaced writes nothing into it", async () => {
  await keep(await Store.open(), { [PROGRESS]: progress({ a: [1, 1] }) });
  const [one, stale] = [await Store.open(), await Store.open()];
  await one.replace(new Map([[PROGRESS, progress({ z: [9, 9] })]]));
  await keep(stale, { [PROGRESS]: progress({ a: [1, 1], b: [1, 1] }), "games/y-1.nimmt": "1" });
  assert.deepEqual(stored(PROGRESS).done, { z: [9, 9] });
  assert.deepEqual(listed(), [PROGRESS]);
});

test("what could not be kept is kept as soon as there is room", async () => {
  const store = await Store.open();
  const said = [];
  store.tell = noted(said);
  for (const kind of ["commit", "put"]) {
    disk.failing = (what) => what === kind;
    store.put(`games/${kind}-1.nimmt`, "1");
    await settled(store);
    assert.equal(store.lasting, false);
  }
  assert.deepEqual(said, ["changed"], "said once");
  assert.equal(disk.data.size, 0);
  disk.failing = () => false;
  store.put("x", "1");
  await settled(store);
  assert.equal(store.lasting, true);
  assert.deepEqual(said, ["changed", "changed"]);
  assert.deepEqual(listed(), ["games/commit-1.nimmt", "games/put-1.nimmt", "x"]);
});

test("a stored file that cannot be read is set aside", async () => {
  await keep(await Store.open(), { [PROGRESS]: progress({}) });
  const store = await Store.open();
  disk.data.set(PROGRESS, "{");
  await keep(store, { [PROGRESS]: progress({ a: [1, 1] }) });
  assert.deepEqual(stored(PROGRESS).done, { a: [1, 1] });
  assert.equal(disk.data.get("nimmt-lab.json-1.unreadable"), "{");
});

test("where there is no storage, the page goes on without", async () => {
  globalThis.indexedDB = undefined;
  const store = await Store.open();
  await keep(store, { x: "1" });
  assert.equal(store.lasting, false);
  assert.equal(store.files.get("x"), "1");
  await assert.rejects(() => store.replace(new Map()));
  assert.equal((await store.all()).get("x"), "1");
});

test("a tab of somebody who has left in another one writes nothing into the next person's files", async () => {
  await keep(await Store.open(), { [PROGRESS]: progress({ a: [1, 5] }), [PAGES]: pages({ x: { a: 1 } }) });
  const [stale, here] = [await Store.open(), await Store.open()];
  await keep(stale, { [PAGES]: pages({ x: { a: 1 }, y: { a: 2 } }), [PROGRESS]: progress({ a: [1, 5], b: [2, 2] }) });
  // Python in this tab has moved its files; the page hears of one after the other.
  for (const [name, content] of Object.entries({
    [`left/ABCD/${PAGES}`]: pages({ x: { a: 3 } }),
    [`left/ABCD/${PROGRESS}`]: progress({ a: [5, 5] }),
    [PAGES]: null,
    [PROGRESS]: progress({}, { epoch: "e1" }),
  }))
    await keep(here, { [name]: content });
  assert.equal(disk.data.get(PAGES), undefined);
  assert.deepEqual(stored(`left/ABCD/${PAGES}`).pages, { x: { a: 3 }, y: { a: 2 } });
  assert.deepEqual(stored(`left/ABCD/${PROGRESS}`).done, { a: [5, 5], b: [2, 2] });
  await keep(here, { [PAGES]: pages({ z: { a: 1 } }), [PROGRESS]: progress({ c: [1, 1] }, { epoch: "e1" }) });
  await keep(stale, { [PAGES]: pages({ x: { a: 9 } }), [PROGRESS]: progress({ a: [5, 5] }) });
  assert.ok(stale.replaced && !here.replaced);
  assert.deepEqual(stored(PAGES).pages, { z: { a: 1 } });
  assert.deepEqual(stored(PROGRESS).done, { c: [1, 1] });
});
