// A screen as its module sees it: data by name, messages both ways, and smaller screens inside. To a module it looks
// like a notebook's model, so a board draws the same alone in a cell and as a part of a page.

// Which module draws which screen; `page.js` fills it in, so that modules need not know each other.
export const MODULES = {};

export class Part {
  constructor(up, path, whole) {
    this.up = up;
    this.path = path;
    this.handlers = {};
    this.changed = {};
    this.take(whole);
  }

  take(whole) {
    this.module = whole.module;
    this.data = whole.data;
    this.parts = {};
    for (const [name, inner] of Object.entries(whole.parts))
      this.parts[name] = new Part(this.up, [...this.path, name], inner);
  }

  whole() {
    return {
      module: this.module,
      data: this.data,
      parts: Object.fromEntries(Object.entries(this.parts).map(([name, part]) => [name, part.whole()])),
    };
  }

  get(name) {
    return this.data[name];
  }

  set(name, value) {
    this.data[name] = value;
    this.changed[name] = value;
  }

  save_changes() {
    const data = this.changed;
    this.changed = {};
    if (Object.keys(data).length) this.up({ path: this.path, data });
  }

  send(message) {
    this.up({ path: this.path, message });
  }

  on(name, handler) {
    (this.handlers[name] ??= []).push(handler);
  }

  off(name, handler) {
    this.handlers[name] = (this.handlers[name] ?? []).filter((other) => other !== handler);
  }

  fire(name, ...parts) {
    for (const handler of [...(this.handlers[name] ?? [])]) handler(...parts);
  }

  // Something Python said: to this screen, or to one inside it.
  apply(said, path = said.path) {
    if (path.length) {
      return this.parts[path[0]]?.apply(said, path.slice(1));
    } else if (said.message) {
      // What a screen has no words for is said by the page.
      if (this.handlers["msg:custom"]?.length) this.fire("msg:custom", said.message, []);
      else if (said.message.text) return said.message.text;
    } else {
      // Both may come in one: everything is known before anything is drawn.
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

// Draw a screen; what comes back ends it.
export function mount(part, holder) {
  return MODULES[part.module].render({ model: part, el: holder });
}

// The place of a smaller screen: whatever is put there is drawn, what is taken out is ended.
export function slot(model, name, holder, life) {
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
  life.then(() => end?.());
}

// A file for the reader to keep: no server is needed for that.
export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(text instanceof Blob ? text : new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
