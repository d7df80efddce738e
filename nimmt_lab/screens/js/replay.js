// A recorded game: step, scrub, play, and try other choices at any decision.
import { actOnKey, boardRoot, button, el, Life, reducedMotion, setText, stand } from "./dom.js";
import { stroke } from "./icons.js";
import { Board } from "./board.js";
import { joined, pointAt } from "./scene.js";
import { Hands } from "./hands.js";
import { Motion } from "./motion.js";
import { NumberStrip } from "./line.js";
import { Story } from "./story.js";
import { Chooser } from "./choose.js";
import { Controls, SPEEDS } from "./controls.js";

const PAUSE = 1000; // a frame's time at speed 1, with its movement

class Replay {
  /**
   * @param {Model<ReplayData>} model
   * @param {Life} life
   * @param {boolean} [folded] whether the number line opens only on demand
   * @param {boolean} [bare] whether the log does, too
   */
  constructor(model, life, folded = false, bare = false) {
    this.model = model;
    this.life = life;
    this.scene = structuredClone(model.get("scene")); // what-if adds to it
    this.main = this.scene.frames;
    this.frames = this.main;
    /** @type {Branch | null} */
    this.branch = null;
    /** @type {(Branch & { at: number }) | null} */
    this.waiting = null;
    this.at = -1;
    this.speed = 1;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.open = false;
    this.watching = model.get("seat") ?? 0;
    const { scene } = this;
    this.board = new Board(scene);
    this.hands = new Hands(scene);
    this.strip = new NumberStrip(scene, life);
    this.story = new Story(scene, (at) => this.go(at));
    this.controls = new Controls(scene, life, {
      first: () => this.go(0),
      previous: () => this.go(this.at - 1),
      next: () => this.go(this.at + 1),
      last: () => this.go(this.frames.length - 1),
      play: () => this.toggle(),
      faster: () => this.faster(),
      go: (at) => this.go(at),
    });
    this.asking = el("span", { class: "nl-ask-bar" }); // beside the controls, so that the log below stays visible
    this.controls.node.append(this.asking);
    const lined = scene.pool.some((item) => Array.isArray(item) && Array.isArray(item[0]));
    if (folded && lined) this.foldLine();
    if (bare) this.foldLog();
    if (folded) this.hands.node.setAttribute("tabindex", 0); // with many players the hands scroll
    this.ask = el("section", { class: "nl-ask", "aria-label": scene.labels.branch });
    const high = scene.frames[0].rows.length > 6; // the controls stay in sight
    const below = scene.seats.length > 5 && !folded; // in a cell, many hands lie below the board, in columns
    const lying = scene.frames.map((frame) => /** @type {Play[]} */ (scene.pool[frame.queue] ?? []).length);
    const sizes = `--rows:${Math.max(4, scene.frames[0].rows.length)};--plays:${Math.min(5, Math.max(...lying))}`;
    const keys = el("p", { class: "nl-keys" }, scene.labels.keys_replay);
    this.root = boardRoot(
      "replay",
      scene,
      scene.labels.a_replay,
      el(
        "div",
        { class: "nl-main", style: sizes },
        el("div", { class: "nl-left" }, this.board.node, high ? null : this.controls.node),
        el(
          "div",
          { class: "nl-side" },
          high ? this.controls.node : null,
          this.board.beside(),
          this.story.node,
          below ? null : this.hands.node,
        ),
      ),
      below ? this.hands.node : null,
      this.ask,
      this.strip.node,
      keys,
    );
    this.motion = new Motion(this.root);
    // A cell is drawn before it is on the page, where nothing has a size.
    const seen = new ResizeObserver(() => this.story.sight());
    seen.observe(this.story.node);
    life.atEnd(() => seen.disconnect());
    this.story.fill(this.frames);
    life.on(this.root, "keydown", (event) => this.key(event));
    life.on(document, "keydown", (event) => this.keyAround(event));
    life.on(this.hands.node, "click", (event) => this.watch(event));
    life.on(this.root, "pointerover", (event) => this.point(event));
    life.on(this.root, "pointerleave", () => this.point(null));
    life.atEnd(() => this.stop());
  }

  /**
   * @param {number} at
   * @param {{ tell?: boolean }} how
   */
  go(at, { tell = true } = {}) {
    const to = Math.min(Math.max(at, 0), this.frames.length - 1);
    if (to === this.at) return;
    const frame = this.frames[to];
    const forward = to === this.at + 1;
    const speed = this.timer ? this.speed : 1;
    const rects = this.motion.before(forward ? frame.focus : null, speed);
    this.at = to;
    this.draw(frame);
    this.moves = rects && frame.focus ? this.motion.after(rects, frame.focus, speed) : 0;
    if (to === this.frames.length - 1) this.stop();
    if (tell) this.tell();
    // A lesson around it has its own button for the next frame.
    const detail = { at: to, last: this.frames.length - 1, text: frame.text };
    this.root.dispatchEvent(new CustomEvent("nl-frame", { bubbles: true, detail }));
  }

