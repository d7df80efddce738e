// The file in which somebody takes along what is kept: written here, and read again with care. Whatever it says, it is
// read as a whole or refused with words; nothing is stored before all of it has been looked at.
import { textEnd } from "./json.js";

const FORMAT = "nimmt-kept/1";
const FAMILY = "nimmt-kept/";
/** More letters than anybody's progress has, and few enough to be held in memory several times. */
export const LARGEST = 100_000_000;
const LONGEST_NAME = 255;
/** Files that the page writes itself, and the folders it makes. */
const OWN_FILES = ["nimmt-lab.json", "nimmt-lab-pages.json"];
const OWN_FOLDERS = ["games", "hand-in", "material", "worksheets"];
const SNAPSHOT = "page.json";

/** @typedef {"wrong" | "newer" | "large" | "name" | "clash" | "twice" | "damaged"} Refusal */

/** Why a file is refused; `name` is the entry, if the reason concerns one. */
export class BackupError extends Error {
  /**
   * @param {Refusal} why
   * @param {string} name
   */
  constructor(why, name = "") {
    super(name ? `${why}: ${name}` : why);
    this.why = why;
    this.entry = name;
  }
}

/**
 * Bytes as letters.
 * @param {Content} content
 */
export function packed(content) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters);
}

/**
 * The text of a file with all of these in it.
 * @param {Iterable<[string, Content]>} files
 */
export function writeBackup(files) {
  const entries = [...files].map(([name, content]) => [name, packed(content)]);
  return JSON.stringify({ format: FORMAT, files: Object.fromEntries(entries) });
}

/**
 * @param {string} letters
 * @param {string} name
 */
function unpacked(letters, name) {
  try {
    return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  } catch {
    throw new BackupError("damaged", name);
  }
}

/**
 * Whether a name can be one of a file in the learner's folder.
 * @param {string} name
 */
function usable(name) {
  const parts = name.split("/");
  // No control characters or halves of letters; a name with a dot in front is the store's own.
  if (/[\p{Cc}\p{Cs}]/u.test(name) || name === SNAPSHOT || name.startsWith(".")) return false;
  return parts.length <= 8 && parts.every((part) => part !== "" && part !== "." && part !== ".." && fits(part));
}

const fits = (/** @type {string} */ part) => new TextEncoder().encode(part).length <= LONGEST_NAME;

/**
 * A name that is both a file and a folder, or undefined.
 * @param {string[]} names
 */
function clashing(names) {
  const files = new Set([...names, ...OWN_FILES]);
  const folders = new Set(OWN_FOLDERS);
  for (const name of names)
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) folders.add(name.slice(0, at));
  return [...files].find((name) => folders.has(name));
}

/**
 * How many names there are in all objects of a JSON text: one that is there twice is counted twice. The text is long and
 * was read as JSON before.
 * @param {string} text
 */
function countNames(text) {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    let end = textEnd(text, start);
    start = text.indexOf('"', end + 1);
    while (/\s/.test(text.charAt(end + 1))) end += 1;
    if (text.charAt(end + 1) === ":") count += 1;
  }
  return count;
}

/**
 * The files in a text that `writeBackup` has written, or a BackupError.
 * @param {string} text
 * @returns {Map<string, Uint8Array<ArrayBuffer>>}
 */
export function readBackup(text) {
  if (text.length > LARGEST) throw new BackupError("large");
  /** @type {unknown} */
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new BackupError("wrong");
  }
  if (found === null || typeof found !== "object" || Array.isArray(found)) throw new BackupError("wrong");
  const { format, files, ...more } = /** @type {Record<string, unknown>} */ (found);
  if (typeof format === "string" && format !== FORMAT && format.startsWith(FAMILY)) throw new BackupError("newer");
  if (format !== FORMAT || files === null || typeof files !== "object" || Array.isArray(files) || files === undefined)
    throw new BackupError("wrong");
  const entries = Object.entries(files);
  for (const [name, letters] of entries) {
    if (!usable(name)) throw new BackupError("name", name);
    if (typeof letters !== "string") throw new BackupError("damaged", name);
  }
  if (Object.keys(more).length) throw new BackupError("wrong");
  const names = entries.map(([name]) => name);
  const clash = clashing(names);
  if (clash !== undefined) throw new BackupError("clash", clash);
  if (countNames(text) !== names.length + 2) throw new BackupError("twice");
  return new Map(entries.map(([name, letters]) => [name, unpacked(String(letters), name)]));
}

/**
 * What this page itself has put away: every name is one that was in use.
 * @param {string} text
 * @returns {Map<string, Content>}
 */
export function readOwn(text) {
  const { files } = /** @type {{ files: Record<string, string> }} */ (JSON.parse(text));
  return new Map(Object.entries(files).map(([name, letters]) => [name, unpacked(letters, name)]));
}
