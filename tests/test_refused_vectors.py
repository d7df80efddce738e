"""Vectors that ask for something the rules forbid: each fails with a reason, and never crashes or passes.

Each case is a vector that passes, and one thing in it that the rules forbid. That the untouched vector passes shows that
nothing but the forbidden thing makes it fail.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import pytest

from nimmt_lab.conformance.runner import run_vector
from nimmt_lab.engine.errors import NimmtError
from nimmt_lab.engine.events import Json
from tests.catalogue import in_error

Object: TypeAlias = dict[str, Json]

ROWS: Json = [[10], [30], [50], [70]]
LUCK: Json = {"1": ["plus_five", "positive_heads"]}
LONG_ROW: Json = [".", ".", ".", ".", "take"]
BOARD: Json = [[".", ".", "take"], *[LONG_ROW] * 9]
CLOVERS: Object = {"clovers": [-5, -6], "luck_stacks": {"plus_five": 1, "positive_heads": 3}}


def vector(game: Object, given: Object, reveal: Object) -> Object:
    return {"id": "one", "game": game, "given": given, "reveal": reveal, "choices": [], "expect": {}}


def refusal(made: Object) -> str:
    """The runner's complaint about a vector; empty if it passes."""
    try:
        return "; ".join(run_vector(made))
    except NimmtError as error:  # any other error is a crash, and fails the test
        return str(error)


def classic(**game: Json) -> Object:
    return vector({"system": "classic", "players": 2, **game}, {"rows": ROWS}, {"1": 100, "2": 8})


TWISTER: Object = {"fan_cards": ["number_twister"]}


@pytest.mark.parametrize(
    ("game", "reveal", "choices"),
    [
        ({}, {"1": 75, "2": 35}, [{"seat": 1, "row": 4}]),  # nobody has to choose
        ({}, {"1": 75, "2": 8}, []),  # somebody has
        ({}, {"1": 75, "2": 8}, [{"seat": 1, "row": 4}]),  # somebody else has
        ({}, {"1": 75, "2": 8}, [{"seat": 2, "row": 5}]),
        ({}, {"1": 75, "2": 8}, [{"seat": 2, "row": 0}]),
        ({}, {"1": 75, "2": 8}, [{"seat": 2}]),
        ({}, {"1": 75, "2": 70}, []),  # a card in a row
        ({}, {"1": 75, "2": 105}, []),
        ({}, {"1": {"card": 75, "twisted": True}, "2": 71}, []),  # no twister in this game
        (TWISTER, {"1": {"card": 100, "twisted": True}, "2": 71}, []),
        (TWISTER, {"1": {"card": 75, "twisted": True}, "2": {"card": 8, "twisted": True}}, []),  # R-F2
        ({"fan_cards": ["moon"]}, {"1": 75, "2": 71}, []),
        ({"system": "advanced"}, {"1": 25, "2": 71}, []),  # two players use the cards 1 to 24
    ],
)
def test_classic(game: Object, reveal: Object, choices: Json) -> None:
    fine = classic(**game) | {"reveal": {"1": 75, "2": 71}}
    if game.get("fan_cards") != ["moon"] and "system" not in game:
        assert refusal(fine) == ""
    assert refusal(fine | {"reveal": reveal, "choices": choices})


def use(before: int, kind: str, **more: Json) -> Object:
    return {"before": before, "use": kind, **more}


