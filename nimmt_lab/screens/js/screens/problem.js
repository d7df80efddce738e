// A question of a probability lesson: the table it is about, a line or buttons to answer with, an experiment.
import { button, el, followTheme, Life, setText } from "../dom.js";
import { Board } from "../board.js";
import { Hands } from "../hands.js";
import { slot } from "../part.js";
import { line } from "./parts.js";

/** @param {Chart} chart */
export function chartNode({ head, lines, names }) {
  const rows = lines.map((cells, at) =>
    el(
      "tr",
      {},
      names.length ? el("th", { scope: "row" }, names[at]) : null,
      cells.map((cell) => el("td", {}, cell)),
    ),
  );
  if (head.length)
    rows.unshift(
      el(
        "tr",
        {},
        names.length ? el("td", {}) : null,
        head.map((cell) => el("th", { scope: "col" }, cell)),
      ),
    );
  return el("div", { class: "nl-chart-box" }, el("table", { class: "nl-chart" }, rows));
}

/** @param {View<Part<ProblemData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const { text, notes, scene, chart, found, choices, prompt, button: words } = model.data;
  const answer = (/** @type {string} */ said) => {
    if (said.trim()) model.send({ type: "answer", text: said });
  };
  const feedback = el("div", { class: "nl-feedback", role: "status", "aria-live": "polite" });
  const entry = line(
    { "aria-label": prompt, placeholder: prompt, maxlength: 200, class: "nl-input nl-answer nl-wide" },
    answer,
  );
  const field = choices.length
    ? el(
        "div",
        { class: "nl-choice-list" },
        choices.map((one) => button(one.label, () => answer(one.text), { "data-choice": one.text })),
      )
    : el(
        "div",
        { class: "nl-bar" },
        entry,
        button(words, () => answer(entry.value), { "data-do": "answer" }),
      );
  const left = el("div", { class: "nl-problem-left" });
  if (scene) {
    const board = new Board(scene);
    const hands = new Hands(scene, { compact: true, open: true });
    hands.node.classList.add("nl-asked");
    board.show(scene.frames[0]);
    hands.show(scene.frames[0]);
    left.append(board.node, hands.node);
  }
  // Without a table, the numbers are beside the answer and not above it.
  if (chart && !scene) left.append(chartNode(chart));
  if (found.length)
    left.append(
      el(
        "ul",
        { class: "nl-found" },
        found.map(([asked, said]) => el("li", {}, `${asked} `, el("b", {}, said))),
      ),
    );
  // Without a table there is room below for the experiment, with its two drawings side by side.
  const experiment = el("div", { class: "nl-problem-try" });
  const root = el(
    "div",
    { class: "nl nl-problem nl-exercise", tabindex: -1 },
    el("p", { class: "nl-prompt" }, text),
    el(
      "div",
      { class: "nl-problem-body" },
      left,
      el(
        "div",
        { class: "nl-problem-right" },
        chart && scene ? chartNode(chart) : null,
        field,
        feedback,
        notes.map((note) => el("p", { class: "nl-note-line" }, note)),
        scene ? experiment : null,
      ),
      scene ? null : experiment,
    ),
  );
  holder.append(root);
  followTheme(root, life);
  const tell = () => {
    const { told, verdict } = model.data;
    const sign = { right: "✓ ", wrong: "✗ ", unread: "", "": "" }[verdict];
    feedback.className = `nl-feedback${verdict === "right" ? " nl-right" : verdict === "wrong" ? " nl-wrong" : ""}`;
    setText(feedback, told ? sign + told : "");
  };
  tell();
  life.model(model, "change:told", tell);
  slot(model, "experiment", experiment, life);
  return () => {
    life.end();
    holder.replaceChildren();
  };
}

export default { render };
