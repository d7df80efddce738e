"""The studies of the classic game, counted by `plain_rounds`, which shares nothing with the package's engine and core.

`python tools/studies.py NAME` runs them. Differences are between the same deals, so that luck with the cards cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import sub

from tools.plain_rounds import Player, play, play_games


@dataclass(frozen=True)
class Summed:
    """Values of which only these are known."""

    count: int
    total: int
    squares: int


Values = Mapping[str, Sequence[float] | Summed]
Block = Callable[[int], Values]

CLOSEST, EDGES, CHANCE = Player("closest-safe"), Player("edges-first"), Player("random")


def sums(values: Values) -> dict[str, list[float]]:
    """For each line the count, the sum, and the sum of squares."""
    found: dict[str, list[float]] = {}
    for label, line in values.items():
        if isinstance(line, Summed):
            found[label] = [line.count, line.total, line.squares]
        else:
            found[label] = [len(line), sum(line), sum(one * one for one in line)]
    return found


def less(one: Sequence[float], other: Sequence[float]) -> list[float]:
    """The differences, deal by deal."""
    return list(map(sub, one, other))


# Skill against luck --------------------------------------------------------------------------------------

ROUNDS = (1, 2, 5, 10, 20, 50)


def skill_and_luck(block: int) -> Values:
    """Whether A has fewer heads than B after that many rounds: 1, 0, or a half. Two differences in skill."""
    found: dict[str, list[float]] = {}
    for gap, players in {
        "careful:random": (CLOSEST, CHANCE),
        "edges:careful": (Player("edges-first", any_tie=True), CLOSEST),
    }.items():
        first, second = play(11, 20_000, [players[0], *[players[1]] * 3], first=20_000 * block).heads[:2]
        for rounds in ROUNDS:
            found[f"{gap}:{rounds}"] = [
                compare(sum(first[at : at + rounds]), sum(second[at : at + rounds])) for at in range(0, 20_000, rounds)
            ]
    return found


def compare(mine: int, theirs: int) -> float:
    """1 if mine is lower, a half if they are equal."""
    return float(mine < theirs) + float(mine == theirs) / 2


# When to play the lowest and the highest card --------------------------------------------------------------------

COMPANIES = {
    "closest:closest": (CLOSEST, CLOSEST),
    "edges:edges": (EDGES, EDGES),
    "edges:random": (EDGES, CHANCE),
}


def _by_turn(plan: str, deals: str, block: int) -> Values:
    """Heads of A by the turn in which it plays a card of its hand, and with its rule alone; and the differences."""
    found: dict[str, Sequence[float]] = {}
    for name, (mine, theirs) in COMPANIES.items():
        rounds, first = 10_000, 10_000 * block
        free = play(12, rounds, [mine, *[theirs] * 3], first=first, deals=deals).heads[0]
        found[f"heads:{name}:free"] = free
        for turn in range(1, 11):
            players = [Player(mine.rule, plan, turn), *[theirs] * 3]
            heads = play(12, rounds, players, first=first, deals=deals).heads[0]
            found[f"heads:{name}:{turn}"] = heads
            found[f"{name}:{turn}"] = less(heads, free)
    return found


def low_cards(block: int) -> Values:
    """By the turn of the lowest card, if it fits nowhere at the start."""
    return _by_turn("low-in-turn", "fits-nowhere", block)


def top_cards(block: int) -> Values:
    """By the turn of the highest card, if it is 95 or more."""
    return _by_turn("high-in-turn", "has-top-card", block)


# Rules of thumb ------------------------------------------------------------------------------------------

THUMBS = (
    "random", "lowest", "highest", "dear-first", "cheap-first", "middle-first", "closest-safe", "least-risk",
    "edges-first",
)  # fmt: skip


def rules_of_thumb(block: int) -> Values:
    """Heads of A by its rule, among three players of another rule."""
    found = {}
    for others in (CLOSEST, Player("edges-first", any_tie=True), CHANCE):
        for rule in THUMBS:
            players = [Player(rule, any_tie=True), *[others] * 3]
            heads = play(13, 20_000, players, first=20_000 * block).heads[0]
            found[f"{others.rule}:{rule.replace('-', '_')}"] = heads
    return found


# Towards 66 ----------------------------------------------------------------------------------------------


def towards_66(block: int) -> Values:
    """A's share of the win from `others` minus `lead` heads, the other three having `others` each."""
    found = {}
    for others, lead in ((others, lead) for others in (20, 40, 60) for lead in (20, 10, 0, -10, -20)):
        if others - lead >= 66:
            continue
        for rule in ("closest-safe", "edges-first", "highest"):
            players, totals = [Player(rule), *[CLOSEST] * 3], [others - lead, *[others] * 3]
            games = play_games(14, 2_000, players, totals, first=2_000 * block)
            found[f"{others}:{lead}:{rule}"] = games.shares()
    return found


