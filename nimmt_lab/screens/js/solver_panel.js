// The solver panel: payoff matrix, both optimal mixes, the regret of each choice, and the result during a game.
import { actOnKey, boardRoot, el, fill, followTheme, Life, setText, svg } from "./dom.js";
import { Board } from "./board.js";
import { Hands } from "./hands.js";
import { icon } from "./controls.js";

/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const WIDE = 600;
const HIGH = 110;

class Panel {
  /**
   * @param {Model<SolverData>} model
   * @param {Life} life
   */
  constructor(model, life) {
    this.model = model;
    this.scene = model.get("scene");
    this.moments = this.scene.solver;
    this.at = -1;
    /** @type {HTMLElement[][]} */
    this.cells = [];
    const { scene } = this;
    const { labels } = scene;
    this.board = new Board(scene);
    this.hands = new Hands(scene);
    this.told = el("p", { class: "nl-told", role: "status", "aria-live": "polite" });
    this.table = el("div", { class: "nl-matrix-box" });
    this.mixes = el("div", { class: "nl-mixes" });
    this.chart = el("div", { class: "nl-evaluation" });
    /**
     * @param {string} name
     * @param {() => void} act
     */
    const button = (name, act) => {
      const node = el(
        "button",
        { type: "button", class: "nl-control", title: labels[name], "aria-label": labels[name], "data-do": name },
        icon(name),
      );
      life.on(node, "click", act);
      return node;
    };
    this.back = [button("first", () => this.go(0)), button("previous", () => this.go(this.at - 1))];
    this.onward = [button("next", () => this.go(this.at + 1)), button("last", () => this.go(this.moments.length - 1))];
    this.place = el("span", { class: "nl-place" });
    const bar = el(
      "div",
      { class: "nl-controls", role: "toolbar", "aria-label": labels.a_solver },
      this.back,
      this.onward,
      this.place,
    );
    bar.hidden = this.moments.length < 2;
    // The state of the search, and a button to stop or continue it.
    this.searching = el("span", { class: "nl-searching", role: "status" });
    this.search = el("button", { type: "button", class: "nl-button", "data-do": "search" });
    life.on(this.search, "click", () => model.send({ type: model.get("running") ? "stop" : "search" }));
    this.live = el("div", { class: "nl-search" }, this.search, this.searching);
    this.root = boardRoot(
      "solver",
      scene,
      labels.a_solver,
      this.board.node,
      bar,
      this.chart,
      this.hands.node,
      this.live,
      this.table,
      this.told,
      this.mixes,
      el("p", { class: "nl-keys" }, labels.keys_solver),
    );
    if (this.moments.length > 1) this.drawChart(life);
    life.on(this.root, "keydown", (event) => this.key(event));
    life.on(this.table, "focusin", (event) => this.tell(event.target));
  }

  /**
   * @param {number} at
   * @param {{ tell?: boolean }} how
   */
  go(at, { tell = true } = {}) {
    const to = Math.min(Math.max(at, 0), this.moments.length - 1);
    if (to === this.at) return;
    this.at = to;
    const moment = this.moments[to];
    const { labels } = this.scene;
    this.draw();
    this.renew();
    setText(this.told, "");
    const turning = moment.turning ? ` · ◆ ${labels.solver_turning}` : "";
    setText(
      this.place,
      `${fill(labels.solver_values, { at: to + 1, all: this.moments.length })} (${moment.label})${turning}`,
    );
    for (const node of this.back) node.disabled = to === 0;
    for (const node of this.onward) node.disabled = to === this.moments.length - 1;
    for (const point of this.chart.querySelectorAll("[data-at]")) {
      point.classList.toggle("nl-now", Number(point.dataset.at) === to);
    }
    if (!tell) return;
    this.model.set("at", to);
    this.model.save_changes();
  }

  // Update the last decision and the state of the search.
  renew() {
    const { model } = this;
    const { labels } = this.scene;
    const running = Boolean(model.get("running"));
    this.live.hidden = !model.get("live") || !model.get("more") || this.at !== this.moments.length - 1;
    setText(this.search, running ? labels.solver_stop : labels.solver_go_on);
    setText(this.searching, running ? labels.solver_running : "");
    if (model.get("scene") === this.scene) return;
    this.scene = model.get("scene");
    this.moments = this.scene.solver;
    if (this.at !== this.moments.length - 1) return;
    const here = document.activeElement;
    const i = this.cells.findIndex((row) => here && row.includes(here));
    const j = i < 0 || !here ? -1 : this.cells[i].indexOf(here);
    this.draw();
    // Redrawing the table must not move the focus.
    if (i > 0 || j > 0) this.cells[0][0].setAttribute("tabindex", -1);
    if (i < 0) return;
    this.cells[i][j].setAttribute("tabindex", 0);
    this.cells[i][j].focus({ preventScroll: true });
  }

