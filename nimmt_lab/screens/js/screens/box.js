// Material of one's own: choose what to put, then click the cells it goes into. It is checked as one goes.
import { icon } from "../card.js";
import { button, el, fill, focusIn, Life, setText } from "../dom.js";
import { stroke } from "../icons.js";
import { download } from "../part.js";
import { field, grid as table, line, row } from "./parts.js";

/** @type {Record<string, [down: number, right: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

// What the printed pieces look like: the signs on them, as many as say what is missing.
/** @type {Record<string, string[]>} */
const PIECES = {
  baron: ["crown", "bull", "crown"],
  basic: ["bull_tile", "take", "bull_tile"],
  advanced: ["star", "bull_tile", "clover"],
  pieces: ["tile", "clover", "star"],
};

// A table of cells: one tab stop, arrow keys move, Enter sets the chosen value or clears it.
class Cells {
  /**
   * @param {Part<BoxData>} model
   * @param {CellGrid} grid
   */
  constructor(model, grid) {
    this.model = model;
    this.name = grid.name;
    this.at = [0, 0];
    this.brush = grid.choices[0][0];
    /** @type {HTMLElement[][]} */
    this.cells = [];
    this.values = grid.cells;
    /** @type {HTMLElement[]} */
    this.choices = [];
    this.title = el("h2", {});
    this.count = el("p", { class: "nl-note-line", role: "status" });
    this.brushes = el("div", { class: "nl-brushes", role: "group", "aria-label": model.get("labels").put });
    this.meaning = el("p", { class: "nl-note-line" });
    this.body = el("div", { class: "nl-cells-box" });
    this.node = el(
      "section",
      { class: "nl-cells", "data-grid": grid.name },
      this.title,
      this.count,
      this.brushes,
      this.meaning,
      this.body,
    );
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.build(grid);
    this.show(grid);
  }

  /** @param {CellGrid} grid */
  build(grid) {
    this.choices = grid.choices.map(([value, meaning]) =>
      button(
        value,
        () => {
          this.brush = value;
          this.mark();
        },
        { "data-brush": value, title: meaning || null, "aria-label": meaning ? `${value}: ${meaning}` : null },
      ),
    );
    this.brushes.replaceChildren(...this.choices);
    this.brushes.hidden = grid.choices.length < 2;
    this.cells = grid.rows.map((_row, y) =>
      grid.columns.map((_column, x) => {
        const node = el("button", {
          type: "button",
          class: "nl-cell-button",
          "data-row": y,
          "data-column": x,
          tabindex: -1,
        });
        node.addEventListener("click", () => {
          this.at = [y, x];
          this.put(y, x);
        });
        return node;
      }),
    );
    const plain = grid.columns.length === 1 && !grid.columns[0];
    this.body.replaceChildren(
      plain
        ? el(
            "div",
            { class: "nl-flow" },
            grid.rows.map((row, y) => el("div", { class: "nl-flow-cell" }, el("span", {}, row), this.cells[y])),
          )
        : table(
            "nl-chart nl-fill",
            ["", ...grid.columns],
            grid.rows.map((name, y) => row([name, ...this.cells[y]])),
          ),
    );
    this.mark();
  }

  mark() {
    for (const node of this.choices) {
      const chosen = node.dataset.brush === this.brush;
      node.setAttribute("aria-pressed", String(chosen));
      if (chosen) setText(this.meaning, node.getAttribute("aria-label") ?? "");
    }
  }

  /** @param {CellGrid} grid */
  show(grid) {
    setText(this.title, grid.title);
    setText(this.count, grid.filled);
    for (const [y, row] of this.cells.entries()) {
      for (const [x, node] of row.entries()) {
        const value = grid.cells[y][x];
        setText(node, value || "\u00a0");
        node.classList.toggle("nl-filled", Boolean(value));
        const where = [grid.rows[y], grid.columns[x]].filter(Boolean).join(", ");
        node.setAttribute("aria-label", `${where}: ${value || "–"}`);
        node.setAttribute("tabindex", y === this.at[0] && x === this.at[1] ? 0 : -1);
      }
    }
    this.values = grid.cells;
  }

