// The number line: every card of the deck in a strip, each row's interval in the row's own tint and pattern.
// What goes where was worked out in Python; here it is drawn and counted.
import { el, fill, redraw, setText, svg, uid } from "./dom.js";

const CELL = 6.4; // narrower than this, the strip continues on another line
const TOP = 26;
const BAND = 20;
const LINE = TOP + BAND + 26;

// 17–53, or 1–15, 92–100; with many gaps (odd cards only) just from where to where.
/** @param {number[]} values */
function inWords(values) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last && last[1] === value - 1) last[1] = value;
    else runs.push([value, value]);
  }
  const shown = runs.length > 3 ? [[values[0], values.at(-1)]] : runs;
  return shown.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}

export class NumberStrip {
  /**
   * @param {Scene} scene
   * @param {Life} life
   * @param {{ cursor?: boolean }} how
   */
  constructor(scene, life, { cursor = false } = {}) {
    this.scene = scene;
    this.id = uid("strip");
    this.width = 0;
    /** @type {LineState} Nothing before the first `show`. */
    this.state = /** @type {never} */ (null);
    this.key = "";
    this.cursorShown = cursor;
    /** @type {((value: number) => void) | null} */
    this.onMove = null;
    /** @type {{ card: number, value: number } | null} */
    this.marked = null;
    this.at = scene.deck[0];
    this.layers = {
      bands: svg("g"),
      cells: svg("g"),
      ends: svg("g"),
      scale: svg("g"),
      ticks: svg("g"),
      marks: svg("g"),
    };
    this.drawing = svg("svg", { "aria-hidden": "true" }, this.patterns(), Object.values(this.layers));
    this.holder = el("div", { class: "nl-strip" }, this.drawing);
    this.legend = el("ul", { class: "nl-legend" });
    /** @type {{ row: number, full: boolean, words: string }[]} */
    this.listed = [];
    this.words = el("div", { class: "nl-strip-words" });
    this.node = el(
      "section",
      { class: "nl-line", "aria-label": scene.labels.line_title },
      this.holder,
      cursor ? this.words : null,
      this.legend,
    );
    if (cursor) this.makeCursor(life);
    const observer = new ResizeObserver(() => this.resize());
    observer.observe(this.holder);
    life.atEnd(() => observer.disconnect());
  }

  // The line for one frame, as the seat that is looked at sees it: its cards are ticks, what it has not seen is open.
  /**
   * @param {Frame} frame
   * @param {number} seat
   */
  show(frame, seat) {
    const { scene } = this;
    const key = `${frame.zones}/${frame.rows}/${frame.seats}/${frame.queue}/${seat}`;
    if (key === this.key) return;
    this.key = key;
    const rows = frame.rows.map((at) => /** @type {Row} */ (scene.pool[at]));
    const seats = frame.seats.map((at) => /** @type {SeatState} */ (scene.pool[at]));
    const mine = seats[scene.seats.findIndex((other) => other.seat === seat)]?.hand ?? [];
    const seen = new Set([...rows.flatMap((row) => row.cards), ...seats.flatMap((one) => one.pile), ...mine]);
    for (const play of /** @type {Play[]} */ (scene.pool[frame.queue])) seen.add(play.card);
    for (const panel of /** @type {Panel[]} */ (scene.pool[frame.panels]))
      for (const card of panel.cards ?? []) seen.add(card);
    this.state = { zones: /** @type {Zone[]} */ (scene.pool[frame.zones]), rows, mine, seen };
    this.node.hidden = !this.state.zones.length;
    this.draw();
  }

  resize() {
    const width = Math.floor(this.holder.clientWidth);
    if (width && width !== this.width) {
      this.width = width;
      this.draw();
    }
  }

  /** @returns {Layout} */
  layout() {
    const [first, last] = this.scene.deck;
    const count = last - first + 1;
    const width = Math.max(this.width || 640, 200);
    const lines = Math.max(1, Math.ceil((count * CELL) / width));
    const perLine = Math.ceil(count / lines);
    const cell = width / perLine;
    return {
      first,
      last,
      width,
      lines,
      perLine,
      cell,
      x: (value) => ((value - first) % perLine) * cell,
      y: (value) => Math.floor((value - first) / perLine) * LINE,
    };
  }

  draw() {
    if (!this.state || this.node.hidden) return;
    const at = this.layout();
    this.at = Math.min(Math.max(this.at, at.first), at.last);
    const [width, height] = [at.width, at.lines * LINE];
    if (this.drawing.getAttribute("viewBox") !== `0 0 ${width} ${height}`)
      for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
        this.drawing.setAttribute(name, String(value));
    const { bands, cells, ends, scale, ticks, marks } = this.layers;
    redraw(bands, this.bands(at));
    redraw(cells, this.cells(at));
    redraw(ends, this.ends(at));
    redraw(scale, this.scale(at));
    redraw(ticks, this.ticks(at));
    redraw(marks, this.marks(at));
    this.drawLegend();
  }

