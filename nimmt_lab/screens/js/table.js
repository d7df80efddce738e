// A game to play: show the last step, then let the player choose a card, a row or a special card.
import { ask } from "./dialog.js";
import { actOnKey, boardRoot, button, el, fill, Life, reducedMotion, setText, stand } from "./dom.js";
import { scoreboard } from "./rounds.js";
import { Board } from "./board.js";
import { headSign, tool } from "./marks.js";
import { pointAt, rowsToClick } from "./scene.js";
import { cardNode } from "./card.js";
import { Hands } from "./hands.js";
import { Motion } from "./motion.js";
import { NumberStrip } from "./line.js";
import { LastTurn } from "./last_turn.js";
import { Story } from "./story.js";
import { Chooser } from "./choose.js";

const PAUSE = 620;

class PlayTable {
  /**
   * @param {Model<TableData>} model
   * @param {Life} life
   */
  constructor(model, life) {
    this.model = model;
    this.life = life;
    /** @type {Told[]} */
    this.said = []; // the log so far; `scene.log` is the part before this scene
    this.build(model.get("scene"));
    this.root = boardRoot("table", this.scene, this.scene.labels.a_table, this.body);
    this.motion = new Motion(this.root);
    this.at = -1;
    this.stop = 0;
    this.ended = 0;
    this.speed = 1;
    this.resting = false;
    /** @type {string | null} The question that was answered last. */
    this.picked = null;
    life.on(this.root, "keydown", (event) => this.key(event));
    life.atEnd(() => clearTimeout(this.timer));
  }

  // A scene's parts. The log and the focus live on when Python sends the next scene.
  /** @param {TableScene} scene */
  build(scene) {
    /** @type {TableScene} */
    this.scene = scene;
    const { labels } = scene;
    this.inner ??= new Life();
    this.inner.end();
    /** @type {Life} */
    this.inner = new Life();
    /** @type {Board} */
    this.board = new Board(scene);
    const last = scene.frames[scene.frames.length - 1];
    const open = last.seats.every((at) => /** @type {SeatState} */ (scene.pool[at]).hand);
    /** @type {Hands} */
    this.hands = new Hands(scene, { compact: !open });
    /** @type {NumberStrip} */
    this.strip = new NumberStrip(scene, this.inner);
    /** @type {Story} */
    this.story = new Story(scene, null);
    /** @type {LastTurn} */
    this.last = new LastTurn(scene);
    /** @type {HTMLElement} */
    this.mine = el("section", { class: "nl-mine", "aria-label": labels.your_cards });
    /** @type {HTMLElement} */
    this.bar = el("div", { class: "nl-bar nl-tools", role: "toolbar", "aria-label": scene.labels.a_table });
    // A high board, or one with panels, has the own cards at its side, so that everything is visible.
    const high = last.rows.length > 6;
    const beside = high;
    this.past ??= false;
    this.lineOpen ??= false;
    /** @type {HTMLElement} */
    this.lineBox = el("div", { class: "nl-line-box", hidden: !this.lineOpen }, this.strip.node);
    /** @type {HTMLElement} */
    this.body = el(
      "div",
      {
        class: `nl-body nl-seated${high ? " nl-high" : ""}${scene.seats.length > 6 ? " nl-many-seats" : ""}${this.lineOpen ? " nl-lined" : ""}`,
        style: `--rows:${Math.max(4, last.rows.length)}`,
      },
      el("div", { class: "nl-left" }, this.board.node, beside ? null : this.mine),
      el(
        "div",
        { class: "nl-side" },
        this.hands.node,
        beside ? this.mine : null,
        this.board.beside(),
        this.last.node,
        this.story.node,
        this.bar,
        el("p", { class: "nl-keys" }, labels.keys_table),
      ),
      this.lineBox,
    );
    this.inner.on(this.board.node, "click", () => this.moving() && this.skip()); // a tap hurries on
  }

