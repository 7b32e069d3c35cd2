"""Marks of techniques: candidates of analyzers and marks of people, their review, and what people publish of them."""

from sightline.techniques.marks.corrections import TechniqueCorrection, Verdict, read_corrections
from sightline.techniques.marks.mark import (
    MAX_MARKS,
    FoundValues,
    MarkState,
    MarkValues,
    NewMark,
    TechniqueMark,
    check_values,
)
from sightline.techniques.marks.review import (
    accepted_marks,
    add_candidates,
    add_candidates_of_run,
    add_marks,
    change_mark,
    delete_mark,
    restore_mark,
)
from sightline.techniques.marks.store import (
    MarkPublication,
    Review,
    UsedName,
    list_marks,
    names_in_use,
    read_review,
)

__all__ = [
    "MAX_MARKS",
    "FoundValues",
    "MarkPublication",
    "MarkState",
    "MarkValues",
    "NewMark",
    "Review",
    "TechniqueCorrection",
    "TechniqueMark",
    "UsedName",
    "Verdict",
    "accepted_marks",
    "add_candidates",
    "add_candidates_of_run",
    "add_marks",
    "change_mark",
    "check_values",
    "delete_mark",
    "list_marks",
    "names_in_use",
    "read_corrections",
    "read_review",
    "restore_mark",
]
