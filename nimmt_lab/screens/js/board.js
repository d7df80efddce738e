// The table: lanes with their slots, the cards waiting to be placed, what lies beside them, and the sentence about it.
import { el, fill, setText } from "./dom.js";
import { bull, cardNode } from "./card.js";
import { Signs } from "./signs.js";

export class Board {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {{ rows: number[], queue: number, panels: number }} */
    this.shown = { rows: [], queue: -1, panels: -1 };
    /** @type {HTMLElement[]} */
    this.lanes = [];
    // The name of the rule that applied; one tap on it says the rule.
    this.rule = el("button", { type: "button", class: "nl-rule", "data-do": "rule", "aria-expanded": "false" });
    this.ruling = el("span", { class: "nl-ruling", hidden: true });
    this.rule.addEventListener("click", () => this.rules(this.ruling.hidden));
    this.sentence = el("span", { class: "nl-sentence" });
    this.say = el(
      "div",
      { class: "nl-say", role: "status", "aria-live": "polite", "aria-atomic": "true" },
      this.sentence,
      this.ruling,
    );
    this.title = el("div", { class: "nl-title" });
    this.signs = new Signs(scene);
    this.rows = el("div", { class: "nl-rows" });
    this.queue = el("div", { class: "nl-queue", role: "group", "aria-label": scene.labels.queue });
    this.panels = el("div", { class: "nl-panels" });
    this.aimText = el("div", { class: "nl-aim-text" });
    this.tray = el("div", { class: "nl-tray" }, this.queue, this.aimText);
    const fields = scene.pool.some((item) => item && "fields" in item) ? " nl-of-fields" : "";
    this.node = el(
      "div",
      { class: `nl-board${fields}` },
      el("div", { class: "nl-title-line" }, this.title, this.signs.button),
      this.signs.node,
      this.say,
      this.rows,
      this.tray,
      this.panels,
    );
    // Where nothing hovers: a tap on a sign says what it means.
    this.node.addEventListener("click", (event) => {
      if (this.node.classList.contains("nl-aiming")) return;
      const target = /** @type {HTMLElement} */ (event.target);
      setText(this.aimText, target.closest?.("[title]:not(button)")?.title ?? "");
    });
  }

  // What lies beside the rows, for a place of its own where the board is high; nothing where it may stay below them.
  beside() {
    const { frames } = this.scene;
    return frames[frames.length - 1].rows.length > 6 ? [this.tray, this.panels] : [];
  }

  // Draw a frame. Rows, queue and panels that stand in the pool under the same number are left alone.
  /** @param {Frame} frame */
  show(frame) {
    const { pool, labels, game } = this.scene;
    this.clearAim();
    setText(this.aimText, "");
    const turn = { round: frame.round, turn: Math.min(frame.turn, game.turns), turns: game.turns };
    const when = frame.over ? labels.over : fill(game.rounds ? labels.turn_round : labels.turn_only, turn);
    setText(this.title, `${game.title} · ${when}`);
    while (this.lanes.length > frame.rows.length) this.lanes.pop()?.remove();
    frame.rows.forEach((at, row) => {
      if (this.shown.rows[row] === at && this.lanes[row]) return;
      const lane = this.lane(row, /** @type {Row} */ (pool[at]));
      if (this.lanes[row]) this.lanes[row].replaceWith(lane);
      else this.rows.append(lane);
      this.lanes[row] = lane;
    });
    this.shown.rows = [...frame.rows];
    if (this.shown.queue !== frame.queue) this.drawQueue(/** @type {Play[]} */ (pool[frame.queue]));
    if (this.shown.panels !== frame.panels) {
      const panels = /** @type {Panel[]} */ (pool[frame.panels]);
      this.panels.replaceChildren(...panels.map((panel) => this.panel(panel)));
    }
    this.shown.queue = frame.queue;
    this.shown.panels = frame.panels;
    this.ring(frame.focus, frame.trap);
    setText(this.rule, frame.rule_name || "");
    if (!frame.rule_name) this.rule.remove();
    else if (!this.rule.parentNode) this.say.prepend(this.rule);
    this.rule.disabled = !frame.rule_text;
    this.rule.title = frame.rule_text || "";
    setText(this.ruling, frame.rule_text || "");
    if (!frame.rule_text) this.rules(false);
    setText(this.sentence, frame.text || "");
    this.say.classList.toggle("nl-silent", !frame.text);
    this.say.classList.toggle("nl-is-trap", Boolean(frame.trap));
    this.say.classList.toggle("nl-is-take", frame.focus?.kind === "take");
  }

  // Whoever wants to read the rules goes on reading them from event to event.
  /** @param {boolean | string} open */
  rules(open) {
    this.ruling.hidden = !open;
    this.rule.setAttribute("aria-expanded", String(open));
  }

  /**
   * @param {number} row
   * @param {Row} data
   */
  lane(row, data) {
    const { labels } = this.scene;
    const words = [
      fill(labels.row, { row: row + 1 }),
      data.cards.filter(Boolean).join(" "),
      ...data.notes.map((note) => note.text),
    ];
    const tag = el("span", { class: `nl-tag nl-tint-${row % 10}`, "aria-hidden": "true" }, String(row + 1));
    const notes = data.notes.map((note) =>
      el("span", { class: "nl-note" }, el("b", { "aria-hidden": "true" }, note.sign), ` ${note.text}`),
    );
    const stake = el(
      "span",
      { class: "nl-stake", title: fill(labels.heads, { heads: data.heads }) },
      headSign(),
      String(data.heads),
    );
    return el(
      "div",
      {
        class: `nl-lane${data.idle ? " nl-idle" : ""}`,
        "data-row": row,
        role: "group",
        "aria-label": words.join(", "),
      },
      tag,
      el("div", { class: "nl-slots" }, this.slots(data)),
      stake,
      notes.length ? el("span", { class: "nl-notes" }, notes) : null,
    );
  }

  /** @param {Row} data */
  slots(data) {
    const { labels } = this.scene;
    const nodes = [];
    const count = Math.max(data.places, data.cards.length);
    for (let place = 0; place < count; place += 1) {
      const field = data.fields?.[place];
      const sign = field ? el("small", { class: `nl-field nl-field-${field.kind}` }, field.sign) : null;
      const card = data.cards[place];
      const slot = el("div", {
        class: `nl-slot${field ? ` nl-on-${field.kind}` : ""}`,
        "data-place": place,
        title: field?.sign ? field.text : null,
      });
      if (card) slot.append(cardNode(this.scene, card));
      if (sign) slot.append(sign);
      nodes.push(slot);
    }
    for (const lost of data.lost)
      nodes.push(el("div", { class: "nl-slot nl-lost", title: lost.text, "aria-hidden": "true" }, lost.sign));
    if (data.takes && !data.fields) {
      const words = fill(labels.place_taking, { number: data.takes });
      nodes.push(
        el(
          "div",
          { class: "nl-notch", title: words, role: "img", "aria-label": words },
          el("span", {}, String(data.takes)),
        ),
      );
    }
    return nodes;
  }

  /** @param {Play[]} plays */
  drawQueue(plays) {
    this.queue.replaceChildren();
    this.queue.classList.toggle("nl-empty", !plays.length);
    if (!plays.length) return;
    this.queue.append(el("span", { class: "nl-caption" }, this.scene.labels.queue));
    for (const play of plays) {
      const value = play.value === play.card ? null : el("small", { class: "nl-as" }, `= ${play.value}`);
      this.queue.append(
        el("div", { class: "nl-play" }, seatMark(this.scene, play.seat), cardNode(this.scene, play.card), value),
      );
    }
  }

  /** @param {Panel} panel */
  panel(panel) {
    const body = [];
    if (panel.cards)
      body.push(
        el(
          "div",
          { class: "nl-cards" },
          panel.cards.map((card) => cardNode(this.scene, card)),
        ),
      );
    for (const item of panel.items ?? []) {
      body.push(
        el(
          "div",
          { class: `nl-item${item.kind ? ` nl-item-${item.kind}` : ""}`, title: item.help },
          item.sign ? el("b", { class: "nl-item-sign", "aria-hidden": "true" }, item.sign) : null,
          el("span", {}, item.text),
          item.detail ? el("small", {}, item.detail) : null,
        ),
      );
    }
    return el("section", { class: `nl-panel nl-panel-${panel.kind}` }, el("h2", {}, panel.title), body);
  }

  // Mark what the frame is about; without motion this ring is all that shows the change.
  /**
   * @param {Focus | null | undefined} focus
   * @param {boolean | null | undefined} trap
   */
  ring(focus, trap) {
    for (const old of this.node.querySelectorAll(".nl-ring")) old.classList.remove("nl-ring", "nl-ring-trap");
    if (!focus) return;
    const marked = [];
    for (const card of focus.kind === "field" ? [] : focus.cards) {
      marked.push(...this.node.querySelectorAll(`.nl-rows [data-card="${card}"], .nl-queue [data-card="${card}"]`));
    }
    for (const row of focus.rows) {
      const lane = this.lanes[row];
      if (!lane) continue;
      if (focus.kind === "marker") marked.push(...lane.querySelectorAll(".nl-note, .nl-lost"));
      if (focus.kind === "field") marked.push(...lane.querySelectorAll(`[data-place="${focus.slot}"]`));
      else if (focus.kind === "take" || !focus.cards.length) marked.push(lane);
    }
    for (const node of marked) node.classList.add("nl-ring", ...(trap ? ["nl-ring-trap"] : []));
  }

  // Rule 2 as a picture: where this card would go now, and by how much the other rows are further away.
  /**
   * @param {Aim | null} aim
   * @param {number} card
   */
  aim(aim, card) {
    this.clearAim();
    if (!aim) return;
    const { labels } = this.scene;
    this.node.classList.add("nl-aiming");
    const lane = this.lanes[aim.row];
    const marks =
      aim.marks ??
      aim.differences?.map((apart, row) =>
        apart === null ? null : `${aim.value > this.endOf(row) ? "+" : "−"}${apart}`,
      );
    marks?.forEach((mark, row) => {
      const other = this.lanes[row];
      other.classList.toggle("nl-dim", mark === null && row !== aim.row);
      if (mark === null) return;
      this.afterEnd(other).append(el("span", { class: `nl-diff${row === aim.row ? " nl-chosen" : ""}` }, mark));
    });
    if (!lane) {
      setText(this.aimText, aim.text ?? fill(labels.aim_low, { card }));
      return;
    }
    lane.classList.add("nl-target");
    const place = lane.querySelectorAll(".nl-slot [data-card]").length + 1;
    const slot = this.afterEnd(lane);
    if (aim.takes) (lane.querySelector(".nl-lost") ?? slot).classList.add("nl-bite");
    else slot.append(el("span", { class: "nl-ghost", "aria-hidden": "true" }, String(card)));
    setText(this.aimText, aim.text ?? this.aimWords(aim, card, place));
  }

  /**
   * @param {Aim} aim
   * @param {number} card
   * @param {number} place
   */
  aimWords(aim, card, place) {
    const { labels, pool } = this.scene;
    const { fields, takes } = /** @type {Row} */ (pool[this.shown.rows[aim.row]]);
    const template = aim.takes ? (fields ? labels.aim_takes_field : labels.aim_takes) : labels.aim_to;
    const where = fill(template, { card, row: aim.row + 1, place, number: takes ?? place, heads: aim.heads });
    const end = this.endOf(aim.row);
    if (!aim.differences) return where;
    const difference = aim.differences[aim.row];
    // That it is the closest is the reason only where it is the closest.
    const closest = Math.min(...aim.differences.filter((apart) => apart !== null));
    if (difference === null || difference > closest) return where;
    return `${where} · ${fill(aim.value > end ? labels.aim : labels.aim_down, { end, difference })}`;
  }

  clearAim() {
    if (!this.node.classList.contains("nl-aiming")) return;
    this.node.classList.remove("nl-aiming");
    for (const node of this.node.querySelectorAll(".nl-diff, .nl-ghost")) node.remove();
    for (const node of this.node.querySelectorAll(".nl-dim, .nl-target, .nl-bite")) {
      node.classList.remove("nl-dim", "nl-target", "nl-bite");
    }
    setText(this.aimText, "");
  }

  /** @param {number} row */
  endOf(row) {
    const cards = /** @type {Row} */ (this.scene.pool[this.shown.rows[row]]).cards.filter(Boolean);
    return cards[cards.length - 1];
  }

  // The slot behind a row's last card: free, or the notch of the card that takes.
  /** @param {HTMLElement} lane */
  afterEnd(lane) {
    const slots = [...lane.querySelectorAll(".nl-slot:not(.nl-lost)")];
    const filled = slots.findLastIndex((slot) => slot.querySelector("[data-card]"));
    return slots[filled + 1] ?? lane.querySelector(".nl-notch") ?? slots[slots.length - 1];
  }
}

