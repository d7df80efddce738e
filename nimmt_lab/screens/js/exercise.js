// A position and a question. Python judges the answer; then the turn is played out on the board.
import { actOnKey, boardRoot, button, el, fill, Life, reducedMotion, setText, stand } from "./dom.js";
import { Board } from "./board.js";
import { joined, rowsToClick } from "./scene.js";
import { Hands } from "./hands.js";
import { Motion } from "./motion.js";
import { NumberStrip } from "./line.js";
import { Chooser } from "./choose.js";

const PAUSE = 900;

class Quiz {
  /**
   * @param {Model<ExerciseData>} model
   * @param {Life} life
   */
  constructor(model, life) {
    this.model = model;
    /** @type {Life | undefined} */
    this.inner = undefined;
    this.tries = 0;
    this.score = [0, 0];
    this.build(model.get("scene"));
    this.root = boardRoot("exercise", this.scene, this.scene.labels.an_exercise, this.body);
    this.motion = new Motion(this.root);
    life.on(this.root, "keydown", (event) => this.key(event));
    life.atEnd(() => clearTimeout(this.timer));
  }

  /** @param {ExerciseScene} scene */
  build(scene) {
    /** @type {ExerciseScene} */
    this.scene = structuredClone(scene);
    const { labels, question, frames } = this.scene;
    this.inner?.end();
    this.inner = new Life();
    /** @type {boolean} */
    this.done = false;
    /** @type {string[]} */
    this.hinted = [];
    /** @type {number} */
    this.started = performance.now();
    /** @type {Board} */
    this.board = new Board(this.scene);
    const hands = frames[0].seats.map((at) => /** @type {SeatState} */ (this.scene.pool[at]).hand);
    const open = hands.every(Boolean);
    // A hand to choose from is among the answers; a hand that the question is about must be visible.
    const chosen = question.options.some((option) => option.card !== undefined);
    /** @type {Hands} */
    this.hands = new Hands(this.scene, { compact: !open, open: !chosen });
    const asked = !open && !chosen && hands.some(Boolean);
    this.hands.node.classList.toggle("nl-asked", asked);
    /** @type {NumberStrip} */
    this.strip = new NumberStrip(this.scene, this.inner);
    const number = fill(labels.exercise_of, { number: question.number + 1 });
    /** @type {HTMLElement} */
    this.prompt = el(
      "p",
      { class: "nl-prompt", role: "status" },
      number ? `${number}. ${question.prompt}` : question.prompt,
    );
    /** @type {HTMLElement} */
    this.feedback = el("div", { class: "nl-feedback", role: "status", "aria-live": "polite" });
    /** @type {Chooser} */
    this.chooser = new Chooser(this.scene, question, { pick: (option) => this.pick(option), look: null });
    const ask = () => {
      if (!this.done) this.send({ type: "hint" });
    };
    /** @type {HTMLButtonElement} */
    this.hint = button(labels.hint, ask, { "data-do": "hint" });
    /** @type {HTMLButtonElement} */
    this.reveal = button(labels.show_answer, () => this.send({ type: "show" }), { "data-do": "show" });
    /** @type {HTMLButtonElement} */
    this.onward = button(labels.next_exercise, () => this.send({ type: "next" }), { "data-do": "next" });
    /** @type {HTMLElement} */
    this.status = el("span", { class: "nl-place" });
    const answers = el("section", { class: "nl-mine" }, this.chooser.node, this.feedback);
    const bar = el("div", { class: "nl-bar" }, this.hint, this.reveal, this.onward, this.status);
    // The question comes first, then what it is about and the answers side by side, so that a low screen shows all.
    const side = el(
      "div",
      { class: "nl-side" },
      this.board.beside(),
      asked ? this.hands.node : null,
      answers,
      bar,
      asked ? null : this.hands.node,
    );
    /** @type {HTMLElement} */
    this.body = el(
      "div",
      { class: "nl-body nl-two" },
      this.prompt,
      this.board.node,
      side,
      this.strip.node,
      el("p", { class: "nl-keys" }, labels.keys_exercise),
    );
    this.show(frames[0]);
    rowsToClick(this.board, question, (option) => this.pick(option));
  }

  /** @param {ExerciseScene} scene */
  next(scene) {
    clearTimeout(this.timer);
    const focused = this.root.contains(document.activeElement);
    const old = this.body;
    this.tries = 0;
    this.build(scene);
    old.replaceWith(this.body);
    if (focused) this.chooser.focus();
  }

  /** @param {Frame} frame */
  show(frame) {
    this.board.show(frame);
    this.hands.show(frame);
    this.strip.show(frame, this.scene.question.seat);
    this.count();
  }

  count() {
    const tries = fill(this.scene.labels.tries, { tries: this.tries });
    setText(this.status, `${tries} · ${this.score[0]}/${this.score[1]}`);
  }

