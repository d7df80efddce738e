// Python's place: a worker of its own, so that the page stays alive whatever Python is doing. Everything it needs is
// handed to it by the page; it asks nothing of any network.

const FOLDER = "/home/nimmt-lab";
/** @type {Pyodide} */
let python;
/** @type {Inside} */
let inside;
let muted = false;

const type = (/** @type {string} */ name) =>
  name.endsWith(".wasm") ? "application/wasm" : name.endsWith("js") ? "text/javascript" : "application/octet-stream";

/** @param {Start} begun */
async function start({ files, lock, kept, lang, begin }) {
  // As data, not as a blob: a page that was opened from a disk may not import blobs.
  const address = (/** @type {string} */ name) => {
    let letters = "";
    const bytes = files[name];
    for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return `data:text/javascript;base64,${btoa(letters)}`;
  };
  // Pyodide fetches its parts by address: they are here already.
  globalThis.fetch = async (wanted) => {
    const url = wanted instanceof Request ? wanted.url : String(wanted);
    const name = url.slice(url.lastIndexOf("/") + 1);
    if (!(name in files)) throw new Error(`nothing is fetched from elsewhere: ${name}`);
    return new Response(files[name], { headers: { "content-type": type(name) } });
  };
  const { loadPyodide } = await import(address("pyodide.mjs"));
  const { default: createPyodideModule } = await import(address("pyodide.asm.mjs"));
  postMessage({ type: "stage", stage: "python" });
  const base = "https://nimmt-lab.invalid/"; // never asked: see above
  python = await loadPyodide({
    indexURL: base,
    packageBaseUrl: base,
    createPyodideModule,
    lockFileContents: lock,
    stdout: (/** @type {string} */ text) => console.log(text),
    stderr: (/** @type {string} */ text) => console.warn(text),
  });
  postMessage({ type: "stage", stage: "games" });
  await python.loadPackage("nimmt-lab", { messageCallback: () => {} });
  for (const [name, content] of Object.entries(kept)) {
    const path = `${FOLDER}/${name}`;
    try {
      python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      python.FS.writeFile(path, content);
    } catch (error) {
      console.warn(name, error); // it stays in the browser's storage; one such file must not stop the page
    }
  }
  const open = python.pyimport("nimmt_lab.site.inside").open_page;
  inside = open(
    (text) => {
      if (!muted) postMessage({ type: "said", text });
    },
    (name) => {
      const path = `${FOLDER}/${name}`;
      const there = python.FS.analyzePath(path).exists;
      postMessage({ type: "keep", name, content: there ? python.FS.readFile(path) : null });
    },
    lang,
    begin,
  );
  postMessage({ type: "ready" });
}

const HEARS = {
  start,
  // What was clicked before Python was there and has been answered: it happens again, in silence.
  again: (/** @type {{ clicks: string[] }} */ { clicks }) => {
    muted = true;
    for (const click of clicks) inside.hear(click);
    muted = false;
  },
  hear: (/** @type {{ text: string }} */ { text }) => inside.hear(text),
  // For whoever wants to try something in the page's Python: the value of the last line, as text.
  python: async (/** @type {{ number: number, code: string }} */ { number, code }) => {
    try {
      const value = await python.runPythonAsync(code);
      postMessage({ type: "value", number, value: value === undefined ? null : String(value) });
    } catch (error) {
      postMessage({ type: "value", number, error: String(error) });
    }
  },
};

/** @param {ToWorker} said */
function hear(said) {
  if (said.type === "start") return HEARS.start(said);
  if (said.type === "again") return HEARS.again(said);
  if (said.type === "hear") return HEARS.hear(said);
  return HEARS.python(said);
}

let turn = Promise.resolve();
self.onmessage = (/** @type {MessageEvent<ToWorker>} */ { data }) => {
  // One after the other: a click during a start waits for its end.
  turn = turn.then(() => hear(data)).catch((error) => postMessage({ type: "failed", text: String(error) }));
};
