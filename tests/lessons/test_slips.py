"""Wrong ideas: what they lead to, what they are called, and what is said about them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimmt_lab.engine.cards import heads
from nimmt_lab.engine.errors import NotationError
from nimmt_lab.lessons.asked import words_of
from nimmt_lab.lessons.classroom import CLASSROOM, find, problems
from nimmt_lab.lessons.feedback import missed, slip_of
from nimmt_lab.lessons.problem import Problem, read_as, read_number, wrong_ideas
from nimmt_lab.lessons.samples import DEALS
from nimmt_lab.lessons.tables import DECK, HAND, scenario, streams
from nimmt_lab.lessons.words import LANGUAGES, words
from nimmt_lab.screens.problem import ProblemScreen

SEEDS = (0, 7, 7003, 7019, 123_456)


@pytest.mark.parametrize("number", CLASSROOM)
def test_a_wrong_idea_is_wrong_and_has_a_name_and_a_sentence(number: int) -> None:
    found = 0
    for seed in SEEDS[: 2 if number == 6 else None]:
        for problem in problems(number, seed):
            for name, value in problem.slips.items():
                said = str(value) if value.denominator < 10**6 else f"{float(value):.5f}"
                assert not problem.is_right(said), (problem.key, name)
                assert slip_of(problem, said) == name, (problem.key, name)
                for lang in LANGUAGES:
                    say = words_of(find(number), lang)
                    assert say(f"slip.{name}") and missed(problem, said, say) == say(f"slip_text.{name}")
                    assert say("missed.too_large") != missed(problem, said, say) != say("missed.too_small")
                found += 1
    assert found >= 5


def test_every_named_idea_is_met_somewhere() -> None:
    met = {name for number in CLASSROOM for seed in SEEDS for one in problems(number, seed) for name in one.slips}
    of_numbers = {"opposite", "upside_down", "sign", "per_cent", "rounding"}
    messages = words("en").catalogue.messages
    assert {key.partition(".")[2] for key in messages if key.startswith("slip.")} == met | of_numbers
    assert {key.partition(".")[2] for key in messages if key.startswith("slip_text.")} == met
    assert len(met) > 40


@pytest.mark.parametrize("seed", [0, 7])
def test_ideas_about_two_cards_by_counting(seed: int) -> None:
    """With replacement, in one order, at least one, added: counted, not calculated."""
    table, _ = scenario(streams(seed, 2), held=4, at_least=4)
    cards, between = table.unseen, {*table.between}
    slips = {problem.key: problem.slips for problem in problems(2, seed)}
    with_replacement = [(a in between) != (b in between) for a, b in product(cards, repeat=2)]
    ordered = [a in between and b not in between for a, b in permutations(cards, 2)]
    pairs = [len({*pair} & between) for pair in combinations(cards, 2)]
    expected = {
        "replaced": Fraction(sum(with_replacement), len(with_replacement)),
        "one_order": Fraction(sum(ordered), len(ordered)),
        "at_least": Fraction(sum(count > 0 for count in pairs), len(pairs)),
        "both_between": Fraction(pairs.count(2), len(pairs)),
        "added": 2 * Fraction(len(between), len(cards)),
    }
    for name, value in slips["p2.two"].items():
        assert value == expected[name], name
    assert slips["p2.one"]["of_deck"] == Fraction(len(between), DECK)


@pytest.mark.parametrize("seed", [0, 7])
def test_ideas_about_a_hand_by_counting(seed: int) -> None:
    table, _ = scenario(streams(seed, 3), held=4, at_least=5)
    between = {*table.between}
    hands = [len({*hand} & between) for hand in combinations(table.unseen, HAND)]
    slips = {problem.key: problem.slips for problem in problems(3, seed)}["p3.holds"]
    assert slips["complement"] == Fraction(hands.count(0), len(hands))
    if "exactly" in slips:
        assert slips["exactly"] == Fraction(hands.count(1), len(hands))


def test_ideas_about_coins_by_counting() -> None:
    for seed in SEEDS:
        made = {problem.key: problem for problem in problems(8, seed)}
        trials, wins = made["p8.sign"].parts["trials"], made["p8.sign"].parts["wins"]
        assert isinstance(trials, int) and trials <= DEALS
        tossed = [sum(coins) for coins in product((0, 1), repeat=trials)]
        slips = made["p8.sign"].slips
        if "exactly" in slips:
            assert slips["exactly"] == Fraction(tossed.count(wins), 2**trials)  # type: ignore[arg-type]
        if "more_than" in slips:
            assert slips["more_than"] == Fraction(sum(count > wins for count in tossed), 2**trials)  # type: ignore[operator]


def test_an_idea_that_leads_to_the_answer_says_nothing() -> None:
    half = Fraction(1, 2)
    assert wrong_ideas(half, added=half, other=Fraction(1, 3), same=Fraction(1, 3)) == {"other": Fraction(1, 3)}
    # Not even one that rounding could hide.
    assert not wrong_ideas(half, near=half + Fraction(1, 300))


def test_the_page_says_what_was_probably_thought() -> None:
    problem = next(one for one in problems(2, 7) if one.key == "p2.two")
    screen = ProblemScreen(problem, True, words("en"), lambda said, right: None, seed=1)
    screen.respond(str(problem.slips["replaced"]))
    assert words("en")("slip_text.replaced") in str(screen.data["told"])


@pytest.mark.parametrize(
    ("key", "answer", "slip", "said", "thought"),
    [
        # One place of the right answer is not enough, but it isn't a wrong idea.
        ("p3.base", "1/3", "5/18", ".3", "rounding"),
        ("p2.two", "25/87", "1/3", "0,3", "rounding"),
        ("p5.mean", "223/15", "15", "14.9", "rounding"),
        # One place of a wrong idea says little; two places, or the idea itself, say enough.
        ("p2.one", "1/5", "1/4", ".3", ""),
        ("p2.one", "1/5", "1/4", ".25", "idea"),
        ("p2.one", "1/5", "3/10", ".3", "idea"),
        ("p2.one", "1/7", "5/9", "0.56", "idea"),
        ("p9.count", "4", "2", ".3", ""),
        ("p9.count", "4", "2", "1/4", "upside_down"),
    ],
)  # fmt: skip
def test_one_place_is_no_wrong_idea(key: str, answer: str, slip: str, said: str, thought: str) -> None:
    problem = Problem(key, Fraction(answer), slips={"idea": Fraction(slip)})
    assert not problem.is_right(said) and slip_of(problem, said) == thought


@pytest.mark.parametrize("seed", SEEDS)
def test_the_heads_of_two_turns_are_what_the_key_subtracts(seed: int) -> None:
    """p7.entry: B's heads minus A's in these two turns, without what they had before."""
    problem = problems(7, seed)[0]
    state, working = problem.state, problem.working
    assert state is not None and problem.key == "p7.entry"
    rows, taken = [[*row] for row in state.rows], [0, 0]
    for cards in zip(*state.hands, strict=True):
        for card, seat in sorted((card, seat) for seat, card in enumerate(cards)):
            row = max((row for row in rows if row[-1] < card), key=lambda row: row[-1], default=None)
            low = row is None
            row = min(rows, key=lambda row: sum(map(heads, row))) if row is None else row
            if low or len(row) == 5:
                taken[seat] += sum(map(heads, row))
                row.clear()
            row.append(card)
    assert [working["mine"], working["theirs"]] == taken and taken[1] - taken[0] == problem.answer


# Answers as people write them ---# Answers as people write them -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (".3", "3/10"), ("0,3", "3/10"), (",3", "3/10"), ("3/10", "3/10"), ("30 %", "3/10"), ("30%", "3/10"),
        ("9*21/435", "63/145"), ("9·21/435", "63/145"), ("9×21:435", "63/145"), ("C(6,2)/C(30,2)", "1/29"),
        ("C(6;2)/C(30;2)", "1/29"), ("6/30=0.2", "1/5"), ("6/30 = 0,2 = 20 %", "1/5"), ("P(A) = 6/30", "1/5"),
        ("p ≈ 1/3", "1/3"), ("1 − (24/30)²", "9/25"), ("(3+4)/104", "7/104"), ("√(4/9)", "2/3"), ("-3/-4", "3/4"),
        ("2^3", "8"), ("3!", "6"), ("1/3 ≈ 0.333", "1/3"),
    ],
)  # fmt: skip
def test_answers_as_people_write_them(said: str, value: str) -> None:
    assert read_number(said).value == Fraction(value)
    assert Problem("x", Fraction(value)).is_right(said) or (
        said in (".3", "0,3", ",3") and Fraction(value) == Fraction(3, 10)
    )


def test_decimals_in_a_calculation() -> None:
    """A sum of rounded numbers is rounded; a product of them is not exact, and not accepted as such."""
    answer = Problem("x", Fraction(11, 14))
    assert answer.is_right("1 - 0.21") and answer.is_right("1 − 0,214") and not answer.is_right("1 - 0.2")
    assert not Problem("x", Fraction(1, 4)).is_right("0.33 * 3/4") and Problem("x", Fraction(1, 4)).is_right("0.75/3")


@pytest.mark.parametrize("said", ["6/30 = 0.3", "1/3 = 0.34", "C(6,2) = 14", "1=2", "1/2 = 0.5 = 60 %"])
def test_sides_that_are_not_equal_are_reported(said: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_number(said)
    assert caught.value.key == "lessons.answer_unequal"
    screen = ProblemScreen(problems(2, 7)[1], True, words("pl"), lambda *_: None, seed=1)
    screen.respond(said)
    assert screen.data["verdict"] == "unread" and "strony" in str(screen.data["told"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_reply_says_how_an_answer_was_read(lang: str) -> None:
    heard: list[str] = []
    screen = ProblemScreen(problems(2, 7)[1], True, words(lang), lambda said, right: heard.append(said), seed=1)
    for said, read in (("5*2/30", "1/3 ≈ 0.3333"), ("30 %", "3/10 = 0.3"), ("10/30", "")):
        screen.respond(said)
        shown = words(lang)("page.read_as", value=read.replace(".", "." if lang == "en" else ","))
        assert (shown in str(screen.data["told"])) == bool(read) and read_as(said) == read
    assert heard == ["5*2/30", "30 %", "10/30"]


ODD = st.text(alphabet="0123456789.,%/=≈C()*+-−^!√²³ :;PpxE\x00", max_size=60)


@given(ODD | st.text(max_size=30))
def test_any_answer_is_read_or_refused(said: str) -> None:
    try:
        given_ = read_number(said)
    except NotationError as error:
        assert error.key.startswith("lessons.")
        return
    assert abs(given_.value).numerator.bit_length() <= 4000 and 0 <= given_.slack <= Fraction(1, 2)
    assert isinstance(read_as(said), str)


@pytest.mark.parametrize(
    "said",
    ["9" * 200, "(" * 100 + "1" + ")" * 100, "√" * 200 + "4", "2^300^300", "300!!", "C(300,150)^9", "1=" * 100 + "1",
     "9999999999999*1", "300!", "-" * 150 + "1", "1/(1-1)", "√(-1)", "(-1)!", "C(1/2,1)"],
)  # fmt: skip
def test_answers_are_bounded(said: str) -> None:
    with pytest.raises(NotationError):
        read_number(said)
