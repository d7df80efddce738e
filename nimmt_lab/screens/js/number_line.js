// The number line alone: walk over the numbers and hear where each would go.
import { el, followTheme, Life } from "./dom.js";
import { NumberStrip } from "./line.js";

/** @param {View<Model<NumberLineData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const scene = model.get("scene");
  const strip = new NumberStrip(scene, life, { cursor: true });
  const root = el("div", { class: "nl nl-number-line", lang: scene.lang }, strip.node);
  holder.append(root);
  followTheme(root, life);
  strip.at = model.get("value") || scene.deck[0];
  strip.show(scene.frames[0], model.get("seat"));
  strip.sayCursor();
  /** @type {number | undefined} */
  let telling;
  life.atEnd(() => clearTimeout(telling));
  strip.onMove = (value) => {
    clearTimeout(telling);
    telling = setTimeout(() => {
      model.set("value", value);
      model.save_changes();
    }, 100); // Python need not hear of every number on the way
  };
  life.model(model, "change:value", () => {
    if (model.get("value") !== strip.at) strip.moveTo(model.get("value"));
  });
  return () => {
    life.end();
    holder.replaceChildren();
  };
}

export default { render };
