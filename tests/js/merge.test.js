// What two tabs keep is merged by the same rules as in Python, and nothing is lost on the way through JavaScript.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseExactly, writeExactly } from "../../nimmt_lab/screens/js/host/json.js";
import { freeName, mergeFile, mergePage, mergeProgress } from "../../nimmt_lab/screens/js/host/merge.js";

const { pages, progress } = JSON.parse(readFileSync(new URL("../screens/merge.json", import.meta.url), "utf8"));
const PAGES = "nimmt-lab-pages.json";
const text = (content) => new TextDecoder().decode(content);

for (const { says, name, base, mine, theirs, merged } of pages)
  test(`pages: ${says}`, () => {
    const given = structuredClone([base, mine, theirs]);
    assert.deepEqual(mergePage(name, ...given), merged);
    assert.deepEqual(given, [base, mine, theirs]);
    const file = (page) => JSON.stringify({ format: "f", pages: Object.keys(page).length ? { [name]: page } : {} });
    const { content } = mergeFile(PAGES, file(base), file(mine), file(theirs));
    const stored = typeof content === "string" ? content : text(content);
    assert.deepEqual(JSON.parse(stored).pages[name] ?? {}, merged);
  });

for (const { says, base, mine, theirs, merged } of progress)
  test(`progress: ${says}`, () => assert.deepEqual(mergeProgress(base, mine, theirs), merged));

test("numbers stay as Python has written them", () => {
  const json = '{"a":[18446744073709551615,1.0,-0.50,1e3,7,-123456789012345],"b":"1.0 \\"2.0\\\\","c":{}}';
  assert.equal(writeExactly(parseExactly(json)), json);
  const large = '{"format":"f","pages":{"play":{"seed":18446744073709551615,"x":2.0}}}';
  const mine = '{"format":"f","pages":{"home":{"screen":"play"}}}';
  const { content } = mergeFile(PAGES, '{"format":"f","pages":{}}', mine, large);
  assert.match(text(content), /"seed":18446744073709551615,"x":2\.0/);
  assert.throws(() => parseExactly('{"a": "no end'), SyntaxError);
});

test("a name that means something to JavaScript is a name", () => {
  const own = (name) => `{"format":"f","pages":{${JSON.stringify(name)}:{"a":1}}}`;
  const { content } = mergeFile(PAGES, null, own("__proto__"), own("constructor"));
  assert.equal(text(content), '{"format":"f","pages":{"constructor":{"a":1},"__proto__":{"a":1}}}\n');
});

test("files: the one that was changed, both games, and what cannot be read stays", () => {
  assert.deepEqual(mergeFile("hand-in/x", "1", "2", "1"), { content: "2" });
  assert.deepEqual(mergeFile("hand-in/x", "1", "1", "2"), { content: "2" });
  assert.deepEqual(mergeFile("hand-in/x", "1", "2", "3"), { content: "2" });
  assert.deepEqual(mergeFile("material/x", "1", null, "1"), { content: null });
  assert.deepEqual(mergeFile("games/a-1.nimmt", null, "1", "2"), { content: "1", rename: "mine" });
  assert.deepEqual(mergeFile("games/a-1.nimmt", null, "1", "1"), { content: "1" });
  assert.deepEqual(mergeFile(PAGES, "{}", '{"a":1}', "{"), { content: '{"a":1}', rename: "theirs" });
  assert.deepEqual(mergeFile(PAGES, "{}", null, '{"a":1}'), { content: null }); // somebody has left
  assert.deepEqual(mergeFile("nimmt-lab.json", "{}", null, '{"a":1}'), { content: '{"a":1}' });
  const taken = new Set(["games/classic-1.nimmt", "games/classic-2.nimmt"]);
  assert.equal(
    freeName("games/classic-1.nimmt", (name) => taken.has(name)),
    "games/classic-3.nimmt",
  );
  assert.equal(
    freeName("nimmt-lab.json.unreadable", () => false),
    "nimmt-lab.json-1.unreadable",
  );
});