  draw() {
    const moment = this.moments[this.at];
    this.board.show(this.scene.frames[this.at]);
    this.hands.show(this.scene.frames[this.at]);
    this.drawRegrets(moment);
    this.drawTable(moment.matrix);
    this.drawMixes(moment);
  }

  // On each card of a hand: its regret, or its frequency in the optimal mix.
  /** @param {SolverMoment} moment */
  drawRegrets(moment) {
    for (const old of this.hands.node.querySelectorAll(".nl-regret")) old.remove();
    for (const card of this.hands.node.querySelectorAll("[data-label]")) {
      card.setAttribute("aria-label", card.dataset.label ?? "");
      card.className = card.dataset.look ?? "";
    }
    for (const seat of moment.seats) {
      for (const option of seat.options) {
        const card =
          option.card === null ? null : this.hands.of(seat.seat)?.querySelector(`[data-card="${option.card}"]`);
        if (!card) continue;
        card.dataset.label ??= card.getAttribute("aria-label") ?? "";
        card.dataset.look ??= card.className;
        const words = option.loses || option.percent;
        card.setAttribute("aria-label", `${card.dataset.label}, ${words}`);
        card.classList.add(option.loses ? "nl-hint-risk" : "nl-hint-safe");
        card.append(el("span", { class: "nl-hint nl-regret" }, option.loses ? `−${option.regret}` : option.percent));
      }
    }
  }

  // The payoff matrix. Sign and number carry the meaning; the tint only repeats it.
  /** @param {Matrix | null} matrix */
  drawTable(matrix) {
    this.table.replaceChildren();
    this.table.hidden = !matrix;
    this.cells = [];
    if (!matrix) return;
    const { labels } = this.scene;
    const [a, b] = this.scene.seats.map((seat) => seat.name);
    const head = el(
      "tr",
      {},
      el("th", { scope: "col" }, `${a} \\ ${b}`),
      matrix.columns.map((name) => el("th", { scope: "col" }, name)),
    );
    const body = matrix.cells.map((row, i) => {
      const nodes = row.map((cell, j) => {
        const words = fill(labels.solver_cell, {
          a: `${a} ${matrix.rows[i]}`,
          b: `${b} ${matrix.columns[j]}`,
          value: cell.text,
        });
        const look = `nl-cell${cell.heat < 0 ? " nl-for-b" : " nl-for-a"}${cell.mixed ? " nl-mixed" : ""}`;
        const said = cell.chosen ? `${words}, ${labels.solver_chosen}` : words;
        return el(
          "td",
          {
            class: look,
            style: `--heat: ${Math.round(Math.abs(cell.heat) * 100)}%`,
            tabindex: i + j ? -1 : 0,
            "aria-label": said,
            "data-said": said,
          },
          cell.chosen ? el("b", { "aria-hidden": "true" }, "● ") : null,
          cell.text,
        );
      });
      this.cells.push(nodes);
      return el("tr", {}, el("th", { scope: "row" }, matrix.rows[i]), nodes);
    });
    this.table.append(
      el("h4", {}, matrix.caption),
      el(
        "table",
        { class: "nl-matrix", role: "grid", "aria-label": matrix.caption },
        el("thead", {}, head),
        el("tbody", {}, body),
      ),
    );
  }

  /** @param {SolverMoment} moment */
  drawMixes(moment) {
    const { labels } = this.scene;
    const sections = moment.seats.map((seat) => {
      const lines = seat.options.map((option) =>
        el(
          "li",
          { class: option.chosen ? "nl-mix-line nl-mix-chosen" : "nl-mix-line", "data-option": option.text },
          el("b", { class: "nl-mix-name" }, option.text),
          el(
            "span",
            { class: "nl-mix-bar", "aria-hidden": "true" },
            el("i", { style: `width: ${(option.chance * 100).toFixed(1)}%` }),
          ),
          el("span", { class: "nl-mix-percent" }, option.percent),
          el("span", { class: "nl-mix-loses" }, option.loses),
          option.chosen ? el("span", { class: "nl-mix-mark" }, `● ${labels.solver_chosen}`) : null,
        ),
      );
      return el(
        "section",
        { class: "nl-mix", "data-seat": seat.seat },
        el("h4", {}, fill(labels.solver_mix, { who: seat.who })),
        el("ul", {}, lines),
      );
    });
    this.mixes.replaceChildren(...sections);
  }

