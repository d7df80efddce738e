"""The sections of a Beat the Buffalo position.

    … ; buffalo: 25 90 ; specials: stop push ; special_deck: swap ; used: sort ; seven_takes: 1 ; stop: 2

`buffalo` has its face-down cards, next first (`-`: none; without the section they are dealt from the unseen cards).
`special_deck` is next first; `used` cards have left the game; `seven_takes` and `stop` name rows. During a turn there
may also be `empty: 3 1` (rows in the order in which Push emptied them), `first: 25` and `last: 40` (cards set by First
card and Last card), `passed: yes` (the team has passed), and `swapping: A` (that seat names the card it swaps in).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from nimmt_lab.engine.cards import Card, Cards, Seat, cards_text, seat_letter
from nimmt_lab.engine.errors import NotationError, PositionError
from nimmt_lab.engine.files import shown
from nimmt_lab.engine.table import LiveTable

from .parts import FACE_UP, OF_EACH, SPECIALS_IN_PLAY, BuffaloTable, Special

KEYS = (
    "buffalo", "specials", "special_deck", "used", "seven_takes", "stop", "empty", "first", "last", "passed", "swapping"
)  # fmt: skip


def row_cards(extra: BuffaloTable, row: int) -> list[str]:
    """The special cards beside a row."""
    lying = [(Special.SEVEN_TAKES, extra.seven_takes), (Special.STOP, extra.stopped)]
    return [kind.value for kind, rows in lying if row in rows]


def write(extra: BuffaloTable) -> dict[str, str]:
    """The sections, without empty ones."""
    texts = {
        "buffalo": cards_text(extra.deck) or "-",
        "specials": " ".join(extra.up),
        "special_deck": " ".join(kind for kind in extra.special_deck if kind is not None),
        "used": " ".join(extra.used),
        "seven_takes": _write_rows(extra.seven_takes),
        "stop": _write_rows(extra.stopped),
        "empty": _write_rows(extra.empty) if len(extra.empty) > 1 else "",
        "first": str(extra.first or ""),
        "last": str(extra.last or ""),
        "passed": "yes" if extra.passed else "",
        "swapping": "" if extra.swapping is None else seat_letter(extra.swapping),
    }
    return {key: text for key, text in texts.items() if text}


def _write_rows(rows: Iterable[int]) -> str:
    return " ".join(str(row + 1) for row in rows)


def read(sections: Mapping[str, str], table: LiveTable) -> BuffaloTable:
    """Read the sections, for a table with rows, hands and cards to place."""
    words = {key: text.replace(",", " ").split() for key, text in sections.items()}
    for key in words:
        if key not in KEYS:
            raise PositionError("buffalo.buffalo_has_no", key=shown(key), known=", ".join(KEYS))
    rows = len(table.rows)
    empty = [row for row, cards in enumerate(table.rows) if not cards]
    waiting = _rows("empty", words.get("empty", []), rows) or tuple(empty)
    if sorted(waiting) != empty:
        raise PositionError("buffalo.empty_empty_rows", empty=_write_rows(empty) or "none")
    passed = words.get("passed", [])
    if passed not in ([], ["yes"]):
        raise NotationError("buffalo.passed_expected_yes", got=shown(" ".join(passed)))
    return BuffaloTable(
        deck=_cards("buffalo", words["buffalo"]) if "buffalo" in words else _unseen(table),
        up=_specials("specials", words.get("specials", [])),
        special_deck=_specials("special_deck", words.get("special_deck", [])),
        used=_specials("used", words.get("used", [])),
        seven_takes=tuple(sorted(_rows("seven_takes", words.get("seven_takes", []), rows))),
        stopped=tuple(sorted(_rows("stop", words.get("stop", []), rows))),
        empty=waiting,
        first=_card_to_place("first", words.get("first", []), table),
        last=_card_to_place("last", words.get("last", []), table),
        passed=bool(passed),
        swapping=_swapping(words.get("swapping", []), table),
    )


def _unseen(table: LiveTable) -> Cards:
    """Deal as many unseen cards as a hand has."""
    cards, table.rng = table.rng.shuffled(table.game.undealt(table))
    return cards[: max(map(len, table.hands))]


def _number(key: str, word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 4):
        raise NotationError("shared.expected_number_got", section=key, got=shown(word))
    return int(word)


def _cards(key: str, words: list[str]) -> Cards:
    cards = () if words == ["-"] else tuple(_number(key, word) for word in words)
    if 0 in cards:
        raise NotationError("buffalo.there_no_card", key=key)
    return cards


def _rows(key: str, words: list[str], rows: int) -> tuple[int, ...]:
    numbers = tuple(_number(key, word) - 1 for word in words)
    if any(row not in range(rows) for row in numbers) or len(set(numbers)) < len(numbers):
        raise NotationError("buffalo.expected_different_rows", key=key, most=rows, got=shown(" ".join(words)))
    return numbers


def _specials(key: str, words: list[str]) -> tuple[Special, ...]:
    try:
        return tuple(Special(word.lower()) for word in words)
    except ValueError:
        raise NotationError(
            "buffalo.expected_special_cards", key=key, special=", ".join(Special), got=shown(" ".join(words))
        ) from None


def _card_to_place(key: str, words: list[str], table: LiveTable) -> Card | None:
    if not words:
        return None
    card = _number(key, words[0])
    ours = [play.card for play in table.queue if play.seat < table.game.players]
    if len(words) > 1 or card not in ours:
        raise PositionError("buffalo.expected_players_card", key=key, got=shown(" ".join(words)))
    return card


def _swapping(words: list[str], table: LiveTable) -> Seat | None:
    if not words:
        return None
    able = [play.seat for play in table.queue if play.seat < table.game.players and table.hands[play.seat]]
    seat = next((seat for seat in able if words == [seat_letter(seat)]), None)
    if seat is None:
        raise PositionError("buffalo.swapping_expected_seat", got=shown(" ".join(words)))
    return seat


def check(table: LiveTable, extra: BuffaloTable, players: int, *, strict: bool) -> None:
    """Refuse impossible special cards. `strict` allows no more of them than are in play for the number of players.

    Other positions may have more of a kind than the box, but never a Stop! for every row.
    """
    lying = (Special.SEVEN_TAKES,) * len(extra.seven_takes) + (Special.STOP,) * len(extra.stopped)
    specials = [*extra.up, *extra.special_deck, *extra.used, *lying]
    for kind in Special:
        most = OF_EACH if strict else len(table.rows) - 1 if kind is Special.STOP else len(specials)
        if specials.count(kind) > most:
            raise PositionError("buffalo.there_game_has", count=specials.count(kind), kind=kind, of_each=OF_EACH)
    if len(extra.up) > FACE_UP:
        raise PositionError("buffalo.special_cards_lie", face_up=FACE_UP, got=len(extra.up))
    for row in extra.stopped:
        if not table.rows[row]:
            raise PositionError("buffalo.row_empty_no", row=row + 1)
    if strict:
        if len(specials) > SPECIALS_IN_PLAY[players]:
            most = SPECIALS_IN_PLAY[players]
            raise PositionError("buffalo.special_cards_players", count=len(specials), players=players, most=most)
        if extra.special_deck and len(extra.up) < FACE_UP:
            raise PositionError("buffalo.used_special_card")
