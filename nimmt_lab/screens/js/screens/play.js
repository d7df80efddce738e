// Play: the form, the table, the end. The form lives here until the game starts.
import { button, el, fill, Life, setText } from "../dom.js";
import { headSign } from "../marks.js";
import { icon } from "../card.js";
import { fan, SCENE } from "../fan.js";
import { download, slot } from "../part.js";
import { counts, optionField } from "./game_fields.js";
import { highlights } from "../rounds.js";
import { check, choice, field, line, segments, whole } from "./parts.js";

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

  // One tap to a game: three opponents who make mistakes, one round.
  quick() {
    const { labels } = this.model.data;
    const go = button(labels.quick_go, () => this.model.send({ type: "quick" }), {
      class: "nl-primary nl-big",
      "data-do": "quick",
    });
    return el(
      "section",
      { class: "nl-quick nl-felt-panel" },
      el("div", {}, el("h2", {}, labels.quick), el("p", {}, labels.quick_text), go),
      fan(),
    );
  }

  // The games as boxes to take from the shelf.
  boxes() {
    const { labels, games } = this.model.data;
    const { setup } = this;
    const nodes = games.map((one, at) => {
      const node = button(
        "",
        () => {
          setup.game = one.name;
          setup.options = {};
          this.draw();
          this.node.querySelector(`[data-game='${one.name}']`)?.focus();
        },
        { class: `nl-game nl-of-${at}`, "data-game": one.name, "aria-pressed": String(one.name === setup.game) },
      );
      node.replaceChildren(
        icon(one.icon, 30),
        el("b", {}, one.title),
        el("small", {}, `${one.players[0]}–${one.players[1]}`),
      );
      return node;
    });
    return el("div", { class: "nl-games", role: "group", "aria-label": labels.game }, nodes);
  }

  /** @param {number} players */
  people(players) {
    const { labels, levels, person } = this.model.data;
    const { setup, game } = this;
    /** @type {Pair[]} */
    const ladder = [[person, labels.person], ...levels.map((level) => /** @type {Pair} */ ([level.name, level.title]))];
    const told = new Set(); // each level is described once
    return Array.from({ length: players }, (_, at) => {
      const seat = this.seat(at);
      const letter = String.fromCharCode(65 + at);
      const put = (/** @type {{ name?: string, level?: string }} */ change) => {
        setup.seats[at] = { ...this.seat(at), ...change };
      };
      const name = line({
        value: seat.name,
        maxlength: 40,
        "aria-label": `${fill(labels.seat, { letter })}: ${labels.name}`,
        placeholder: at === 0 && seat.level === person ? labels.you_name : letter,
        class: "nl-input nl-seat-name",
      });
      // With every letter: whatever is changed next finds the whole name.
      name.addEventListener("input", () => put({ name: name.value }));
      const level = choice(
        `${fill(labels.seat, { letter })}: ${labels.level}`,
        ladder,
        seat.level,
        (value) => {
          put({ level: value });
          this.draw();
        },
        { hidden: true, "data-seat": at },
      );
      const about = levels.find((one) => one.name === seat.level);
      const first = !told.has(seat.level);
      told.add(seat.level);
      const measured = about && about.game === game.name ? about.measured : ""; // measured in that game alone
      const shown = [...(seat.name || (at ? letter : labels.you_name))][0].toUpperCase();
      return el(
        "li",
        { class: `nl-of-${at}` },
        el("span", { class: "nl-avatar", "aria-hidden": "true" }, shown),
        name,
        level,
        el("small", { title: measured || null }, first ? (about?.text ?? "") : ""),
      );
    });
  }

  draw() {
    const { labels } = this.model.data;
    const { setup, game } = this;
    const players = this.players();
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
    const go = el("button", { type: "submit", class: "nl-button nl-go nl-primary", "data-do": "start" }, labels.start);
    const open = this.node.querySelector("details")?.open ?? false;
    const count = segments("players", labels.players, counts(game), players, (value) => {
      setup.players = Number(value);
      this.draw();
    });
    this.node.replaceChildren(
      el("h1", {}, labels.title),
      this.quick(),
      el("h2", { class: "nl-shelf" }, labels.own_game),
      this.boxes(),
      el(
        "div",
        { class: "nl-form-body nl-card-panel" },
        el("section", {}, el("h2", {}, labels.seats), count, el("ol", { class: "nl-seats" }, this.people(players))),
        el(
          "section",
          {},
          el("h2", {}, game.title),
          check(labels.hints, setup.hints, (on) => {
            setup.hints = on;
          }),
          el("details", { class: "nl-more", open }, el("summary", {}, labels.more), options, field(labels.seed, seed)),
          el("div", { class: "nl-bar" }, go),
          this.said,
        ),
      ),
    );
  }
}

