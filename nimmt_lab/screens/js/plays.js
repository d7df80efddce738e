// This turn's cards beside the rows: face down until the reveal, then whose is whose, and where each has gone.
import { el, fill } from "./dom.js";
import { backNode, cardNode } from "./card.js";
import { asPicture, pictureOf, seatMark } from "./marks.js";

/**
 * A place for a card: the card, `?` for one's own that is not chosen yet, or nothing for one face down.
 * @typedef {{ seat: number, card: number | "?" | null, as: number | null, row: number, gone: boolean, now: boolean,
 *   crowd: boolean }} Line
 */

export class Plays {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {Turn | null} The cards of the turn on show, also of one that began in an earlier scene. */
    this.turn = null;
    /** @type {{ node: HTMLElement, line: Line }[]} */
    this.lines = [];
    this.caption = el("span", { class: "nl-caption" }, scene.labels.this_turn);
    this.queue = el("div", { class: "nl-queue", role: "group", "aria-label": scene.labels.this_turn });
    this.node = el("div", { class: "nl-tray" }, this.queue);
  }

  /**
   * @param {Frame} frame
   * @param {Frame[]} frames
   */
  show(frame, frames) {
    const queue = /** @type {Play[]} */ (this.scene.pool[frame.queue]);
    this.turn = this.turnAt(frame, frames, queue);
    const played = new Map(this.turn?.plays.map((play) => [play.card, play]));
    for (const play of queue) played.set(play.card, play);
    const hidden = played.size ? [] : this.choosing(frame);
    const now = frame.focus?.kind === "place" || frame.focus?.kind === "take" ? frame.focus.cards[0] : undefined;
    const waits = (/** @type {number} */ card) => queue.some((other) => other.card === card);
    const crowd = played.size + hidden.length > 6;
    /** @type {Line[]} */
    const lines = [...played.values()].map(({ seat, card, value }) => {
      const row = waits(card) ? -1 : this.rowOf(frame, card);
      return { seat, card, as: value === card ? null : value, row, gone: !waits(card), now: card === now, crowd };
    });
    for (const { seat, you } of hidden)
      lines.push({ seat, card: you ? "?" : null, as: null, row: -1, gone: false, now: false, crowd });
    this.node.classList.toggle("nl-bare", !lines.length);
    this.node.classList.toggle(
      "nl-unseen",
      hidden.some((seat) => seat.you),
    );
    this.queue.classList.toggle("nl-several", lines.length > 4 && !crowd);
    this.queue.classList.toggle("nl-crowd", crowd);
    // Places are filled again rather than made again.
    for (const { node } of this.lines.splice(lines.length)) node.remove();
    if (!lines.length) this.caption.remove();
    else if (!this.caption.parentNode) this.queue.prepend(this.caption);
    for (const [at, line] of lines.entries()) {
      const old = this.lines[at];
      if (old) this.change(old.node, old.line, line);
      const node = old?.node ?? this.queue.appendChild(this.place(line));
      this.lines[at] = { node, line };
    }
  }

  // The cards revealed last, if their turn is still the one on show.
  /**
   * @param {Frame} frame
   * @param {Frame[]} frames
   * @param {Play[]} queue
   * @returns {Turn | null}
   */
  turnAt(frame, frames, queue) {
    if (frame.asked !== undefined && !queue.length && !frame.over) return null; // the next turn
    const here = frames.indexOf(frame);
    for (let at = here; at >= 0 && frames[at].round === frame.round; at -= 1) {
      const { focus, group } = frames[at];
      if (focus?.revealed)
        return { group, round: frame.round, plays: /** @type {Play[]} */ (this.scene.pool[frames[at].queue]) };
      if (at < here && frames[at].asked !== undefined && group !== frame.group) return null;
    }
    return this.turn?.group === frame.group && this.turn.round === frame.round ? this.turn : null;
  }

  // Who is choosing a card now, the others unseen by each.
  /**
   * @param {Frame} frame
   * @returns {Seat[]}
   */
  choosing(frame) {
    const asked = frame.asked === undefined ? [] : /** @type {Question[]} */ (this.scene.pool[frame.asked]);
    const from = (/** @type {number} */ index) => /** @type {SeatState} */ (this.scene.pool[frame.seats[index]]);
    const index = (/** @type {number} */ seat) => this.scene.seats.findIndex((other) => other.seat === seat);
    const cards = (/** @type {Question} */ { seat, options, composers }) => {
      const hand = from(index(seat))?.hand ?? [];
      const used = [
        ...options.map((option) => option.card ?? option.of),
        ...(composers ?? []).flatMap((one) => one.cards),
      ];
      return used.length > 0 && used.every((card) => card !== undefined && hand.includes(card));
    };
    if (!frame.rows.length || !asked.length || !asked.every(cards)) return [];
    return this.scene.seats.filter((_, at) => from(at).count > 0);
  }

  /**
   * @param {Frame} frame
   * @param {number} card
   */
  rowOf(frame, card) {
    return frame.rows.findIndex((at) => /** @type {Row} */ (this.scene.pool[at]).cards.includes(card));
  }

  /** @param {Line} line */
  place(line) {
    const node = el("div", {}, this.face(line), el("span", { class: "nl-play-who" }, seatMark(this.scene, line.seat)));
    this.mark(node, line, null);
    return node;
  }

  // A card that lies in a row is here only as a reminder: it is not the card itself.
  /** @param {Line} line */
  face({ card, row }) {
    if (card === "?") return el("div", { class: "nl-slot nl-own-place", "aria-hidden": "true" }, card);
    if (card === null) return backNode(this.scene, this.scene.labels.hidden_card);
    return row < 0 ? cardNode(this.scene, card) : pictureOf(this.scene, card);
  }

  // What became of the card: the value it was played as, and its row.
  /**
   * @param {HTMLElement} node
   * @param {Line} line
   * @param {Line | null} before
   */
  mark(node, { as, row, gone, now, crowd }, before) {
    node.className = `nl-play${gone ? " nl-placed" : ""}${now ? " nl-now" : ""}`;
    if (before?.as === as && before.row === row && before.crowd === crowd) return;
    const who = /** @type {HTMLElement} */ (node.lastChild);
    while (who.children.length > 1) who.lastElementChild?.remove();
    if (as !== null) who.append(el("small", { class: "nl-as" }, `= ${as}`));
    const where = fill(this.scene.labels.row, { row: row + 1 });
    // Where many cards lie, the number of the row has to do.
    if (row >= 0) who.append(el("small", { class: "nl-went", title: where }, `→ ${crowd ? row + 1 : where}`));
  }

  /**
   * @param {HTMLElement} node
   * @param {Line} before
   * @param {Line} line
   */
  change(node, before, line) {
    const face = /** @type {HTMLElement} */ (node.firstChild);
    if (before.card !== line.card || (before.row >= 0 && line.row < 0)) face.replaceWith(this.face(line));
    else if (before.row < 0 && line.row >= 0) asPicture(face);
    if (before.seat !== line.seat) node.lastElementChild?.firstChild?.replaceWith(seatMark(this.scene, line.seat));
    this.mark(node, line, before);
  }
}
