"""Every catalogue sentence that states a number or a tendency has a test that computes it, or a reason why not.

A new sentence of that kind fails here until it is listed. Claims on figures and in studies are asserted in the studies.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import nimmt_lab
from nimmt_lab import Classic
from nimmt_lab.engine.cards import heads
from nimmt_lab.explain.catalogue import own_catalogue
from nimmt_lab.lessons.classroom import CLASSROOM, problems
from nimmt_lab.lessons.plan import TIERS
from nimmt_lab.lessons.rules import rules_lessons
from nimmt_lab.lessons.tables import heads_taken, scenario, streams
from nimmt_lab.lessons.words import LANGUAGES, words

TESTS = Path(__file__).parent.parent
TELLING = re.compile(
    r"\d|\b(always|never|often|mostly|usually|about|hardly|rarely|likel\w+|most|every|little|few|more than|less than|half"
    r"|better|best|worse|worst|longer|one time)\b",
    re.IGNORECASE,
)
ROOMS = ("lessons", "screens", "bots", "boards", "charts")

CLAIMS_TESTS = "lessons/test_claims.py"
EXAMPLES = "lessons/test_worked_examples.py"
#: What the lessons state.
OURS = [key for key, text in own_catalogue("nimmt_lab.lessons", "en").messages.items()
        if TELLING.search(re.sub(r"\{[^}]*\}", "", text))]  # fmt: skip
#: Where each sentence is checked: the file and its tests.
WORKED_OUT: dict[str, tuple[str, ...]] = {
    "page.plus_minus": (CLAIMS_TESTS, "test_what_plus_and_minus_mean"),
    "page.same": ("screens/test_lesson.py", "test_an_experiment_grows_before_ones_eyes"),
    "sheet.heads": (CLAIMS_TESTS, "test_sheets_that_count_heads_say_how_many_a_card_has"),
    "p1.count_why": ("lessons/test_claims_listed.py", "test_how_heads_are_counted"),
    "plan.marks_text": ("lessons/test_claims_listed.py", "test_marks_by_tier"),
    "p1.notes": (CLAIMS_TESTS, "test_cards_of_one_deck_are_not_independent"),
    "p2.notes": (CLAIMS_TESTS, "test_from_where_on_a_second_opponent_helps"),
    "p2.misconception": (CLAIMS_TESTS, "test_what_is_often_thought_is_false"),
    "p3.notes": (CLAIMS_TESTS, "test_what_is_seen_of_a_card_apart"),
    "p4.notes": (CLAIMS_TESTS, "test_how_many_of_thirty_intervals_cover"),
    "p5.notes": (CLAIMS_TESTS, "test_what_totals_look_like", "test_how_often_the_median_is_above_the_mean"),
    "p5.idea": (CLAIMS_TESTS, "test_one_terrible_round_moves_the_mean_not_the_median"),
    "p5.terrible_why": (CLAIMS_TESTS, "test_one_terrible_round_moves_the_mean_not_the_median"),
    "p6.aims": (CLAIMS_TESTS, "test_either_card_may_be_the_better_one"),
    "p6.notes": (CLAIMS_TESTS, "test_what_the_wild_card_does", "test_the_two_cards_cost_the_same"),
    "p7.title": (CLAIMS_TESTS, "test_no_saddle_point"),
    "p7.notes": (CLAIMS_TESTS, "test_no_saddle_point"),
    "p7.misconception": (CLAIMS_TESTS, "test_what_is_often_thought_is_false"),
    "p7.idea": ("lessons/test_claims_listed.py", "test_a_mix_cannot_be_guessed"),
    "p8.notes": (CLAIMS_TESTS, "test_what_pairing_gains", "test_how_often_twelve_deals_reject"),
    "p9.notes": (CLAIMS_TESTS, "test_what_the_reviewed_rounds_say"),
    "p9.misconception": (CLAIMS_TESTS, "test_what_is_often_thought_is_false"),
    **{key: (EXAMPLES,) for key in OURS if re.fullmatch(r"p\d\.(hook|try|meaning|example|box)", key)},
    **{key: ("lessons/test_slips.py",) for key in OURS if key.startswith("slip_text.")},
    "page.rules_minute": ("lessons/test_claims_listed.py", "test_the_rules_in_a_minute"),
    "page.band": (CLAIMS_TESTS, "test_what_plus_and_minus_mean"),
    **{f"p{number}.activity": (CLAIMS_TESTS, "test_which_cards_an_activity_needs") for number in CLASSROOM},
    "wrong.nobody_takes": ("lessons/test_reply.py", "test_a_solution_says_what_settles_the_question"),
    "label.best_card": ("lessons/test_reply.py",),
    "label.best_choice": ("lessons/test_reply.py",),
    "label.not_best_choice": ("lessons/test_reply.py",),
    **{
        f"level.says_{level}": ("bots/test_levels.py", "test_levels_overlook_as_often_as_they_say")
        for level in (2, 3, 4)
    },
    **dict.fromkeys(("judge.odds_text", "judge.search_text"), ("screens/test_analyse.py",)),
    **dict.fromkeys(("odds.band", "odds.distribution"), ("screens/test_odds.py",)),
    **dict.fromkeys(("solver_ahead", "solver_at_most", "solver_level"), ("widgets/test_solver_panel.py",)),
    **dict.fromkeys(
        ("course.why_now", "course.why_later", "course.why_heads", "course.why_points"),
        ("screens/test_analyse.py", "test_the_reason_is_what_odds_and_search_say"),
    ),
    **dict.fromkeys(
        ("sheet.rules", "sheet.rules_title"),
        ("lessons/test_paper.py", "test_the_rules_take_a_minute_and_are_those_of_the_engine"),
    ),
    "my_games.habits_about": (
        "study/test_habits_of_players.py",
        "test_habits_of_bots_with_one_habit",
        "test_unknown_hands_are_left_out_and_every_game_is_read",
    ),
    "course.accuracy_about": ("screens/test_analyse.py", "test_the_course_has_the_figures_of_a_review"),
    "explore.about": ("study/test_explorer.py", "test_what_was_counted_adds_up"),
    "learn.quick_text": ("screens/test_home.py", "test_the_quick_game_is_as_short_as_it_says"),
    **dict.fromkeys(
        ("learn.daily_text", "practise.daily_text"),
        ("screens/test_home.py", "test_the_puzzle_of_a_day_is_the_same_for_everybody"),
    ),
    "practise.hero_text": ("screens/test_practise.py", "test_what_is_missed_comes_back_at_longer_and_longer_intervals"),
    "play.quick_text": ("screens/test_walks.py", "test_three_clicks_to_the_first_right_answer_and_to_the_first_card"),
    **dict.fromkeys(("promise_less", "promise_more"), ("bots/test_advice.py",)),
    "bars": ("screens/test_table_hints.py", "test_a_row_to_take_has_a_promise_where_nothing_is_proved"),
}

#: Sentences that look like claims but state nothing to check, and why.
NOTHING_TO_WORK_OUT = {
    "a question or an answer to choose": r"(ask|choice|kind)\.\w+|practise\.ask_\w+",
    "what to do": r"hint\.\w+|page\.(your_answer|not_read)|missed\.per_cent|sheet\.deck_text",
    "what a wrong answer is worth, from the answer itself": r"wrong\.(too_\w+|(best_)?(costs|worth|free))",
    "a heading or a label": r"page\.counted|plan\.(misconception|tier2)|teach\.column_\w+|practise\.best|learn\.all_done|course\.worst_line|analyse\.(hero|setup)_text|analyse\.explore|explore\.(by_rank|row_\d|share|takes)|judge\.mix|course\.strip"
    r"|p\d\.(axis|way_\w+)|slip\.\w+|page\.rules|solver_mix|sheet\.unseen|author\.(answer|kind_best|other_step)|chart\w*\.\w+",
    "a limit of our own, which its place fills": r"analyse\.many_lines|site\.bring_large",
    "what a file has that a form does not show": r"author\.more_keys",
    "what another tab has done, which this one has seen": r"site\.replaced",
    "what a level does, in words": r"level\.says_[68]",
    "an example for lessons of one's own, which `lesson check` plays": r"own\.\w+",
    "what a notebook's cell is for, and what to do next": r"tutorial\.\w+",
    "a name or a switch": r"play\.somebody|asks",
}

#: Sentences whose only claims are the figures put into them.
FIGURES_ONLY = {"p8.activity", "course.why_now", "course.why_later", "course.why_heads", "course.why_points"}


def asked() -> set[str]:
    """Questions of the probability lessons, and how their answers are checked: by brute force in test_probability.py."""
    keys = {problem.key for number in CLASSROOM for problem in problems(number, 7)}
    return keys | {f"{key}_why" for key in keys}


def telling() -> set[str]:
    lessons = {lesson.name for lesson in rules_lessons()}  # test_taught.py checks their texts
    found = set()
    for room in ROOMS:
        for key, text in own_catalogue(f"nimmt_lab.{room}", "en").messages.items():
            if key.partition(".")[0] not in lessons and TELLING.search(re.sub(r"\{[^}]*\}", "", text)):
                found.add(key)
    return found


def test_every_claim_is_listed() -> None:
    unlisted = {
        key
        for key in telling() - set(WORKED_OUT) - asked()
        if not any(re.fullmatch(keys, key) for keys in NOTHING_TO_WORK_OUT.values())
    }
    assert unlisted == set(), "work it out in a test and list it, or say why there is nothing to work out"
    for reason, keys in NOTHING_TO_WORK_OUT.items():
        assert any(re.fullmatch(keys, key) for key in telling()), f"nobody is left: {reason}"
    assert set(WORKED_OUT) <= telling() | FIGURES_ONLY, "nothing is listed that is said no more"


@pytest.mark.exhaustive
def test_the_tests_that_are_named_are_there() -> None:
    for key, (file, *names) in WORKED_OUT.items():
        tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
        there = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert {*names} <= there, key
    assert Path(nimmt_lab.__file__).parent.parent == TESTS.parent


# Claims without another test ------------------------------------------------------------------------------------


def test_how_heads_are_counted() -> None:
    """p1.count_why states the same rule as sheet.heads, which is checked for every card of the deck."""
    for lang in LANGUAGES:
        rule, why = (re.findall(r"\d+", words(lang).catalogue.message(key)) for key in ("sheet.heads", "p1.count_why"))
        assert why == [*rule[:8]], lang


def test_marks_by_tier() -> None:
    """plan.marks_text: one mark, then two, then three, the same as the tier."""
    for lang in LANGUAGES:
        tiers = re.findall(r"[^.:]+:([^.]+)\.", words(lang).catalogue.message("plan.marks_text"))[:3]
        assert [re.findall(r"\d", tier) for tier in tiers] == [["1"] * tier for tier in TIERS], lang


def test_a_mix_cannot_be_guessed() -> None:
    """p7.idea and p7.activity: A's mix is worth the same whichever card B plays."""
    for seed in range(5):
        found = {problem.key: problem for problem in problems(7, seed)}
        chart, share = found["p7.mix"].chart, found["p7.mix"].answer
        assert chart is not None and not isinstance(share, str)
        (w, x), (y, z) = ([int(cell.replace("−", "-")) for cell in line[1:]] for line in chart.lines)
        assert share * w + (1 - share) * y == share * x + (1 - share) * z == found["p7.value"].answer