export function headSign() {
  return el("i", { class: "nl-head", "aria-hidden": "true" }, bull(13));
}

/**
 * @param {Scene} scene
 * @param {number} seat
 */
export function seatMark(scene, seat) {
  const found = scene.seats.find((other) => other.seat === seat);
  return el("span", { class: "nl-seat-mark", title: found?.name ?? "" }, found?.letter ?? "T");
}

// Where that option would go, on the board and on the number line; without one, nowhere.
/**
 * @param {Board} board
 * @param {import("./line.js").NumberStrip} strip
 * @param {Choices | null} question
 * @param {Option | null} option
 */
export function pointAt(board, strip, question, option) {
  const aim = option && question?.aims[option.text];
  if (!aim) {
    board.clearAim();
    strip.mark(null);
    return;
  }
  const card = /** @type {number} */ (option.card ?? option.of); // only cards have aims
  board.aim(aim, card);
  strip.mark(card, aim.value);
}

// Frames that came later: what they are made of joins the scene's pool, and they point there.
/**
 * @param {Scene} scene
 * @param {Film} film
 * @returns {Frame[]}
 */
export function joined(scene, { pool, frames }) {
  const shift = scene.pool.length;
  scene.pool.push(...pool);
  return frames.map((frame) => ({
    ...frame,
    rows: frame.rows.map((at) => at + shift),
    seats: frame.seats.map((at) => at + shift),
    queue: frame.queue + shift,
    panels: frame.panels + shift,
    zones: frame.zones + shift,
    asked: frame.asked === undefined ? undefined : frame.asked + shift,
  }));
}
