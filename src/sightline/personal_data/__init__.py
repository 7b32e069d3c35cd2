"""Export and erasure of everything that is stored about one person (ADR 0107)."""

from sightline.personal_data.coverage import (
    ERASED_BY_PARENT,
    ERASED_OTHERWISE,
    NO_PERSON,
    NOT_EXPORTED,
    erased_tables,
    exported_tables,
)
from sightline.personal_data.erase import Erasure, ErasureReport, PersonParts
from sightline.personal_data.export import PersonExport, count_rows
from sightline.personal_data.jobs import PersonErasureJob, PersonExportJob
from sightline.personal_data.person import KnownPerson, find_person, is_known, person_of
from sightline.personal_data.requests import PersonRequest, PersonRequests, need_request, requests_of
from sightline.personal_data.settings import PeopleSettings

__all__ = [
    "ERASED_BY_PARENT",
    "ERASED_OTHERWISE",
    "NOT_EXPORTED",
    "NO_PERSON",
    "Erasure",
    "ErasureReport",
    "KnownPerson",
    "PeopleSettings",
    "PersonErasureJob",
    "PersonExport",
    "PersonExportJob",
    "PersonParts",
    "PersonRequest",
    "PersonRequests",
    "count_rows",
    "erased_tables",
    "exported_tables",
    "find_person",
    "is_known",
    "need_request",
    "person_of",
    "requests_of",
]
