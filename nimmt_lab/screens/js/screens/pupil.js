// A page for a class: the pupil's code first, then everything.
import { button, el, Life, setText } from "../dom.js";
import { slot } from "../part.js";
import { choice, line } from "./parts.js";

/** @param {View<Part<PupilData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const form = el("main", { class: "nl-pupil" });
  const told = el("p", { class: "nl-feedback", role: "status" });
  const inside = el("div", {});
  holder.append(form, inside);
  const draw = () => {
    const { labels, languages, lang, code } = model.data;
    form.hidden = Boolean(code);
    setText(told, model.data.told);
    if (code) return;
    const enter = () => model.send({ type: "code", text: input.value });
    const input = line(
      { "aria-label": labels.code, placeholder: labels.code, maxlength: "40", autocapitalize: "characters" },
      enter,
    );
    form.replaceChildren(
      choice(labels.language, languages, lang, (value) => model.send({ type: "lang", lang: value }), { hidden: true }),
      el("h1", {}, labels.title),
      el("p", {}, labels.text),
      el("div", { class: "nl-bar" }, input, button(labels.start, enter, { class: "nl-primary", "data-do": "code" })),
      told,
    );
  };
  draw();
  life.model(model, "change:labels", draw);
  life.model(model, "change:code", draw);
  life.model(model, "change:told", () => setText(told, model.data.told));
  slot(model, "home", inside, life);
  return () => life.end();
}

export default { render };
