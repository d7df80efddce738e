// A part of Teach: the teacher's own lessons, and a form that writes one.
import { button, el, fill, focusIn, Life, setText } from "../dom.js";
import { choice, field, line } from "./parts.js";

const TABLES = ["row", "takes", "heads", "best"];
const LETTERS = "ABCD";

/** @param {View<Part<AuthorData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const told = el("p", { class: "nl-told", role: "status" });
  const list = el("div", {});
  const form = el("div", { class: "nl-author-form" });
  const preview = el("div", { class: "nl-preview" });
  const work = el("div", { class: "nl-form-body" }, form, preview);
  const root = el("section", { class: "nl-author" }, el("h2", {}, model.data.labels.title), list, told, work);
  holder.append(root);
  let source = String(model.data.sources[0]?.[0] ?? "");
  /** The draft as it is on the page. Python has it from the last change on. @type {Draft | null} */
  let draft = null;

  const send = () => model.send({ type: "draft", draft });

  /**
   * A line or an area for a text; what is typed goes to Python when the person leaves it.
   * @param {string} label
   * @param {string} value
   * @param {string} name
   * @param {(value: string) => void} set
   * @param {number} rows
   */
  const text = (label, value, name, set, rows = 1) => {
    const node =
      rows > 1
        ? el("textarea", { class: "nl-input nl-wide", rows, "data-do": name })
        : line({ class: "nl-input nl-wide", "data-do": name }, () => node.dispatchEvent(new Event("change")));
    node.value = value;
    node.addEventListener("input", () => set(node.value));
    node.addEventListener("change", send);
    return field(label, node);
  };

  const drawList = () => {
    const { labels, own, sources } = model.data;
    list.replaceChildren(
      el("p", { class: "nl-note-line" }, labels.text),
      own.length ? "" : el("p", { class: "nl-note-line" }, labels.none),
      el(
        "ul",
        { class: "nl-author-list" },
        own.map(({ name, title, note }) =>
          el(
            "li",
            {},
            el("b", {}, title),
            el("small", {}, note),
            name ? button(labels.edit, () => model.send({ type: "edit", name }), { "data-do": `edit-${name}` }) : "",
            name ? button(labels.open, () => model.send({ type: "open", name }), { "data-do": `open-${name}` }) : "",
          ),
        ),
      ),
      el(
        "div",
        { class: "nl-bar" },
        button(labels.new, () => model.send({ type: "new" }), { "data-do": "author-new" }),
        choice(
          labels.copy,
          sources,
          source,
          (value) => {
            source = value;
          },
          { "data-do": "author-source" },
        ),
        button(labels.copy_do, () => model.send({ type: "copy", lesson: source }), { "data-do": "author-copy" }),
      ),
    );
  };

  /**
   * @param {DraftStep} step
   * @param {number} at
   */
  const onTable = (step, at) => {
    const { labels } = model.data;
    const rows = step.rows.map((value, row) =>
      text(fill(labels.row, { number: row + 1 }), value, `row-${at}-${row}`, (now) => {
        step.rows[row] = now;
      }),
    );
    const asked = step.kind === "heads" ? step.hands.slice(0, 1) : step.hands;
    const seats = asked.map((value, seat) =>
      el(
        "div",
        { class: "nl-author-seat" },
        text(fill(labels.hand, { who: LETTERS[seat] }), value, `hand-${at}-${seat}`, (now) => {
          step.hands[seat] = now;
        }),
        step.kind === "heads" || (step.kind === "best" && seat === 0)
          ? ""
          : text(fill(labels.plays, { who: LETTERS[seat] }), step.plays[seat] ?? "", `plays-${at}-${seat}`, (now) => {
              step.plays[seat] = now;
            }),
      ),
    );
    const more = () => {
      step.hands.push("");
      step.plays.push("");
      draw();
    };
    const full = step.kind === "heads" || step.hands.length >= LETTERS.length;
    return [
      el("fieldset", {}, el("legend", {}, labels.rows), rows),
      ...seats,
      full ? "" : button(labels.more_hands, more, { class: "nl-quiet", "data-do": `more-${at}` }),
    ];
  };

  /**
   * @param {DraftStep} step
   * @param {number} at
   */
  const inWords = (step, at) => {
    const { labels } = model.data;
    const one = (/** @type {"answer" | "low" | "high"} */ name) =>
      text(labels[name], step[name], `${name}-${at}`, (now) => {
        step[name] = now;
      });
    if (step.kind === "number") return [one("answer"), one("low"), one("high")];
    const options = text(
      labels.options,
      step.options,
      `options-${at}`,
      (now) => {
        step.options = now;
      },
      4,
    );
    const right = text(labels.right, String(step.right), `right-${at}`, (now) => {
      step.right = /^\d+$/.test(now.trim()) ? Number(now) : now;
    });
    return [options, right];
  };

  /**
   * @param {DraftStep} step
   * @param {number} at
   */
  const drawStep = (step, at) => {
    const { labels, kinds } = model.data;
    const steps = draft?.steps ?? [];
    const set = (/** @type {"text" | "hint" | "why"} */ name) => (/** @type {string} */ now) => {
      step[name] = now;
    };
    const kind = (/** @type {string} */ value) => {
      step.kind = value;
      send();
      draw();
    };
    const away = () => {
      steps.splice(at, 1);
      send();
      draw();
    };
    const up = () => {
      steps.splice(at - 1, 0, ...steps.splice(at, 1));
      send();
      draw();
    };
    const fixed = step.kind === "other";
    const asks = step.kind !== "read";
    return el(
      "fieldset",
      { class: "nl-author-step", "data-step": at },
      el("legend", {}, fill(labels.step, { number: at + 1 })),
      fixed ? el("p", { class: "nl-note-line" }, labels.other_step) : "",
      fixed ? el("p", {}, step.text) : choice(labels.kind, kinds, step.kind, kind, { "data-do": `kind-${at}` }),
      ...(fixed
        ? []
        : [
            ...(TABLES.includes(step.kind) ? onTable(step, at) : []),
            text(
              TABLES.includes(step.kind) ? labels.question : labels.text_label,
              step.text,
              `text-${at}`,
              set("text"),
              2,
            ),
            ...(asks && !TABLES.includes(step.kind) ? inWords(step, at) : []),
            asks ? text(labels.hint, step.hint, `hint-${at}`, set("hint")) : "",
            asks ? text(labels.why, step.why, `why-${at}`, set("why")) : "",
          ]),
      el(
        "div",
        { class: "nl-bar" },
        at ? button(labels.up, up, { class: "nl-quiet", "data-do": `up-${at}` }) : "",
        button(labels.remove, away, { class: "nl-quiet", "data-do": `remove-${at}` }),
      ),
    );
  };

  const draw = () => {
    const { labels, languages, blank } = model.data;
    const focused = focusIn(form)?.getAttribute("data-do");
    work.hidden = draft === null;
    form.replaceChildren();
    if (draft === null) return;
    const now = draft;
    const head = (/** @type {"title" | "aims" | "activity"} */ name, /** @type {string} */ label) =>
      text(label, now[name] ?? "", `author-${name}`, (value) => {
        now[name] = value;
      });
    const language = (/** @type {string} */ value) => {
      now.language = value;
      send();
    };
    const add = () => {
      now.steps.push(structuredClone(blank));
      send();
      draw();
      form.querySelector(`[data-do='kind-${now.steps.length - 1}']`)?.focus();
    };
    form.append(
      head("title", labels.lesson_title),
      choice(labels.language, languages, now.language, language, { "data-do": "author-language" }),
      head("aims", labels.aims),
      head("activity", labels.activity),
      ...now.steps.map(drawStep),
      el(
        "div",
        { class: "nl-bar" },
        button(labels.add, add, { "data-do": "author-add" }),
        button(labels.save, () => model.send({ type: "save" }), { class: "nl-primary", "data-do": "author-save" }),
        button(labels.close, () => model.send({ type: "close" }), { class: "nl-quiet", "data-do": "author-close" }),
      ),
    );
    if (focused) form.querySelector(`[data-do='${focused}']`)?.focus();
  };

  const drawPreview = () => {
    const { labels, preview: lines, wrong } = model.data;
    preview.replaceChildren(
      el("h2", {}, labels.preview),
      wrong ? el("p", { class: "nl-told", role: "status", "data-do": "author-wrong" }, wrong) : "",
      el(
        "ol",
        {},
        lines.map(({ question, answer, how, picture }) =>
          el(
            "li",
            {},
            el("p", {}, question),
            picture ? el("img", { src: picture, alt: "", class: "nl-author-table" }) : "",
            el("p", {}, el("b", {}, `${labels.the_answer} `), answer, " ", how),
          ),
        ),
      ),
    );
  };

  const say = (/** @type {string} */ words) => {
    setText(told, words);
    told.hidden = !words;
  };
  // What is typed stays as it is while Python answers: only another lesson is drawn again.
  let opened = -1;
  const change = () => {
    if (model.get("opened") !== opened) {
      opened = model.get("opened");
      draft = structuredClone(model.get("draft"));
      draw();
    }
    drawPreview();
    drawList();
    say(model.get("told"));
  };
  change();
  life.model(model, "change", change);
  life.model(model, "msg:custom", (/** @type {Refused} */ message) => say(message.text));
  return () => life.end();
}

export default { render };
