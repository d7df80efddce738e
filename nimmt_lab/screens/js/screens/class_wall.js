// The teacher's wall, to be read from the last row: the door, the lesson with everybody's answers and results, tables.
import { Countdown } from "../countdown.js";
import { button, el, fill, Life, setText, svg } from "../dom.js";
import { download, slot } from "../part.js";
import { pooledNode } from "./class_pooled.js";
import { gameFields } from "./game_fields.js";
import { choice, line, segments } from "./parts.js";
import { chartNode } from "./problem.js";

const MINUTES = [1, 2, 3, 5, 10];

/** @param {View<Part<ClassWallData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const timer = el("span", { class: "nl-wall-timer", role: "timer", hidden: true });
  const head = el("header", { class: "nl-wall-head" });
  const told = el("p", { class: "nl-class-note", role: "status", hidden: true });
  const body = el("main", { class: "nl-wall-body" });
  const people = el("aside", { class: "nl-wall-people" });
  const watch = el("div", { class: "nl-wall-watch" });
  const board = el("div", { class: "nl-wall-board" });
  const root = el(
    "div",
    { class: "nl-wall" },
    head,
    told,
    watch,
    el("div", { class: "nl-wall-main" }, el("div", {}, body, board), people),
  );
  holder.append(root);
  const clock = new Countdown(timer, (text) => text, model.data.labels.time_up);
  life.atEnd(() => clock.stop());
  const [first] = model.data.games;
  /** @type {{ setup: Setup, limit: number, level: string, how: string, count: number }} */
  const form = {
    // One round, where a game has several: a lesson is short.
    setup: {
      game: first.name,
      players: 5,
      options: first.options.some((one) => one.name === "rounds") ? { rounds: 1 } : {},
    },
    limit: 60,
    level: model.data.usual,
    how: "deal",
    count: 6,
  };
  let late = false; // whether a change waits for the end of typing
  const say = (/** @type {string} */ text) => {
    setText(told, text);
    told.hidden = !text;
  };

  const drawHead = () => {
    const { labels, view, code, addresses, keeps, lesson } = model.data;
    const set = (/** @type {number} */ seconds) => {
      head.querySelector("details")?.removeAttribute("open"); // its minutes would push the lesson down
      model.send({ type: "timer", seconds });
    };
    const times = MINUTES.map((n) =>
      button(fill(labels.minutes, { n }), () => set(60 * n), {
        class: "nl-quiet nl-small",
        "data-do": `timer-${n}`,
      }),
    );
    head.replaceChildren(
      segments(
        "view",
        labels.title,
        [
          ["door", labels.door],
          ["lesson", labels.lesson],
          ["tables", labels.tables],
        ],
        view,
        (value) => model.send({ type: "view", view: value }),
      ),
      el("b", { class: "nl-wall-title" }, view === "lesson" ? lesson : ""),
      el("span", { class: "nl-spring" }),
      timer,
      el(
        "details",
        { class: "nl-more" },
        el("summary", {}, labels.timer),
        el(
          "div",
          { class: "nl-bar" },
          times,
          button(labels.stop, () => set(0), {
            class: "nl-quiet nl-small",
            "data-do": "timer-0",
          }),
        ),
      ),
      el("span", { class: "nl-wall-code" }, `${addresses[0].replace(/^http:\/\/|\/$/g, "")} · ${code}`),
      keeps ? "" : el("p", { class: "nl-wall-alarm", role: "alert" }, labels.not_kept),
    );
  };

  const drawPeople = () => {
    const { labels, members, listed, view, question } = model.data;
    const here = members.filter((one) => one.here).length;
    const count = listed
      ? fill(labels.of_listed, { count: here, all: listed })
      : here
        ? fill(labels.joined, { count: here })
        : labels.nobody;
    people.replaceChildren(
      el("h2", {}, count),
      el(
        "ul",
        {},
        members.map((one) => {
          const answered = view === "lesson" && question && one.said.includes(question.name);
          const where = !one.here
            ? labels.away
            : view === "tables" && one.table !== null
              ? fill(labels.at_table, { table: one.table })
              : fill(labels.at_step, { at: one.at + 1 });
          return el(
            "li",
            { class: one.here ? "" : "nl-away" },
            el("span", { class: "nl-wall-sign", "aria-hidden": "true" }, answered && !question.revealed ? "✓" : ""),
            el("b", {}, one.name),
            el("small", {}, where),
            view === "door" && !one.free
              ? button(labels.release, () => model.send({ type: "release", who: one.who }), {
                  class: "nl-quiet nl-small",
                  title: labels.release_title,
                  "data-do": `release-${one.who}`,
                })
              : "",
            view === "door" && one.free
              ? button(labels.remove, () => model.send({ type: "remove", who: one.who }), {
                  class: "nl-quiet nl-small",
                  title: labels.remove_title,
                  "data-do": `remove-${one.who}`,
                })
              : "",
          );
        }),
      ),
    );
  };

  const door = () => {
    const { labels, code, addresses, qr, lan, folder, listed, locked } = model.data;
    const box = { viewBox: `0 0 ${qr.size} ${qr.size}`, class: "nl-wall-qr", role: "img", "aria-label": addresses[0] };
    return [
      el(
        "section",
        { class: "nl-wall-door" },
        lan ? svg("svg", box, svg("path", { d: qr.path })) : "",
        el(
          "div",
          {},
          el("p", {}, labels.go_to),
          addresses.map((address) => el("p", { class: "nl-wall-address" }, address)),
          el("p", {}, labels.class_code),
          el("p", { class: "nl-wall-letters" }, code),
          el("p", {}, listed ? labels.then_name : labels.then_any_name),
        ),
      ),
      el("p", { class: "nl-note-line" }, lan ? labels.not_encrypted : labels.this_computer),
      el("p", { class: "nl-note-line", title: folder }, labels.kept_in), // the class needn't read the path
      el(
        "div",
        { class: "nl-bar" },
        button(locked ? labels.unlock : labels.lock, () => model.send({ type: "lock", on: !locked }), {
          "data-do": "lock",
        }),
      ),
    ];
  };

  const lessonView = () => {
    const { labels, steps, look, at, pace, question, pooled, clouds, codes, lesson } = model.data;
    if (!lesson) return [el("p", { class: "nl-wall-big" }, labels.no_lesson)];
    const wait = (/** @type {number} */ to) => () => model.send({ type: "pace", pace: "wait", at: to });
    const entry = line(
      { "aria-label": labels.type_code, placeholder: labels.type_code, class: "nl-input", "data-do": "result-code" },
      () => add(),
    );
    const add = () => {
      if (entry.value.trim()) model.send({ type: "code", code: entry.value });
      entry.value = "";
    };
    return [
      el(
        "div",
        { class: "nl-bar nl-wall-pace" },
        button("‹", () => model.send({ type: "look", at: look - 1 }), {
          "aria-label": labels.previous,
          title: labels.previous,
          disabled: look <= 0,
          "data-do": "previous",
        }),
        el("b", {}, `${look + 1}/${steps.length}`),
        button("›", () => model.send({ type: "look", at: look + 1 }), {
          "aria-label": labels.next,
          title: labels.next,
          disabled: look >= steps.length - 1,
          "data-do": "look-next",
        }),
        button(labels.pace_wait, wait(look), {
          "data-do": "wait",
          "aria-pressed": String(pace === "wait" && at === look),
        }),
        button(`${labels.pace_continue} →`, wait(Math.min(look + 1, steps.length - 1)), {
          class: "nl-primary",
          "data-do": "continue",
        }),
        button(labels.pace_free, () => model.send({ type: "pace", pace: "free" }), {
          "data-do": "free",
          "aria-pressed": String(pace === "free"),
        }),
        el("small", {}, pace === "wait" ? fill(labels.pace_now_wait, { at: at + 1 }) : labels.pace_now_free),
      ),
      ...steps[look].split("\n").map((text) => el("p", { class: "nl-wall-question" }, text)),
      question?.rests.length
        ? el(
            "ul",
            { class: "nl-found" },
            question.rests.map(([text, answer]) => el("li", {}, `${text} `, el("b", {}, answer))),
          )
        : "",
      question?.chart ? chartNode(question.chart) : "",
      question?.choices.length ? el("p", { class: "nl-wall-big" }, question.choices.join(" · ")) : "",
      el(
        "div",
        { class: (question && pooled) || clouds[1] ? "nl-wall-both" : "" },
        question ? answersNode(question) : "",
        pooled ? pooledNode(pooled, model.data, labels.pooled_title) : "",
        clouds.map((one) => pooledNode(one, model.data, one.title, labels.dots_cloud)),
      ),
      question?.runs
        ? el(
            "details",
            { class: "nl-more", open: codes.length > 0 },
            el("summary", {}, labels.result_codes),
            el(
              "div",
              { class: "nl-bar" },
              entry,
              button(labels.add, () => add(), { "data-do": "add-code" }),
            ),
            el("p", { class: "nl-note-line" }, labels.codes_note),
            el(
              "div",
              { class: "nl-bar" },
              codes.map((code) =>
                button(`${code} ×`, () => model.send({ type: "uncode", code }), {
                  class: "nl-small",
                  "aria-label": `${labels.remove}: ${code}`,
                  "data-do": `uncode-${code}`,
                }),
              ),
            ),
          )
        : "",
    ];
  };

  /** @param {ClassQuestion} question */
  const answersNode = (question) => {
    const { labels } = model.data;
    const most = Math.max(1, ...question.groups.map((group) => group.count));
    const reveal = () => model.send({ type: "reveal", question: question.name });
    return el(
      "section",
      { class: "nl-wall-answers" },
      el("h2", {}, labels.answers, " ", el("small", {}, question.said)),
      question.groups.length ? "" : el("p", {}, labels.no_answers),
      el(
        "ul",
        {},
        question.groups.map((group) => {
          const sign = group.right === null ? "" : group.right ? "✓ " : "✗ ";
          const look = group.right === null ? "" : group.right ? "nl-right" : "nl-wrong";
          return el(
            "li",
            { class: look },
            el(
              "span",
              { class: "nl-wall-label" },
              sign,
              group.label,
              group.right === null ? "" : el("small", {}, ` ${group.texts.join(" · ")}`),
            ),
            el("span", { class: "nl-wall-share", style: `--share:${group.count / most}` }),
            el("b", {}, String(group.count)),
          );
        }),
      ),
      question.revealed
        ? el("p", { class: "nl-wall-big nl-wall-right" }, `${labels.right_is}: ${question.right}. ${question.why}`)
        : button(labels.reveal, reveal, { class: "nl-primary nl-big", "data-do": "reveal" }),
    );
  };

  const tablesView = () => {
    const { labels, choose, games, levels, limits, tables, heads, watched } = model.data;
    const again = () => draw();
    const make = () => {
      /** @type {HTMLDetailsElement | null} */ (body.querySelector(".nl-wall-setting"))?.removeAttribute("open");
      model.send({ type: "tables", ...form });
    };
    const setting = el(
      "details",
      { class: "nl-more nl-wall-setting", open: tables.length === 0 },
      el("summary", {}, labels.make),
      gameFields(games, form.setup, choose, (setup) => {
        form.setup = setup;
        again();
      }),
      segments(
        "how",
        labels.how,
        [
          ["deal", labels.deal],
          ["open", labels.open_tables],
        ],
        form.how,
        (value) => {
          form.how = value;
          again();
        },
      ),
      form.how === "open"
        ? choice(
            labels.count,
            Array.from({ length: 20 }, (_, at) => [at + 1, String(at + 1)]),
            form.count,
            (value) => {
              form.count = Number(value);
            },
            { "data-do": "count" },
          )
        : "",
      choice(
        labels.limit,
        limits.map((n) => [n, n ? fill(labels.seconds, { n }) : labels.no_limit]),
        form.limit,
        (value) => {
          form.limit = Number(value);
        },
        { "data-do": "limit" },
      ),
      choice(
        labels.level,
        levels,
        form.level,
        (value) => {
          form.level = value;
        },
        { "data-do": "level" },
      ),
      button(labels.make, make, { class: "nl-primary", "data-do": "make" }),
    );
    const bar = el(
      "div",
      { class: "nl-bar" },
      tables.some((one) => one.phase === "open")
        ? button(labels.start, () => model.send({ type: "start" }), { class: "nl-primary nl-big", "data-do": "start" })
        : "",
      tables.some((one) => one.phase === "over")
        ? button(labels.again, () => model.send({ type: "again" }), { "data-do": "again" })
        : "",
      heads.length ? button(labels.data, () => model.send({ type: "data" }), { "data-do": "data" }) : "",
    );
    const cards = tables.map((one) =>
      el(
        "article",
        { class: "nl-wall-table" },
        el("h3", {}, fill(labels.table_number, { number: one.number }), " ", el("small", {}, one.game)),
        el("p", {}, one.phase === "playing" ? one.place : one.phase === "open" ? labels.phase_open : labels.phase_over),
        el(
          "ul",
          {},
          one.rows.length
            ? one.rows.map((row) => el("li", {}, row.won ? "★ " : "", `${row.name}: ${row.points}`))
            : one.seats.map((seat) =>
                el("li", { class: seat.bot ? "nl-away" : "" }, seat.thinking ? "… " : "", seat.name),
              ),
        ),
        el(
          "div",
          { class: "nl-bar" },
          one.phase === "open"
            ? ""
            : button(
                watched === one.number ? labels.hide : labels.show,
                () => {
                  model.send({ type: "watch", table: watched === one.number ? 0 : one.number });
                  scrollTo(0, 0); // the table is at the top
                },
                { class: "nl-small", "data-do": `watch-${one.number}` },
              ),
          button(labels.close, () => model.send({ type: "close", table: one.number }), {
            class: "nl-quiet nl-small",
            "data-do": `close-${one.number}`,
          }),
        ),
      ),
    );
    return [
      bar,
      ...heads.map((one) => pooledNode(one, model.data, one.title, labels.dots_taken)),
      el("div", { class: "nl-wall-tables" }, cards.length ? cards : el("p", {}, labels.no_tables)),
      setting,
    ];
  };

  const draw = () => {
    const { view } = model.data;
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.do;
    const typing = document.activeElement instanceof HTMLInputElement && body.contains(document.activeElement);
    late = typing; // what somebody types is not drawn over
    if (typing) return;
    const open = [...body.querySelectorAll("details")].map((one) => one.open);
    body.replaceChildren(...(view === "door" ? door() : view === "lesson" ? lessonView() : tablesView()));
    for (const [at, one] of [...body.querySelectorAll("details")].entries()) if (open[at]) one.open = true;
    watch.hidden = view !== "tables";
    board.hidden = view !== "lesson";
    board.classList.toggle("nl-still", model.data.question !== null); // nothing to play before the answer
    if (focused) /** @type {HTMLElement | null} */ (root.querySelector(`[data-do='${CSS.escape(focused)}']`))?.focus();
  };
  const all = () => {
    drawHead();
    drawPeople();
    draw();
  };
  all();
  clock.set(model.data.timer);
  life.model(model, "change:timer", () => clock.set(model.data.timer));
  for (const name of ["view", "keeps"]) life.model(model, `change:${name}`, all);
  for (const name of ["members"]) life.model(model, `change:${name}`, drawPeople);
  life.model(model, "change", draw);
  life.on(body, "focusout", () => setTimeout(() => late && draw(), 0));
  life.model(model, "msg:custom", (message) => {
    if (message.type === "file") download(message.name, message.text);
    else say(message.text ?? "");
  });
  life.on(root, "click", () => say(""));
  slot(model, "watch", watch, life);
  slot(model, "board", board, life);
  return () => life.end();
}

export default { render };
