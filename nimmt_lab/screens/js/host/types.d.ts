// The page without Jupyter: its settings (nimmt_lab/site/build.py) and what page and worker say to each other.

type Content = Uint8Array<ArrayBuffer> | string;
type Files = Record<string, Uint8Array<ArrayBuffer>>;

/** The settings in the page. */
interface Site {
  version: string;
  lang: string | null;
  words: Record<string, Labels>;
  /** Languages that write a decimal comma. */
  comma: Record<string, boolean>;
  parts: { name: string; size: number }[];
  begin: { lesson: string; codes: string[] };
  worker: string;
  mark: string;
  marks?: Record<string, string>;
  offline?: boolean;
  lab?: string;
}
/** What is said after a click, and what may be clicked next. */
interface Talk {
  said: PageSaid[];
  then: Record<string, Talk>;
}
interface Start {
  type: "start";
  files: Files;
  lock: string;
  kept: Record<string, Content>;
  lang: string;
  begin: string;
}
type ToWorker =
  | Start
  | { type: "again"; clicks: string[] }
  | { type: "hear"; text: string }
  | { type: "python"; number: number; code: string };
type FromWorker =
  | { type: "ready" }
  | { type: "stage"; stage: string }
  | { type: "said"; text: string }
  | { type: "keep"; name: string; content: Uint8Array<ArrayBuffer> | null }
  | { type: "failed"; text: string }
  | { type: "value"; number: number; value?: string | null; error?: string };

/** As much of Pyodide as the worker uses. */
interface Pyodide {
  FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, content: Content): void;
    readFile(path: string): Uint8Array<ArrayBuffer>;
    analyzePath(path: string): { exists: boolean };
  };
  loadPackage(name: string, options: { messageCallback(): void }): Promise<unknown>;
  pyimport(name: "nimmt_lab.site.inside"): {
    open_page(say: (text: string) => void, keep: (name: string) => void, lang: string, begin: string): Inside;
  };
  runPythonAsync(code: string): Promise<unknown>;
}
interface Inside {
  hear(text: string): void;
}

/** As much of a service worker as `offline.js` uses. */
interface ServiceScope {
  registration: { scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", handler: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", handler: (event: FetchEvent) => void): void;
}
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
/** Written above `offline.js` when a site is built. */
declare const SITE: { site: string; files: Record<string, string>; around: string[] };

/** For the browser's console and our tests. */
declare var nimmtLab: { python(code: string): Promise<unknown>; host: unknown };
