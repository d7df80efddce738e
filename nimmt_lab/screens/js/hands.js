// Everybody's cards, points and piles. Cards that may be chosen are buttons; the others are pictures.
import { el, fill } from "./dom.js";
import { cardNode } from "./card.js";
import { headSign } from "./board.js";

export class Hands {
  // `compact`: only how many cards everybody holds. `open`: even so, the cards of hands that lie open are shown.
  /**
   * @param {Scene} scene
   * @param {{ compact?: boolean, open?: boolean }} how
   */
  constructor(scene, { compact = false, open = false } = {}) {
    this.scene = scene;
    this.compact = compact;
    this.open = open;
    /** @type {number[]} */
    this.shown = [];
    /** @type {HTMLElement[]} */
    this.boxes = [];
    const looks = ["nl-hands", scene.seats.length > 5 ? "nl-many" : "", compact ? "nl-compact" : ""];
    this.node = el("div", { class: looks.join(" ") });
  }

  /** @param {Frame} frame */
  show(frame) {
    frame.seats.forEach((at, index) => {
      if (this.shown[index] === at && this.boxes[index]) return;
      const box = this.box(this.scene.seats[index], /** @type {SeatState} */ (this.scene.pool[at]));
      if (this.boxes[index]) this.boxes[index].replaceWith(box);
      else this.node.append(box);
      this.boxes[index] = box;
    });
    this.shown = [...frame.seats];
    this.scene.seats.forEach((seat, index) => {
      const box = this.boxes[index];
      box.classList.toggle("nl-acting", frame.focus?.seat === seat.seat);
      box.classList.toggle("nl-winner", frame.winners.includes(seat.seat));
    });
  }

  /**
   * @param {Seat} seat
   * @param {SeatState} data
   */
  box(seat, data) {
    const { labels } = this.scene;
    const name = seat.name === seat.letter ? null : el("span", { class: "nl-name" }, seat.name);
    const you = seat.you ? el("span", { class: "nl-you" }, labels.you) : null;
    const level = seat.level ? el("small", { class: "nl-level" }, seat.level) : null;
    const badges = data.badges.map((badge) => el("span", { class: "nl-badge", title: badge.text }, badge.sign));
    const points =
      data.points === null
        ? null
        : el(
            "span",
            { class: "nl-points", "data-seat": seat.seat, title: fill(labels.points, { points: data.points }) },
            this.scene.game.unit ? headSign() : null,
            String(data.points).replace("-", "−"),
          );
    const folded = this.compact && !(this.open && data.hand);
    const count =
      folded && data.count ? el("span", { class: "nl-count", title: labels.in_hand }, `▯×${data.count}`) : null;
    const cards = folded
      ? []
      : data.hand
        ? data.hand.map((card) => cardNode(this.scene, card))
        : Array.from({ length: data.count }, () =>
            el("div", { class: "nl-card nl-back", role: "img", "aria-label": labels.hidden_card }),
          );
    return el(
      "div",
      {
        class: "nl-hand",
        "data-seat": seat.seat,
        role: "group",
        "aria-label": fill(labels.hand_of, { who: seat.name }),
      },
      el(
        "div",
        { class: "nl-who" },
        el("b", { class: "nl-letter" }, seat.letter),
        name,
        you,
        level,
        points,
        badges,
        count,
      ),
      cards.length ? el("div", { class: "nl-cards" }, cards) : null,
    );
  }

  /** @param {number} seat */
  of(seat) {
    return this.boxes[this.scene.seats.findIndex((other) => other.seat === seat)];
  }
}