  // Whether frames are still to be shown before the next question or rest.
  moving() {
    return this.at >= 0 && this.at < this.stop && !this.resting;
  }

  // The next scene. What moved is shown frame by frame; then it is our turn.
  /** @param {TableScene} scene */
  next(scene) {
    clearTimeout(this.timer);
    const focused = this.root.contains(document.activeElement) && document.activeElement !== document.body;
    const first = scene.frames[0];
    const speed = scene.film && first?.focus ? 1 : 0;
    const rects = this.motion.before(first?.focus, speed);
    const old = this.body;
    const turn = this.board.plays.turn;
    this.build(scene);
    this.board.plays.turn = turn;
    old.replaceWith(this.body);
    this.at = -1;
    if (focused) this.root.focus({ preventScroll: true }); // keys work while the turn is shown, too
    this.run(rects, focused);
  }

  /**
   * @param {Rects | null} rects
   * @param {boolean} focused
   */
  run(rects, focused) {
    const { frames, film } = this.scene;
    this.said = [...this.scene.log];
    this.ended = 0;
    this.setStop(0);
    const stepwise = film && !reducedMotion();
    const first = stepwise ? 0 : this.stop;
    if (film) this.say(frames.slice(0, first + 1));
    this.show(first, rects);
    this.roll(focused, rects ? 0 : null);
  }

  // Where the table rests next: at the end of a round, or at the last frame, where something is asked.
  /** @param {number} from */
  setStop(from) {
    const { frames, film } = this.scene;
    const last = frames.length - 1;
    const ends = (/** @type {Frame} */ frame) => frame.focus?.type === "RoundEnded";
    const end = film && !frames[last].over ? frames.findIndex((frame, at) => at >= from && ends(frame)) : -1;
    this.stop = end < 0 ? last : end;
    this.resting = false;
  }

  /**
   * @param {boolean} focused
   * @param {number | null} [wait] how long the frame on show still moves
   * @returns {void}
   */
  roll(focused, wait = null) {
    const { frames } = this.scene;
    if (this.at === this.stop) {
      if (this.stop < frames.length - 1 || this.atRoundEnd()) return this.rest(focused);
      return this.ask(focused);
    }
    const pause = Math.max(PAUSE / this.speed, (wait ?? 0) + PAUSE / 3 / this.speed);
    this.timer = setTimeout(() => {
      const next = frames[this.at + 1];
      const before = this.motion.before(next.focus, this.speed);
      this.say([next]);
      this.roll(focused, this.show(this.at + 1, before));
    }, pause);
    return undefined;
  }

  atRoundEnd() {
    const { frames, rounds } = this.scene;
    const frame = frames[this.at];
    return frame.focus?.type === "RoundEnded" && !frame.over && this.ended < rounds.length;
  }

  // A round is over: its scores stay until the next one is asked for.
  /**
   * @param {boolean} focused
   * @returns {void}
   */
  rest(focused) {
    const result = this.scene.rounds[this.ended];
    /** @type {HTMLElement | null} */
    let board = null;
    const goOn = () => {
      this.ended += 1;
      board?.remove();
      const { frames } = this.scene;
      if (this.at === frames.length - 1) return this.ask(true);
      this.setStop(this.at + 1);
      const stepwise = !reducedMotion();
      const to = stepwise ? this.at + 1 : this.stop;
      this.say(frames.slice(this.at + 1, to + 1));
      this.show(to, null);
      this.root.focus({ preventScroll: true });
      return this.roll(true);
    };
    if (!result) return goOn();
    this.resting = true;
    board = scoreboard(this.scene, result, goOn);
    this.body.querySelector(".nl-left")?.append(board);
    this.drawBar(true);
    if (focused) /** @type {HTMLElement} */ (board.querySelector("[data-do='next-round']")).focus();
    return undefined;
  }

  /** @param {Frame[]} frames */
  say(frames) {
    this.said.push(...frames.filter((frame) => frame.text));
  }

