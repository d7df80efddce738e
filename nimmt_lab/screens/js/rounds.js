// Between two rounds: the scores so far and what happened, until the next round is asked for.
import { button, el, fill } from "./dom.js";
import { headSign, pictureOf } from "./marks.js";

/**
 * The players in order, each with what the round brought and a bar to the end of the game.
 * @param {Scene} scene
 * @param {RoundResult["rows"]} rows
 */
function ranking(scene, rows) {
  const { scale, unit } = scene.game;
  const most = scale ?? Math.max(1, ...rows.map((row) => Math.abs(row.points)));
  return el(
    "ol",
    { class: "nl-ranking nl-card-panel" },
    rows.map((row) => {
      const seat = scene.seats.findIndex((other) => other.seat === row.seat);
      const width = (/** @type {number} */ points) =>
        `width:${Math.min(100, (100 * Math.max(0, points)) / most).toFixed(1)}%`;
      const before = row.points - row.gained;
      const grew = row.gained > 0 && before >= 0;
      const gained = `${row.gained < 0 ? "−" : "+"}${Math.abs(row.gained)}`;
      return el(
        "li",
        { class: `nl-of-${Math.max(seat, 0) % 10}${row.you ? " nl-mine-seat" : ""}` },
        el("b", { class: "nl-place-number" }, String(row.place)),
        el("span", { class: "nl-avatar", "aria-hidden": "true" }, [...row.name][0]?.toUpperCase() ?? ""),
        el(
          "span",
          { class: "nl-ranking-who" },
          el("b", {}, row.name),
          el(
            "span",
            { class: "nl-meter nl-meter-parts", "aria-hidden": "true" },
            el("i", { style: width(grew ? before : row.points) }),
            grew ? el("i", { style: width(row.gained) }) : null,
          ),
        ),
        el("span", { class: "nl-gained" }, gained),
        el("b", { class: "nl-sum" }, unit ? headSign() : null, String(row.points).replace("-", "−")),
      );
    }),
  );
}

/**
 * @param {Scene} scene
 * @param {RoundMoment[]} moments
 */
export function highlights(scene, moments) {
  if (!moments.length) return null;
  return el(
    "section",
    { class: "nl-moments nl-card-panel" },
    el("h2", {}, scene.labels.moments),
    el(
      "ol",
      {},
      moments.map((moment) =>
        el(
          "li",
          { class: moment.mine ? "nl-moment-mine" : "" },
          pictureOf(scene, moment.card),
          el("span", {}, el("b", {}, moment.turn), el("span", { title: moment.why }, moment.text)),
          el("b", { class: "nl-moment-heads" }, scene.game?.unit === false ? null : headSign(), String(moment.heads)),
        ),
      ),
    ),
  );
}

/**
 * @param {Scene} scene
 * @param {RoundResult} result
 * @param {() => void} goOn
 */
export function scoreboard(scene, result, goOn) {
  const { labels } = scene;
  const next = button(labels.next_round, goOn, { class: "nl-primary nl-big", "data-do": "next-round" });
  const limit = scene.game.limit;
  return el(
    "section",
    { class: "nl-scoreboard", role: "group", "aria-label": labels.scores_so_far },
    el(
      "header",
      {},
      el(
        "div",
        {},
        el("h2", { role: "status" }, result.title),
        limit ? el("p", { class: "nl-note-line" }, fill(labels.to_limit, { limit })) : null,
      ),
      next,
    ),
    el("div", { class: "nl-scoreboard-body" }, ranking(scene, result.rows), highlights(scene, result.moments)),
  );
}
