// Files by name in the browser's storage. Where there is none (a private window, an old browser), they live as long as
// the page, and `lasting` says so.

const NAME = "nimmt-lab";
const STORE = "files";

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function asked(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class Store {
  /** @param {IDBDatabase | null} base */
  constructor(base) {
    this.base = base;
    this.lasting = base !== null;
    /** @type {Map<string, Content>} */
    this.files = new Map();
    /** @type {Promise<unknown>} */
    this.later = Promise.resolve();
  }

  static async open() {
    /** @type {IDBDatabase | null} */
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
        for (const [at, name] of names.entries()) store.files.set(String(name), contents[at]);
      } catch {
        store.lasting = false;
      }
    }
    return store;
  }

  // Keep a file (bytes or text); null forgets it. `trouble` is called when it cannot be kept.
  /**
   * @param {string} name
   * @param {Content | null} content
   */
  put(name, content, trouble = () => {}) {
    if (content === null) this.files.delete(name);
    else this.files.set(name, content);
    const { base } = this;
    if (!base) return;
    this.later = this.later
      .then(() => {
        const files = base.transaction(STORE, "readwrite").objectStore(STORE);
        return content === null ? asked(files.delete(name)) : asked(files.put(content, name));
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
