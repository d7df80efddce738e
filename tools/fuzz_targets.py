"""Every reader of the package as a target of `tools/fuzz.py`, with good input to start from."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from nimmt_lab import Advanced, Baron, BoardGame, Buffalo, Classic, Game, Position, Record
from nimmt_lab.bots import bot
from nimmt_lab.cli import main
from nimmt_lab.conformance import check_files
from nimmt_lab.conformance.runner import FORMAT, run_vector
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.files import parse_json, read_text
from nimmt_lab.engine.logs import FOLDER, Phrases, phrase_files
from nimmt_lab.engine.notes_text import record_of
from nimmt_lab.engine.record_text import Chain, read_rules
from nimmt_lab.engine.registry import from_options
from nimmt_lab.engine.share import read_shared, share
from nimmt_lab.games.baron.deck import SAMPLE_DECK, BaronDeck
from nimmt_lab.games.board_game.material import Board, Pieces, entries, sample_board
from nimmt_lab.games.classic.ahead import Mind, kept
from nimmt_lab.games.classic.network import read_players
from nimmt_lab.lessons import progress, results, trust
from nimmt_lab.lessons.class_list import ClassList, make_class_list, parse_class_list, read_class_list, read_names
from nimmt_lab.lessons.classroom import problems
from nimmt_lab.lessons.problem import read_number
from nimmt_lab.live import journal
from nimmt_lab.live.start import listed_names
from nimmt_lab.rl.gradient import Policy
from nimmt_lab.rl.rules_text import game_from_text, rules_text
from nimmt_lab.rl.vector import VectorEnv
from nimmt_lab.solver.deals import FORMAT as DEALS
from nimmt_lab.solver.deals import Deal, _add, read_deals
from nimmt_lab.solver.learned import read_numbers
from nimmt_lab.study import ladder, review_games, simulate
from tools.fuzz import Target
from tools.fuzz_kept import of_datasets, of_kept
from tools.fuzz_lessons import of_lessons
from tools.fuzz_pages import in_file, of_boards, of_pages
from tools.fuzz_thinking import of_thinking
from tools.train_policy import RUN_SIZE, TrainingRun

ROOT = Path(__file__).resolve().parent.parent

GAMES: tuple[Game, ...] = (
    Classic(players=2), Classic(players=4, rounds=1), Classic(players=2, fan_cards=("mountain",)),
    Classic(players=2, fan_cards=("even_odd", "mountain", "jumping_cow", "number_twister"), combine_fan_cards=True),
    Advanced(players=2), Advanced(players=3, fan_cards=("jumping_cow",)), Buffalo(players=1), Buffalo(players=3),
    Baron(players=2), Baron(players=3, variant="bulls_are_good"), Baron(players=3, variant="colour_counts"),
    BoardGame(players=2), BoardGame(players=4, luck=True), BoardGame(players=3, mode="advanced", luck=True),
)  # fmt: skip

RULES = (
    'classic players=4 edition="002"',
    "baron players=2 variant=standard games=2",
    'classic players=2 fan_cards=["mountain",{"name":"number_twister","comes_back":"game"}]',
    f"board players=2 board={json.dumps(sample_board('basic').to_json())}",
)
BARON_WITH_DECK = json.dumps({"system": "baron", "players": 2, "deck": SAMPLE_DECK.to_json()})
LOG = "Players: Ann, Bob\nRows: 12 37 43 58\nTurn 1\n[1:02] Ann plays 14\nBob plays 2\nBob takes row 3"
PROGRESS = '{"format": "nimmt-progress/1", "lang": "pl", "name": "Ann", "done": {"first_turn": [3, 5], "p2": [1, 4]}}'


@contextmanager
def all_targets() -> Iterator[dict[str, Target]]:
    """The readers by name; they may use a temporary folder."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="nimmt-fuzz-") as folder:
        os.chdir(folder)  # for files that commands write
        try:
            targets = _targets(Path(folder))
            for target in targets.values():  # fill the caches now, without limits
                for seed in target.seeds[:20]:
                    with contextlib.suppress(NimmtError):
                        target.read(seed)
            yield targets
        finally:
            os.chdir(here)


