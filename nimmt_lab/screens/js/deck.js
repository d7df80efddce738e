// All cards of a deck to click: one tab stop, the arrow keys walk, Enter picks. Cards that lie somewhere say where.
import { el } from "./dom.js";
import { cardNode } from "./card.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10, Home: -1000, End: 1000 };

export class Deck {
  // `label` names the group; `pick` gets a card.
  /**
   * @param {string} label
   * @param {(card: number) => void} pick
   */
  constructor(label, pick) {
    this.pick = pick;
    this.node = el("div", { class: "nl-deck", role: "group", "aria-label": label });
    this.at = 0;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    this.node.addEventListener("keydown", (event) => this.key(/** @type {At<KeyboardEvent>} */ (event)));
  }

  // `cards` to show; `where` says of some of them where they lie; `off` are those that may not be picked.
  /**
   * @param {Scene} scene
   * @param {number[]} cards
   * @param {{ where?: Map<number, string>, here?: Set<number>, off?: Set<number> }} marks
   */
  show(scene, cards, { where = new Map(), here = new Set(), off = new Set() } = {}) {
    const inside = this.node.contains(document.activeElement);
    this.buttons = cards.map((card) => {
      const note = where.get(card) ?? "";
      const node = cardNode(scene, card, { tag: "button", extra: `nl-option${note ? " nl-lies" : ""}`, note });
      if (here.has(card)) node.setAttribute("aria-pressed", "true");
      if (note) node.title = note;
      node.disabled = off.has(card);
      node.addEventListener("click", () => {
        this.at = cards.indexOf(card);
        this.pick(card);
      });
      return node;
    });
    this.node.replaceChildren(...this.buttons);
    this.rove(Math.min(this.at, this.buttons.length - 1));
    if (inside) this.buttons[this.at]?.focus({ preventScroll: true });
  }

  /** @param {number} at */
  rove(at) {
    this.at = Math.max(at, 0);
    for (const [number, button] of this.buttons.entries()) button.setAttribute("tabindex", number === this.at ? 0 : -1);
  }

  /** @param {At<KeyboardEvent>} event */
  key(event) {
    const step = STEPS[event.key];
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.rove(
      Math.min(
        Math.max(this.buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + step, 0),
        this.buttons.length - 1,
      ),
    );
    this.buttons[this.at]?.focus();
  }
}
