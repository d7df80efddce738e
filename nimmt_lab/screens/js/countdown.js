// A clock that runs down on this device: Python says once how many seconds are left.
import { setText } from "./dom.js";

// Minutes and seconds.
/** @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

export class Countdown {
  /**
   * @param {HTMLElement} node
   * @param {(text: string) => string} words
   * @param {string} ended
   */
  constructor(node, words, ended) {
    this.node = node;
    this.words = words;
    this.ended = ended;
    /** @type {number | undefined} */
    this.timer = undefined;
  }

  /** @param {number | null | undefined} left seconds, or none */
  set(left) {
    clearInterval(this.timer);
    this.node.hidden = left === null || left === undefined;
    if (left === null || left === undefined) return;
    const until = performance.now() + 1000 * left;
    const draw = () => {
      const now = (until - performance.now()) / 1000;
      setText(this.node, now > 0 ? this.words(clockText(now)) : this.ended);
      this.node.classList.toggle("nl-late", now <= 10);
      if (now <= 0) clearInterval(this.timer);
    };
    this.timer = setInterval(draw, 500);
    draw();
  }

  stop() {
    clearInterval(this.timer);
  }
}
