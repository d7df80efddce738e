// A line to write an answer on. It is sent by Enter or by the button, never by leaving the line half-written.
import { el, followTheme, Life } from "./dom.js";

function render({ model, el: holder }) {
  const life = new Life();
  const prompt = model.get("prompt");
  const line = el("input", { type: "text", class: "nl-line", placeholder: prompt, "aria-label": prompt, maxlength: 200, autocomplete: "off", spellcheck: "false" });
  const button = el("button", { type: "button", class: "nl-button" }, model.get("button"));
  const root = el("div", { class: "nl nl-entry" }, line, button);
  const submit = () => {
    if (line.value.trim()) model.send({ type: "answer", text: line.value });
  };
  life.on(button, "click", submit);
  life.on(line, "keydown", (event) => {
    event.stopPropagation(); // the notebook has keys of its own
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      submit();
    }
  });
  holder.append(root);
  followTheme(root, life);
  return () => {
    life.end();
    holder.replaceChildren();
  };
}

export default { render };
