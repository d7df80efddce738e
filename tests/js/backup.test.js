// Backup files: what was saved is read again, and everything else is refused with a reason.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BackupError, LARGEST, packed, readBackup, writeBackup } from "../../nimmt_lab/screens/js/host/backup.js";

const file = (files, more = {}) => JSON.stringify({ format: "nimmt-kept/1", files, ...more });
const refused = (text, why, entry = "") =>
  assert.throws(
    () => readBackup(text),
    (error) => error instanceof BackupError && error.why === why && error.entry === entry,
    `${text.slice(0, 60)}: ${why}`,
  );

test("what was saved is read again", () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
  const files = new Map([
    ["nimmt-lab.json", "Łódź"],
    ["games/classic-1.nimmt", bytes],
    ["hand-in/.x-p2-7.json", ""],
    ['a "name": b\\', "1"],
    ["__proto__", "2"],
  ]);
  const read = readBackup(writeBackup(files));
  assert.deepEqual([...read.keys()], [...files.keys()]);
  assert.deepEqual(read.get("games/classic-1.nimmt"), bytes);
  assert.equal(new TextDecoder().decode(read.get("nimmt-lab.json")), "Łódź");
  const spaced = JSON.stringify(JSON.parse(writeBackup(files)), null, 2);
  assert.equal(readBackup(spaced).size, files.size);
  assert.equal(readBackup(writeBackup([])).size, 0);
});

test("what is no such file is refused", () => {
  for (const text of ["", "x", "[]", "null", "1", "{}", '{"format": "nimmt-kept/1"}', '{"format":1,"files":{}}'])
    refused(text, "wrong");
  for (const files of [[], null, "x", 1]) refused(file(files), "wrong");
  refused(file({}, { more: 1 }), "wrong");
  refused(file({}).replace("kept/1", "kept/2"), "newer");
  refused(" ".repeat(LARGEST + 1), "large");
});

test("names that lead elsewhere, or that nothing can have, are refused", () => {
  const names = ["", "/", "/x", "x/", "a//b", "..", "../x", "a/../b", ".", "./x", ".epoch", ".before", "page.json"];
  for (const name of [...names, "a\0b", "a\nb", "\ud800", "x".repeat(256), `${"a/".repeat(8)}b`])
    refused(file({ [name]: "" }), "name", name);
});

test("names that clash are refused", () => {
  refused(file({ a: "", "a/b": "" }), "clash", "a");
  refused(file({ "a/b": "", "a/b/c": "" }), "clash", "a/b");
  for (const folder of ["games", "hand-in", "material", "worksheets"]) refused(file({ [folder]: "" }), "clash", folder);
  refused(file({ "nimmt-lab.json/x": "" }), "clash", "nimmt-lab.json");
  refused('{"format":"nimmt-kept/1","files":{"a":"","a":""}}', "twice");
  refused('{"format":"nimmt-kept/1","files":{"a":""},"files":{"a":""}}', "twice");
  refused('{"format":"nimmt-kept/1","files":{"a":"","\\u0061" : ""}}', "twice");
});

test("content that cannot be read is refused, all of it", () => {
  for (const letters of ["?", "abc=d", 1, null, [], {}])
    refused(file({ good: packed("1"), bad: letters }), "damaged", "bad");
});
