// The number line alone: walk over the numbers and hear where each would go.
import { el, followTheme, Life } from "./dom.js";
import { NumberStrip } from "./line.js";

/** @param {View<Model<NumberLineData>>} view */
function render({ model, el: holder }) {
  const life = new Life();
  const scene = model.get("scene");
  const strip = new NumberStrip(scene, life, { cursor: true });
  const root = el("div", { class: "nl nl-alone", lang: scene.lang }, strip.node);
  holder.append(root);
  followTheme(root, life);
  strip.at = model.get("value") || scene.deck[0];
  strip.show(scene.frames[0], model.get("seat"));
  strip.sayCursor();
  strip.onMove = (value) => {
    model.set("value", value);
    model.save_changes();
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
