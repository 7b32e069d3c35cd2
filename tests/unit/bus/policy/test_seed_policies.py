"""The policies and rules the platform itself ships."""

from typing import Any

import pytest

from sightline.bus import STORAGE_QUEUE
from sightline.bus.policy import Attribute, PolicyIndex, PolicyInvalid, compile_event_pattern, compile_filter_policy
from sightline.bus.topology import default_topology


def attributes(**values: str) -> dict[str, Attribute]:
    return {name: Attribute("String", value) for name, value in values.items()}


CLIP = attributes(event_type="bjj_event_detected", category="STANDUP_GAME")
OTHER_CLIP = attributes(event_type="bjj_event_detected", category="GUARD_PLAY")
COMPLETE = attributes(event_type="analysis_complete")


@pytest.mark.req(23)
def test_an_empty_policy_matches_both_kinds_of_event() -> None:
    policies: list[str | dict[str, Any]] = [{}, "{}", ""]
    for empty in policies:
        policy = compile_filter_policy(empty)
        assert policy.matches(CLIP, "")
        assert policy.matches(COMPLETE, "")
        assert policy.matches({}, "")


@pytest.mark.req(24)
def test_a_policy_on_clips_matches_only_clips() -> None:
    policy = compile_filter_policy({"event_type": ["bjj_event_detected"]})
    assert policy.matches(CLIP, "")
    assert not policy.matches(COMPLETE, "")


@pytest.mark.req(25)
def test_a_policy_on_completion_matches_only_the_completion() -> None:
    policy = compile_filter_policy({"event_type": ["analysis_complete"]})
    assert policy.matches(COMPLETE, "")
    assert not policy.matches(CLIP, "")


@pytest.mark.req(26)
@pytest.mark.parametrize("place", range(3))
def test_categories_and_completion_pass_wherever_exists_false_stands(place: int) -> None:
    categories: list[Any] = ["SUBMISSION_OFFENSE", "STANDUP_GAME"]
    categories.insert(place, {"exists": False})
    policy = compile_filter_policy({"event_type": ["bjj_event_detected", "analysis_complete"], "category": categories})
    assert policy.matches(COMPLETE, "")
    assert policy.matches(CLIP, "")
    assert not policy.matches(OTHER_CLIP, "")
    assert not policy.matches(attributes(event_type="other"), "")


@pytest.mark.req(27)
def test_keys_are_anded_and_values_ored() -> None:
    policy = compile_filter_policy({"a": ["1", "2"], "b": ["3"]})
    assert policy.matches(attributes(a="2", b="3"), "")
    assert not policy.matches(attributes(a="2"), "")
    assert not policy.matches(attributes(a="3", b="3"), "")


@pytest.mark.req(27)
def test_exists_is_understood_both_ways() -> None:
    assert compile_filter_policy({"a": [{"exists": True}]}).matches(attributes(a=""), "")
    assert not compile_filter_policy({"a": [{"exists": True}]}).matches(attributes(b="1"), "")
    assert compile_filter_policy({"a": [{"exists": False}]}).matches(attributes(b="1"), "")
    assert not compile_filter_policy({"a": [{"exists": False}]}).matches(attributes(a="1"), "")


@pytest.mark.req(27)
@pytest.mark.parametrize("policy", ["{not json", '{"a": "x"}', '{"a": []}', '{"a": [{"like": "x"}]}', "[]"])
def test_a_malformed_policy_is_refused(policy: str) -> None:
    with pytest.raises(PolicyInvalid) as caught:
        compile_filter_policy(policy, on_subscribe=True)
    assert caught.value.code == "InvalidParameter"
    assert caught.value.message.startswith("Invalid parameter: Attributes Reason: FilterPolicy: ")


@pytest.mark.req(28)
def test_message_types_split_onto_two_queues() -> None:
    index: PolicyIndex[str] = PolicyIndex()
    index.add("normal", compile_filter_policy({"message_type": ["scheduled_hello", "manual_notification"]}))
    index.add("urgent", compile_filter_policy({"message_type": ["alert_notification"]}))
    assert index.matching(attributes(message_type="scheduled_hello"), "") == {"normal"}
    assert index.matching(attributes(message_type="manual_notification"), "") == {"normal"}
    assert index.matching(attributes(message_type="alert_notification"), "") == {"urgent"}
    assert index.matching(attributes(message_type="other"), "") == set()


UPLOAD_RULE = {
    "source": ["aws.s3"],
    "detail-type": ["Object Created"],
    "detail": {"bucket": {"name": ["fiapx-videos"]}, "reason": ["CompleteMultipartUpload"]},
}


def object_created(**changes: str) -> dict[str, Any]:
    return {
        "source": changes.get("source", "aws.s3"),
        "detail-type": changes.get("kind", "Object Created"),
        "detail": {
            "bucket": {"name": changes.get("bucket", "fiapx-videos")},
            "object": {"key": "v.mp4", "size": 5},
            "reason": changes.get("reason", "CompleteMultipartUpload"),
        },
    }


@pytest.mark.req(267)
def test_the_upload_rule_matches_the_end_of_a_multipart_upload_alone() -> None:
    shipped = default_topology(stage="dev", bucket="fiapx-videos").rules
    (found,) = [rule for rule in shipped if rule.to_queue == STORAGE_QUEUE]
    assert found.pattern == UPLOAD_RULE
    rule = compile_event_pattern(found.pattern)
    assert rule.matches(object_created())
    for change in (
        {"reason": "PutObject"},
        {"source": "fiapx.video"},
        {"kind": "Object Deleted"},
        {"bucket": "other"},
    ):
        assert not rule.matches(object_created(**change))


@pytest.mark.req(268)
def test_a_pattern_needs_all_its_fields_any_of_a_list_and_follows_nesting() -> None:
    rule = compile_event_pattern(
        {
            "source": ["fiapx.video"],
            "detail": {"status": ["PROCESSING", "COMPLETED"], "job": {"kind": ["split"]}},
        }
    )
    event = {"source": "fiapx.video", "detail": {"status": "COMPLETED", "job": {"kind": "split"}}}
    assert rule.matches(event)
    assert rule.matches({**event, "extra": 1})
    assert not rule.matches({**event, "source": "other"})
    assert not rule.matches({"source": "fiapx.video", "detail": {"status": "COMPLETED"}})
    assert not rule.matches({**event, "detail": {"status": "UPLOADED", "job": {"kind": "split"}}})
