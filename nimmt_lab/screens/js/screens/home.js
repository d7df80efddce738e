// The door: names of the screens, the language, and the screen one is at. On a telephone the names are within reach of
// the thumb.
import { Address } from "../address.js";
import { button, el, Life, setText } from "../dom.js";
import { bull } from "../card.js";
import { stroke } from "../icons.js";
import { slot } from "../part.js";
import { choice } from "./parts.js";

/** @type {Record<string, string>} */
const SIGNS = { learn: "home", play: "cards", practise: "target", analyse: "search" };

/** @param {View<Part<HomeData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const address = new Address(model, life);
  const head = el("header", { class: "nl-door" });
  const told = el("p", { class: "nl-told", role: "status" });
  const asks = el("div", { class: "nl-bar nl-leave-ask nl-card-panel", role: "group", hidden: true });
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

  /** @param {HomeData["doors"][number]} door */
  const name = ({ name: to, title }) => {
    const node = button("", () => model.send({ type: "go", to }), { class: "nl-door-name", "data-door": to });
    node.append(SIGNS[to] ? stroke(SIGNS[to]) : "", el("span", {}, title));
    if (to === model.data.now) node.setAttribute("aria-current", "page");
    return node;
  };
  /** @type {HTMLElement | undefined} */
  let opener;
  /** @param {boolean} open */
  const unfold = (open) => opener?.setAttribute("aria-expanded", String(open));
  const isOpen = () => opener?.getAttribute("aria-expanded") === "true";

  const drawHead = () => {
    const { labels, doors, now, languages, lang } = model.data;
    const rest = doors.filter((door) => door.more);
    const here = rest.find((door) => door.name === now);
    opener = button("", () => unfold(!isOpen()), {
      class: "nl-door-name nl-door-more",
      "data-do": "more",
      "aria-expanded": "false",
      "aria-current": here ? "true" : null,
    });
    opener.append(stroke("dots"), el("span", {}, here ? here.title : labels.more), stroke("more", 16));
    head.replaceChildren(
      el("span", { class: "nl-brand" }, bull(28), el("span", {}, labels.name)),
      el(
        "nav",
        { "aria-label": labels.doors },
        doors.filter((door) => !door.more).map(name),
        rest.length
          ? el("div", { class: "nl-more-box" }, opener, el("div", { class: "nl-more-menu" }, rest.map(name)))
          : null,
      ),
      el(
        "div",
        { class: "nl-door-tools" },
        choice(labels.language, languages, lang, (value) => model.send({ type: "lang", lang: value }), {
          hidden: true,
        }),
        leaveButton(labels.leave),
      ),
    );
  };
  /** @param {string} words */
  const leaveButton = (words) => {
    const node = button("", () => leave(), { class: "nl-quiet", "data-do": "leave-here" });
    node.append(stroke("leave"), el("span", {}, words));
    return node;
  };

  let drawn = "";
  const draw = () => {
    const { told: said, labels, doors, now, languages, lang } = model.data;
    setText(told, said);
    told.hidden = !said;
    drawAsks();
    const key = JSON.stringify([labels, doors, now, languages, lang]);
    if (key === drawn) return; // a place inside a screen changes nothing here
    drawn = key;
    drawHead();
  };
  // The menu closes by Escape, and by whatever happens outside it.
  life.on(document, "keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    unfold(false);
    opener?.focus();
  });
  life.on(document, "pointerdown", (event) => {
    if (isOpen() && !event.target.closest(".nl-more-box")) unfold(false);
  });
  draw();
  life.model(model, "change", draw);
  life.model(model, "change:place", () => address.follow(model.data.place)); // only now: a screen opens before its place is told
  slot(model, "screen", main, life);
  return () => life.end();
}

export default { render };
