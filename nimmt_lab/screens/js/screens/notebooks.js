// The way to the notebooks. Where they are depends on the page: beside Voilà's page there is JupyterLab.
import { button, el, Life } from "../dom.js";
import { stroke } from "../icons.js";
import { hero, sketch } from "../sketch.js";

/** @param {string} path */
function labAddress(path) {
  const base = document.body.dataset.baseUrl ?? "/";
  return `${base.replace(/voila\/$/, "")}lab/tree/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** @param {View<Part<NotebooksData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const { labels, books } = model.data;
  const toLessons = button(labels.to_learn, () => model.send({ type: "learn" }), {
    class: "nl-primary nl-big",
    "data-do": "to-learn",
  });
  const groups = [...new Set(books.map((book) => book.group))];
  const card = (/** @type {NotebooksData["books"][number]} */ book) =>
    el(
      "li",
      {},
      el(
        "a",
        { class: "nl-book nl-card-panel", href: labAddress(book.path), target: "_blank", rel: "noopener" },
        stroke(book.group.startsWith("rules") ? "cards" : "line", 28),
        el("span", {}, el("b", {}, book.title), book.line ? el("small", {}, book.line) : null),
      ),
    );
  holder.append(
    el(
      "section",
      { class: "nl-notebooks" },
      ...(books.length
        ? [el("h1", {}, labels.title), el("p", { class: "nl-note-line" }, labels.text)]
        : [hero(labels.none, labels.none_text, [toLessons], sketch("record"))]),
      groups.flatMap((group) => [
        el("h2", {}, labels[`group_${group}`] ?? (group || labels.group_other)),
        el("ul", { class: "nl-books" }, books.filter((book) => book.group === group).map(card)),
      ]),
    ),
  );
  return () => life.end();
}

export default { render };