@pytest.mark.parametrize(
    "choice",
    [
        use(15, "stop", row=2),  # R-B2: one lies there
        use(15, "stop", row=5),
        use(15, "stop"),
        use(15, "seven_takes", row=4),  # R-B2
        use(15, "sort", order=[75, 55, 15]),  # not face up
        use(15, "moon"),
        use(99, "stop", row=1),  # no such moment
        use(15, "insert", row=1, position=2),  # R-B9: never at the end
        use(15, "insert", row=2, position=1),  # R-B10
        use(15, "insert", row=3, position=2),  # R-B7
        use(55, "insert", row=4, position=1),  # not the buffalo's card
        use(15, "push", card=30, to_row=1, position=2),  # R-B10: from a stopped row
        use(15, "push", card=10, to_row=2, position=1),  # R-B10: to a stopped row
        use(15, "push", card=10, to_row=1, position=1),  # not to another row
        use(15, "push", card=11, to_row=3, position=1),  # lies in no row
        use(15, "push", card=10, to_row=3, position=2),  # R-B7
        use(15, "push", card=10, to_row=5, position=1),
        use(15, "swap", seat=1, card=99),  # not in that hand
        use(15, "swap", seat=2, card=90),  # R-B4: nothing else in hand
        use(75, "swap", seat=1, card=90),  # R-B16: placed already
        use(15, "swap", seat=3, card=90),  # not on the buffalo's card
        use(15, "first", seat=3),
        use(15, "last", seat=3),
        use(75, "first", seat=1),  # R-B5: placed already
        use(75, "last", seat=1),
        use(15, "first", seat=2, second=True),  # R-B17: behind which?
        use(15, "last", seat=2, second=True),
        {"before": 15, "lift_stop": 1},  # none lies there
        {"before": 15, "row": 1},
        {"seat": 1, "row": 3},  # nobody has to choose
    ],
)
def test_buffalo(choice: Object) -> None:
    kind = choice.get("use")
    up: list[Json] = [kind if kind not in ("sort", "moon", None) else "push", "swap"]
    given: Object = {"rows": ROWS, "specials_up": up, "row_cards": {"2": ["stop"], "4": ["seven_takes"]},
                     "hands": {"1": [90]}, "specials_deck": ["sort"]}  # fmt: skip
    fine = vector({"system": "buffalo", "players": 2}, given, {"1": 15, "2": 75, "buffalo": 55})
    assert refusal(fine) == ""
    assert refusal(fine | {"choices": [choice]})


PUSHED = use(15, "push", card=10, to_row=3, position=1)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (PUSHED, use(15, "insert", row=4, position=1)),  # R-B6: an empty row waits
        (PUSHED, use(15, "stop", row=1)),  # R-B2: not on an empty row
        (PUSHED, use(15, "seven_takes", row=1)),
        (use(15, "first", seat=2), use(75, "first", seat=2, second=True)),  # behind itself
        (use(15, "sort", order=[75, 55, 15]), use(75, "first", seat=2, second=True)),  # R-B17: Sort overrode all
        (use(15, "sort", order=[75, 55]), None),
        (use(15, "sort", order=[75, 55, 55]), None),
        (use(15, "sort", order=[75, 55, 15, 90]), None),
        (use(55, "sort", order=[75, 55, 15]), None),  # 15 lies
        (use(15, "stop", row=1), {"seat": 1, "row": 1}),  # R-B3: a low card takes no stopped row
    ],
)
def test_buffalo_after_another_use(first: Object, then: Object | None) -> None:
    kinds = [choice["use"] for choice in (first, then) if choice and "use" in choice]
    up = [*kinds, "push", "push"][:2]
    fine = vector({"system": "buffalo", "players": 2}, {"rows": ROWS, "specials_up": up},
                  {"1": 15, "2": 75, "buffalo": 55})  # fmt: skip
    assert refusal(fine) == ""
    if then is not None and "use" in then:
        assert refusal(fine | {"choices": [first]}) == ""
    assert refusal(fine | {"choices": [first] if then is None else [first, then]})


def test_buffalo_alone_has_no_special_cards_and_one_card_a_seat() -> None:
    fine = vector({"system": "buffalo", "players": 1}, {"rows": ROWS}, {"1": 15, "buffalo": 55})
    assert refusal(fine) == ""
    assert refusal(fine | {"choices": [use(15, "stop", row=1)]})
    assert refusal(fine | {"reveal": {"1": [15, 16], "buffalo": 55}})