def _targets(folder: Path) -> dict[str, Target]:
    golden = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "golden").glob("*.nimmt"))]
    records = [Record.from_text(text) for text in golden]
    short = [record.from_text(_first_lines(record)) for record in records]
    vectors = _vectors()
    typed = [_unsigned(record.to_text()) for record in short]
    boards, material = _data("games/board_game", "toml"), json.dumps(SAMPLE_DECK.to_json())
    answers = _some_results()
    vector_files = [json.dumps({"format": FORMAT, "vectors": [json.loads(text)]}) for text in vectors[::5]]
    found: dict[str, Target] = {
        "record-text": Target(_round_trip(Record.from_text), typed + golden[:3]),
        "record-json": Target(_round_trip(lambda text: Record.from_json(signed(text))), [r.to_json() for r in short]),
        "record-file": Target(in_file(folder / "game.nimmt", Record.load), [*golden[:5], short[0].to_json()]),
        "notes": Target(_notes, NOTES),
        "notes-csv": Target(lambda text: Record.from_csv(text, players=2), [NOTES_CSV]),
        "notes-file": Target(in_file(folder / "game.txt", record_of), [*NOTES, golden[0]]),
        "log": Target(
            Record.from_log, [LOG, LOG.replace("Rows: 12 37 43 58", "Row 1: 12\nRow 2: 37\nRow 3: 43\nRow 4: 58")]
        ),
        "phrases": Target(_phrases, [read_text(FOLDER / f"{name}.toml") for name in phrase_files()]),
        "shared": Target(_shared, [share(record) for record in records if len(record.choices) < 40]),
        "position": Target(_position, _positions(records)),
        "play": Target(_play, ["A14 B15", "A14 B3@2 ...", "1. A14 B15", "T- A14", "A14~ B15", "A4!stop@2 B15>3"]),
        "rules": Target(_rules, [*RULES, f"baron players=2 deck={material}"]),
        "options": Target(
            lambda text: from_options(_object(text)),
            [*map(json.dumps, (game.to_json() for game in GAMES)), BARON_WITH_DECK],
        ),
        "spiel-rules": Target(
            lambda text: game_from_text(text, "classic"), [rules_text(game) for game in GAMES if game.name == "classic"]
        ),
        "deck": Target(_deck, [SAMPLE_DECK.to_csv()]),
        "deck-file": Target(in_file(folder / "deck.csv", BaronDeck.load), [SAMPLE_DECK.to_csv()]),
        "board": Target(_board, boards),
        "board-file": Target(in_file(folder / "board.toml", _board_file), boards),
        "vector": Target(lambda text: run_vector(_object(text)), vectors),
        "vector-file": Target(in_file(folder / "v.json", lambda path: str(check_files([path]))), vector_files),
        "number": Target(read_number, ["3/14", "0.214", "0,214", "21,4 %", "8 23/104", "-5", "2 400"]),
        "answer": Target(_answer, ["3/14", "0.5", "yes", "-", "A 5"]),
        "results": Target(_results, [json.dumps(json.loads(some.to_json())) for some in answers]),
        "results-file": Target(in_file(folder / "ann.json", results.Results.load), [a.to_json() for a in answers]),
        "class-list": Target(
            in_file(folder / "class.csv", _class_list), [ClassList(7, {"Ann": 7001, "Bob": 7002}).to_csv()]
        ),
        "names": Target(in_file(folder / "names.txt", _names), ["Ann\nBob\n", "Zoë\r\n\r\nJan Nowak"]),
        "class-names": Target(
            in_file(folder / "class.txt", listed_names), ["Ann\nBob\n", ClassList(7, {"Ann": 7001}).to_csv()]
        ),
        "journal": Target(_journal, ['{"type": "joined", "name": "Ann"}\n{"type": "play", "choice": "14"}']),
        "confirmed": Target(_confirmed(folder / "settings"), [_SOME_CONFIRMED]),
        "ladder": Target(in_file(folder / "ladder.jsonl", _ladder), [_some_ladder(folder)]),
        "reviews": Target(in_file(folder / "reviews.jsonl", _reviews), [REVIEWS]),
        "simulation": Target(in_file(folder / "played" / "simulation.json", _simulated), [_some_note(folder)]),
        "progress": Target(in_file(folder / progress.FILE, lambda path: _progress(path.parent)), [PROGRESS]),
        "portion": Target(_portion(folder / "portions"), [_some_portion(folder, keep) for keep in (True, False)]),
        "deals": Target(read_deals, [_small_deals()]),
        "deals-file": Target(in_file(folder / "deals.json", _go_on), [_some_deals()]),
        "mind": Target(Mind.read, [kept("gradient").to_text()]),
        "network": Target(read_players, [_some_network()]),
        "training": Target(_training, [_RUN.to_bytes().decode("latin-1")]),
        "learned": Target(_learned, ["\0\1\xff" * 5]),
        "policy": Target(lambda text: Policy.read(text, "p.json"), [_some_policy()]),
        "saved-games": Target(_saved_games, [_vectorised(9).save().decode("latin-1")]),
        "bot": Target(bot, ["flat:playouts=100,goal=win", "random", "odds", "best:playouts=5", "lowest"]),
        "json": Target(parse_json, ['{"a": [1, 2.5, "x", null, true]}', "[]"]),
        "command": Target(_command, [json.dumps(words) for words in _commands(folder)]),
    }
    found |= of_boards(short) | of_pages(folder, short[0]) | of_thinking() | of_kept(folder) | of_lessons(folder)
    found |= of_datasets(folder)
    return found


