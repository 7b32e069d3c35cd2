"""Names on the wire: camelCase where document 004 writes so, snake_case everywhere else, and those of the documents for good."""

import re

import pytest

from support.api_description import served_description

CAMEL_PATHS = re.compile(
    r"^/(videos|uploads)(/\{video_id\})?(/(upload-urls|parts/\{part_number\}|progress|complete|upload))?$"
)
UPPYS_OWN = re.compile(r"^/s3/")  # Companion's routes have the names that Uppy asks for
CAMEL = re.compile(r"^[a-z]+([A-Z][a-z0-9]*)*$")
SNAKE = re.compile(r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$")

OF_THE_DOCUMENTS = {
    ("post", "/videos"): {"videoId", "uploadId", "status", "totalParts", "partSize"},
    ("get", "/videos/{video_id}/upload-urls"): {"videoId", "urls", "nextPartNumber"},
    ("get", "/videos/{video_id}/progress"): {"videoId", "status", "totalParts", "uploadedParts", "percentage", "parts"},
    ("get", "/jobs/{job_id}"): {"job_id", "status", "progress", "result_s3_uri", "error", "created_at", "updated_at"},
    ("post", "/api/messages"): {"message_id", "status", "created_date"},
    ("get", "/videos/{video_id}/segments"): {"page", "page_size", "total", "segments"},
    ("get", "/api/events/{event_id}"): {"id", "camera_id", "risk_score", "risk_level", "summary", "reasoning"},
}


@pytest.fixture
def description(databases, tmp_path_factory):
    return served_description(databases, tmp_path_factory.getbasetemp())


def _names(description, found, seen):
    """All property names of a schema and of those it is made of."""
    if "$ref" in found:
        name = found["$ref"].rpartition("/")[2]
        if name in seen:
            return
        seen.add(name)
        yield from _names(description, description["components"]["schemas"][name], seen)
    for name, part in found.get("properties", {}).items():
        yield name
        yield from _names(description, part, seen)
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for part in found.get(key, ()):
            yield from _names(description, part, seen)
    if isinstance(found.get("items"), dict):
        yield from _names(description, found["items"], seen)


def _schemas(operation):
    contents = [operation.get("requestBody", {}).get("content", {})]
    contents += [answer.get("content", {}) for status, answer in operation["responses"].items() if status[0] == "2"]
    return [kind["schema"] for content in contents for kind in content.values() if "schema" in kind]


@pytest.mark.req(306)
def test_uploads_speak_camel_case_and_everything_else_snake_case(description):
    odd = []
    for path, item in description["paths"].items():
        if UPPYS_OWN.match(path):
            continue
        form = CAMEL if CAMEL_PATHS.match(path) or path == "/api/sample-video" else SNAKE
        for method, operation in item.items():
            for schema in _schemas(operation):
                odd += [(method, path, name) for name in _names(description, schema, set()) if not form.match(name)]
    assert odd == []


@pytest.mark.req(306)
@pytest.mark.parametrize(("method", "path"), OF_THE_DOCUMENTS)
def test_the_names_of_the_documents_stay(description, method, path):
    (schema,) = [
        kind["schema"]
        for status, answer in description["paths"][path][method]["responses"].items()
        if status[0] == "2"
        for kind in answer["content"].values()
    ]
    names = description["components"]["schemas"][schema["$ref"].rpartition("/")[2]]["properties"]
    assert OF_THE_DOCUMENTS[method, path] <= set(names)
