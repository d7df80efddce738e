// How two tabs of one learner agree on what is kept: record by record, and nothing that is done is undone. The rules are
// those of nimmt_lab/screens/merge.py, which says them in words; tests/screens/merge.json holds both to them.
import { parseExactly, writeExactly } from "./json.js";

export const PROGRESS = "nimmt-lab.json";
const PAGES = "nimmt-lab-pages.json";
const MOST_TRIES = 1000;

/** @typedef {Record<string, unknown>} Page */

/**
 * @param {unknown} value
 * @returns {Page}
 */
const object = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? /** @type {Page} */ (value) : {};

/**
 * @param {unknown} value
 * @returns {unknown[]}
 */
const list = (value) => (Array.isArray(value) ? value : []);

/**
 * @param {unknown} value
 * @returns {number}
 */
const whole = (value) => (Number.isInteger(value) ? Number(value) : 0);

// Names that mean something to JavaScript ("__proto__") are names like any other here.
/**
 * @param {Page} page
 * @param {string} name
 */
const at = (page, name) => (Object.hasOwn(page, name) ? page[name] : undefined);

/**
 * Whether two values are equal as JSON, whatever the order of their fields.
 * @param {unknown} one
 * @param {unknown} other
 * @returns {boolean}
 */
export function same(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(fields(one)[name], fields(other)[name]))
  );
}

const fields = (/** @type {object} */ value) => /** @type {Page} */ (value);

/** @param {Page} page */
const empty = (page) => Object.keys(page).length === 0;

/**
 * One record of three versions of it; an empty one does not exist.
 * @param {string} name
 * @param {Page} base
 * @param {Page} mine
 * @param {Page} theirs
 * @returns {Page}
 */
export function mergePage(name, base, mine, theirs) {
  if (same(mine, base)) return theirs;
  if (same(theirs, base) || same(theirs, mine) || empty(mine) || empty(theirs)) return mine;
  if (name.startsWith("lesson ")) return mergeLesson(base, mine, theirs);
  if (name === "practise") return mergePractice(base, mine, theirs);
  return mine;
}

/**
 * @param {Page} base
 * @param {Page} mine
 * @param {Page} theirs
 * @returns {Page}
 */
function mergeLesson(base, mine, theirs) {
  if (!same(mine.seed, theirs.seed)) return mine;
  const newer = whole(mine.starts) - whole(theirs.starts);
  if (newer) return newer > 0 ? mine : theirs;
  if (!same(mine.sitting, theirs.sitting)) return isFurther(theirs, mine) ? theirs : mine;
  const begun = whole(base.starts) === whole(mine.starts) && same(base.sitting, mine.sitting);
  const ahead = whole(theirs.practised) - whole(mine.practised);
  const streak = ahead > 0 ? whole(theirs.streak) : whole(mine.streak);
  return {
    ...theirs,
    ...mine,
    at: Math.max(whole(mine.at), whole(theirs.at)),
    tries: mergeTries(begun ? object(base.tries) : {}, object(mine.tries), object(theirs.tries)),
    hinted: united(mine.hinted, theirs.hinted),
    open: united(mine.open, theirs.open),
    sheets: united(mine.sheets, theirs.sheets),
    practised: Math.max(whole(mine.practised), whole(theirs.practised)),
    streak: ahead ? streak : Math.max(whole(mine.streak), whole(theirs.streak)),
  };
}

/**
 * Every try: the stored ones, then those added in this tab.
 * @param {Page} base
 * @param {Page} mine
 * @param {Page} theirs
 */
function mergeTries(base, mine, theirs) {
  const found = new Map(Object.entries(theirs));
  for (const question of Object.keys(mine)) {
    const [before, own, other] = [base, mine, theirs].map((tries) => list(at(tries, question)));
    const added = same(own.slice(0, before.length), before) ? own.slice(before.length) : own;
    found.set(question, [...other, ...added].slice(0, MOST_TRIES));
  }
  return Object.fromEntries(found);
}

/**
 * @param {Page} base
 * @param {Page} mine
 * @param {Page} theirs
 * @returns {Page}
 */
function mergePractice(base, mine, theirs) {
  const total = (/** @type {string} */ key) => whole(theirs[key]) + Math.max(0, whole(mine[key]) - whole(base[key]));
  const [before, own, other] = [base, mine, theirs].map((page) => list(page.missed));
  const changed = own.filter((item) => !before.some((one) => same(one, item)));
  const gone = before.filter((item) => !own.some((one) => same(task(one), task(item))));
  const kept = other.filter((item) => ![...changed, ...gone].some((one) => same(task(one), task(item))));
  const best = Math.max(whole(mine.best), whole(theirs.best));
  return { ...mine, count: total("count"), right: total("right"), best, missed: [...kept, ...changed] };
}

/**
 * @param {unknown} item
 * @returns {unknown}
 */
const task = (item) =>
  item !== null && typeof item === "object" && !Array.isArray(item) ? (object(item).task ?? null) : item;

/**
 * Whether one lesson has come further: by its place, then the steps solved, then the tries made.
 * @param {Page} one
 * @param {Page} other
 */
function isFurther(one, other) {
  const tries = (/** @type {Page} */ page) =>
    Object.values(object(page.tries)).reduce((/** @type {number} */ sum, said) => sum + list(said).length, 0);
  const differences = [
    whole(one.at) - whole(other.at),
    list(one.open).length - list(other.open).length,
    tries(one) - tries(other),
  ];
  return (differences.find((difference) => difference !== 0) ?? 0) > 0;
}

