// First, back, play, next, last, a scrub bar, and the speed.
import { el, fill, setText, svg } from "./dom.js";

/** @type {Record<string, string>} */
const ICONS = {
  first: "M3 3h2v10H3z M13 3v10L6 8z",
  previous: "M11 3v10L4 8z",
  play: "M4 2v12l9-6z",
  pause: "M4 3h3v10H4z M9 3h3v10H9z",
  next: "M5 3v10l7-5z",
  last: "M11 3h2v10h-2z M3 3v10l7-5z",
};
export const SPEEDS = [0.5, 1, 2, 4];

/** @param {string} name */
export function icon(name) {
  return svg(
    "svg",
    { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" },
    svg("path", { d: ICONS[name], fill: "currentColor" }),
  );
}

export class Controls {
  /**
   * @param {Scene} scene
   * @param {Life} life
   * @param {Actions} actions
   */
  constructor(scene, life, actions) {
    this.labels = scene.labels;
    /** @type {boolean | undefined} */
    this.playing = undefined;
    const button = (/** @type {Steering} */ name) => {
      const node = el(
        "button",
        {
          type: "button",
          class: "nl-control",
          title: this.labels[name],
          "aria-label": this.labels[name],
          "data-do": name,
        },
        icon(name),
      );
      life.on(node, "click", () => actions[name]());
      return node;
    };
    this.buttons = {
      first: button("first"),
      previous: button("previous"),
      play: button("play"),
      next: button("next"),
      last: button("last"),
    };
    this.scrub = el("input", {
      type: "range",
      min: 0,
      step: 1,
      class: "nl-scrub",
      "aria-label": this.labels.scrub.replace(/\{[^}]*\}/g, "").trim(),
    });
    life.on(this.scrub, "input", () => actions.go(Number(this.scrub.value)));
    this.place = el("span", { class: "nl-place" });
    this.speed = el("button", { type: "button", class: "nl-control nl-speed", "data-do": "speed" });
    life.on(this.speed, "click", () => actions.faster());
    this.node = el(
      "div",
      { class: "nl-controls", role: "toolbar", "aria-label": this.labels.a_replay },
      Object.values(this.buttons),
      this.scrub,
      this.place,
      this.speed,
    );
  }

  /**
   * @param {number} at
   * @param {number} last
   * @param {boolean} playing
   * @param {number} speed
   */
  show(at, last, playing, speed) {
    if (this.scrub.max !== String(last)) this.scrub.max = String(last);
    this.scrub.value = String(at);
    this.scrub.setAttribute("aria-valuetext", fill(this.labels.scrub, { at: at + 1, all: last + 1 }));
    setText(this.place, `${at + 1}/${last + 1}`);
    setText(this.speed, `${speed}×`);
    this.speed.setAttribute("aria-label", fill(this.labels.speed, { speed }));
    this.buttons.first.disabled = at === 0;
    this.buttons.previous.disabled = at === 0;
    this.buttons.next.disabled = at === last;
    this.buttons.last.disabled = at === last;
    if (this.playing === playing) return;
    this.playing = playing;
    const name = playing ? "pause" : "play";
    this.buttons.play.replaceChildren(icon(name));
    for (const attribute of ["title", "aria-label"]) this.buttons.play.setAttribute(attribute, this.labels[name]);
  }
}
