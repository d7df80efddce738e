// A pupil's page in a class: the lesson, the table, and how the game ended.
import { clockText, Countdown } from "../countdown.js";
import { ask } from "../dialog.js";
import { button, el, fill, Life, setText } from "../dom.js";
import { slot } from "../part.js";
import { choice, figures } from "./parts.js";

/** @param {View<Part<ClassPageData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const head = el("header", { class: "nl-class-head" });
  const told = el("p", { class: "nl-class-note", role: "status", hidden: true });
  const status = el("p", { class: "nl-class-status", role: "status" });
  const clock = el("span", { class: "nl-class-clock", role: "timer", hidden: true });
  const turn = el("span", { class: "nl-class-turn", role: "timer", hidden: true });
  const lesson = el("div", { class: "nl-class-lesson" });
  const table = el("div", { class: "nl-class-table" });
  const free = el("section", { class: "nl-class-free" });
  const result = el("section", { class: "nl-class-result" });
  const replay = el("div", { class: "nl-class-replay" });
  const course = el("div", { class: "nl-class-replay" });
  const codes = el("div", { class: "nl-class-codes" });
  const root = el(
    "main",
    { class: "nl-class-page" },
    told,
    lesson,
    codes,
    free,
    status,
    turn,
    table,
    result,
    replay,
    course,
  );
  holder.append(head, root);

  const { labels: first } = model.data;
  const clocks = [
    new Countdown(
      clock,
      (time) => {
        clock.title = fill(model.data.labels.clock, { time }); // a phone has no room for these words
        return time;
      },
      clockText(0), // the words would leave no room for the name
    ),
    new Countdown(turn, (time) => fill(model.data.labels.turn_clock, { time }), first.time_up),
  ];
  life.atEnd(() => {
    for (const one of clocks) one.stop();
  });
  let reviewing = false;

  const drawHead = () => {
    const { labels, languages, lang, name, tab, lesson: has, pace } = model.data;
    const go = (/** @type {string} */ to) => () => model.send({ type: "tab", tab: to });
    const leave = () =>
      ask(root, {
        title: labels.leave_ask,
        text: fill(labels.leave_text, { name }),
        no: labels.leave_no,
        yes: labels.leave_yes,
        act: () => holder.dispatchEvent(new CustomEvent("nl-leave", { bubbles: true })),
      });
    head.replaceChildren(
      el("b", { class: "nl-class-name" }, name),
      clock,
      has
        ? el(
            "nav",
            { class: "nl-segments" },
            ["lesson", "table"].map((to) =>
              button(labels[to], go(to), {
                class: "nl-segment",
                "aria-checked": String(to === tab),
                "aria-current": to === tab ? "page" : null,
                "data-do": `tab-${to}`,
              }),
            ),
          )
        : "",
      el(
        "details",
        { class: "nl-class-more" },
        el("summary", { "aria-label": `${labels.language} · ${labels.leave}`, "data-do": "more" }, "⋮"),
        el(
          "div",
          { class: "nl-bar" },
          choice(labels.language, languages, lang, (value) => model.send({ type: "lang", lang: value }), {
            hidden: true,
          }),
          button(labels.leave, leave, { class: "nl-quiet nl-small", "data-do": "leave-class" }),
        ),
      ),
      pace === "wait" && has && tab === "lesson" ? el("small", { class: "nl-class-pace" }, labels.waits) : "",
    );
    for (const node of [lesson, codes]) node.hidden = tab !== "lesson";
    for (const node of [table, free, result, replay, course, status, turn]) node.hidden = tab !== "table";
  };

  const drawTable = () => {
    const { labels, table: at, open, result: ended, looking, tab, found } = model.data;
    const here = tab === "table";
    const playing = at?.phase === "playing";
    if (!at) setText(status, open.length ? labels.choose_table : labels.no_table);
    else if (at.phase === "open") setText(status, labels.soon);
    else if (playing) {
      const thinking = at.seats.filter((seat) => seat.thinking && !seat.you && !seat.bot).map((seat) => seat.name);
      const choosing = at.seats.some((seat) => seat.you && seat.thinking);
      const waits = thinking.length && !choosing ? fill(labels.waiting_for, { who: thinking }) : "";
      setText(status, [at.chosen, waits].filter(Boolean).join(" "));
    } else setText(status, "");
    status.hidden = !here || !status.textContent;
    free.hidden = !here || (at !== null && at.phase !== "open");
    free.replaceChildren(
      ...(at
        ? [
            el("h2", {}, fill(labels.table_number, { number: at.number })),
            el(
              "p",
              {},
              at.seats
                .filter((seat) => !seat.bot)
                .map((seat) => seat.name)
                .join(", "),
            ),
            button(labels.stand, () => model.send({ type: "stand" }), { "data-do": "stand" }),
          ]
        : open.map((one) =>
            el(
              "div",
              { class: "nl-class-offer" },
              el("b", {}, fill(labels.table_number, { number: one.number })),
              el("span", {}, one.title),
              el("span", {}, fill(labels.free_seats, { free: one.free })),
              el("span", { class: "nl-class-names" }, one.names.join(", ")),
              button(labels.sit, () => model.send({ type: "sit", table: one.number }), {
                class: "nl-primary",
                "data-do": `sit-${one.number}`,
              }),
            ),
          )),
    );
    table.hidden = !here || looking;
    result.hidden = !here || !ended;
    result.replaceChildren(...(ended ? [resultNode(ended, labels, looking)] : []));
    replay.hidden = course.hidden = !here || !looking;
    const mine = at?.seats.find((seat) => seat.you);
    clocks[1].set(here && playing && mine?.thinking ? at.left : null);
    codes.hidden = tab !== "lesson" || !found.length;
    codes.replaceChildren(...found.map((text) => el("p", {}, text)));
  };

  /**
   * @param {ClassResult} ended
   * @param {Labels} labels
   * @param {boolean} looking
   */
  const resultNode = (ended, labels, looking) => {
    const rows = ended.rows.map((row) =>
      el(
        "tr",
        { class: row.you ? "nl-mine-seat" : "" },
        el("th", { scope: "row" }, row.won ? "★ " : "", row.name, row.you ? ` (${labels.you})` : ""),
        el("td", { class: "nl-score" }, String(row.points)),
      ),
    );
    const review = () => {
      reviewing = true;
      model.send({ type: "review" });
    };
    const buttons = looking
      ? [button(labels.back, () => model.send({ type: "back" }), { "data-do": "back" })]
      : [
          button(labels.review, review, { class: "nl-primary", "data-do": "review" }),
          button(labels.replay, () => model.send({ type: "replay" }), { "data-do": "replay" }),
        ];
    return el(
      "div",
      {},
      el("h2", {}, labels.result),
      figures(["", ended.heads ? labels.heads : labels.points], rows),
      el("div", { class: "nl-bar" }, buttons),
    );
  };

  const draw = () => {
    drawHead();
    drawTable();
  };
  draw();
  clocks[0].set(model.data.clock);
  // The other page begins at its top, not where the reader has scrolled to in this one.
  life.model(model, "change:tab", () => scrollTo(0, 0));
  for (const name of ["labels", "tab", "name", "pace"]) life.model(model, `change:${name}`, draw);
  for (const name of ["table", "open", "result", "looking", "found"]) life.model(model, `change:${name}`, drawTable);
  life.model(model, "change:clock", () => clocks[0].set(model.data.clock));
  life.model(model, "msg:custom", (/** @type {Refused} */ message) => {
    setText(told, message.text ?? "");
    told.hidden = !message.text;
  });
  life.on(root, "click", () => {
    told.hidden = true;
  });
  life.on(table, "nl-finished", () => {
    result.scrollIntoView({ block: "start" });
    /** @type {HTMLElement | null} */ (result.querySelector("button"))?.focus();
  });
  slot(model, "lesson", lesson, life);
  slot(model, "table", table, life);
  slot(model, "replay", replay, life);
  slot(model, "course", course, life);
  const grown = new ResizeObserver(() => {
    if (!reviewing || !course.firstChild) return;
    reviewing = false;
    course.scrollIntoView({ block: "start" }); // the replay above it looks like "Watch the game"
  });
  grown.observe(course);
  life.atEnd(() => grown.disconnect());
  return () => life.end();
}

export default { render };
