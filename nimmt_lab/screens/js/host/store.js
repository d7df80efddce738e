// Files by name in the browser's storage. Where there is none (a private window, an old browser), they live as long as
// the page, and `lasting` says so.
//
// Several tabs share the storage. What a tab wants to keep is merged with what is stored, in one transaction; a tab whose
// files were replaced or forgotten by another one, or whose learner has left in another one, keeps nothing more.
import { readOwn, writeBackup } from "./backup.js";
import { epochIn, freeName, mergeFile, PROGRESS, putAway } from "./merge.js";

const NAME = "nimmt-lab";
const STORE = "files";
/** Changes whenever everything is replaced or forgotten; no file of the learner's is called that. */
const EPOCH = ".epoch";
/** The backup made before everything was replaced. */
const BEFORE = ".before";

/** @param {string} name */
const ours = (name) => name === EPOCH || name === BEFORE;

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

/**
 * Until everything is stored: a request that succeeded may still be undone, when there is no room.
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function stored(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
  });
}

/** @param {IDBObjectStore} files */
async function everything(files) {
  const [names, contents] = await Promise.all([asked(files.getAllKeys()), asked(files.getAll())]);
  return new Map(names.map((name, at) => /** @type {[string, Content]} */ ([String(name), contents[at]])));
}

function newEpoch() {
  return [...crypto.getRandomValues(new Uint32Array(4))].join("-");
}

/** Another tab has replaced or forgotten everything since this one was opened, or the learner has left there. */
export class Replaced extends Error {}

