// A page without Jupyter: it loads Python, carries messages between it and the screens, and keeps what is to be kept.
// The screens draw before Python is there; what was foreseen is answered at once, the rest as soon as it has come.
import { el, fill, setText } from "../dom.js";
import { download } from "../part.js";
import page from "../page.js";
import { Kept, OWN, SNAPSHOT } from "./kept.js";
import { Store } from "./store.js";

const HAND_IN = "hand-in/";
const MB = 1e6;

// Sorted by name at every level, as Python writes it; how long somebody thought makes no difference.
/**
 * @param {unknown} value
 * @returns {string}
 */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}

/** @param {Saying | Hello} said */
function key(said) {
  if (!("message" in said && said.message)) return canonical(said);
  const { seconds, ...message } = said.message;
  return canonical({ ...said, message });
}

// Where the parts of the site come from: files beside the page, or inside it.
/** @param {Element} node */
async function embedded(node) {
  const packed = Uint8Array.from(atob(node.textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * @param {string} name
 * @param {string | undefined} mark
 * @param {(bytes: number) => void} more
 */
async function fetched(name, mark, more) {
  const response = await fetch(mark ? `${name}?${mark}` : name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const pieces = [];
  const reader = response.body.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    pieces.push(step.value);
    more(step.value.length);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/**
 * @param {Site} site
 * @param {string} name
 * @param {(bytes: number) => void} more
 */
function part({ marks = {} }, name, more = () => {}) {
  const node = document.querySelector(`script[data-file="${name}"]`);
  return node ? embedded(node) : fetched(name, marks[name], more);
}

const text = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);

class Host {
  /**
   * @param {Site} site
   * @param {Store} store
   * @param {string} lang
   */
  constructor(site, store, lang) {
    this.site = site;
    this.store = store;
    this.lang = lang;
    this.words = site.words[lang];
    /** @type {Set<Hearer>} */
    this.hearers = new Set();
    /** @type {Partial<PageData>} */
    this.state = {};
    this.version = 0;
    /** @type {Talk | null} */
    this.talk = null; // what is foreseen from here on
    /** @type {string[]} */
    this.answered = []; // clicks that were answered before Python came
    /** @type {string[]} */
    this.waiting = []; // clicks that wait for it
    this.ready = false;
    this.left = false; // once what is kept here is about to be replaced
    /** @type {Map<number, { resolve(value: unknown): void, reject(error: Error): void }>} */
    this.asked = new Map();
    this.loading = el("p", { class: "nl-loading-text", role: "status" });
    this.bar = el("progress", { max: "100", "aria-label": this.words.loading });
    this.head = el("div", { class: "nl nl-loading" }, this.loading, this.bar);
    this.kept = new Kept(site, this.words, store, () => this.leave());
    store.tell = (name, other) => this.keptAs(name, other);
  }

  // What page.js wants of a notebook's model ----------------------------------------------------------------------
  get patience() {
    return Infinity; // the page says itself how far Python is
  }

  /**
   * @template {keyof PageData} K
   * @param {K} name
   * @returns {PageData[K]}
   */
  get(name) {
    return /** @type {PageData[K]} */ (this.state[name]);
  }

  /**
   * @template {keyof PageData} K
   * @param {K} name
   * @param {PageData[K]} value
   */
  set(name, value) {
    this.state[name] = value;
    if (name !== "page" || this.left) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.store.put(SNAPSHOT, JSON.stringify({ mark: this.site.mark, page: this.state.page })),
      400,
    );
  }

  /**
   * @param {string} name
   * @param {Hearer} hearer
   */
  on(name, hearer) {
    if (name === "msg:custom") this.hearers.add(hearer);
  }

  /**
   * @param {string} _name
   * @param {Hearer} hearer
   */
  off(_name, hearer) {
    this.hearers.delete(hearer);
  }

  /** @param {Saying | Hello} said */
  send(said) {
    if ("type" in said) return; // hello: it is said again when Python is there
    if (this.ready) {
      this.worker.postMessage({ type: "hear", text: JSON.stringify(said) });
      return;
    }
    const next = this.waiting.length ? undefined : this.talk?.then[key(said)];
    if (next) {
      this.talk = next;
      this.answered.push(JSON.stringify(said));
      for (const one of structuredClone(next.said)) this.say(one);
    } else if (said.message) {
      this.waiting.push(JSON.stringify(said));
      this.stage(this.words.soon);
    } else {
      this.waiting.push(JSON.stringify(said));
    }
  }

  /** @param {PageSaid} said */
  say(said) {
    this.version = said.version;
    for (const hearer of this.hearers) hearer(said);
  }

  // Loading -------------------------------------------------------------------------------------------------------
  /**
   * @param {string} words
   * @param {number | null} share
   */
  stage(words, share = null) {
    setText(this.loading, words);
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = 100 * share;
  }

  /** @param {HTMLElement} holder */
  async start(holder) {
    document.documentElement.lang = this.lang;
    // Who was here before sees the page as it was; what is foreseen is for those about whom nothing is kept.
    const seen = this.seen();
    const visited = this.store.files.size > 0;
    if (seen) {
      this.state = { page: seen, version: -1 };
    } else {
      const { page: first, talk } = JSON.parse(text(await part(this.site, `foreseen.${this.lang}.json`)));
      this.state = { page: first, version: 0 };
      this.talk = visited ? null : talk;
    }
    holder.replaceChildren(this.head, el("div", {}), this.kept.foot);
    page.render({ model: this, el: /** @type {HTMLElement} */ (holder.children[1]) });
    this.kept.draw();
    try {
      await this.python(visited);
    } catch (error) {
      this.failed(error);
    }
  }

  // The page as it was seen last; one that another site at this address (or an older one) drew is not for us.
  /** @returns {Whole | null} */
  seen() {
    const kept = this.store.files.get(SNAPSHOT);
    try {
      const { mark, page: drawn } = JSON.parse(String(kept));
      return mark === this.site.mark && drawn ? drawn : null;
    } catch {
      return null;
    }
  }

  /** @param {boolean} visited */
  async python(visited) {
    const { parts, worker } = this.site;
    const all = parts.reduce((sum, one) => sum + one.size, 0);
    let got = 0;
    const more = (/** @type {number} */ bytes) => {
      got += bytes;
      const said = { got: (got / MB).toFixed(1), all: (all / MB).toFixed(1) };
      this.stage(
        fill(
          this.words.getting,
          this.site.comma[this.lang] ? { got: said.got.replace(".", ","), all: said.all.replace(".", ",") } : said,
        ),
        got / all,
      );
    };
    more(0);
    /** @type {Files} */
    const files = {};
    await Promise.all(
      parts.map(async ({ name, size }) => {
        const before = got;
        files[name] = await part(this.site, name, more);
        if (got === before) more(size);
      }),
    );
    if (this.left) return;
    const lock = text(files["pyodide-lock.json"]);
    // As data, not as a blob: a page that was opened from a disk may start no module from a blob.
    /** @type {Worker} */
    this.worker = new Worker(`data:text/javascript;charset=utf-8,${encodeURIComponent(worker)}`, { type: "module" });
    const kept = Object.fromEntries([...this.store.files].filter(([name]) => name !== SNAPSHOT));
    /** @type {Promise<void>} */
    const ready = new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Error(event.message ?? "no worker"));
      this.worker.onmessage = ({ data }) => {
        if (data.type === "ready") resolve();
        else if (data.type === "failed") reject(new Error(data.text));
        else this.heard(data);
      };
      this.stage(this.words.python);
      this.worker.postMessage(
        { type: "start", files, lock, kept, lang: this.lang, begin: JSON.stringify(this.site.begin) },
        Object.values(files).map((one) => one.buffer),
      );
    });
    await ready;
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (event) => this.failed(event);
    this.worker.postMessage({ type: "again", clicks: this.answered });
    // Where both have said the same, nothing is drawn anew.
    this.worker.postMessage({
      type: "hear",
      text: JSON.stringify({ type: "hello", version: visited ? -1 : this.version }),
    });
    this.ready = true;
    for (const click of this.waiting.splice(0)) this.worker.postMessage({ type: "hear", text: click });
    this.head.hidden = true;
    document.documentElement.dataset.python = "ready";
  }

  /** @param {FromWorker} data */
  heard(data) {
    if (data.type === "said") this.say(JSON.parse(data.text));
    else if (data.type === "stage") this.stage(this.words[data.stage]);
    else if (data.type === "keep") this.keep(data.name, data.content);
    else if (data.type === "failed") this.failed(data.text);
    else if (data.type === "value") {
      const asked = this.asked.get(data.number);
      this.asked.delete(data.number);
      if (data.error) asked?.reject(new Error(data.error));
      else asked?.resolve(data.value);
    }
  }

  /** @param {unknown} error */
  failed(error) {
    this.head.hidden = false;
    this.bar.hidden = true;
    setText(
      this.loading,
      fill(this.words.failed, { why: /** @type {Partial<Error>} */ (error).message ?? String(error) }),
    );
  }

  // Whatever Python is asked in the browser's console: nimmtLab.python("1 + 1").
  /**
   * @param {string} code
   * @returns {Promise<unknown>}
   */
  run(code) {
    const number = this.asked.size + Math.random();
    return new Promise((resolve, reject) => {
      this.asked.set(number, { resolve, reject });
      this.worker.postMessage({ type: "python", number, code });
    });
  }

  // Keeping -------------------------------------------------------------------------------------------------------
  /**
   * @param {string} name
   * @param {Uint8Array<ArrayBuffer> | null} content
   */
  keep(name, content) {
    if (this.left) return;
    this.store.put(name, content);
    if (content && name.startsWith(HAND_IN))
      download(name.slice(HAND_IN.length), new Blob([content], { type: "application/json" }));
    if (!OWN.includes(name)) this.kept.draw();
  }

  // Something about keeping has changed: whether it works, under which name, or whether another tab has taken over.
  /**
   * @param {string} [name]
   * @param {string} [other]
   */
  keptAs(name, other) {
    if (name && other) this.kept.tell(fill(this.words.renamed, { name, other }));
    if (this.store.replaced && !this.left) this.replaced();
    this.kept.draw();
  }

  replaced() {
    const again = el("button", { type: "button", class: "nl-button", "data-do": "reload" }, this.words.reload);
    again.addEventListener("click", () => location.reload());
    this.head.replaceChildren(this.loading, again);
    this.head.hidden = false;
    setText(this.loading, this.words.replaced);
  }

  // What is kept has been replaced: nothing of this visit may be written any more.
  leave() {
    this.left = true;
    clearTimeout(this.timer);
    this.worker?.terminate();
  }
}

/**
 * @param {Site} site
 * @param {Store} store
 */
function language(site, store) {
  const kept = store.files.get("nimmt-lab.json");
  try {
    const { lang } = JSON.parse(kept instanceof Uint8Array ? text(kept) : String(kept));
    if (site.words[lang]) return lang;
  } catch {
    // nobody has chosen one yet
  }
  if (site.lang) return site.lang;
  const wanted = (navigator.languages ?? []).map((one) => one.slice(0, 2));
  return wanted.find((one) => site.words[one]) ?? "en";
}

/** @param {string} id */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

async function start() {
  const site = /** @type {Site} */ (JSON.parse(element("nl-site").textContent));
  const store = await Store.open();
  const host = new Host(site, store, language(site, store));
  globalThis.nimmtLab = { python: (/** @type {string} */ code) => host.run(code), host };
  await host.start(element("nl-lab"));
  // Last: what it keeps for days without a network has come by now and need not come twice.
  if (site.offline && globalThis.isSecureContext && navigator.serviceWorker)
    navigator.serviceWorker.register("offline.js").catch(() => {});
}

export default { start };