  /**
   * @param {number} at
   * @param {Rects | null} rects
   */
  show(at, rects) {
    this.at = at;
    const frame = this.scene.frames[at];
    this.board.show(frame);
    this.board.lead.replaceChildren();
    setText(this.board.rest, "");
    this.hands.show(frame);
    this.strip.show(frame, this.scene.seat);
    this.story.fill(this.said);
    this.story.mark(this.said.length - 1);
    this.last.show(this.said);
    this.drawSpecials();
    this.drawHand(frame);
    this.drawBar(at === this.stop);
    return rects && frame.focus ? this.motion.after(rects, frame.focus, this.speed) : 0;
  }

  // Special cards are offered where one would change something; who wants more is asked before every card.
  drawSpecials() {
    const { labels, asks } = this.scene;
    for (const panel of this.board.panels.querySelectorAll(".nl-panel-specials")) {
      panel.hidden = false;
      if (!panel.querySelector(".nl-item-special") || panel.querySelector("[data-do='asks']")) continue;
      const every = () => this.tell({ type: "asks", on: !asks });
      panel.append(button(labels.asks, every, { class: "nl-small", "data-do": "asks", "aria-pressed": String(asks) }));
    }
  }

  // The own cards are visible, but not playable, while others act.
  /** @param {Frame} frame */
  drawHand(frame) {
    const index = this.scene.seats.findIndex((seat) => seat.seat === this.scene.seat);
    const hand = /** @type {SeatState} */ (this.scene.pool[frame.seats[index]]).hand ?? [];
    this.mine.replaceChildren(
      el(
        "div",
        { class: "nl-cards" },
        hand.map((card) => cardNode(this.scene, card)),
      ),
    );
  }

  /** @param {boolean} wasFocused */
  ask(wasFocused) {
    const { scene } = this;
    const focused = wasFocused || document.activeElement === this.root;
    const frame = scene.frames[this.at];
    if (scene.cover) return this.cover(focused);
    const asked = /** @type {Question[]} */ (frame.asked === undefined ? [] : scene.pool[frame.asked]);
    const question = asked.find((one) => one.seat === scene.asked);
    if (!question) {
      if (scene.over) this.finish(frame);
      return undefined;
    }
    const told = { ...question, foretold: scene.foretold };
    const chooser = new Chooser(scene, question, {
      hints: scene.hints,
      note: (option) => this.stake(frame, option),
      look: (option) => pointAt(this.board, this.strip, told, option),
      pick: (option) => this.pick(option),
      lift: () => this.board.add(scene.labels.tap_again),
    });
    this.board.lead.replaceChildren(el("p", { class: "nl-prompt", role: "status" }, scene.prompt || question.prompt));
    setText(this.board.rest, this.advice(frame, question));
    this.board.hush(this.last.rule);
    this.hands.turn(question.seat);
    /** @type {Node[]} */
    const parts = [chooser.node];
    if (scene.runs) {
      const run = button(scene.labels.let_run, () => this.send({ type: "run" }), {
        class: "nl-primary",
        "data-do": "run",
      });
      const [pass] = chooser.node.querySelectorAll(".nl-option.nl-primary");
      pass?.classList.remove("nl-primary"); // one button is the one to press next
      (chooser.node.querySelector(":scope > .nl-choice-list") ?? chooser.node).prepend(run); // in one line: the hand stays in sight
    }
    const offered = new Set([
      ...question.options.map((option) => option.card),
      ...(question.composers ?? []).filter((one) => !one.label).flatMap((one) => one.cards),
    ]);
    const hand = [...this.mine.querySelectorAll("[data-card]")].map((node) => Number(node.dataset.card));
    if (!hand.every((card) => offered.has(card))) {
      // The options are not our hand. Cards to pick from look like it.
      if (hand.length && !frame.rows.length) parts.push(el("p", { class: "nl-caption" }, scene.labels.your_cards));
      parts.push(...this.mine.childNodes);
    }
    this.mine.replaceChildren(...parts);
    // Cards to pick from, and special cards to use, need not lie there twice.
    const grouped = Boolean(chooser.node.querySelector(".nl-choice-group"));
    for (const panel of this.board.panels.querySelectorAll(".nl-panel-stock")) panel.hidden = offered.size > 1;
    for (const panel of this.board.panels.querySelectorAll(".nl-panel-specials")) panel.hidden = grouped;
    rowsToClick(this.board, question, (option) => this.pick(option));
    this.chooser = chooser;
    if (focused) (scene.runs ? this.mine.querySelector("[data-do='run']") : chooser)?.focus();
    return undefined;
  }

