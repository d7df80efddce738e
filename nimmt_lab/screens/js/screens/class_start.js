// A part of Teach: a class on phones, and what a class found, pooled.
import { button, el, Life } from "../dom.js";
import { check } from "./parts.js";

/** @param {View<Part<ClassStartData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const root = el("section", { class: "nl-class-start" });
  holder.append(root);
  let lan = true;
  const draw = () => {
    const { labels, lines, wall, running, busy } = model.data;
    const set = (/** @type {boolean} */ on) => {
      lan = on;
    };
    root.replaceChildren(
      el("h2", {}, labels.title),
      el("p", { class: "nl-note-line" }, labels.text),
      running ? "" : check(labels.lan, lan, set, { "data-do": "class-lan" }),
      el(
        "div",
        { class: "nl-bar" },
        running
          ? button(labels.end, () => model.send({ type: "end" }), { "data-do": "class-end" })
          : button(labels.start, () => model.send({ type: "start", lan }), {
              class: "nl-primary",
              disabled: busy,
              "data-do": "class-start",
            }),
        wall ? el("a", { class: "nl-button", href: wall, target: "_blank", rel: "noopener" }, labels.wall) : "",
        button(labels.pool, () => model.send({ type: "pool" }), { disabled: busy, "data-do": "class-pool" }),
      ),
      el(
        "div",
        { role: "status" },
        lines.map((text) => el("p", {}, text)),
      ),
    );
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (/** @type {Refused} */ message) => {
    root.append(el("p", { class: "nl-told", role: "alert" }, message.text));
  });
  return () => life.end();
}

export default { render };
