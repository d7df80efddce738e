// The course of a game: a bar for what each choice cost, mistakes marked with a sign, and the way to the next one.
import { button, el, fill, focusIn, Life, setText, svg } from "../dom.js";
import { choice } from "./parts.js";

const WIDE = 640;
const HIGH = 74;
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -1000, End: 1000 };

/** @param {View<Part<CourseData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const { labels } = model.data;
  let seat = String(model.get("seat") ?? "");
  let now = -1;
  const bar = el("div", { class: "nl-bar" });
  const strip = el("div", { class: "nl-course-strip" });
  const told = el("p", { class: "nl-course-told", role: "status" });
  const details = el("div", {});
  const more = el("details", { class: "nl-more" }, el("summary", {}, labels.all), details);
  holder.append(el("section", { class: "nl-course-box" }, el("h2", {}, labels.title), bar, strip, told, more));
  const shown = (/** @type {CourseStep} */ step) => step.said.filter((one) => seat === "" || String(one.seat) === seat);
  const go = (/** @type {CourseStep} */ step) => {
    now = step.ply;
    model.send({ type: "go", ply: step.ply });
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
  const drawStrip = () => {
    const { steps, all } = model.data;
    const most = Math.max(2, ...steps.flatMap((step) => shown(step).map((one) => one.lost)));
    const room = WIDE / Math.max(all, 1);
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
        svg("rect", { x: at * room, y: 0, width: Math.max(room - 1, 1), height: HIGH, class: "nl-course-back" }),
        svg("rect", {
          x: at * room + room * 0.15,
          y: HIGH - 2 - Math.max(high, 1.5),
          width: Math.max(room * 0.7, 1),
          height: Math.max(high, 1.5),
          class: "nl-course-bar",
        }),
        svg(
          "text",
          {
            x: at * room + room / 2,
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
      svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: "100%", role: "group", "aria-label": labels.strip }, bars),
    );
  };
  const drawBar = () => {
    const { steps, seats, all, running } = model.data;
    const focused = focusIn(bar)?.dataset.do;
    const found = mistakes().length;
    const complete = steps.length === all;
    bar.replaceChildren(
      seats.length ? "" : el("p", { class: "nl-note-line" }, labels.no_hands),
      complete || running || !seats.length
        ? ""
        : button(steps.length ? labels.go_on : labels.run, () => model.send({ type: "run" }), {
            class: steps.length ? "" : "nl-primary",
            "data-do": "review",
          }),
      running ? button(labels.stop, () => model.send({ type: "stop" }), { "data-do": "stop-review" }) : "",
      steps.length
        ? button(
            fill(labels.next, { count: found }),
            () => {
              next();
              draw();
            },
            { "data-do": "next-mistake", disabled: !found },
          )
        : "",
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
    );
    if (focused) (bar.querySelector(`[data-do='${focused}']`) ?? bar.querySelector("button:not(:disabled)"))?.focus();
  };
  const draw = () => {
    const { steps, title, totals } = model.data;
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
  return () => life.end();
}

export default { render };
