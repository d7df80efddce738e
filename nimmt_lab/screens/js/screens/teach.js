// Teach: make a class set, preview its first sheet, and grade what was handed in.
import { button, el, focusIn, Life, setText } from "../dom.js";
import { download, slot } from "../part.js";
import { choice, field, fileButton, grid, line, row, whole } from "./parts.js";

/**
 * @param {Attributes} attributes
 * @param {number} value
 * @param {(value: number | string) => void} act
 */
function number(attributes, value, act) {
  const node = line({ value, inputmode: "numeric", class: "nl-input", ...attributes }, () =>
    node.dispatchEvent(new Event("change")),
  );
  node.addEventListener("change", () => act(whole(node.value)));
  return node;
}

// Names, one per line, or a class list downloaded here: typed, pasted or chosen as a file.
/**
 * @param {Labels} labels
 * @param {string} value
 * @param {(form: { class_list: string }) => void} change
 */
function names(labels, value, change) {
  const area = el("textarea", {
    class: "nl-input nl-wide",
    rows: 3,
    "aria-label": labels.names,
    placeholder: labels.names_how,
    "data-do": "names",
  });
  area.value = value;
  area.addEventListener("change", () => change({ class_list: area.value }));
  const file = fileButton(labels.names_file, { accept: ".csv,.txt", "data-do": "names-file" }, async ([chosen]) =>
    change({ class_list: await chosen.text() }),
  );
  return el("details", value ? { open: true } : {}, el("summary", {}, labels.names), area, file);
}

/**
 * @param {string} label
 * @param {string[]} columns
 * @param {string[][]} lines
 */
const table = (label, columns, lines) =>
  el(
    "div",
    { class: "nl-chart-box", tabindex: 0, role: "region", "aria-label": label },
    grid("nl-chart", columns, lines.map(row)),
  );

