"""Every reader against broken input: earlier findings, some mutations, and inputs from Hypothesis.

`make fuzz` runs the same for as long as you like, and adds its findings to `cases/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import nimmt_lab
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.screens.home import SCREENS
from tools.fuzz import CASES, NASTY, VALUES, Dice, Target, TooLong, fuzz, keep, limits, mutate, problem
from tools.fuzz_pages import heard
from tools.fuzz_targets import all_targets, signed

#: Slow ones get fewer inputs here.
SLOW = {"command", "position", "play", "board", "board-file", "deals", "ladder", "simulation", "pages"}
SLOW |= {"widget-replay", "widget-table", "widget-exercise", "page-home", "page-lesson", "page-problem"}
SLOW |= {
    "network",
    "lessons",
    "drafts",
    "own-lesson",
    "draft",
    "portion",
    "deals-file",
    "dataset",
    "dataset-part",
    "backup",
    "backup-files",
    *(f"screen-{name}" for name in SCREENS),
}
SLOW |= {f"thinking-{name}" for name in SCREENS}


@pytest.fixture(scope="module")
def targets() -> Iterator[dict[str, Target]]:
    with all_targets() as found:
        yield found


@pytest.mark.exhaustive
def test_every_kept_case_is_refused_or_read(targets: dict[str, Target]) -> None:
    cases = sorted(path for path in CASES.glob("*/*") if path.is_file())
    assert cases, "what was found is kept"
    wrong = {}
    for path in cases:
        said = problem(targets[path.parent.name], path.read_bytes().decode("utf-8", "surrogatepass"))
        if said is not None:
            wrong[f"{path.parent.name}/{path.name}"] = said
    assert not wrong


#: Readers of files that people may have written or changed, and the targets that test them.
READERS = {
    "commands/lab.py": {"layout", "notebook", "command"},
    "conformance/runner.py": {"vector-file"},
    "engine/files.py": {"json", "unfinished"},
    "engine/logs.py": {"log", "phrases"},
    "engine/notes_text.py": {"notes", "notes-csv", "notes-file"},
    "engine/record.py": {"record-file"},
    "engine/record_json.py": {"record-json"},
    "engine/record_text.py": {"record-text", "rules"},
    "games/baron/deck.py": {"deck", "deck-file"},
    "games/board_game/material.py": {"board", "board-file"},
    "games/classic/ahead.py": {"mind"},
    "games/classic/network.py": {"network"},
    "lessons/progress.py": {"progress"},
    "lessons/results.py": {"results", "results-file"},
    "lessons/class_list.py": {"class-list", "names"},
    "lessons/authoring.py": {"lessons"},
    "lessons/drafts.py": {"drafts", "draft"},
    "lessons/lessonfile.py": {"lessons"},
    "lessons/trust.py": {"confirmed"},
    "live/journal.py": {"journal"},
    "live/start.py": {"class-names"},
    "rl/gradient.py": {"policy"},
    "rl/opponents.py": {"saved-games"},
    "rl/rules_text.py": {"spiel-rules"},
    "rl/vector.py": {"saved-games"},
    "screens/author.py": {"own-lesson", "draft"},
    "screens/desk.py": {"own-material"},
    "screens/memory.py": {"pages"},
    "screens/notebooks.py": {"notebook"},
    "site/inside.py": {"site"},
    "solver/deals.py": {"deals", "deals-file"},
    "solver/learned.py": {"learned"},
    "study/datasets.py": {"dataset", "dataset-part"},
    "study/ladders.py": {"ladder"},
    "study/many.py": {"reviews"},
    "study/store.py": {"simulation", "portion"},
}
#: These read files that came with the package, that they have just made themselves, or (the site's) whose fingerprint
#: is known;
#: tests/native/test_loader.py breaks the manifest, tests/site/test_build.py the archive.
SHIPPED = {
    "bots/levels.py", "commands/check.py", "engine/sentences.py", "explain/catalogue.py", "lessons/checking.py", "lessons/paper.py", "lessons/program.py", "lessons/shipped.py", "lessons/skill.py", "lessons/worker.py", "live/server.py", "lessons/worksheet.py", "native/build.py", "native/loader.py", "native/wasm.py", "rl/small.py", "screens/assets.py", "server/pages.py",
    "site/build.py", "site/foresee.py", "site/lite.py", "site/runtime.py", "site/wheel.py", "study/explorer.py", "study/findings.py",
}  # fmt: skip
#: Messages to a class are broken in tests/live/test_broken.py, by a whole class of pages.
ELSEWHERE = {"live/hub.py"}


def test_every_reader_is_listed() -> None:
    """Every caller of a reading function."""
    package = Path(nimmt_lab.__file__).parent
    reading = re.compile(
        r"\b(?:parse_json|parse_toml|read_text|read_bytes|read_parquet|json\.loads?|tomllib\.loads?)\("
    )
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if any(reading.search(line) for line in path.read_text(encoding="utf-8").splitlines() if ">>>" not in line)
    }
    assert found == {*READERS, *SHIPPED, *ELSEWHERE}


@pytest.mark.exhaustive
def test_every_reader_is_a_target(targets: dict[str, Target]) -> None:
    assert set().union(*READERS.values()) <= set(targets)
    assert {f"screen-{name}" for name in SCREENS} <= set(targets)


@pytest.mark.exhaustive
def test_every_kind_of_message_is_sent(targets: dict[str, Target]) -> None:
    """For every part of every screen, the seeds contain each message it understands."""
    kinds, fields = heard()
    assert {"start", "what_if", "choose", "answer", "sheet", "go"} <= kinds and {"setup", "ply", "text"} <= fields
    for name in SCREENS:
        sent = [json.loads(seed).get("message", {}) for seed in targets[f"screen-{name}"].seeds]
        assert {message.get("type") for message in sent} >= kinds
        assert set().union(*sent) >= fields


@pytest.mark.exhaustive
def test_good_input_is_read(targets: dict[str, Target]) -> None:
    """A target that rejects its seeds would fuzz nothing."""
    for name, target in targets.items():
        read = 0
        for seed in target.seeds:
            try:
                target.read(seed)
                read += 1
            except NimmtError:
                pass
        assert read >= len(target.seeds) * 0.6, name


@pytest.mark.exhaustive
def test_mutations_find_nothing(targets: dict[str, Target]) -> None:
    quick = {name: target for name, target in targets.items() if name not in SLOW}
    assert not list(fuzz(quick, 60 * len(quick), None, seed=1))
    assert not list(fuzz({name: targets[name] for name in sorted(SLOW)}, 8 * len(SLOW), None, seed=2))


JSON = st.recursive(
    st.sampled_from(VALUES) | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
PIECES = st.lists(st.sampled_from([piece for piece in NASTY if len(piece) < 400]) | st.text(max_size=12), max_size=12)


@pytest.mark.exhaustive
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=PIECES.map("".join) | PIECES.map(" ".join) | PIECES.map("\n".join), at=st.integers(0, 10**6))
def test_pieces_of_text(text: str, at: int, targets: dict[str, Target]) -> None:
    names = [name for name in sorted(targets) if name != "command"]
    name = names[at % len(names)]
    assert problem(targets[name], text) is None, name


@pytest.mark.exhaustive
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=JSON, more=JSON, at=st.integers(0, 10**6), key=st.integers(0, 10**6))
def test_any_json(data: object, more: object, at: int, key: int, targets: dict[str, Target]) -> None:
    """Good data with one value replaced."""
    names = (
        "options",
        "record-json",
        "vector",
        "vector-file",
        "results",
        "progress",
        "deals",
        "widget-table",
        "widget-exercise",
    )
    name = names[at % len(names)]
    target = targets[name]
    good = json.loads(target.seeds[at % len(target.seeds)])
    places = sorted(good)
    good[places[key % len(places)]] = data
    for said in (good, data, [more], {"format": more}):
        assert problem(target, json.dumps(said)) is None, name


@pytest.mark.exhaustive
def test_the_fuzzer_finds_what_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    """Three faulty readers (one crashes, one hangs, one exhausts memory) are found, and their inputs shrunk."""

    def careless(text: str) -> object:
        if "9" * 20 in text:
            raise ValueError("a long number")
        while "Infinity" in text:
            pass
        return bytearray(1 << 31) if "{0}" in text else int("1")

    monkeypatch.setattr("tools.fuzz.SECONDS", 0.05)
    target = Target(careless, ["the quick brown fox"] * 2)
    found = list(fuzz({"careless": target}, 1500, None, seed=3))
    assert {wrong.splitlines()[-1] for _, _, wrong in found} == {
        "ValueError: a long number", "more than 0.05 seconds", "more than 1024 MB",
    }  # fmt: skip
    assert {text for _, text, wrong in found if "ValueError" in wrong} == {"9" * 20}
    monkeypatch.setattr("tools.fuzz.CASES", tmp_path)
    assert keep("careless", "\ud800").read_bytes() == b"\xed\xa0\x80"


def test_limits_end_with_what_they_limit() -> None:
    with pytest.raises(TooLong), limits(0.02):  # noqa: PT012
        while True:
            pass
    assert bytearray(1 << 20)


#: A megabyte of what readers split, count, nest or look for.
PILES = (
    " ",
    "\n",
    "1. ",
    "A14 B15 ",
    "[",
    "9",
    "| ",
    ";",
    "a=1 ",
    '{"a":',
    "A",
    "@1",
    '"',
    "#",
    "{ ",
    "\u3000",
    "a = 1\n",
    ",",
    "T- ",
    "\\",
)


@pytest.mark.exhaustive
@pytest.mark.parametrize("pile", [*PILES[:4], *(pytest.param(pile, marks=pytest.mark.slow) for pile in PILES[4:])])
def test_a_megabyte_takes_no_longer_than_anything(pile: str, targets: dict[str, Target]) -> None:
    """Alone, and inside and after valid input: rejected or read, with at most two seconds of work."""
    much = pile * (1_000_000 // len(pile))
    wrong = []
    for name, target in targets.items():
        good = target.seeds[0]
        for text in (much, good[: len(good) // 2] + much + good[len(good) // 2 :], good + much):
            if name != "command" and (said := problem(target, text)) is not None:
                wrong.append((name, said))
    assert not wrong


@pytest.mark.exhaustive
def test_mutations_can_be_repeated(targets: dict[str, Target]) -> None:
    seeds = targets["record-json"].seeds
    first, second = ([mutate(dice, seeds[0], seeds) for _ in range(50)] for dice in (Dice(1), Dice(1)))
    assert first == second and len(set(first)) > 40
    assert signed(seeds[0]) != seeds[0] and json.loads(signed(seeds[0])) == json.loads(seeds[0])
