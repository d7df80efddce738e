// The door: names of the screens, the language, and the screen one is at.
import { button, el, Life, setText } from "../dom.js";
import { bull } from "../card.js";
import { stroke } from "../icons.js";
import { slot } from "../part.js";
import { choice } from "./parts.js";

/** @param {View<Part<HomeData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const head = el("header", { class: "nl-door" });
  const told = el("p", { class: "nl-told", role: "status" });
  const asks = el("div", { class: "nl-bar nl-leaving", role: "group", hidden: true });
  const main = el("main", { class: "nl-screen" });
  const root = el("div", { class: "nl-home" }, head, asks, told, main);
  holder.append(root);
  /** @param {boolean} [sure] */
  const leave = (sure) => model.send(sure === undefined ? { type: "leave" } : { type: "leave", sure });
  let asked = false;
  const drawAsks = () => {
    const { labels } = model.data;
    asks.hidden = !model.data.asks;
    if (asks.hidden === !asked) return;
    asked = !asks.hidden;
    asks.replaceChildren();
    if (!asked) return;
    const stay = button(labels.stay, () => leave(false), { "data-do": "stay" });
    asks.append(
      el("p", {}, labels.leave_ask),
      button(labels.leave_sure, () => leave(true), { class: "nl-primary", "data-do": "leave-sure" }),
      stay,
    );
    asks.setAttribute("aria-label", labels.leave);
    stay.focus();
  };
  const draw = () => {
    setText(told, model.data.told);
    told.hidden = !model.data.told;
    drawAsks();
    const { labels, doors, now, languages, lang } = model.data;
    const brand = el("span", { class: "nl-brand" }, bull(26), el("span", {}, labels.name));
    const names = doors.map(({ name, title }) => {
      const node = button(title, () => model.send({ type: "go", to: name }), {
        class: "nl-door-name",
        "data-door": name,
      });
      if (name === now) node.setAttribute("aria-current", "page");
      return node;
    });
    // In a narrow window all of this is behind one button.
    const menu = el(
      "div",
      { class: "nl-door-menu" },
      el("nav", { "aria-label": labels.doors }, names),
      choice(labels.language, languages, lang, (value) => model.send({ type: "lang", lang: value }), { hidden: true }),
      button(labels.leave, () => leave(), { "data-do": "leave-here" }),
    );
    const open = button(
      labels.menu,
      () => open.setAttribute("aria-expanded", String(menu.classList.toggle("nl-open"))),
      { class: "nl-quiet nl-door-open", "data-do": "menu", "aria-expanded": "false" },
    );
    open.append(stroke("more", 18));
    head.replaceChildren(brand, open, menu);
  };
  draw();
  life.model(model, "change", draw);
  slot(model, "screen", main, life);
  return () => life.end();
}

export default { render };
