// A class's page: it joins, keeps the connection, and carries messages between the teacher's server and the screens.
import { carry } from "../carry.js";
import { button, el, followTheme, Life, setText } from "../dom.js";
import { line } from "../screens/parts.js";
import class_page from "../screens/class_page.js";
import class_wall from "../screens/class_wall.js";
import course from "../screens/course.js";
import exercise from "../exercise.js";
import experiment from "../screens/experiment.js";
import sampling from "../screens/sampling.js";
import lesson from "../screens/lesson.js";
import problem from "../screens/problem.js";
import replay from "../replay.js";
import table from "../table.js";

const page = carry(
  {
    exercise,
    replay,
    table,
    "screens/class_page": class_page,
    "screens/class_wall": class_wall,
    "screens/course": course,
    "screens/experiment": experiment,
    "screens/sampling": sampling,
    "screens/lesson": lesson,
    "screens/problem": problem,
  },
  "nl-page nl-class",
);

const TOKEN = "nimmt-lab-class";
const SHORTEST = 500; // ms until the first new attempt
const LONGEST = 8000;
const SILENCE = 45_000; // ms without a sign of life: a sleeping phone's connection looks alive

/** @param {"pupil" | "wall"} kind */
function storage(kind) {
  try {
    return kind === "wall" ? sessionStorage : localStorage;
  } catch {
    return null; // a browser that keeps nothing still works until the page is closed
  }
}

class ClassHost {
  /** @param {ClassSettings} settings */
  constructor(settings) {
    this.kind = settings.kind;
    this.settings = settings;
    this.lang = settings.lang;
    /** @type {Set<(said: PageSaid) => void>} */
    this.hearers = new Set();
    /** @type {Partial<PageData>} */
    this.state = {};
    this.version = -1;
    this.token = storage(this.kind)?.getItem(TOKEN) ?? "";
    this.wait = SHORTEST;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {(() => void) | null} */
    this.end = null;
    this.code = "";
    /** The last refusal, which stays on show when the connection ends. */
    this.said = "";
    this.heardAt = 0;
    this.note = el("p", { class: "nl-class-note", role: "status", hidden: true });
    this.body = el("div", {});
    this.holder = /** @type {HTMLElement} */ (document.getElementById("nl-lab"));
    const frame = el("div", { class: "nl nl-class-frame" }, this.note, this.body);
    this.holder.append(frame);
    followTheme(frame, new Life());
    this.readAddress();
  }

  // The part of the address behind #: the class code for pupils, the token for the wall.
  readAddress() {
    const said = decodeURIComponent(location.hash.slice(1));
    if (!said) return;
    history.replaceState(null, "", location.pathname);
    if (this.kind === "wall") this.keep(said);
    else this.code = said.slice(0, 20);
  }

  /** @param {string} token */
  keep(token) {
    this.token = token;
    try {
      if (token) storage(this.kind)?.setItem(TOKEN, token);
      else storage(this.kind)?.removeItem(TOKEN);
    } catch {
      // a full or closed storage: the page works until it is closed
    }
  }

  /** @param {string} name */
  word(name) {
    return this.settings.words[this.lang][name] ?? "";
  }

