// Puzzles: one click to a task, the puzzle of the day, what was missed; then one task after the other, with the streak in
// sight.
import { button, el, fill, focusIn, Life, setText } from "../dom.js";
import { fan } from "../fan.js";
import { stroke } from "../icons.js";
import { slot } from "../part.js";
import { hero, sketch } from "../sketch.js";
import { gameFields } from "./game_fields.js";
import { dateOf, offer } from "./learn.js";
import { choice } from "./parts.js";

/** @param {View<Part<PractiseData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const form = el("section", { class: "nl-practise-form" });
  const head = el("div", { class: "nl-practise-head" });
  const told = el("p", { class: "nl-told", role: "status" });
  const task = el("div", { class: "nl-practise-task nl-asking" });
  const heading = el("h1", { class: "nl-heard" }, model.get("labels").title);
  const root = el("div", { class: "nl-practise" }, heading, head, form, told, task);
  holder.append(root);
  let kind = model.get("kind");
  let difficulty = model.get("difficulty");
  let unfolded = false;
  const figures = () => {
    const { labels, streak, best, score, missed } = model.data;
    return el(
      "p",
      { class: "nl-figures", role: "status" },
      el("b", { class: "nl-streak nl-chip" }, stroke("flame", 18), fill(labels.streak, { count: streak })),
      el("span", {}, fill(labels.best, { count: best })),
      score ? el("span", {}, score) : null,
      missed ? el("span", {}, fill(labels.missed, { count: missed })) : null,
    );
  };
  const drawForm = () => {
    const { labels, choose, games, setup, kinds, missed, own, daily } = model.data;
    const send = (more = {}) => model.send({ type: "start", setup: model.get("setup"), kind, difficulty, ...more });
    if (!kinds.some(([name]) => name === kind)) kind = "";
    const focused = focusIn(form);
    const place = focused ? [...form.querySelectorAll("select, input, button, summary")].indexOf(focused) : -1;
    const solved = daily.last === dateOf();
    const again = button(labels.repeat, () => send({ missed: true }), {
      "data-do": "start-missed",
      "aria-label": fill(labels.start_missed, { count: missed }),
      disabled: !missed,
    });
    const mine = button(labels.own_start, () => model.send({ type: "own" }), {
      "data-do": "start-own",
      "aria-label": `${labels.own_title}: ${labels.own_start}`,
      disabled: !own,
    });
    const day = button(
      solved ? labels.daily_again : labels.solve,
      () => model.send({ type: "daily", date: dateOf() }),
      {
        "data-do": "daily",
        "aria-label": `${labels.daily}: ${solved ? labels.daily_again : labels.solve}`,
      },
    );
    const folded = el("details", {
      class: "nl-more nl-card-panel nl-choose-task",
      open: unfolded || Boolean(focused?.closest("details")),
    });
    folded.addEventListener("toggle", () => {
      unfolded = folded.open;
    });
    folded.append(
      el("summary", {}, labels.choose_task),
      el(
        "div",
        {},
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
      ),
    );
    const ways = kinds.map(([name, title]) => {
      const way = button("", () => send({ kind: name }), { class: "nl-way nl-card-panel", "data-puzzle": name });
      way.append(sketch(name), el("b", {}, title));
      return el("li", {}, way);
    });
    form.replaceChildren(
      el(
        "div",
        { class: "nl-first" },
        hero(
          labels.hero,
          labels.hero_text,
          [button(labels.start, () => send(), { class: "nl-primary nl-big", "data-do": "start" })],
          fan([12, 44, 55, 70]),
        ),
        el(
          "div",
          { class: "nl-offers" },
          offer("target", labels.daily, solved ? labels.daily_solved : labels.daily_text, day),
          offer(
            "again",
            labels.repeat_title,
            missed ? fill(labels.missed_text, { count: missed }) : labels.none_missed,
            again,
          ),
          offer("again", labels.own_title, own ? fill(labels.own_text, { count: own }) : labels.none_own, mine),
        ),
      ),
      figures(),
      el("ul", { class: "nl-ways nl-puzzle-kinds", "aria-label": labels.kind }, ways),
      folded,
    );
    if (place >= 0) [...form.querySelectorAll("select, input, button, summary")][place]?.focus();
  };
  const drawHead = () => {
    const { labels, again, day } = model.data;
    const focused = head.contains(document.activeElement);
    const leave = button("", () => model.send({ type: "leave" }), { class: "nl-quiet", "data-do": "leave" });
    leave.append(stroke("back"), el("span", {}, labels.leave));
    head.replaceChildren(
      leave,
      day ? el("span", { class: "nl-chip" }, stroke("target", 18), labels.daily) : "",
      again ? el("span", { class: "nl-chip nl-again" }, stroke("again", 18), labels.again) : "",
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
    root.classList.toggle("nl-solving", open);
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