def test_two_cards_between_save_a() -> None:
    """p2.notes, question 4: with two cards between, the second of them takes, not A."""
    for seed in range(12):
        table, _ = scenario(streams(seed, 2), held=4, at_least=4)
        low, high = table.between[:2]
        rest = [card for card in table.unseen if card not in (low, high)]
        state = table.state(2, [low, *rest[:2], high, *rest[2:4]])
        choices = {0: table.card, 1: low, 2: high}
        assert heads_taken(state, choices, 0) == 0 and heads_taken(state, choices, 1) == 0
        assert heads_taken(state, choices, 2) > 0


#: The questions that notes and questions refer to by number.
NUMBERED = {
    ("p2.activity", 1): "p2.between", ("p2.notes", 4): "p2.two", ("p2.notes", 5): "p2.more",
    ("p3.notes", 5): "p3.bayes", ("p3.notes", 6): "p3.still",
    ("p3.still", 5): "p3.bayes", ("p4.error", 2): "p4.exact", ("p4.need", 2): "p4.exact",
    ("p4.notes", 3): "p4.error", ("p6.notes", 1): "p6.mean", ("p6.notes", 2): "p6.other",
}  # fmt: skip


@pytest.mark.parametrize("number", CLASSROOM)
def test_questions_are_numbered_as_the_words_say(number: int) -> None:
    keys = [problem.key for problem in problems(number, 7)]
    says = {
        "en": r"question(?:s)? (\d)(?: and (\d))?",
        "pl": r"pytani\w+ (\d)(?: i (\d))?",
        "cs": r"otáz\w+ (\d)(?: a (\d))?",
    }
    for lang in LANGUAGES:
        for key, text in own_catalogue("nimmt_lab.lessons", lang).messages.items():
            if key.startswith(f"p{number}."):
                for match in re.finditer(says[lang], text, re.IGNORECASE):
                    for said in filter(None, match.groups()):
                        assert NUMBERED[key, int(said)] == keys[int(said) - 1], (lang, key)
    for (key, at), asked_there in NUMBERED.items():
        if key.startswith(f"p{number}."):
            assert (
                all(str(at) in words(lang).catalogue.message(key) for lang in LANGUAGES) and keys[at - 1] == asked_there
            )


