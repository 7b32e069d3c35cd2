"""Documents and request bodies of OpenSearch."""

import json
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from sightline.text.opensearch.documents import SegmentDocument, bulk_bodies, refused

SOME = UUID(int=1)


@given(st.lists(st.text(max_size=200), max_size=30), st.integers(50, 2000))
def test_bulk_bodies_hold_every_document_once_in_pairs_of_lines_and_stay_below_the_limit(texts, limit):
    documents = [SegmentDocument(UUID(int=n), 7, {"text": text}) for n, text in enumerate(texts)]
    bodies = list(bulk_bodies(documents, max_bytes=limit))
    lines = [json.loads(line) for body in bodies for line in body.decode().removesuffix("\n").split("\n")]
    assert [line["index"]["_id"] for line in lines[::2]] == [str(one.segment_id) for one in documents]
    assert [line["text"] for line in lines[1::2]] == texts
    assert all(line["generation"] == 7 for line in lines[1::2])
    assert all(len(body) <= limit or body.count(b"\n") == 2 for body in bodies)


def test_a_newer_document_of_the_server_is_no_refusal():
    def item(status, reason):
        return {"index": {"_id": "x", "status": status, "error": {"type": "t", "reason": reason}}}

    found = refused({"items": [item(409, "newer"), item(201, ""), item(400, "too long")]})
    assert found == ["400: too long"]
    assert refused({}) == []
