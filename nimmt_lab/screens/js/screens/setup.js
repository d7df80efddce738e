// A position set up by clicking: a place, then its cards. The line of text below says the same, and can be typed.
import { button, el, focusIn, Life, setText } from "../dom.js";
import { cardNode } from "../card.js";
import { Deck } from "../deck.js";
import { gameFields } from "./game_fields.js";
import { field, line } from "./parts.js";

/** @param {View<Part<SetupData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const { labels } = model.data;
  const form = el("div", {});
  const places = el("div", { class: "nl-places", role: "group", "aria-label": labels.places });
  const deck = new Deck(labels.deck, (card) => model.send({ type: "put", place: model.get("place"), card }));
  const text = line({ class: "nl-input nl-answer nl-whole", "data-do": "text" }, (said) =>
    model.send({ type: "text", text: said }),
  );
  text.addEventListener("change", () => model.send({ type: "text", text: text.value }));
  const told = el("p", { class: "nl-told", role: "status" });
  const done = button(labels.done, () => model.send({ type: "done" }), { class: "nl-primary", "data-do": "done" });
  const clear = button(labels.clear, () => model.send({ type: "clear" }), { "data-do": "clear" });
  const deal = button(labels.deal, () => model.send({ type: "deal" }), { "data-do": "deal" });
  holder.append(
    el(
      "section",
      { class: "nl-setup" },
      el("div", { class: "nl-setup-left" }, form, places),
      el(
        "div",
        { class: "nl-setup-right" },
        el("p", { class: "nl-note-line" }, labels.how),
        deck.node,
        field(labels.text, text),
        told,
        el("div", { class: "nl-bar" }, done, deal, clear),
      ),
    ),
  );
  const draw = () => {
    const {
      games,
      setup,
      choose,
      scene,
      deck: cards,
      places: all,
      place,
      text: said,
      told: wrong,
      hidden,
      empty,
    } = model.data;
    const focused = focusIn(form)?.dataset.do;
    form.replaceChildren(gameFields(games, setup, choose, (now) => model.send({ type: "game", setup: now })));
    if (focused) form.querySelector(`[data-do='${focused}']`)?.focus();
    const here = document.activeElement?.dataset?.place;
    places.replaceChildren(
      ...all.map(({ key, name, cards: held }) => {
        const node = button("", () => model.send({ type: "place", place: key }), {
          class: "nl-place-button",
          "data-place": key,
          "aria-pressed": String(key === place),
        });
        node.replaceChildren(
          el("b", {}, name),
          el(
            "span",
            { class: "nl-cards" },
            held.map((card) => cardNode(scene, card)),
          ),
        );
        return node;
      }),
    );
    if (here) places.querySelector(`[data-place='${here}']`)?.focus();
    const where = new Map(all.flatMap(({ name, cards: held }) => held.map((card) => [card, name])));
    const now = new Set(all.find(({ key }) => key === place)?.cards ?? []);
    deck.show(scene, cards, { where, here: now });
    if (document.activeElement !== text) text.value = said;
    const words = empty ? labels.begin : wrong || hidden;
    setText(told, words);
    told.hidden = !words;
    done.disabled = Boolean(wrong) || empty;
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => {
    setText(told, message.text ?? "");
    told.hidden = !message.text;
  });
  return () => life.end();
}

export default { render };