# A card's worth ------------------------------------------------------------------------------------------


def card_worth(block: int) -> Values:
    """Heads of a hand with each card, everybody playing by one rule; and of all hands."""
    found: dict[str, Sequence[float] | Summed] = {}
    for player in (CHANCE, CLOSEST, EDGES):
        rounds = play(2, 20_000, [player] * 4, first=20_000 * block, details=True)
        found |= {f"{player.rule}:{card}": Summed(*sums) for card, sums in rounds.worth.items()}
        found[f"{player.rule}:all"] = [float(heads) for seat in rounds.heads for heads in seat]
    return found


# Counting cards ------------------------------------------------------------------------------------------


def counting(block: int) -> Values:
    """Heads that A saves by counting the unseen cards, by players and by how the others play."""
    found = {}
    for players in range(2, 11):
        for others in (CHANCE, CLOSEST, EDGES):
            heads = [
                play(7, 5_000, [Player(rule), *[others] * (players - 1)], first=5_000 * block).heads[0]
                for rule in ("edges-first", "counting")
            ]
            found[f"{others.rule}:{players}"] = less(*heads)
    return found


# A row on purpose ----------------------------------------------------------------------------------------

MOST_HEADS = (1, 2, 3, 4, 5, 6)


def on_purpose(block: int) -> Values:
    """How A's heads change if it takes a row of at most that many heads whenever it has a card that fits nowhere:
    alone, or together with everybody else."""
    found = {}
    for company in (CLOSEST, EDGES):
        usual = play(20, 10_000, [EDGES, *[company] * 3], first=10_000 * block).heads[0]
        for most in MOST_HEADS:
            player = Player("edges-first", "on-purpose", most)
            heads = play(20, 10_000, [player, *[company] * 3], first=10_000 * block).heads[0]
            found[f"{company.rule}:{most}"] = less(heads, usual)
    usual = play(20, 10_000, [EDGES] * 4, first=10_000 * block).heads[0]
    for most in MOST_HEADS:
        heads = play(20, 10_000, [Player("edges-first", "on-purpose", most)] * 4, first=10_000 * block).heads[0]
        found[f"everybody:{most}"] = less(heads, usual)
    return found


# The fifth card ------------------------------------------------------------------------------------------

GAPS = 31


def fifth_card(block: int) -> Values:
    """How often a card takes a row, by the cards in its row and the unseen cards in between; and the heads of one that
    does. Every card that four players of one rule play."""
    found: dict[str, Sequence[float] | Summed] = {}
    for player in (CHANCE, EDGES):
        rounds = play(22, 10_000, [player] * 4, first=10_000 * block, details=True)
        for (count, gap), (played, took, _) in rounds.risks.items():
            if count and gap < GAPS:
                found[f"{player.rule}:{count}:{gap}"] = Summed(played, took, took)
    return found


# More players --------------------------------------------------------------------------------------------


