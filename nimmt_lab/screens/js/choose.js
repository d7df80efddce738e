// Choose a card, a row or another option by mouse or keyboard. Focus on an option shows its aim.
import { el, fill, uid } from "./dom.js";
import { cardNode, signParts } from "./card.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

// One question's options as buttons in a row; arrow keys walk, Enter or a click picks.
export class Chooser {
  /**
   * @param {Scene} scene
   * @param {Choices} question
   * @param {Choosing} how
   */
  constructor(scene, question, { pick, look, hints = {}, selected = null, note = null, lift = null }) {
    this.scene = scene;
    this.question = question;
    this.pick = pick;
    this.look = look;
    this.lift = lift;
    this.groups = uid("groups"); // of which one at a time is open
    /** @type {Option | null} The option a finger has lifted. */
    this.lifted = null;
    /** @type {HTMLElement[]} */
    this.buttons = [];
    /** @type {Map<HTMLElement, HTMLElement>} What stands under a card: its own frame cuts off what is inside. */
    this.under = new Map();
    /** @type {{ cards: HTMLElement[], rows: HTMLElement[], groups: Map<string, HTMLElement[]> }} */
    const shown = { cards: [], rows: [], groups: new Map() };
    for (const option of question.options) {
      const button = this.button(option, hints[option.text], note);
      if (option.text === selected) button.setAttribute("aria-pressed", "true");
      if (option.card !== undefined) shown.cards.push(button);
      else if (option.row !== undefined) shown.rows.push(button);
      else {
        const group = option.group ?? "";
        shown.groups.set(group, [...(shown.groups.get(group) ?? []), button]);
      }
    }
    /** @type {HTMLElement[]} */
    const parts = [];
    if (shown.cards.length) {
      const cards = shown.cards.map((card) => {
        const meter = this.under.get(card);
        return meter ? el("div", { class: "nl-hinted" }, card, meter) : card;
      });
      parts.push(el("div", { class: "nl-cards nl-choice-cards" }, cards));
    }
    if (shown.rows.length) parts.push(el("div", { class: "nl-choice-rows" }, shown.rows));
    for (const [name, buttons] of shown.groups) parts.push(this.group(name, buttons));
    for (const composer of question.composers ?? []) parts.push(this.composer(composer, selected));
    this.buttons = parts.flatMap((part) => [...part.querySelectorAll(".nl-option")]);
    this.node = el("div", { class: "nl-chooser", role: "group", "aria-label": question.prompt }, parts);
    for (const [at, button] of this.buttons.entries()) button.setAttribute("tabindex", at === 0 ? 0 : -1);
    const pressed = this.buttons.find((button) => button.getAttribute("aria-pressed"));
    if (pressed) this.rove(pressed);
    this.node.addEventListener("keydown", (event) => this.key(/** @type {At<KeyboardEvent>} */ (event)));
  }

  // A long list folds away under its name.
  /**
   * @param {string} name
   * @param {HTMLElement[]} buttons
   */
  group(name, buttons) {
    if (!name) return el("div", { class: "nl-choice-list" }, buttons);
    const body = el("div", { class: "nl-choice-list" }, buttons);
    return this.folded(name, el("small", {}, ` ${buttons.length}`), this.rule(name), body);
  }

  /**
   * @param {string} name
   * @param {Children} parts a remark beside the name, then what folds away
   */
  folded(name, ...[remark, ...parts]) {
    const sign = this.sign(name);
    const words = sign ? [...signParts(sign), " ", el("span", {}, sign.name ?? "")] : [name];
    return el(
      "details",
      { class: "nl-choice-group", name: this.groups },
      el("summary", {}, words, remark),
      el("div", { class: "nl-choice-sheet" }, ...parts),
    );
  }

  /** @param {string} group */
  sign(group) {
    return this.scene.signs?.find(({ sign, name }) => name && group === `${sign} ${name}`);
  }

  // What a special card does, where its options are.
  /** @param {string} group */
  rule(group) {
    const found = this.sign(group);
    return found ? el("p", { class: "nl-note-line" }, found.text) : null;
  }