  /** @param {Frame} frame */
  draw(frame) {
    this.board.show(frame, this.frames);
    if (!frame.text) setText(this.board.sentence, this.scene.labels.start_text);
    this.hands.show(frame);
    this.strip.show(frame, this.watching);
    this.controls.show(this.at, this.frames.length - 1, this.timer !== undefined, this.speed);
    this.drawAsk(frame);
    this.story.until(this.at);
    // Last, because it measures: the page is laid out once.
    this.story.mark(this.at);
    this.story.follow();
  }

  // Report the frame to Python a little later: stepping never waits for it.
  tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      this.model.set("at", this.at);
      this.model.save_changes();
    }, 150);
  }

  // Playing -------------------------------------------------------------------------------------------------

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.frames.length - 1) this.go(0);
    this.tick();
  }

  tick() {
    // A take has its time.
    const wait = Math.max(PAUSE / this.speed, (this.moves ?? 0) + PAUSE / 3 / this.speed);
    this.timer = setTimeout(() => {
      this.go(this.at + 1);
      if (this.timer) this.tick();
    }, wait);
    this.controls.show(this.at, this.frames.length - 1, true, this.speed);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.at >= 0) this.controls.show(this.at, this.frames.length - 1, false, this.speed);
  }

  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    this.controls.show(this.at, this.frames.length - 1, this.timer !== undefined, this.speed);
  }

  /** @param {At<KeyboardEvent>} event */
  key(event) {
    const onButton = event.target.closest("button, summary");
    actOnKey(event, {
      ArrowRight: () => this.go(this.at + 1),
      ArrowLeft: () => this.go(this.at - 1),
      ArrowDown: () => this.turn(1),
      ArrowUp: () => this.turn(-1),
      Home: () => this.go(0),
      End: () => this.go(this.frames.length - 1),
      " ": onButton ? null : () => this.toggle(),
      Escape: this.branch || this.open ? () => this.leave() : null,
    });
  }

  // On a page of ours the arrow keys step wherever the focus is, except where they have a use of their own.
  /** @param {At<KeyboardEvent>} event */
  keyAround(event) {
    const page = this.root.closest(".nl-page");
    if (!page || event.defaultPrevented || !this.root.getClientRects().length || this.root.contains(event.target))
      return;
    if (event.target !== document.body && !page.contains(event.target)) return;
    if (
      event.target.closest(
        "input, select, textarea, [role='slider'], [role='radiogroup'], [role='tablist'], .nl-chooser, .nl-deck",
      )
    )
      return;
    if (/^(Arrow|Home$|End$)/.test(event.key)) this.key(event);
  }

  foldLine() {
    this.strip.node.classList.add("nl-line-folded");
    const toggle = () => {
      const open = !this.strip.node.classList.toggle("nl-line-folded");
      line.setAttribute("aria-expanded", String(open));
      this.strip.resize();
    };
    const line = button("", toggle, {
      class: "nl-quiet nl-small",
      "data-do": "line",
      "aria-expanded": "false",
      title: this.scene.labels.line_title,
    });
    line.append(stroke("line", 18), el("span", {}, this.scene.labels.line_title));
    this.controls.node.append(line);
  }

  // Beside an analysis the board needs the room; the sentence above it says what happened.
  foldLog() {
    const { node } = this.story;
    node.classList.add("nl-log-folded");
    const toggle = () => {
      const open = !node.classList.toggle("nl-log-folded");
      all.setAttribute("aria-expanded", String(open));
      this.story.follow();
    };
    const all = button("", toggle, {
      class: "nl-quiet nl-small",
      "data-do": "log",
      "aria-expanded": "false",
      title: this.scene.labels.log,
    });
    all.append(stroke("log", 18), el("span", {}, this.scene.labels.log));
    this.controls.node.append(all);
  }

  // Go to the first frame of the previous or the next turn.
  /** @param {number} step */
  turn(step) {
    const here = this.frames[this.at].group;
    let to = this.at;
    while (this.frames[to]?.group === here) to += step;
    if (step < 0) while (to > 0 && this.frames[to - 1].group === this.frames[to].group) to -= 1;
    this.go(to);
  }

  // Draw the number line for the seat whose hand was clicked last.
  /** @param {At<Event>} event */
  watch(event) {
    const hand = event.target.closest(".nl-hand");
    if (!hand) return;
    this.watching = Number(hand.dataset.seat);
    this.strip.show(this.frames[this.at], this.watching);
  }

  // Pointing at a hand card shows where it would go, while cards are chosen.
  /** @param {At<Event> | null} event */
  point(event) {
    const card = Number(event?.target.closest(".nl-hand [data-card]")?.dataset.card);
    const seat = Number(event?.target.closest(".nl-hand")?.dataset.seat);
    const { asked } = this.frames[this.at];
    const question = asked === undefined ? null : (this.asked(asked).find((one) => one.seat === seat) ?? null);
    const option = question?.options.find((one) => one.card === card);
    if (option || this.pointed) pointAt(this.board, this.strip, question, option ?? null);
    this.pointed = Boolean(option);
  }

  /** @param {number} at */
  asked(at) {
    return /** @type {Question[]} */ (this.scene.pool[at]);
  }

  // What if -------------------------------------------------------------------------------------------------

  /** @param {Frame} frame */
  drawAsk(frame) {
    const { labels } = this.scene;
    const questions = frame.asked === undefined ? [] : this.asked(frame.asked);
    const { asking: bar } = this;
    bar.replaceChildren();
    this.ask.replaceChildren();
    this.ask.hidden = !questions.length && !this.branch;
    if (this.ask.hidden) return;
    if (questions.length) {
      const toggle = () => {
        this.open = !this.open;
        this.drawAsk(this.frames[this.at]);
        (this.open
          ? this.ask.querySelector(".nl-option[tabindex='0']")
          : bar.querySelector("[data-do='what-if']")
        )?.focus();
      };
      bar.append(button(labels.branch_off, toggle, { "data-do": "what-if", "aria-expanded": this.open }));
    }
    if (this.branch) bar.append(button(labels.back_to_game, () => this.leave(), { "data-do": "back" }));
    if (this.open && questions.length) this.ask.append(...this.questions(frame, questions));
  }

  /**
   * @param {Frame} frame
   * @param {Question[]} questions
   */
  questions(frame, questions) {
    const { labels } = this.scene;
    if (!this.model.get("live")) return [el("p", { class: "nl-note-line" }, labels.no_kernel)];
    /** @type {Record<string, string>} */
    const picked = {};
    const body = questions.map((question) => {
      picked[question.seat] = question.chosen ?? question.first;
      const chooser = new Chooser(this.scene, question, {
        selected: picked[question.seat],
        look: (option) => pointAt(this.board, this.strip, question, option),
        pick: (option) => {
          picked[question.seat] = option.text;
          for (const button of chooser.buttons) {
            if (button.classList.contains("nl-compose")) continue;
            if (button.dataset.option === option.text) button.setAttribute("aria-pressed", "true");
            else button.removeAttribute("aria-pressed");
          }
        },
      });
      return el(
        "div",
        { class: "nl-question", "data-seat": question.seat },
        el("p", {}, question.prompt),
        chooser.node,
      );
    });
    const play = button(labels.play_this, () => this.tryOut(frame, picked), {
      class: "nl-primary",
      "data-do": "play-this",
    });
    return [...body, el("div", { class: "nl-ask-bar" }, play)];
  }

  /**
   * @param {Frame} frame
   * @param {Record<string, string>} picked
   */
  tryOut(frame, picked) {
    const made = this.branch ? this.branch.choices.slice(0, frame.depth ?? 0) : [];
    const from = frame.branch && this.branch ? this.branch.from : this.at;
    const base = frame.branch && this.branch ? this.branch.ply : frame.ply;
    this.waiting = { from, ply: base, choices: [...made, picked], at: this.at };
    this.model.send({ type: "what_if", ply: base, choices: this.waiting.choices });
  }

  // Python's answer: the frames of the new step, to insert after the frame of the decision.
  /** @param {BranchMessage | Refused} message */
  grow(message) {
    const wish = this.waiting;
    if (!wish || message.type !== "branch") {
      if (message.type === "refused") setText(this.board.sentence, message.text);
      return;
    }
    this.waiting = null;
    const moved = joined(this.scene, message).map((frame) => ({ ...frame, branch: true, depth: wish.choices.length }));
    const kept = this.frames.slice(0, wish.at + 1);
    this.branch = { from: wish.from, ply: wish.ply, choices: wish.choices };
    this.frames = [...kept, ...moved];
    this.root.classList.add("nl-branching");
    this.story.fill(this.frames);
    this.at = wish.at;
    this.go(wish.at + 1);
    if (reducedMotion()) this.go(this.frames.length - 1);
    this.root.focus({ preventScroll: true });
  }

  leave() {
    this.open = false;
    if (this.branch) {
      const { from } = this.branch;
      this.branch = null;
      this.frames = this.main;
      this.root.classList.remove("nl-branching");
      this.story.fill(this.frames);
      this.at = -1;
      this.go(from);
    } else {
      this.drawAsk(this.frames[this.at]);
    }
    this.root.focus({ preventScroll: true });
  }
}

/** @param {View<Model<ReplayData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const bare = Boolean(holder.closest(".nl-analyse"));
  const replay = new Replay(model, life, bare || Boolean(holder.closest(".nl-play-screen")), bare);
  const end = stand(replay, holder, life);
  replay.go(model.get("at") ?? 0, { tell: false });
  life.model(model, "change:at", () => replay.go(model.get("at")));
  life.model(model, "msg:custom", (/** @type {BranchMessage | Refused} */ message) => replay.grow(message));
  return end;
}

export default { render };
