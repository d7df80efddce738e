// Which game, how many players, and the options of its rules: fields that screens share.
import { el } from "../dom.js";
import { check, choice, field, line } from "./parts.js";

// One option of the rules. Defaults are left out of `options`; `changed` is called with every change.
/**
 * @param {RuleOption} option
 * @param {Record<string, Json>} options
 */
export function optionField(option, options, changed = () => {}) {
  const value = option.name in options ? options[option.name] : option.usual;
  const put = (/** @type {Json} */ now) => {
    if (JSON.stringify(now) === JSON.stringify(option.usual)) delete options[option.name];
    else options[option.name] = now;
    changed();
  };
  if (option.kind === "flag") return check(option.label, value, put);
  if (option.kind === "number") {
    const input = line({
      value: String(value ?? ""),
      placeholder: option.empty || String(option.usual ?? ""),
      inputmode: "numeric",
      class: "nl-input nl-wide",
      "data-option-name": option.name,
    });
    input.addEventListener("change", () =>
      put(/^\d{1,9}$/.test(input.value.trim()) ? Number(input.value) : option.usual),
    );
    return field(option.label, input);
  }
  const choices = option.choices ?? [];
  const texts = choices.map((one) => /** @type {Pair} */ ([JSON.stringify(one.value), one.label]));
  return choice(option.label, texts, JSON.stringify(value), (text) => put(JSON.parse(text)), {
    "data-option-name": option.name,
  });
}

// How many may play a game, to choose from.
/**
 * @param {GameForm} game
 * @returns {Pair[]}
 */
export function counts({ players: [fewest, most] }) {
  return Array.from({ length: most - fewest + 1 }, (_, at) => [fewest + at, String(fewest + at)]);
}

// A whole choice of a game. `setup` is { game, players, options }; `changed` gets a new one.
/**
 * @param {GameForm[]} games
 * @param {Setup} setup
 * @param {Labels} labels
 * @param {(setup: Setup) => void} changed
 * @param {{ players?: boolean }} how
 */
export function gameFields(games, setup, labels, changed, { players = true } = {}) {
  const game = games.find((one) => one.name === setup.game) ?? games[0];
  const numbers = counts(game);
  const options = { ...setup.options };
  const send = (/** @type {Partial<Setup>} */ change) =>
    changed({ game: game.name, players: setup.players, options, ...change });
  return el(
    "div",
    { class: "nl-game-fields" },
    choice(
      labels.game,
      games.map((one) => /** @type {Pair} */ ([one.name, one.title])),
      game.name,
      (name) => {
        const other = games.find((one) => one.name === name) ?? game;
        const fits = setup.players >= other.players[0] && setup.players <= other.players[1];
        send({ game: name, players: fits ? setup.players : other.usual, options: {} });
      },
      { "data-do": "game" },
    ),
    players
      ? choice(labels.players, numbers, setup.players, (value) => send({ players: Number(value) }), {
          "data-do": "players",
        })
      : null,
    game.options.length
      ? el(
          "details",
          { class: "nl-more", open: Object.keys(options).length > 0 },
          el("summary", {}, labels.more),
          game.options.map((option) => optionField(option, options, () => send({}))),
        )
      : null,
  );
}
