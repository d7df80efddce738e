// A screen as its module sees it: data by name, messages both ways, and parts. It has the interface of a notebook's
// model, and is the same in a cell and inside a page.

// The module of each screen; `carry.js` fills it in, so that modules need not import each other.
/** @type {Record<string, Module>} */
export const MODULES = {};

/** @template {object} D */
export class Part {
  /**
   * @param {(said: Saying) => void} up
   * @param {string[]} path
   * @param {Whole} whole
   */
  constructor(up, path, whole) {
    this.up = up;
    this.path = path;
    /** @type {Record<string, Handler[]>} */
    this.handlers = {};
    /** @type {Partial<D>} */
    this.changed = {};
    this.take(whole);
  }

  /** @param {Whole} whole */
  take(whole) {
    /** @type {string} */
    this.module = whole.module;
    /** @type {D} */
    this.data = /** @type {D} */ (whole.data);
    /** @type {Record<string, Part<object>>} */
    this.parts = {};
    for (const [name, inner] of Object.entries(whole.parts))
      this.parts[name] = new Part(this.up, [...this.path, name], inner);
  }

  /** @returns {Whole} */
  whole() {
    return {
      module: this.module,
      data: this.data,
      parts: Object.fromEntries(Object.entries(this.parts).map(([name, part]) => [name, part.whole()])),
    };
  }

  /**
   * @template {keyof D} K
   * @param {K} name
   * @returns {D[K]}
   */
  get(name) {
    return this.data[name];
  }

  /**
   * @template {keyof D} K
   * @param {K} name
   * @param {D[K]} value
   */
  set(name, value) {
    this.data[name] = value;
    this.changed[name] = value;
  }

  save_changes() {
    const data = this.changed;
    this.changed = {};
    if (Object.keys(data).length) this.up({ path: this.path, data });
  }

  /** @param {Sent} message */
  send(message) {
    this.up({ path: this.path, message });
  }

  /**
   * @template {Message} M
   * @param {string} name
   * @param {(message: M) => void} handler
   */
  on(name, handler) {
    this.handlers[name] = [...(this.handlers[name] ?? []), /** @type {Handler} */ (handler)];
  }

  /**
   * @template {Message} M
   * @param {string} name
   * @param {(message: M) => void} handler
   */
  off(name, handler) {
    this.handlers[name] = (this.handlers[name] ?? []).filter((other) => other !== handler);
  }

  /**
   * @param {string} name
   * @param {Parameters<Handler>} parts
   */
  fire(name, ...parts) {
    for (const handler of [...(this.handlers[name] ?? [])]) handler(...parts);
  }

  // Apply a change from Python to this screen or to one inside it.
  /**
   * @param {Said} said
   * @param {string[]} path
   * @returns {string | undefined}
   */
  apply(said, path = said.path) {
    if (path.length) {
      return this.parts[path[0]]?.apply(said, path.slice(1));
    } else if (said.message) {
      // A screen without a handler leaves the text to the page.
      if (this.handlers["msg:custom"]?.length) this.fire("msg:custom", said.message, []);
      else if (said.message.text) return said.message.text;
    } else {
      // Both may come in one change: set everything before drawing anything.
      if (said.data) Object.assign(this.data, said.data);
      if (said.part && said.screen) this.parts[said.part] = new Part(this.up, [...this.path, said.part], said.screen);
      else if (said.part) delete this.parts[said.part];
      if (said.part) this.fire(`part:${said.part}`);
      if (said.data) {
        for (const name of Object.keys(said.data)) this.fire(`change:${name}`);
        this.fire("change");
      }
    }
    return undefined;
  }
}

// Draw a screen; returns a function that ends it.
/**
 * @param {Part<object>} part
 * @param {HTMLElement} holder
 */
export function mount(part, holder) {
  return MODULES[part.module].render({ model: part, el: holder });
}

// The place of a part: draws what is put there, and ends what is removed.
/**
 * @param {Part<object>} model
 * @param {string} name
 * @param {HTMLElement} holder
 * @param {Life} life
 */
export function slot(model, name, holder, life) {
  /** @type {(() => void) | null} */
  let end = null;
  const draw = () => {
    end?.();
    end = null;
    holder.replaceChildren();
    const part = model.parts[name];
    if (part) end = mount(part, holder);
  };
  draw();
  life.model(model, `part:${name}`, draw);
  life.atEnd(() => end?.());
}

// Download a file, without a server.
/**
 * @param {string} name
 * @param {string | Blob} text
 */
export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A drawing as a picture, made by the browser: nothing else is needed for it.
/**
 * @param {string} name
 * @param {string} text
 */
export function picture(name, text) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  image.addEventListener("load", () => {
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(address);
    canvas.toBlob((blob) => blob && download(name, blob));
  });
  image.src = address;
}