@pytest.mark.parametrize(
    "choices",
    [
        [],  # two rows match
        [{"seat": 1, "row": 1}],  # does not match
        [{"seat": 1, "row": 6}],
        [{"seat": 2, "row": 2}],
        [{"seat": 1, "row": 2}, {"seat": 2, "row": 5}],  # only row 5 matches: no choice
    ],
)
def test_baron(choices: Json) -> None:
    cards: Json = {"10": "r", "20": "bb", "30": "g", "40": "by", "50": "k", "5": "b", "60": "k"}
    given: Object = {"cards": cards, "rows": [[10], [20], [30], [40], [50]]}
    fine = vector({"system": "baron", "players": 2}, given, {"1": 5, "2": 60}) | {"choices": [{"seat": 1, "row": 2}]}
    assert refusal(fine) == ""
    assert refusal(fine | {"choices": choices})


def test_baron_where_bulls_are_good_nobody_takes_a_row_without_a_colour() -> None:
    cards: Json = {"10": "r", "20": "b", "30": "g", "40": "y", "50": "k", "5": "w", "60": "k"}
    given: Object = {"cards": cards, "rows": [[10], [20], [30], [40], [50]]}
    fine = vector({"system": "baron", "players": 2, "variant": "bulls_are_good"}, given, {"1": 5, "2": 60})
    assert refusal(fine) == ""
    assert refusal(fine | {"choices": [{"seat": 1, "row": 1}]})


def on_board(mode: str = "advanced", **given: Json) -> Object:
    table: Object = {"board": BOARD, "tiles": {"1": [20], "2": [40], "3": [60], "4": [80]},
                     "hands": {"1": [9, 90], "2": [3]}, **given}  # fmt: skip
    return vector({"system": "board", "players": 2, "mode": mode, "luck": True}, table, {"1": 45, "2": 81})


def action(kind: str, **more: Json) -> Object:
    return {"seat": 1, "action": kind, **more}


@pytest.mark.parametrize(
    ("choice", "given"),
    [
        (action("stop", row=1), {"stops": [2, 3]}),  # both markers are out
        (action("stop", row=2), {"stops": [2]}),
        (action("stop", row=7), {}),  # no tiles, no end
        (action("stop"), {}),
        (action("swap", tile=3), {}),  # not behind that screen
        (action("swap", tile=45), {}),
        (action("skip"), {"tiles": {"1": [40, 42], "2": [20], "3": [60], "4": [80]}}),  # never the last field
        (action("start", row=2), {}),  # its first tile is lower
        (action("start", row=4), {"stops": [4]}),
        (action("start", row=7), {}),
        (action("ascending", row=4), {}),  # not higher than its last tile
        (action("ascending", row=2), {"stops": [2]}),
        (action("ascending", row=7), {}),
        (action("play_two", tile=3), {}),
        (action("play_two", tile=45), {}),
        (action("moon"), {}),
        ({"seat": 2, "action": "skip"}, {}),  # the other player's card
        ({"seat": 1, "new_row": 5}, {}),  # nobody has taken a row
        ({"seat": 1, "draw_luck": ["plus_five"]}, {}),  # nobody has lost a point
    ],
)
def test_board_action_cards(choice: Object, given: dict[str, Any]) -> None:
    kind = choice.get("action")
    held: Json = ["stop", kind] if isinstance(kind, str) and kind not in ("moon", "stop") else ["stop"]
    fine = on_board(actions={"1": held, "2": []}, **given)
    taken = "tiles" in given  # 45 is the third tile of row 1 there
    usual: list[Json] = [{"seat": 1, "new_row": 5}] if taken else []
    assert refusal(fine | {"choices": usual}) == ""
    problem = refusal(fine | {"choices": [choice, *usual]})
    assert in_error("conformance.unused_choice").search(problem) or "moon" in problem


def test_board_cards_that_are_not_held() -> None:
    fine = on_board()
    assert refusal(fine) == ""
    choices: list[Object] = [action("skip"), action("play_two", tile=90), {"seat": 1, "luck": "plus_five"}]
    for choice in choices:
        assert in_error("conformance.unused_choice").search(refusal(fine | {"choices": [choice]}))


