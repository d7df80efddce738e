// Analyse: what to look at, then the board with its lines of play, the course of the game, and what options are worth.
import { button, el, focusIn, Life, setText } from "../dom.js";
import { download, picture, slot } from "../part.js";
import { stroke } from "../icons.js";
import { hero, sketch } from "../sketch.js";
import { gameFields } from "./game_fields.js";
import { fileButton } from "./parts.js";

// What a position looks like, in every language.
const EXAMPLE = "12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36";

class Opening {
  /** @param {Part<AnalyseData>} model */
  constructor(model) {
    this.model = model;
    this.setup = structuredClone(model.get("setup"));
    this.node = el("section", { class: "nl-open" });
    this.text = el("textarea", {
      class: "nl-paste",
      rows: 8,
      spellcheck: "false",
      "aria-label": model.get("labels").paste,
      placeholder: EXAMPLE,
      "data-do": "paste",
    });
    this.text.addEventListener("keydown", (event) => event.stopPropagation());
    this.form = el("div", {});
    this.draw();
  }

  fields() {
    const { games, choose } = this.model.data;
    this.form.replaceChildren(
      gameFields(games, this.setup, choose, (now) => {
        const focused = document.activeElement?.dataset?.do;
        this.setup = now;
        this.fields();
        if (focused) this.form.querySelector(`[data-do='${focused}']`)?.focus();
      }),
    );
  }

  draw() {
    const { labels, saved } = this.model.data;
    const send = (/** @type {Sent} */ message) => this.model.send(message);
    const file = fileButton(labels.file, { accept: ".nimmt,.json,.txt,.notes" }, async ([chosen]) =>
      send({ type: "open", text: await chosen.text() }),
    );
    this.fields();
    const way = (
      /** @type {string} */ sign,
      /** @type {string} */ title,
      /** @type {string} */ text,
      /** @type {Attributes} */ marks,
      /** @type {Sent} */ message,
    ) => {
      const node = button("", () => send(message), { class: "nl-way nl-card-panel", ...marks });
      node.append(sketch(sign), el("b", {}, title), el("small", {}, text));
      return el("li", {}, node);
    };
    this.node.replaceChildren(
      hero(
        labels.hero,
        labels.hero_text,
        [button(labels.show, () => send({ type: "show" }), { class: "nl-primary nl-big", "data-do": "show-sample" })],
        sketch("review"),
      ),
      el(
        "ul",
        { class: "nl-ways" },
        way("position", labels.setup, labels.setup_text, { "data-do": "setup" }, { type: "setup" }),
        way("record", labels.record_game, labels.record_text, { "data-do": "record-game" }, { type: "record_game" }),
        way("review", labels.my_games, labels.my_games_text, { "data-do": "my-games" }, { type: "my_games" }),
        way("takes", labels.explore, labels.explore_text, { "data-do": "explore" }, { type: "explore" }),
        way("bots", labels.sample, labels.sample_text, { "data-do": "sample" }, { type: "sample" }),
      ),
      el(
        "div",
        { class: "nl-form-body nl-card-panel" },
        el(
          "section",
          {},
          el("h2", {}, labels.paste),
          this.text,
          el("details", { class: "nl-more" }, el("summary", {}, labels.position_of), this.form),
        ),
        el(
          "section",
          {},
          el(
            "div",
            { class: "nl-bar" },
            button(labels.open, () => send({ type: "open", text: this.text.value, setup: this.setup }), {
              "data-do": "open",
            }),
            file,
          ),
          saved.length ? el("h2", {}, labels.saved) : "",
          saved.length
            ? el(
                "ul",
                { class: "nl-saved" },
                saved.map((name) =>
                  el(
                    "li",
                    {},
                    button(name, () => send({ type: "load", file: name }), { "data-file": name }),
                  ),
                ),
              )
            : "",
        ),
      ),
    );
  }
}