/**
 * @param {PlayEnd["rows"][number]} one
 * @param {PlayEnd["rows"][number]} other
 */
function same(one, other) {
  return one.points === other.points && one.won === other.won;
}

/**
 * @param {PlayEnd} end
 * @param {Labels} labels
 */
function podium(end, labels) {
  const best = end.rows.slice(0, 3);
  const order = [1, 0, 2].filter((at) => at < best.length);
  // Who has the same result stands on the same step.
  const place = (/** @type {number} */ at) => end.rows.findIndex((row) => same(row, best[at]));
  return el(
    "ol",
    { class: "nl-podium", "aria-hidden": "true" },
    order.map((at) =>
      el(
        "li",
        { class: `nl-step-${place(at) + 1} nl-of-${best[at].at}` },
        el("span", { class: "nl-avatar" }, [...who(best[at], labels)][0].toUpperCase()),
        el("b", {}, who(best[at], labels)),
        el(
          "span",
          { class: "nl-step" },
          String(place(at) + 1),
          el("small", {}, end.heads ? headSign() : null, String(best[at].points).replace("-", "−")),
        ),
      ),
    ),
  );
}

/**
 * @param {PlayEnd["rows"][number]} row
 * @param {Labels} labels
 */
function who(row, labels) {
  return row.you ? labels.you_name : row.name;
}

/**
 * @param {PlayEnd} end
 * @param {Part<PlayData>} model
 */
function endNode(end, model) {
  const { labels } = model.data;
  const act = (/** @type {string} */ name, more = {}) =>
    button(labels[name], () => model.send({ type: name }), { "data-do": name, ...more });
  const number = (/** @type {number} */ points) => String(points).replace("-", "−");
  const rows = end.rows.map((row) =>
    el(
      "tr",
      { class: `${row.won ? "nl-won " : ""}${row.you ? "nl-mine-seat " : ""}nl-of-${row.at}` },
      el(
        "th",
        { scope: "row" },
        el(
          "span",
          { class: "nl-scores-who" },
          el("span", { class: "nl-avatar", "aria-hidden": "true" }, [...who(row, labels)][0].toUpperCase()),
          el("span", {}, el("span", {}, who(row, labels)), el("small", {}, row.level)),
        ),
      ),
      row.rounds.length > 1 ? row.rounds.map((points) => el("td", { class: "nl-gained" }, number(points))) : null,
      el("td", { class: "nl-score" }, end.heads ? headSign() : null, number(row.points)),
    ),
  );
  return el(
    "section",
    { class: "nl-end-screen" },
    el(
      "header",
      {},
      el("h1", { tabindex: -1 }, end.title),
      el(
        "div",
        { class: "nl-bar" },
        end.review ? act("review", { class: "nl-primary nl-big" }) : "",
        act("again", { class: end.review ? "nl-big" : "nl-primary nl-big" }),
      ),
    ),
    el(
      "div",
      { class: "nl-end-body" },
      el(
        "div",
        { class: "nl-card-panel nl-result" },
        end.rows.length > 1 ? podium(end, labels) : null,
        el("table", { class: "nl-scores" }, el("caption", { class: "nl-heard" }, labels.scores), rows),
      ),
      highlights({ ...SCENE, ...end }, end.moments),
    ),
    el(
      "div",
      { class: "nl-bar" },
      act("replay"),
      act("share"),
      act("save", { class: "nl-quiet" }),
      act("leave", { class: "nl-quiet" }),
    ),
  );
}

/** @param {View<Part<PlayData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const toast = el("div", { class: "nl-toast", role: "status", hidden: true });
  const form = el("div", {});
  const end = el("div", {});
  const table = el("div", { class: "nl-play-table" });
  const replay = el("div", {});
  const back = el("div", { class: "nl-bar" });
  const told = el("p", { class: "nl-told", role: "status" });
  const heading = el("h1", { class: "nl-heard" }, model.get("labels").title);
  const root = el("div", { class: "nl-play-screen" }, heading, toast, form, end, told, table, back, replay);
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
    // What was left by mistake can be had back.
    toast.hidden = mode !== "setup" || !model.data.left;
    toast.replaceChildren();
    if (!toast.hidden)
      toast.append(
        el("span", {}, labels.left_table),
        button(labels.back_table, () => model.send({ type: "return" }), { class: "nl-small", "data-do": "return" }),
      );
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