# Notes, classes ------------------------------------------------------------------------------------------

NOTES = [
    "players: Ann, Bob\nrows: 12 37 43 58\n14 15\n2@3 9  // Bob's",
    "rows 14 37 43 58\nhand A: 21 26\n1. A21 B30",
]
NOTES_CSV = "turn,player,card,row\n0,,12,\n0,,37,\n0,,43,\n0,,58,\n1,A,14,\n1,B,2,3\n"


def _notes(text: str) -> None:
    for players in (None, 2):
        with contextlib.suppress(NimmtError):
            Record.rounds_from_notes(text, players=players)
    Record.rounds_from_notes(text, players=2)


def _journal(text: str) -> None:
    """Broken bytes, and broken entries whose checksums hold."""
    raw = text.encode("utf-8", "surrogatepass")
    with contextlib.suppress(NimmtError):
        journal.parse(raw, "journal")
    signed_lines = [b"%08x %s\n" % (zlib.crc32(line), line) for line in raw.split(b"\n")]
    journal.parse(b"".join(signed_lines), "journal")


_SOME_CONFIRMED = json.dumps({"format": trust.FORMAT, "confirmed": ["0" * 64, "f" * 64]})


def _confirmed(folder: Path) -> Callable[[str], object]:
    def read(text: str) -> bool:
        os.environ[trust.VARIABLE] = str(folder)  # this process works in a temporary folder
        folder.mkdir(exist_ok=True)
        (folder / trust.FILE).write_bytes(text.encode("utf-8", "surrogatepass"))
        return trust.confirmed("0" * 63 + "1")

    return read


# Records -------------------------------------------------------------------------------------------------


def _first_lines(record: Record) -> str:
    """A record of the first choices: short input is mutated more thoroughly."""
    cut = Record(record.game, record.choices[:6], record.seed, record.start, {"A": "Ann", "Místo": "Łódź"})
    return cut.noted(cut.tags, {0: "a comment"}).to_text() if cut.lines else cut.to_text()


def _unsigned(text: str) -> str:
    """A record as typed by a person, without the first line and the checksums."""
    lines = [line.rpartition(" #")[0] or line for line in text.split("\n")[1:] if not line.startswith("check:")]
    return "\n".join(lines)


def signed(text: str) -> str:
    """A record's JSON with valid checksums: a broken one would hide everything else."""
    try:
        data = json.loads(text)
        chain = Chain()
        parts = [
            {key: value for key, value in data.items() if key not in ("turns", "end")},
            *data["turns"],
            data["end"],
        ]
        for part in parts:
            part.pop("check", None)
            part["check"] = chain.add(json.dumps(part, sort_keys=True, separators=(",", ":")))
        return json.dumps({**parts[0], "turns": parts[1:-1], "end": parts[-1]})
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return text


def _round_trip(read: Callable[[str], Record]) -> Callable[[str], object]:
    def run(text: str) -> object:
        record = read(text)
        assert Record.from_text(record.to_text()) == record == Record.from_json(record.to_json())
        return record

    return run


