// A position set up by hand: drag a card to its place, or choose a place and pick its cards. The line of text says the
// same, and can be typed.
import { button, el, focusIn, Life, setText } from "../dom.js";
import { cardNode } from "../card.js";
import { Deck } from "../deck.js";
import { gameFields } from "./game_fields.js";
import { field, line } from "./parts.js";

/** How far a pointer moves before it drags. */
const FAR = 6;

/** @param {View<Part<SetupData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const { labels } = model.data;
  const form = el("div", {});
  const rows = el("div", { class: "nl-felt" });
  const hands = el("div", { class: "nl-setup-hands" });
  /** @param {number} card @param {string} place */
  const put = (card, place) => model.send({ type: "put", place, card });
  /** @param {number} card */
  const home = (card) => model.data.places.find(({ cards }) => cards.includes(card))?.key;
  let dragged = false;
  const deck = new Deck(labels.deck, (card) => dragged || put(card, model.data.place));
  const text = line({ class: "nl-input nl-answer nl-whole", "data-do": "text" }, (said) =>
    model.send({ type: "text", text: said }),
  );
  text.addEventListener("change", () => model.send({ type: "text", text: text.value }));
  const told = el("p", { class: "nl-told", role: "status" });
  const done = button(labels.done, () => model.send({ type: "done" }), { class: "nl-primary", "data-do": "done" });
  const clear = button(labels.clear, () => model.send({ type: "clear" }), { "data-do": "clear" });
  const deal = button(labels.deal, () => model.send({ type: "deal" }), { "data-do": "deal" });
  const root = el(
    "section",
    { class: "nl-setup" },
    form,
    el("div", { class: "nl-setup-table" }, rows, hands, el("div", { class: "nl-setup-deck" }, deck.node, told)),
    el("div", { class: "nl-setup-end" }, field(labels.text, text), el("div", { class: "nl-bar" }, deal, clear, done)),
  );
  holder.append(root);

  /** @param {SetupData["places"][number]} place */
  const placeNode = ({ key, name, cards, room, takes }) => {
    const [what, number] = key.split(" ");
    const at = Number(number);
    const letters = new Map(model.data.scene.seats.map(({ seat, letter }) => [seat, letter]));
    const held = cards.map((card) => cardNode(model.data.scene, card));
    const slots = Array.from({ length: Math.max(room, held.length + (what === "row" ? 0 : 1)) }, (_, slot) =>
      el("div", { class: "nl-slot" }, held[slot]),
    );
    const label = button("", () => model.send({ type: "place", place: key }), {
      class: "nl-place-button",
      "data-place": key,
      "aria-pressed": String(key === model.data.place),
      "aria-label": [name, ...cards].join(" "),
    });
    label.append(
      what === "row"
        ? el("span", { class: `nl-tag nl-tint-${at % 10}` }, String(at + 1))
        : el("span", {}, el("i", { class: "nl-avatar" }, letters.get(at) ?? ""), el("b", {}, name)),
    );
    const node = el(
      "div",
      {
        class: `nl-spot nl-spot-${what} ${what === "row" ? "nl-lane" : `nl-of-${Math.abs(at) % 10}`}`,
        "data-drop": key,
      },
      label,
      el("div", { class: "nl-slots" }, slots),
      takes ? el("div", { class: "nl-notch" }, el("span", {}, String(takes))) : null,
    );
    // A card goes back to the deck; a tap beside it chooses the place.
    node.addEventListener("click", (event) => {
      const card = /** @type {HTMLElement} */ (event.target).closest("[data-card]");
      if (dragged || label.contains(/** @type {Node} */ (event.target))) return;
      if (card) put(Number(card.getAttribute("data-card")), key);
      else label.click();
    });
    return node;
  };

  /** @type {{ card: number, x: number, y: number, ghost?: HTMLElement, over?: Element | null } | null} */
  let drag = null;
  // A finger scrolls, so it taps instead.
  root.addEventListener("pointerdown", (event) => {
    const node = /** @type {HTMLElement} */ (event.target).closest("[data-card]");
    dragged = false;
    if (!node || event.pointerType === "touch" || event.button) return;
    drag = { card: Number(node.getAttribute("data-card")), x: event.clientX, y: event.clientY };
  });
  life.on(document, "pointermove", (event) => {
    if (!drag) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.ghost) {
      drag.ghost = cardNode(model.data.scene, drag.card, { extra: "nl-dragged" });
      root.append(drag.ghost);
    }
    drag.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    drag.over?.classList.remove("nl-target");
    const under = document.elementFromPoint(event.clientX, event.clientY);
    drag.over = under?.closest("[data-drop],.nl-deck");
    drag.over?.classList.add("nl-target");
  });
  /** @param {boolean} drops */
  const letGo = (drops) => {
    const { card, ghost, over } = drag ?? {};
    drag = null;
    if (card === undefined || !ghost) return;
    dragged = true; // until the pointer is pressed again: the click that follows means nothing
    ghost.remove();
    over?.classList.remove("nl-target");
    if (!drops || !over) return;
    const from = home(card);
    const to = over.getAttribute("data-drop") ?? from;
    if (to && (to !== from || !over.hasAttribute("data-drop"))) put(card, to);
  };
  life.on(document, "pointerup", () => letGo(true));
  life.on(document, "pointercancel", () => letGo(false));
  life.on(document, "keydown", (event) => {
    dragged = false;
    if (event.key === "Escape") letGo(false);
  });

  const draw = () => {
    const { games, setup, choose, scene, deck: cards, places: all, place, text: said } = model.data;
    const { told: wrong, hidden, empty } = model.data;
    const focused = focusIn(form)?.dataset.do;
    form.replaceChildren(gameFields(games, setup, choose, (now) => model.send({ type: "game", setup: now })));
    if (focused) form.querySelector(`[data-do='${focused}']`)?.focus();
    const here = document.activeElement?.dataset?.place;
    const isRow = (/** @type {{ key: string }} */ { key }) => key.startsWith("row");
    rows.replaceChildren(...all.filter(isRow).map(placeNode));
    hands.replaceChildren(...all.filter((one) => !isRow(one)).map(placeNode));
    root.classList.toggle("nl-many", rows.childElementCount > 6);
    if (here) root.querySelector(`button[data-place='${here}']`)?.focus();
    const where = new Map(all.flatMap(({ name, cards: held }) => held.map((card) => [card, name])));
    const now = new Set(all.find(({ key }) => key === place)?.cards ?? []);
    deck.show(scene, cards, { where, here: now });
    if (document.activeElement !== text) text.value = said;
    say(empty ? "" : wrong || hidden);
    done.disabled = Boolean(wrong) || empty;
  };
  // The place of the message is never empty: nothing jumps.
  /** @param {string} words */
  const say = (words) => {
    setText(told, words || labels.how);
    told.classList.toggle("nl-calm", !words);
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => say(message.text ?? ""));
  return () => life.end();
}

export default { render };
