// JSON that passes through here unchanged: JavaScript has no whole numbers beyond 2^53 and does not tell 1.0 from 1, but
// Python does. Such numbers are carried as marked texts.

const MARK = `\0${[...crypto.getRandomValues(new Uint32Array(2))].join("-")} `;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Where the text that starts at a quotation mark ends: the place of its last mark, or the end of everything.
 * @param {string} json
 * @param {number} start
 */
export function textEnd(json, start) {
  let end = json.indexOf('"', start + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? json.length : end;
}

/**
 * Whether an odd number of backslashes precedes a character.
 * @param {string} json
 * @param {number} at
 */
function isEscaped(json, at) {
  let slashes = 0;
  while (json.charAt(at - 1 - slashes) === "\\") slashes += 1;
  return slashes % 2 === 1;
}

/** @param {string} number */
const marked = (number) => (/^-?\d{1,15}$/.test(number) ? number : JSON.stringify(MARK + number));

/**
 * @param {string} json
 * @returns {unknown}
 */
export function parseExactly(json) {
  const pieces = [];
  let from = 0;
  for (let start = json.indexOf('"'); start >= 0; start = json.indexOf('"', from)) {
    const end = textEnd(json, start);
    pieces.push(json.slice(from, start).replace(NUMBER, marked), json.slice(start, end + 1));
    from = end + 1;
  }
  pieces.push(json.slice(from).replace(NUMBER, marked));
  return JSON.parse(pieces.join(""));
}

/**
 * @param {unknown} value
 * @returns {string}
 */
export function writeExactly(value) {
  const mark = JSON.stringify(MARK).slice(0, -1);
  const [first, ...others] = JSON.stringify(value).split(mark);
  return first + others.map((rest) => rest.replace('"', "")).join("");
}
