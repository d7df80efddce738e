// What each screen's Python (nimmt_lab/screens/NAME.py) sends as its data. See ../types.d.ts.

type Pair = [value: string | number, text: string];
type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

interface RuleOption {
  name: string;
  label: string;
  usual: Json;
  kind: "flag" | "number" | "choice";
  choices?: { value: Json; label: string }[];
  empty?: string;
  least?: number;
  most?: number;
}
interface GameForm {
  name: string;
  title: string;
  /** The pictogram on its box. */
  icon: string;
  players: [fewest: number, most: number];
  usual: number;
  options: RuleOption[];
}
/** A game as it is filled in. */
interface Setup {
  game: string;
  players: number;
  /** Only those that are not as usual. */
  options: Record<string, Json>;
}
interface PlaySetup extends Setup {
  seats: { name?: string; level?: string }[];
  hints: boolean;
  /** Text if it is not a number: Python has the error message. */
  seed: number | string | null;
}
interface WithGames {
  labels: Labels;
  choose: Labels;
  games: GameForm[];
  setup: Setup;
}

interface ReplayData {
  scene: Scene;
  at: number;
  seat: number;
  live: boolean;
}
interface TableData {
  scene: TableScene;
  live: boolean;
}
interface ExerciseData {
  scene: ExerciseScene;
  live: boolean;
}
interface SolverData {
  scene: SolverScene;
  at: number;
  live: boolean;
  running: boolean;
  more: boolean;
}
interface NumberLineData {
  scene: Scene;
  value: number;
  seat: number;
}

