// A page without a browser: import this first, and modules that draw find a document.
import { after } from "node:test";
import { Window } from "happy-dom";

const window = new Window({ url: "http://localhost/" });
const NAMES = [
  "CSS",
  "CustomEvent",
  "Event",
  "FocusEvent",
  "HTMLElement",
  "KeyboardEvent",
  "MouseEvent",
  "MutationObserver",
  "Node",
  "PointerEvent",
  "document",
  "getComputedStyle",
];
for (const name of NAMES) globalThis[name] = window[name];
globalThis.window = window;
globalThis.requestAnimationFrame = (act) => setTimeout(act, 0);

// Nothing here has a size: a test says how wide a node is, and tells whoever watches it.
const watchers = new Set();
globalThis.ResizeObserver = class {
  constructor(act) {
    this.act = act;
    this.nodes = new Set();
    watchers.add(this);
  }

  observe(node) {
    this.nodes.add(node);
  }

  disconnect() {
    watchers.delete(this);
  }
};

export function resize(node, width) {
  Object.defineProperty(node, "clientWidth", { value: width, configurable: true });
  for (const watcher of watchers) if (watcher.nodes.has(node)) watcher.act();
}

export const watching = () => watchers.size;

// An empty page with a place to draw in.
export function stage() {
  const holder = document.createElement("div");
  document.body.replaceChildren(holder);
  return holder;
}

export function press(node, key, more = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
  node.dispatchEvent(event);
  return event.defaultPrevented;
}

export function fire(node, type, more = {}) {
  node.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), more));
}

export const texts = (nodes) => [...nodes].map((node) => node.textContent);

after(() => window.happyDOM.close());
