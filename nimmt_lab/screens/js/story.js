// The log beside the board: one line per event, grouped by turn. Clicking a line goes there; the board's line is marked.
import { el } from "./dom.js";

export class Story {
  /**
   * @param {Scene} scene
   * @param {((at: number) => void) | null} onPick
   */
  constructor(scene, onPick) {
    this.onPick = onPick;
    this.labels = scene.labels;
    /** @type {HTMLElement[]} */
    this.lines = [];
    /** @type {{ node: HTMLElement, first: number }[]} */
    this.turns = [];
    this.last = -1; // the last line that is listed
    /** @type {HTMLElement | null} */
    this.current = null;
    this.list = el("ol", { class: "nl-log-list" });
    this.heading = el("h2", {}, scene.labels.log);
    // A log that scrolls can be reached by keys; one to pick from is reached by its line of now.
    this.node = el(
      "section",
      { class: "nl-log", "aria-label": scene.labels.log, tabindex: onPick ? null : 0, role: "region" },
      this.heading,
      this.list,
    );
  }

  /** @param {Told[]} frames */
  fill(frames) {
    this.current = null;
    this.lines = [];
    this.turns = [];
    this.last = frames.length - 1;
    /** @type {{ name: string, branch: boolean, items: HTMLElement } | null} */
    let group = null;
    frames.forEach((frame, at) => {
      if (!group || group.name !== frame.group || group.branch !== Boolean(frame.branch)) {
        group = { name: frame.group, branch: Boolean(frame.branch), items: el("ol", { class: "nl-log-turn" }) };
        const head = el("h3", {}, frame.group);
        const node = el("li", { class: group.branch ? "nl-log-branch" : "" }, head, group.items);
        this.turns.push({ node, first: at });
      }
      const look = { class: `nl-log-line${frame.trap ? " nl-log-trap" : ""}`, "data-at": at };
      const line = this.onPick ? el("button", { type: "button", tabindex: -1, ...look }) : el("div", look);
      line.textContent = frame.text || this.labels.start_text;
      line.addEventListener("click", () => this.onPick?.(at));
      group.items.append(el("li", {}, line));
      this.lines.push(line);
    });
    this.list.replaceChildren(...this.turns.map(({ node }) => node));
  }

  // In a log to pick from, the arrow keys of the board move on; the focus follows the line of now.
  follow() {
    if (this.onPick && this.list.contains(document.activeElement)) this.current?.focus({ preventScroll: true });
  }

  // What has not happened yet is not listed.
  /** @param {number} at */
  until(at) {
    // Only what changes is touched: a game has hundreds of lines.
    const on = at > this.last;
    const [from, to] = on ? [this.last, at] : [at, this.last];
    for (const line of this.lines.slice(from + 1, to + 1)) {
      /** @type {HTMLElement} */ (line.parentNode).hidden = !on;
    }
    for (const { node, first } of this.turns) if (first > from && first <= to) node.hidden = !on;
    this.last = at;
  }

  /** @param {number} at */
  mark(at) {
    this.current?.removeAttribute("aria-current");
    if (this.onPick) this.current?.setAttribute("tabindex", -1);
    this.current = this.lines[at] ?? null;
    if (!this.current) return;
    this.current.setAttribute("aria-current", "step");
    if (this.onPick) this.current.setAttribute("tabindex", 0); // the whole log is one tab stop
    this.sight();
  }

  // Scroll the log, never the notebook.
  sight() {
    const line = this.current;
    if (!line) return;
    const box = this.node.getBoundingClientRect();
    const here = line.getBoundingClientRect();
    if (here.top < box.top + 28) this.node.scrollTop += here.top - box.top - 28;
    else if (here.bottom > box.bottom) this.node.scrollTop += here.bottom - box.bottom + 4;
  }
}
