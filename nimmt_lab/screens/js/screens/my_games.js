// My games: accuracy, luck and skill game by game, mistakes by kind, everybody's habits, and the way to the puzzles.
import { button, el, fill, focusIn, Life, setText } from "../dom.js";
import { hero, sketch } from "../sketch.js";
import { choice, grid, row } from "./parts.js";

/**
 * A table with a name for readers who hear the page.
 * @param {string} name
 * @param {string[]} titles
 * @param {(string | Node)[][]} rows
 */
const table = (name, titles, rows) =>
  el("div", { class: "nl-scrolling" }, grid("nl-my-table", titles, rows.map(row), { "aria-label": name }));

/** @param {View<Part<MyGamesData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const root = el("section", { class: "nl-my-games" });
  const told = el("p", { class: "nl-told", role: "status" });
  const refused = el("p", { class: "nl-told", role: "status", hidden: true });
  holder.append(root, refused);
  const send = (/** @type {Sent} */ message) => model.send(message);
  const draw = () => {
    const { labels, names, who, running, all, lines, kinds, habits, puzzles, unread } = model.data;
    const focused = focusIn(root)?.dataset.do;
    setText(told, [model.data.told, unread].filter(Boolean).join(" "));
    if (!names.length) {
      const ways = [
        button(labels.to_play, () => send({ type: "play" }), { class: "nl-primary nl-big", "data-do": "to-play" }),
        button(labels.to_record, () => send({ type: "record" }), { class: "nl-big", "data-do": "to-record" }),
      ];
      root.replaceChildren(hero(labels.none, labels.none_text, ways, sketch("review")), told);
      return;
    }
    const head = el(
      "div",
      { class: "nl-bar" },
      choice(
        labels.who,
        names.map(([name, count]) => [name, `${name} (${count})`]),
        who,
        (name) => send({ type: "who", who: name }),
        { "data-do": "who" },
      ),
      running
        ? button(labels.stop, () => send({ type: "stop" }), { "data-do": "stop" })
        : button(labels.run, () => send({ type: "run" }), {
            class: "nl-primary",
            "data-do": "run",
            disabled: lines.length === all,
          }),
      running ? el("span", {}, fill(labels.progress, { done: lines.length, all })) : "",
    );
    const most = Math.max(1, ...kinds.map(([, count]) => count));
    const bar = (/** @type {number} */ share) =>
      el("span", { class: "nl-my-bar", style: `--share:${Math.round(100 * share)}%`, "aria-hidden": "true" });
    root.replaceChildren(
      head,
      told,
      lines.length
        ? table(
            labels.title,
            [labels.game, labels.accuracy, labels.luck, labels.skill, labels.mistakes],
            lines.map((line) => [
              button(line.file, () => send({ type: "go", file: line.file }), { "data-do": `go ${line.file}` }),
              el("span", { class: "nl-my-figure" }, line.said, bar((line.accuracy ?? 0) / 100)),
              line.luck,
              line.skill,
              String(line.mistakes),
            ]),
          )
        : "",
      lines.length ? el("p", { class: "nl-note-line" }, labels.about) : "",
      kinds.length ? el("h2", {}, labels.kinds) : "",
      kinds.length
        ? table(
            labels.kinds,
            ["", labels.mistakes],
            kinds.map(([title, count]) => [
              title,
              el("span", { class: "nl-my-figure" }, String(count), bar(count / most)),
            ]),
          )
        : "",
      lines.length
        ? el(
            "p",
            {},
            puzzles
              ? button(fill(labels.puzzles, { count: puzzles }), () => send({ type: "practise" }), {
                  class: "nl-primary",
                  "data-do": "practise",
                })
              : labels.no_puzzles,
          )
        : "",
      habits.length ? el("h2", {}, labels.habits) : "",
      habits.length
        ? table(
            labels.habits,
            [labels.player, labels.games, labels.lowest, labels.highest, labels.low, labels.full, labels.cheapest],
            habits,
          )
        : "",
      habits.length ? el("p", { class: "nl-note-line" }, labels.habits_about) : "",
    );
    if (focused) [...root.querySelectorAll("[data-do]")].find((node) => node.dataset.do === focused)?.focus();
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => {
    setText(refused, message.text ?? "");
    refused.hidden = !message.text;
  });
  return () => life.end();
}

export default { render };
