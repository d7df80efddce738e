// Reads backup files as the page does, one for every line it is given (a JSON text), and answers with a line: what was
// refused and why, the files that were read, or what went wrong. A file that is read replaces what is kept, in a storage
// in memory, and that is undone again: nothing may be lost on the way.
import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { BackupError, packed, readBackup } from "../nimmt_lab/screens/js/host/backup.js";
import { Store } from "../nimmt_lab/screens/js/host/store.js";
import { FakeDisk } from "./fake_idb.js";

const BEFORE = { "nimmt-lab.json": '{"done":{"a":[1,2]}}', "games/classic-1.nimmt": "a game" };
const text = (content) => (typeof content === "string" ? content : new TextDecoder().decode(content));
const shown = (disk) => Object.fromEntries([...disk.data].filter(([name]) => !name.startsWith(".")));

async function exchanged(files) {
  const disk = new FakeDisk();
  globalThis.indexedDB = disk.factory;
  const first = await Store.open();
  for (const [name, content] of Object.entries(BEFORE)) first.put(name, content);
  await first.later;
  await first.replace(files);
  assert.deepEqual(shown(disk), Object.fromEntries(files));
  first.put("nimmt-lab.json", "stale");
  await first.later;
  assert.deepEqual(shown(disk), Object.fromEntries(files));
  await (await Store.open()).undo();
  const back = Object.entries(shown(disk)).map(([name, content]) => [name, text(content)]);
  assert.deepEqual(Object.fromEntries(back), BEFORE);
}

async function answer(given) {
  try {
    const files = readBackup(given);
    await exchanged(files);
    return { files: Object.fromEntries([...files].map(([name, content]) => [name, packed(content)])) };
  } catch (error) {
    if (error instanceof BackupError) return { refused: error.message };
    return { wrong: String(error?.stack ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
