// Practise: what to practise, then one task after the other, with the streak in sight.
import { button, el, fill, focusIn, Life, setText } from "../dom.js";
import { slot } from "../part.js";
import { gameFields } from "./game_fields.js";
import { choice } from "./parts.js";

/** @param {View<Part<PractiseData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const form = el("section", { class: "nl-practise-form" });
  const head = el("div", { class: "nl-practise-head" });
  const told = el("p", { class: "nl-told", role: "status" });
  const task = el("div", { class: "nl-practise-task" });
  const heading = el("h1", { class: "nl-heard" }, model.get("labels").title);
  holder.append(el("div", { class: "nl-practise" }, heading, head, form, told, task));
  let kind = model.get("kind");
  let difficulty = model.get("difficulty");
  const figures = () => {
    const { labels, streak, best, score, missed } = model.data;
    return el(
      "p",
      { class: "nl-figures", role: "status" },
      el("b", { class: "nl-streak" }, fill(labels.streak, { count: streak })),
      el("span", {}, fill(labels.best, { count: best })),
      score ? el("span", {}, score) : null,
      el("span", {}, fill(labels.missed, { count: missed })),
    );
  };
  const drawForm = () => {
    const { labels, choose, games, setup, kinds, missed } = model.data;
    const send = (more = {}) => model.send({ type: "start", setup: model.get("setup"), kind, difficulty, ...more });
    if (!kinds.some(([name]) => name === kind)) kind = "";
    const focused = focusIn(form);
    const place = focused ? [...form.querySelectorAll("select, input, button, summary")].indexOf(focused) : -1;
    form.replaceChildren(
      el("h1", {}, labels.title),
      gameFields(games, setup, choose, (now) => model.send({ type: "form", setup: now })),
      choice(
        labels.kind,
        [["", labels.all], ...kinds],
        kind,
        (value) => {
          kind = value;
        },
        { "data-do": "kind" },
      ),
      choice(
        labels.difficulty,
        [1, 2, 3].map((one) => [one, labels[`level_${one}`]]),
        difficulty,
        (value) => {
          difficulty = Number(value);
        },
        { "data-do": "difficulty" },
      ),
      el(
        "div",
        { class: "nl-bar" },
        button(labels.start, () => send(), { class: "nl-primary nl-go", "data-do": "start" }),
        missed
          ? button(fill(labels.start_missed, { count: missed }), () => send({ missed: true }), {
              "data-do": "start-missed",
            })
          : "",
      ),
      figures(),
    );
    if (place >= 0) [...form.querySelectorAll("select, input, button, summary")][place]?.focus();
  };
  const drawHead = () => {
    const { labels, again } = model.data;
    const focused = head.contains(document.activeElement);
    head.replaceChildren(
      button(labels.leave, () => model.send({ type: "leave" }), { "data-do": "leave" }),
      again ? el("span", { class: "nl-again" }, `↻ ${labels.again}`) : "",
      el("span", { class: "nl-spring" }),
      figures(),
    );
    if (focused) head.querySelector("button")?.focus();
  };
  const draw = () => {
    const { open, waiting, labels } = model.data;
    form.hidden = open;
    head.hidden = task.hidden = !open;
    heading.hidden = !open;
    if (open) drawHead();
    else drawForm();
    setText(told, waiting ? labels.waiting : "");
    told.hidden = !waiting;
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => {
    setText(told, message.text ?? "");
    told.hidden = !message.text;
  });
  slot(model, "exercise", task, life);
  return () => life.end();
}

export default { render };
