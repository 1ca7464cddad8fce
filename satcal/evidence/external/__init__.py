"""External programs: somebody else's solver, counter or exact-cover search on our exports.

One file per family of programs, each a function from a question and a command to an answer;
``programs`` is the list of them all. Nobody here counts: what is compared comes from outside.
"""

from satcal.evidence.external.compare import Checked, Outcome, cross_check
from satcal.evidence.external.process import Limits
from satcal.evidence.external.programs import PROGRAMS, Program, chosen
from satcal.evidence.external.questions import Question, golden_questions, questions

__all__ = [
    "PROGRAMS",
    "Checked",
    "Limits",
    "Outcome",
    "Program",
    "Question",
    "chosen",
    "cross_check",
    "golden_questions",
    "questions",
]
