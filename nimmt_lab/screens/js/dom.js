// Small helpers for making elements. Text only ever becomes text: nothing here parses markup, so no name or comment
// from a record can become an element.

const SVG_NS = "http://www.w3.org/2000/svg";
let made = 0;

/** @param {string} stem */
export function uid(stem) {
  made += 1;
  return `nl-${stem}-${made}`;
}

/**
 * @template {Element} E
 * @param {E} node
 * @param {Attributes} attributes
 * @param {Children} children
 * @returns {E}
 */
function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined) node.append(child); // strings become text nodes
  }
  return node;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {Children} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {Children} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG_NS, tag), attributes, children);
}

/** @type {WeakMap<Element, Drawn[]>} */
const drawings = new WeakMap();

/**
 * @param {Drawn} one
 * @param {Drawn} other
 */
function same([tag, attributes, text], [otherTag, others, otherText]) {
  const names = Object.keys(attributes);
  return (
    tag === otherTag &&
    text === otherText &&
    names.length === Object.keys(others).length &&
    names.every((name) => attributes[name] === others[name])
  );
}

// Draw the elements of a group again. What stays the same at its start and at its end is not touched.
/**
 * @template {Element} E
 * @param {E} group
 * @param {Drawn[]} wanted
 * @returns {E}
 */
export function redraw(group, wanted) {
  const before = drawings.get(group) ?? [];
  drawings.set(group, wanted);
  const short = Math.min(before.length, wanted.length);
  let from = 0;
  while (from < short && same(before[from], wanted[from])) from += 1;
  let kept = 0;
  while (kept < short - from && same(before[before.length - 1 - kept], wanted[wanted.length - 1 - kept])) kept += 1;
  const nodes = [...group.children];
  const rest = nodes[before.length - kept] ?? null;
  for (const node of nodes.slice(wanted.length - kept, before.length - kept)) node.remove();
  for (let at = from; at < wanted.length - kept; at += 1) {
    const [tag, attributes, text = ""] = wanted[at];
    const old = at < before.length - kept ? before[at] : null;
    const node = nodes[at];
    if (old?.[0] !== tag) {
      const made = svg(tag, attributes, text || null);
      if (old) node.replaceWith(made);
      else group.insertBefore(made, rest);
      continue;
    }
    for (const name of new Set([...Object.keys(old[1]), ...Object.keys(attributes)])) {
      if (old[1][name] === attributes[name]) continue;
      if (attributes[name] === undefined) node.removeAttribute(name);
      else node.setAttribute(name, String(attributes[name]));
    }
    setText(node, text);
  }
  return group;
}

/**
 * @param {string} text
 * @param {() => void} act
 * @param {Attributes} attributes
 */
export function button(text, act, attributes = {}) {
  const { class: extra = "", ...rest } = attributes;
  const node = el("button", { type: "button", class: `nl-button ${extra}`, ...rest }, text);
  node.addEventListener("click", act);
  return node;
}

// "row {row}" with {row: 2} becomes "row 2". Places that are inflected name their language, as nimmt_lab.engine.inflect
// writes them: {n:pl|# karta|# karty|# kart|# karty} by plural category, {names:en&and}, {n:cs<z} with its preposition.
/**
 * @param {string} template
 * @param {Record<string, unknown>} values
 * @returns {string}
 */
export function fill(template, values = {}) {
  return template.replace(/\{(\w+)(?::(\w\w)([|<&])([^{}]*))?\}/g, (whole, name, lang, kind, spec) => {
    if (!(name in values)) return whole;
    const value = values[name];
    const shown = Array.isArray(value) ? value.join(", ") : String(value);
    if (kind === "|") return plural(lang, value, spec.split("|")).replaceAll("#", shown);
    if (kind === "<") return `${spec}${vocalised(lang, spec.toLowerCase(), shown) ? "e " : "\u00a0"}${shown}`;
    if (kind === "&" && Array.isArray(value) && value.length > 1)
      return `${value.slice(0, -1).join(", ")} ${spec} ${value.at(-1)}`;
    return shown;
  });
}

const FORMS = /** @type {Record<string, string[]>} */ ({
  en: ["one", "other"],
  pl: ["one", "few", "many", "other"],
  cs: ["one", "few", "many", "other"],
});

/**
 * @param {string} lang
 * @param {unknown} value
 * @param {string[]} forms
 */
function plural(lang, value, forms) {
  let at = 0;
  if (Array.isArray(value)) at = value.length > 1 ? 1 : 0;
  else if (/\d/.test(String(value))) {
    const digits = plainDigits(value, lang).replace(/^\D/, "");
    const whole = /^\d+$/.test(digits) ? Number.parseInt(digits, 10) : 0.5;
    at = FORMS[lang].indexOf(new Intl.PluralRules(lang).select(whole));
  }
  return forms[Math.min(at, forms.length - 1)];
}

// A number that is written already, without the marks between its thousands.
/**
 * @param {unknown} value
 * @param {string} lang
 */
