// A browser's storage in memory, as much of IndexedDB as the page uses: transactions one after the other, each as a whole
// or not at all. For tests: `failing` says which request, or which commit, finds no room.

export class FakeDisk {
  constructor() {
    /** @type {Map<string, unknown>} */
    this.data = new Map();
    this.queue = [];
    /** Fails where it returns true: called with "get", "put", … or "commit", and the name. */
    this.failing = () => false;
    this.running = false;
  }

  // What a page calls `indexedDB`.
  get factory() {
    return {
      open: () => {
        const request = {};
        setImmediate(() => {
          request.result = {
            transaction: (_name, mode) => new FakeTransaction(this, mode),
            createObjectStore: () => {},
          };
          request.onsuccess?.();
        });
        return request;
      },
    };
  }

  run() {
    if (this.running || !this.queue.length) return;
    this.running = true;
    this.queue[0].step(() => {
      this.queue.shift();
      this.running = false;
      this.run();
    });
  }
}

class FakeTransaction {
  constructor(disk, mode = "readonly") {
    this.disk = disk;
    this.writes = mode === "readwrite";
    this.todo = [];
    this.error = null;
    this.ended = false;
    this.working = null;
    disk.queue.push(this);
    setImmediate(() => disk.run());
  }

  objectStore() {
    const request = (kind, name, does) => {
      if (this.ended) throw new Error("TransactionInactiveError");
      const made = { kind, name, does };
      this.todo.push(made);
      return made;
    };
    return {
      get: (name) => request("get", name, (data) => structuredClone(data.get(name))),
      put: (content, name) => {
        const copy = structuredClone(content);
        return request("put", name, (data) => data.set(name, copy) && name);
      },
      delete: (name) => request("delete", name, (data) => void data.delete(name)),
      clear: () => request("clear", "", (data) => data.clear()),
      getAll: () => request("getAll", "", (data) => this.sorted(data).map(([, content]) => structuredClone(content))),
      getAllKeys: () => request("getAllKeys", "", (data) => this.sorted(data).map(([name]) => name)),
    };
  }

  sorted(data) {
    return [...data].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  abort() {
    if (this.ended) throw new Error("InvalidStateError");
    this.end(false);
  }

  end(good, error = null) {
    this.ended = true;
    this.error = error;
    if (good) {
      if (this.writes) this.disk.data = this.working;
      this.oncomplete?.();
    } else this.onabort?.();
    this.next?.();
  }

  // One request after the other; when none is left, it ends by itself.
  step(next) {
    this.next = next;
    if (this.ended) return next();
    this.working ??= new Map(this.disk.data);
    const request = this.todo.shift();
    const kind = request?.kind ?? "commit";
    if (this.writes && this.disk.failing(kind, request?.name ?? "")) {
      const error = new Error("QuotaExceededError");
      if (request) Object.assign(request, { error }).onerror?.();
      return setImmediate(() => this.ended || this.end(false, error));
    }
    if (!request) return this.end(true);
    request.result = request.does(this.working);
    request.onsuccess?.();
    setImmediate(() => this.ended || this.step(next));
  }
}

// Until nothing happens any more.
export async function settled(...stores) {
  for (const store of stores) await store.later;
}
