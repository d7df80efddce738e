// This turn's cards beside the rows: face down until the reveal, then whose is whose, and where each has gone.
import { el, fill } from "./dom.js";
import { backNode, cardNode } from "./card.js";
import { asPicture, pictureOf, seatMark } from "./marks.js";

export class Plays {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {Turn | null} The cards of the turn on show, also of one that began in an earlier scene. */
    this.turn = null;
    this.key = "";
    /** @type {string[]} */
    this.keys = [];
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
    const lines = [...played.values()].map((play) => ({
      play,
      row: this.rowOf(frame, play.card),
      now: play.card === now,
    }));
    const waits = (/** @type {number} */ card) => queue.some((other) => other.card === card);
    const keys = lines.map(({ play, row }) => JSON.stringify([play, row, waits(play.card)]));
    const cards = JSON.stringify([lines.map(({ play }) => play.card), hidden.map(({ seat }) => seat)]);
    if (cards === this.key) {
      // The same cards: only those that moved are drawn again.
      for (const [at, line] of lines.entries()) {
        const node = /** @type {HTMLElement} */ (this.queue.children[at + 1]);
        const now = { row: line.row, moving: line.now, waits: waits(line.play.card) };
        if (keys[at] === this.keys[at]) node.classList.toggle("nl-now", line.now);
        else if (!this.settled(node, this.keys[at], line.play, now)) node.replaceWith(this.playNode(line.play, now));
      }
      this.keys = keys;
      return;
    }
    this.key = cards;
    this.keys = keys;
    const empty = !lines.length && !hidden.length;
    const count = lines.length + hidden.length;
    this.node.classList.toggle("nl-bare", empty);
    this.node.classList.toggle(
      "nl-unseen",
      hidden.some((seat) => seat.you),
    );
    this.queue.classList.toggle("nl-several", count > 4 && count <= 6);
    this.queue.classList.toggle("nl-crowd", count > 6);
    this.queue.replaceChildren();
    if (empty) return;
    this.queue.append(el("span", { class: "nl-caption" }, this.scene.labels.this_turn));
    for (const { play, row, now: moving } of lines) {
      this.queue.append(this.playNode(play, { row, moving, waits: waits(play.card) }));
    }
    for (const seat of hidden) this.queue.append(this.faceDown(seat));
  }

  // The cards revealed last, if their turn is still the one on show.
  /**
   * @param {Frame} frame
   * @param {Frame[]} frames
   * @param {Play[]} queue
   * @returns {Turn | null}
   */
  turnAt(frame, frames, queue) {
    if (frame.asked !== undefined && !queue.length) return null; // the next turn
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

  /**
   * @param {Play} play
   * @param {{ row: number, moving: boolean, waits: boolean }} how
   */
  playNode(play, { row, moving, waits }) {
    const value = play.value === play.card ? null : el("small", { class: "nl-as" }, `= ${play.value}`);
    const placed = !waits && row >= 0;
    // A card that lies in a row is here only as a reminder: it is not the card itself.
    const card = waits || !placed ? cardNode(this.scene, play.card) : pictureOf(this.scene, play.card);
    return el(
      "div",
      { class: `nl-play${waits ? "" : " nl-placed"}${moving ? " nl-now" : ""}` },
      card,
      el("span", { class: "nl-play-who" }, seatMark(this.scene, play.seat), value, placed ? this.went(row) : null),
    );
  }

  // A card of the turn that waited and now lies in a row: only that is added. Whether that was all.
  /**
   * @param {HTMLElement} node
   * @param {string} before its key
   * @param {Play} play
   * @param {{ row: number, moving: boolean, waits: boolean }} how
   */
  settled(node, before, play, { row, moving, waits }) {
    if (waits || row < 0 || before !== JSON.stringify([play, -1, true])) return false;
    node.classList.add("nl-placed");
    node.classList.toggle("nl-now", moving);
    asPicture(/** @type {HTMLElement} */ (node.firstChild));
    node.lastElementChild?.append(this.went(row));
    return true;
  }

  /** @param {number} row */
  went(row) {
    return el("small", { class: "nl-went" }, `→ ${fill(this.scene.labels.row, { row: row + 1 })}`);
  }

  /** @param {Seat} seat */
  faceDown(seat) {
    const back = seat.you
      ? el("div", { class: "nl-slot nl-own-place", "aria-hidden": "true" }, "?")
      : backNode(this.scene, this.scene.labels.hidden_card);
    return el("div", { class: "nl-play" }, back, el("span", { class: "nl-play-who" }, seatMark(this.scene, seat.seat)));
  }
}