function plainDigits(value, lang) {
  return String(value).replace(lang === "en" ? /,/g : /\s/g, "");
}

// A share as a percentage, with a space before its sign where the language wants one.
/**
 * @param {number} share
 * @param {string} lang
 * @param {Intl.NumberFormatOptions} digits
 */
export function percent(share, lang, digits = { maximumFractionDigits: 1 }) {
  return `${(100 * share).toLocaleString(lang, digits)}${lang === "en" ? "%" : "\u00a0%"}`;
}

// Whether a preposition needs a vowel before a number, by the word that is read first: ze 40, but z 50.
/**
 * @param {string} lang
 * @param {string} preposition
 * @param {string} shown
 */
function vocalised(lang, preposition, shown) {
  let first = Number.parseInt(plainDigits(shown, lang), 10);
  while (first >= 2000) first = Math.floor(first / 1000);
  if (first >= 20 && first < 1000) first -= first % (first >= 100 ? 100 : 10);
  if (lang === "pl") return first === 100;
  const all = [2, 3, 4, 12, 13, 14, 20, 30, 40, 100, 200, 300, 400];
  return all.includes(first) || ("zs".includes(preposition) && [6, 7, 16, 17, 60, 70, 600, 700].includes(first));
}

// Set a text only when it differs: a live region speaks again whenever it is touched.
/**
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent === text) return;
  // A text that changes costs less than a new one.
  const only = node.childNodes.length === 1 ? node.firstChild : null;
  if (text && only?.nodeType === 3) only.nodeValue = text;
  else node.textContent = text;
}

// The focused element, if it is inside.
/** @param {HTMLElement} box */
export function focusIn(box) {
  const active = document.activeElement;
  return active && box.contains(active) ? active : null;
}

// Ends everything that a view has started: listeners, observers, timers, model events.
export class Life {
  constructor() {
    this.controller = new AbortController();
    /** @type {(() => void)[]} */
    this.ends = [];
  }

  /**
   * @template {string} K
   * @param {EventTarget} target
   * @param {K} type
   * @param {(event: Heard<K>) => void} handler
   */
  on(target, type, handler) {
    const heard = /** @type {EventListener} */ (/** @type {unknown} */ (handler));
    target.addEventListener(type, heard, { signal: this.controller.signal });
  }

  /**
   * @template {Message} M
   * @param {Speaker} model
   * @param {string} name
   * @param {(message: M) => void} handler
   */
  model(model, name, handler) {
    model.on(name, handler);
    this.ends.push(() => model.off(name, handler));
  }

  /** @param {() => void} end */
  atEnd(end) {
    this.ends.push(end);
  }

  end() {
    this.controller.abort();
    for (const end of this.ends.splice(0)) end();
  }
}

export function reducedMotion() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// Follow the notebook's theme by the actual background colour, since themes have many names.
/**
 * @param {HTMLElement} root
 * @param {Life} life
 */
export function followTheme(root, life) {
  const look = () => {
    root.dataset.theme = isDark(root) ? "dark" : "light";
  };
  look();
  const observer = new MutationObserver(look);
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributes: true });
  life.atEnd(() => observer.disconnect());
  life.on(window.matchMedia("(prefers-color-scheme: dark)"), "change", look);
  requestAnimationFrame(look); // a cell's output is styled only once it is in the page
}

/**
 * @param {HTMLElement} root
 * @returns {boolean}
 */
function isDark(root) {
  for (let node = root.parentElement; node; node = node.parentElement) {
    const parts = getComputedStyle(node).backgroundColor.match(/[\d.]+/g);
    if (!parts || (parts.length > 3 && Number(parts[3]) < 0.5)) continue;
    const [red, green, blue] = parts.map(Number);
    return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
  }
  return window.matchMedia("(prefers-color-scheme: dark)").matches && !document.body.dataset.jpThemeLight;
}

/**
 * The outermost element of a board; `kind` is also the name of its look.
 * @param {string} kind
 * @param {Scene} scene
 * @param {string} label
 * @param {Children} children
 */
export function boardRoot(kind, scene, label, ...children) {
  const look = { class: `nl nl-${kind}`, tabindex: 0, lang: scene.lang, role: "group", "aria-label": label };
  return el("div", look, ...children);
}

/**
 * Run the action of a key, and keep the key from the notebook, which has its own.
 * @param {KeyboardEvent} event
 * @param {Record<string, (() => void) | null>} acts
 */
export function actOnKey(event, acts) {
  const act = event.altKey || event.ctrlKey || event.metaKey ? null : acts[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

// Mount a board with moving cards; returns a function that removes it.
/**
 * @param {Standing} thing
 * @param {HTMLElement} holder
 * @param {Life} life
 */
export function stand(thing, holder, life) {
  holder.append(thing.root);
  followTheme(thing.root, life);
  return () => {
    life.end();
    thing.inner?.end();
    thing.motion.stop();
    holder.replaceChildren();
  };
}
