// Form fields and tables that several screens use.
import { el, uid } from "../dom.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

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
 * A few choices side by side: one is pressed. Arrow keys walk, and choose.
 * @param {string} key
 * @param {string} label
 * @param {Pair[]} options
 * @param {string | number | null} value
 * @param {(value: string) => void} act
 */
export function segments(key, label, options, value, act) {
  const id = uid("segments");
  const buttons = options.map(([name, text]) => {
    const on = String(name) === String(value);
    const node = el(
      "button",
      {
        type: "button",
        role: "radio",
        class: "nl-segment",
        "aria-checked": String(on),
        tabindex: on ? 0 : -1,
        "data-do": `${key}-${name}`,
      },
      text,
    );
    node.addEventListener("click", () => act(String(name)));
    return node;
  });
  const group = el("div", { class: "nl-segments", role: "radiogroup", "aria-labelledby": id }, buttons);
  group.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const name = String(options[(at + step + buttons.length) % buttons.length][0]);
    act(name);
    // What was chosen may have drawn all of this again.
    document.querySelector(`[data-do='${CSS.escape(`${key}-${name}`)}']`)?.focus();
  });
  return el("div", { class: "nl-field-box" }, el("span", { id }, label), group);
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

// A typed number; other text stays text, since Python has the error message.
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

// A button that chooses files, in the language of the page: a browser's own speaks the browser's.
/**
 * @param {string} label
 * @param {Attributes} attributes
 * @param {(files: File[]) => void} act
 */
export function fileButton(label, attributes, act) {
  const input = el("input", { type: "file", class: "nl-heard", ...attributes });
  input.addEventListener("change", () => input.files?.length && act([...input.files]));
  return el("label", { class: "nl-button nl-file" }, label, input);
}

/**
 * A line of a table, with its name first.
 * @param {Child[]} cells
 */
export const row = (cells) =>
  el(
    "tr",
    {},
    cells.map((cell, at) => el(at ? "td" : "th", at ? {} : { scope: "row" }, cell)),
  );

/**
 * A table: a head of column names (none: an empty corner), and its lines.
 * @param {string} look
 * @param {string[]} head
 * @param {HTMLElement[]} lines
 * @param {Attributes} [marks]
 */
export function grid(look, head, lines, marks) {
  const names = head.map((name) => el(name ? "th" : "td", name ? { scope: "col" } : {}, name));
  return el("table", { class: look, ...marks }, el("thead", {}, el("tr", {}, names)), el("tbody", {}, lines));
}

/**
 * A table of figures.
 * @param {string[]} head
 * @param {HTMLElement[]} lines
 */
export const figures = (head, lines) => grid("nl-chart nl-worth", head, lines);
