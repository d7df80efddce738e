"""The tutor's texts on a board: about each event of a step and each card in a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nimmt_lab.engine.cards import Seat
from nimmt_lab.engine.errors import PositionError, Unsupported
from nimmt_lab.engine.events import CardsRevealed, Event, Json, RowTaken
from nimmt_lab.engine.game import Game
from nimmt_lab.engine.record import Step
from nimmt_lab.engine.state import GameState
from nimmt_lab.explain import Verdict, assess, explain, narrate, rule_name, rule_text
from nimmt_lab.explain import words as tutor_words
from nimmt_lab.explain.catalogue import Words

from .describe import Obj

__all__ = ["foretold", "happened", "hints", "opening"]


#: The best option's bar, as a part of the worst one's.
SHORTEST = 0.12


def opening(events: tuple[Event, ...], words: Words, game: Game) -> list[Obj]:
    """The sentence for each event of the deal."""
    return _told(events, narrate(events, lang=words.lang, names=words.names), words, game)


def happened(step: Step, earlier: Sequence[Step], words: Words) -> list[Obj]:
    """For each event the sentence, the rule's name, and whether someone met a trap, sprung by the turn's `earlier`
    steps."""
    told = _told(step.events, narrate(step, lang=words.lang, names=words.names), words, step.before.game)
    if not any(isinstance(event, RowTaken) for event in step.events):
        return told
    turn = _same_turn(earlier, step)
    before = sum(len(other.events) for other in turn[:-1])
    for placement in explain(turn):
        # Explain the whole placement where the board shows it; later frames cover later events.
        at = placement.shown_at - before
        if placement.met and at >= 0:
            told[at] |= {"trap": True, "text": placement.text(words.lang, words.names, whole=False)}
    return told


def _told(events: tuple[Event, ...], sentences: tuple[str, ...], words: Words, game: Game) -> list[Obj]:
    say = tutor_words(words.lang, words.names)
    return [
        {"text": sentence, "rule_name": rule_name(event.rule, say, game), "rule_text": rule_text(event.rule, say, game)}
        for event, sentence in zip(events, sentences, strict=True)
    ]


def _same_turn(earlier: Sequence[Step], step: Step) -> list[Step]:
    """The steps of the turn up to this one, the reveal first."""
    turn = [step]
    for other in reversed(earlier):
        if any(isinstance(event, CardsRevealed) for event in turn[0].events):
            break
        turn.insert(0, other)
    return turn


def foretold(state: GameState, seat: Seat, words: Words) -> dict[str, Json]:
    """What could still change what each card does, by option; nothing where nothing is proved.

    >>> from nimmt_lab import Classic
    >>> from nimmt_lab.boards.words import board_words
    >>> state = Classic(players=2).from_position("1 | 2 | 3 4 5 6 7 | 50 ; A: 10 60 ; B: 8 70")
    >>> foretold(state, 0, board_words("en"))["60"]
    'Nothing can make it take a row this turn.'
    """
    decision = state.pending.get(seat)
    if decision is None:
        return {}
    try:
        assessed = assess(state.view(seat))
    except (Unsupported, PositionError):
        return {}  # no proof for this game, fan card or choice
    said: dict[str, Json] = {}
    for choice, card in assessed.items():
        if not card.proved:
            continue
        if card.verdict is Verdict.SAFE:
            said[decision.write(choice)] = words("foretold_nothing")
            continue
        change = card.escape if card.needed == 0 else card.risks[0] if card.risks else None
        if change is None:
            if card.needed == 0 and card.verdict is Verdict.TAKES:
                said[decision.write(choice)] = words("foretold_takes")
        elif change.cards and not change.as_others:
            parts = {"count": change.needed, "cards": _runs(change.cards)}
            escape = card.needed == 0
            told = words("foretold_escape", **parts) if escape else words("foretold_risk", **parts)
            said[decision.write(choice)] = told
    return said


def _runs(cards: Sequence[int]) -> str:
    """Cards in a few words.

    >>> _runs((72, 73, 74, 80))
    '72–74, 80'
    """
    found: list[list[int]] = []
    for card in sorted(cards):
        if found and found[-1][1] == card - 1:
            found[-1][1] = card
        else:
            found.append([card, card])
    return ", ".join(str(first) if first == last else f"{first}–{last}" for first, last in found)


def hints(promises: Mapping[str, tuple[float, float]], words: Words, *, points: bool) -> dict[str, Json]:
    """Hints from a search's estimates: by option the heads (or points) expected this round, in words with half the
    width of the 95% interval, `part` from 0 for the best option to 1 for the worst, and `bar`, the length of its bar:
    the shorter the better, and the worst option's is whole.

    >>> from nimmt_lab.boards.words import board_words
    >>> hint = hints({"@2": (3.25, 0.5), "@1": (5.0, 0.5)}, board_words("en"), points=False)["@2"]
    >>> hint["text"], hint["shown"], hint["part"]
    ('Expected this round: 3.2 ± 0.5 (lower is better)', '3.2', 0.0)
    """
    if not promises:
        return {}
    means = [mean for mean, _ in promises.values()]
    least, most = min(means), max(means)
    hinted: dict[str, Json] = {}
    for option, (mean, margin) in promises.items():
        parts = {"mean": _number(mean, words), "margin": _number(margin, words)}
        behind = most - mean if points else mean - least
        part = behind / (most - least) if most > least else 0.0
        hinted[option] = {
            "text": words("promise_more" if points else "promise_less", **parts),
            "shown": parts["mean"],
            "mean": round(mean, 2),
            "bar": round(SHORTEST + (1 - SHORTEST) * part, 3),
            "part": round(part, 3),
        }
    return hinted


def _number(value: float, words: Words) -> str:
    shown = f"{value:.1f}".replace("-", "−")
    return shown if words.lang == "en" else shown.replace(".", ",")
