// Movement between two frames: what the event moved glides from where it was, one thing at a time.
import { reducedMotion, setText } from "./dom.js";

// A time among the style sheet's tokens, in milliseconds; without the style sheet nothing moves.
/**
 * @param {HTMLElement} root
 * @param {string} name
 */
function time(root, name) {
  const told = getComputedStyle(root).getPropertyValue(`--time-${name}`).trim();
  return told.endsWith("ms") ? Number.parseFloat(told) : 1000 * (Number.parseFloat(told) || 0);
}

export class Motion {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Animation[]} */
    this.running = [];
    /** @type {HTMLElement[]} Cards that moved last lie above the others until the next step: one change less. */
    this.raised = [];
    /** @type {HTMLElement[]} */
    this.ghosts = [];
    /** @type {(() => void)[]} */
    this.counts = [];
    /** @type {Map<string, number>} */
    this.times = new Map();
  }

  // Times don't change while a board stands.
  /** @param {string} name */
  time(name) {
    const known = this.times.get(name) ?? time(this.root, name);
    if (known) this.times.set(name, known);
    return known;
  }

  stop() {
    for (const animation of this.running.splice(0)) animation.cancel();
    for (const node of this.raised.splice(0)) node.classList.remove("nl-moving");
    for (const ghost of this.ghosts.splice(0)) ghost.remove();
    for (const finish of this.counts.splice(0)) finish();
  }

  // Where the cards of an event are now, before the board changes.
  /**
   * @param {Focus | null | undefined} focus
   * @param {number} speed
   * @returns {Rects | null}
   */
  before(focus, speed) {
    /** @type {Rects} */
    const rects = new Map();
    const moves = focus && speed !== 0 && !reducedMotion();
    const wanted = new Set(
      moves ? [...focus.cards, ...(focus.taken ?? []), ...(focus.revealed ?? [])].map(String) : [],
    );
    // Measured before the movement before ends: nothing has to be laid out for it, and a card in flight flies on.
    for (const node of wanted.size ? this.root.querySelectorAll("[data-card]") : []) {
      const card = node.dataset.card;
      if (card && wanted.has(card) && !rects.has(card)) rects.set(card, { node, rect: node.getBoundingClientRect() });
    }
    this.stop();
    if (!focus || !wanted.size) return null;
    this.points = focus.kind === "take" ? this.figure(focus.seat)?.textContent : null;
    return rects;
  }

  /** @param {number | undefined} seat */
  figure(seat) {
    return this.root.querySelector(`.nl-points[data-seat="${seat}"] .nl-figure-now`);
  }

  // Returns how long the movement takes.
  /**
   * @param {Rects | null} rects
   * @param {Focus} focus
   * @param {number} speed
   */
  after(rects, focus, speed) {
    if (!rects) return 0;
    const take = focus.kind === "take";
    const wait = take ? this.time("pause") / speed : 0;
    const duration = this.time(take ? "take" : "place") / speed;
    if (take) this.countUp(focus.seat, wait + duration, duration);
    // Measure everything first, then move: the page is laid out once.
    const home = this.root.getBoundingClientRect();
    const goal = this.root.querySelector(`.nl-points[data-seat="${focus.seat}"]`)?.getBoundingClientRect();
    const found = [...rects].map(([card, old]) => {
      const node = this.root.querySelector(
        `.nl-rows [data-card="${card}"], .nl-queue [data-card="${card}"], .nl-hands [data-card="${card}"]`,
      );
      return { old, node, to: node?.getBoundingClientRect() };
    });
    const turned = (focus.revealed ?? [])
      .filter((card) => !rects.has(String(card)))
      .map((card) => this.root.querySelector(`.nl-queue [data-card="${card}"]`));
    const flips = turned.some(Boolean) ? this.time("flip") / speed : 0;
    for (const { old, node, to } of found) {
      if (node && to) this.glide(node, old.rect, to, duration);
      else if (goal?.width) this.flyAway(old, goal, home, duration, wait);
    }
    for (const node of turned) if (node) this.flip(node, flips);
    return wait + duration * (take ? 2 : 1);
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
    const size = to.width ? from.width / to.width : 1;
    node.classList.add("nl-moving");
    const start = { transform: `translate(${dx}px, ${dy}px) scale(${size.toFixed(3)})`, transformOrigin: "0 0" };
    const animation = node.animate([start, { transform: "none", transformOrigin: "0 0" }], {
      duration,
      easing: "cubic-bezier(.2, .8, .3, 1)",
    });
    this.raised.push(node);
    this.running.push(animation);
  }

  /**
   * @param {HTMLElement} node
   * @param {number} duration
   */
  flip(node, duration) {
    const turned = { transform: "perspective(400px) rotateY(90deg)" };
    this.running.push(node.animate([turned, { transform: "none" }], { duration, easing: "ease-out" }));
  }

  // A taken card stays a moment, then leaves the board for its taker's points.
  /**
   * @param {Placed} old
   * @param {DOMRect} to
   * @param {DOMRect} home
   * @param {number} duration
   * @param {number} delay
   */
  flyAway(old, to, home, duration, delay) {
    const ghost = /** @type {HTMLElement} */ (old.node.cloneNode(true));
    ghost.classList.add("nl-flying");
    ghost.setAttribute("aria-hidden", "true");
    ghost.removeAttribute("data-card");
    const place = { left: `${old.rect.left - home.left}px`, top: `${old.rect.top - home.top}px` };
    Object.assign(ghost.style, place, { width: `${old.rect.width}px` });
    ghost.style.setProperty("--cw", `${old.rect.width}px`);
    this.root.append(ghost);
    this.ghosts.push(ghost);
    const end = `translate(${to.left - old.rect.left}px, ${to.top - old.rect.top}px) scale(.3)`;
    const animation = ghost.animate([{ transform: "none" }, { transform: end, opacity: 0.3 }], {
      duration,
      delay,
      easing: "cubic-bezier(.5, 0, .8, .4)",
    });
    const done = () => ghost.remove();
    animation.finished.then(done, done);
    this.running.push(animation);
  }

  // The taker's figure counts up once the cards are there.
  /**
   * @param {number | undefined} seat
   * @param {number} delay
   * @param {number} duration
   */
  countUp(seat, delay, duration) {
    const node = this.figure(seat);
    const [from, to] = [this.points, node?.textContent].map((text) => Number((text ?? "").replace("−", "-")));
    if (!node || !Number.isFinite(from) || !Number.isFinite(to) || from === to) return;
    const last = String(node.textContent);
    const finish = () => {
      cancelAnimationFrame(running);
      setText(node, last);
    };
    const start = performance.now() + delay;
    const step = (/** @type {number} */ now) => {
      const part = Math.min(1, Math.max(0, (now - start) / duration));
      if (part === 1) return finish();
      setText(node, String(Math.round(from + (to - from) * part)).replace("-", "−"));
      running = requestAnimationFrame(step);
      return undefined;
    };
    setText(node, String(from).replace("-", "−"));
    let running = requestAnimationFrame(step);
    this.counts.push(finish);
  }
}
