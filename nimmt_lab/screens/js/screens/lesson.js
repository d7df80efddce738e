// A lesson: the progress, the text and the board of the step; at the end a recap and the next lesson.
import { button, el, fill, Life, setText } from "../dom.js";
import { download, slot } from "../part.js";
import { choice, line } from "./parts.js";

/** @param {View<Part<LessonData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const head = el("div", { class: "nl-lesson-head" });
  const text = el("div", { class: "nl-lesson-text" });
  const board = el("div", { class: "nl-lesson-board" });
  const end = el("div", { class: "nl-lesson-end" });
  const told = el("p", { class: "nl-told", role: "status" });
  const root = el("section", { class: "nl-lesson" }, head, text, board, end, told);
  holder.append(root);
  const go = (/** @type {number} */ at) => model.send({ type: "go", at });

  const drawHead = () => {
    const { labels, title, steps, at, place, ready, inside, languages, lang } = model.data;
    const dots = Array.from({ length: steps }, (_, step) =>
      el("i", { class: step < at ? "nl-was" : step === at ? "nl-now" : "" }),
    );
    const last = at === steps - 1;
    head.replaceChildren(
      inside ? button(`☰ ${labels.map}`, () => model.send({ type: "leave" }), { "data-do": "map" }) : "",
      el("h1", {}, title),
      el("span", { class: "nl-dots", "aria-hidden": "true" }, dots),
      el("span", { class: "nl-place" }, place),
      el("span", { class: "nl-spring" }),
      inside
        ? ""
        : choice(labels.language, languages, lang, (value) => model.send({ type: "lang", lang: value }), {
            hidden: true,
          }),
      button(`← ${labels.back}`, () => go(at - 1), { "data-do": "back", disabled: at === 0 }),
      last
        ? ""
        : button(`${labels.next} →`, () => go(at + 1), {
            "data-do": "next",
            class: ready ? "nl-primary" : "",
            disabled: !ready,
          }),
    );
  };

  const drawText = () => {
    const { title, text: said, note, parts, sheet } = model.get("text");
    const { labels } = model.data;
    text.replaceChildren(
      title ? el("p", { class: "nl-check-mark" }, title) : "",
      said ? el("p", { class: "nl-lesson-say" }, said) : "",
      note ? el("p", { class: "nl-note-line" }, note) : "",
      ...(parts ?? []).map((part) => el("p", { class: "nl-lesson-say" }, el("b", {}, `${part.title}. `), part.text)),
    );
    if (sheet === undefined) return;
    const input = line({ value: sheet, "aria-label": labels.other, class: "nl-input" });
    // A number, or the code from the sheet.
    input.addEventListener("change", () =>
      model.send({ type: "sheet", seed: /^\d{1,15}$/.test(input.value.trim()) ? Number(input.value) : input.value }),
    );
    text.append(el("div", { class: "nl-field-box" }, el("span", { "aria-hidden": "true" }, labels.other), input));
  };

  const drawEnd = () => {
    const { end: ended, labels } = model.data;
    end.replaceChildren();
    end.hidden = !ended;
    if (!ended) return;
    const [after] = ended.next;
    const name = line(
      { value: ended.name, "aria-label": labels.name, placeholder: labels.name, class: "nl-input nl-wide" },
      () => save(),
    );
    const save = () => model.send({ type: "save", name: name.value });
    const signs = { first: "✓", later: "↻", open: "◦" };
    end.append(
      el("p", { class: "nl-done" }, "✓ ", ended.done),
      el("h2", {}, labels.recap),
      el(
        "ol",
        { class: "nl-recap" },
        ended.recap.map((one) =>
          el(
            "li",
            { class: `nl-recap-${one.mark}` },
            el("b", { "aria-hidden": "true" }, signs[one.mark]),
            el("span", {}, one.text),
            el("small", {}, one.words),
          ),
        ),
      ),
      el(
        "div",
        { class: "nl-bar" },
        after && model.get("inside")
          ? button(
              `${fill(labels.next_lesson, { title: after.title })} →`,
              () => model.send({ type: "leave", to: after.name }),
              { class: "nl-primary", "data-do": "next-lesson" },
            )
          : "",
        model.get("inside") ? button(labels.map, () => model.send({ type: "leave" }), { "data-do": "map-end" }) : "",
        button(labels.again, () => model.send({ type: "restart" }), { "data-do": "again" }),
      ),
      el(
        "div",
        { class: "nl-bar" },
        name,
        button(labels.save, save, { "data-do": "save" }),
        button(labels.download, () => model.send({ type: "download", name: name.value }), { "data-do": "download" }),
      ),
    );
  };

  const draw = () => {
    drawHead();
    drawText();
    drawEnd();
    setText(told, model.get("told"));
    told.hidden = !model.get("told");
  };
  draw();
  const changed = new Map([
    ["ready", drawHead],
    [
      "told",
      () => {
        setText(told, model.get("told"));
        told.hidden = !model.get("told");
      },
    ],
    ["text", draw],
  ]);
  for (const [name, act] of changed) life.model(model, `change:${name}`, act);
  life.model(model, "msg:custom", (message) => {
    if (message.type === "file") {
      download(message.name, message.text);
      return;
    }
    setText(told, message.text ?? "");
    told.hidden = !message.text;
  });
  slot(model, "board", board, life);
  return () => life.end();
}

export default { render };
