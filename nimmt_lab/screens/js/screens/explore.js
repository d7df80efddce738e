// How often, how costly: whose cards, by what, two charts and a table of the figures.
import { el, focusIn, Life } from "../dom.js";
import { histogram } from "../chart.js";
import { choice, figures, row } from "./parts.js";

/** @param {View<Part<ExploreData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const root = el("section", { class: "nl-odds nl-explore" });
  holder.append(root);
  const draw = () => {
    const { labels, lang, fields, told, charts, rows } = model.data;
    const focused = focusIn(root)?.dataset.do;
    root.replaceChildren(
      el(
        "div",
        { class: "nl-chance-form" },
        fields.map(([key, label, options, value]) =>
          choice(label, options, value, (now) => model.send({ type: "set", key, value: now }), { "data-do": key }),
        ),
      ),
      el("p", { role: "status" }, told),
      el(
        "div",
        { class: "nl-chart-pair" },
        charts.map(([title, axis, bars]) =>
          el("section", {}, el("h2", {}, title), histogram([{ bars }], axis, lang, `${title}. ${told}`)),
        ),
      ),
      rows.length ? figures([charts[0][1], labels.cards, labels.part, labels.taken, labels.heads], rows.map(row)) : "",
      el("p", { class: "nl-note-line" }, labels.about),
    );
    if (focused) root.querySelector(`[data-do='${focused}']`)?.focus();
  };
  draw();
  life.model(model, "change", draw);
  return () => life.end();
}

export default { render };
