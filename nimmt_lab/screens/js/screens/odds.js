// Odds: choose the players and watch distribution and mean settle, or get the odds of a hand.
import { button, el, fill, focusIn, Life, percent, setText, svg } from "../dom.js";
import { histogram, LOOKS, settling } from "../chart.js";
import { slot } from "../part.js";
import { gameFields } from "./game_fields.js";
import { check, choice, field, figures, line, whole } from "./parts.js";

/** @param {View<Part<OddsData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const modes = el("div", { class: "nl-bar", role: "group", "aria-label": model.get("labels").what });
  const forms = el("div", { class: "nl-chance-forms" });
  const bar = el("div", { class: "nl-bar" });
  const told = el("p", { class: "nl-told", role: "status" });
  const charts = el("div", { class: "nl-chart-pair" });
  const table = el("div", { class: "nl-chart-box" });
  const results = el("div", { class: "nl-charts" }, charts, table);
  const rounds = el("section", {}, forms, bar, told, results);
  const editor = el("div", {});
  const judge = el("div", {});
  const odds = el("section", { class: "nl-hand-odds" }, judge, editor);
  holder.append(
    el(
      "section",
      { class: "nl-odds" },
      el("div", { class: "nl-chance-head" }, el("h1", {}, model.get("labels").title), modes),
      rounds,
      odds,
    ),
  );
  let seat = "";
  const send = (/** @type {Sent} */ message) => model.send(message);
  /**
   * @param {HTMLElement} box
   * @param {() => void} act
   */
  const keep = (box, act) => {
    const { do: what, at, mode } = document.activeElement?.dataset ?? {};
    const inside = box.contains(document.activeElement);
    act();
    if (!inside) return;
    const wanted =
      at !== undefined
        ? `[data-at='${at}'] [data-do='${what}'], [data-at='${at}'][data-do='${what}']`
        : mode
          ? `[data-mode='${mode}']`
          : `[data-do='${what}']`;
    (box.querySelector(wanted) ?? box.querySelector("button:not(:disabled)"))?.focus();
  };
  /**
   * @param {ChanceForm} one
   * @param {number} at
   * @param {OddsData} data
   */
  const form = (one, at, { games, choose, ways, levels, labels, forms: all }) => {
    const change = (/** @type {Partial<ChanceForm>} */ now) => send({ type: "form", at, form: now });
    const isLevel = levels.some(([name]) => name === one.mine);
    const kinds = isLevel ? levels : ways;
    const kind = choice(
      labels.by,
      [
        ["policy", labels.policies],
        ["level", labels.levels],
      ],
      isLevel ? "level" : "policy",
      (value) => {
        const name = value === "level" ? levels[0][0] : ways[0][0];
        change({ mine: name, others: name });
      },
      { "data-do": `by-${at}` },
    );
    const sign = svg(
      "svg",
      { viewBox: "0 0 40 8", width: 40, height: 8, "aria-hidden": "true" },
      svg("line", { x1: 0, x2: 40, y1: 4, y2: 4, ...LOOKS[at] }),
    );
    return el(
      "fieldset",
      { class: "nl-chance-form" },
      el("legend", {}, all.length > 1 ? [el("b", {}, `${at + 1} `), sign] : labels.setting),
      gameFields(games, one, choose, change),
      kind,
      choice(labels.mine, kinds, one.mine, (value) => change({ mine: value }), { "data-do": `mine-${at}` }),
      choice(labels.others, kinds, one.others, (value) => change({ others: value }), { "data-do": `others-${at}` }),
    );
  };
  const drawForms = () => {
    const { data } = model;
    const { labels, mode } = data;
    rounds.hidden = mode !== "rounds";
    odds.hidden = mode !== "odds";
    keep(modes, () =>
      modes.replaceChildren(
        ...["rounds", "odds"].map((one) =>
          button(labels[`mode_${one}`], () => send({ type: "mode", mode: one }), {
            "data-mode": one,
            "aria-pressed": String(one === mode),
          }),
        ),
      ),
    );
    const focused = focusIn(forms);
    const place = focused ? [...forms.querySelectorAll("select, input, button, summary")].indexOf(focused) : -1;
    forms.replaceChildren(...data.forms.map((one, at) => form(one, at, data)));
    if (place >= 0) [...forms.querySelectorAll("select, input, button, summary")][place]?.focus();
  };
  const drawBar = () => {
    const { labels, running, results, seed, forms: all } = model.data;
    const number = line({ value: seed, inputmode: "numeric", class: "nl-input", "data-do": "seed" });
    number.addEventListener("change", () => {
      send({ type: "seed", seed: whole(number.value) });
    });
    keep(bar, () =>
      bar.replaceChildren(
        running
          ? button(labels.stop, () => send({ type: "stop" }), { class: "nl-primary", "data-do": "stop" })
          : button(results.length ? labels.go_on : labels.run, () => send({ type: "run" }), {
              class: "nl-primary",
              "data-do": "run",
            }),
        check(labels.compare, all.length > 1, (on) => send({ type: "compare", on }), { "data-do": "compare" }),
        field(labels.seed, number),
      ),
    );
  };
  /** @type {boolean | null} */
  let wasRunning = null;
  const drawResults = () => {
    const { labels, results, running, lang } = model.data;
    if (running !== wasRunning || !running) drawBar();
    wasRunning = running;
    charts.hidden = table.hidden = !results.length;
    told.hidden = true;
    if (!results.length) return;
    const number = (/** @type {number} */ value, digits = 2) =>
      value.toLocaleString(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    const names = [...new Set(results.flatMap((one) => one.seats.map(({ name }) => name)))];
    const series = results.map((one) => {
      const found = seat === "" ? one.all : (one.seats.find(({ name }) => name === seat)?.histogram ?? []);
      const all = found.reduce((sum, [, count]) => sum + count, 0) || 1;
      /** @type {[number, number][]} */
      const bars = found.map(([heads, count]) => [heads, count / all]);
      return { bars, path: one.path };
    });
    const unit = labels[results[0].unit];
    const said = results.map((one) =>
      fill(labels.result, {
        name: results.length > 1 ? `${one.name}: ` : "",
        rounds: one.rounds.toLocaleString(lang),
        mean: number(one.seats[0].mean),
        error: number(1.96 * one.seats[0].error),
      }),
    );
    const first = results[0].seats[0].name;
    const focused = charts.contains(document.activeElement);
    charts.replaceChildren(
      el(
        "section",
        {},
        el("h2", {}, fill(labels.distribution, { unit })),
        histogram(series, unit, lang, `${labels.distribution_words} ${said.join("; ")}`),
        choice(
          labels.of,
          [["", labels.everybody], ...names.map((name) => /** @type {Pair} */ ([name, name]))],
          seat,
          (value) => {
            seat = value;
            drawResults();
          },
          { "data-do": "of" },
        ),
      ),
      el(
        "section",
        {},
        el("h2", {}, fill(labels.mean_of, { who: first })),
        settling(series, labels.rounds, lang, `${fill(labels.mean_of, { who: first })}: ${said.join("; ")}`),
        el("p", { class: "nl-note-line" }, labels.band),
      ),
    );
    if (focused) charts.querySelector("[data-do='of']")?.focus();
    const lines = results.flatMap((one) =>
      one.seats.map((side) =>
        el(
          "tr",
          {},
          el("td", {}, one.name),
          el("th", { scope: "row" }, side.name),
          el("td", {}, one.rounds.toLocaleString(lang)),
          el("td", {}, `${number(side.mean)} ± ${number(1.96 * side.error)}`),
          el("td", {}, percent(side.wins, lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 })),
        ),
      ),
    );
    table.replaceChildren(figures([labels.setting, labels.seat, labels.rounds, unit, labels.wins], lines));
  };
  const draw = () => {
    drawForms();
    drawBar();
    drawResults();
  };
  draw();
  for (const name of ["mode", "forms"]) life.model(model, `change:${name}`, draw);
  life.model(model, "change:results", drawResults);
  life.model(model, "msg:custom", (message) => {
    drawBar(); // restore a refused field
    setText(told, message.text ?? "");
    told.hidden = !message.text;
  });
  slot(model, "editor", editor, life);
  slot(model, "judge", judge, life);
  return () => life.end();
}

export default { render };
