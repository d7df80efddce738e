// Below the page: what is kept in this browser, to take along; a file of it from elsewhere; the way back, and the way to
// forget it all.
import { el, fill, setText } from "../dom.js";
import { download } from "../part.js";
import { BackupError, LARGEST, readBackup, writeBackup } from "./backup.js";

/** @import { Store } from "./store.js" */

/** The page as it was seen last. */
export const SNAPSHOT = "page.json";
/** Files that are useless on their own. */
export const OWN = ["nimmt-lab.json", "nimmt-lab-pages.json", SNAPSHOT];
const MB = 1e6;

export class Kept {
  /**
   * @param {Site} site
   * @param {Labels} words
   * @param {Store} store
   * @param {() => void} leave called when everything has been replaced
   */
  constructor(site, words, store, leave) {
    this.site = site;
    this.words = words;
    this.store = store;
    this.leave = leave;
    this.told = el("span", { role: "status" });
    this.foot = el("footer", { class: "nl nl-kept" });
  }

  /** @param {string} words */
  tell(words) {
    setText(this.told, words);
  }

  draw() {
    const own = [...this.store.files.keys()].filter((name) => !OWN.includes(name)).sort();
    const links = own.map((name) => {
      const node = el("button", { type: "button", class: "nl-button" }, name);
      node.addEventListener("click", () =>
        download(name.slice(name.lastIndexOf("/") + 1), new Blob([this.store.files.get(name) ?? ""])),
      );
      return el("li", {}, node);
    });
    /**
     * @param {string} words
     * @param {() => void} does
     * @param {string} name
     */
    const act = (words, does, name) => {
      const node = el("button", { type: "button", class: "nl-button", "data-do": name }, words);
      node.addEventListener("click", does);
      return node;
    };
    const chosen = el("input", {
      type: "file",
      accept: ".json",
      "aria-label": this.words.bring,
      "data-do": "bring-file",
      hidden: true,
    });
    chosen.addEventListener("change", () => {
      this.bring(chosen.files?.[0]);
      chosen.value = ""; // the same file may be chosen again
    });
    const open = this.foot.querySelector("details")?.open ?? false;
    this.foot.replaceChildren(
      this.site.lab
        ? el(
            "p",
            {},
            el("a", { href: this.site.lab, target: "_blank", rel: "noopener", "data-do": "lab" }, this.words.lab),
          )
        : "",
      this.store.lasting ? "" : el("p", { class: "nl-not-kept", role: "status" }, this.words.not_kept),
      el(
        "details",
        { open },
        el("summary", {}, this.words.kept),
        this.store.lasting ? el("p", {}, this.words.kept_text) : "",
        links.length ? el("ul", { class: "nl-kept-files" }, links) : "",
        el(
          "p",
          {},
          act(this.words.take, () => this.take(), "take"),
          " ",
          act(this.words.bring, () => chosen.click(), "bring"),
          chosen,
          " ",
          this.store.undoable ? [act(this.words.undo, () => this.undo(), "undo"), " "] : "",
          act(this.words.forget, () => this.forget(), "forget"),
          " ",
          this.told,
        ),
      ),
    );
  }

  async take() {
    const files = await this.store.all();
    files.delete(SNAPSHOT);
    download("nimmt-lab-kept.json", writeBackup(files));
  }

  // Put what is in a file in place of all that is kept: only if it can be read as a whole, and after asking.
  /** @param {File | undefined} file */
  async bring(file) {
    if (!file) return;
    /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
    let files;
    try {
      if (file.size > LARGEST) throw new BackupError("large");
      files = readBackup(await file.text());
    } catch (error) {
      const { why, entry } = error instanceof BackupError ? error : new BackupError("wrong");
      const most = Math.round(LARGEST / MB);
      this.tell(fill(this.words[`bring_${why}`], { name: entry.slice(0, 100), most }));
      return;
    }
    if (!this.store.base) this.tell(this.words.bring_nowhere);
    else if (confirm(fill(this.words.bring_sure, { file: file.name })))
      await this.exchange(() => this.store.replace(files));
  }

  // Go back to what was kept before a file was brought.
  async undo() {
    if (confirm(this.words.undo_sure)) await this.exchange(() => this.store.undo());
  }

  async forget() {
    if (confirm(this.words.forget_sure)) await this.exchange(() => this.store.clear());
  }

  // Only what is stored for certain leads to another page.
  /** @param {() => Promise<void>} work */
  async exchange(work) {
    try {
      await work();
    } catch {
      this.tell(this.words.bring_failed);
      return;
    }
    this.leave();
    location.reload();
  }
}
