// A whole page over one connection: what Python says is handed to the screen it is meant for, and the other way round.
import { el, followTheme, Life, setText } from "./dom.js";
import { mount, MODULES, Part } from "./part.js";
import exercise from "./exercise.js";
import replay from "./replay.js";
import solver_panel from "./solver_panel.js";
import table from "./table.js";
import analyse from "./screens/analyse.js";
import chances from "./screens/chances.js";
import course from "./screens/course.js";
import experiment from "./screens/experiment.js";
import home from "./screens/home.js";
import judge from "./screens/judge.js";
import learn from "./screens/learn.js";
import lesson from "./screens/lesson.js";
import material from "./screens/material.js";
import notebooks from "./screens/notebooks.js";
import play from "./screens/play.js";
import practise from "./screens/practise.js";
import problem from "./screens/problem.js";
import pupil from "./screens/pupil.js";
import setup from "./screens/setup.js";
import take_down from "./screens/take_down.js";
import teach from "./screens/teach.js";

Object.assign(MODULES, {
  exercise,
  replay,
  solver_panel,
  table,
  "screens/analyse": analyse,
  "screens/chances": chances,
  "screens/course": course,
  "screens/experiment": experiment,
  "screens/home": home,
  "screens/judge": judge,
  "screens/learn": learn,
  "screens/lesson": lesson,
  "screens/material": material,
  "screens/notebooks": notebooks,
  "screens/play": play,
  "screens/practise": practise,
  "screens/problem": problem,
  "screens/pupil": pupil,
  "screens/setup": setup,
  "screens/take_down": take_down,
  "screens/teach": teach,
});

const SOON = 600; // what takes longer says so
const PATIENCE = { hello: 4000, click: 8000 }; // a kernel that has not answered by then is not there, or very busy

// What to do next, in this order, for a focus that has lost its place.
const NEXT = [
  ".nl-cover button",
  ".nl-primary:not(:disabled)",
  ".nl-option[tabindex='0']",
  "input.nl-answer",
  "[data-do='next']:not(:disabled)",
  ".nl-table[tabindex]", // while cards still move; then the focus goes on to those of one's own
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
      if (!inside || (active && active !== document.body && active.getClientRects().length)) return; // what is hidden has lost it, too
      // A button that was drawn anew keeps its focus: who has saved something is not to begin something else by Enter.
      for (const wanted of last ? [`[data-do='${CSS.escape(last)}']:not(:disabled)`, ...NEXT] : NEXT) {
        // The doors are no place to wait for a screen that is still to come: the next message looks again.
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

// Python answers every message, if only with "heard". Until it does, waiting is shown; after a while, that nobody answers.
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
    if (!Number.isFinite(patience)) return; // a page whose Python is its own: it may be busy, but it is there
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

/** @param {View<PageModel>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const root = el("div", { class: "nl nl-page" });
  const waiting = new Waiting(life, (name) => part.get("labels")?.[name] ?? "…");
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
    if (model.ready !== false) waiting.sent(model.patience ?? patience); // else the host says how far Python is
  };
  /** @type {Part<FirstData>} */
  const part = new Part((said) => send(said), [], structuredClone(model.get("page")));
  let version = model.get("version");
  const draw = () => {
    end?.();
    body.replaceChildren();
    end = mount(part, body);
    root.lang = part.get("lang") ?? "";
  };
  const keep = (/** @type {number} */ now) => {
    version = now;
    // Not sent: so that a notebook saved now shows the page as it is now.
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
      root.lang = part.get("lang") ?? "";
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

export default { render };
