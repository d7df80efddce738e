// Play: the form, the table, the end. What is filled in lives here until the game is started.
import { el, fill, Life, setText } from "../dom.js";
import { headSign } from "../board.js";
import { download, slot } from "../part.js";
import { counts, optionField } from "./game_fields.js";
import { button, check, choice, field, line, whole } from "./parts.js";

class Form {
  /** @param {Part<PlayData>} model */
  constructor(model) {
    this.model = model;
    const { setup, games } = model.data;
    this.setup = structuredClone(setup);
    if (!games.some((game) => game.name === this.setup.game)) this.setup.game = games[0].name;
    this.node = el("form", { class: "nl-form" });
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    this.said = el("p", { class: "nl-told", role: "alert" });
    this.draw();
  }

  get game() {
    const { games } = this.model.data;
    return games.find((game) => game.name === this.setup.game) ?? games[0];
  }

  /** @param {number} at */
  seat(at) {
    const { names, me, usual, person } = this.model.data;
    const seat = this.setup.seats[at] ?? {};
    return {
      name: seat.name ?? (at === 0 ? me : (names[at - 1] ?? "")),
      level: seat.level ?? (at === 0 ? person : usual),
    };
  }

  players() {
    const [fewest, most] = this.game.players;
    return this.setup.players >= fewest && this.setup.players <= most ? this.setup.players : this.game.usual;
  }

  start() {
    const known = new Set(this.game.options.map((option) => option.name));
    const options = Object.fromEntries(Object.entries(this.setup.options).filter(([name]) => known.has(name)));
    const players = this.players();
    const seats = Array.from({ length: players }, (_, at) => this.seat(at));
    this.model.send({ type: "start", setup: { ...this.setup, options, players, seats } });
  }

  draw() {
    const { labels, games, levels, person } = this.model.data;
    const { setup, game } = this;
    const again = () => this.draw();
    const cards = games.map((one) => {
      const node = button(
        "",
        () => {
          setup.game = one.name;
          setup.options = {};
          again();
          this.node.querySelector(`[data-game='${one.name}']`)?.focus();
        },
        { class: "nl-game", "data-game": one.name, "aria-pressed": String(one.name === setup.game) },
      );
      node.replaceChildren(el("b", {}, one.title), el("small", {}, `${one.players[0]}–${one.players[1]}`));
      return node;
    });
    const players = this.players();
    /** @type {Pair[]} */
    const ladder = [[person, labels.person], ...levels.map((level) => /** @type {Pair} */ ([level.name, level.title]))];
    const seats = Array.from({ length: players }, (_, at) => {
      const seat = this.seat(at);
      const letter = String.fromCharCode(65 + at);
      const put = (/** @type {{ name?: string, level?: string }} */ change) => {
        setup.seats[at] = { ...this.seat(at), ...change };
      };
      const name = line({
        value: seat.name,
        maxlength: 40,
        "aria-label": `${fill(labels.seat, { letter })}: ${labels.name}`,
        placeholder: letter,
        class: "nl-input nl-seat-name",
      });
      name.addEventListener("change", () => put({ name: name.value }));
      const level = choice(
        `${fill(labels.seat, { letter })}: ${labels.level}`,
        ladder,
        seat.level,
        (value) => {
          put({ level: value });
          again();
        },
        { hidden: true, "data-seat": at },
      );
      const about = levels.find((one) => one.name === seat.level);
      const measured = about && about.game === game.name ? about.measured : ""; // measured in that game alone
      return el(
        "li",
        {},
        el("b", { class: "nl-letter" }, letter),
        name,
        level,
        el("small", {}, about?.text ?? "", measured ? el("span", { class: "nl-measured" }, ` ${measured}`) : null),
      );
    });
    const options = game.options.map((option) => optionField(option, setup.options));
    const seed = line({
      value: setup.seed ?? "",
      placeholder: labels.fresh,
      inputmode: "numeric",
      class: "nl-input nl-wide",
    });
    seed.addEventListener("change", () => {
      setup.seed = seed.value.trim() ? whole(seed.value) : null;
    });
    const go = el("button", { type: "submit", class: "nl-button nl-primary nl-go", "data-do": "start" }, labels.start);
    const open = this.node.querySelector("details")?.open ?? false;
    this.node.replaceChildren(
      el("h1", {}, labels.title),
      el("div", { class: "nl-games", role: "group", "aria-label": labels.game }, cards),
      el(
        "div",
        { class: "nl-form-body" },
        el(
          "section",
          {},
          choice(
            labels.players,
            counts(game),
            players,
            (value) => {
              setup.players = Number(value);
              again();
            },
            { "data-do": "players" },
          ),
          el("h2", {}, labels.seats),
          el("ol", { class: "nl-seats" }, seats),
        ),
        el(
          "section",
          {},
          el("div", { class: "nl-bar" }, go),
          this.said,
          check(labels.hints, setup.hints, (on) => {
            setup.hints = on;
          }),
          el("details", { class: "nl-more", open }, el("summary", {}, labels.more), options, field(labels.seed, seed)),
        ),
      ),
    );
  }
}

