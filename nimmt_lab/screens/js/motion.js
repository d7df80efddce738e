// Movement between two frames: what the event moved glides from where it was, one thing at a time.
import { reducedMotion } from "./dom.js";

/** @type {Record<string, number>} */
const GLIDE = { place: 280, reveal: 320, take: 340, marker: 260, other: 240, score: 0 };

export class Motion {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Animation[]} */
    this.running = [];
    /** @type {HTMLElement[]} */
    this.ghosts = [];
  }

  stop() {
    for (const animation of this.running.splice(0)) animation.cancel();
    for (const ghost of this.ghosts.splice(0)) ghost.remove();
  }

  // Where the cards of an event are now, before the board changes.
  /**
   * @param {Focus | null | undefined} focus
   * @param {number} speed
   * @returns {Rects | null}
   */
  before(focus, speed) {
    this.stop();
    if (!focus || reducedMotion() || speed === 0) return null;
    const wanted = new Set([...focus.cards, ...(focus.taken ?? []), ...(focus.revealed ?? [])].map(String));
    if (!wanted.size) return null;
    const rects = new Map();
    for (const node of this.root.querySelectorAll("[data-card]")) {
      const card = node.dataset.card;
      if (card && wanted.has(card) && !rects.has(card)) rects.set(card, { node, rect: node.getBoundingClientRect() });
    }
    return rects;
  }

  /**
   * @param {Rects | null} rects
   * @param {Focus} focus
   * @param {number} speed
   */
  after(rects, focus, speed) {
    if (!rects) return 0;
    const duration = (GLIDE[focus.kind] ?? 240) / speed;
    const home = this.root.getBoundingClientRect();
    for (const [card, old] of rects) {
      const node = this.root.querySelector(
        `.nl-rows [data-card="${card}"], .nl-queue [data-card="${card}"], .nl-hands [data-card="${card}"]`,
      );
      if (node) this.glide(node, old.rect, node.getBoundingClientRect(), duration);
      else this.flyAway(old, focus.seat, home, duration);
    }
    return duration;
  }

  /**
   * @param {HTMLElement} node
   * @param {DOMRect} from
   * @param {DOMRect} to
   * @param {number} duration
   */
  glide(node, from, to, duration) {
    const dx = from.left - to.left;
    const dy = from.top - to.top;
    if (Math.abs(dx) + Math.abs(dy) < 2) return;
    node.classList.add("nl-moving");
    const animation = node.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], {
      duration,
      easing: "ease-in-out",
    });
    animation.finished.then(
      () => node.classList.remove("nl-moving"),
      () => node.classList.remove("nl-moving"),
    );
    this.running.push(animation);
  }

  // A taken card leaves the board for its taker's points.
  /**
   * @param {Placed} old
   * @param {number | undefined} seat
   * @param {DOMRect} home
   * @param {number} duration
   */
  flyAway(old, seat, home, duration) {
    const goal = this.root.querySelector(`.nl-points[data-seat="${seat}"]`);
    if (!goal) return;
    const to = goal.getBoundingClientRect();
    const ghost = /** @type {HTMLElement} */ (old.node.cloneNode(true));
    ghost.classList.add("nl-flying");
    ghost.setAttribute("aria-hidden", "true");
    ghost.removeAttribute("data-card");
    Object.assign(ghost.style, { left: `${old.rect.left - home.left}px`, top: `${old.rect.top - home.top}px` });
    this.root.append(ghost);
    this.ghosts.push(ghost);
    const end = `translate(${to.left - old.rect.left}px, ${to.top - old.rect.top}px) scale(.4)`;
    const animation = ghost.animate([{ transform: "none" }, { transform: end, opacity: 0.2 }], {
      duration,
      easing: "ease-in",
    });
    animation.finished.then(
      () => ghost.remove(),
      () => ghost.remove(),
    );
    this.running.push(animation);
  }
}
