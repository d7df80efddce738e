// A table to draw: four rows, two players, ten cards of the deck that matter. As `nimmt_lab/boards/film.py` writes it.

/** @type {Labels} */
const LABELS = {
  a_replay: "Replay",
  aim: "closest lower: {end} (+{difference})",
  aim_down: "closest higher: {end} (−{difference})",
  aim_low: "{card} fits nowhere",
  aim_takes: "{card} is card {number} of row {row}: {heads} heads",
  aim_takes_field: "{card} covers the last field of row {row}",
  aim_to: "{card} to row {row}, place {place}",
  card: "card {card}",
  compose: "Click them in order",
  first: "First",
  free: "free: {count}",
  hand_of: "hand of {who}",
  heads: "{heads} heads",
  hidden_card: "hidden",
  interval_none: "none",
  last: "Last",
  line_title: "Number line",
  log: "What happened",
  low_zone: "too low",
  next: "Next",
  over: "over",
  pause: "Pause",
  place_taking: "card {number} takes",
  play: "Play",
  points: "{points} points",
  previous: "Previous",
  row: "row {row}",
  scrub: "{at} of {all}",
  sign_own: "own",
  sign_seen: "seen",
  sign_unseen: "unseen",
  signs: "Signs",
  speed: "Speed {speed}",
  start_text: "The start",
  turn_only: "turn {turn} of {turns}",
  turn_round: "round {round}, turn {turn} of {turns}",
  unseen: "unseen: {count}",
  unseen_before: "unseen before {end}: {count}",
  in_hand: "in hand",
  this_turn: "This turn",
  you: "you",
  you_name: "You",
};

/**
 * @param {number[]} cards
 * @param {Partial<Row>} more
 * @returns {Row}
 */
export function row(cards, more = {}) {
  return { cards, places: 5, lost: [], takes: 6, heads: cards.length, notes: [], down: false, ...more };
}

/**
 * @param {Partial<Frame>} more
 * @returns {Frame}
 */
export function frame(more = {}) {
  return {
    round: 1,
    turn: 2,
    rows: [0, 1, 2, 3],
    seats: [4, 5],
    queue: 6,
    panels: 7,
    zones: 8,
    over: false,
    winners: [],
    group: "Turn 2",
    text: "A plays 20.",
    ...more,
  };
}

/**
 * @param {Partial<Scene>} more
 * @returns {Scene}
 */
export function scene(more = {}) {
  return {
    lang: "en",
    labels: LABELS,
    game: { name: "classic", title: "Classic", turns: 10, rounds: true, unit: true, limit: 66, scale: 66, more: false },
    seats: [
      { seat: 0, letter: "A", name: "Ann", open: true, you: true },
      { seat: 1, letter: "B", name: "B", open: false },
    ],
    deck: [1, 40],
    faces: { heads: { 5: 2, 10: 3, 11: 5, 12: 1, 20: 3, 22: 5, 30: 3, 33: 5, 40: 7 } },
    signs: [
      { kind: "head", sign: "", text: "bull heads" },
      { sign: "★", name: "Star", text: "a star" },
      { sign: "☘", name: "Luck", text: "draw again" },
    ],
    pool: [
      row([3, 5]),
      row([12]),
      row([21, 22, 23, 24, 25]),
      row([30], { notes: [{ sign: "▲", text: "goes down" }] }),
      { hand: [10, 33, 40], count: 3, pile: [1, 2], points: 3, badges: [] },
      { hand: null, count: 2, pile: [], points: -4, badges: [{ sign: "⇄", text: "unused" }] },
      [
        { seat: 1, card: 20, value: 20 },
        { seat: 0, card: 11, value: 16 },
      ],
      [{ kind: "stock", title: "To pick from", cards: [34], items: [{ text: "two", sign: "★", detail: "each" }] }],
      [
        [1, 4, -1],
        [5, 11, 0],
        [12, 24, 1],
        [25, 29, 2],
        [30, 40, 3],
      ],
    ],
    frames: [frame()],
    ...more,
  };
}

/** @returns {Aim} */
export function aim(more = {}) {
  return { value: 10, row: 0, takes: false, heads: 0, differences: [5, null, null, null], ...more };
}
