// The last turn at a glance: whose card went where, and who took what. The whole log is one tap away.
import { el, fill } from "./dom.js";
import { headSign, nameOf } from "./marks.js";

/**
 * One card of the turn: placed in a row, perhaps after taking it.
 * @typedef {{ seat: number, card: number | undefined, row: number, heads: number | null, told: string[], trap: boolean }} Move
 */

/**
 * The lines of the turn that was told last.
 * @param {Told[]} told
 */
export function lastTurn(told) {
  const moved = told.findLastIndex((line) => line.focus?.kind === "place" || line.focus?.kind === "take");
  const { group } = told[Math.max(moved, 0)] ?? { group: "" };
  const from = told.findLastIndex((line, at) => at <= moved && line.group !== group);
  return moved < 0 ? told.slice(-4) : told.slice(from + 1);
}

export class LastTurn {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    this.rule = el("div", { class: "nl-last-rule" });
    this.list = el("ol", { class: "nl-last-list" });
    const { labels } = scene;
    this.node = el(
      "section",
      { class: "nl-last", "aria-label": labels.last_turn, tabindex: 0, role: "region" },
      el("header", {}, el("h2", {}, labels.last_turn), this.rule),
      this.list,
    );
  }

  /** @param {Told[]} told */
  show(told) {
    /** @type {(Move | Told)[]} */
    const items = [];
    const lines = lastTurn(told);
    const moved = lines.some(({ focus }) => focus?.kind === "place" || focus?.kind === "take");
    for (const line of lines) {
      const { focus } = line;
      const place = focus?.kind === "place";
      if (!focus || (!place && focus.kind !== "take") || focus.seat === undefined) {
        if (!moved || (focus && focus.kind !== "reveal" && focus.kind !== "score")) items.push(line);
        continue;
      }
      const [card] = focus.cards;
      const before = items.find((one) => "card" in one && one.card === card);
      if (before && "told" in before) {
        before.told.push(line.text);
        before.heads = place ? before.heads : (before.heads ?? 0) + (focus.heads ?? 0);
        continue;
      }
      items.push({
        seat: focus.seat,
        card,
        row: focus.rows[0],
        heads: place ? null : (focus.heads ?? 0),
        told: [line.text],
        trap: Boolean(line.trap),
      });
    }
    this.list.replaceChildren(...items.map((item) => ("told" in item ? this.move(item) : this.words(item))));
    this.node.scrollTop = 0;
  }

  /** @param {Told} line */
  words(line) {
    return el("li", { class: `nl-last-words${line.trap ? " nl-log-trap" : ""}` }, line.text);
  }

  /** @param {Move} move */
  move({ seat, card, row, heads, told, trap }) {
    const { scene } = this;
    const at = scene.seats.findIndex((other) => other.seat === seat);
    const name = nameOf(scene, scene.seats[at]);
    const where = `→ ${fill(scene.labels.row, { row: row + 1 })}`;
    const drawn = el(
      "span",
      { class: "nl-last-move", "aria-hidden": "true" },
      el("span", { class: "nl-avatar" }, [...name][0]?.toUpperCase() ?? ""),
      el("span", { class: "nl-name" }, name),
      card === undefined ? null : el("b", { class: "nl-mini" }, String(card)),
      el("span", { class: "nl-last-where" }, where),
      heads === null ? null : el("b", { class: "nl-last-heads" }, "+", headSign(), String(heads)),
    );
    const words = told.join(" ");
    return el(
      "li",
      { class: `nl-of-${at % 10}${heads === null ? "" : " nl-last-took"}${trap ? " nl-last-trap" : ""}`, title: words },
      drawn,
      el("span", { class: "nl-heard" }, words),
    );
  }
}