/** @param {View<Part<TeachData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const send = (/** @type {Sent} */ message) => model.send(message);
  const form = el("section", { class: "nl-teach-form" });
  const preview = el("section", { class: "nl-preview" });
  const grading = el("section", { class: "nl-grading" });
  const together = el("div", {});
  const author = el("div", {});
  const told = el("p", { class: "nl-told", role: "status" });
  holder.append(
    el(
      "div",
      { class: "nl-teach" },
      el("h1", {}, model.get("labels").title),
      told,
      el("div", { class: "nl-form-body" }, el("div", { class: "nl-teach-left" }, form, together, grading), preview),
      author,
    ),
  );
  let classSeed = "";
  let gradedLesson = "";
  const drawForm = () => {
    const { labels, lessons, languages, form: now, exists, folder, named } = model.data;
    const change = (/** @type {{ [name in keyof TeachForm]?: TeachForm[name] | string }} */ more) =>
      send({ type: "form", form: more });
    const focused = focusIn(form);
    const place = focused ? [...form.querySelectorAll("select, input, textarea, button")].indexOf(focused) : -1;
    form.replaceChildren(
      el("h2", {}, labels.sheets),
      choice(labels.lesson, lessons, now.lesson, (value) => change({ lesson: whole(value) }), { "data-do": "lesson" }),
      field(
        labels.pupils,
        number({ "data-do": "pupils" }, now.pupils, (pupils) => change({ pupils })),
      ),
      field(
        labels.seed,
        number({ "data-do": "seed" }, now.seed, (seed) => change({ seed })),
      ),
      choice(labels.language, languages, now.lang, (lang) => change({ lang }), { "data-do": "sheet-lang" }),
      names(labels, now.class_list, change),
      named ? el("p", { class: "nl-note-line" }, named) : "",
      el(
        "div",
        { class: "nl-bar" },
        folder
          ? button(exists ? labels.replace : labels.save, () => send({ type: "save", force: exists }), {
              class: "nl-primary",
              "data-do": "save",
            })
          : "",
        button(labels.print, () => send({ type: "print" }), { "data-do": "print" }),
        button(labels.key, () => send({ type: "key" }), { "data-do": "key" }),
        button(labels.slides, () => send({ type: "slides" }), { "data-do": "slides" }),
        button(labels.deck, () => send({ type: "deck" }), { "data-do": "deck" }),
        button(labels.moodle, () => send({ type: "moodle" }), { "data-do": "moodle" }),
        named ? button(labels.class_list, () => send({ type: "class_list" }), { "data-do": "class-list" }) : "",
      ),
    );
    if (place >= 0) [...form.querySelectorAll("select, input, textarea, button")][place]?.focus();
  };
  const drawPreview = () => {
    const { labels, preview: lines, preview_lang: lang, notes } = model.data;
    preview.replaceChildren(
      el("h2", {}, labels.preview),
      ...notes.map((note) => el("p", { class: "nl-note-line", lang }, note)),
      el(
        "ol",
        { lang },
        lines.map((one) =>
          el(
            "li",
            {},
            el("details", {}, el("summary", {}, one.question), el("p", {}, el("b", {}, one.answer), " ", one.how)),
          ),
        ),
      ),
    );
  };
  const drawGrading = () => {
    const { labels, book, hand_ins: usual, folder, graded } = model.data;
    const where = line({ value: usual, class: "nl-input nl-wide", "data-do": "folder" });
    const seed = line({
      value: classSeed,
      placeholder: labels.any_seed,
      inputmode: "numeric",
      class: "nl-input",
      "data-do": "class-seed",
    });
    seed.addEventListener("change", () => {
      classSeed = seed.value;
    });
    const wanted = () => (seed.value.trim() ? whole(seed.value) : null);
    const marks = { multiple: true, accept: ".json,.txt", "data-do": "files" };
    const files = fileButton(labels.files, marks, async (chosen) => {
      const read = await Promise.all(chosen.map(async (one) => ({ name: one.name, text: await one.text() })));
      send({ type: "grade", files: read, seed: wanted(), lesson: gradedLesson });
    });
    const inside = grading.contains(document.activeElement);
    grading.replaceChildren(
      el("h2", {}, labels.grading),
      el(
        "div",
        { class: "nl-bar" },
        choice(
          labels.lesson,
          graded,
          gradedLesson,
          (value) => {
            gradedLesson = String(value);
          },
          { "data-do": "graded" },
        ),
        field(labels.class_seed, seed),
        folder ? field(labels.folder, where) : "",
        folder
          ? button(
              labels.grade,
              () => send({ type: "grade", folder: where.value, seed: wanted(), lesson: gradedLesson }),
              {
                "data-do": "grade",
              },
            )
          : "",
        el("span", {}, labels.or_files),
        files,
      ),
      ...(book
        ? [
            el("p", { role: "status" }, book.said),
            table(labels.grading, book.columns, book.lines),
            el("h3", {}, labels.by_question),
            table(labels.by_question, book.heads, book.summary),
            el(
              "div",
              { class: "nl-bar" },
              button(labels.table, () => send({ type: "table" }), { "data-do": "table" }),
              button(labels.summary, () => send({ type: "summary" }), { "data-do": "summary" }),
            ),
          ]
        : []),
    );
    if (inside) grading.querySelector(book ? "[data-do='table']" : "[data-do='grade']")?.focus();
  };
  const say = (/** @type {string} */ text) => {
    setText(told, text);
    told.hidden = !text;
  };
  const draw = () => {
    drawForm();
    say(model.get("told"));
  };
  draw();
  drawPreview();
  drawGrading();
  life.model(model, "change", draw);
  life.model(model, "change:preview", drawPreview);
  life.model(model, "change:book", drawGrading);
  life.model(model, "msg:custom", (message) => {
    if (message.type === "file") download(message.name, message.text);
    else {
      // Restore a refused number, but keep pasted names.
      for (const name of /** @type {const} */ (["pupils", "seed"])) {
        const input = /** @type {HTMLInputElement | null} */ (form.querySelector(`[data-do='${name}']`));
        if (input) input.value = String(model.get("form")[name]);
      }
      say(message.text ?? "");
    }
  });
  slot(model, "class", together, life);
  slot(model, "author", author, life);
  return () => life.end();
}

export default { render };