  // The expected result by decision: a line through the middles, a bar where only bounds are known.
  /** @param {Life} life */
  drawChart(life) {
    const { labels, seats } = this.scene;
    const known = this.moments.flatMap(({ expected }) => (expected ? [expected] : []));
    const most = Math.max(1, ...known.flatMap(([lo, hi]) => [Math.abs(lo), Math.abs(hi)]));
    const x = (/** @type {number} */ at) => 24 + (at * (WIDE - 48)) / (this.moments.length - 1);
    const y = (/** @type {number} */ value) => HIGH / 2 - (value / most) * (HIGH / 2 - 16);
    const words = this.moments.map((moment) => `${moment.label}: ${moment.expected ? moment.expected[2] : "?"}`);
    /** @type {SVGElement[]} */
    const parts = [svg("line", { x1: 0, x2: WIDE, y1: y(0), y2: y(0), class: "nl-axis" })];
    parts.push(svg("text", { x: 2, y: 11, class: "nl-axis-text" }, fill(labels.solver_axis, { who: seats[0].name })));
    parts.push(
      svg("text", { x: 2, y: HIGH - 3, class: "nl-axis-text" }, fill(labels.solver_axis, { who: seats[1].name })),
    );
    /** @type {SVGElement[]} */
    const marks = []; // above the lines, or these would catch the clicks
    /** @type {[at: number, middle: number] | null} */
    let last = null;
    for (const [at, moment] of this.moments.entries()) {
      const middle = moment.expected && (moment.expected[0] + moment.expected[1]) / 2;
      if (moment.expected && middle !== null) {
        if (last)
          parts.push(svg("line", { x1: x(last[0]), y1: y(last[1]), x2: x(at), y2: y(middle), class: "nl-course" }));
        if (!moment.exact)
          parts.push(
            svg("line", {
              x1: x(at),
              x2: x(at),
              y1: y(moment.expected[0]),
              y2: y(moment.expected[1]),
              class: "nl-spread",
            }),
          );
      }
      last = middle === null ? null : [at, middle];
      const mark = svg(
        "text",
        { x: x(at), y: y(middle ?? 0) + 5, class: "nl-point", "data-at": at },
        moment.expected ? (moment.turning ? "◆" : "●") : "?",
      );
      mark.append(svg("title", {}, words[at]));
      life.on(mark, "click", () => this.go(at));
      marks.push(mark);
    }
    const aria = `${labels.solver_evaluation}. ${words.join("; ")}`;
    this.chart.append(
      el("h4", {}, labels.solver_evaluation),
      svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, width: "100%", role: "img", "aria-label": aria }, parts, marks),
    );
  }

  /** @param {HTMLElement} cell */
  tell(cell) {
    if (cell.dataset.said) setText(this.told, cell.dataset.said);
  }

  /** @param {At<KeyboardEvent>} event */
  key(event) {
    const here = event.target.closest(".nl-cell");
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowRight: () => this.go(this.at + 1),
      ArrowLeft: () => this.go(this.at - 1),
      Home: () => this.go(0),
      End: () => this.go(this.moments.length - 1),
    };
    if (here && STEPS[event.key]) acts[event.key] = () => this.walk(here, STEPS[event.key]);
    actOnKey(event, acts);
    // Another decision has another table: do not lose the focus with the cell.
    if (here && !this.root.contains(document.activeElement)) this.root.focus({ preventScroll: true });
  }

  /**
   * @param {HTMLElement} here
   * @param {[down: number, right: number]} step
   */
  walk(here, [down, right]) {
    const i = this.cells.findIndex((row) => row.includes(here));
    const to = this.cells[i + down]?.[this.cells[i].indexOf(here) + right];
    if (!to) return;
    here.setAttribute("tabindex", -1);
    to.setAttribute("tabindex", 0);
    to.focus();
  }
}

/** @param {View<Model<SolverData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const panel = new Panel(model, life);
  holder.append(panel.root);
  followTheme(panel.root, life);
  panel.go(model.get("at") ?? 0, { tell: false });
  life.model(model, "change:at", () => panel.go(model.get("at"), { tell: false }));
  for (const name of ["scene", "running", "more"]) life.model(model, `change:${name}`, () => panel.renew());
  return () => {
    life.end();
    holder.replaceChildren();
  };
}

export default { render };
