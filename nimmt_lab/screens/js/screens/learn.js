// The map of lessons, or the lesson one is in.
import { button, el, Life } from "../dom.js";
import { slot } from "../part.js";

/** @param {View<Part<LearnData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const map = el("div", { class: "nl-map" });
  const inside = el("div", {});
  holder.append(map, inside);
  const open = (/** @type {string} */ name) => model.send({ type: "open", lesson: name });
  const item = (/** @type {MapLesson} */ lesson, /** @type {Labels} */ labels) => {
    const state = lesson.result ? "done" : lesson.begun ? "begun" : lesson.next ? "next" : "";
    const sign = { done: "✓", begun: "…", next: "▶", "": "" }[state];
    const words = lesson.result || (state ? labels[state] : "");
    const node = button("", () => open(lesson.name), {
      class: `nl-lesson-card${lesson.next ? " nl-primary" : ""}`,
      "data-lesson": lesson.name,
      "data-state": state,
    });
    node.replaceChildren(
      el("span", { class: "nl-lesson-number" }, String(lesson.number)),
      el("span", { class: "nl-lesson-title" }, lesson.title),
      el("span", { class: "nl-lesson-state" }, sign ? el("b", { "aria-hidden": "true" }, `${sign} `) : null, words),
    );
    return el("li", {}, node);
  };
  const draw = () => {
    const { groups, labels, progress, done, all, open: now } = model.data;
    map.hidden = Boolean(now);
    if (now) return;
    const bar = el(
      "div",
      { class: "nl-progress", "aria-hidden": "true" },
      el("i", { style: `width:${(100 * done) / all}%` }),
    );
    map.replaceChildren(
      el("h1", {}, labels.title),
      el("p", { class: "nl-progress-words" }, progress),
      bar,
      ...groups.flatMap((group) => [
        el("h2", {}, group.title),
        el(
          "ol",
          { class: "nl-lessons" },
          group.lessons.map((lesson) => item(lesson, labels)),
        ),
      ]),
    );
  };
  draw();
  life.model(model, "change", draw);
  slot(model, "lesson", inside, life);
  return () => life.end();
}

export default { render };