/**
 * @param {PlayEnd} end
 * @param {Part<PlayData>} model
 */
function endNode(end, model) {
  const { labels } = model.data;
  const act = (/** @type {string} */ name, more = {}) =>
    button(labels[name], () => model.send({ type: name }), { "data-do": name, ...more });
  const rows = end.rows.map((row) =>
    el(
      "tr",
      { class: row.won ? "nl-won" : "" },
      el(
        "th",
        { scope: "row" },
        row.won ? el("b", {}, "★ ") : null,
        row.name,
        row.you ? el("span", { class: "nl-you" }, labels.you) : null,
      ),
      el("td", {}, el("small", {}, row.level)),
      el("td", { class: "nl-score" }, end.heads ? headSign() : null, String(row.points).replace("-", "−")),
    ),
  );
  return el(
    "section",
    { class: "nl-end-screen" },
    el("h1", { tabindex: -1 }, end.title),
    el("table", { class: "nl-scores" }, el("caption", {}, labels.scores), rows),
    el(
      "div",
      { class: "nl-bar" },
      act("again", { class: "nl-primary" }),
      act("replay"),
      end.review ? act("review") : "",
      act("save"),
      act("share"),
      act("leave"),
    ),
  );
}

/** @param {View<Part<PlayData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const form = el("div", {});
  const end = el("div", {});
  const table = el("div", {});
  const replay = el("div", {});
  const back = el("div", { class: "nl-bar" });
  const told = el("p", { class: "nl-told", role: "status" });
  const heading = el("h1", { class: "nl-heard" }, model.get("labels").title);
  const root = el("div", { class: "nl-play-screen" }, heading, form, end, told, table, back, replay);
  holder.append(root);
  /** @type {Form | null} */
  let filled = null;
  const draw = () => {
    const { mode, labels, end: ended } = model.data;
    form.hidden = mode !== "setup";
    end.hidden = mode !== "end";
    table.hidden = mode !== "table";
    replay.hidden = back.hidden = mode !== "replay";
    heading.hidden = mode === "setup" || mode === "end"; // those have a heading to be seen
    if (mode === "setup" && form.childElementCount === 0) {
      filled = new Form(model);
      form.replaceChildren(filled.node);
    } else if (mode !== "setup") {
      form.replaceChildren();
      filled = null;
    }
    end.replaceChildren(...(mode === "end" && ended ? [endNode(ended, model)] : []));
    back.replaceChildren(button(labels.back, () => model.send({ type: "back" }), { "data-do": "back-to-end" }));
    setText(told, model.get("told"));
    told.hidden = !model.get("told");
  };
  draw();
  life.model(model, "change", draw);
  life.model(model, "msg:custom", (message) => {
    if (message.type === "file") download(message.name, message.text);
    else if (message.type === "refused") {
      const place = filled?.said ?? told;
      setText(place, message.text);
      place.hidden = false;
    }
  });
  life.on(root, "nl-finished", () => model.send({ type: "finish" }));
  slot(model, "table", table, life);
  slot(model, "replay", replay, life);
  return () => life.end();
}

export default { render };
