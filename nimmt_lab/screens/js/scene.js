// What screens with a board share: pointing at an option, choosing rows on the board, adding frames.

// Where that option would go, on the board and on the number line; without one, nowhere.
/**
 * @param {import("./board.js").Board} board
 * @param {import("./line.js").NumberStrip} strip
 * @param {Choices | null} question
 * @param {Option | null} option
 */
export function pointAt(board, strip, question, option) {
  const aim = option && question?.aims[option.text];
  if (!aim) {
    board.clearAim();
    strip.mark(null);
    return;
  }
  const card = /** @type {number} */ (option.card ?? option.of); // only cards have aims
  board.aim(aim, card);
  board.add(question?.foretold?.[option.text] ?? "");
  strip.mark(card, aim.value);
}

/**
 * A row can also be chosen on the board itself; the keyboard has its buttons.
 * @param {import("./board.js").Board} board
 * @param {Choices} question
 * @param {(option: Option) => void} pick
 */
export function rowsToClick(board, question, pick) {
  for (const option of question.options) {
    if (option.row === undefined) continue;
    const lane = board.lanes[option.row];
    lane.classList.add("nl-choosable");
    lane.addEventListener("click", () => pick(option));
  }
}

// Add later frames to a scene: their pool is appended, and their numbers shifted.
/**
 * @param {Scene} scene
 * @param {Film} film
 * @returns {Frame[]}
 */
export function joined(scene, { pool, frames }) {
  const shift = scene.pool.length;
  scene.pool.push(...pool);
  return frames.map((frame) => ({
    ...frame,
    rows: frame.rows.map((at) => at + shift),
    seats: frame.seats.map((at) => at + shift),
    queue: frame.queue + shift,
    panels: frame.panels + shift,
    zones: frame.zones + shift,
    asked: frame.asked === undefined ? undefined : frame.asked + shift,
  }));
}
