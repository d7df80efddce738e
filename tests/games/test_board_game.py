"""The board game, rule by rule and ruling by ruling: one turn each, as vectors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from nimmt_lab import GameState
from nimmt_lab.conformance import run_vector
from nimmt_lab.engine.errors import NimmtError, NotInHand, RulesError, UnknownOption
from nimmt_lab.engine.events import CardPlaced, Event, RowTaken
from nimmt_lab.engine.sentences import Phrase
from nimmt_lab.games.board_game.events import (
    ActionDrawn,
    ActionPlayed,
    BoardRule,
    FieldActed,
    LuckGranted,
    LuckPlayed,
    PointsScored,
    StopSet,
    StopsLifted,
    TilesDrawn,
    TilesMoved,
)
from nimmt_lab.games.board_game.material import Board, Pieces, sample_board
from nimmt_lab.games.board_game.parts import Action, BoardExtra, Luck
from nimmt_lab.games.board_game.rules import BoardGame
from nimmt_lab.games.board_game.uses import PASS, ChooseTiles, Tiles, Use
from tests.support import refused

PLAIN = ". . . . . take"


def board(**rows: str) -> list[list[str]]:
    """Ten plain rows of six fields, except the given ones: `r1=". g take"`."""
    return [rows.get(f"r{number}", PLAIN).split() for number in range(1, 11)]


def check(
    reveal: Mapping[str, object],
    expect: Mapping[str, object],
    choices: Iterable[Mapping[str, object]] = (),
    *,
    mode: str = "basic",
    lucky: bool = False,
    fields: list[list[str]] | None = None,
    tiles: Mapping[str, object] | None = None,
    **given: object,
) -> None:
    """Run one vector: a turn from a table, then checks of the result. In advanced mode everybody has another tile, so
    that the game continues."""
    vector: dict[str, Any] = {
        "id": "case",
        "why": "",
        "game": {"system": "board", "players": len(reveal), "mode": mode, "luck": lucky},
        "given": {
            "board": fields or board(),
            "tiles": tiles or {"1": [50], "2": [70], "3": [20], "4": [60]},
            **({"hands": {seat: [100 - 2 * int(seat)] for seat in reveal}} if mode == "advanced" else {}),
            **given,
        },
        "reveal": reveal,
        "choices": list(choices),
        "expect": expect,
    }
    assert run_vector(vector) == ()


def uses(state: GameState) -> list[Use]:
    """The legal uses of seat A."""
    return [option for option in state.pending[0].options if isinstance(option, Use)]


# Where a tile goes -----------------------------------------------------------------------------------------


def test_rules_1_and_2_the_closest_lower_end() -> None:
    check({"1": 71, "2": 69}, {"tiles": {"1": [50], "2": [70, 71], "3": [20], "4": [60, 69]}})
    check({"1": 51, "2": 21}, {"tiles": {"1": [50, 51], "2": [70], "3": [20, 21], "4": [60]}})


def test_rule_3_too_low_goes_to_the_highest_end_and_takes_nothing() -> None:
    check(
        {"1": 19, "2": 71},
        {
            "tiles": {
                "1": [
                    50,
                ],
                "2": [70, 19],
                "3": [20],
                "4": [60, 71],
            },
            "taken": {},
        },
    )


def test_r_p2_a_too_low_tile_breaks_the_order_and_only_it_counts() -> None:
    # 19 follows 70 now, so the highest end is 60, and 61 goes there.
    check({"1": 19, "2": 18, "3": 61}, {"tiles": {"1": [50], "2": [70, 18, 19], "3": [20], "4": [60, 61]}})
    check({"1": 1, "2": 3}, {"tiles": {"1": [50], "2": [70, 1, 3], "3": [20], "4": [60]}})


def test_only_active_rows_are_used() -> None:
    check({"1": 99, "2": 71}, {"tiles": {"2": [10], "5": [50], "8": [70, 71, 99], "10": [20]}},
          tiles={"5": [50], "8": [70], "10": [20], "2": [10]})  # fmt: skip


# Fields ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "points"), [("g", 3), ("gg", 6), ("r", -3), ("rr", -6), ("+5", 5), ("-7", -7), ("two", 0), (".", 0)]
)
def test_fields_act_at_once_with_the_heads_of_the_tile_placed(field: str, points: int) -> None:
    check({"1": 22, "2": 71}, {"scores": {"1": points, "2": 0}}, fields=board(r3=f". {field} . take"),
          tile_heads={"22": 3, "20": 5})  # fmt: skip


def test_take_row_costs_the_other_tiles_and_starts_the_first_empty_row_below() -> None:
    fields = board(r3=". . take")
    check({"1": 22, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "4": [60], "5": [22]}, "scores": {"1": -7, "2": 0},
          "taken": {"1": [20, 21]}}, fields=fields, tiles={"1": [50], "2": [70], "3": [20, 21], "4": [60]},
          tile_heads={"20": 5, "21": 2, "22": 3})  # fmt: skip


def test_take_row_with_no_empty_row_below_starts_the_topmost() -> None:
    fields = board(r10=". . take")
    check({"1": 22, "2": 71}, {"tiles": {"4": [60], "8": [50], "9": [70, 71], "1": [22]}}, fields=fields,
          tiles={"8": [50], "9": [70], "4": [60], "10": [20, 21]})  # fmt: skip
    check({"1": 22, "2": 71}, {"tiles": {"1": [60], "2": [50], "3": [70, 71], "4": [22]}}, fields=fields,
          tiles={"2": [50], "3": [70], "1": [60], "10": [20, 21]})  # fmt: skip


def test_the_row_just_emptied_counts_as_empty() -> None:
    fields = [["."] * 2 + ["take"]] * 4
    check({"1": 22, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "3": [22], "4": [60]}, "scores": {"1": -2, "2": 0}},
          fields=fields, tiles={"1": [50], "2": [70], "3": [20, 21], "4": [60]})  # fmt: skip


def test_r_p9_a_new_rows_first_field_acts() -> None:
    fields = board(r3=". . take", r5="gg . take")
    check({"1": 22, "2": 71}, {"scores": {"1": -2 + 6, "2": 0}, "tiles": {"1": [50], "2": [70, 71], "4": [60], "5": [22]}},
          fields=fields, tiles={"1": [50], "2": [70], "3": [20, 21], "4": [60]}, tile_heads={"22": 3})  # fmt: skip


def test_a_new_row_is_active_at_once() -> None:
    check({"1": 22, "2": 23}, {"tiles": {"1": [50], "2": [70], "4": [60], "5": [22, 23]}}, fields=board(r3=". . take"),
          tiles={"1": [50], "2": [70], "3": [20, 21], "4": [60]})  # fmt: skip


@pytest.mark.parametrize(
    ("before", "field", "after"), [(42, "+5", 44), (-42, "-7", -44), (44, "+5", 44), (42, "-7", 35)]
)
def test_the_score_never_leaves_the_track(before: int, field: str, after: int) -> None:
    check({"1": 22, "2": 71}, {"scores": {"1": after, "2": 3}}, fields=board(r3=f". {field} . take"),
          scores={"1": before, "2": 3})  # fmt: skip


# Play two tiles (the field) --------------------------------------------------------------------------------


def state_of(mode: str = "basic", players: int = 2, *, position: str, luck: bool = False, **rows: str) -> GameState:
    made = Board("test", mode, tuple(map(tuple, board(**rows))))
    return BoardGame(players=players, mode=mode, luck=luck, board=made).from_position(position)


START = "50 | 70 | 20 | 60 | | | | | | ; A: 21 22 23 ; B: 71 72 73"


@pytest.mark.parametrize(
    ("rows", "position", "two"),
    [
        ({"r1": ". two . take"}, START, True),
        ({"r5": ". two . take"}, START, False),  # the row is not active
        ({"r1": "two . . take"}, START, False),  # covered by 50
        ({"r1": "two . two take"}, START, True),  # one of two is uncovered
        ({"r1": ". two . . take"}, START.replace("50 |", "50 - 51 |"), True),  # R-P10: skipped
        ({"r1": ". two . . take"}, START.replace("50 |", "50 52 51 |"), False),
        ({"r1": ". two . take"}, START + " ; stops: 1", True),  # R-P10: under a marker
    ],
)
def test_everybody_plays_two_while_a_two_field_of_an_active_row_is_uncovered(
    rows: dict[str, Any], position: str, two: bool
) -> None:
    state = state_of("advanced", position=position, **rows)
    assert [isinstance(decision, ChooseTiles) for decision in state.pending.values()] == [two, two]


def test_all_tiles_of_all_players_are_placed_in_one_ascending_order() -> None:
    check({"1": [73, 21], "2": [22, 72]}, {"tiles": {"1": [50], "2": [70, 72, 73], "3": [20, 21, 22], "4": [60]}},
          fields=board(r1=". . two take"))  # fmt: skip
    state = state_of(position=START, r1=". two take")
    state, events = state.choose({0: Tiles(21, 23), 1: Tiles.of(72, 71)})
    assert [event.card for event in events if isinstance(event, CardPlaced)] == [21, 23, 71, 72]


def test_covering_a_two_field_does_nothing_now_but_one_tile_next_turn() -> None:
    state = state_of(position=START, r2=". two . . take")
    state, events = state.choose({0: Tiles(21, 22), 1: Tiles(71, 72)})
    assert not any(isinstance(event, FieldActed) for event in events) and state.totals == (0, 0)
    assert not isinstance(state.pending[0], ChooseTiles)


def test_r_p8_who_is_short_of_two_tiles_plays_what_is_left() -> None:
    state = state_of("advanced", position="50 | 70 | 20 | 60 | | | | | | ; A: 21 ; B: 71 72 73", r1=". two take")
    assert state.pending[0].options == (21,) and len(state.pending[1].options) == 3
    check({"1": 21, "2": [71, 72]}, {"tiles": {"1": [50], "2": [70, 71, 72], "3": [20, 21], "4": [60]}},
          fields=board(r1=". two take"))  # fmt: skip


def test_two_tiles_must_be_two_of_the_own() -> None:
    state = state_of(position=START, r1=". two take")
    for wrong in (Tiles(21, 21), Tiles(21, 71), Tiles(24, 25), 21):
        with refused(NotInHand, "board_game.cannot_play_plays", who="A", options="21 22 23"):
            state.choose({0: wrong, 1: Tiles(71, 72)})


# Luck cards ------------------------------------------------------------------------------------------------

FULL3 = {"1": [50], "2": [70], "3": [20, 21, 24], "4": [60]}
TAKE4 = board(r3=". . . take")
FIVE = {"seat": 1, "luck": "plus_five"}


@pytest.mark.parametrize("field", ["rr", "-7", ".", "gg", "two"])
def test_plus_five_replaces_what_the_field_does(field: str) -> None:
    check({"1": 22, "2": 71}, {"scores": {"1": 5, "2": 0}, "luck": {"1": [], "2": []},
          "luck_stacks": {"plus_five": 1, "positive_heads": 0}}, [FIVE], lucky=True,
          fields=board(r3=f". {field} . take"), luck={"1": ["plus_five"]})  # fmt: skip


def test_plus_five_is_optional() -> None:
    check({"1": 22, "2": 71}, {"scores": {"1": -7, "2": 0}, "luck": {"1": ["plus_five"], "2": []}}, lucky=True,
          fields=board(r3=". -7 . take"), luck={"1": ["plus_five"]})  # fmt: skip


def test_plus_five_not_on_a_rows_last_field() -> None:
    state = lucky_state("20 21 24 | 70 | 50 | 60 ; A: 25 ; B: 71 ; luck: A plus_five", ". . . take")
    after, _ = state.choose({0: 25, 1: 71})
    assert after.is_over and after.totals == (-4, 0), "nothing was asked"


def lucky_state(
    position: str, *rows: str, mode: str = "basic", clovers: tuple[int, ...] = (), players: int = 2
) -> GameState:
    """A game on a board with the given first rows and plain further rows."""
    fields = [row.split() for row in rows] + [PLAIN.split()] * (6 - len(rows))
    heads = tuple({20: 1, 21: 1, 24: 2, 15: 5}.get(tile, 1) for tile in range(1, 101))
    made = Board("test", mode, tuple(map(tuple, fields)), clovers)
    game = BoardGame(players=players, mode=mode, luck=True, board=made, pieces=Pieces("test", heads))
    head, _, rest = position.partition(";")
    return game.from_position(f"{head}{'| ' * (5 - head.count('|'))}; {rest}", ordered=False)


def test_only_one_luck_card_for_a_tile() -> None:
    state = lucky_state("20 | 70 | 50 | 60 ; A: 25 ; B: 71 ; luck: A plus_five plus_five", ". -7 . take")
    state, _ = state.choose({0: 25, 1: 71})
    assert state.pending[0].options == (PASS, Use(Luck.PLUS_FIVE))
    state, events = state.choose({0: Use(Luck.PLUS_FIVE)})
    assert events[0] == LuckPlayed(BoardRule.PLUS_FIVE, 0, 25, Luck.PLUS_FIVE, ())
    assert state.is_over and BoardExtra.of(state).luck == ((Luck.PLUS_FIVE,), ())


def test_positive_heads_two_of_the_tiles_taken_count_plus() -> None:
    heads = {"20": 1, "21": 2, "24": 5, "25": 3}
    for tiles, score in (([20, 21], -2), ([24, 21], 6), ([20, 24], 4)):
        check({"1": 25, "2": 71}, {"scores": {"1": score, "2": 0}, "luck": {"1": []}, "taken": {"1": [20, 21, 24]}},
              [{"seat": 1, "luck": "positive_heads", "tiles": tiles}], lucky=True, fields=TAKE4, tiles=FULL3,
              tile_heads=heads, luck={"1": ["positive_heads"]})  # fmt: skip


def test_positive_heads_with_a_single_tile_counts_what_there_is() -> None:
    check({"1": 25, "2": 71}, {"scores": {"1": 5, "2": 0}}, [{"seat": 1, "luck": "positive_heads", "tiles": [20]}],
          lucky=True, fields=board(r3=". take"), tile_heads={"20": 5}, luck={"1": ["positive_heads"]})  # fmt: skip


def test_positive_heads_only_on_the_last_field_and_never_the_tile_itself() -> None:
    state = lucky_state("20 21 24 | 70 | 50 | 60 ; A: 25 2 ; B: 71 3 ; luck: A positive_heads", ". . . take")
    asked, _ = state.choose({0: 25, 1: 71})
    assert [use.tiles for use in uses(asked)] == [(), (20, 21), (20, 24), (21, 24)]
    with pytest.raises(UnknownOption):
        asked.choose({0: Use(Luck.POSITIVE_HEADS, tiles=(20, 25))})
    assert asked.choose({0: Use(Luck.POSITIVE_HEADS, tiles=(24, 20))})[0].totals == (2, 0), "in either order"
    other = lucky_state("20 21 24 | 70 | 50 | 60 ; A: 25 2 ; B: 71 3 ; luck: A positive_heads", ". . . . take")
    assert not other.choose({0: 25, 1: 71})[0].queue, "not asked before the last field"


@pytest.mark.parametrize(
    ("before", "clovers", "count"),
    [
        (0, [-7], 1),  # reached
        (0, [-8], 0),
        (0, [-1, -3, -7], 3),
        (0, [0], 0),  # where it starts does not count
        (5, [5, 4, 0, -2], 3),
        (-40, [-44, -41], 2),  # the track ends at -44
        (-44, [-44], 0),  # nothing is lost any more
        (44, [37, 44, 40], 2),
    ],
)
def test_a_luck_card_for_each_clover_passed_or_reached(before: int, clovers: list[int], count: int) -> None:
    check({"1": 22, "2": 71}, {"luck": {"1": ["plus_five"] * count, "2": []}, "luck_stacks": {"plus_five": 5 - count,
          "positive_heads": 0}}, lucky=True, fields=board(r3=". -7 . take"), clovers=clovers, scores={"1": before},
          luck_stacks={"plus_five": 5})  # fmt: skip


def test_going_up_passes_no_clovers() -> None:
    check({"1": 22, "2": 71}, {"luck": {"1": [], "2": []}, "scores": {"1": 5, "2": 0}}, lucky=True,
          fields=board(r3=". +5 . take"), clovers=[1, 2, 3, 4, 5], luck_stacks={"plus_five": 5, "positive_heads": 5})  # fmt: skip


def test_the_player_chooses_the_stacks_in_any_combination() -> None:
    given: dict[str, Any] = {
        "fields": board(r3=". -7 . take"),
        "clovers": [-2, -4],
        "luck_stacks": {"plus_five": 5, "positive_heads": 5},
    }
    for drawn in (["plus_five"] * 2, ["plus_five", "positive_heads"], ["positive_heads"] * 2):
        check(
            {"1": 22, "2": 71}, {"luck": {"1": drawn, "2": []}}, [{"seat": 1, "draw_luck": drawn}], lucky=True, **given
        )


def test_r_p11_an_empty_stack_cannot_be_chosen() -> None:
    given: dict[str, Any] = {"fields": board(r3=". -7 . take"), "clovers": [-2, -4, -6]}
    # Three clovers but one card on each stack: the player draws both without a choice.
    check({"1": 22, "2": 71}, {"luck": {"1": ["plus_five", "positive_heads"], "2": []}}, lucky=True,
          luck_stacks={"plus_five": 1, "positive_heads": 1}, **given)  # fmt: skip
    check({"1": 22, "2": 71}, {"luck": {"1": [], "2": []}}, lucky=True, **given)
    check({"1": 22, "2": 71}, {"luck": {"1": ["positive_heads"] * 3, "2": []}}, lucky=True,
          luck_stacks={"positive_heads": 4}, **given)  # fmt: skip


def test_r_p5_clovers_are_counted_for_the_net_loss_of_one_effect() -> None:
    # 5 + 2 plus, 1 minus: the score rises from 0 to 6 and never goes to -1.
    check({"1": 25, "2": 71}, {"scores": {"1": 6, "2": 0}, "luck": {"1": [], "2": []}},
          [{"seat": 1, "luck": "positive_heads", "tiles": [21, 24]}], lucky=True, fields=TAKE4, tiles=FULL3,
          tile_heads={"20": 1, "21": 2, "24": 5}, luck={"1": ["positive_heads"]}, clovers=[-1, 0, 1],
          luck_stacks={"plus_five": 3})  # fmt: skip


def test_a_played_luck_card_is_back_on_its_stack_before_the_field_acts() -> None:
    # 1 + 1 plus, 5 minus: a loss of 3 passes a clover, and the only card left is the one just played.
    check({"1": 25, "2": 71}, {"scores": {"1": -3, "2": 0}, "luck": {"1": ["positive_heads"], "2": []}},
          [{"seat": 1, "luck": "positive_heads", "tiles": [20, 21]}], lucky=True, fields=TAKE4, tiles=FULL3,
          tile_heads={"24": 5}, luck={"1": ["positive_heads"]}, clovers=[-2])  # fmt: skip


def test_luck_is_drawn_before_the_new_rows_field_acts() -> None:
    state = lucky_state("20 21 24 | 70 | 50 | 60 ; A: 25 2 ; B: 71 3 ; stacks: 2 2", ". . . take", PLAIN, PLAIN, PLAIN,
                        "-3 . take", clovers=(-4, -6))  # fmt: skip
    state, events = state.choose({0: 25, 1: 71})
    assert events[-1] == PointsScored(BoardRule.TAKE_HEADS, 0, -4, 0, -4, (-4,))
    state, events = state.choose({0: state.pending[0].options[0]})
    assert [type(event) for event in events] == [LuckGranted, CardPlaced, FieldActed, PointsScored]
    assert events[-1] == PointsScored(BoardRule.POINTS_FIELD, 0, -3, -4, -7, (-6,))
    state, events = state.choose({0: state.pending[0].options[1]})
    assert BoardExtra.of(state).luck[0] == (Luck.PLUS_FIVE, Luck.POSITIVE_HEADS)


def test_without_luck_cards_clovers_mean_nothing() -> None:
    check({"1": 22, "2": 71}, {"luck": {"1": [], "2": []}}, fields=board(r3=". -7 . take"), clovers=[-2])


# Advanced: new fields ----------------------------------------------------------------------------------------


def test_take_row_tiles_go_behind_the_screen_without_points() -> None:
    fields = board(r3=". . . take-tiles", r7="+3 . take")
    check({"1": 25, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "4": [60], "7": [25]}, "scores": {"1": 3, "2": 0},
          "hands": {"1": [1, 20, 21, 24], "2": [96]}}, [{"seat": 1, "new_row": 7}], mode="advanced", fields=fields,
          tiles=FULL3, tile_heads={"24": 5}, hands={"1": [1], "2": [96]})  # fmt: skip


def test_take_row_heads_with_any_inactive_row() -> None:
    for row in (3, 5, 6, 7, 8, 9, 10):
        check({"1": 25, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "4": [60], str(row): [25]}, "scores": {"1": -3, "2": 0},
              "hands": {"1": [98], "2": [96]}, "taken": {"1": [20, 21, 24]}}, [{"seat": 1, "new_row": row}],
              mode="advanced", fields=TAKE4, tiles=FULL3)  # fmt: skip
    with refused(UnknownOption, "engine.cannot_choose", choice="@1", known="@3, @5, @6, @7, @8, @9, @10"):
        check({"1": 25, "2": 71}, {}, [{"seat": 1, "new_row": 1}], mode="advanced", fields=TAKE4, tiles=FULL3)


def test_a_single_empty_row_is_not_asked() -> None:
    check({"1": 25, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "3": [25], "4": [60]}}, mode="advanced",
          fields=[PLAIN.split(), PLAIN.split(), [".", ".", ".", "take"], PLAIN.split()], tiles=FULL3)  # fmt: skip


def test_positive_heads_on_take_tiles_is_plus_first() -> None:
    check({"1": 25, "2": 71}, {"scores": {"1": 7, "2": 0}, "hands": {"1": [1, 20, 21, 24], "2": [96]}, "luck": {"1": []}},
          [{"seat": 1, "luck": "positive_heads", "tiles": [20, 24]}, {"seat": 1, "new_row": 3}], mode="advanced",
          lucky=True, fields=board(r3=". . . take-tiles"), tiles=FULL3, tile_heads={"20": 2, "24": 5},
          hands={"1": [1], "2": [96]}, luck={"1": ["positive_heads"]})  # fmt: skip


def test_draw_tile_and_r_p3_an_empty_stock() -> None:
    fields = board(r3=". tile . take")
    check(
        {"1": 22, "2": 71},
        {"hands": {"1": [98, 33], "2": [96]}, "stock": [34]},
        mode="advanced",
        fields=fields,
        stock=[33, 34],
    )
    check({"1": 22, "2": 71}, {"hands": {"1": [98], "2": [96]}}, mode="advanced", fields=fields)


def test_draw_action_card_and_r_p11_an_empty_stack() -> None:
    fields = board(r3=". action . take")
    check({"1": 22, "2": 71}, {"actions": {"1": ["skip"], "2": []}, "action_deck": ["stop"]}, mode="advanced",
          fields=fields, action_deck=["skip", "stop"])  # fmt: skip
    check({"1": 22, "2": 71}, {"actions": {"1": [], "2": []}}, mode="advanced", fields=fields)


def test_discards_are_reshuffled_when_the_stack_is_empty() -> None:
    position = "20 | 70 | 50 | 60 | | | | | | ; A: 22 1 ; B: 71 2 ; discards: stop skip stop"
    drawn = set()
    for seed in range(8):
        made = Board("test", "advanced", tuple(map(tuple, board(r1=". action . take"))))
        state = BoardGame(players=2, mode="advanced", board=made).from_position(position, seed=seed)
        after, events = state.choose({0: 22, 1: 71})
        extra = BoardExtra.of(after)
        assert ActionDrawn(BoardRule.DRAW_ACTION, 0, 1, True) in events and extra.discards == ()
        cards = [*extra.actions[0], *extra.action_deck]
        assert sorted(map(str, cards)) == ["skip", "stop", "stop"]
        drawn.add(extra.actions[0])
    assert len(drawn) == 2, "the order is random"


# Advanced: action cards --------------------------------------------------------------------------------------


def act(kind: str, seat: int = 1, **more: object) -> dict[str, object]:
    return {"seat": seat, "action": kind, **more}


def test_stop_closes_a_row_for_everybody() -> None:
    check({"1": 71, "2": 75}, {"tiles": {"1": [50], "2": [70], "3": [20], "4": [60, 71, 75]}, "stops": [2],
          "actions": {"1": []}}, [act("stop", row=2)], mode="advanced", actions={"1": ["stop"]})  # fmt: skip


def test_the_field_under_a_marker_does_not_act() -> None:
    check({"1": 71, "2": 65}, {"scores": {"1": 0, "2": 0}, "stops": [2]}, [act("stop", row=2)], mode="advanced",
          fields=board(r2=". -7 . take"), actions={"1": ["stop"]})  # fmt: skip


def test_r_p4_too_low_goes_to_the_highest_end_that_is_not_stopped() -> None:
    check({"1": 5, "2": 95}, {"tiles": {"1": [50, 95], "2": [70], "3": [20], "4": [60, 5]}, "stops": [2]},
          mode="advanced", stops=[2])  # fmt: skip


def test_r_p4_no_eligible_row_because_of_stops() -> None:
    # 25 fits only after 20, which is stopped, so it goes to the highest end like a low tile.
    check({"1": 25, "2": 95}, {"tiles": {"1": [50], "2": [70, 25], "3": [20], "4": [60, 95]}, "stops": [3]},
          mode="advanced", stops=[3])  # fmt: skip


def test_stop_not_with_both_markers_out_nor_twice_on_a_row() -> None:
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 71 1 ; B: 72 2 ; actions: A stop"
    state, _ = state_of("advanced", position=position + " ; stops: 2").choose({0: 71, 1: 72})
    assert state.pending[0].options == (PASS, *(Use(Action.STOP, row=row) for row in (0, 2, 3)))
    state, _ = state_of("advanced", position=position + " ; stops: 1 2").choose({0: 71, 1: 72})
    assert state.pending[0].options == (PASS,), "with both markers out, Stop! cannot be played"


@pytest.mark.parametrize("field", ["take", "take-tiles"])
def test_all_markers_come_off_when_a_row_is_taken(field: str) -> None:
    check({"1": 25, "2": 71}, {"stops": [], "tiles": {"1": [50], "2": [70, 71], "3": [25], "4": [60]}},
          [{"seat": 1, "new_row": 3}], mode="advanced", stops=[1, 2], fields=board(r3=f". . . {field}"), tiles=FULL3)  # fmt: skip


def test_swap_places_another_tile_at_once_in_any_order() -> None:
    check({"1": 21, "2": 22}, {"tiles": {"1": [50], "2": [70, 72], "3": [20, 22], "4": [60]}, "hands": {"1": [21, 99]}},
          [act("swap", tile=72)], mode="advanced", hands={"1": [72, 99], "2": [3]}, actions={"1": ["swap"]})  # fmt: skip


def test_swap_and_play_two_need_another_tile() -> None:
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 21 ; B: 22 3 ; actions: A swap play_two"
    state, _ = state_of("advanced", position=position).choose({0: 21, 1: 22})
    assert state.pending[0].options == (PASS,)
    assert state.choose({0: PASS})[0].is_over


def test_skip_moves_the_trigger() -> None:
    # R-P6: the field the tile lands on acts, the skipped one does not.
    check({"1": 25, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "3": [20, None, 25], "4": [60]}, "scores": {"1": 4, "2": 0}},
          [act("skip")], mode="advanced", fields=board(r3=". -7 +4 . take"), actions={"1": ["skip"]})  # fmt: skip


def test_a_skipped_field_stays_empty() -> None:
    check({"1": 25, "2": 26}, {"tiles": {"1": [50], "2": [70], "3": [20, None, 25, 26], "4": [60]}}, [act("skip")],
          mode="advanced", actions={"1": ["skip"]})  # fmt: skip


def test_skip_onto_the_last_field_takes_the_row() -> None:
    check({"1": 25, "2": 71}, {"scores": {"1": -2, "2": 0}, "tiles": {"1": [50], "2": [70, 71], "3": [25], "4": [60]}},
          [act("skip"), {"seat": 1, "new_row": 3}], mode="advanced", fields=board(r3=". . . take"),
          tiles={"1": [50], "2": [70], "3": [20, 21], "4": [60]}, actions={"1": ["skip"]})  # fmt: skip


def test_the_last_field_cannot_be_skipped() -> None:
    position = "50 | 70 | 20 21 24 | 60 | | | | | | ; A: 25 1 ; B: 71 2 ; actions: A skip"
    state, _ = state_of("advanced", position=position, r3=". . . take").choose({0: 25, 1: 71})
    assert state.pending[0].options == (PASS,)


def test_two_skips_leave_two_fields_empty() -> None:
    check({"1": 25, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "3": [20, None, None, 25], "4": [60]}},
          [act("skip"), act("skip")], mode="advanced", actions={"1": ["skip", "skip"]})  # fmt: skip


def test_start_the_field_newly_covered_acts_with_the_tile_moved_onto_it() -> None:
    check({"1": 10, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "3": [10, 20, 21], "4": [60]}, "scores": {"1": 10, "2": 0}},
          [act("start", row=3)], mode="advanced", fields=board(r3="-9 -8 gg . take"), tile_heads={"21": 5, "10": 2, "20": 3},
          tiles={"1": [50], "2": [70], "3": [20, 21], "4": [60]}, actions={"1": ["start"]})  # fmt: skip


def test_start_fills_a_skipped_field() -> None:
    check({"1": 10, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "3": [10, 20, 24], "4": [60]}, "scores": {"1": -3, "2": 0}},
          [act("start", row=3)], mode="advanced", fields=board(r3=". r gg . take"), tile_heads={"20": 3, "24": 5},
          tiles={"1": [50], "2": [70], "3": [20, None, 24], "4": [60]}, actions={"1": ["start"]})  # fmt: skip


@pytest.mark.parametrize(("field", "score", "hand"), [("take", -8, [98]), ("take-tiles", 0, [20, 21, 24, 98])])
def test_start_that_shifts_onto_a_take_row_field(field: str, score: int, hand: list[int]) -> None:
    check({"1": 10, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "6": [10], "4": [60]}, "scores": {"1": score, "2": 0},
          "hands": {"1": hand, "2": [96]}}, [act("start", row=3), {"seat": 1, "new_row": 6}], mode="advanced",
          fields=board(r3=f". . . {field}"), tiles=FULL3, tile_heads={"24": 5, "21": 2}, actions={"1": ["start"]})  # fmt: skip


def test_start_only_where_the_first_tile_is_higher_and_no_marker_lies() -> None:
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 55 1 ; B: 71 2 ; actions: A start ; stops: 2"
    state, _ = state_of("advanced", position=position).choose({0: 55, 1: 71})
    assert state.pending[0].options == (PASS, Use(Action.START, row=3))


def test_ascending_any_row_whose_end_is_lower() -> None:
    for row, after in (("1", [50, 65]), ("3", [20, 65]), ("4", [60, 65])):
        tiles = {"1": [50], "2": [70, 71], "3": [20], "4": [60]} | {row: after}
        check({"1": 65, "2": 71}, {"tiles": tiles}, [act("ascending", row=int(row))], mode="advanced",
              actions={"1": ["ascending"]})  # fmt: skip
    position = "50 | 70 | 20 | 60 | | | | | | ; A: 65 1 ; B: 71 2 ; actions: A ascending ; stops: 1"
    state, _ = state_of("advanced", position=position).choose({0: 65, 1: 71})
    assert state.pending[0].options == (PASS, Use(Action.ASCENDING, row=2), Use(Action.ASCENDING, row=3))


def test_play_two_places_all_own_tiles_now_lowest_first() -> None:
    # A's 71 waits behind B's 22; with the card, A's 68 and 71 go before B's 69.
    check({"1": 65, "2": 69}, {"tiles": {"1": [50], "2": [70], "3": [20], "4": [60, 61, 65, 69]}, "hands": {"1": [98], "2": [96]}},
          [act("play_two", tile=61)], mode="advanced", hands={"1": [61, 98], "2": [96]}, actions={"1": ["play_two"]})  # fmt: skip
    state = state_of("advanced", position="50 | 70 | 20 | 60 | | | | | | ; A: 61 80 81 9 ; B: 62 90 8 ; actions: A play_two",
                     r1=". two . take")  # fmt: skip
    state, _ = state.choose({0: Tiles(61, 81), 1: Tiles(62, 90)})
    state, events = state.choose({0: Use(Action.PLAY_TWO, tile=80)})
    assert [event.card for event in events if isinstance(event, CardPlaced)] == [61, 80, 81, 62, 90]


def test_play_two_a_lower_tile_goes_first_and_each_may_have_its_own_cards() -> None:
    check({"1": 65, "2": 69}, {"tiles": {"1": [50], "2": [70], "3": [20, None, 22], "4": [60, 65, 69]}, "actions": {"1": []}},
          [act("play_two", tile=22), act("skip")], mode="advanced", hands={"1": [22, 98], "2": [96]},
          actions={"1": ["play_two", "skip"]})  # fmt: skip


def test_a_vector_need_not_say_which_of_two_tiles_a_card_is_for() -> None:
    # Skip could be played for 21 as well, which would take row 3; the vector means 65.
    for tiles, score in (({"3": [20, 21], "4": [60, None, 65]}, 5), ({"3": [20, None, 21], "4": [60, 65]}, -7)):
        check({"1": 21, "2": 71}, {"tiles": {"1": [50], "2": [70, 71]} | tiles, "scores": {"1": score, "2": 0}},
              [act("play_two", tile=65), act("skip")], mode="advanced", fields=board(r3=". +5 . take", r4=". -7 . take"),
              hands={"1": [65, 9], "2": [3]}, actions={"1": ["play_two", "skip"]})  # fmt: skip


def test_cards_can_be_combined_for_one_tile() -> None:
    # Stop! sends 71 to row 4; Skip avoids its -7 field.
    check({"1": 71, "2": 21}, {"tiles": {"1": [50], "2": [70], "3": [20, 21], "4": [60, None, 71]}, "scores": {"1": 0, "2": 0},
          "stops": [2]}, [act("stop", row=2), act("skip")], mode="advanced", fields=board(r4=". -7 . take"),
          actions={"1": ["stop", "skip"]})  # fmt: skip
    check({"1": 65, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "3": [20, None, 65], "4": [60]}},
          [act("ascending", row=3), act("skip")], mode="advanced", actions={"1": ["ascending", "skip"]})  # fmt: skip
    check({"1": 65, "2": 71}, {"tiles": {"1": [50], "2": [70, 71], "3": [20, None, 65], "4": [60]}, "scores": {"1": 5, "2": 0}},
          [act("ascending", row=3), act("skip"), FIVE], mode="advanced", lucky=True, luck={"1": ["plus_five"]},
          fields=board(r3=". . -7 . take"), actions={"1": ["ascending", "skip"]})  # fmt: skip
    check({"1": 4, "2": 21}, {"tiles": {"1": [50], "2": [70, None, 72], "3": [20, 21], "4": [60]}},
          [act("swap", tile=72), act("skip")], mode="advanced", hands={"1": [72], "2": [9]},
          actions={"1": ["swap", "skip"]})  # fmt: skip


def test_a_card_may_not_undo_what_another_needs() -> None:
    position = (
        "50 | 70 | 20 21 | 60 | | | | | | ; A: 25 1 ; B: 71 2 ; actions: A skip stop swap play_two start ascending"
    )
    state = state_of("advanced", position=position, r3=". . . take", r2=". take")
    state, _ = state.choose({0: 25, 1: 71})
    assert {use.kind for use in uses(state)} == {None, *Action}
    state, _ = state.choose({0: Use(Action.SKIP)})
    # Stopping row 3 would send 25 to row 2, whose last field cannot be skipped.
    assert state.pending[0].options == (
        PASS, *(Use(Action.STOP, row=row) for row in (0, 1, 3)), Use(Action.ASCENDING, row=2),
    )  # fmt: skip
    state, _ = state.choose({0: Use(Action.STOP, row=1)})
    state, _ = state.choose({0: Use(Action.ASCENDING, row=2)})
    assert state.pending[0].options == (PASS,), "every card left is of no use for this tile"


@pytest.mark.parametrize("kind", [Action.ASCENDING, Action.START])
def test_the_row_chosen_for_a_tile_cannot_be_stopped_before_it_lies(kind: Action) -> None:
    position = "50 80 | 70 | 20 30 | 60 90 | | | | | | ; A: 40 1 ; B: 71 2 ; actions: A stop start ascending"
    state, _ = state_of("advanced", position=position).choose({0: 40, 1: 71})
    row = 2 if kind is Action.ASCENDING else 0
    state, _ = state.choose({0: Use(kind, row=row)})
    assert [use.row for use in uses(state)] == [None, *(other for other in range(4) if other != row)]


def test_plus_five_not_where_the_shift_covers_the_last_field() -> None:
    position = "20 21 24 | 70 | 50 | 60 ; A: 10 1 ; B: 71 2 ; luck: A plus_five positive_heads ; actions: A start"
    state = lucky_state(position, ". . . take", mode="advanced")
    state, _ = state.choose({0: 10, 1: 71})
    state, _ = state.choose({0: Use(Action.START, row=0)})
    assert {use.kind for use in uses(state)} == {None, Luck.POSITIVE_HEADS}
    state, _ = state.choose({0: Use(Luck.POSITIVE_HEADS, tiles=(20, 24))})
    assert state.totals == (2, 0) and state.pending[0].options == (0, 4, 5)


# Setup and end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("mode", ["basic", "advanced"])
@pytest.mark.parametrize("luck", [False, True])
def test_setup(players: int, mode: str, luck: bool) -> None:
    state = BoardGame(players=players, mode=mode, luck=luck).deal(seed=5)
    extra = BoardExtra.of(state)
    assert [len(hand) for hand in state.hands] == [12] * players and state.totals == (0,) * players
    bottom = mode == "advanced" and players > 3
    assert [len(row) for row in state.rows] == ([0] * 6 + [1] * 4 if bottom else [1] * 4 + [0] * 6)
    stocked = mode == "advanced" or players <= 3
    assert len(state.stock) == (100 - 4 - 12 * players if stocked else 0)
    assert [len(cards) for cards in extra.actions] == [2 if mode == "advanced" else 0] * players
    assert len(extra.action_deck) == (24 - 2 * players if mode == "advanced" else 0)
    assert extra.luck_stacks == ((6, 6) if luck else (0, 0)) and not any(extra.luck)


def last_turn(
    players: int, mode: str = "basic", stock: str = "", more: str = ""
) -> tuple[GameState, tuple[Event, ...]]:
    hands = " ; ".join(f"{'ABCDEF'[seat]}: {71 + seat}" for seat in range(players))
    state = state_of(mode, players, position=f"50 | 70 | 20 | 60 | | | | | | ; {hands} ; stock: {stock}{more}",
                     r2=". . . . . . . . take")  # fmt: skip
    return state.choose({seat: 71 + seat for seat in range(players)})


@pytest.mark.parametrize("players", [2, 3])
def test_basic_two_or_three_players_draw_twelve_more_once(players: int) -> None:
    stock = " ".join(str(tile) for tile in range(1, 12 * players + 9) if tile not in (20, 50, 60, 70, 71, 72, 73))
    state, events = last_turn(players, stock=stock)
    assert not state.is_over and [len(hand) for hand in state.hands] == [12] * players
    assert [event.count for event in events if isinstance(event, TilesDrawn)] == [12] * players
    assert state.round == 1
    state, _ = last_turn(players, stock=stock, more=" ; round: 2")
    assert state.outcome and state.outcome.reason is BoardRule.ALL_PLAYED


@pytest.mark.parametrize("players", [4, 5, 6])
def test_basic_four_to_six_players_end_after_twelve(players: int) -> None:
    state, _ = last_turn(players, stock="1 2 3 4 5")
    assert (
        state.outcome
        and state.outcome.reason is BoardRule.ALL_PLAYED
        and state.outcome.winners == tuple(range(players))
    )


@pytest.mark.parametrize("players", range(2, 7))
def test_advanced_ends_when_somebody_has_no_tiles_even_with_stock_left(players: int) -> None:
    hands = " ; ".join(f"{'ABCDEF'[seat]}: {71 + seat} {80 + seat}" for seat in range(1, players))
    position = f"50 | 70 | 20 | 60 | | | | | | ; A: 71 ; {hands} ; stock: 1 2 3"
    state = state_of("advanced", players, position=position, r2=". . . . . . . . take")
    state, _ = state.choose({seat: 71 + seat for seat in range(players)})
    assert state.outcome and state.outcome.reason is BoardRule.OUT_OF_TILES


def test_advanced_continues_when_the_last_tile_draws_another() -> None:
    check({"1": 22, "2": 71}, {"hands": {"1": [33], "2": [5]}, "scores": {"1": 0, "2": 0}}, mode="advanced",
          fields=board(r3=". tile . take"), stock=[33], hands={"1": [], "2": [5]})  # fmt: skip


def test_advanced_final_scoring() -> None:
    check({"1": 22, "2": 71}, {"scores": {"1": 5, "2": -7}, "hands": {"1": [], "2": [5, 6]}}, mode="advanced",
          hands={"1": [], "2": [5, 6]}, tile_heads={"5": 5, "6": 3}, scores={"1": 3}, actions={"1": ["stop", "swap"], "2": ["start"]})  # fmt: skip


def test_r_p12_minus_points_first_each_step_within_the_track() -> None:
    check({"1": 22, "2": 71}, {"scores": {"1": 44, "2": -42}}, mode="advanced", hands={"1": [], "2": [5, 6]},
          tile_heads={"5": 5, "6": 3}, scores={"1": 43, "2": -40}, actions={"1": ["swap"] * 3, "2": ["swap"] * 2})  # fmt: skip


def test_the_end_grants_no_luck_cards() -> None:
    check({"1": 22, "2": 71}, {"scores": {"1": 0, "2": -8}, "luck": {"1": [], "2": []}}, mode="advanced", lucky=True,
          hands={"1": [], "2": [5, 6]}, tile_heads={"5": 5, "6": 3}, clovers=[-1, -2], luck_stacks={"plus_five": 5})  # fmt: skip


def test_most_points_win_and_ties_share() -> None:
    state = state_of(players=3, position="50 | 70 | 20 | 60 | | | | | | ; totals: 4 -9 4 ; over: board.end")
    assert state.outcome and state.outcome.winners == (0, 2)


# Events, views, options --------------------------------------------------------------------------------------


def test_everything_that_happens_is_an_event_with_its_rule() -> None:
    position = "50 | 70 | 20 21 24 | 60 | | | | | | ; A: 25 9 ; B: 71 72 8 ; actions: A stop start B play_two swap"
    state = state_of("advanced", position=position, r3=". . . take", r5="-7 . take", r4=". . +3 take")
    happened: list[Event] = []
    for choices in (
        {0: 25, 1: 71},
        {0: Use(Action.STOP, row=1)},
        {0: PASS},
        {0: 4},
        {1: Use(Action.PLAY_TWO, tile=8)},
        {1: Use(Action.SWAP, tile=72)},
    ):
        state, events = state.choose(choices)
        happened += events
    kinds = [type(event).__name__ for event in happened]
    assert kinds == [
        "CardsRevealed", "ActionPlayed", "StopSet", "CardPlaced", "FieldActed", "RowTaken", "StopsLifted", "PointsScored",
        "CardPlaced", "FieldActed", "PointsScored", "ActionPlayed", "OrderChanged", "ActionPlayed", "OrderChanged",
        "CardPlaced", "CardPlaced",
    ]  # fmt: skip
    assert StopSet(BoardRule.STOP, 1) in happened and StopsLifted(BoardRule.STOPS_OFF, (1,)) in happened
    assert ActionPlayed(BoardRule.PLAY_TWO, 1, 71, Action.PLAY_TWO, None, 8) in happened
    assert [event.rule for event in happened if isinstance(event, CardPlaced)][:2] == [
        BoardRule.SMALLEST_DIFFERENCE, BoardRule.NEW_ROW,
    ]  # fmt: skip
    assert next(event for event in happened if isinstance(event, RowTaken)).cards == (20, 21, 24)
    assert BoardRule.TOO_LOW.rulings == ("R-P2", "R-P4")


def test_the_shift_is_an_event() -> None:
    state = state_of("advanced", position="50 | 70 | 20 - 24 | 60 | | | | | | ; A: 10 9 ; B: 71 8 ; actions: A start")
    state, _ = state.choose({0: 10, 1: 71})
    state, events = state.choose({0: Use(Action.START, row=2)})
    assert TilesMoved(BoardRule.START, 2, (20,), 1) in events
    assert CardPlaced(BoardRule.START, 0, 10, 2, 0, None) in events


def test_what_a_seat_may_know() -> None:
    state = BoardGame(players=3, mode="advanced", luck=True).deal(seed=3)
    for seat in range(3):
        view = state.view(seat)
        extra, shown = BoardExtra.of(state), BoardExtra.of(view)
        assert view.stock == () and shown.actions[seat] == extra.actions[seat]
        for other in range(3):
            if other != seat:
                assert view.hands[other] is None and shown.actions[other] == (None, None)
        assert shown.action_deck == (None,) * 18
        assert shown.luck_stacks == (6, 6)
        assert len(view.unseen) == 100 - 12 - 4
    assert "stock" not in str(BoardGame(players=6).deal(1))


def test_wrong_options() -> None:
    for options, says in (
        ({"players": 7}, Phrase("engine.for_players", name="board", least=2, most=6, got=7)),
        (
            {"players": 2, "mode": "blue"},
            Phrase("shared.must_one_of", what="mode", known="basic, advanced", got="'blue'"),
        ),
        (
            {"players": 2, "luck": 1},
            Phrase("engine.option_must", option="luck", expected=Phrase("shared.either", first="true", second="false")),
        ),
        (
            {"players": 2, "mode": "advanced", "board": sample_board("basic")},
            Phrase("board_game.mode_played_side", side="basic"),
        ),
        ({"players": 2, "pieces": 3}, Phrase("board_game.expected_path_toml", what="pieces")),
    ):
        with refused(RulesError, says):
            BoardGame(**options)


ROWS10 = "50 | 70 | 20 | 60 | | | | | | "


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("50 | 70 | 20 | 60 ; A: 1 ; B: 2", Phrase("board_game.board_rows", count=10, got=4)),
        ("50 | 70 | 20 | | | | | | | ; A: 1 ; B: 2", Phrase("board_game.board_active", wanted=4, got=3)),
        ("50 | 70 | 20 | 60 | 61 | | | | | ; A: 1 ; B: 2", Phrase("board_game.board_active", wanted=4, got=5)),
        (
            "50 51 52 53 54 55 | 70 | 20 | 60 | | | | | | ; A: 1 ; B: 2",
            Phrase("board_game.row_too_long", row=1, count=6),
        ),
        ("50 - | 70 | 20 | 60 | | | | | | ; A: 1 ; B: 2", Phrase("board_game.row_begins_ends", row=1)),
        ("- 50 | 70 | 20 | 60 | | | | | | ; A: 1 ; B: 2", Phrase("board_game.row_begins_ends", row=1)),
        (
            ROWS10 + "; A: 101 ; B: 2",
            Phrase("engine.not_in_deck", card=101, place=Phrase("shared.place_hand", who="A")),
        ),
        (
            ROWS10 + "; A: 50 ; B: 2",
            Phrase(
                "engine.lies_twice",
                card=50,
                first=Phrase("shared.place_row", row=1),
                second=Phrase("shared.place_hand", who="A"),
            ),
        ),
        (
            ROWS10 + "; A: 1 ; B: 2 ; stock: 1",
            Phrase(
                "engine.lies_twice",
                card=1,
                first=Phrase("shared.place_hand", who="A"),
                second=Phrase("shared.place_stock"),
            ),
        ),
        (ROWS10, Phrase("board_game.nobody_tile")),
        (ROWS10 + "; A: 1 ; B: 2 ; totals: 45 0", Phrase("board_game.track", who="A", total=45, least=-44, most=44)),
        (ROWS10 + "; A: 1 ; B: 2 ; stops: 5", Phrase("board_game.row_has_no", row=5)),
        (ROWS10 + "; A: 1 ; B: 2 ; stops: 1 2 3", Phrase("board_game.there_stop_markers", markers=2)),
        (ROWS10 + "; A: 1 ; B: 2 ; stops: 1 1", Phrase("board_game.there_stop_markers")),
        (ROWS10 + "; A: 1 ; B: 2 ; stops: 11", Phrase("shared.expected_row_from", most=10, got="11")),
        (ROWS10 + "; A: 1 ; B: 2 ; actions: A moon", Phrase("shared.expected_got", key="actions")),
        (ROWS10 + "; A: 1 ; B: 2 ; luck: A stop", Phrase("shared.expected_got", key="luck")),
        (ROWS10 + "; A: 1 ; B: 2 ; stacks: 1", Phrase("board_game.stacks_expected_two")),
        (ROWS10 + "; A: 1 ; B: 2 ; stacks: x 2", Phrase("shared.expected_number_got", section="stacks", got="'x'")),
        (ROWS10 + "; A: 1 ; B: 2 ; plan: moon 3", Phrase("board_game.plan_expected_skip")),
        (ROWS10 + "; A: 1 ; B: 2 ; plan: skip", Phrase("board_game.plan_expected_skip")),
        (ROWS10 + "; A: 1 ; B: 2 ; plan: skip 1", Phrase("board_game.plan_cannot_carried")),
        (ROWS10 + "; place: A1 ; plan: skip 6", Phrase("board_game.plan_cannot_carried")),
        (ROWS10 + "; place: A1 ; plan: row 1", Phrase("board_game.plan_cannot_carried")),
        (ROWS10 + "; place: A99 ; plan: start 1", Phrase("board_game.plan_cannot_carried")),
        (ROWS10 + "; place: A99 ; plan: row 5", Phrase("board_game.plan_cannot_carried")),
        (ROWS10 + "; place: A12=21", Phrase("board_game.tiles_count_their")),
        (ROWS10 + "; A: 1 ; B: 2 ; owed: A", Phrase("board_game.owed_expected_seat")),
        (ROWS10 + "; A: 1 ; B: 2 ; owed: C 1", Phrase("board_game.owed_expected_seat")),
        (
            ROWS10 + "; A: 1 ; B: 2 ; owed: A 3 ; stacks: 1 1",
            Phrase("board_game.luck_cards_cannot", owed=3, luck_stacks=2),
        ),
        (ROWS10 + "; A: 1 ; B: 2 ; starting: 5", Phrase("board_game.board_active", wanted=3, got=4)),
        ("50 | 70 | 20 | | | | | | | ; A: 1 ; B: 2 ; starting: 5", Phrase("board_game.tile_starts_new")),
        (ROWS10 + "; A: 1 ; B: 2 ; over: moon", Phrase("shared.over_expected_one")),
        (ROWS10 + "; place: A1 ; over: board.end", Phrase("board_game.game_over_but")),
        (ROWS10 + "; A: 1 ; B: 2 ; moon: 3", Phrase("engine.no_section", key="'moon'")),
    ],
)
def test_positions_that_cannot_occur(text: str, says: Phrase) -> None:
    made = Board("test", "advanced", tuple(map(tuple, board())))
    with refused(NimmtError, says):
        BoardGame(players=2, mode="advanced", luck=True, board=made).from_position(text)


def test_cards_that_are_not_in_the_game() -> None:
    for more in ("luck: A plus_five", "stacks: 1 0", "owed: A 1"):
        with refused(NimmtError, "board_game.no_luck"):
            state_of(position=f"{ROWS10}; A: 1 ; B: 2 ; {more}")
    for more in ("actions: A stop", "deck: stop", "discards: stop", "stops: 1"):
        with refused(NimmtError, "board_game.no_actions"):
            state_of(position=f"{ROWS10}; A: 1 ; B: 2 ; {more}")