interface HomeData {
  now: string;
  doors: { name: string; title: string; more: boolean }[];
  /** The screen and the place inside it, as the address names them. */
  place: string;
  lang: string;
  languages: Pair[];
  labels: Labels;
  told: string;
  asks: boolean;
}
interface PupilData {
  labels: Labels;
  languages: Pair[];
  lang: string;
  code: string;
  told: string;
}
interface NotebooksData {
  labels: Labels;
  books: { path: string; title: string; line: string; group: string }[];
  lang: string;
}
interface MapLesson {
  name: string;
  number: number;
  title: string;
  state: string;
  stars: number;
  words: string;
  /** The offer to skip the lesson by a test, if any. */
  test: string;
}
interface LearnData {
  labels: Labels;
  hero: { lesson: string; title: string; text: string; button: string; test: string };
  /** The date of the last puzzle solved ("" if none), and the days in a row up to then. */
  daily: { last: string; streak: number; best: number };
  steps: MapLesson[];
  progress: string;
  boxes: { name: string; title: string; icon: string; words: string; done: number; all: number }[];
  box: { name: string; hero: LearnData["hero"]; icon: string; lessons: MapLesson[] } | null;
  open: string;
  plays: boolean;
  puzzles: boolean;
}
interface LessonEnd {
  done: string;
  closing: string;
  stars: number;
  recap: { text: string; mark: "first" | "later" | "open" | "none"; words: string }[];
  next: { name: string; title: string }[];
}
interface LessonData {
  labels: Labels;
  lang: string;
  languages: Pair[];
  inside: boolean;
  name: string;
  title: string;
  steps: number;
  at: number;
  place: string;
  ready: boolean;
  /** Whether saving downloads, because there is no folder. */
  browser: boolean;
  /** Questions right at the first try so far. */
  stars: number;
  text: {
    title?: string;
    text?: string;
    note?: string;
    show?: string[];
    parts?: { title: string; text: string; box?: boolean }[];
    sheet?: number;
  };
  end: LessonEnd | null;
  /** The offer to skip the lesson by a test, if any, and whether one is on. */
  skip: string;
  testing: boolean;
  /** The learner's name, where answers can be handed in. */
  hand_in: string | null;
  told: string;
}
interface Chart {
  head: string[];
  lines: string[][];
  names: string[];
}
interface ProblemData {
  text: string;
  lang: string;
  notes: string[];
  scene: Scene | null;
  chart: Chart | null;
  found: [asked: string, said: string][];
  choices: { text: string; label: string }[];
  prompt: string;
  button: string;
  told: string;
  verdict: "" | "right" | "wrong" | "unread";
}
/** Runs so far, their mean, its standard error. */
type Mean = [runs: number, mean: number, error: number];
interface ExperimentData {
  text: string;
  buttons: { times: number; text: string }[];
  stop: string;
  go: string;
  counted: string;
  running_mean: string;
  bars: [value: number, count: number][];
  running: boolean;
  told: string;
  meaning: string;
  /** What the band around the mean is; empty before it is taught. */
  band: string;
  path: Mean[];
  exact: number | null;
}
interface SamplingData {
  ways: string[];
  way: number;
  axis: string;
  buttons: { times: number; text: string }[];
  labels: Labels;
  lang: string;
  low: number;
  high: number;
  width: number;
  running: boolean;
  stacks: [at: number, count: number][];
  mean: number | null;
  median: number | null;
  spread: number | null;
  exact: number | null;
  tail: number | null;
  cells: { rows: string[]; columns: string[]; entries: number[]; counts: number[]; last: number } | null;
  told: string;
}
interface PlayEnd {
  title: string;
  heads: boolean;
  review: boolean;
  rows: { at: number; name: string; you: boolean; level: string; points: number; won: boolean; rounds: number[] }[];
  moments: RoundMoment[];
  faces: Faces;
  labels: Labels;
}
interface PlayData {
  mode: "setup" | "table" | "end" | "replay";
  labels: Labels;
  lang: string;
  games: GameForm[];
  levels: { name: string; title: string; text: string; measured: string; game: string }[];
  names: string[];
  me: string;
  setup: PlaySetup;
  usual: string;
  person: string;
  told: string;
  left: boolean;
  end: PlayEnd | null;
}
interface PractiseData extends WithGames {
  lang: string;
  kinds: [name: string, title: string][];
  kind: string;
  difficulty: number;
  open: boolean;
  again: boolean;
  daily: LearnData["daily"];
  /** The day whose puzzle is open. */
  day: string;
  waiting: boolean;
  streak: number;
  best: number;
  score: string;
  missed: number;
  /** Puzzles from one's own mistakes. */
  own: number;
}
interface MyGame {
  file: string;
  accuracy: number | null;
  said: string;
  luck: string;
  skill: string;
  mistakes: number;
}
interface MyGamesData {
  labels: Record<string, string>;
  names: [name: string, games: number][];
  who: string;
  running: boolean;
  unread: string;
  all: number;
  lines: MyGame[];
  kinds: [title: string, count: number][];
  habits: string[][];
  puzzles: number;
  told: string;
}
interface ExploreData {
  labels: Labels;
  lang: string;
  fields: [key: string, label: string, options: Pair[], value: string][];
  told: string;
  charts: [title: string, axis: string, bars: [value: number, share: number][]][];
  rows: string[][];
}
interface AnalyseData extends WithGames {
  mode: "open" | "game" | "setup" | "record_game" | "my_games" | "explore";
  lang: string;
  saved: string[];
  lines: string[];
  line: number;
  told: string;
  /** A shared game that waits for a yes; `open`: it takes the place of one that is open. */
  offer: { title: string; open: boolean } | null;
}
interface SeatName {
  seat: number;
  name: string;
}
interface Judged {
  seat: number;
  who: string;
  text: string;
  lost: number;
  mark: string;
  choice: string;
  best: string;
  cost: string;
}
interface CourseStep {
  ply: number;
  at: number;
  label: string;
  standing: string;
  expected: [low: number, high: number] | null;
  said: Judged[];
}
interface CourseData {
  labels: Labels;
  legend: string;
  steps: CourseStep[];
  seats: SeatName[];
  seat: number | null;
  all: number;
  running: boolean;
  title: string;
  totals: string[];
  told: string;
  players: { seat: number; accuracy: number | null; lost: string }[];
  luck: string;
  /** The decision gone to last, and one sentence about its costliest choice. */
  now: number | null;
  why: string;
}
interface JudgeData {
  labels: Labels;
  seats: SeatName[];
  seat: number | null;
  ways: string[];
  way: string;
  head: string[];
  lines: { option: string; card: number | null; figures: string[]; size: number; error: number; best: boolean }[];
  text: string;
  told: string;
  running: boolean;
}
interface SetupData extends WithGames {
  scene: Scene;
  deck: number[];
  places: { key: string; name: string; cards: number[]; room: number; takes: number | null }[];
  place: string;
  text: string;
  told: string;
  hidden: string;
  empty: boolean;
}
interface TakenSeat {
  seat: number;
  letter: string;
  name: string;
  given: string;
  cards: number[];
  known: boolean;
  asked: boolean;
}
interface RecordGameData extends WithGames {
  scene: Scene;
  laid: boolean;
  rows: number[];
  deck: number[];
  cards: number[];
  picked: number[];
  options: Option[];
  prompt: string;
  entering: number | null;
  seats: TakenSeat[];
  hidden: boolean;
  began: boolean;
  playing: boolean;
  told: string;
}
interface ChanceForm extends Setup {
  mine: string;
  others: string;
}
interface ChanceResult {
  name: string;
  rounds: number;
  unit: "heads" | "points";
  seats: { name: string; mean: number; error: number; wins: number; histogram: [heads: number, count: number][] }[];
  all: [heads: number, count: number][];
  path: Mean[];
}
interface OddsData {
  mode: "rounds" | "odds";
  labels: Labels;
  choose: Labels;
  lang: string;
  games: GameForm[];
  forms: ChanceForm[];
  ways: [name: string, title: string][];
  levels: [name: string, title: string][];
  seed: number;
  running: boolean;
  results: ChanceResult[];
}
interface TeachForm {
  /** The number of a lesson in the classroom, or the name of one's own. */
  lesson: number | string;
  pupils: number;
  seed: number;
  lang: string;
  class_list: string;
}
interface Gradebook {
  columns: string[];
  lines: string[][];
  said: string;
  summary: string[][];
  heads: string[];
}
interface TeachData {
  labels: Labels;
  lang: string;
  form: TeachForm;
  lessons: Pair[];
  languages: Pair[];
  preview: { question: string; answer: string; how: string }[];
  preview_lang: string;
  notes: string[];
  book: Gradebook | null;
  hand_ins: string;
  graded: Pair[];
  folder: boolean;
  named: string;
  exists: boolean;
  told: string;
}
interface CellGrid {
  name: string;
  title: string;
  filled: string;
  rows: string[];
  columns: string[];
  choices: [value: string, meaning: string][];
  cells: string[][];
}
interface BoxData {
  labels: Labels;
  lang: string;
  kinds: { name: string; title: string; state: "" | "used" | "wrong"; why: string }[];
  open: string;
  title: string;
  grids: CellGrid[];
  wrong: string;
  told: string;
}
interface DraftStep {
  kind: string;
  name: string;
  text: string;
  hint: string;
  why: string;
  rows: string[];
  hands: string[];
  plays: string[];
  options: string;
  right: number | string;
  answer: string;
  low: string;
  high: string;
  /** Replies to wrong answers. */
  slips?: { name: string; answer: string; text: string }[];
  /** What the form has no fields for. */
  more?: object;
  raw: object | null;
}
interface Draft {
  title: string;
  language: string;
  aims?: string;
  activity?: string;
  notes?: string;
  summary?: string;
  /** What the form has no fields for. */
  extra?: object;
  steps: DraftStep[];
}
interface AuthorData {
  labels: Labels;
  lang: string;
  kinds: Pair[];
  languages: Pair[];
  sources: Pair[];
  blank: DraftStep;
  draft: Draft | null;
  /** How many drafts have been opened: another number, another form. */
  opened: number;
  file: string;
  /** The steps; one that is not ready has only what is wrong. */
  preview: {
    step: number;
    wrong: string;
    question?: string;
    options?: string[];
    answer?: string;
    how?: string;
    picture?: string;
  }[];
  wrong: string;
  own: { name: string; title: string; note: string }[];
  told: string;
}
interface ClassStartData {
  labels: Labels;
  lang: string;
  lines: string[];
  wall: string;
  running: boolean;
  busy: boolean;
}
interface ClassSeat {
  name: string;
  bot: boolean;
  you: boolean;
  thinking: boolean;
}
interface ClassResult {
  rows: { name: string; points: number; won: boolean; you: boolean }[];
  heads: boolean;
}
interface ClassPageData {
  labels: Labels;
  lang: string;
  languages: Pair[];
  name: string;
  tab: "lesson" | "table";
  lesson: boolean;
  pace: "wait" | "free";
  open: { number: number; title: string; free: number; names: string[] }[];
  found: string[];
  looking: boolean;
  /** Seconds that were left when this was sent. */
  clock: number | null;
  table: {
    number: number;
    phase: "open" | "playing" | "over";
    seats: ClassSeat[];
    left: number | null;
    chosen: string;
  } | null;
  result: ClassResult | null;
}
interface ClassPooled {
  bars: [value: number, count: number][];
  wide: number;
  dots: number[];
  mean: number;
  ends: [low: number, high: number];
  exact: number | null;
  text: string;
  /** Values that the axis has to reach. */
  scale?: number[];
}
interface ClassQuestion {
  name: string;
  text: string;
  groups: { label: string; count: number; right: boolean | null; texts: string[] }[];
  revealed: boolean;
  right: string;
  why: string;
  said: string;
  /** Whether pupils run an experiment. */
  runs: boolean;
  /** The numbers that the question is about. */
  chart: Chart | null;
  choices: string[];
  /** Earlier questions that this one rests on, with their answers, once they are revealed. */
  rests: [text: string, answer: string][];
}
interface ClassTable {
  number: number;
  phase: "open" | "playing" | "over";
  game: string;
  seats: { name: string; bot: boolean; thinking: boolean }[];
  place: string;
  rows: { name: string; points: number; won: boolean }[];
  games: number;
}
interface ClassMember {
  who: number;
  name: string;
  here: boolean;
  free: boolean;
  at: number;
  table: number | null;
  said: string[];
}
interface ClassWallData {
  labels: Labels;
  choose: Labels;
  lang: string;
  code: string;
  addresses: string[];
  qr: { size: number; path: string };
  lan: boolean;
  folder: string;
  listed: number;
  view: "door" | "lesson" | "tables";
  lesson: string;
  steps: string[];
  games: GameForm[];
  levels: Pair[];
  limits: number[];
  usual: string;
  members: ClassMember[];
  pace: "wait" | "free";
  at: number;
  look: number;
  question: ClassQuestion | null;
  pooled: ClassPooled | null;
  clouds: (ClassPooled & { title: string })[];
  /** Seconds that were left when this was sent. */
  timer: number | null;
  tables: ClassTable[];
  heads: (ClassPooled & { title: string })[];
  codes: string[];
  locked: boolean;
  keeps: boolean;
  watched: number;
}
/** What the page of a class starts with (nimmt_lab/live/server.py). */
interface ClassSettings {
  kind: "pupil" | "wall";
  lang: string;
  languages: [code: string, title: string][];
  words: Record<string, Labels>;
}
/** What the class's server says: before somebody has joined, and what it says to every page. */
type ClassSaid =
  | PageSaid
  | { type: "joined"; token: string }
  | { type: "no"; text: string; wait?: number }
  | { type: "out" }
  | { type: "elsewhere" };