  // What the bars mean; or, before anything has happened, what a look at a card shows.
  /**
   * @param {Frame} frame
   * @param {Question} question
   */
  advice({ turn, round }, { aims }) {
    const { hints, labels, ply } = this.scene;
    const hinted = Object.keys(hints).length > 0;
    if (!hinted && !(ply < 2 && turn === 1 && round === 1 && Object.keys(aims).length)) return "";
    return hinted ? labels.bars : labels.look_first;
  }

  // With several people at one screen, a hand is shown only when its owner asks for it.
  /** @param {boolean} focused */
  cover(focused) {
    const { labels, cover } = this.scene;
    const ready = button(labels.i_am, () => this.tell({ type: "ready" }), { class: "nl-primary", "data-do": "ready" });
    this.board.hush(this.last.rule);
    this.mine.replaceChildren(
      el("div", { class: "nl-cover" }, el("p", { class: "nl-prompt", role: "status" }, cover), ready),
    );
    if (focused) ready.focus();
  }

  /**
   * @param {Frame} frame
   * @param {Option} option
   */
  stake(frame, option) {
    if (option.row === undefined) return null;
    const { heads } = /** @type {Row} */ (this.scene.pool[frame.rows[option.row]]);
    const drawn = el("span", { "aria-hidden": "true" }, headSign(), String(heads));
    return el("small", {}, drawn, el("span", { class: "nl-heard" }, fill(this.scene.labels.heads, { heads })));
  }

  /** @param {Option} option */
  pick(option) {
    this.send({ type: "choose", choice: option.text });
  }

  /** @param {Sent} message */
  send(message) {
    const { ply, given, labels } = this.scene;
    const moment = `${ply}/${given}`;
    if (this.picked === moment) return; // one choice per question, even for fast clicks
    if (!this.model.get("live")) {
      this.announce(labels.no_kernel);
      return;
    }
    this.picked = moment;
    // A long wait shows a note; Undo stops it.
    this.timer = setTimeout(() => {
      this.board.say.classList.remove("nl-silent");
      setText(this.board.sentence, labels.thinking);
    }, 500);
    this.model.send({ ...message, ply, given });
  }

  /** @param {Frame} frame */
  finish(frame) {
    const { labels, seats } = this.scene;
    const who = frame.winners.map((seat) => seats.find((other) => other.seat === seat)?.name ?? "");
    const words = who.length ? fill(labels.winners, { who }) : labels.nobody_wins;
    const said = this.scene.leads ? words : `${words} ${labels.record_ready}`;
    this.board.lead.replaceChildren(el("p", { class: "nl-prompt", role: "status" }, said));
    this.mine.replaceChildren();
    if (!this.scene.leads) return;
    const finished = () => this.root.dispatchEvent(new CustomEvent("nl-finished", { bubbles: true }));
    const on = button(labels.to_result, finished, { class: "nl-primary nl-big", "data-do": "finish" });
    this.mine.append(el("div", { class: "nl-bar" }, on));
    if (this.root.contains(document.activeElement)) on.focus();
  }

