import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { Store } from "../../nimmt_lab/screens/js/host/store.js";

// As much of IndexedDB as the store asks for, in a Map that outlives it.
function disk({ opens = true, reads = true } = {}) {
  const files = new Map();
  const made = [];
  let full = false;
  const answer = (works, result, first = () => {}) => {
    const request = { result, error: works ? null : new Error("no") };
    queueMicrotask(() => {
      first(request);
      if (works) request.onsuccess();
      else request.onerror();
    });
    return request;
  };
  const reading = {
    getAllKeys: () => answer(reads, [...files.keys()]),
    getAll: () => answer(reads, [...files.values()]),
  };
  const writing = {
    delete: (name) => answer(!full, full || files.delete(name)),
    put: (content, name) => answer(!full, full || files.set(name, content)),
  };
  const base = {
    createObjectStore: (name) => made.push(name),
    transaction(name, mode) {
      assert.equal(name, "files");
      return { objectStore: () => (mode === "readwrite" ? writing : reading) };
    },
  };
  globalThis.indexedDB = {
    open(name, version) {
      assert.deepEqual([name, version], ["nimmt-lab", 1]);
      return answer(opens, base, (request) => opens && !made.length && request.onupgradeneeded());
    },
  };
  const setFull = (on) => {
    full = on;
  };
  return { files, made, setFull };
}
afterEach(() => delete globalThis.indexedDB);

test("what is put is there at once, and after the page was closed", async () => {
  const { files, made } = disk();
  const store = await Store.open();
  assert.deepEqual(made, ["files"]);
  assert.equal(store.lasting, true);
  store.put("a/b.json", "{}");
  assert.equal(store.files.get("a/b.json"), "{}");
  await store.later;
  assert.deepEqual([...files], [["a/b.json", "{}"]]);
  const again = await Store.open();
  assert.deepEqual([...again.files], [["a/b.json", "{}"]]);
});

test("null forgets one file, and clear forgets them all", async () => {
  const { files } = disk();
  const store = await Store.open();
  for (const name of ["a", "b", "c"]) store.put(name, name);
  store.put("a", null);
  assert.deepEqual([...store.files.keys()], ["b", "c"]);
  await store.later;
  assert.deepEqual([...files.keys()], ["b", "c"]);
  await store.clear();
  assert.deepEqual([files.size, store.files.size], [0, 0]);
});

test("a file written twice has what was written last", async () => {
  const { files } = disk();
  const store = await Store.open();
  store.put("a", "one");
  store.put("a", "two");
  await store.later;
  assert.equal(files.get("a"), "two");
});

test("without a storage files live as long as the page, and it says so", async () => {
  for (const prepare of [() => delete globalThis.indexedDB, () => disk({ opens: false })]) {
    prepare();
    const store = await Store.open();
    assert.equal(store.lasting, false);
    store.put("a", "b");
    assert.equal(store.files.get("a"), "b");
    await store.clear();
    assert.equal(store.files.size, 0);
  }
});

test("a storage that cannot be read does not last", async () => {
  disk({ reads: false });
  const store = await Store.open();
  assert.equal(store.lasting, false);
  assert.equal(store.files.size, 0);
});

test("a full storage calls for help, and the next file is tried all the same", async () => {
  const drive = disk();
  const store = await Store.open();
  drive.setFull(true);
  const called = [];
  store.put("a", "b", () => called.push("help"));
  await store.later;
  assert.deepEqual([called, store.lasting, store.files.get("a")], [["help"], false, "b"]);
  drive.setFull(false);
  store.put("c", "d", () => called.push("again"));
  await store.later;
  assert.deepEqual([called, drive.files.get("c")], [["help"], "d"]);
});
