// A part of Teach: the teacher's own lessons, and a form that writes one.
import { button, el, fill, focusIn, Life, setText } from "../dom.js";
import { choice, field, line } from "./parts.js";

const TABLES = ["row", "takes", "heads", "best"];
const LETTERS = "ABCD";
/** Milliseconds without a key until the preview follows. */
const PAUSE = 700;

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

  let typing = 0;
  /** The step whose fields the person is in. */
  let here = 0;
  const send = () => {
    clearTimeout(typing);
    model.send({ type: "draft", draft });
  };

  /**
   * A line or an area for a text; what is typed goes to Python after a pause, or when the person leaves it.
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
    node.addEventListener("input", () => {
      set(node.value);
      clearTimeout(typing);
      typing = setTimeout(send, PAUSE);
    });
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
   * Replies to wrong answers.
   * @param {DraftStep} step
   * @param {number} at
   */
  const replies = (step, at) => {
    const { labels } = model.data;
    step.slips ??= [];
    const slips = step.slips;
    const answer = step.kind === "choice" ? labels.slip_option : labels.slip_answer;
    const more = () => {
      slips.push({ name: "", answer: "", text: "" });
      draw();
      form.querySelector(`[data-do='slip-${at}-${slips.length - 1}']`)?.focus();
    };
    return [
      ...slips.map((slip, number) =>
        el(
          "div",
          { class: "nl-author-seat" },
          text(answer, slip.answer, `slip-${at}-${number}`, (now) => {
            slip.answer = now;
          }),
          text(labels.slip_text, slip.text, `slip-text-${at}-${number}`, (now) => {
            slip.text = now;
          }),
          button(
            labels.remove_slip,
            () => {
              slips.splice(number, 1);
              send();
              draw();
            },
            { class: "nl-quiet", "data-do": `remove-slip-${at}-${number}` },
          ),
        ),
      ),
      button(labels.more_slips, more, { class: "nl-quiet", "data-do": `more-slips-${at}` }),
    ];
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
      step.more = {};
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
    const asks = step.kind !== "read" && step.kind !== "watch";
    const onRows = TABLES.includes(step.kind) || step.kind === "watch";
    const kept = Object.keys(step.more ?? {}).join(", ");
    return el(
      "fieldset",
      { class: "nl-author-step", "data-step": at },
      el("legend", {}, fill(labels.step, { number: at + 1 })),
      el("p", { class: "nl-told", hidden: true, "data-wrong": at + 1 }),
      fixed ? el("p", { class: "nl-note-line" }, labels.other_step) : "",
      fixed ? el("p", {}, step.text) : choice(labels.kind, kinds, step.kind, kind, { "data-do": `kind-${at}` }),
      ...(fixed
        ? []
        : [
            kept ? el("p", { class: "nl-note-line" }, fill(labels.more_keys, { keys: kept })) : "",
            ...(onRows ? onTable(step, at) : []),
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
            ...(asks && !TABLES.includes(step.kind) ? replies(step, at) : []),
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
      // What happened, where the person presses the button; the page says it once, above.
      el("p", { class: "nl-told nl-author-told", hidden: true, "aria-hidden": "true" }),
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
        lines.map((shown) =>
          el(
            "li",
            { "data-of": shown.step },
            el("p", { class: "nl-note-line" }, fill(labels.step, { number: shown.step })),
            shown.wrong ? el("p", { class: "nl-note-line" }, shown.wrong) : "",
            shown.question ? el("p", {}, shown.question) : "",
            shown.picture ? el("img", { src: shown.picture, alt: "", class: "nl-author-table" }) : "",
            shown.options?.length ? el("p", {}, shown.options.join(" · ")) : "",
            shown.answer ? el("p", {}, el("b", {}, `${labels.the_answer} `), shown.answer) : "",
            shown.how ? el("p", { class: "nl-note-line" }, shown.how) : "",
          ),
        ),
      ),
    );
    for (const { step, wrong: why } of lines) {
      const place = form.querySelector(`[data-wrong='${step}']`);
      if (!place) continue;
      setText(place, why);
      place.hidden = !why;
    }
    follow();
  };

  /** Show the step that is being written in the preview, which scrolls on its own beside the form. */
  const follow = () => {
    const item = preview.querySelector(`[data-of='${here + 1}']`);
    if (item && preview.scrollHeight > preview.clientHeight) preview.scrollTop = Math.max(0, item.offsetTop - 60);
  };

  const say = (/** @type {string} */ words) => {
    for (const node of [told, form.querySelector(".nl-author-told")]) {
      if (!node) continue;
      setText(node, words);
      node.hidden = !words;
      if (words && node !== told && focusIn(form)) node.scrollIntoView({ block: "nearest" });
    }
  };
  // What is typed stays as it is while Python answers: only another lesson is drawn again.
  let opened = -1;
  const change = () => {
    if (model.get("opened") !== opened) {
      const asked = opened !== -1; // and not found from before
      opened = model.get("opened");
      draft = structuredClone(model.get("draft"));
      here = 0;
      draw();
      if (asked && draft) {
        form.querySelector("[data-do='author-title']")?.focus({ preventScroll: true });
        work.scrollIntoView({ block: "start" });
      }
    }
    drawPreview();
    drawList();
    say(model.get("told"));
  };
  form.addEventListener("focusin", (event) => {
    const step = /** @type {Element} */ (event.target).closest("[data-step]");
    if (!step) return;
    here = Number(step.getAttribute("data-step"));
    follow();
  });
  change();
  life.model(model, "change", change);
  life.model(model, "msg:custom", (/** @type {Refused} */ message) => say(message.text));
  return () => {
    clearTimeout(typing);
    life.end();
  };
}

export default { render };