/** @param {View<Part<AnalyseData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const opening = el("div", {});
  const head = el("div", { class: "nl-analyse-head" });
  const told = el("p", { class: "nl-told", role: "status" });
  const offer = el("section", { class: "nl-shared nl-card-panel", role: "group", hidden: true });
  const code = el("div", {});
  const board = el("div", { class: "nl-analyse-board" });
  const course = el("div", {});
  const judge = el("div", {});
  const editor = el("div", {});
  const under = el("div", { class: "nl-analyse-under" });
  const game = el(
    "div",
    { class: "nl-analyse" },
    el("div", { class: "nl-analyse-left" }, board, under),
    el("div", { class: "nl-analyse-side" }, course, judge),
  );
  const heading = el("h1", { class: "nl-heard" }, model.get("labels").title);
  holder.append(heading, offer, head, told, opening, code, game, editor);
  const send = (/** @type {Sent} */ message) => model.send(message);
  const drawHead = () => {
    const { labels, mode, lines, line } = model.data;
    const back = button("", () => send({ type: "back" }), { class: "nl-quiet", "data-do": "back-to-open" });
    back.append(stroke("back"), el("span", {}, labels.back));
    if (mode !== "game") {
      head.replaceChildren(back, el("b", {}, labels[mode] ?? ""));
      return;
    }
    const focused = focusIn(head)?.dataset ?? {};
    const open = Boolean(head.querySelector("details")?.open); // keep the list open after an export
    const names = lines.map((name, at) =>
      button(name, () => send({ type: "line", line: at }), {
        class: "nl-line-name",
        "data-line": at,
        "aria-pressed": String(at === line),
      }),
    );
    const forms = ["link", "html", "png", "svg", "cell", "nimmt", "json"].map((form) =>
      button(labels[`as_${form}`], () => send({ type: "export", as: form }), { "data-export": form }),
    );
    head.replaceChildren(
      back,
      lines.length > 1
        ? el(
            "div",
            { class: "nl-lines", role: "group", "aria-label": labels.lines },
            names,
            line ? button(labels.drop, () => send({ type: "drop", line }), { "data-do": "drop" }) : "",
          )
        : "",
      el("span", { class: "nl-spring" }),
      el(
        "details",
        { class: "nl-export", open },
        el("summary", {}, labels.export),
        el("div", { class: "nl-bar" }, forms),
      ),
    );
    if (focused.line !== undefined) head.querySelector(`[data-line='${focused.line}']`)?.focus();
    if (focused.export !== undefined) head.querySelector(`[data-export='${focused.export}']`)?.focus();
  };
  const draw = () => {
    const { mode } = model.data;
    opening.hidden = mode !== "open";
    head.hidden = mode === "open";
    game.hidden = mode !== "game";
    editor.hidden = mode === "open" || mode === "game";
    heading.hidden = mode === "open";
    if (mode === "open" && !opening.childElementCount) opening.replaceChildren(new Opening(model).node);
    if (mode !== "open") {
      opening.replaceChildren();
      drawHead();
    }
    setText(told, model.get("told"));
    told.hidden = !model.get("told");
    code.replaceChildren();
  };
  const drawOffer = () => {
    const { offer: offered, labels } = model.data;
    offer.hidden = !offered;
    offer.replaceChildren();
    if (!offered) return;
    const yes = button(labels.offer_open, () => send({ type: "accept" }), { class: "nl-primary", "data-do": "accept" });
    offer.setAttribute("aria-label", labels.offer_title);
    offer.append(
      el("h2", {}, labels.offer_title),
      el("p", {}, offered.title),
      offered.open ? el("p", {}, labels.offer_replaces) : "",
      el(
        "div",
        { class: "nl-bar" },
        yes,
        button(labels.offer_no, () => send({ type: "decline" }), { "data-do": "decline" }),
      ),
    );
    yes.focus();
  };
  drawOffer();
  life.model(model, "change:offer", drawOffer);
  draw();
  for (const name of ["mode", "lines", "line", "told", "labels"]) life.model(model, `change:${name}`, draw);
  life.model(model, "msg:custom", (message) => {
    if (message.type === "file") download(message.name, message.text);
    else if (message.type === "picture") picture(message.name, message.text);
    else if (message.type === "cell" || message.type === "link") {
      const area = el("textarea", {
        class: "nl-paste",
        rows: 6,
        readonly: true,
        "aria-label": message.said,
        "data-do": "cell",
      });
      // Only in pages of our own: a notebook's address opens the notebook.
      const own = message.type === "link" && document.querySelector("meta[name='nimmt-lab']");
      area.value = own ? location.href.replace(/[?#].*$/, "") + message.place + message.text : message.text;
      code.replaceChildren(el("p", {}, message.said), area);
      area.focus();
      area.select();
    } else {
      setText(told, message.text ?? "");
      told.hidden = !message.text;
    }
  });
  slot(model, "board", board, life);
  slot(model, "course", course, life);
  slot(model, "judge", judge, life);
  slot(model, "editor", editor, life);
  return () => life.end();
}

export default { render };