def _positions(records: Sequence[Record]) -> list[str]:
    found = [
        "12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36",
        "; A: 3 ; B: 4",
        "12 | 37 | 43 | 58 ; A: 21 ; place: B30",
    ]
    for record in records:
        steps = record.steps
        found += [str(steps[at].before.position) for at in (0, len(steps) // 3, len(steps) * 2 // 3, len(steps) - 1)]
    return found


def _position(text: str) -> None:
    position = Position.parse(text)
    assert Position.parse(str(position)) == position
    for game in GAMES:
        for ordered in (True, False):
            with contextlib.suppress(NimmtError):
                state = game.from_position(position, ordered=ordered)
                assert game.from_position(str(state.position), ordered=ordered).position == state.position
                str(state), repr(state), state.view(0)


def _play(text: str) -> None:
    for game in GAMES:
        with contextlib.suppress(NimmtError):
            game.deal(1).play(text)


def _rules(text: str) -> Game:
    system, _, rules = text.partition(" ")
    return read_rules(system, rules)


def _object(text: str) -> dict[str, Any]:
    data: Any = parse_json(text)
    return data if isinstance(data, dict) else {"system": data}


# Material and lessons ------------------------------------------------------------------------------------


def _data(folder: str, ending: str) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / "nimmt_lab" / folder).rglob(f"*.{ending}"))
            if "locale" not in path.parts]  # fmt: skip


def _phrases(text: str) -> object:
    return [Phrases.parse(text).match(line) for line in LOG.splitlines()]


def _shared(text: str) -> object:
    """Also with the right checksum: what is inside may be anything."""
    version, _, rest = text.partition(".")
    data = rest.rpartition(".")[0] if "." in rest else rest
    with contextlib.suppress(NimmtError):
        read_shared(text)
    return read_shared(f"{version}.{data}.{zlib.crc32(data.encode(errors='replace')):08x}")


def _deck(text: str) -> None:
    deck = BaronDeck.parse(text)
    assert BaronDeck.parse(deck.to_csv()) == deck
    assert from_options(Baron(players=2, deck=deck).to_json()) == Baron(players=2, deck=deck)


def _board(text: str) -> None:
    for kind in (Board, Pieces):
        with contextlib.suppress(NimmtError):
            made = kind.parse(text)
            assert kind.made(made.to_json()) == made
            for mode in ("basic", "advanced"):
                option = "board" if isinstance(made, Board) else "pieces"
                with contextlib.suppress(NimmtError):
                    BoardGame(players=2, mode=mode, **{option: made}).deal(1)  # type: ignore[arg-type]


def _board_file(path: Path) -> None:
    entries(path)
    try:
        Board.load(path)
    except NimmtError:
        Pieces.load(path)


def _vectors() -> list[str]:
    found = []
    for path in sorted((ROOT / "tests" / "conformance").glob("*.json")):
        found += [json.dumps(vector) for vector in json.loads(path.read_text(encoding="utf-8")).get("vectors", [])]
    return found


# The class -----------------------------------------------------------------------------------------------


def _answer(text: str) -> None:
    for lesson in range(1, 9):
        for problem in problems(lesson, 0):
            with contextlib.suppress(NimmtError):
                problem.is_right(text)


def _class_list(path: Path) -> None:
    read = read_class_list(path)
    assert parse_class_list(read.to_csv()) == read


def _names(path: Path) -> None:
    made = make_class_list(read_names(path), 7)
    assert parse_class_list(made.to_csv()) == made or not made.pupils


def _some_results() -> list[results.Results]:
    return [
        results.Results("Ann", "p2", 7, {"p2.between": ("10",), "p2.two": ("1/2", "0.3")}, frozenset({"p2.two"})),
        results.Results("Zoë Nováková", "first_turn", 0, {"row": ("1", "2")}),
    ]


def _results(text: str) -> None:
    """Answers with a valid checksum, so that more than the checksum is tested."""
    with contextlib.suppress(ValueError, TypeError, AttributeError, RecursionError):
        data = json.loads(text)
        data.pop("check", None)
        text = json.dumps({**data, "check": results._check(data)})
    read = results.Results.from_json(text)
    assert results.Results.from_json(read.to_json()) == read
    read.grades  # noqa: B018


