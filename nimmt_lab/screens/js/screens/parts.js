// Small pieces that screens are made of.
import { el, uid } from "../dom.js";

/**
 * @param {string} text
 * @param {() => void} act
 * @param {Attributes} attributes
 */
export function button(text, act, attributes = {}) {
  const { class: extra = "", ...rest } = attributes;
  const node = el("button", { type: "button", class: `nl-button ${extra}`, ...rest }, text);
  node.addEventListener("click", act);
  return node;
}

// A list to choose one of. `hidden` keeps its name for readers who hear the page.
/**
 * @param {string} label
 * @param {Pair[]} options
 * @param {string | number | null} value
 * @param {(value: string) => void} act
 * @param {Attributes & { hidden?: boolean }} attributes
 */
export function choice(label, options, value, act, { hidden = false, ...attributes } = {}) {
  const id = uid("choice");
  const select = el(
    "select",
    { id, class: "nl-select", "aria-label": hidden ? label : null, ...attributes },
    options.map(([name, text]) => el("option", { value: name, selected: String(name) === String(value) }, text)),
  );
  select.addEventListener("change", () => act(select.value));
  return hidden ? select : el("div", { class: "nl-field-box" }, el("label", { for: id }, label), select);
}

/**
 * @param {string} label
 * @param {HTMLElement} input
 */
export function field(label, input) {
  const id = uid("field");
  input.id = id;
  return el("div", { class: "nl-field-box" }, el("label", { for: id }, label), input);
}

/**
 * @param {string} label
 * @param {unknown} value
 * @param {(on: boolean) => void} act
 * @param {Attributes} attributes
 */
export function check(label, value, act, attributes = {}) {
  const id = uid("check");
  const box = el("input", { type: "checkbox", id, checked: Boolean(value), ...attributes });
  box.addEventListener("change", () => act(box.checked));
  return el("div", { class: "nl-check" }, box, el("label", { for: id }, label));
}

// A number as it was typed; what is none stays text, so that Python says what is wrong with it.
/** @param {string} text */
export function whole(text) {
  const said = text.trim();
  return /^\d{1,15}$/.test(said) ? Number(said) : said;
}

// Keys typed into a line are for the line: the notebook has keys of its own.
/**
 * @param {Attributes} attributes
 * @param {(text: string) => void} [enter]
 */
export function line(attributes, enter) {
  const node = el("input", {
    type: "text",
    class: "nl-input nl-answer",
    autocomplete: "off",
    spellcheck: "false",
    ...attributes,
  });
  node.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.isComposing && enter) {
      event.preventDefault();
      enter(node.value);
    }
  });
  return node;
}
