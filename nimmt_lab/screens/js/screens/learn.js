// The first page: the next lesson, a quick game, the puzzle of the day, the first steps, the other games as boxes. Or a
// box with its lessons, or the lesson one is in.
import { button, el, fill, Life, setText } from "../dom.js";
import { icon } from "../card.js";
import { fan } from "../fan.js";
import { stroke } from "../icons.js";
import { slot } from "../part.js";
import { hero } from "../sketch.js";

const DAY = 86_400_000;

// The date where the reader is. Python has no clock of ours: it is told.
/** @param {number} ago */
export function dateOf(ago = 0) {
  const day = new Date(Date.now() - ago * DAY);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/**
 * What a page offers: a sign, what it is, and the button that starts it.
 * @param {string} sign
 * @param {string} title
 * @param {Child} text
 * @param {HTMLElement} go
 */
export function offer(sign, title, text, go) {
  return el(
    "section",
    { class: `nl-offer nl-card-panel nl-offer-${sign}` },
    el("span", { class: "nl-offer-sign", "aria-hidden": "true" }, stroke(sign, 30)),
    el("div", { class: "nl-offer-words" }, el("h2", {}, title), el("p", { class: "nl-note-line" }, text)),
    go,
  );
}

/** @param {View<Part<LearnData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const map = el("div", { class: "nl-map" });
  const inside = el("div", {});
  const told = el("p", { class: "nl-told", role: "status", hidden: true });
  holder.append(told, map, inside);
  const open = (/** @type {string} */ name) => model.send({ type: "open", lesson: name });
  const openTest = (/** @type {string} */ name) => model.send({ type: "open", lesson: name, test: true });
  const openBox = (/** @type {string} */ name) => model.send({ type: "box", box: name });

  /** @param {MapLesson} lesson */
  const card = (lesson) => {
    const node = button("", () => open(lesson.name), {
      class: "nl-lesson-card nl-card-panel",
      "data-lesson": lesson.name,
      "data-state": lesson.state,
    });
    const done = lesson.state === "done";
    node.replaceChildren(
      el("span", { class: "nl-lesson-number" }, done ? stroke("check", 24) : String(lesson.number)),
      el(
        "span",
        { class: "nl-lesson-words" },
        el("b", { class: "nl-lesson-title" }, lesson.title.replaceAll("/", "/\u200b")),
        done
          ? el(
              "span",
              { class: "nl-stars", role: "img", "aria-label": lesson.words, title: lesson.words },
              starred(lesson.stars),
            )
          : el("small", {}, lesson.words),
      ),
    );
    return el("li", {}, node);
  };
  // In a box, a lesson that isn't done can be skipped by its test.
  /** @param {MapLesson} lesson */
  const cardWithTest = (lesson) => {
    const item = card(lesson);
    if (lesson.test) {
      const skip = button(lesson.test, () => openTest(lesson.name), { class: "nl-quiet", "data-test": lesson.name });
      skip.setAttribute("aria-label", `${lesson.title}: ${lesson.test}`);
      item.append(skip);
    }
    return item;
  };
  /** @param {number} count */
  const starred = (count) => "★".repeat(count) + "☆".repeat(3 - count);

  /**
   * @param {LearnData["hero"]} next
   * @param {Node} picture
   */
  const begin = (next, picture) => {
    const go = next.lesson
      ? button(next.button, () => open(next.lesson), { class: "nl-primary nl-big", "data-do": "go-on" })
      : null;
    const test = next.test
      ? button(next.test, () => openTest(next.lesson), { class: "nl-quiet nl-on-felt", "data-do": "test" })
      : null;
    return hero(next.title, next.text, [go, test], picture);
  };

  const quick = () => {
    const { labels } = model.data;
    const go = button(labels.play, () => model.send({ type: "quick" }), {
      "data-do": "quick",
      "aria-label": `${labels.quick}: ${labels.play}`,
    });
    return offer("cards", labels.quick, labels.quick_text, go);
  };

  const puzzle = () => {
    const { labels, daily } = model.data;
    const today = dateOf();
    const solved = daily.last === today;
    const streak = solved || daily.last === dateOf(1) ? daily.streak : 0;
    const words = solved ? labels.daily_solved : labels.daily_text;
    const days = streak
      ? el("span", { class: "nl-chip" }, stroke("flame", 18), fill(labels.days, { count: streak }))
      : null;
    const text = el("span", {}, words, days ? " " : null, days);
    const title = solved ? labels.daily_again : labels.solve;
    const go = button(title, () => model.send({ type: "daily", date: dateOf() }), {
      "data-do": "daily",
      "aria-label": `${labels.daily}: ${title}`,
    });
    return offer("target", labels.daily, text, go);
  };

  /**
   * @param {LearnData["boxes"][number]} box
   * @param {number} at
   */
  const shelf = (box, at) => {
    const node = button("", () => openBox(box.name), {
      class: `nl-box nl-card-panel nl-of-${at}`,
      "data-box": box.name,
    });
    node.replaceChildren(
      el("span", { class: "nl-box-sign", "aria-hidden": "true" }, icon(box.icon, 34)),
      el("b", {}, box.title),
      el("small", {}, box.words),
      el(
        "span",
        { class: "nl-meter", "aria-hidden": "true" },
        el("i", { style: `width:${(100 * box.done) / box.all}%` }),
      ),
    );
    return el("li", {}, node);
  };

  /**
   * @param {string} title
   * @param {string} text
   */
  const heading = (title, text) =>
    el("div", { class: "nl-heading" }, el("h2", {}, title), text ? el("span", { class: "nl-note-line" }, text) : null);

  const drawMap = () => {
    const { labels, hero: first, steps, boxes, progress, plays, puzzles } = model.data;
    const sides = [plays ? quick() : null, puzzles ? puzzle() : null];
    map.replaceChildren(
      el("div", { class: "nl-first" }, begin(first, fan([12, 44, 55, 70])), el("div", { class: "nl-offers" }, sides)),
      heading(labels.first_steps, progress),
      el("ol", { class: "nl-lessons nl-path" }, steps.map(card)),
      heading(labels.more_games, labels.more_games_text),
      el("ul", { class: "nl-boxes" }, boxes.map(shelf)),
    );
  };

  /** @param {NonNullable<LearnData["box"]>} box */
  const drawBox = (box) => {
    const { labels } = model.data;
    const back = button("", () => openBox(""), { class: "nl-quiet", "data-do": "first-page" });
    back.append(stroke("back"), el("span", {}, labels.back));
    map.replaceChildren(
      el("div", {}, back),
      begin(box.hero, el("span", { class: "nl-box-sign", "aria-hidden": "true" }, icon(box.icon, 160))),
      el("ol", { class: "nl-lessons" }, box.lessons.map(cardWithTest)),
    );
  };

  const draw = () => {
    const { open: now, box } = model.data;
    map.hidden = Boolean(now);
    if (now) map.replaceChildren();
    else if (box) drawBox(box);
    else drawMap();
  };
  const say = (/** @type {string} */ words) => {
    setText(told, words);
    told.hidden = !words;
    if (words) told.scrollIntoView({ block: "nearest" });
  };
  draw();
  life.model(model, "change", () => {
    say(""); // another page opened
    draw();
  });
  life.model(model, "msg:custom", (message) => say(message.text ?? ""));
  slot(model, "lesson", inside, life);
  return () => life.end();
}

export default { render };
