// A question over the page: it pushes nothing, keeps the focus, and Escape means no.
import { button, el, uid } from "./dom.js";

/**
 * @param {HTMLElement} root where it belongs: its theme, its language
 * @param {{ title: string, text?: string, no: string, yes: string, act: () => void }} how
 */
export function ask(root, { title, text = "", no, yes, act }) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const id = uid("dialog");
  const close = (/** @type {boolean} */ sure) => {
    over.remove();
    before?.focus?.({ preventScroll: true });
    if (sure) act();
  };
  const stay = button(no, () => close(false), { "data-do": "dialog-no" });
  const go = button(yes, () => close(true), { class: "nl-primary", "data-do": "dialog-yes" });
  const box = el(
    "div",
    { class: "nl-dialog", role: "alertdialog", "aria-modal": "true", "aria-labelledby": id },
    el("h2", { id }, title),
    text ? el("p", {}, text) : null,
    el("div", { class: "nl-bar" }, stay, go),
  );
  const over = el("div", { class: "nl-over" }, box);
  over.addEventListener("click", (event) => {
    if (event.target === over) close(false);
  });
  over.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") close(false);
    if (event.key !== "Tab") return;
    event.preventDefault(); // two buttons: the focus goes from one to the other
    (document.activeElement === stay ? go : stay).focus();
  });
  root.append(over);
  stay.focus({ preventScroll: true });
}
