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

// "row {row}" with {row: 2} becomes "row 2".
/**
 * @param {string} template
 * @param {Record<string, unknown>} values
 * @returns {string}
 */
export function fill(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// Set a text only when it differs: a live region speaks again whenever it is touched.
/**
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// What has the focus, if it is inside.
/** @param {HTMLElement} box */
export function focusIn(box) {
  const active = document.activeElement;
  return active && box.contains(active) ? active : null;
}

// Everything a view starts (listeners, observers, timers, model events) ends with it.
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

// Follow the notebook's theme, whatever names it: look at the colour that is really behind us.
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

// Put something with moving cards into its place; the function returned takes it away again.
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