def more_players(block: int) -> Values:
    """Heads of A by its rule among others who play `edges-first`, by number of players."""
    found: dict[str, Sequence[float]] = {}
    for players in range(2, 11):
        for name, player in {
            "random": CHANCE,
            "highest": Player("highest"),
            "closest": CLOSEST,
            "edges": EDGES,
            "purpose": Player("edges-first", "on-purpose", 2),
        }.items():
            heads = play(24, 10_000, [player, *[EDGES] * (players - 1)], first=10_000 * block).heads[0]
            found[f"{name}:{players}"] = heads
        usual = found[f"edges:{players}"]
        found |= {f"{name}-edges:{players}": less(found[f"{name}:{players}"], usual) for name in ("closest", "purpose")}
    return found


# Only the cards 1 to 10n + 4 -----------------------------------------------------------------------------


def short_deck(block: int) -> Values:
    """Whether A has fewer heads than B after a round, with all cards and with only 1 to 10n + 4."""
    found = {}
    for players in range(2, 7):
        for name, deck in (("all", 104), ("short", 10 * players + 4)):
            for gap, (mine, theirs) in {"careful": (CLOSEST, CHANCE), "edges": (EDGES, CLOSEST)}.items():
                seats = [mine, *[theirs] * (players - 1)]
                first, second = play(25, 10_000, seats, first=10_000 * block, deck=deck).heads[:2]
                found[f"{players}:{gap}:{name}"] = list(map(compare, first, second))
    return found


# Which row a low card takes ------------------------------------------------------------------------------


def which_row(block: int) -> Values:
    """How A's heads, and those of the others on average, change if A chooses rows in another way than the cheapest."""
    found: dict[str, Sequence[float]] = {}
    for company in (CLOSEST, EDGES):
        usual = play(26, 10_000, [EDGES, *[company] * 3], first=10_000 * block).heads
        for row in ("shortest", "any", "leave-room", "hurt-others"):
            heads = play(26, 10_000, [Player("edges-first", row=row), *[company] * 3], first=10_000 * block).heads
            found[f"{company.rule}:{row}:mine"] = less(heads[0], usual[0])
            theirs = [less(*pair) for pair in zip(heads[1:], usual[1:], strict=True)]
            found[f"{company.rule}:{row}:theirs"] = [sum(changes) / 3 for changes in zip(*theirs, strict=True)]
    return found


# The leader ----------------------------------------------------------------------------------------------

#: Heads of A and of the three others, by the name of the score.
SCORES = {"behind": (50, 30, 50, 50), "far": (60, 40, 60, 60), "level": (50, 50, 50, 50), "ahead": (30, 50, 50, 50)}


def leader(block: int) -> Values:
    """How A's share of the win changes if its low cards hurt the player with the fewest heads, or all others, and if it
    takes cheap rows on purpose; the others play `edges-first`."""
    found = {}
    for name, totals in SCORES.items():
        shares = {}
        for way, player in {
            "usual": EDGES,
            "hurt_leader": Player("edges-first", row="hurt-leader"),
            "hurt_others": Player("edges-first", row="hurt-others"),
            "purpose": Player("edges-first", "on-purpose", 2),
        }.items():
            games = play_games(27, 5_000, [player, *[EDGES] * 3], totals, first=5_000 * block)
            shares[way] = games.shares()
        found[f"{name}:usual"] = shares["usual"]
        found |= {f"{name}:{way}": less(shares[way], shares["usual"]) for way in shares if way != "usual"}
    return found


PLAIN_STUDIES: dict[str, tuple[int, Block]] = {
    "skill_and_luck": (50, skill_and_luck),
    "low_cards": (30, low_cards),
    "top_cards": (15, top_cards),
    "rules_of_thumb": (50, rules_of_thumb),
    "towards_66": (50, towards_66),
    "card_worth": (25, card_worth),
    "counting": (10, counting),
    "on_purpose": (30, on_purpose),
    "fifth_card": (25, fifth_card),
    "more_players": (10, more_players),
    "short_deck": (10, short_deck),
    "which_row": (20, which_row),
    "leader": (20, leader),
}
