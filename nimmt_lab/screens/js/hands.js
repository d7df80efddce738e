// Everybody's cards, points and piles. Cards that may be chosen are buttons; the others are pictures.
import { el, fill, setText } from "./dom.js";
import { backNode, cardNode, icon, signParts } from "./card.js";
import { headSign, nameOf } from "./marks.js";

/** @param {Pick<SeatState, "points">} data */
function figure({ points }) {
  return String(points).replace("-", "−");
}

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
      const [before, now] = [this.shown[index], at].map((one) => /** @type {SeatState} */ (this.scene.pool[one]));
      if (this.boxes[index] && before && this.thinned(this.boxes[index], before, now)) return;
      const box = this.box(this.scene.seats[index], now);
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

  // Most often a hand only loses a card, or its points change: the rest stays as it is drawn. Whether that was all.
  /**
   * @param {HTMLElement} box
   * @param {SeatState} before
   * @param {SeatState} now
   */
  thinned(box, before, now) {
    if (!before.hand || !now.hand || (this.compact && !this.open)) return false;
    const left = new Set(now.hand);
    const gone = before.hand.filter((card) => !left.has(card));
    if (!left.size || before.hand.length - gone.length !== now.hand.length) return false;
    if (JSON.stringify(before.badges) !== JSON.stringify(now.badges)) return false;
    if (before.points !== now.points && (before.points === null || now.points === null)) return false;
    for (const card of gone) box.querySelector(`[data-card="${card}"]`)?.remove();
    if (before.points === now.points) return true;
    const points = /** @type {HTMLElement} */ (box.querySelector(".nl-points"));
    points.title = this.pointsWords(now);
    setText(/** @type {Node} */ (points.lastChild), figure(now));
    const meter = box.querySelector(":scope > .nl-meter > i");
    if (meter) meter.setAttribute("style", this.reached(/** @type {number} */ (now.points)));
    return true;
  }

  /**
   * @param {Seat} seat
   * @param {SeatState} data
   */
  box(seat, data) {
    const { labels } = this.scene;
    const at = this.scene.seats.indexOf(seat);
    const badges = data.badges.map((badge) => el("span", { class: "nl-badge", title: badge.text }, signParts(badge)));
    const folded = this.compact && !(this.open && data.hand);
    const count =
      folded && data.count
        ? el(
            "small",
            { class: "nl-count", title: labels.in_hand },
            icon(this.scene.faces.shape ?? "card"),
            `×${data.count}`,
          )
        : null;
    const level = seat.level ? el("small", { class: "nl-level" }, seat.level) : null;
    const name = nameOf(this.scene, seat);
    const cards = folded
      ? []
      : data.hand
        ? data.hand.map((card) => cardNode(this.scene, card))
        : Array.from({ length: data.count }, () => backNode(this.scene, labels.hidden_card, seat.seat));
    return el(
      "div",
      {
        class: `nl-hand nl-of-${at % 10}${seat.you ? " nl-mine-seat" : ""}`,
        "data-seat": seat.seat,
        role: "group",
        "aria-label": fill(labels.hand_of, { who: seat.name }),
      },
      el(
        "div",
        { class: "nl-who" },
        el("span", { class: "nl-avatar", "aria-hidden": "true" }, [...name][0]?.toUpperCase() ?? ""),
        el(
          "span",
          { class: "nl-who-words" },
          el("span", { class: "nl-name" }, name),
          el("span", { class: "nl-about" }, level, count, badges),
        ),
        this.pointsNode(seat, data),
      ),
      this.meter(data),
      cards.length ? el("div", { class: "nl-cards" }, cards) : null,
    );
  }

  /**
   * @param {Pick<Seat, "seat">} seat
   * @param {Pick<SeatState, "points">} data
   */
  pointsNode(seat, data) {
    if (data.points === null) return null;
    return el(
      "span",
      { class: "nl-points", "data-seat": seat.seat, title: this.pointsWords(data) },
      this.scene.game.unit ? headSign() : null,
      el("span", { class: "nl-figure-now" }, figure(data)),
    );
  }

  /** @param {Pick<SeatState, "points">} data */
  pointsWords({ points }) {
    return fill(this.scene.labels.points, { points });
  }

  // How far it is to the end of the game, where points end it.
  /** @param {SeatState} data */
  meter({ points }) {
    const { scale } = this.scene.game;
    if (!scale || points === null) return null;
    return el("span", { class: "nl-meter", "aria-hidden": "true" }, el("i", { style: this.reached(points) }));
  }

  /** @param {number} points */
  reached(points) {
    const part = Math.min(1, Math.max(0, points) / (this.scene.game.scale ?? 1));
    return `width:${(100 * part).toFixed(1)}%`;
  }

  // Somebody is to choose: the mark of who acts is theirs.
  /** @param {number} seat */
  turn(seat) {
    this.scene.seats.forEach((other, index) => {
      this.boxes[index]?.classList.toggle("nl-acting", other.seat === seat);
    });
  }

  /** @param {number} seat */
  of(seat) {
    return this.boxes[this.scene.seats.findIndex((other) => other.seat === seat)];
  }
}