def _progress(folder: Path) -> None:
    now = progress.load(folder)
    now.save()
    assert progress.load(folder) == now


# Stored results ------------------------------------------------------------------------------------------


def _binary(text: str) -> bytes:
    """Bytes from mutated text."""
    return text.encode("latin-1", "replace")


def _some_policy() -> str:
    return json.dumps([part.round(2).tolist() for part in Policy.random(seed=1).weights])


def _vectorised(seed: int) -> VectorEnv:
    """Two games in mid-play, with one opponent in the core and one in Python."""
    env = VectorEnv(
        "classic", games=2, players=3, rounds=1, opponents={1: "lowest", 2: lambda seen, masks, games: masks.argmax(1)}
    )
    env.reset(seed)
    for _ in range(3):
        env.step(env.sample())
    return env


def _saved_games(text: str) -> None:
    """Broken ones are refused and change nothing; the others can be continued."""
    env = _vectorised(4)
    before = env.save()
    try:
        env.load(_binary(text))
    except NimmtError:
        assert env.save() == before
        raise
    env.step(env.sample())


def _portions(folder: Path, keep: bool) -> None:
    simulate(Classic(players=2), rounds=3, seed=1, progress=False, folder=folder / str(keep), each_round=keep)


def _portion(folder: Path) -> Callable[[str], object]:
    """A table of simulated rounds: broken ones must be reported."""

    def run(text: str) -> None:
        for keep in (True, False):
            (path,) = (folder / str(keep)).glob("*.parquet")
            path.write_bytes(_binary(text))
            with contextlib.suppress(NimmtError):
                _portions(folder, keep)

    return run


def _some_portion(folder: Path, keep: bool) -> str:
    _portions(folder / "portions", keep)
    (path,) = (folder / "portions" / str(keep)).glob("*.parquet")
    return path.read_bytes().decode("latin-1")


def _go_on(path: Path) -> None:
    """The command that solves a deal, with the file of an earlier run."""
    for deal in _add(path):
        if deal["cards"] <= 2:
            Deal(deal["seed"], deal["cards"], deal).solve(1 << 20, 1, False)


def _some_deals() -> str:
    entry = Deal(1, 2).solve(1 << 20, 1, False)
    begun = {**entry, "seed": 2, "line": Deal(2, 2).solve(1 << 20, 1, False)["line"][:1], "complete": False}
    return json.dumps({"format": DEALS, "deals": [entry, begun]})


def _some_network() -> str:
    text = (ROOT / "nimmt_lab" / "games" / "classic" / "data" / "trained.json").read_text(encoding="utf-8")
    return json.dumps({"players": {"2": json.loads(text)["players"]["2"]}})


_RUN = replace(TrainingRun(2, 20, block=20), done=1, state=bytes(RUN_SIZE))


def _training(text: str) -> None:
    with contextlib.suppress(ValueError):
        TrainingRun(2, 20, block=20).after(_binary(text))


def _learned(text: str) -> None:
    read_numbers(_binary(text), 15)


_LADDER = Classic(players=2, rounds=1, hand_size=2)


def _ladder(path: Path) -> None:
    ladder(_LADDER, 1, 1, levels=[1, 2], file=path, progress=False)


def _some_ladder(folder: Path) -> str:
    _ladder(folder / "good.jsonl")
    return (folder / "good.jsonl").read_text(encoding="utf-8")


#: Two games, as stored by `review_games`; the second could not be read.
_REVIEWED = [["a.nimmt", "classic", "A", "Ann", 10, 91.5, 2.25, 1, 0, 12, -1.5, -2.25, 0, 1, 0, 0, 0],
             ["a.nimmt", "classic", "B", "B", 9, None, 0, 0, 0, None, None, None, 0, 1, 0, 0, 0]]  # fmt: skip
REVIEWS = "\n".join(
    json.dumps(line)
    for line in (
        {"format": "nimmt-reviews/2", "seat": None, "seed": 0, "playouts": 10},
        ["a.nimmt", _REVIEWED],
        ["b.nimmt", "line 3: no such card"],
    )
)


def _reviews(path: Path) -> None:
    """A review with nothing left to do, or a missing game: only the file is read."""
    found = review_games(["a.nimmt"], file=path, playouts=10, progress=False)
    repr((found, found.is_complete))


