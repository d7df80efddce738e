// The legend: the signs on a board in words, behind one button, for screens without hover.
import { el, fill, uid } from "./dom.js";
import { signParts } from "./card.js";

const SCROLLS = /^(Arrow(Up|Down)|Page(Up|Down)|Home|End| )$/;

/**
 * @param {Scene} scene
 * @returns {Row[]}
 */
export function rowsOf(scene) {
  return scene.pool.filter(/** @returns {item is Row} */ (item) => item && "cards" in item && "notes" in item);
}

// Signs in rows: the card that takes, and blocked places.
/**
 * @param {Scene} scene
 * @returns {Sign[]}
 */
function inRows(scene) {
  const rows = rowsOf(scene);
  const taking = rows.filter((row) => !row.fields).flatMap((row) => row.takes || []);
  const takes = [...new Set(taking)].sort((a, b) => a - b);
  const lost = new Map(rows.flatMap((row) => row.lost).map((one) => [one.sign, one]));
  return [
    ...takes.map((number) => ({ kind: "take", sign: `${number}▸`, text: fill(scene.labels.place_taking, { number }) })),
    ...lost.values(),
  ];
}

/**
 * @param {Scene} scene
 * @returns {Sign[]}
 */
function onTheLine({ pool, frames, labels }) {
  if (!frames.some((frame) => /** @type {Zone[]} */ (pool[frame.zones])?.length)) return [];
  return [
    { sign: "▼", text: labels.sign_own },
    { sign: "●", text: labels.sign_seen },
    { sign: "○", text: labels.sign_unseen },
  ];
}

/** @param {Sign} sign */
function line(sign) {
  const { kind, name, text, fill: background, ink } = sign;
  /** @type {Attributes} */
  const look = { class: `nl-sign${kind ? ` nl-sign-${kind}` : ""}` };
  if (background) look.style = `background:${background};color:${ink}`;
  return el("li", {}, el("b", look, signParts(sign)), el("span", {}, name ? el("b", {}, `${name}: `) : null, text));
}

export class Signs {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    const id = uid("signs");
    /** @type {Attributes} */
    const region = { role: "region", "aria-label": scene.labels.signs, tabindex: 0 }; // many signs scroll: keys must, too
    this.node = el("div", { class: "nl-signs", id, ...region, hidden: true });
    this.button = el(
      "button",
      {
        type: "button",
        class: "nl-signs-button",
        "data-do": "signs",
        "aria-expanded": "false",
        "aria-controls": id,
        "aria-label": scene.labels.signs,
        title: scene.labels.signs,
      },
      "?",
    );
    this.button.addEventListener("click", () => this.open(this.node.hidden));
    for (const node of [this.node, this.button]) {
      node.addEventListener("keydown", (event) => {
        const { key } = /** @type {KeyboardEvent} */ (event);
        if (node === this.node && SCROLLS.test(key)) event.stopPropagation(); // the board around steps with these
        if (key !== "Escape" || this.node.hidden) return;
        event.stopPropagation();
        this.open(false);
        this.button.focus();
      });
    }
  }

  /** @param {boolean | string} on */
  open(on) {
    if (on)
      this.node.replaceChildren(
        el("ul", {}, [...this.scene.signs, ...inRows(this.scene), ...onTheLine(this.scene)].map(line)),
      );
    this.node.hidden = !on;
    this.button.setAttribute("aria-expanded", String(on));
  }
}
