// A lesson: the progress, the text and the board of the step, and one bar below for what comes next; at the end a recap
// and the next lesson. A question brings its own bar.
import { button, el, fill, Life, setText } from "../dom.js";
import { bull } from "../card.js";
import { stroke } from "../icons.js";
import { download, slot } from "../part.js";
import { choice, line } from "./parts.js";

/** @param {View<Part<LessonData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const head = el("header", { class: "nl-lesson-head" });
  const text = el("div", { class: "nl-lesson-text" });
  const board = el("div", { class: "nl-lesson-board" });
  const end = el("div", { class: "nl-lesson-end" });
  const told = el("p", { class: "nl-told", role: "status" });
  const said = el("p", { class: "nl-feedback", role: "status", "aria-live": "polite" });
  const buttons = el("div", { class: "nl-foot-buttons" });
  const foot = el("div", { class: "nl-foot" }, el("div", { class: "nl-foot-body" }, said, buttons));
  const root = el(
    "section",
    { class: "nl-lesson" },
    head,
    el("div", { class: "nl-stage" }, text, board, end, told),
    foot,
  );
  holder.append(root);
  /** @type {File | null} What was saved last. */
  let handed = null;
  const share = button(
    "",
    () => {
      // Closing the menu without choosing is no trouble.
      if (handed) navigator.share({ files: [handed], title: handed.name }).catch(() => {});
    },
    { "data-do": "share" },
  );
  const go = (/** @type {number} */ at) => model.send({ type: "go", at });
  /** @type {{ at: number, last: number, text: string } | null} The frame on show, of a table to watch. */
  let frame = null;

  const drawHead = () => {
    const { labels, title, steps, at, place, inside, languages, lang, stars, testing, text: words } = model.data;
    const close = button("", () => model.send({ type: "leave" }), {
      class: "nl-quiet nl-icon",
      "data-do": "map",
      "aria-label": labels.map,
      title: labels.map,
    });
    close.append(stroke("close", 24));
    const back = button("", () => go(at - 1), {
      class: "nl-quiet nl-icon",
      "data-do": "back",
      disabled: at === 0 && !testing, // from a test, back to the lesson
      "aria-label": labels.back,
      title: labels.back,
    });
    back.append(stroke("back", 22));
    const share = Math.round((100 * at) / (steps - 1));
    const words_ = words.title ? el("span", { class: "nl-chip nl-check-mark" }, words.title) : null;
    const won = stars ? el("span", { class: "nl-chip nl-won", title: labels.recap_first }, "★ ", String(stars)) : null;
    head.replaceChildren(
      inside ? close : "",
      back,
      el("h1", {}, title),
      el("span", { class: "nl-progress", "aria-hidden": "true" }, el("i", { style: `width:${share}%` })),
      words_ ?? "",
      el("span", { class: "nl-place" }, place),
      won ?? "",
      inside
        ? ""
        : choice(labels.language, languages, lang, (value) => model.send({ type: "lang", lang: value }), {
            hidden: true,
          }),
    );
  };

  const drawText = () => {
    const { text: words, note, parts, sheet, show } = model.get("text");
    const { labels } = model.data;
    root.dataset.show = (show ?? []).join(" ");
    text.replaceChildren(
      words ? el("div", { class: "nl-say-line" }, bull(48), el("p", { class: "nl-lesson-say nl-bubble" }, words)) : "",
      note ? el("p", { class: "nl-note-line" }, note) : "",
      ...(parts ?? []).map((part) =>
        el(
          "section",
          { class: part.box ? "nl-lesson-say nl-lesson-box" : "nl-lesson-say" },
          el("h2", {}, part.title),
          part.text.split("\n").map((line) => el("p", {}, line)),
        ),
      ),
    );
    const { skip } = model.data;
    if (skip) text.append(button(skip, () => model.send({ type: "test" }), { class: "nl-quiet", "data-do": "test" }));
    if (sheet === undefined) return;
    const input = line({ value: sheet, "aria-label": labels.other, class: "nl-input" });
    // A number, or the code from the sheet.
    input.addEventListener("change", () =>
      model.send({ type: "sheet", seed: /^\d{1,15}$/.test(input.value.trim()) ? Number(input.value) : input.value }),
    );
    text.append(el("div", { class: "nl-field-box" }, el("span", { "aria-hidden": "true" }, labels.other), input));
  };

  const drawFoot = () => {
    const { ready, labels, end: ended } = model.data;
    const active = document.activeElement;
    const held = foot.contains(active) || (active === document.body && Boolean(root.closest(".nl-page")));
    const asks = model.parts.board?.module === "exercise";
    foot.hidden = asks;
    root.classList.toggle("nl-asking", asks);
    buttons.replaceChildren();
    if (asks) return;
    if (ended) {
      drawLast(ended);
      return;
    }
    const more = frame !== null && frame.at < frame.last;
    setText(said, frame ? frame.text || labels.watch_first : "");
    const first = () => board.querySelector(".nl-control[data-do='first']")?.click();
    const again = button("", first, { class: "nl-quiet", "data-do": "watch-again" });
    again.append(stroke("again"), el("span", {}, labels.watch_again));
    again.hidden = frame === null || more || frame.last < 1;
    const step = button(labels.step_on, () => board.querySelector(".nl-control[data-do='next']")?.click(), {
      class: "nl-primary nl-big",
      "data-do": "step",
      hidden: !more,
    });
    const onward = button(more ? labels.skip : labels.onward, () => go(model.data.at + 1), {
      class: more ? "nl-quiet" : "nl-primary nl-big",
      "data-do": "next",
      disabled: !ready,
    });
    buttons.append(again, onward, step);
    // Enter goes card by card: what was pressed before has gone, and Skip is not what comes next.
    if (held) (more ? step : onward).focus({ preventScroll: true });
  };

  /** @param {LessonEnd} ended */
  const drawLast = (ended) => {
    const { labels, inside } = model.data;
    const [after] = ended.next;
    setText(said, "");
    const again = button("", () => model.send({ type: "restart" }), { class: "nl-quiet", "data-do": "again" });
    again.append(stroke("again"), el("span", {}, labels.again));
    const map = button(labels.map, () => model.send({ type: "leave" }), {
      "data-do": "map-end",
      class: after ? "" : "nl-primary nl-big",
    });
    const onward = after
      ? button(fill(labels.next_lesson, { title: after.title }), () => model.send({ type: "leave", to: after.name }), {
          class: "nl-primary nl-big",
          "data-do": "next-lesson",
        })
      : null;
    buttons.append(again, inside ? map : "", (inside && onward) || "");
  };

  const drawEnd = () => {
    const { end: ended, hand_in: by, labels } = model.data;
    end.replaceChildren();
    end.hidden = !ended && by === null;
    share.hidden = true;
    setText(share, labels.share);
    if (ended) {
      /** @type {Record<LessonEnd["recap"][number]["mark"], string>} */
      const signs = { first: "★", later: "↻", open: "◦", none: "–" };
      end.append(
        el(
          "div",
          { class: "nl-done nl-felt-panel" },
          el(
            "span",
            { class: "nl-done-stars", "aria-hidden": "true" },
            "★".repeat(ended.stars) + "☆".repeat(3 - ended.stars),
          ),
          el("p", {}, ended.done),
          ended.closing ? el("p", { class: "nl-closing" }, ended.closing) : null,
        ),
      );
      const recap = ended.recap.map((one) =>
        el(
          "li",
          { class: `nl-recap-${one.mark}` },
          el("b", { "aria-hidden": "true" }, signs[one.mark]),
          el("span", {}, one.text),
          el("small", {}, one.words),
        ),
      );
      // After a test there is nothing to look back at.
      if (recap.length) end.append(el("h2", {}, labels.recap), el("ol", { class: "nl-recap" }, recap));
    }
    if (by !== null) end.append(handIn(by, Boolean(ended)));
  };

  /**
   * @param {string} by
   * @param {boolean} open
   */
  const handIn = (by, open) => {
    const { labels, browser } = model.data;
    const name = line(
      { value: by, "aria-label": labels.name, placeholder: labels.name, class: "nl-input nl-wide" },
      () => save(),
    );
    const save = () => model.send({ type: "save", name: name.value });
    const take = () => model.send({ type: "download", name: name.value });
    return el(
      "details",
      { class: "nl-more nl-hand-in", ...(open ? { open: true } : {}) },
      el("summary", {}, labels.hand_in),
      el(
        "div",
        { class: "nl-bar" },
        name,
        button(labels.save, save, { "data-do": "save" }),
        browser ? "" : button(labels.download, take, { "data-do": "download" }),
        share,
      ),
    );
  };

  // A phone hands a file in with its own menu. Browsers share text, and the gradebook reads it under that name too.
  const offer = (/** @type {string} */ name, /** @type {string} */ content) => {
    handed = new File([content], `${name}.txt`, { type: "text/plain" });
    share.hidden = !navigator.canShare?.({ files: [handed] });
  };

  const tell = (/** @type {string} */ words) => {
    setText(told, words);
    told.hidden = !words;
  };
  const draw = () => {
    drawHead();
    drawText();
    drawEnd();
    tell(model.get("told"));
  };
  draw();
  const changed = new Map([
    ["ready", drawFoot],
    ["stars", drawHead],
    ["told", () => tell(model.get("told"))],
    ["text", draw],
  ]);
  for (const [name, act] of changed) life.model(model, `change:${name}`, act);
  life.model(model, "msg:custom", (message) => {
    if (message.type === "file") {
      download(message.name, message.text);
      offer(message.name, message.text);
      return;
    }
    if (message.type === "handed") {
      offer(message.name, message.text);
      return;
    }
    tell(message.text ?? "");
  });
  // A table to watch says which frame is on show.
  life.on(board, "nl-frame", (event) => {
    frame = /** @type {CustomEvent<{ at: number, last: number, text: string }>} */ (/** @type {unknown} */ (event))
      .detail;
    drawFoot();
  });
  life.model(model, "part:board", () => {
    frame = null;
  });
  slot(model, "board", board, life);
  life.model(model, "part:board", drawFoot);
  drawFoot();
  // Enter goes on, wherever the focus is, unless it is on something that Enter has a meaning for.
  life.on(document, "keydown", (event) => {
    if (event.key !== "Enter" || event.defaultPrevented || foot.hidden || !root.getClientRects().length) return;
    if (event.target.closest("button, input, select, textarea, summary, a, [role='slider']")) return;
    if (event.target !== document.body && !root.contains(event.target)) return;
    foot.querySelector(".nl-primary:not(:disabled):not([hidden])")?.click();
  });
  return () => life.end();
}

export default { render };
