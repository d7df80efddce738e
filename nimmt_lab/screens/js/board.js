// The table: rows with their places, the queue of cards, the panels, and the sentence about the frame.
import { el, fill, setText } from "./dom.js";
import { cardNode, signCard, signParts } from "./card.js";
import { headSign, pictureOf } from "./marks.js";
import { Plays } from "./plays.js";
import { rowsOf, Signs } from "./signs.js";

// More letters than these do not fit beside the prompt.
const WORDY = 64;
// From this width on, a board has room for reasons.
const NARROW = 560;

export class Board {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {{ rows: number[], panels: number }} */
    this.shown = { rows: [], panels: -1 };
    /** @type {HTMLElement[]} */
    this.lanes = [];
    /** @type {HTMLElement[]} Cards just taken, on their way. */
    this.leaving = [];
    /** @type {Element[]} */
    this.ringed = [];
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
    this.titleGame = el("span", { class: "nl-title-game" });
    this.titleTurn = el("span", {});
    this.title = el("div", { class: "nl-title nl-chip" }, this.titleGame, this.titleTurn);
    this.signs = new Signs(scene);
    // What is asked stands before the sentence about the table.
    this.lead = el("div", { class: "nl-lead" });
    // Rows of many places get smaller cards. How many rows and places there are is for the rules to say.
    const long = rowsOf(scene).some((row) => !row.fields && row.takes && row.places + row.lost.length > 6);
    this.rows = el("div", { class: long ? "nl-rows nl-long" : "nl-rows" });
    this.plays = new Plays(scene);
    this.panels = el("div", { class: "nl-panels" });
    this.aimText = el("div", { class: "nl-aim-text" });
    // What the bars mean, or what can be done: seen as long as no card is aimed.
    this.rest = el("p", { class: "nl-note-line nl-rest" });
    const fields = scene.pool.some((item) => item && "fields" in item) ? " nl-of-fields" : "";
    this.node = el(
      "div",
      { class: `nl-board${fields}` },
      el(
        "div",
        { class: "nl-title-line" },
        this.lead,
        el("div", { class: "nl-words" }, this.say, this.rest, this.aimText), // one over the other: nothing jumps
        this.title,
        this.signs.button,
      ),
      this.signs.node,
      el("div", { class: "nl-felt" }, this.rows, this.plays.node),
      this.panels,
    );
    // Without hover, a tap on a sign shows its meaning.
    this.node.addEventListener("click", (event) => {
      if (this.node.classList.contains("nl-aiming")) return;
      const target = /** @type {HTMLElement} */ (event.target);
      this.look(target.closest?.("[title]:not(button)")?.title ?? "");
    });
  }

  // The panels of a high board, to be placed at its side; nothing if they stay below the felt.
  beside() {
    const { frames } = this.scene;
    return frames[frames.length - 1].rows.length > 6 ? [this.panels] : [];
  }

  // Say what a card would do, or what a sign means. Many words stand over the prompt, too, and never over the rows.
  /** @param {string} words */
  look(words) {
    setText(this.aimText, words);
    this.aimText.parentElement?.classList.toggle("nl-said", words !== "");
    this.node.classList.toggle("nl-wordy", words.length > WORDY);
  }

  // Draw a frame. Rows, queue and panels with the same number in the pool are not redrawn.
  /**
   * @param {Frame} frame
   * @param {Frame[]} [frames] those it is one of
   */
  show(frame, frames = this.scene.frames) {
    const { pool, labels, game } = this.scene;
    this.clearAim();
    this.look("");
    const turn = { round: frame.round, turn: Math.min(frame.turn, game.turns), turns: game.turns };
    const when = frame.over ? labels.over : fill(game.rounds ? labels.turn_round : labels.turn_only, turn);
    setText(this.titleGame, `${game.title} · `);
    setText(this.titleTurn, when);
    while (this.lanes.length > frame.rows.length) this.lanes.pop()?.remove();
    frame.rows.forEach((at, row) => {
      if (this.shown.rows[row] === at && this.lanes[row]) return;
      const data = /** @type {Row} */ (pool[at]);
      const before = /** @type {Row | undefined} */ (pool[this.shown.rows[row]]);
      if (this.lanes[row] && before && this.relaid(this.lanes[row], row, before, data)) return;
      const lane = this.lane(row, data);
      if (this.lanes[row]) this.lanes[row].replaceWith(lane);
      else this.rows.append(lane);
      this.lanes[row] = lane;
    });
    this.shown.rows = [...frame.rows];
    this.plays.show(frame, frames);
    this.drawLeaving(frame);
    if (this.shown.panels !== frame.panels) {
      const panels = /** @type {Panel[]} */ (pool[frame.panels]);
      this.panels.replaceChildren(...panels.map((panel) => this.panel(panel)));
    }
    this.shown.panels = frame.panels;
    this.ring(frame.focus, frame.trap);
    setText(this.rule, frame.rule_name || "");
    if (!frame.rule_name) this.rule.remove();
    else if (this.rule.parentNode !== this.say) {
      this.say.prepend(this.rule);
      this.say.append(this.ruling);
    }
    this.rule.disabled = !frame.rule_text;
    this.rule.title = frame.rule_text || "";
    setText(this.ruling, frame.rule_text || "");
    if (!frame.rule_text) this.rules(false);
    setText(this.sentence, frame.text || "");
    this.say.classList.toggle("nl-silent", !frame.text);
    this.say.classList.toggle("nl-is-trap", Boolean(frame.trap));
    this.say.classList.toggle("nl-is-take", frame.focus?.kind === "take");
  }

  // While something is asked, the sentence about the last event rests; what is beside the board has it, and its rule.
  /** @param {HTMLElement} beside */
  hush(beside) {
    if (this.rule.parentNode) beside.append(this.rule, this.ruling);
    this.rules(false);
    this.say.classList.add("nl-silent");
  }

  // The rules stay open from event to event.
  /** @param {boolean | string} open */
  rules(open) {
    this.ruling.hidden = !open;
    this.rule.setAttribute("aria-expanded", String(open));
  }

  /**
   * @param {number} row
   * @param {Row} data
   */
  words(row, data) {
    const cards = data.cards.filter(Boolean).join(" ");
    return [fill(this.scene.labels.row, { row: row + 1 }), cards, ...data.notes.map((note) => note.text)].join(", ");
  }

  // Most often a row only gets a card or loses its cards: everything else stays as it is drawn. Whether that was all.
  /**
   * @param {HTMLElement} lane
   * @param {number} row
   * @param {Row} before
   * @param {Row} data
   */
  relaid(lane, row, before, data) {
    const rest = (/** @type {Row} */ { cards, heads: _, ...others }) =>
      JSON.stringify([Math.max(cards.length, others.places), others]);
    const stake = lane.querySelector(".nl-stake");
    if (!stake || data.fields || rest(before) !== rest(data)) return false;
    const slots = lane.querySelectorAll(".nl-slot");
    for (let place = 0; place < Math.max(before.cards.length, data.cards.length); place += 1) {
      const card = data.cards[place];
      if (card === before.cards[place]) continue;
      slots[place].replaceChildren(...(card ? [cardNode(this.scene, card)] : []));
    }
    stake.setAttribute("title", fill(this.scene.labels.heads, { heads: data.heads }));
    setText(/** @type {Node} */ (stake.lastChild), String(data.heads));
    lane.setAttribute("aria-label", this.words(row, data));
    return true;
  }

  /**
   * @param {number} row
   * @param {Row} data
   */
  lane(row, data) {
    const { labels } = this.scene;
    const tag = el("span", { class: `nl-tag nl-tint-${row % 10}`, "aria-hidden": "true" }, String(row + 1));
    const notes = data.notes.map((note) =>
      el("span", { class: "nl-note" }, el("b", { "aria-hidden": "true" }, signParts(note)), ` ${note.text}`),
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
        "aria-label": this.words(row, data),
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
      const sign = field ? el("small", { class: `nl-field nl-field-${field.kind}` }, signParts(field)) : null;
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
      nodes.push(
        el(
          "div",
          { class: "nl-slot nl-lost", title: lost.text, "aria-hidden": "true" },
          lost.icon ? signCard("fan", lost.icon, lost.text) : lost.sign,
        ),
      );
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

  // Between a take and the card that starts the row anew, the cards taken are still seen, on their way.
  /** @param {Frame} frame */
  drawLeaving(frame) {
    for (const old of this.leaving.splice(0)) old.remove();
    const { focus } = frame;
    if (focus?.kind !== "take" || !focus.taken) return;
    const slots = [...(this.lanes[focus.rows[0]]?.querySelectorAll(".nl-slot") ?? [])];
    focus.taken.forEach((card, at) => {
      if (!slots[at] || slots[at].querySelector("[data-card]")) return;
      const node = pictureOf(this.scene, card);
      node.classList.add("nl-leaving");
      slots[at].append(node);
      this.leaving.push(node);
    });
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
          item.sign
            ? el("b", { class: "nl-item-sign", "aria-hidden": "true" }, signParts(/** @type {Note} */ (item)))
            : null,
          item.faces?.map((face) => signCard(face.kind, face.icon, face.text)),
          el("span", {}, item.text),
          item.detail ? el("small", {}, item.detail) : null,
        ),
      );
    }
    return el("section", { class: `nl-panel nl-panel-${panel.kind}` }, el("h2", {}, panel.title), body);
  }

  // Mark the focus of the frame; without motion this ring alone shows the change.
  /**
   * @param {Focus | null | undefined} focus
   * @param {boolean | null | undefined} trap
   */
  ring(focus, trap) {
    for (const old of this.ringed.splice(0)) old.classList.remove("nl-ring", "nl-ring-trap");
    if (!focus) return;
    /** @type {Element[]} */
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
    this.ringed = marked;
  }

  // Rule 2 as a picture: where this card would go, and the differences to the other rows.
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
      this.look(aim.text ?? fill(labels.aim_low, { card }));
      return;
    }
    lane.classList.add("nl-target");
    const place = lane.querySelectorAll(".nl-slot [data-card]").length + 1;
    const slot = this.afterEnd(lane);
    if (aim.takes) (lane.querySelector(".nl-lost") ?? slot).classList.add("nl-bite");
    else
      slot.append(
        el("span", { class: `nl-ghost${card > 99 ? " nl-three" : ""}`, "aria-hidden": "true" }, String(card)),
      );
    this.look(aim.text ?? this.aimWords(aim, card, place));
  }

  // What could change it, after what will happen.
  /** @param {string} words */
  add(words) {
    if (words && this.aimText.textContent) this.look(`${this.aimText.textContent.replace(/\.$/, "")}. ${words}`);
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
    // A narrow board has no room for the reason; the differences stand beside the rows.
    const width = this.node.clientWidth;
    if (!aim.differences || (width && width <= NARROW)) return where;
    const difference = aim.differences[aim.row];
    // Name the closest row as the reason only if it is the closest.
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
    this.look("");
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
