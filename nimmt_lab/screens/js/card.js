// A card: the number, and its heads as pips whose shape and count say how much it costs.
import { el, fill, svg } from "./dom.js";

const SHAPES = { 1: "circle", 2: "diamond", 3: "triangle", 5: "square", 7: "star" };
const CORNERS = { diamond: 4, triangle: 3, star: 10 };

function pip(shape, x, y, r) {
  if (shape === "circle") return svg("circle", { cx: x, cy: y, r });
  if (shape === "square") return svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r });
  const points = [];
  for (let corner = 0; corner < CORNERS[shape]; corner += 1) {
    const radius = r * (shape === "star" && corner % 2 ? 0.45 : 1.25);
    const angle = (Math.PI * 2 * corner) / CORNERS[shape] - Math.PI / 2;
    points.push(`${(x + radius * Math.cos(angle)).toFixed(2)},${(y + radius * Math.sin(angle)).toFixed(2)}`);
  }
  return svg("polygon", { points: points.join(" ") });
}

function headClass(heads) {
  return heads >= 7 ? 7 : heads >= 5 ? 5 : heads >= 3 ? 3 : heads;
}

function pips(heads) {
  const step = Math.min(7, 33 / Math.max(heads, 1));
  const left = 20 - (step * (heads - 1)) / 2;
  const drawn = svg("svg", { viewBox: "0 0 40 10", class: "nl-pips", "aria-hidden": "true" });
  for (let at = 0; at < heads; at += 1) {
    drawn.append(pip(SHAPES[headClass(heads)] || "circle", left + step * at, 5, Math.min(2.7, step * 0.4)));
  }
  return drawn;
}

// Where heads have colours: one letter in its colour for each.
function coloured(list) {
  return el(
    "span",
    { class: "nl-colours", "aria-hidden": "true" },
    list.flatMap(({ fill: background, ink, letter, count }) =>
      Array.from({ length: count }, () => el("i", { class: "nl-colour", style: `background:${background};color:${ink}` }, letter)),
    ),
  );
}

export function cardWords(scene, card) {
  const words = [fill(scene.labels.card, { card }), fill(scene.labels.heads, { heads: scene.faces.heads[card] ?? 0 })];
  const colours = scene.faces.colours?.[card];
  if (colours) words.push(colours.map(({ count, name }) => `${name} ${count}`).join(", "));
  return words.join(", ");
}

export function cardNode(scene, card, { tag = "div", extra = "", note = "" } = {}) {
  const heads = scene.faces.heads[card] ?? 0;
  const colours = scene.faces.colours?.[card];
  return el(
    tag,
    {
      class: `nl-card nl-${colours ? "coloured" : `heads-${headClass(heads)}`} ${extra}`,
      "data-card": card,
      type: tag === "button" ? "button" : null,
      role: tag === "button" ? null : "img",
      "aria-label": cardWords(scene, card) + (note ? `, ${note}` : ""),
    },
    colours ? coloured(colours) : pips(heads),
    el("span", { class: "nl-number" }, String(card)),
  );
}