export class Store {
  /** @param {IDBDatabase | null} base */
  constructor(base) {
    this.base = base;
    this.lasting = base !== null;
    /** Whether another tab has replaced or forgotten everything. */
    this.replaced = false;
    /** Whether there is a backup to restore. */
    this.undoable = false;
    /** @type {Map<string, Content>} */
    this.files = new Map();
    this.epoch = "";
    /** What this tab started from or stored last: the difference to it is its own change. @type {Map<string, Content>} */
    this.known = new Map();
    /** What is still to be stored. @type {Map<string, Content | null>} */
    this.waits = new Map();
    /** Names under which files of this tab are stored, where another tab had theirs first. @type {Map<string, string>} */
    this.names = new Map();
    /** @type {Promise<unknown>} */
    this.later = Promise.resolve();
    /**
     * Called when there is something to say, whichever file it is about: files cannot be kept, they can be again, one is
     * stored under another name, or everything has been replaced.
     * @type {(name?: string, other?: string) => void}
     */
    this.tell = () => {};
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
        store.take(await everything(base.transaction(STORE).objectStore(STORE)));
      } catch {
        store.lasting = false;
      }
    }
    return store;
  }

  /** @param {Map<string, Content>} all */
  take(all) {
    this.epoch = String(all.get(EPOCH) ?? "");
    this.undoable = all.has(BEFORE);
    this.files = new Map([...all].filter(([name]) => !ours(name)));
    this.known = new Map(this.files);
  }

  // Keep a file (bytes or text); null forgets it.
  /**
   * @param {string} name
   * @param {Content | null} content
   */
  put(name, content) {
    // A name that stands for another file by now shows it only when it is stored.
    if (!this.isPlace(name)) this.show(this.names.get(name) ?? name, content);
    if (!this.base || this.replaced) return;
    this.waits.set(name, content);
    this.later = this.later.then(async () => {
      const before = this.lasting;
      try {
        const renamed = await this.flush();
        this.lasting = true;
        for (const [from, to] of renamed) this.tell(from, to);
      } catch (error) {
        if (error instanceof Replaced) this.replaced = true;
        else this.lasting = false;
      }
      if (this.replaced || this.lasting !== before) this.tell();
    });
  }

  // Store all that waits, or nothing of it.
  async flush() {
    const batch = new Map(this.waits);
    /** @type {Map<string, string>} */
    const renamed = new Map();
    if (!this.base || !batch.size) return renamed;
    const transaction = this.base.transaction(STORE, "readwrite");
    const done = stored(transaction);
    done.catch(() => {}); // it is awaited below, unless something else fails first
    const files = transaction.objectStore(STORE);
    /** @type {Map<string, Content | null>} */
    const now = new Map();
    try {
      await this.check(files);
      const taken = new Set((await asked(files.getAllKeys())).map(String));
      for (const [name, written] of batch) {
        const place = this.names.get(name) ?? name;
        const was = putAway(name);
        let mine = written;
        if (was && mine !== null) {
          // With what the learner has done in other tabs, which this one knows nothing of.
          mine = mergeFile(was, this.known.get(was) ?? null, mine, (await asked(files.get(was))) ?? null).content;
        }
        const theirs = (await asked(files.get(place))) ?? null;
        const { content, rename } = mergeFile(name, this.known.get(name) ?? null, mine, theirs);
        const other = rename
          ? freeName(rename === "mine" ? name : `${name}.unreadable`, (one) => taken.has(one))
          : place;
        if (rename === "theirs") {
          now.set(other, theirs).set(place, content);
        } else {
          if (rename) renamed.set(name, other);
          now.set(other, content);
        }
        taken.add(other);
      }
      for (const [name, content] of now) {
        if (content === null) files.delete(name);
        else files.put(content, name);
      }
    } catch (error) {
      abort(transaction);
      throw error;
    }
    await done;
    for (const [name, mine] of batch) {
      if (mine === null) this.known.delete(name);
      else this.known.set(name, mine);
      if (this.waits.get(name) === mine) this.waits.delete(name);
    }
    for (const [name, other] of renamed) {
      if (!this.isPlace(name)) this.files.delete(name);
      this.names.set(name, other);
    }
    for (const [name, content] of now) if (!this.waits.has(name)) this.show(name, content); // else there is a newer one
    return renamed;
  }

  /** @param {string} name */
  isPlace(name) {
    return [...this.names.values()].includes(name);
  }

  /**
   * @param {string} name
   * @param {Content | null} content
   */
  show(name, content) {
    if (content === null) this.files.delete(name);
    else this.files.set(name, content);
  }

  /** @param {IDBObjectStore} files */
  async check(files) {
    if (String((await asked(files.get(EPOCH))) ?? "") !== this.epoch) throw new Replaced();
    const [known, stored] = [this.known.get(PROGRESS) ?? null, (await asked(files.get(PROGRESS))) ?? null];
    if (epochIn(known) !== epochIn(stored)) throw new Replaced();
  }

  // All that is stored by now, whichever tab has stored it.
  async all() {
    await this.later;
    if (!this.base || !this.lasting) return new Map(this.files);
    try {
      const all = await everything(this.base.transaction(STORE).objectStore(STORE));
      return new Map([...all].filter(([name]) => !ours(name)));
    } catch {
      return new Map(this.files);
    }
  }

  // Put other files in place of all that are kept, in one transaction; what was kept before can be brought back. Fails
  // without having changed anything, or is stored when it returns. From then on no tab stores anything before a reload.
  /** @param {Map<string, Content>} files */
  replace(files) {
    return this.alone(async (store, before) => {
      store.clear();
      for (const [name, content] of files) store.put(content, name);
      store.put(writeBackup(before), BEFORE);
    });
  }

  // Back to what was kept before everything was replaced. What is kept now can be brought back in turn.
  undo() {
    return this.alone(async (store, before) => {
      const kept = readOwn(String(await asked(store.get(BEFORE))));
      store.clear();
      for (const [name, content] of kept) store.put(content, name);
      store.put(writeBackup(before), BEFORE);
    });
  }

  // Forget everything, and what it was before.
  clear() {
    return this.alone(async (store) => {
      store.clear();
    });
  }

  /**
   * One transaction after all that this tab wanted to keep, and another epoch after it.
   * @param {(store: IDBObjectStore, before: Map<string, Content>) => Promise<void>} work
   */
  async alone(work) {
    await this.later;
    if (!this.base) throw new Error("nothing is kept here");
    const transaction = this.base.transaction(STORE, "readwrite");
    const done = stored(transaction);
    done.catch(() => {});
    const store = transaction.objectStore(STORE);
    try {
      const before = [...(await everything(store))].filter(([name]) => !ours(name) && name !== "page.json");
      await work(store, new Map(before));
      store.put(newEpoch(), EPOCH);
    } catch (error) {
      abort(transaction);
      throw error;
    }
    await done;
    this.replaced = true;
  }
}

/** @param {IDBTransaction} transaction */
function abort(transaction) {
  try {
    transaction.abort();
  } catch {
    // it has ended by itself
  }
}
