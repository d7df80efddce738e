// Shapes of the data that Python sends to the browser, and of the messages that go back.
// The file is ambient: JSDoc in any module may use these names without an import. It is never sent to a browser.
// `tests/screens/test_js_types.py` checks the shapes below against what the screens really send.

// Elements ------------------------------------------------------------------------------------------------

type Attributes = Record<string, string | number | boolean | null | undefined>;
type Child = Node | string | null | undefined;
type Children = (Child | Child[])[];

// Everything we look up by a selector is HTML. The one exception, the bars of `screens/course.js`, is SVG, and
// has `focus` and `dataset` all the same.
interface ParentNode {
  querySelector<K extends keyof HTMLElementTagNameMap>(selectors: K): HTMLElementTagNameMap[K] | null;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll<K extends keyof HTMLElementTagNameMap>(selectors: K): NodeListOf<HTMLElementTagNameMap[K]>;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}
interface Element {
  // Numbers become text, as the DOM does it.
  setAttribute(name: string, value: string | number): void;
  closest(selectors: string): HTMLElement | null;
}
interface Document {
  readonly activeElement: HTMLElement | null;
}
/** An event that an element of ours hears: it happened at an element. */
type At<E extends Event> = E & { readonly target: HTMLElement };
type Heard<K extends string> = At<K extends keyof HTMLElementEventMap ? HTMLElementEventMap[K] : Event>;

type Life = import("./dom.js").Life;
type Part<D extends object> = import("./part.js").Part<D>;

// Scenes (nimmt_lab/boards/film.py, describe.py) ------------------------------------------------------------

