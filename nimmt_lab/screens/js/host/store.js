// Files by name in the browser's storage. Where there is none (a private window, an old browser), they live as long as
// the page, and `lasting` says so.

const NAME = "nimmt-lab";
const STORE = "files";

function asked(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class Store {
  constructor(base) {
    this.base = base;
    this.lasting = base !== null;
    this.files = new Map();
    this.later = Promise.resolve();
  }

  static async open() {
    let base = null;
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      base = await asked(request);
    } catch {
      base = null;
    }
    const store = new Store(base);
    if (base) {
      try {
        const files = base.transaction(STORE).objectStore(STORE);
        const [names, contents] = await Promise.all([asked(files.getAllKeys()), asked(files.getAll())]);
        names.forEach((name, at) => store.files.set(name, contents[at]));
      } catch {
        store.lasting = false;
      }
    }
    return store;
  }

  // Keep a file (bytes or text); null forgets it. `trouble` is called when it cannot be kept.
  put(name, content, trouble = () => {}) {
    if (content === null) this.files.delete(name);
    else this.files.set(name, content);
    if (!this.base) return;
    this.later = this.later
      .then(() => {
        const files = this.base.transaction(STORE, "readwrite").objectStore(STORE);
        return asked(content === null ? files.delete(name) : files.put(content, name));
      })
      .catch(() => {
        this.lasting = false;
        trouble();
      });
  }

  async clear() {
    for (const name of [...this.files.keys()]) this.put(name, null);
    await this.later;
  }
}