/**
 * Texts or numbers of both, in order, each once.
 * @param {unknown} mine
 * @param {unknown} theirs
 * @returns {(number | string)[]}
 */
function united(mine, theirs) {
  const both = new Set([...list(mine), ...list(theirs)]);
  const numbers = [...both].filter((one) => Number.isInteger(one)).map(Number);
  const texts = [...both].filter((one) => typeof one === "string").map(String);
  return [...numbers.sort((one, other) => one - other), ...texts.sort()];
}

/**
 * Which of two results of a lesson is better: more right, then of more questions.
 * @param {unknown} one
 * @param {unknown} other
 */
function better(one, other) {
  const [mine, theirs] = [list(one).map(whole), list(other).map(whole)];
  return (mine[0] - theirs[0] || mine[1] - theirs[1]) >= 0 ? one : other;
}

/**
 * A map of records, each merged by itself.
 * @param {Page} base
 * @param {Page} mine
 * @param {Page} theirs
 * @param {(name: string, base: unknown, mine: unknown, theirs: unknown) => unknown} merge undefined where there is none
 * @returns {Page}
 */
function mergeEach(base, mine, theirs, merge) {
  const found = new Map();
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const [first, own, other] = [at(base, name), at(mine, name), at(theirs, name)];
    const merged = same(own, first) ? other : same(other, first) ? own : merge(name, first, own, other);
    if (merged !== undefined) found.set(name, merged);
  }
  return Object.fromEntries(found);
}

/**
 * The learner's progress: lessons with their best results, settings by the latest change.
 * @param {Page} base
 * @param {Page} mine
 * @param {Page} theirs
 * @returns {Page}
 */
export function mergeProgress(base, mine, theirs) {
  const settings = mergeEach(
    { ...base, done: 0 },
    { ...mine, done: 0 },
    { ...theirs, done: 0 },
    (_name, _base, own) => own,
  );
  const done = mergeEach(object(base.done), object(mine.done), object(theirs.done), (_name, _base, own, other) =>
    own === undefined ? other : other === undefined ? own : better(own, other),
  );
  return { ...settings, done };
}

/**
 * The saved state of pages, by name.
 * @param {Page} base
 * @param {Page} mine
 * @param {Page} theirs
 * @returns {Page}
 */
function mergePages(base, mine, theirs) {
  const pages = mergeEach(object(base.pages), object(mine.pages), object(theirs.pages), (name, first, own, other) => {
    const page = mergePage(name, object(first), object(own), object(other));
    return empty(page) ? undefined : page;
  });
  return { ...theirs, ...mine, pages };
}

/** @param {Content} content */
const text = (content) => (typeof content === "string" ? content : new TextDecoder().decode(content));

/**
 * @param {Content | null} content
 * @returns {Page | null} null if it cannot be read
 */
function parsed(content) {
  try {
    const value = parseExactly(text(content ?? "{}"));
    return value !== null && typeof value === "object" && !Array.isArray(value) ? object(value) : null;
  } catch {
    return null;
  }
}

/**
 * Which epoch a learner's progress belongs to: it changes when somebody leaves this computer or comes back.
 * @param {Content | null} content
 */
export function epochIn(content) {
  const epoch = parsed(content)?.epoch;
  return typeof epoch === "string" ? epoch : "";
}

/**
 * What is put away when somebody leaves is a file like the one it was: the name of that one, or none.
 * @param {string} name
 */
export const putAway = (name) => /^left\/[^/]+\/(nimmt-lab(?:-pages)?\.json)$/.exec(name)?.[1];

/**
 * Whether two contents are the same.
 * @param {Content | null} one
 * @param {Content | null} other
 */
export const equal = (one, other) => one === other || (one !== null && other !== null && text(one) === text(other));

/**
 * The content to store for a file, given the version this tab started from, its present version and the stored one.
 * `rename` means that both must be kept: rename the tab's, or (if the stored one cannot be read) the stored one.
 * @param {string} name
 * @param {Content | null} base
 * @param {Content | null} mine
 * @param {Content | null} theirs
 * @returns {{ content: Content | null, rename?: "mine" | "theirs" }}
 */
export function mergeFile(name, base, mine, theirs) {
  if (equal(mine, base)) return { content: theirs };
  if (theirs === null || equal(theirs, base) || equal(theirs, mine)) return { content: mine };
  if (name === PROGRESS || name === PAGES) {
    // Pages disappear only when somebody leaves: then nobody else may find them here.
    if (mine === null) return { content: name === PAGES ? null : theirs };
    if (name === PROGRESS && epochIn(mine) !== epochIn(base)) return { content: mine }; // another person's
    const [first, own, other] = [base, mine, theirs].map(parsed);
    if (!other) return { content: mine, rename: "theirs" };
    if (!own || !same(own.format, other.format)) return { content: mine };
    const merge = name === PROGRESS ? mergeProgress : mergePages;
    return { content: new TextEncoder().encode(`${writeExactly(merge(first ?? {}, own, other))}\n`) };
  }
  if (mine !== null && (name.startsWith("games/") || name.includes(".unreadable")))
    return { content: mine, rename: "mine" };
  return { content: mine };
}

/**
 * The first free name like this one: "games/classic-1.nimmt", "games/classic-2.nimmt", …
 * @param {string} name
 * @param {(name: string) => boolean} taken
 */
export function freeName(name, taken) {
  const [, stem, ending] = /** @type {RegExpExecArray} */ (/^(.*?)(?:-\d+)?(\.[^./]*)?$/s.exec(name));
  let number = 1;
  while (taken(`${stem}-${number}${ending ?? ""}`)) number += 1;
  return `${stem}-${number}${ending ?? ""}`;
}
