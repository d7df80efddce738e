// A game to play: the board shows what happened, then the own cards (or rows, or special cards) can be chosen.
import { el, fill, followTheme, Life, reducedMotion, setText } from "./dom.js";
import { Board } from "./board.js";
import { cardNode } from "./card.js";
import { Hands } from "./hands.js";
import { Motion } from "./motion.js";
import { NumberStrip } from "./line.js";
import { Story } from "./story.js";
import { Chooser } from "./choose.js";

const PAUSE = 620;

class PlayTable {
  constructor(model, life) {
    this.model = model;
    this.life = life;
    this.said = []; // everything told so far, for the log
    this.build(model.get("scene"));
    this.root = el("div", { class: "nl nl-table", tabindex: 0, lang: this.scene.lang, role: "group", "aria-label": this.scene.labels.a_table }, this.body);
    this.motion = new Motion(this.root);
    life.on(this.root, "keydown", (event) => this.key(event));
    life.then(() => clearTimeout(this.timer));
  }

  // A scene's parts. The log and the focus live on when Python sends the next scene.
  build(scene) {
    this.scene = scene;
    const { labels } = scene;
    this.inner ??= new Life();
    this.inner.end();
    this.inner = new Life();
    this.board = new Board(scene);
    const open = scene.frames.at(-1).seats.every((at) => scene.pool[at].hand);
    this.hands = new Hands(scene, { compact: !open });
    this.strip = new NumberStrip(scene, this.inner);
    this.story = new Story(scene, null);
    this.mine = el("section", { class: "nl-mine" });
    this.bar = el("div", { class: "nl-bar" });
    this.body = el(
      "div",
      { class: "nl-body" },
      el("div", { class: "nl-main" }, el("div", {}, this.board.node, this.mine), this.story.node),
      this.bar,
      this.strip.node,
      this.hands.node,
      el("p", { class: "nl-keys" }, labels.keys_table),
    );
  }

  // The next scene. What moved is shown frame by frame; then it is our turn.
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

  run(rects, focused) {
    const { frames, film } = this.scene;
    const stepwise = film && !reducedMotion();
    if (film) this.said.push(...(stepwise ? frames.slice(0, 1) : frames));
    else this.said = this.said.filter((frame) => (frame.ply ?? 0) <= this.scene.ply);
    this.show(stepwise ? 0 : frames.length - 1, rects);
    const go = () => {
      if (this.at === frames.length - 1) return this.ask(focused);
      this.timer = setTimeout(() => {
        const next = frames[this.at + 1];
        const before = this.motion.before(next.focus, 1);
        this.said.push(next);
        this.show(this.at + 1, before);
        go();
      }, PAUSE);
      return undefined;
    };
    go();
  }

  show(at, rects) {
    this.at = at;
    const frame = this.scene.frames[at];
    this.board.show(frame);
    this.hands.show(frame);
    this.strip.show(frame, this.scene.seat);
    this.story.fill(this.said);
    this.story.mark(this.said.length - 1);
    if (rects) this.motion.after(rects, frame.focus, 1);
    this.drawHand(frame);
    this.drawBar(at === this.scene.frames.length - 1);
  }

  // While others act, the own cards can be seen but not played.
  drawHand(frame) {
    const index = this.scene.seats.findIndex((seat) => seat.seat === this.scene.seat);
    const hand = this.scene.pool[frame.seats[index]].hand ?? [];
    this.mine.replaceChildren(el("div", { class: "nl-cards" }, hand.map((card) => cardNode(this.scene, card))));
  }

  ask(focused) {
    const { scene } = this;
    const frame = scene.frames[this.at];
    const question = scene.pool[frame.asked]?.[0];
    if (!question) {
      if (scene.over) this.finish(frame);
      return;
    }
    const chooser = new Chooser(scene, question, {
      hints: scene.hints,
      note: (option) => this.stake(frame, option),
      look: (option) => this.look(question, option),
      pick: (option) => this.pick(option),
    });
    const parts = [el("p", { class: "nl-prompt", role: "status" }, question.prompt), chooser.node];
    const offered = new Set([...question.options.map((option) => option.card), ...(question.composers ?? []).filter((one) => !one.label).flatMap((one) => one.cards)]);
    const hand = [...this.mine.querySelectorAll("[data-card]")].map((node) => Number(node.dataset.card));
    if (!hand.every((card) => offered.has(card))) parts.push(this.mine.firstChild); // what is asked is not our hand
    this.mine.replaceChildren(...parts);
    // Cards to pick from need not lie there twice.
    for (const panel of this.board.panels.querySelectorAll(".nl-panel-stock")) panel.hidden = offered.size > 1;
    this.rowsToClick(question);
    this.chooser = chooser;
    if (focused) chooser.focus();
  }

  stake(frame, option) {
    if (option.row === undefined) return "";
    return fill(this.scene.labels.heads, { heads: this.scene.pool[frame.rows[option.row]].heads });
  }

  // A row can also be chosen on the board itself; the keyboard has its buttons.
  rowsToClick(question) {
    for (const option of question.options) {
      if (option.row === undefined) continue;
      const lane = this.board.lanes[option.row];
      lane.classList.add("nl-choosable");
      lane.addEventListener("click", () => this.pick(option));
    }
  }

  look(question, option) {
    const aim = option && question.aims[option.text];
    if (!aim) {
      this.board.clearAim();
      this.strip.mark(null);
      return;
    }
    this.board.aim(aim, option.card ?? option.of);
    this.strip.mark(option.card ?? option.of, aim.value);
  }

  pick(option) {
    if (this.picked === this.scene.ply) return; // one choice per question, however fast the clicks come
    if (!this.model.get("live")) {
      setText(this.board.sentence, this.scene.labels.no_kernel);
      return;
    }
    this.picked = this.scene.ply;
    this.model.send({ type: "choose", ply: this.scene.ply, choice: option.text });
  }

  finish(frame) {
    const { labels, seats } = this.scene;
    const who = frame.winners.map((seat) => seats.find((other) => other.seat === seat)?.name ?? "").join(", ");
    const words = [who ? fill(labels.winners, { who }) : labels.nobody_wins, labels.record_ready].join(" ");
    this.mine.replaceChildren(el("p", { class: "nl-prompt", role: "status" }, words));
  }

  drawBar(ready) {
    const { labels, undoable, hinting, over } = this.scene;
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
      over ? button("new", labels.new_game, { type: "new" }) : "",
      skip,
    );
  }

  tell(message) {
    this.picked = null;
    this.model.send(message);
  }

  // Do not wait for the movements.
  skip() {
    clearTimeout(this.timer);
    this.motion.stop();
    const { frames } = this.scene;
    this.said.push(...frames.slice(this.at + 1));
    this.show(frames.length - 1, null);
    this.ask(true);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const act = {
      u: () => this.tell({ type: "undo" }),
      h: () => this.tell({ type: "hints", on: !this.scene.hinting }),
      Escape: () => this.skip(),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || (event.key === "Escape" && this.at === this.scene.frames.length - 1)) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  refuse(message) {
    if (message.type !== "refused") return;
    this.picked = null;
    setText(this.board.sentence, message.text);
  }
}

function render({ model, el: holder }) {
  const life = new Life();
  const table = new PlayTable(model, life);
  holder.append(table.root);
  followTheme(table.root, life);
  table.run(null, false);
  life.model(model, "change:scene", () => table.next(model.get("scene")));
  life.model(model, "msg:custom", (message) => table.refuse(message));
  return () => {
    life.end();
    table.inner.end();
    table.motion.stop();
    holder.replaceChildren();
  };
}

export default { render };