@pytest.mark.parametrize(
    "choices",
    [
        [{"seat": 1, "luck": "plus_five"}],  # not on a row's last field
        [{"seat": 1, "luck": "positive_heads", "tiles": [20]}],  # two, where there are two
        [{"seat": 1, "luck": "positive_heads", "tiles": [20, 45]}],  # not the tile just placed
        [{"seat": 1, "luck": "positive_heads", "tiles": [20, 40]}],  # not of this row
        [{"seat": 1, "luck": "positive_heads", "tiles": [20, 22, 20]}],
        [{"seat": 1, "luck": "moon"}],
        [{"seat": 1, "luck": "positive_heads", "tiles": [20, 22]}, {"seat": 1, "luck": "plus_five"}],  # one a tile
    ],
)
def test_board_luck_on_a_last_field(choices: list[Json]) -> None:
    tiles: Json = {"1": [20, 22], "2": [50], "3": [60], "4": [80]}
    fine = on_board(luck=LUCK, tiles=tiles) | {"choices": [{"seat": 1, "new_row": 5}]}
    assert refusal(fine) == ""
    assert refusal(fine | {"choices": [*choices, {"seat": 1, "new_row": 5}]})


def test_board_luck_elsewhere() -> None:
    fine = on_board(luck={"1": ["plus_five", "plus_five", "positive_heads"]})
    five: Object = {"seat": 1, "luck": "plus_five"}
    assert refusal(fine) == refusal(fine | {"choices": [five]}) == ""
    assert refusal(fine | {"choices": [five, five]})  # one luck card a tile
    assert refusal(fine | {"choices": [{"seat": 1, "luck": "positive_heads", "tiles": [40]}]})  # takes no row


@pytest.mark.parametrize("row", [1, 2, 3, 4, 0, 11])
def test_board_new_rows_are_empty_ones(row: int) -> None:
    tiles: Json = {"1": [20, 22], "2": [50], "3": [60], "4": [80]}
    fine = on_board(tiles=tiles)
    assert refusal(fine)  # a row has to be chosen
    said = refusal(fine | {"choices": [{"seat": 1, "new_row": row}]})
    assert (said == "") is (row == 1)  # the row just emptied is empty


@pytest.mark.parametrize(
    "kinds",
    [["plus_five"], ["plus_five", "plus_five"], ["positive_heads"] * 3, ["moon", "plus_five"], [], "plus_five"],
)
def test_board_luck_cards_come_one_for_each_clover_from_what_is_there(kinds: Json) -> None:
    row: Json = [".", ".", "take"]
    board: Json = [row, [".", "-7", ".", "take"], *[row] * 8]
    fine = on_board("basic", board=board, tiles={"1": [20], "2": [40], "3": [60], "4": [80]}, **CLOVERS)
    for drawn in (["plus_five", "positive_heads"], ["positive_heads", "positive_heads"]):
        assert refusal(fine | {"choices": [{"seat": 1, "draw_luck": [*drawn]}]}) == ""
    assert refusal(fine | {"choices": [{"seat": 1, "draw_luck": kinds}]})
    assert refusal(fine)


def test_board_one_tile_or_two() -> None:
    fine = on_board("basic")
    assert refusal(fine) == ""
    two: Object = {"1": [45, 90], "2": [81, 3]}
    assert refusal(fine | {"reveal": two})  # no field asks for two
    asking = on_board("basic", board=[[".", ".", "two", "take"]] * 10)
    assert refusal(asking | {"reveal": two}) == ""
    assert refusal(asking)
    assert refusal(asking | {"reveal": {"1": [45, 9, 90], "2": [81, 3]}})


def test_board_basic_mode_has_no_action_cards() -> None:
    made = on_board("basic", actions={"1": ["skip"], "2": []})
    assert refusal(made | {"choices": [action("skip")]})