def _simulated(path: Path) -> None:
    simulate(Classic(players=2), rounds=3, seed=1, progress=False, folder=path.parent)


def _some_note(folder: Path) -> str:
    _simulated(folder / "played" / "simulation.json")
    return (folder / "played" / "simulation.json").read_text(encoding="utf-8")


def _small_deals() -> str:
    data = json.loads((ROOT / "nimmt_lab" / "solver" / "data" / "deals.json").read_text(encoding="utf-8"))
    data["deals"] = [dict(data["deals"][0], line=data["deals"][0]["line"][:3])]
    return json.dumps(data)


# Commands ------------------------------------------------------------------------------------------------


def _commands(folder: Path) -> list[list[str]]:
    record = folder / "kept.nimmt"
    record.write_text((ROOT / "tests" / "golden" / "classic.nimmt").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "kept.csv").write_text(SAMPLE_DECK.to_csv(), encoding="utf-8")
    table = "12 14 15 | 37 | 43 44 | 58 61 ; A: 21 26 ; B: 30 36"
    small = "1 | 2 4 7 14 | 16 19 22 | 23 24 ; A: 17 ; B: 8"
    lines = [
        f"show '{table}'",
        f"show {record} --turn 3",
        f"show '{table}' --game classic --rules players=2",
        f"explain {record} --turn 2 --lang pl",
        f"share {record} --html shared.html",
        f"share '{small}' --players 2 --game advanced --site https://example.org/",
        "games",
        f"check {folder / 'no.json'}",
        "odds '12 14 | 37 | 43 | 58 ; A: 21 45' --opponents 2 --seen '3 17' --above 2 --json",
        f"solve '{small}' --memory 0.1 --seconds 1 --threads 1 --line",
        "solve '1 | 2 | 3 | 4 ; A: 5 7 ; B: 6 8' --rules hand_size=2 --json",
        "simulate --rounds 3 --players 3 --seed 1 --policy random --low-card cheapest --json",
        "simulate --rounds 3 --folder sim --seed 2",
        "tournament random lowest --deals 1 --seed 1 --players 2",
        "material show kept.csv",
        "material template new.csv --kind baron",
        "gradebook . --out book.csv",
        "gradebook class",
        "gradebook . --class-list class.csv --summary questions.csv",
        "class-list kept.csv --seed 3 --out class.csv",
        "worksheet --lesson 2 --pupils 2 --seed 3 --out sheets --force --lang cs",
        "lab --folder learner --copy-only",
        "ladder --deals 1 --levels 1 2 --players 2 --seed 1 --rules rounds=1 --file climbed.jsonl --markdown --lang pl",
    ]
    return [shlex.split(line) for line in lines]


#: Options that multiply the work. The commands do all of it, however long it takes, so the values are small.
_AMOUNTS = ("--rounds", "--deals", "--pupils", "--threads", "--seconds", "--memory")


def _command(text: str) -> None:
    """A command line as a JSON list."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = text.split()
    words = (
        [word if isinstance(word, str) else json.dumps(word) for word in data]
        if isinstance(data, list)
        else [str(data)]
    )
    for at, word in enumerate(words[:-1]):
        with contextlib.suppress(ValueError):
            if word.split("=")[0] in _AMOUNTS and float(words[at + 1]) > 3:
                words[at + 1] = "3"
    words = [word for word in words if not any(word.startswith(name + "=") for name in _AMOUNTS)]
    if words[:1] in (["lab"], []) and "--copy-only" not in words:
        return  # opens JupyterLab and waits
    if (words[:1] == ["simulate"] and "--rounds" not in words) or (
        words[:1] == ["tournament"] and "--deals" not in words
    ):
        return  # the default number takes long
    if words[:1] == ["ladder"] and (
        not {"--deals", "--levels"} <= set(words) or any(word.isdecimal() and int(word[:9]) > 2 for word in words)
    ):
        return  # higher levels think longer
    if words[:1] == ["tournament"] and any(":" in word or word.startswith(("best", "flat", "level")) for word in words):
        return  # bots use all the time they are given
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            code = main(words)
        except SystemExit as error:  # argparse, with a usage message
            code = error.code if isinstance(error.code, int) else 2
    assert code in (0, 1, 2, 130), code