  /** @param {boolean} ready */
  drawBar(ready) {
    const { labels, undoable, hinting, over, leads } = this.scene;
    const focused = this.bar.contains(document.activeElement)
      ? /** @type {HTMLElement} */ (document.activeElement).dataset.do
      : null;
    const toggle = (/** @type {boolean} */ on) => ({ "aria-pressed": String(on) });
    const lined = this.strip.state?.zones.length || !this.strip.state;
    const parts = [
      ready
        ? tool("undo", "undo", labels.undo, () => this.tell({ type: "undo" }), { disabled: !undoable })
        : tool("skip", "play", labels.skip, () => this.skip()),
      tool("hints", "hint", labels.hints, () => this.tell({ type: "hints", on: !hinting }), toggle(hinting)),
      tool("log", "log", labels.all_turns, () => this.openLog(!this.past), { "aria-expanded": String(this.past) }),
      lined
        ? tool("line", "line", labels.line_title, () => this.openLine(!this.lineOpen), {
            "aria-expanded": String(this.lineOpen),
          })
        : "",
      tool("speed", "fast", fill(labels.speed, { speed: this.speed }), () => this.faster()),
      over && !leads ? tool("new", "again", labels.new_game, () => this.tell({ type: "new" })) : "",
      leads ? tool("leave", "leave", labels.leave, () => this.leave()) : "",
    ];
    this.bar.replaceChildren(...parts);
    this.story.node.hidden = this.past !== true;
    this.last.node.hidden = this.past === true;
    if (focused) this.bar.querySelector(`[data-do='${focused}']`)?.focus({ preventScroll: true });
  }

  /** @param {boolean} on */
  openLog(on) {
    this.past = on;
    this.drawBar(!this.moving());
    this.story.mark(this.said.length - 1);
  }

  /** @param {boolean} on */
  openLine(on) {
    this.lineOpen = on;
    this.lineBox.hidden = !on;
    this.body.classList.toggle("nl-lined", on);
    this.drawBar(!this.moving());
    if (on) this.lineBox.scrollIntoView({ block: "nearest" });
  }

  faster() {
    this.speed = this.speed === 1 ? 2 : 1;
    this.drawBar(!this.moving());
  }

  // A game that is running is not left by one click.
  leave() {
    const { labels, over } = this.scene;
    const act = () => this.tell({ type: "leave" });
    const words = { title: labels.leave_ask, text: labels.leave_text, no: labels.leave_no, yes: labels.leave };
    return over ? act() : ask(this.root, { ...words, act });
  }

  /** @param {Sent} message */
  tell(message) {
    this.picked = null;
    this.model.send(message);
  }

  // Skip the animation, up to the next question or the end of the round.
  skip() {
    if (!this.moving()) return;
    clearTimeout(this.timer);
    this.motion.stop();
    const { frames } = this.scene;
    this.say(frames.slice(this.at + 1, this.stop + 1));
    this.show(this.stop, null);
    this.roll(true);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const undo = () => this.tell({ type: "undo" });
    const hint = () => this.tell({ type: "hints", on: !this.scene.hinting });
    const skip = this.moving() ? () => this.skip() : null;
    const space = /** @type {HTMLElement} */ (event.target).closest("button") ? null : skip;
    actOnKey(event, { u: undo, U: undo, h: hint, H: hint, Escape: skip, " ": space });
  }

  // What is wrong comes before what a card would do.
  /** @param {string} text */
  announce(text) {
    this.board.clearAim();
    this.board.look("");
    this.board.say.classList.remove("nl-silent");
    setText(this.board.sentence, text);
  }

  /** @param {Refused} message */
  refuse(message) {
    if (message.type !== "refused") return;
    this.picked = null;
    clearTimeout(this.timer);
    this.announce(message.text);
  }
}

/** @param {View<Model<TableData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const table = new PlayTable(model, life);
  const end = stand(table, holder, life);
  table.run(null, false);
  life.model(model, "change:scene", () => table.next(model.get("scene")));
  life.model(model, "msg:custom", (/** @type {Refused} */ message) => table.refuse(message));
  return end;
}

export default { render };
