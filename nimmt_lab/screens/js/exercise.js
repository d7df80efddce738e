// A position and a question. Python judges the answer; then the turn is played out on the board.
import { actOnKey, boardRoot, button, el, fill, Life, reducedMotion, setText, stand } from "./dom.js";
import { Board } from "./board.js";
import { bull, cardNode } from "./card.js";
import { stroke } from "./icons.js";
import { joined } from "./scene.js";
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
    life.on(document, "keydown", (event) => this.keyAround(event));
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
    const number = fill(labels.exercise_of, { number: question.number + 1 });
    /** @type {HTMLElement} */
    this.prompt = el(
      "p",
      { class: "nl-prompt nl-bubble", role: "status" },
      number ? `${number}. ${question.prompt}` : question.prompt,
    );
    const rows = question.options.filter((option) => option.row !== undefined);
    const others = { ...question, options: question.options.filter((option) => option.row === undefined) };
    /** @type {Chooser | null} What is not a row to tap. */
    this.chooser = others.options.length
      ? new Chooser(this.scene, others, { pick: (option) => this.pick(option), look: null })
      : null;
    /** @type {Map<number, HTMLElement>} A button over each row that may be the answer. */
    this.overRows = new Map(rows.map((option) => [Number(option.row), this.rowButton(option)]));
    /** @type {Hands | null} */
    this.hands = this.handsAsked();
    /** @type {NumberStrip | null} */
    this.strip = question.panels.includes("line") ? new NumberStrip(this.scene, this.inner) : null;
    /** @type {HTMLElement} */
    this.body = el(
      "div",
      { class: "nl-body nl-quiz", style: `--rows:${Math.max(4, frames[0].rows.length)}` },
      el("div", { class: "nl-say-line" }, bull(48), this.prompt),
      // Whoever counts the heads on cards in a hand needs no rows.
      el("div", { class: "nl-quiz-table" }, question.kind === "heads" ? null : this.board.node, this.side(question)),
      this.strip?.node,
      this.foot(),
    );
    this.show(frames[0]);
  }

  // Hands that the question is about are shown; a hand to choose from is among the answers.
  handsAsked() {
    const { question, frames, seats, pool } = this.scene;
    const chosen = question.options.some((option) => option.card !== undefined);
    const open = frames[0].seats.some((at, index) => {
      const { hand } = /** @type {SeatState} */ (pool[at]);
      return hand?.length && !(chosen && seats[index].seat === question.seat);
    });
    if (!open && !question.panels.includes("hands")) return null;
    const hands = new Hands(this.scene, { compact: true, open: true });
    hands.node.classList.add("nl-asked");
    return hands;
  }

  /** @param {ExerciseScene["question"]} question */
  side(question) {
    const { labels } = this.scene;
    const card =
      question.card && !question.options.some((option) => option.card !== undefined)
        ? el("div", { class: "nl-asked-card" }, el("p", {}, labels.this_card), cardNode(this.scene, question.card))
        : null;
    const answers = this.chooser ? el("section", { class: "nl-mine" }, this.chooser.node) : null;
    return el("div", { class: "nl-quiz-side" }, this.board.panels, card, answers, this.hands?.node);
  }

  // One bar for what was right or wrong and why, and for what comes next.
  foot() {
    const { labels, question } = this.scene;
    /** @type {HTMLElement} */
    this.verdict = el("b", {});
    /** @type {HTMLElement} */
    this.words = el("span", {});
    /** @type {HTMLElement} */
    this.feedback = el(
      "div",
      { class: "nl-feedback", role: "status", "aria-live": "polite" },
      this.verdict,
      this.words,
    );
    const ask = () => {
      if (!this.done) this.send({ type: "hint" });
    };
    /** @type {HTMLButtonElement} */
    this.hint = button("", ask, { class: "nl-quiet", "data-do": "hint" });
    this.hint.append(stroke("hint"), el("span", {}, labels.hint));
    /** @type {HTMLButtonElement} */
    this.reveal = button(labels.show_answer, () => this.send({ type: "show" }), {
      class: "nl-quiet",
      "data-do": "show",
    });
    /** @type {HTMLButtonElement} */
    this.retry = button(labels.retry_go, () => this.again(), {
      class: "nl-primary nl-big",
      "data-do": "retry",
      hidden: true,
    });
    // A test offers no help.
    this.hint.hidden = this.reveal.hidden = question.helped === false;
    /** @type {HTMLButtonElement} */
    this.onward = button(question.free ? labels.next_exercise : labels.continue, () => this.send({ type: "next" }), {
      class: "nl-big",
      "data-do": "next",
      disabled: !question.free,
    });
    /** @type {HTMLElement} */
    this.status = el("span", { class: "nl-place" });
    /** @type {HTMLElement} */
    this.bar = el(
      "div",
      { class: "nl-foot" },
      el(
        "div",
        { class: "nl-foot-body" },
        this.feedback,
        this.status,
        el("div", { class: "nl-foot-buttons" }, this.hint, this.reveal, this.retry, this.onward),
      ),
    );
    return this.bar;
  }

  /** @param {Option} option */
  rowButton(option) {
    const words = fill(this.scene.labels.row, { row: Number(option.row) + 1 });
    const node = el("button", {
      type: "button",
      class: "nl-option nl-row-option",
      "data-option": option.text,
      "aria-label": words,
    });
    node.addEventListener("click", () => this.pick(option));
    return node;
  }

  /** @param {ExerciseScene} scene */
  next(scene) {
    clearTimeout(this.timer);
    const focused = this.root.contains(document.activeElement);
    const old = this.body;
    this.tries = 0;
    this.build(scene);
    old.replaceWith(this.body);
    if (focused) this.focus();
  }

  focus() {
    if (this.chooser) this.chooser.focus();
    else this.overRows.values().next().value?.focus({ preventScroll: true });
  }

  /** @param {Frame} frame */
  show(frame) {
    this.board.show(frame);
    this.hands?.show(frame);
    this.strip?.show(frame, this.scene.question.seat);
    // A row that changed was drawn again.
    for (const [row, node] of this.overRows) {
      const lane = this.board.lanes[row];
      if (!lane || node.parentNode === lane) continue;
      const focused = node === document.activeElement;
      lane.classList.add("nl-choosable");
      lane.append(node);
      if (focused) node.focus({ preventScroll: true });
    }
    this.count();
  }

  count() {
    const { labels, question } = this.scene;
    const tries = fill(labels.tries, { tries: this.tries });
    setText(this.status, question.counted ? `${tries} · ${this.score[0]}/${this.score[1]}` : "");
  }

  /** @param {Sent} message */
  send(message) {
    if (!this.model.get("live")) this.tell("", "", this.scene.labels.no_kernel);
    else this.model.send({ question: this.scene.question.number, ...message });
  }

  /** @param {Option} option */
  pick(option) {
    if (this.done) return;
    this.send({ type: "answer", choice: option.text, seconds: Math.round(performance.now() - this.started) / 1000 });
  }

  /**
   * What the bar says, and how it looks: "right", "wrong" or "".
   * @param {string} look
   * @param {string} verdict
   * @param {string} words
   */
  tell(look, verdict, words) {
    this.feedback.className = look ? `nl-feedback nl-${look}` : "nl-feedback";
    this.bar.dataset.look = look;
    setText(this.verdict, verdict ? `${verdict} ` : "");
    setText(this.words, words);
  }

  /** @param {ExerciseMessage} message */
  hear(message) {
    const { labels } = this.scene;
    if (message.type === "hint") {
      if (this.done) return; // it was asked for just before the answer, which says more
      clearTimeout(this.timer); // or the film of a wrong answer would talk over it
      // Hints come in steps, and those before stay to be read.
      this.hinted[message.number - 1] = `${message.number}/${message.of}: ${message.text}`;
      this.tell("", "", this.hinted.join(" "));
    }
    if (message.type === "refused") this.tell("", "", message.text);
    if (message.type !== "verdict") return;
    clearTimeout(this.timer);
    this.show(this.scene.frames[0]);
    // The felt keeps its place when this turn's cards leave it.
    const felt = this.body.querySelector(".nl-felt");
    if (felt instanceof HTMLElement && !felt.querySelector(".nl-bare")) {
      felt.classList.add("nl-firm");
      felt.style.setProperty("--firm", `${felt.getBoundingClientRect().width}px`);
    }
    this.tries = message.tries;
    this.score = message.score;
    const picked = this.button(message.choice);
    if (message.right === false) {
      picked?.classList.add("nl-was-wrong");
      this.count();
      const { solution } = message;
      const reason = [message.why, message.rule].join(" ").trim();
      this.tell("wrong", labels.retry, reason);
      if (solution) this.end();
      else {
        this.retry.hidden = false;
        this.onward.hidden = !this.scene.question.free;
        this.retry.focus({ preventScroll: true });
      }
      this.play(message, () => {
        if (!solution) return;
        const show = () => this.solve(solution, message.then, reason);
        if (reducedMotion()) show();
        else this.timer = setTimeout(show, 2 * PAUSE);
      });
      return;
    }
    this.end();
    this.solved(message, message.right ? labels.right : labels.answer_is, message.right ? "right" : "");
    this.count();
  }

  // From the table as it was: another answer.
  again() {
    clearTimeout(this.timer);
    this.show(this.scene.frames[0]);
    this.tell("", "", "");
    this.retry.hidden = true;
    this.onward.hidden = false;
    this.focus();
  }

  // The answer is out: a hint would only hide it.
  end() {
    this.done = true;
    this.hint.hidden = this.reveal.hidden = this.retry.hidden = true;
    this.onward.hidden = false;
    this.onward.disabled = false;
    this.onward.classList.add("nl-primary");
    this.root.classList.add("nl-answered");
    this.onward.focus({ preventScroll: true });
  }

  /**
   * Say the answer and why, and play the turn out.
   * @param {Proof | RightVerdict} proof
   * @param {string} verdict
   * @param {string} look
   */
  solved(proof, verdict, look) {
    for (const answer of proof.answers) this.button(answer)?.classList.add("nl-was-right");
    // Where the question itself has no reason, the tutor's sentence about what settled it is one.
    this.tell(look, verdict, proof.why || proof.told || "");
    this.play(proof, () => {});
  }

  // After the last wrong answer: the right way, from the table as it was.
  /**
   * @param {Proof} solution
   * @param {string} then
   * @param {string} said
   */
  solve(solution, then, said) {
    this.show(this.scene.frames[0]);
    this.solved(solution, this.scene.labels.answer_is, "wrong");
    setText(this.words, [this.words.textContent, then].join(" ").trim());
    this.words.title = said;
  }

  /** @param {Frame} frame */
  frame(frame) {
    const rects = this.motion.before(frame.focus, 1);
    this.show(frame);
    if (rects && frame.focus) this.motion.after(rects, frame.focus, 1);
  }

  /** @param {string | null} text */
  button(text) {
    const rows = [...this.overRows.values()];
    return [...(this.chooser?.buttons ?? []), ...rows].find((node) => node.dataset.option === text);
  }

  // Play frames on the board, a little apart.
  /**
   * @param {Film} film
   * @param {() => void} after
   */
  play(film, after) {
    const moved = joined(this.scene, film);
    const step = (/** @type {number} */ at) => {
      if (at >= moved.length) {
        after();
        return;
      }
      this.frame(moved[at]);
      if (reducedMotion()) step(at + 1);
      else this.timer = setTimeout(() => step(at + 1), PAUSE);
    };
    step(0);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const click = (/** @type {HTMLElement} */ node) => () => {
      if (!node.hidden) node.click();
    };
    const hint = click(this.hint);
    const next = click(this.onward);
    const numbers = Object.fromEntries(
      this.scene.question.options.slice(0, 9).map((option, at) => [String(at + 1), () => this.pick(option)]),
    );
    actOnKey(event, { h: hint, H: hint, n: next, N: next, ...this.arrows(event), ...numbers });
  }

  // Arrow keys walk over the rows.
  /**
   * @param {KeyboardEvent} event
   * @returns {Record<string, () => void>}
   */
  arrows(event) {
    const nodes = [...this.overRows.values()];
    const at = nodes.indexOf(/** @type {HTMLElement} */ (event.target));
    if (at < 0) return {};
    const step = (/** @type {number} */ by) => () => nodes[(at + by + nodes.length) % nodes.length].focus();
    return { ArrowDown: step(1), ArrowRight: step(1), ArrowUp: step(-1), ArrowLeft: step(-1) };
  }

  // On a page of ours, keys answer wherever the focus is: a number picks, Enter goes on.
  /** @param {At<KeyboardEvent>} event */
  keyAround(event) {
    const page = this.root.closest(".nl-page");
    if (!page || event.defaultPrevented || !this.root.getClientRects().length || this.root.contains(event.target))
      return;
    if (event.target !== document.body && !page.contains(event.target)) return;
    if (event.target.closest("input, select, textarea, button, summary, a") && event.key === "Enter") return;
    if (event.target.closest("input, select, textarea")) return;
    if (/^[1-9]$/.test(event.key)) this.key(event);
    if (event.key === "Enter") {
      // What it does moves the focus: the same press must not press what has it then.
      event.preventDefault();
      if (!this.retry.hidden) this.again();
      else if (this.done) this.onward.click();
    }
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