/** Words by their key in a catalogue, some with places to fill in: "row {row}". */
type Labels = Record<string, string>;
/** Something small with a meaning: a note beside a row, a badge, a lost place. */
interface Note {
  sign: string;
  text: string;
  /** The pictogram that is drawn for the sign, and what is written around it. */
  icon?: string;
  before?: string;
  after?: string;
}
/** A line of the list of signs. `kind` is set where the sign is painted. */
interface Sign extends Note {
  kind?: string;
  name?: string;
  fill?: string;
  ink?: string;
}
interface Bulls {
  fill: string;
  ink: string;
  letter: string;
  count: number;
  name: string;
}
interface Faces {
  heads: Record<string, number>;
  /** Cards are cards unless they are tiles. */
  shape?: "card" | "tile";
  /** By seat, where the backs of its cards are others. */
  backs?: Record<string, string>;
  colours?: Record<string, Bulls[]>;
}
interface Row {
  /** 0 is an empty place. */
  cards: number[];
  places: number;
  lost: Note[];
  /** The number of the card that takes the row; null where being one too many does not. */
  takes: number | null;
  heads: number;
  notes: Note[];
  down: boolean;
  fields?: (Note & { kind: string })[];
  idle?: boolean;
}
interface SeatState {
  /** null: hidden from us. */
  hand: number[] | null;
  count: number;
  pile: number[];
  points: number | null;
  badges: Note[];
}
interface Play {
  seat: number;
  card: number;
  value: number;
}
/** The cards of a turn, from their reveal on. */
interface Turn {
  group: string;
  round: number;
  plays: Play[];
}
interface Panel {
  kind: string;
  title: string;
  cards?: number[];
  items?: {
    text: string;
    sign?: string;
    icon?: string;
    /** Cards with signs, drawn before the text. */
    faces?: { kind: string; icon: string; text: string }[];
    kind?: string;
    help?: string;
    detail?: string;
  }[];
}
/** First value, last value, and the row they go to; -1 fits nowhere. */
type Zone = [first: number, last: number, row: number];
interface Option {
  /** In notation, which is how it is sent back. */
  text: string;
  card?: number;
  row?: number;
  of?: number;
  label?: string;
  group?: string;
  primary?: boolean;
}
interface Composer {
  label: string;
  cards: number[];
  count: number;
  before: string;
  join: string;
}
/** Where a card would go. Baron has `marks` instead of `differences`. */
interface Aim {
  value: number;
  row: number;
  takes: boolean;
  heads: number;
  differences?: (number | null)[];
  marks?: (string | null)[];
  text?: string;
}
/** What a chooser shows: of a seat in a film, or of an exercise. */
interface Choices {
  prompt: string;
  options: Option[];
  aims: Record<string, Aim>;
  composers?: Composer[];
  /** What could change where each option goes. */
  foretold?: Record<string, string>;
}
interface Question extends Choices {
  seat: number;
  who: string;
  composers: Composer[];
  first: string;
  chosen: string | null;
}
/** Rows, seats and so on, once each; frames name them by their number. */
type PoolItem = Row | SeatState | Play[] | Panel[] | Zone[] | Question[];
interface Focus {
  type: string;
  kind: string;
  rows: number[];
  cards: number[];
  seat?: number;
  slot?: number;
  difference?: number;
  heads?: number;
  taken?: number[];
  revealed?: number[];
}
/** A line of the log. */
interface Told {
  group: string;
  text: string;
  trap?: boolean | null;
  branch?: boolean;
  focus?: Focus | null;
}
interface Frame extends Told {
  round: number;
  turn: number;
  rows: number[];
  seats: number[];
  queue: number;
  panels: number;
  zones: number;
  over: boolean;
  winners: number[];
  rule_name?: string;
  rule_text?: string;
  /** On the last frame of a step: the number of steps so far, and the next questions. */
  ply?: number;
  asked?: number;
  /** In a branch: how many choices lead here. */
  depth?: number;
}
interface Seat {
  seat: number;
  letter: string;
  name: string;
  open: boolean;
  you?: boolean;
  level?: string;
}
interface Film {
  pool: PoolItem[];
  frames: Frame[];
}
interface Scene extends Film {
  lang: string;
  labels: Labels;
  game: {
    name: string;
    title: string;
    turns: number;
    rounds: boolean;
    unit: boolean;
    limit: number | null;
    scale: number | null;
    /** Whether most points win. */
    more: boolean;
  };
  seats: Seat[];
  deck: [first: number, last: number];
  faces: Faces;
  signs: Sign[];
}
interface Hint {
  text: string;
  /** What a search expects this round, as a number and in words. */
  mean?: number;
  shown?: string;
  /** The length of its bar, and where it stands among the options: 0 is the best, 1 the worst. */
  bar?: number;
  part?: number;
}
type Estimate = Required<Hint>;
/** A round that is over: who has what, and what happened in it. */
interface RoundResult {
  ply: number;
  round: number;
  title: string;
  rows: { seat: number; place: number; name: string; you: boolean; gained: number; points: number }[];
  moments: RoundMoment[];
}
interface RoundMoment {
  turn: string;
  card: number;
  text: string;
  /** How it came about, in full. */
  why: string;
  heads: number;
  mine: boolean;
}
interface TableScene extends Scene {
  /** What could change where each option goes. */
  foretold: Record<string, string>;
  rounds: RoundResult[];
  film: boolean;
  log: Told[];
  ply: number;
  given: number;
  seat: number;
  asked: number | null;
  prompt: string;
  cover: string;
  runs: boolean;
  /** Whether the table asks before every card. */
  asks: boolean;
  hinting: boolean;
  hints: Record<string, Hint>;
  over: boolean;
  leads: boolean;
  undoable: boolean;
}
interface ExerciseScene extends Scene {
  question: Choices & {
    number: number;
    kind: string;
    seat: number;
    /** The card that the question is about; 0 if it is about something else. */
    card: number;
    /** What is shown beside the board: "line", "hands". */
    panels: string[];
    /** Whether the next question may be asked before this one is answered. */
    free: boolean;
    /** Whether tries and answers are counted in sight. */
    counted: boolean;
    /** Whether hints and the answer are offered; they are unless this says no. */
    helped?: boolean;
  };
}
interface SolverOption {
  text: string;
  card: number | null;
  chance: number;
  percent: string;
  regret: string;
  loses: string;
  chosen: boolean;
}
interface SolverCell {
  text: string;
  heat: number;
  mixed: boolean;
  chosen: boolean;
}
interface Matrix {
  rows: string[];
  columns: string[];
  cells: SolverCell[][];
  caption: string;
}
/** One decision of the solver. */
interface SolverMoment {
  label: string;
  text: string;
  exact: boolean;
  expected: [low: number, high: number, words: string] | null;
  estimate: number | null;
  turning: boolean;
  seats: { seat: number; who: string; support: string; options: SolverOption[] }[];
  matrix: Matrix | null;
}
interface SolverScene extends Scene {
  solver: SolverMoment[];
}

// Models: a notebook's widget, or a part of a page ------------------------------------------------------------

