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
  "screens/setup": setup,
  "screens/take_down": take_down,
  "screens/teach": teach,
});

const PATIENCE = 4000; // a kernel that has not answered by then is not there

// What to do next, in this order, for a focus that has lost its place.
const NEXT = [
  ".nl-cover button",
  ".nl-primary:not(:disabled)",
  ".nl-option[tabindex='0']",
  "input.nl-answer",
  "[data-do='next']:not(:disabled)",
  "main button:not(:disabled)",
  "button:not(:disabled)",
];

function keepFocus(root, life) {
  let inside = false;
  life.on(root, "focusin", () => {
    inside = true;
  });
  life.on(document, "focusin", (event) => {
    if (!root.contains(event.target)) inside = false;
  });
  life.on(document, "pointerdown", (event) => {
    if (!root.contains(event.target)) inside = false;
  });
  let timer = null;
  life.then(() => clearTimeout(timer));
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const active = document.activeElement;
      if (!inside || (active && active !== document.body && active.getClientRects().length)) return; // what is hidden has lost it, too
      for (const wanted of NEXT) {
        const node = [...root.querySelectorAll(wanted)].find((one) => one.offsetParent !== null);
        if (node) {
          node.focus({ preventScroll: true });
          return;
        }
      }
    }, 0);
  };
}

function render({ model, el: holder }) {
  const life = new Life();
  const root = el("div", { class: "nl nl-page" });
  const note = el("p", { class: "nl-offline", role: "status" });
  const body = el("div", {});
  root.append(note, body);
  holder.append(root);
  followTheme(root, life);
  const refocus = keepFocus(root, life);
  let end = null;
  let here = false;
  const part = new Part((said) => model.send(said), [], structuredClone(model.get("page")));
  let version = model.get("version");
  const draw = () => {
    end?.();
    body.replaceChildren();
    end = mount(part, body);
    root.lang = part.get("lang") ?? "";
  };
  const keep = (now) => {
    version = now;
    // Not sent: so that a notebook saved now shows the page as it is now.
    model.set("page", part.whole());
    model.set("version", version);
  };
  const hear = (said) => {
    if (said.type === "here") {
      here = true;
      note.hidden = true;
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
  note.hidden = true;
  draw();
  life.model(model, "msg:custom", hear);
  model.send({ type: "hello", version });
  const waiting = setTimeout(() => {
    if (here) return;
    setText(note, part.get("labels")?.no_kernel ?? "");
    note.hidden = false;
  }, PATIENCE);
  life.then(() => clearTimeout(waiting));
  return () => {
    life.end();
    end?.();
    holder.replaceChildren();
  };
}

export default { render };