def test_the_rules_in_a_minute() -> None:
    """page.rules_minute: what happens to a sixth card, to one below every row's end, and in which order cards are placed."""
    game = Classic(players=2, rounds=1)
    state = game.from_position("1 2 3 4 5 | 37 | 43 | 58 ; A: 14 39 ; B: 15 30")
    # The lowest first: A's 14 is a sixth card and takes five; then 15 goes to the row that 14 started.
    after, _ = state.choose({0: 14, 1: 15})
    assert after.rows[0] == (14, 15) and heads_taken(state, {0: 14, 1: 15}, 0) == sum(map(heads, range(1, 6)))
    # Closest below: 39 goes to the row that ends in 37, not in 1.
    after, _ = game.from_position("1 | 37 | 43 | 58 ; A: 39 50 ; B: 60 70").choose({0: 39, 1: 60})
    assert after.rows[1] == (37, 39)
    # Below every row: the row with the fewest heads, as the lessons play it.
    low = game.from_position("55 | 37 | 43 44 | 58 ; A: 3 50 ; B: 60 70")
    assert heads_taken(low, {0: 3, 1: 60}, 0) == 1


def test_which_question_is_the_last() -> None:
    """p1.notes refers to several cards from one deck, p6.notes to the limit, as the last question."""
    assert [problems(number, 7)[-1].key for number in (1, 6)] == ["p1.several", "p6.limit"]