  /** @param {Sent} message */
  send(message) {
    if (!this.model.get("live")) setText(this.feedback, this.scene.labels.no_kernel);
    else this.model.send({ question: this.scene.question.number, ...message });
  }

  /** @param {Option} option */
  pick(option) {
    if (this.done) return;
    this.send({ type: "answer", choice: option.text, seconds: Math.round(performance.now() - this.started) / 1000 });
  }

  /** @param {ExerciseMessage} message */
  hear(message) {
    const { labels } = this.scene;
    if (message.type === "hint") {
      if (this.done) return; // it was asked for just before the answer, which says more
      clearTimeout(this.timer); // or the film of a wrong answer would talk over it
      // Hints come in steps, and those before stay to be read.
      this.hinted[message.number - 1] = `${message.number}/${message.of}: ${message.text}`;
      this.feedback.className = "nl-feedback";
      setText(this.feedback, this.hinted.join(" "));
    }
    if (message.type === "refused") {
      this.feedback.className = "nl-feedback";
      setText(this.feedback, message.text);
    }
    if (message.type !== "verdict") return;
    clearTimeout(this.timer);
    this.show(this.scene.frames[0]);
    this.tries = message.tries;
    this.score = message.score;
    const picked = this.button(message.choice);
    if (message.right === false) {
      picked?.classList.add("nl-was-wrong");
      this.feedback.className = "nl-feedback nl-wrong";
      this.count();
      const { solution } = message;
      if (solution) this.end();
      const said = [solution ? "" : labels.retry, message.why, message.rule].join(" ").trim();
      this.playWrong(message, said, solution ? () => this.solve(solution, message.then, said) : null);
      return;
    }
    this.end();
    for (const answer of message.answers) this.button(answer)?.classList.add("nl-was-right");
    this.feedback.className = message.right ? "nl-feedback nl-right" : "nl-feedback";
    setText(this.feedback, [message.right ? labels.right : labels.answer_is, message.why].join(" ").trim());
    this.count();
    this.playOut(message);
  }

  // The answer is out: a hint would only hide it.
  end() {
    this.done = true;
    this.hint.setAttribute("aria-disabled", "true");
    this.onward.classList.add("nl-primary");
  }

  // Play the wrong answer up to the point where it fails, stop there, and state the rule.
  /**
   * @param {Film} message
   * @param {string} said
   * @param {(() => void) | null} after
   */
  playWrong(message, said, after) {
    const moved = joined(this.scene, message);
    const step = (/** @type {number} */ at) => {
      if (at >= moved.length) {
        setText(this.feedback, said);
        if (after && reducedMotion()) after();
        else if (after) this.timer = setTimeout(after, 2 * PAUSE);
        return;
      }
      this.frame(moved[at]);
      setText(this.feedback, moved[at].text);
      if (reducedMotion()) step(at + 1);
      else this.timer = setTimeout(() => step(at + 1), PAUSE);
    };
    step(0);
  }

  // After the last wrong answer: the right way, from the table as it was.
  /**
   * @param {Proof} solution
   * @param {string} then
   * @param {string} said
   */
  solve(solution, then, said) {
    const { labels } = this.scene;
    for (const answer of solution.answers) this.button(answer)?.classList.add("nl-was-right");
    this.show(this.scene.frames[0]);
    setText(this.feedback, [said, then, labels.answer_is, solution.why].join(" ").trim());
    this.playOut(solution);
  }

  /** @param {Frame} frame */
  frame(frame) {
    const rects = this.motion.before(frame.focus, 1);
    this.show(frame);
    if (rects && frame.focus) this.motion.after(rects, frame.focus, 1);
  }

  /** @param {string | null} text */
  button(text) {
    return this.chooser.buttons.find((button) => button.dataset.option === text);
  }

  // Play out the proof, with the tutor's narration.
  /** @param {Film} proof */
  playOut(proof) {
    const moved = joined(this.scene, proof);
    const told = [this.feedback.textContent];
    const step = (/** @type {number} */ at) => {
      if (at >= moved.length) return;
      this.frame(moved[at]);
      told.push(moved[at].text);
      setText(this.feedback, told.join(" "));
      if (reducedMotion()) step(at + 1);
      else this.timer = setTimeout(() => step(at + 1), PAUSE);
    };
    step(0);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const hint = () => this.hint.click();
    const next = () => this.onward.click();
    actOnKey(event, { h: hint, H: hint, n: next, N: next });
  }
}

/** @param {View<Model<ExerciseData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const quiz = new Quiz(model, life);
  const end = stand(quiz, holder, life);
  life.model(model, "change:scene", () => quiz.next(model.get("scene")));
  life.model(model, "msg:custom", (/** @type {ExerciseMessage} */ message) => quiz.hear(message));
  return end;
}

export default { render };