  /**
   * @param {number} y
   * @param {number} x
   */
  put(y, x) {
    const value = this.values[y][x] === this.brush ? "" : this.brush;
    this.model.send({ type: "put", grid: this.name, row: y, column: x, value });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = STEPS[event.key];
    const choice = this.choices.find((node) => node.dataset.brush === event.key);
    if (event.altKey || event.ctrlKey || event.metaKey || (!step && !choice && event.key !== "Delete")) return;
    event.preventDefault();
    event.stopPropagation();
    const [y, x] = this.at;
    if (step) {
      // In a line of cells up and down are back and on, too.
      const [down, right] = this.cells[0].length > 1 ? step : [step[0] + step[1], 0];
      const to = this.cells[y + down]?.[x + right];
      if (!to) return;
      this.cells[y][x].setAttribute("tabindex", -1);
      this.at = [y + down, x + right];
      to.setAttribute("tabindex", 0);
      to.focus();
    } else this.model.send({ type: "put", grid: this.name, row: y, column: x, value: choice ? event.key : "" });
  }
}

/** @param {View<Part<BoxData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const send = (/** @type {Sent} */ message) => model.send(message);
  const { labels } = model.data;
  const list = el("section", {});
  const head = el("div", { class: "nl-box-head" });
  const told = el("p", { class: "nl-told", role: "status" });
  const body = el("div", { class: "nl-box-body" });
  holder.append(el("div", { class: "nl-box" }, el("h1", {}, labels.title), list, head, told, body));
  /** @type {Map<string, Cells>} */
  let tables = new Map();
  let shown = "";
  const drawList = () => {
    const { kinds } = model.data;
    list.replaceChildren(
      el("p", { class: "nl-note-line" }, labels.text),
      el(
        "ul",
        { class: "nl-kinds" },
        kinds.map((kind) => {
          const node = button("", () => send({ type: "open", kind: kind.name }), {
            class: "nl-kind nl-card-panel",
            "data-kind": kind.name,
          });
          const words = kind.state === "used" ? `✓ ${labels.is_used}` : `✗ ${fill(labels.is_wrong, { why: kind.why })}`;
          node.append(
            el(
              "span",
              { class: "nl-kind-pieces", "aria-hidden": "true" },
              (PIECES[kind.name] ?? ["bull"]).map((name) => el("i", {}, icon(name, 30))),
            ),
            el("b", {}, kind.title),
            kind.state
              ? el("small", { class: `nl-kind-${kind.state}` }, words)
              : el("small", { class: "nl-note-line" }, labels.is_sample),
          );
          return el("li", {}, node);
        }),
      ),
    );
  };
  const drawHead = () => {
    const { kinds, open, title, wrong } = model.data;
    const kind = kinds.find((one) => one.name === open);
    const focused = focusIn(head)?.dataset.do;
    const name = line(
      { value: title, placeholder: labels.title_usual, maxlength: 80, class: "nl-input nl-wide", "data-do": "title" },
      (said) => send({ type: "title", title: said }),
    );
    name.addEventListener("change", () => send({ type: "title", title: name.value }));
    const back = button("", () => send({ type: "leave" }), { class: "nl-quiet", "data-do": "leave" });
    back.append(stroke("back"), el("span", {}, labels.leave));
    head.replaceChildren(
      back,
      el("h2", {}, kind?.title ?? ""),
      field(labels.name, name),
      button(labels.use, () => send({ type: "use" }), {
        class: wrong ? "" : "nl-primary",
        "data-do": "use",
        disabled: Boolean(wrong),
      }),
      button(labels.file, () => send({ type: "file" }), { "data-do": "file", disabled: Boolean(wrong) }),
      button(labels.from_sample, () => send({ type: "begin", sample: true }), { "data-do": "sample" }),
      button(labels.anew, () => send({ type: "begin" }), { "data-do": "anew" }),
      kind?.state ? button(labels.remove, () => send({ type: "remove" }), { "data-do": "remove" }) : "",
    );
    if (focused) (head.querySelector(`[data-do='${focused}']:not(:disabled)`) ?? head.querySelector("button"))?.focus();
  };
  const draw = () => {
    const { open, grids, wrong, told: words } = model.data;
    list.hidden = Boolean(open);
    head.hidden = body.hidden = !open;
    if (!open) drawList();
    else {
      drawHead();
      if (shown !== open) {
        tables = new Map(grids.map((grid) => [grid.name, new Cells(model, grid)]));
        body.replaceChildren(...[...tables.values()].map((table) => table.node));
      } else for (const grid of grids) tables.get(grid.name)?.show(grid);
    }
    shown = open;
    const said = words || (open && wrong ? fill(labels.missing, { why: wrong }) : open ? labels.whole : "");
    setText(told, said);
    told.hidden = !said;
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => {
    if (message.type === "file") download(message.name, message.text);
    else {
      setText(told, message.text ?? "");
      told.hidden = !message.text;
    }
  });
  return () => life.end();
}

export default { render };
