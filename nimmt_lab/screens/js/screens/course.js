// The course of a game: the three costliest choices, accuracy and luck; a bar for what each choice cost, and the way to
// the next mistake.
import { button, el, fill, focusIn, Life, setText, svg } from "../dom.js";
import { stroke } from "../icons.js";
import { choice } from "./parts.js";
import { picture } from "../part.js";

const HIGH = 74;
const COSTLIEST = 3;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -1000, End: 1000 };

/** @param {View<Part<CourseData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const { labels } = model.data;
  let seat = String(model.get("seat") ?? "");
  let now = -1;
  const summary = el("div", { class: "nl-course-summary" });
  const why = el("p", { class: "nl-why", role: "status" });
  const bar = el("div", { class: "nl-bar" });
  const strip = el("div", { class: "nl-course-strip" });
  const told = el("p", { class: "nl-course-told", role: "status" });
  const details = el("div", {});
  const more = el("details", { class: "nl-more" }, el("summary", {}, labels.all), details);
  const below = el("div", { class: "nl-course-under" }, strip, bar);
  const side = el("div", { class: "nl-course-side nl-card-panel" }, el("h2", {}, labels.title), summary, why, more);
  holder.append(el("section", { class: "nl-course-box" }, side, below));
  // Where there is a place under the board, the bars and the way on go there.
  holder.closest(".nl-analyse")?.querySelector(".nl-analyse-under")?.replaceChildren(below);
  life.atEnd(() => below.remove());
  const shown = (/** @type {CourseStep} */ step) => step.said.filter((one) => seat === "" || String(one.seat) === seat);
  const go = (/** @type {CourseStep} */ step) => {
    now = step.ply;
    // On a telephone the board is below.
    below.closest(".nl-analyse")?.querySelector(".nl-board")?.scrollIntoView({ block: "nearest" });
    model.send({ type: "go", ply: step.ply, seat: seat === "" ? null : Number(seat) });
    const said = shown(step);
    const worst = said.filter((one) => one.mark);
    setText(
      told,
      [step.label, step.standing, ...(worst.length ? worst : said).map((one) => `${one.who}: ${one.mark} ${one.text}`)]
        .filter(Boolean)
        .join(" · "),
    );
  };
  const bad = (/** @type {Judged} */ one) => one.mark === "?" || one.mark === "??";
  const mistakes = () => model.get("steps").filter((step) => shown(step).some(bad));
  const next = () => {
    const all = mistakes();
    const step = all.find((one) => one.ply > now) ?? all[0];
    if (step) go(step);
  };
  const walk = (/** @type {KeyboardEvent} */ event) => {
    const move = STEPS[event.key];
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const { steps } = model.data;
    const at = steps.findIndex((step) => step.ply === now);
    const to = Math.min(Math.max(Math.max(at, 0) + move, 0), steps.length - 1);
    if (steps[to]) go(steps[to]);
    draw();
    strip.querySelector("[tabindex='0']")?.focus();
  };

  // Accuracy, what was lost in all, luck, and the choices that cost the most.
  const drawSummary = () => {
    const { steps, players, luck, running, all, seats } = model.data;
    const focused = focusIn(summary)?.dataset.ply;
    const mine = players.find((one) => String(one.seat) === seat);
    const known = mine && mine.accuracy !== null ? mine.accuracy : null;
    const ring =
      known === null
        ? null
        : el(
            "div",
            {
              class: "nl-ring-figure",
              style: `--share:${known}%`,
              role: "img",
              "aria-label": `${labels.accuracy}: ${known}`,
            },
            el("b", {}, String(known)),
          );
    const worst = steps
      .flatMap((step) => shown(step).map((one) => ({ step, one })))
      .filter(({ one }) => one.mark)
      .sort((one, other) => other.one.lost - one.one.lost)
      .slice(0, COSTLIEST);
    const complete = steps.length === all && !running;
    const lines = worst.map(({ step, one }) => {
      const turn = step.label.split("/").pop() ?? step.label;
      const who = seat === "" ? `${one.who}: ` : "";
      const node = button(
        "",
        () => {
          go(step);
          draw();
        },
        { class: "nl-worst", "data-ply": step.ply, "aria-pressed": String(step.ply === now) },
      );
      node.append(
        el("b", { class: "nl-worst-mark" }, one.mark),
        el("span", {}, `${who}${fill(labels.worst_line, { turn, choice: one.choice, best: one.best })}`),
        el("b", {}, `−${one.cost}`),
      );
      return el("li", {}, node);
    });
    summary.replaceChildren(
      ring || luck || mine
        ? el(
            "div",
            { class: "nl-course-figures" },
            ring,
            el(
              "div",
              {},
              ring ? el("b", { title: labels.accuracy_about }, labels.accuracy) : null,
              mine ? el("p", {}, mine.lost) : null,
              luck ? el("p", {}, luck) : null,
            ),
          )
        : "",
      lines.length ? el("ol", { class: "nl-worst-list", "aria-label": labels.worst }, lines) : "",
      complete && !lines.length && seats.length ? el("p", {}, labels.none_bad) : "",
    );
    if (focused !== undefined) summary.querySelector(`[data-ply='${focused}']`)?.focus();
    setText(why, model.get("why"));
    why.hidden = !model.get("why");
  };

  const drawStrip = () => {
    const { steps, all } = model.data;
    const most = Math.max(2, ...steps.flatMap((step) => shown(step).map((one) => one.lost)));
    const room = 100 / Math.max(all, 1); // in percent: letters keep their shape, however wide the strip is
    const first = steps.some((step) => step.ply === now) ? now : steps[0]?.ply;
    const bars = steps.map((step) => {
      const said = shown(step);
      const lost = Math.max(0, ...said.map((one) => one.lost));
      const mark = ["??", "?", "?!"].find((sign) => said.some((one) => one.mark === sign)) ?? "";
      const at = all - steps.length + steps.indexOf(step); // the last ones are looked at first
      const high = Math.min(1, lost / most) * (HIGH - 26);
      const words = [step.label, ...said.map((one) => `${one.who} ${one.mark} ${one.text}`)].join(" · ");
      const node = svg(
        "g",
        {
          class: `nl-course-step${mark === "?" || mark === "??" ? " nl-course-bad" : ""}${step.ply === now ? " nl-now" : ""}`,
          role: "button",
          tabindex: step.ply === first ? 0 : -1,
          "aria-label": words,
          "data-ply": step.ply,
        },
        svg("rect", { x: `${at * room}%`, y: 0, width: `${room * 0.985}%`, height: HIGH, class: "nl-course-back" }),
        svg("rect", {
          x: `${(at + 0.15) * room}%`,
          y: HIGH - 2 - Math.max(high, 1.5),
          width: `${room * 0.7}%`,
          height: Math.max(high, 1.5),
          class: "nl-course-bar",
        }),
        svg(
          "text",
          {
            x: `${(at + 0.5) * room}%`,
            y: HIGH - 6 - Math.max(high, 1.5),
            "text-anchor": "middle",
            class: "nl-course-mark",
          },
          mark,
        ),
        svg("title", {}, words),
      );
      node.addEventListener("click", () => {
        go(step);
        draw();
      });
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        go(step);
        draw();
      });
      return node;
    });
    strip.hidden = !steps.length;
    strip.replaceChildren(
      svg(
        "svg",
        {
          width: "100%",
          height: HIGH,
          role: "group",
          "aria-label": labels.strip,
        },
        bars,
      ),
    );
  };
  const drawBar = () => {
    const { steps, seats, all, running } = model.data;
    const focused = focusIn(bar)?.dataset.do;
    const found = mistakes().length;
    const complete = steps.length === all;
    const onward = button(
      "",
      () => {
        next();
        draw();
      },
      { "data-do": "next-mistake", disabled: !found, class: "nl-primary" },
    );
    const share = button(
      labels.picture,
      () => model.send({ type: "picture", seat: seat === "" ? null : Number(seat) }),
      { "data-do": "review-picture", class: "nl-quiet" },
    );
    onward.append(el("span", {}, fill(labels.next, { count: found })), stroke("play", 16));
    bar.replaceChildren(
      seats.length ? "" : el("p", { class: "nl-note-line" }, labels.no_hands),
      complete || running || !seats.length
        ? ""
        : button(steps.length ? labels.go_on : labels.run, () => model.send({ type: "run" }), {
            class: steps.length ? "" : "nl-primary",
            "data-do": "review",
          }),
      running ? button(labels.stop, () => model.send({ type: "stop" }), { "data-do": "stop-review" }) : "",
      steps.length && seats.length > 1
        ? choice(
            labels.who,
            [["", labels.everybody], ...seats.map((one) => /** @type {Pair} */ ([one.seat, one.name]))],
            seat,
            (value) => {
              seat = value;
              draw();
            },
            { hidden: true, "data-do": "whose" },
          )
        : "",
      running ? el("span", { class: "nl-note-line" }, fill(labels.looking, { done: steps.length, all })) : "",
      told,
      steps.length ? share : "",
      steps.length ? onward : "",
    );
    if (focused) (bar.querySelector(`[data-do='${focused}']`) ?? bar.querySelector("button:not(:disabled)"))?.focus();
  };
  const draw = () => {
    const { steps, title, totals } = model.data;
    drawSummary();
    drawBar();
    const inside = strip.contains(document.activeElement);
    drawStrip();
    if (inside) strip.querySelector("[tabindex='0']")?.focus();
    more.hidden = !steps.length;
    details.replaceChildren(
      el("p", {}, title),
      ...totals.map((line) => el("p", {}, line)),
      el("p", { class: "nl-note-line" }, model.get("legend")),
      el(
        "ul",
        {},
        steps.flatMap((step) =>
          shown(step).map((one) => el("li", {}, `${step.label} ${one.who} ${one.mark} ${one.text}`)),
        ),
      ),
    );
  };
  draw();
  strip.addEventListener("keydown", walk);
  life.model(model, "change:seat", () => {
    seat = String(model.get("seat") ?? "");
  });
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => {
    if (message.type === "picture") picture(message.name, message.text);
  });
  return () => life.end();
}

export default { render };