/** What a module may ask of its model, be it an anywidget or a `Part`. */
interface Model<D extends object> {
  get<K extends keyof D>(name: K): D[K];
  set<K extends keyof D>(name: K, value: D[K]): void;
  save_changes(): void;
  send(message: Sent): void;
  on<M extends Message>(name: string, handler: (message: M) => void): void;
  off<M extends Message>(name: string, handler: (message: M) => void): void;
}
/** What hears a message, or (without one) of a change. */
type Handler = (message?: Message, buffers?: unknown[]) => void;
/** What something can be heard from. */
type Speaker = Pick<Model<object>, "on" | "off">;
interface View<M> {
  model: M;
  el: HTMLElement;
}
/** A module that draws a screen. A method, so that each may want the data of its own screen. */
interface Module {
  render(view: View<Part<object>>): () => void;
}
/** A screen as Python describes it. */
interface Whole {
  module: string;
  data: object;
  parts: Record<string, Whole>;
}
/** What a page says to Python: a message of its own, or one for the screen at a path. */
interface Saying {
  path: string[];
  message?: Sent;
  data?: object;
}
/** What Python says to a page. */
interface Said {
  path: string[];
  data?: object;
  message?: Message;
  part?: string;
  screen?: Whole | null;
}
type PageSaid =
  | (Said & { type?: undefined; version: number })
  | { type: "here" | "heard"; version: number; screen?: Whole; path?: undefined };
interface PageData {
  page: Whole;
  version: number;
}
/** What the outermost screen of a page has, whichever it is. */
interface FirstData {
  labels?: Labels;
  lang?: string;
  scene?: Scene;
}
type Hello = { type: "hello"; version: number };
type Hearer = (said: PageSaid) => void;
type PageModel = Omit<Model<PageData>, "send" | "on" | "off" | "save_changes"> & {
  send(said: Saying | Hello): void;
  on(name: string, handler: Hearer): void;
  off(name: string, handler: Hearer): void;
  ready?: boolean;
  patience?: number;
};

/** A message to Python. What goes with each type is for the screen's `receive` to check. */
interface Sent {
  type: string;
  [field: string]: unknown;
}
type Refused = { type: "refused"; text: string };
type FileMessage = { type: "file"; name: string; text: string };
type HandedMessage = { type: "handed"; name: string; text: string };
type PictureMessage = { type: "picture"; name: string; text: string };
type CellMessage = { type: "cell"; said: string; text: string };
type LinkMessage = { type: "link"; said: string; text: string; place: string };
type BranchMessage = Film & { type: "branch"; text?: undefined };
type HintMessage = { type: "hint"; text: string; number: number; of: number };
interface Proof extends Film {
  answers: string[];
  why: string;
  /** The tutor's sentence about what settles the question. */
  told?: string;
  /** A solution is neither right nor wrong. */
  right?: null;
}
type Verdict = Film & {
  type: "verdict";
  text?: undefined;
  choice: string | null;
  why: string;
  tries: number;
  score: [right: number, all: number];
};
// With the last miss the solution comes along.
type WrongVerdict = Verdict & { right: false; rule: string; then: string; answers?: string[]; solution?: Proof };
// null: the learner asked for the answer.
type RightVerdict = Verdict & { right: true | null; answers: string[]; then?: string; told?: string };
type ExerciseMessage = HintMessage | Refused | WrongVerdict | RightVerdict;
/** What Python says once, as opposed to data that stay. */
type Message =
  | Refused
  | FileMessage
  | HandedMessage
  | PictureMessage
  | CellMessage
  | LinkMessage
  | BranchMessage
  | HintMessage
  | WrongVerdict
  | RightVerdict;

/** Something with moving cards that `stand` puts into its place. */
interface Standing {
  root: HTMLElement;
  motion: import("./motion.js").Motion;
  inner?: Life;
}

// Shapes of our own -------------------------------------------------------------------------------------------

/** A card's node and where it was. */
interface Placed {
  node: HTMLElement;
  rect: DOMRect;
}
type Rects = Map<string, Placed>;
/** The layout of the number line. */
interface Layout {
  first: number;
  last: number;
  width: number;
  lines: number;
  perLine: number;
  cell: number;
  x(value: number): number;
  y(value: number): number;
}
/** What the controls of a replay do. */
type Steering = "first" | "previous" | "play" | "next" | "last";
type Actions = Record<Steering | "faster", () => void> & {
  go(at: number): void;
};
/** What a chooser tells, and how its options look. */
interface Choosing {
  pick: (option: Option) => void;
  look: ((option: Option | null) => void) | null;
  hints?: Record<string, Hint>;
  selected?: string | null;
  note?: ((option: Option) => HTMLElement | null) | null;
  /** Called when a finger has lifted a card; without it, one tap picks. */
  lift?: ((option: Option) => void) | null;
}
/** What the number line shows. */
/** An element of a drawing: its tag, attributes and text. */
type Drawn = [tag: keyof SVGElementTagNameMap, attributes: Record<string, string | number>, text?: string];

interface LineState {
  zones: Zone[];
  rows: Row[];
  mine: number[];
  seen: Set<number>;
}
/** A line of play that was tried out: where it leaves the game, and the choices since, by seat. */
interface Branch {
  from: number;
  ply: number | undefined;
  choices: Record<string, string>[];
}