  patterns() {
    const defs = svg("defs");
    for (let row = 0; row < 10; row += 1) {
      const kind = row % 5;
      const pattern = svg("pattern", { id: `${this.id}-${row}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" });
      pattern.append(svg("rect", { width: 6, height: 6, class: `nl-fill-${row}` }));
      const stroke = { class: "nl-hatch", "stroke-width": 1 };
      if (kind === 1) pattern.append(svg("path", { d: "M-1 7 L7 -1 M-1 1 L1 -1 M5 7 L7 5", ...stroke }));
      if (kind === 2) pattern.append(svg("circle", { cx: 3, cy: 3, r: 1, class: "nl-dot" }));
      if (kind === 3) pattern.append(svg("path", { d: "M0 3 H6", ...stroke }));
      if (kind === 4) pattern.append(svg("path", { d: "M-1 -1 L7 7 M-1 5 L1 7 M5 -1 L7 1", ...stroke }));
      defs.append(pattern);
    }
    const low = svg("pattern", { id: `${this.id}-low`, width: 5, height: 5, patternUnits: "userSpaceOnUse" });
    low.append(svg("path", { d: "M0 5 L5 0 M0 0 L5 5", class: "nl-hatch", "stroke-width": 0.6 }));
    const full = svg("pattern", { id: `${this.id}-full`, width: 8, height: 8, patternUnits: "userSpaceOnUse" });
    full.append(
      svg("rect", { width: 8, height: 8, class: "nl-hazard-a" }),
      svg("path", { d: "M0 8 L8 0 M-2 2 L2 -2 M6 10 L10 6", class: "nl-hazard-b", "stroke-width": 3 }),
    );
    defs.append(low, full);
    return defs;
  }

  // A run of values on one line of the strip; runs that cross a line's end come out in pieces.
  /**
   * @param {Layout} at
   * @param {number} first
   * @param {number} last
   */
  pieces(at, first, last) {
    const found = [];
    for (let from = first; from <= last; ) {
      const lineEnd = at.first + (Math.floor((from - at.first) / at.perLine) + 1) * at.perLine - 1;
      const to = Math.min(last, lineEnd);
      found.push({ x: at.x(from), y: at.y(from), width: (to - from + 1) * at.cell, from, to });
      from = to + 1;
    }
    return found;
  }

  /** @param {Layout} at */
  bands(at) {
    /** @type {Drawn[]} */
    const drawn = [];
    const { labels } = this.scene;
    for (const [first, last, row] of this.state.zones) {
      const data = this.state.rows[row];
      const full = data && this.free(data) <= 0;
      for (const piece of this.pieces(at, first, last)) {
        const place = { x: piece.x, y: piece.y + TOP, width: piece.width };
        const pattern = row < 0 ? `${this.id}-low` : `${this.id}-${row % 10}`;
        drawn.push(["rect", { ...place, height: BAND, fill: `url(#${pattern})`, class: "nl-band" }]);
        if (full) drawn.push(["rect", { ...place, y: place.y + BAND - 5, height: 5, fill: `url(#${this.id}-full)` }]);
        const down = data?.down;
        const long = row < 0 ? labels.low_zone : `${down ? "◂ " : ""}${fill(labels.row, { row: row + 1 })}`;
        const short = row < 0 ? "" : `${down ? "◂" : ""}${row + 1}`;
        const text =
          piece.width > long.length * 6.6 + 6 ? long : piece.width >= 11 + 5 * (short.length - 1) ? short : "";
        if (text) {
          const middle = { x: piece.x + piece.width / 2, y: place.y + (full ? 12 : 14), "text-anchor": "middle" };
          drawn.push(["text", { ...middle, class: "nl-band-text" }, text]);
        }
      }
    }
    return drawn;
  }

  /** @param {Row} data */
  free(data) {
    return data.places - data.cards.filter(Boolean).length;
  }

  /** @param {Layout} at */
  cells(at) {
    const parts = { seen: "", open: "" };
    const size = Math.min(at.cell - 1.6, 6);
    for (let value = at.first; value <= at.last; value += 1) {
      const x = at.x(value) + (at.cell - size) / 2;
      const y = at.y(value) + TOP + BAND + 3;
      parts[this.state.seen.has(value) ? "seen" : "open"] +=
        `M${x.toFixed(1)} ${y}h${size.toFixed(1)}v6h-${size.toFixed(1)}z`;
    }
    return /** @type {Drawn[]} */ ([
      ["path", { d: parts.open, class: "nl-cell-open" }],
      ["path", { d: parts.seen, class: "nl-cell-seen" }],
    ]);
  }

  // Where the rows end; of two close neighbours each keeps to its own side.
  /** @param {Layout} at */
  ends(at) {
    /** @type {Drawn[]} */
    const drawn = [];
    const ends = this.rowEnds().filter((end) => this.inDeck(end));
    const near = (/** @type {number} */ one, /** @type {number | undefined} */ other) =>
      other !== undefined && at.y(one) === at.y(other) && Math.abs(one - other) * at.cell < 17;
    ends
      .sort((one, other) => one - other)
      .forEach((end, place) => {
        const x = at.x(end) + at.cell / 2;
        const y = at.y(end);
        const anchor = near(end, ends[place + 1]) ? "end" : near(end, ends[place - 1]) ? "start" : "middle";
        const shift = { end: 3, start: -3, middle: 0 }[anchor];
        drawn.push(["path", { d: `M${x} ${y + TOP - 3} V${y + TOP + BAND + 10}`, class: "nl-end" }]);
        drawn.push([
          "text",
          { x: this.inside(x, at) + shift, y: y + TOP + BAND + 20, "text-anchor": anchor, class: "nl-end-text" },
          String(end),
        ]);
      });
    return drawn;
  }

  /** @param {number} value */
  inDeck(value) {
    return value >= this.scene.deck[0] && value <= this.scene.deck[1];
  }

  /**
   * @param {number} x
   * @param {Layout} at
   */
  inside(x, at) {
    return Math.min(Math.max(x, 9), at.width - 10);
  }

  // Tens, where no row end stands.
  /** @param {Layout} at */
  scale(at) {
    /** @type {Drawn[]} */
    const drawn = [];
    const ends = this.rowEnds();
    const clear = 20 / at.cell;
    for (let value = Math.ceil(at.first / 10) * 10; value <= at.last; value += 10) {
      if (ends.some((end) => Math.abs(end - value) < clear && at.y(end) === at.y(value))) continue;
      const x = this.inside(at.x(value) + at.cell / 2, at);
      drawn.push([
        "text",
        { x, y: at.y(value) + TOP + BAND + 20, "text-anchor": "middle", class: "nl-scale" },
        String(value),
      ]);
    }
    return drawn;
  }

  // The own cards are above the band; close neighbours alternate between two levels.
  /** @param {Layout} at */
  ticks(at) {
    /** @type {Drawn[]} */
    const drawn = [];
    const taken = [-99, -99]; // where the last label of each level stands
    let line = null;
    for (const card of [...this.state.mine].sort((a, b) => a - b)) {
      if (!this.inDeck(card)) continue;
      const x = at.x(card) + at.cell / 2;
      const y = at.y(card);
      if (y !== line) taken.fill(-99);
      line = y;
      const label = this.inside(x, at);
      const level = label - taken[0] < 3 + 7 * String(card).length ? 1 : 0;
      drawn.push(["path", { d: `M${x} ${y + TOP} l-3 -5 h6 z`, class: "nl-tick" }]);
      if (label - taken[level] < 3 + 7 * String(card).length) continue;
      taken[level] = label;
      const top = y + TOP - 5 - level * 10;
      if (level) drawn.push(["path", { d: `M${x} ${y + TOP - 5} V${top}`, class: "nl-stalk" }]);
      drawn.push(["text", { x: label, y: top - 2, "text-anchor": "middle", class: "nl-tick-text" }, String(card)]);
    }
    return drawn;
  }

  /** @param {Layout} at */
  marks(at) {
    /** @type {Drawn[]} */
    const drawn = [];
    if (this.cursorShown) {
      drawn.push([
        "rect",
        {
          x: at.x(this.at) - 1,
          y: at.y(this.at) + TOP - 2,
          width: at.cell + 2,
          height: BAND + 14,
          class: "nl-cursor",
        },
      ]);
    }
    if (!this.marked) return drawn;
    const { card, value } = this.marked;
    if (!this.inDeck(card) || !this.inDeck(value)) return drawn;
    const to = at.x(value) + at.cell / 2;
    drawn.push([
      "rect",
      {
        x: at.x(value) - 1,
        y: at.y(value) + TOP - 2,
        width: at.cell + 2,
        height: BAND + 4,
        class: "nl-mark",
      },
    ]);
    if (value !== card) {
      const from = at.x(card) + at.cell / 2;
      const high = Math.min(at.y(card), at.y(value)) + 4;
      const d = `M${from} ${at.y(card) + TOP - 6} C${from} ${high} ${to} ${high} ${to} ${at.y(value) + TOP - 4}`;
      drawn.push(["path", { d, class: "nl-jump" }]);
    }
    return drawn;
  }

  // Mark a card, or its value, on the line; null removes the mark.
  /**
   * @param {number | null} card
   * @param {number | null} [value]
   */
  mark(card, value) {
    this.marked = card === null ? null : { card, value: value ?? card };
    this.draw();
  }

  /** @param {number} row */
  endOf(row) {
    return this.state.rows[row].cards.filter(Boolean).at(-1);
  }

  // Of all rows that have a card.
  rowEnds() {
    return this.state.rows.flatMap((_, row) => this.endOf(row) ?? []);
  }

  // "43–57 · unseen before 58: 9 · free: 2"
  /** @param {number} row */
  rowWords(row) {
    const { labels } = this.scene;
    const data = this.state.rows[row];
    const ends = new Set(this.rowEnds());
    const values = this.state.zones
      .filter((zone) => zone[2] === row)
      .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
      .filter((value) => !ends.has(value));
    const notes = data.notes.map((note) => note.text);
    if (!values.length) return [labels.interval_none, ...notes];
    const last = values[values.length - 1];
    const count = values.filter((value) => !this.state.seen.has(value)).length;
    const end = ends.has(last + 1) ? last + 1 : null;
    const free = this.free(data);
    return [
      inWords(values),
      end ? fill(labels.unseen_before, { end, count }) : fill(labels.unseen, { count }),
      free > 0 ? fill(labels.free, { count: free }) : fill(labels.place_taking, { number: data.takes ?? data.places }),
      ...notes,
    ];
  }

  drawLegend() {
    const order = this.state.rows.map((_, row) => row).filter((row) => this.state.rows[row].cards.length);
    order.sort((a, b) => (this.endOf(a) ?? 0) - (this.endOf(b) ?? 0));
    order.forEach((row, at) => {
      const full = this.free(this.state.rows[row]) <= 0;
      const words = this.rowWords(row).join(" · ");
      const old = this.listed[at];
      if (old?.row === row && old.full === full && old.words === words) return;
      this.listed[at] = { row, full, words };
      const line = this.legend.children[at] ?? this.legend.appendChild(el("li", {}, el("span"), el("span")));
      setText(/** @type {Node} */ (line.lastChild), words);
      if (old?.row === row && old.full === full) return;
      line.setAttribute("class", `nl-legend-row${full ? " nl-full" : ""}`);
      line.setAttribute("data-row", String(row));
      line.firstChild?.replaceWith(
        el("span", { class: `nl-tag nl-tint-${row % 10}`, "aria-hidden": "true" }, String(row + 1)),
      );
    });
    while (this.listed.length > order.length) {
      this.listed.pop();
      this.legend.lastElementChild?.remove();
    }
  }

  // The strip alone can be explored: a cursor walks over the numbers and says where each would go.
  /** @param {Life} life */
  makeCursor(life) {
    const [first, last] = this.scene.deck;
    const slider = {
      tabindex: 0,
      role: "slider",
      "aria-valuemin": first,
      "aria-valuemax": last,
      "aria-label": this.scene.labels.line_title,
    };
    for (const [name, value] of Object.entries(slider)) this.holder.setAttribute(name, value);
    /** @type {Record<string, number>} */
    const steps = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -10,
      PageUp: 10,
      Home: -999,
      End: 999,
    };
    life.on(this.holder, "keydown", (event) => {
      if (!(event.key in steps)) return;
      event.preventDefault();
      event.stopPropagation();
      this.moveTo(this.at + steps[event.key]);
    });
    life.on(this.holder, "pointermove", (event) => {
      const at = this.layout();
      const box = this.holder.getBoundingClientRect();
      const column = Math.min(at.perLine - 1, Math.max(0, Math.floor((event.clientX - box.left) / at.cell)));
      const line = Math.min(at.lines - 1, Math.max(0, Math.floor((event.clientY - box.top) / LINE)));
      this.moveTo(at.first + line * at.perLine + column);
    });
  }

  /** @param {number} value */
  moveTo(value) {
    const [first, last] = this.scene.deck;
    this.at = Math.min(last, Math.max(first, value));
    this.draw();
    this.sayCursor();
    this.onMove?.(this.at);
  }

  sayCursor() {
    const row = this.state.zones.find(([from, to]) => from <= this.at && this.at <= to)?.[2] ?? -1;
    const { labels } = this.scene;
    const where =
      row < 0
        ? fill(labels.aim_low, { card: this.at })
        : `${this.at} → ${fill(labels.row, { row: row + 1 })}: ${this.rowWords(row).join(" · ")}`;
    setText(this.words, where);
    this.holder.setAttribute("aria-valuenow", this.at);
    this.holder.setAttribute("aria-valuetext", where);
  }
}
