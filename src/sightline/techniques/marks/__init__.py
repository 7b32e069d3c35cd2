"""Marks of techniques: candidates of analyzers and marks of people, their review, and what people publish of them."""

from sightline.techniques.marks.corrections import TechniqueCorrection, Verdict, read_corrections
from sightline.techniques.marks.files import MarkImport, encode_csv, encode_json
from sightline.techniques.marks.mark import (
    MAX_MARKS,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    FoundValues,
    MarkState,
    MarkValues,
    NewMark,
    TechniqueMark,
    check_values,
)
from sightline.techniques.marks.publication import MARKS_ANALYZER, PublishedMarks, publish_marks
from sightline.techniques.marks.review import (
    accepted_marks,
    add_candidates,
    add_candidates_of_run,
    add_marks,
    change_mark,
    delete_mark,
    import_marks,
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
    "MARKS_ANALYZER",
    "MAX_MARKS",
    "MAX_NAME_LENGTH",
    "MAX_NOTE_LENGTH",
    "FoundValues",
    "MarkImport",
    "MarkPublication",
    "MarkState",
    "MarkValues",
    "NewMark",
    "PublishedMarks",
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
    "encode_csv",
    "encode_json",
    "import_marks",
    "list_marks",
    "names_in_use",
    "publish_marks",
    "read_corrections",
    "read_review",
    "restore_mark",
]
