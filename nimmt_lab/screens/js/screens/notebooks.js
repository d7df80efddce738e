// The way to the notebooks. Where they are depends on the page: beside Voilà's page there is JupyterLab.
import { el, Life } from "../dom.js";

/** @param {string} path */
function labAddress(path) {
  const base = document.body.dataset.baseUrl ?? "/";
  return `${base.replace(/voila\/$/, "")}lab/tree/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** @param {View<Part<NotebooksData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const { labels, books } = model.data;
  const link = (/** @type {string} */ path, /** @type {string} */ text) =>
    el("a", { href: labAddress(path), target: "_blank", rel: "noopener" }, text);
  holder.append(
    el(
      "section",
      { class: "nl-notebooks" },
      el("h1", {}, labels.title),
      el("p", {}, labels.text),
      books.length
        ? el(
            "ul",
            {},
            books.map((book) => el("li", {}, link(book.path, book.title))),
          )
        : el("p", {}, labels.none),
    ),
  );
  return () => life.end();
}

export default { render };
