"""Games and positions as short texts and links: nothing is lost, nothing hidden is shown, and bad ones are refused."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nimmt_lab import Baron, Classic, Record, all_games, review, share
from nimmt_lab.bots import record
from nimmt_lab.cli import main
from nimmt_lab.engine.errors import NimmtError, NotationError
from nimmt_lab.engine.share import LONGEST, MOST, is_shared, read_shared
from tests.support import refused

TEXT = "12 14 | 37 | 43 44 | 58 ; A: 21 26 77"
GAME = record(Classic(players=3, rounds=1), ["random"] * 3, 5)
SHARED = share(GAME)


@pytest.mark.parametrize("name", all_games())
def test_records_of_every_game_come_back(name: str) -> None:
    kind = all_games()[name]
    game = kind(players=max(2, kind.for_players[0]))
    for played in (record(game, ["random"] * game.players, 3), Record(game, seed=9)):
        assert read_shared(share(played)) == played
    half = Record(played.game, record(game, ["random"] * game.players, 3).choices[:3], 3)
    assert read_shared(share(half)) == half


def test_names_and_a_link_broken_over_lines_come_back() -> None:
    named = GAME.noted({"A": "Žofie: #1", "sed": "x"}, {})
    link = share(named, site="https://example.org/lab/?x=1#/learn")
    assert link.startswith("https://example.org/lab/?x=1#/analyse/nimmt1.") and is_shared(link)
    broken = f"Look at this:\n{link[:60]}\n  {link[60:]}\nand tell me"
    assert read_shared(broken) == named and read_shared(broken).tags["A"] == "Žofie: #1"
    assert len(share(GAME)) < 350


def test_hidden_hands_stay_hidden() -> None:
    for found in (read_shared(share(TEXT, players=5)), read_shared(share(read_shared(share(TEXT, players=5))))):
        assert found.final.hands[0] == (21, 26, 77) and found.hidden == {1, 2, 3, 4}
    state = Classic(players=3).deal(seed=1)
    seen = read_shared(share(state.view("B")))
    assert seen.hidden == {0, 2} and seen.final.view("B").hand == state.hands[1]
    for seat in (0, 2):  # other cards are sent in place of a hidden hand
        assert seen.final.hands[seat] != state.hands[seat]
    assert read_shared(share(state)).hidden == frozenset()


def test_a_review_takes_a_link() -> None:
    found = review(f"https://example.org/#/analyse/{SHARED}", seat="A", playouts=20, progress=False)
    assert found.record == GAME
    with refused(NimmtError, "engine.says_itself", option="players"):
        review(SHARED, players=3)


def packed(text: str, version: int = 1) -> str:
    import base64

    from nimmt_lab.engine.share import _USUAL

    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=_USUAL)
    data = base64.urlsafe_b64encode(packer.compress(text.encode()) + packer.flush()).decode().rstrip("=")
    return f"nimmt{version}.{data}.{zlib.crc32(data.encode()):08x}"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "engine.share_none"),
        ("https://example.org/", "engine.share_none"),
        (SHARED[:-1], "engine.share_changed"),
        (SHARED[: len(SHARED) // 2], "engine.share_changed"),
        (SHARED.replace("nimmt1.", "nimmt1.A"), "engine.share_changed"),
        (SHARED.replace("nimmt1", "nimmt2"), "engine.share_version"),
        ("nimmt1.", "engine.share_changed"),
        ("nimmt1." + "A" * 3 * LONGEST, "engine.share_long"),
        (packed("game: chess\nrules: players=2\nseed: 1"), "engine.share_refused"),
        (packed("game: classic\nrules: players=2\nseed: 1\n1. A200 B7"), "engine.share_refused"),
        (packed("game: classic\nrules: players=2\nseed: 1\nx: " + "y" * MOST), "engine.share_changed"),
    ],
)
def test_what_is_bad_or_newer_is_refused_in_words(text: str, key: str) -> None:
    with refused(NotationError, key):
        read_shared(text)


def test_what_is_too_long_is_refused() -> None:
    long = record(Classic(players=10), ["random"] * 10, 1)
    assert len(share(record(Baron(players=4), ["random"] * 4, 1))) < LONGEST
    with refused(NotationError, "engine.share_long"):
        share(long.noted({f"t{at}": hashlib.sha512(bytes([at])).hexdigest() for at in range(90)}, {}))
    with refused(NotationError, "engine.share_long"):
        share(long.noted({f"t{at}": "y" * 900 for at in range(90)}, {}))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_change_of_a_letter_is_missed(data: st.DataObject) -> None:
    at = data.draw(st.integers(len("nimmt1."), len(SHARED) - 1))
    letter = data.draw(st.sampled_from("AZaz09-_.!"))
    changed = SHARED[:at] + letter + SHARED[at + 1 :]
    if changed == SHARED:
        assert read_shared(changed) == GAME
        return
    with pytest.raises(NotationError):
        read_shared(changed)


@given(st.text(max_size=400))
@settings(max_examples=60, deadline=None)
def test_anything_inside_is_a_game_or_refused(text: str) -> None:
    """Even with the right checksum."""
    for inner in (text, f"game: classic\nrules: players=2\n{text}", f"game: {text}"):
        try:
            read_shared(packed(inner.encode("utf-8", "replace").decode()))
        except NotationError as error:
            assert error.key in ("engine.share_refused", "engine.share_changed")


def test_the_command_prints_texts_and_links_and_writes_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    GAME.save(tmp_path / "game.nimmt")
    assert main(["share", str(tmp_path / "game.nimmt"), "--site", "https://example.org/"]) == 0
    assert read_shared(capsys.readouterr().out) == GAME
    assert main(["share", TEXT, "--players", "5"]) == 0
    text = capsys.readouterr().out.strip()
    assert read_shared(text).hidden == {1, 2, 3, 4}
    page = tmp_path / "page.html"
    assert main(["share", text, "--html", str(page)]) == 0
    html = page.read_text(encoding="utf-8")
    assert "<svg" in html or "<script" in html
    assert main(["share", SHARED[:-4]]) == 2 and "incomplete" in capsys.readouterr().err
