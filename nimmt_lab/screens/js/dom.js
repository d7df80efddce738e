// Small helpers for making elements. Text only ever becomes text: nothing here parses markup, so no name or comment
// from a record can become an element.

const SVG_NS = "http://www.w3.org/2000/svg";
let made = 0;

export function uid(stem) {
  made += 1;
  return `nl-${stem}-${made}`;
}

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

export function el(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG_NS, tag), attributes, children);
}

// "row {row}" with {row: 2} becomes "row 2".
export function fill(template, values = {}) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// Set a text only when it differs: a live region speaks again whenever it is touched.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Everything a view starts (listeners, observers, timers, model events) ends with it.
export class Life {
  constructor() {
    this.controller = new AbortController();
    this.ends = [];
  }

  on(target, type, handler) {
    target.addEventListener(type, handler, { signal: this.controller.signal });
  }

  model(model, name, handler) {
    model.on(name, handler);
    this.ends.push(() => model.off(name, handler));
  }

  then(end) {
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
export function followTheme(root, life) {
  const look = () => {
    root.dataset.theme = isDark(root) ? "dark" : "light";
  };
  look();
  const observer = new MutationObserver(look);
  for (const node of [document.documentElement, document.body]) observer.observe(node, { attributes: true });
  life.then(() => observer.disconnect());
  life.on(window.matchMedia("(prefers-color-scheme: dark)"), "change", look);
  requestAnimationFrame(look); // a cell's output is styled only once it is in the page
}

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
