// A game taken down as it is played: rows, then everybody's cards, turn by turn.
import { button, el, fill, focusIn, Life, setText } from "../dom.js";
import { Board } from "../board.js";
import { cardNode } from "../card.js";
import { Deck } from "../deck.js";
import { gameFields } from "./game_fields.js";
import { line } from "./parts.js";

/** @param {View<Part<RecordGameData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const { labels } = model.data;
  const form = el("div", {});
  const table = el("div", {});
  const prompt = el("p", { class: "nl-prompt", role: "status" });
  const deck = new Deck(labels.deck, (card) => model.send({ type: "card", card }));
  const options = el("div", { class: "nl-choice-rows" });
  const seats = el("ol", { class: "nl-takers" });
  const told = el("p", { class: "nl-told", role: "alert" });
  const bar = el("div", { class: "nl-bar" });
  holder.append(
    el(
      "section",
      { class: "nl-record-game" },
      el("div", { class: "nl-setup-left" }, form, table, seats),
      el("div", { class: "nl-setup-right" }, prompt, options, deck.node, told, bar),
    ),
  );
  const seatNode = (/** @type {TakenSeat} */ seat, /** @type {RecordGameData} */ data) => {
    const name = line({
      value: seat.name,
      placeholder: seat.letter,
      maxlength: 40,
      "aria-label": `${labels.name} ${seat.letter}`,
      class: "nl-input nl-seat-name",
      "data-name": seat.letter,
    });
    name.addEventListener("change", () => model.send({ type: "name", letter: seat.letter, name: name.value }));
    const entering = data.entering === seat.seat;
    const hand = data.hidden
      ? button(
          entering ? labels.hand_done : labels.hand,
          () => model.send({ type: "hand", seat: entering ? null : seat.seat }),
          { "data-hand": seat.letter, "aria-pressed": String(entering) },
        )
      : null;
    return el(
      "li",
      { class: seat.asked ? "nl-acting" : "" },
      el("b", { class: "nl-letter" }, seat.letter),
      name,
      hand,
      el("span", { class: "nl-given" }, seat.given),
      seat.cards.length
        ? el(
            "span",
            { class: "nl-cards" },
            seat.cards.map((card) => cardNode(data.scene, card)),
          )
        : null,
    );
  };
  // What took an evening is not given up by one click.
  const afresh = () => {
    let sure = false;
    const node = button(
      labels.afresh,
      () => {
        if (sure) model.send({ type: "game", setup: {} });
        sure = true;
        setText(node, labels.sure);
      },
      { "data-do": "afresh" },
    );
    node.addEventListener("blur", () => {
      sure = false;
      setText(node, labels.afresh);
    });
    return node;
  };
  const draw = () => {
    const { data } = model;
    const active = focusIn(seats);
    const back = active
      ? active.dataset.name
        ? `[data-name='${active.dataset.name}']`
        : `[data-hand='${active.dataset.hand}']`
      : null;
    form.replaceChildren(
      ...(data.began
        ? []
        : [gameFields(data.games, data.setup, data.choose, (now) => model.send({ type: "game", setup: now }))]),
    );
    if (data.laid && data.scene.frames.length) {
      const board = new Board(data.scene);
      board.show(data.scene.frames[0]);
      table.replaceChildren(board.node);
    } else {
      table.replaceChildren(
        el(
          "div",
          { class: "nl-cards nl-begun" },
          data.rows.map((card) => cardNode(data.scene, card)),
        ),
      );
    }
    setText(prompt, data.prompt);
    const held = new Set(data.entering === null ? data.picked : data.seats[data.entering].cards);
    deck.show(data.scene, data.cards, { here: held });
    deck.node.hidden = !data.cards.length;
    options.replaceChildren(
      ...data.options.map((option) => {
        const text =
          option.row === undefined ? (option.label ?? "") : fill(data.scene.labels.row, { row: option.row + 1 });
        return button(text, () => model.send({ type: "choose", choice: option.text }), {
          class: "nl-option-words",
          "data-option": option.text,
        });
      }),
    );
    seats.replaceChildren(...data.seats.map((seat) => seatNode(seat, data)));
    if (back) seats.querySelector(back)?.focus();
    bar.replaceChildren(
      button(labels.done, () => model.send({ type: "done" }), {
        class: data.prompt === labels.over ? "nl-primary" : "",
        "data-do": "done",
        disabled: !data.playing,
      }),
      button(labels.undo, () => model.send({ type: "undo" }), { "data-do": "undo", disabled: !data.began }),
      data.began ? afresh() : "",
    );
    setText(told, "");
    told.hidden = true;
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => {
    draw(); // restore a refused field
    setText(told, message.text ?? "");
    told.hidden = !message.text;
  });
  return () => life.end();
}

export default { render };
