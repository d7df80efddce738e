// A game to play: the board shows what happened, then the own cards (or rows, or special cards) can be chosen.
import { el, fill, Life, reducedMotion, setText, stand } from "./dom.js";
import { Board, headSign, pointAt } from "./board.js";
import { cardNode } from "./card.js";
import { Hands } from "./hands.js";
import { Motion } from "./motion.js";
import { NumberStrip } from "./line.js";
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
    this.said = []; // everything told so far, for the log: Python knows what was told before this scene
    this.build(model.get("scene"));
    this.root = el(
      "div",
      {
        class: "nl nl-table",
        tabindex: 0,
        lang: this.scene.lang,
        role: "group",
        "aria-label": this.scene.labels.a_table,
      },
      this.body,
    );
    this.motion = new Motion(this.root);
    this.at = -1;
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
    /** @type {HTMLElement} */
    this.mine = el("section", { class: "nl-mine" });
    /** @type {HTMLElement} */
    this.bar = el("div", { class: "nl-bar" });
    // Beside a board that is high, or has more beside its rows, the own cards lie at the side: all is in sight together.
    const high = last.rows.length > 6;
    const beside = high || /** @type {Panel[]} */ (scene.pool[last.panels]).some((panel) => panel.kind !== "stock");
    /** @type {HTMLElement} */
    this.body = el(
      "div",
      { class: "nl-body" },
      el(
        "div",
        { class: "nl-main" },
        el("div", { class: "nl-left" }, this.board.node, beside ? null : this.mine),
        el(
          "div",
          { class: "nl-side" },
          this.hands.node,
          this.board.beside(),
          beside ? this.mine : null,
          this.bar,
          el("p", { class: "nl-keys" }, labels.keys_table),
          this.story.node,
        ),
      ),
      this.strip.node,
    );
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
    this.build(scene);
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
    const stepwise = film && !reducedMotion();
    this.said = [...this.scene.log];
    if (film) this.say(stepwise ? frames.slice(0, 1) : frames);
    this.show(stepwise ? 0 : frames.length - 1, rects);
    const go = () => {
      if (this.at === frames.length - 1) return this.ask(focused);
      this.timer = setTimeout(() => {
        const next = frames[this.at + 1];
        const before = this.motion.before(next.focus, 1);
        this.say([next]);
        this.show(this.at + 1, before);
        go();
      }, PAUSE);
      return undefined;
    };
    go();
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
    this.hands.show(frame);
    this.strip.show(frame, this.scene.seat);
    this.story.fill(this.said);
    this.story.mark(this.said.length - 1);
    if (rects && frame.focus) this.motion.after(rects, frame.focus, 1);
    this.drawHand(frame);
    this.drawBar(at === this.scene.frames.length - 1);
  }

  // While others act, the own cards can be seen but not played.
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
    const chooser = new Chooser(scene, question, {
      hints: scene.hints,
      note: (option) => this.stake(frame, option),
      look: (option) => this.look(question, option),
      pick: (option) => this.pick(option),
    });
    const prompt = el("p", { class: "nl-prompt", role: "status" }, scene.prompt || question.prompt);
    /** @type {Node[]} */
    const parts = [prompt, chooser.node];
    if (scene.runs) {
      const run = el(
        "button",
        { type: "button", class: "nl-button nl-primary", "data-do": "run" },
        scene.labels.let_run,
      );
      run.addEventListener("click", () => this.send({ type: "run" }));
      const [pass] = chooser.node.querySelectorAll(".nl-option.nl-primary");
      pass?.classList.remove("nl-primary"); // one button is the one to press next
      (chooser.node.querySelector(":scope > .nl-choice-list") ?? chooser.node).prepend(run); // in one line: the hand stays in sight
    }
    const offered = new Set([
      ...question.options.map((option) => option.card),
      ...(question.composers ?? []).filter((one) => !one.label).flatMap((one) => one.cards),
    ]);
    const hand = [...this.mine.querySelectorAll("[data-card]")].map((node) => Number(node.dataset.card));
    if (!hand.every((card) => offered.has(card))) parts.push(...this.mine.childNodes); // what is asked is not our hand
    this.mine.replaceChildren(...parts);
    // Cards to pick from need not lie there twice.
    for (const panel of this.board.panels.querySelectorAll(".nl-panel-stock")) panel.hidden = offered.size > 1;
    this.rowsToClick(question);
    this.chooser = chooser;
    if (focused) (scene.runs ? this.mine.querySelector("[data-do='run']") : chooser)?.focus();
    return undefined;
  }

  // Several people at one screen: nobody's cards are shown before their owner is there.
  /** @param {boolean} focused */
  cover(focused) {
    const { labels, cover } = this.scene;
    const ready = el("button", { type: "button", class: "nl-button nl-primary", "data-do": "ready" }, labels.i_am);
    ready.addEventListener("click", () => this.tell({ type: "ready" }));
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

  // A row can also be chosen on the board itself; the keyboard has its buttons.
  /** @param {Choices} question */
  rowsToClick(question) {
    for (const option of question.options) {
      if (option.row === undefined) continue;
      const lane = this.board.lanes[option.row];
      lane.classList.add("nl-choosable");
      lane.addEventListener("click", () => this.pick(option));
    }
  }

  /**
   * @param {Choices} question
   * @param {Option | null} option
   */
  look(question, option) {
    pointAt(this.board, this.strip, question, option);
  }

  /** @param {Option} option */
  pick(option) {
    this.send({ type: "choose", choice: option.text });
  }

  /** @param {Sent} message */
  send(message) {
    const { ply, given, labels } = this.scene;
    const moment = `${ply}/${given}`;
    if (this.picked === moment) return; // one choice per question, however fast the clicks come
    if (!this.model.get("live")) {
      setText(this.board.sentence, labels.no_kernel);
      return;
    }
    this.picked = moment;
    // Never silent: what takes longer is said, and Undo stops it.
    this.timer = setTimeout(() => {
      this.board.say.classList.remove("nl-silent");
      setText(this.board.sentence, labels.thinking);
    }, 500);
    this.model.send({ ...message, ply, given });
  }

  /** @param {Frame} frame */
  finish(frame) {
    const { labels, seats } = this.scene;
    const who = frame.winners.map((seat) => seats.find((other) => other.seat === seat)?.name ?? "").join(", ");
    const words = who ? fill(labels.winners, { who }) : labels.nobody_wins;
    this.mine.replaceChildren(
      el("p", { class: "nl-prompt", role: "status" }, this.scene.leads ? words : `${words} ${labels.record_ready}`),
    );
    if (!this.scene.leads) return;
    const on = el("button", { type: "button", class: "nl-button nl-primary", "data-do": "finish" }, labels.to_result);
    on.addEventListener("click", () => this.root.dispatchEvent(new CustomEvent("nl-finished", { bubbles: true })));
    this.mine.append(el("div", { class: "nl-bar" }, on));
    if (this.root.contains(document.activeElement)) on.focus();
  }

  /** @param {boolean} ready */
  drawBar(ready) {
    const { labels, undoable, hinting, over } = this.scene;
    /**
     * @param {string} name
     * @param {string} text
     * @param {Sent} message
     * @param {Attributes} extra
     */
    const button = (name, text, message, extra = {}) => {
      const node = el("button", { type: "button", class: "nl-button", "data-do": name, ...extra }, text);
      node.addEventListener("click", () => this.tell(message));
      return node;
    };
    const skip = el("button", { type: "button", class: "nl-button", "data-do": "skip", hidden: ready }, labels.skip);
    skip.addEventListener("click", () => this.skip());
    this.bar.replaceChildren(
      button("undo", labels.undo, { type: "undo" }, { disabled: !undoable }),
      button("hints", labels.hints, { type: "hints", on: !hinting }, { "aria-pressed": String(hinting) }),
      over && !this.scene.leads ? button("new", labels.new_game, { type: "new" }) : "",
      this.scene.leads ? button("leave", labels.leave, { type: "leave" }) : "",
      skip,
    );
  }

  /** @param {Sent} message */
  tell(message) {
    this.picked = null;
    this.model.send(message);
  }

  // Do not wait for the movements.
  skip() {
    clearTimeout(this.timer);
    this.motion.stop();
    const { frames } = this.scene;
    if (this.at < frames.length - 1) this.say(frames.slice(this.at + 1));
    this.show(frames.length - 1, null);
    this.ask(true);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      u: () => this.tell({ type: "undo" }),
      h: () => this.tell({ type: "hints", on: !this.scene.hinting }),
      Escape: () => this.skip(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === "Escape" && this.at === this.scene.frames.length - 1)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** @param {Refused} message */
  refuse(message) {
    if (message.type !== "refused") return;
    this.picked = null;
    clearTimeout(this.timer);
    this.board.say.classList.remove("nl-silent");
    setText(this.board.sentence, message.text);
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
