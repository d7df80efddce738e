"""The tutor: card assessments before the reveal, explanations after it, and reports.

>>> from nimmt_lab import Classic
>>> state = Classic(players=2).from_position("1 | 20 | 41 | 35 36 38 40 42 ; A: 43 98 ; B: 44 60")
>>> assess(state, seat=0)[43].verdict
<Verdict.TAKES: 'takes'>
>>> state, events = state.choose({0: 43, 1: 60})
>>> narrate(events, lang="cs")[-1]
'60 (B) přijde do řady 4 (rozdíl: 17).'
"""

from . import plain, shared
from .assess import Assessment, Assessments, Verdict, Way, assess
from .catalogue import LANGUAGES, words
from .errors import translate
from .judgement import Judgement
from .placement import Change, Placement, Turn, explain, turns
from .report import Report, ReportRow, report
from .teller import narrate, rule_name, rule_text
from .traps import RowTrap, Trap

#: Imported for their side effect: they register the sentences that chapters share.
TELLERS = (plain, shared)

__all__ = [
    "LANGUAGES",
    "Assessment",
    "Assessments",
    "Change",
    "Judgement",
    "Placement",
    "Report",
    "ReportRow",
    "RowTrap",
    "Trap",
    "Turn",
    "Verdict",
    "Way",
    "assess",
    "explain",
    "narrate",
    "report",
    "rule_name",
    "rule_text",
    "translate",
    "turns",
    "words",
]
