// The one connection between Python and the browser: in a notebook's cell, in Home and on the web page. Messages from
// Python are passed on to the screen they name, and clicks go back with the path of the screen they happened in.
import { el, followTheme, Life, setText } from "./dom.js";
import { mount, MODULES, Part } from "./part.js";

const SOON = 600; // ms until a busy note
const PATIENCE = { hello: 4000, click: 8000 }; // ms until the kernel counts as gone

// Where to move a lost focus, in this order.
const NEXT = [
  ".nl-cover button",
  ".nl-primary:not(:disabled)",
  ".nl-option[tabindex='0']",
  ".nl-row-option", // rather than the cross that leaves the lesson
  "input.nl-answer",
  "[data-do='next']:not(:disabled)",
  ".nl-table[tabindex]", // while cards move; afterwards the own cards get the focus
  "main button:not(:disabled)",
  "button:not(:disabled)",
];

/**
 * @param {HTMLElement} root
 * @param {Life} life
 */
function keepFocus(root, life) {
  let inside = false;
  let last = "";
  life.on(root, "focusin", (event) => {
    inside = true;
    last = event.target.closest("[data-do]")?.dataset.do ?? "";
  });
  life.on(document, "focusin", (event) => {
    if (!root.contains(event.target)) inside = false;
  });
  life.on(document, "pointerdown", (event) => {
    if (!root.contains(event.target)) inside = false;
  });
  /** @type {number | undefined} */
  let timer;
  life.atEnd(() => clearTimeout(timer));
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const active = document.activeElement;
      if (!inside || (active && active !== document.body && active.getClientRects().length)) return; // a hidden element counts as lost
      // A redrawn button keeps its focus, so that Enter after Save does not press another button.
      for (const wanted of last ? [`[data-do='${CSS.escape(last)}']:not(:disabled)`, ...NEXT] : NEXT) {
        // Do not focus the menu while a screen is still loading: the next message tries again.
        if (wanted === NEXT.at(-1) && root.querySelector("main")) return;
        const node = [...root.querySelectorAll(wanted)].find((one) => one.offsetParent !== null);
        if (node) {
          node.focus({ preventScroll: true });
          return;
        }
      }
    }, 0);
  };
}

// Python answers every message, if only with "heard". Until then show that we wait, and after a while that it is gone.
class Waiting {
  /**
   * @param {Life} life
   * @param {(name: string) => string} words
   */
  constructor(life, words) {
    this.words = words;
    /** @type {number[]} */
    this.timers = [];
    this.busy = el("p", { class: "nl-busy", role: "status" });
    this.note = el("p", { class: "nl-offline", role: "status" });
    this.busy.hidden = this.note.hidden = true;
    life.atEnd(() => this.clear());
  }

  clear() {
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    this.busy.hidden = true;
  }

  /** @param {number} patience */
  sent(patience) {
    if (this.timers.length) return;
    const { busy, note } = this;
    this.timers.push(
      setTimeout(() => {
        setText(busy, this.words("wait"));
        busy.hidden = false;
      }, SOON),
    );
    if (!Number.isFinite(patience)) return; // the web page's own Python may be busy, but is never gone
    this.timers.push(
      setTimeout(() => {
        busy.hidden = true;
        setText(note, this.words("no_kernel"));
        note.hidden = false;
      }, patience),
    );
  }

  heard() {
    this.clear();
    this.note.hidden = true;
  }
}

/**
 * @param {View<PageModel>} view
 * @param {string} look
 */
function render({ model, el: holder }, look) {
  const life = new Life();
  const root = el("div", { class: `nl ${look}` });
  const waiting = new Waiting(life, (name) => (part.get("labels") ?? part.get("scene")?.labels)?.[name] ?? "…");
  const { note } = waiting;
  const body = el("div", {});
  root.append(note, waiting.busy, body);
  holder.append(root);
  followTheme(root, life);
  const refocus = keepFocus(root, life);
  /** @type {(() => void) | null} */
  let end = null;
  const send = (/** @type {Saying | Hello} */ said, patience = PATIENCE.click) => {
    model.send(said);
    if (model.ready !== false) waiting.sent(model.patience ?? patience); // else the host reports the progress of Python
  };
  /** @type {Part<FirstData>} */
  const part = new Part((said) => send(said), [], structuredClone(model.get("page")));
  let version = model.get("version");
  const draw = () => {
    end?.();
    body.replaceChildren();
    end = mount(part, body);
    root.lang = part.get("lang") ?? part.get("scene")?.lang ?? "";
  };
  const keep = (/** @type {number} */ now) => {
    version = now;
    // Not sent to Python: for a notebook that is saved now.
    model.set("page", part.whole());
    model.set("version", version);
  };
  const hear = (/** @type {PageSaid} */ said) => {
    waiting.heard();
    if (said.type === "here") {
      if (said.screen) {
        part.take(said.screen);
        draw();
      }
    } else if (said.path) {
      const unheard = part.apply(said);
      setText(note, unheard ?? "");
      note.hidden = !unheard;
      root.lang = part.get("lang") ?? part.get("scene")?.lang ?? "";
    }
    keep(said.version);
    refocus();
  };
  draw();
  model.on("msg:custom", hear);
  life.atEnd(() => model.off("msg:custom", hear));
  send({ type: "hello", version }, PATIENCE.hello);
  return () => {
    life.end();
    end?.();
    holder.replaceChildren();
  };
}

/**
 * A widget that draws the screens of `modules`; `look` is an extra class for the outermost element.
 * @param {Record<string, Module>} modules
 * @param {string} look
 */
export function carry(modules, look = "nl-alone") {
  Object.assign(MODULES, modules);
  return { render: (/** @type {View<PageModel>} */ view) => render(view, look) };
}