  /**
   * @param {Option} option
   * @param {Hint | undefined} hint
   * @param {Choosing["note"]} note
   */
  button(option, hint, note) {
    const { scene } = this;
    let node;
    if (option.card !== undefined) {
      node = cardNode(scene, option.card, { tag: "button", extra: "nl-option", note: hint?.text ?? "" });
    } else {
      const label = option.row === undefined ? option.label : fill(scene.labels.row, { row: option.row + 1 });
      node = el(
        "button",
        { type: "button", class: `nl-option nl-option-words${option.primary ? " nl-primary" : ""}` },
        label,
      );
      if (note) node.append(note(option) ?? "");
    }
    node.dataset.option = option.text;
    if (hint) {
      node.title = hint.text;
      if (hint.shown !== undefined) this.meter(node, /** @type {Estimate} */ (hint), option.card !== undefined);
    }
    node.addEventListener("click", (event) => {
      const touched = /** @type {PointerEvent} */ (event).pointerType === "touch";
      if (this.lift && touched && this.lifted !== option && option.card !== undefined) this.raise(node, option);
      else {
        this.lifted = null; // what comes next is another table's
        this.pick(option);
      }
    });
    node.addEventListener("focus", () => {
      this.rove(node);
      if (!this.quiet) this.look?.(option); // a card is aimed when somebody goes there, not when the focus is put there
    });
    // A finger has no hover: it lifts instead.
    const mouse = (/** @type {Event} */ event) => /** @type {PointerEvent} */ (event).pointerType !== "touch";
    node.addEventListener("pointerenter", (event) => mouse(event) && this.look?.(option));
    node.addEventListener("pointerleave", (event) => mouse(event) && this.look?.(this.lifted));
    node.addEventListener("blur", () => this.look?.(this.lifted));
    return node;
  }

  // The first tap lifts a card and shows where it would go, the second plays it.
  /**
   * @param {HTMLElement} node
   * @param {Option} option
   */
  raise(node, option) {
    for (const other of this.buttons) other.classList.toggle("nl-up", other === node);
    this.lifted = option;
    this.look?.(option);
    this.lift?.(option);
  }

  // What a search expects of an option: a bar and a figure, below a card or within a button.
  /**
   * @param {HTMLElement} node
   * @param {Estimate} hint
   * @param {boolean} below
   */
  meter(node, hint, below) {
    const width = `width:${Math.round(100 * hint.bar)}%`;
    const look = hint.part < 0.34 ? "low" : hint.part < 0.67 ? "middle" : "high";
    const meter = el(
      "span",
      { class: `nl-hint nl-hint-${look}`, "aria-hidden": "true" },
      el("span", { class: "nl-meter" }, el("i", { style: width })),
      el("b", {}, hint.shown),
    );
    if (below) this.under.set(node, meter);
    else node.append(meter);
  }

  // A choice put together from cards: click them one after the other; the last one completes it.
  /**
   * @param {Composer} composer
   * @param {string | null} selected
   */
  composer({ label, cards, count, before, join }, selected) {
    const given = selected?.startsWith(before) ? selected.slice(before.length).split(join).map(Number) : [];
    const picked = given.every((card) => cards.includes(card)) && given.length === count ? given : [];
    const buttons = cards.map((card) => cardNode(this.scene, card, { tag: "button", extra: "nl-option nl-compose" }));
    const draw = () => {
      buttons.forEach((button, at) => {
        const place = picked.indexOf(cards[at]);
        button.querySelector(".nl-order")?.remove();
        if (place < 0) button.removeAttribute("aria-pressed");
        else {
          button.setAttribute("aria-pressed", "true");
          button.append(el("span", { class: "nl-order" }, String(place + 1)));
        }
      });
    };
    buttons.forEach((button, at) => {
      button.addEventListener("focus", () => this.rove(button));
      button.addEventListener("click", () => {
        const place = picked.indexOf(cards[at]);
        if (place >= 0) picked.splice(place, 1);
        else if (picked.length === count) picked.splice(0, count, cards[at]);
        else picked.push(cards[at]);
        draw();
        if (picked.length === count) this.pick({ text: before + picked.join(join) });
      });
    });
    draw();
    const row = el("div", { class: "nl-cards nl-choice-cards" }, buttons);
    if (!label) return row;
    const words = el("p", { class: "nl-note-line" }, this.scene.labels.compose);
    return this.folded(label, null, this.rule(label), words, row);
  }

  /** @param {HTMLElement} button */
  rove(button) {
    for (const other of this.buttons) other.setAttribute("tabindex", other === button ? 0 : -1);
  }

  visible() {
    return this.buttons.filter((button) => button.closest("details:not([open])") === null);
  }

  /** @param {At<KeyboardEvent>} event */
  key(event) {
    const step = STEPS[event.key];
    if (step === undefined || event.target.tagName === "SUMMARY") return;
    const buttons = this.visible();
    const at = buttons.indexOf(event.target);
    if (at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }

  focus() {
    this.quiet = true;
    (
      this.buttons.find((button) => button.getAttribute("tabindex") === "0") ?? this.node.querySelector("summary")
    )?.focus({ preventScroll: true });
    this.quiet = false;
  }
}