  start() {
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.token && !this.alive()) this.connect();
    });
    addEventListener("online", () => this.token && this.connect());
    // The wall of another class, opened in this tab: only what is behind the # differs.
    addEventListener("hashchange", () => {
      this.readAddress();
      location.reload();
    });
    if (this.token) this.connect();
    else this.door();
  }

  alive() {
    return this.socket?.readyState === WebSocket.OPEN && Date.now() - this.heardAt < SILENCE;
  }

  // The connection -----------------------------------------------------------------------------------------------

  /** @param {object} [first] what to say first, instead of who we are */
  connect(first) {
    clearTimeout(this.timer);
    this.drop();
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.socket = socket;
    this.heardAt = Date.now();
    socket.onopen = () => {
      const hello = { type: this.kind === "wall" ? "wall" : "hello", token: this.token, version: this.version };
      socket.send(JSON.stringify(first ?? hello));
    };
    socket.onmessage = ({ data }) => {
      this.heardAt = Date.now();
      this.hear(JSON.parse(data));
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      if (this.token) this.later();
      else if (this.said) this.tell(this.said);
    };
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }

  later() {
    this.tell(this.kind === "wall" ? this.word("wall_offline") : this.word("offline"));
    this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(LONGEST, this.wait * 2);
  }

  /** @param {string} text */
  tell(text) {
    setText(this.note, text);
    this.note.hidden = !text;
  }

  /** @param {ClassSaid} said */
  hear(said) {
    if (said.type === "joined") {
      this.keep(said.token);
    } else if (said.type === "out") {
      this.leave();
    } else if (said.type === "no") {
      this.said = said.text;
      this.tell(this.said);
    } else if (said.type === "elsewhere") {
      this.token = ""; // this page only: the other one goes on
      this.drop();
      this.tell(this.word("elsewhere"));
    } else {
      if (said.type === "here") {
        this.wait = SHORTEST;
        this.said = "";
        this.tell("");
      }
      if (said.version !== undefined) this.version = said.version;
      if (said.type === "here" && said.screen && !this.end) this.open(said);
      else this.fire(said);
    }
  }

  /** @param {PageSaid} said */
  fire(said) {
    for (const hearer of [...this.hearers]) hearer(said);
  }

  // What carry.js wants of a notebook's model ---------------------------------------------------------------------

  get patience() {
    return Number.POSITIVE_INFINITY; // the page says itself when there is no connection
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
  }

  /**
   * @param {string} name
   * @param {(said: PageSaid) => void} hearer
   */
  on(name, hearer) {
    if (name === "msg:custom") this.hearers.add(hearer);
  }

  /**
   * @param {string} _name
   * @param {(said: PageSaid) => void} hearer
   */
  off(_name, hearer) {
    this.hearers.delete(hearer);
  }

  save_changes() {}

  /** @param {Saying | Hello} said */
  send(said) {
    if ("type" in said && said.type === "hello") {
      // Said when the connection was made: this page is up to date.
      queueMicrotask(() => this.fire({ type: "heard", version: this.version }));
      return;
    }
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(said));
    else if (this.token) this.tell(this.word("offline"));
  }

  // What is on the page -------------------------------------------------------------------------------------------

  /** @param {PageSaid} said */
  open(said) {
    this.state = { page: said.screen ?? undefined, version: said.version };
    this.body.replaceChildren();
    const holder = el("div", {});
    this.body.append(holder);
    const view = /** @type {View<PageModel>} */ (/** @type {unknown} */ ({ model: this, el: holder }));
    this.end = page.render(view);
    holder.addEventListener("nl-leave", () => {
      this.socket?.send(JSON.stringify({ type: "leave" }));
    });
  }

  leave() {
    this.keep("");
    this.drop();
    this.end?.();
    this.end = null;
    this.version = -1;
    this.tell("");
    this.door();
  }

  // The door: the class code and a name.
  door() {
    if (this.kind === "wall") {
      this.tell(this.word("wall_other")); // the server answers, but doesn't know our key
      return;
    }
    const { languages } = this.settings;
    const label = (/** @type {string} */ text, /** @type {HTMLElement} */ input) =>
      el("label", { class: "nl-class-field" }, el("span", {}, text), input);
    const code = line(
      { value: this.code, maxlength: 20, autocapitalize: "characters", "data-do": "code", class: "nl-input nl-wide" },
      () => name.focus(),
    );
    const name = line({ maxlength: 60, "data-do": "name", class: "nl-input nl-wide" }, () => join());
    const join = () => {
      this.said = "";
      this.tell(this.word("connecting"));
      this.code = code.value;
      this.connect({ type: "join", code: code.value, name: name.value, lang: this.lang });
    };
    const tongues = languages.map(([key, title]) =>
      button(
        title,
        () => {
          this.lang = key;
          this.code = code.value;
          document.documentElement.lang = key;
          this.door();
        },
        { class: "nl-quiet", "data-lang": key, "aria-pressed": String(key === this.lang) },
      ),
    );
    this.body.replaceChildren(
      el(
        "main",
        { class: "nl-class-door", lang: this.lang },
        el("h1", {}, this.word("join_title")),
        label(this.word("code"), code),
        label(this.word("your_name"), name),
        button(this.word("join"), join, { class: "nl-primary nl-big", "data-do": "join" }),
        el("div", { class: "nl-bar", role: "group", "aria-label": this.word("language") }, tongues),
      ),
    );
    (this.code ? name : code).focus();
  }
}

export function start() {
  const node = /** @type {HTMLElement} */ (document.getElementById("nl-class"));
  const host = new ClassHost(JSON.parse(node.textContent ?? ""));
  host.start();
  return host;
}

export default { start };
