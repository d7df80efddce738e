"""Lesson plans for the probability lessons: level, minutes, tiers and marks. The texts are in `locale/`.

>>> plan = PLANS[2]
>>> plan.minutes, sum(plan.marks)
((10, 20, 10), 12)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Final

from .words import Words

#: A question is for everybody, for most, or for those who want more; its tier is also its marks.
TIERS: Final = (1, 2, 3)


@dataclass(frozen=True)
class LessonPlan:
    #: For the activity, the questions and the discussion.
    minutes: tuple[int, int, int]
    #: Courses in three countries.
    levels: tuple[str, ...]
    #: The tier of each question, in order.
    tiers: tuple[int, ...]

    @property
    def marks(self) -> tuple[int, ...]:
        """The marks of each question: for the answer; method and answer; set-up, method and answer."""
        return self.tiers


PLANS: Final[Mapping[int, LessonPlan]] = {
    1: LessonPlan((10, 20, 10), ("GCSE", "liceum ZP", "gymnázium 1–2"), (1, 1, 2, 2, 2, 3)),
    2: LessonPlan((10, 20, 10), ("GCSE Higher", "A-level", "liceum ZP", "gymnázium 3"), (1, 2, 2, 2, 2, 3)),
    3: LessonPlan((10, 25, 10), ("A-level", "AP Statistics", "liceum ZR", "gymnázium 3–4"), (1, 2, 2, 2, 3, 3)),
    4: LessonPlan((10, 20, 10), ("A-level", "AP Statistics", "liceum ZR", "gymnázium 4"), (1, 1, 2, 2, 2, 3)),
    5: LessonPlan((15, 15, 10), ("GCSE", "liceum ZP", "gymnázium 1–2"), (1, 1, 2, 2, 2, 3)),
    6: LessonPlan((10, 25, 10), ("A-level", "AP Statistics", "liceum ZR", "gymnázium 4"), (2, 2, 1, 3, 3)),
    7: LessonPlan((10, 25, 10), ("A-level Further", "liceum ZR", "seminář z matematiky"), (1, 2, 2, 3, 3, 3)),
    8: LessonPlan((10, 30, 10), ("A-level", "AP Statistics", "liceum ZR", "seminář z matematiky"), (1, 2, 2, 1, 3, 3)),
    9: LessonPlan((10, 25, 10), ("AP Statistics", "A-level", "liceum ZR", "seminář z matematiky"), (1, 1, 1, 2, 2, 3)),
}


def planned(lesson: int, say: Words) -> list[tuple[str, str]]:
    """Titles and texts of the plan."""
    plan, name = PLANS[lesson], f"p{lesson}"
    by_tier = {tier: [str(at) for at, own in enumerate(plan.tiers, 1) if own == tier] for tier in TIERS}
    tiers = [say(f"plan.tier{tier}", questions=", ".join(numbers)) for tier, numbers in by_tier.items() if numbers]
    activity, questions, talk = plan.minutes
    return [
        (say("plan.level"), " · ".join(plan.levels)),
        (say("plan.minutes"), say("plan.minutes_text", activity=activity, questions=questions, talk=talk)),
        (say("plan.needs"), say(f"{name}.needs")),
        (say("plan.misconception"), say(f"{name}.misconception")),
        (say("plan.tiers"), " ".join(tiers)),
        (say("plan.marks"), say("plan.marks_text", all=sum(plan.marks))),
    ]


def plan_html(lesson: int, say: Words) -> str:
    return "".join(f"<h2>{escape(title)}</h2><p>{escape(text)}</p>" for title, text in planned(lesson, say))
