// What the options of now are worth: buttons for the ways to ask, and a table that narrows while one looks.
import { button, el, focusIn, Life, setText } from "../dom.js";
import { choice, figures } from "./parts.js";

/** @param {View<Part<JudgeData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const bar = el("div", { class: "nl-bar" });
  const text = el("p", { class: "nl-judge-text", role: "status" });
  const table = el("div", {
    class: "nl-chart-box",
    tabindex: 0,
    role: "region",
    "aria-label": model.get("labels").title,
  });
  holder.append(el("section", { class: "nl-judge" }, el("h2", {}, model.get("labels").title), bar, text, table));
  const ask = (/** @type {string} */ way, /** @type {number | null} */ seat) => model.send({ type: "ask", way, seat });
  let drawn = "";
  const drawBar = () => {
    const { labels, seats, seat, ways, way, running } = model.data;
    const state = JSON.stringify([seat, way, running]);
    if (state === drawn) return;
    drawn = state;
    const focused = focusIn(bar)?.dataset;
    bar.replaceChildren(
      seats.length > 1
        ? choice(
            labels.who,
            seats.map((one) => [one.seat, one.name]),
            seat,
            (value) => {
              if (way) ask(way, Number(value));
              else model.data.seat = Number(value);
            },
            { hidden: true, "data-do": "who" },
          )
        : "",
      ...ways.map((one) =>
        button(labels[one], () => ask(one, model.get("seat")), {
          "data-way": one,
          "aria-pressed": String(one === way),
        }),
      ),
      running ? button(labels.stop, () => model.send({ type: "stop" }), { "data-do": "stop-judge" }) : "",
    );
    if (focused?.way) bar.querySelector(`[data-way='${focused.way}']`)?.focus();
    else if (focused?.do) (bar.querySelector(`[data-do='${focused.do}']`) ?? bar.querySelector("button"))?.focus();
  };
  const draw = () => {
    drawBar();
    const { labels, head, lines, text: said, running } = model.data;
    setText(text, said);
    text.setAttribute("aria-busy", String(running));
    table.hidden = !lines.length;
    if (!lines.length) return;
    // Bars begin a little below the least, so that differences are seen; the figures beside them are the values.
    const sizes = lines.map((one) => one.size);
    const most = Math.max(...lines.map((one) => one.size + one.error), 1e-9);
    const least = Math.min(...sizes);
    const from = least > most / 2 ? Math.max(0, least - (most - least) / 2) : Math.min(0, least);
    const part = (/** @type {number} */ value) => Math.round((100 * (value - from)) / (most - from || 1));
    const rows = lines.map((one) => {
      const low = part(one.size - one.error);
      const bar = el(
        "span",
        { class: "nl-worth-bar", "aria-hidden": "true" },
        el("i", { style: `width:${part(one.size)}%` }),
        one.error ? el("b", { style: `left:${low}%;width:${Math.max(1, part(one.size + one.error) - low)}%` }) : null,
      );
      const option = el("th", { scope: "row" }, one.best ? "★ " : "", one.option);
      const cells = one.figures.map((figure) => el("td", {}, figure));
      return el("tr", { class: one.best ? "nl-best" : "" }, option, el("td", { class: "nl-worth-cell" }, bar), cells);
    });
    table.replaceChildren(figures([labels.option, "", ...head], rows));
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => setText(text, message.text ?? ""));
  return () => life.end();
}

export default { render };
