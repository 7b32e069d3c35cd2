"""The payloads of document 001: its examples as they stand, its defaults, and errors that name the field."""

import json
from typing import Any
from uuid import UUID

import pytest

from sightline.contracts.jobs import (
    PAYLOADS,
    PIPELINE_TYPES,
    Analyze,
    AssessRisk,
    ClipGenerate,
    Detect,
    DetectRecording,
    Embed,
    EnrichEvent,
    ErasePerson,
    ExportPerson,
    JobPayload,
    Ocr,
    RecordingClip,
    RefineRisk,
    Retention,
    Sample,
    SegmentIndex,
    Transcode,
    Transcribe,
    parse_payload,
)
from sightline.errors import InvalidInput, is_retryable

VIDEO = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
ORIGINAL = f"videos/original/{VIDEO}/master.mp4"

EXAMPLES: list[tuple[type[JobPayload], dict[str, object]]] = [
    (Transcode, {"video_id": VIDEO, "s3_original_path": ORIGINAL}),
    (Sample, {"video_id": VIDEO, "s3_original_path": ORIGINAL, "target_fps": 10, "dedupe_threshold": 0.95}),
    (
        Ocr,
        {
            "video_id": VIDEO,
            "frame_paths": [f"frames/{VIDEO}/1500.jpg", f"frames/{VIDEO}/1600.jpg", f"frames/{VIDEO}/1700.jpg"],
            "languages": ["eng"],
            "min_confidence": 0.6,
        },
    ),
    (SegmentIndex, {"video_id": VIDEO}),
    (
        ClipGenerate,
        {
            "video_id": VIDEO,
            "clip_id": "clip-xyz-123",
            "t_start": 1500,
            "t_end": 3000,
            "padding_ms": 2000,
            "s3_original_path": ORIGINAL,
        },
    ),
    (
        Analyze,
        {
            "video_id": VIDEO,
            "analyzer": "annotations",
            "result_key": f"results/{VIDEO}/1.json",
            "sns_topic_arn": "arn:aws:sns:us-east-1:000000000000:video_analysis_events",
            "result_bucket": "other-results",
            "sampling_rate": 2,
        },
    ),
    (
        Detect,
        {
            "video_id": VIDEO,
            "looks_per_s": 2.0,
            "camera_key": "0197b2a4-6c3e-7a11-8f00-3d1c5a9be210",
            "started_at": "2026-04-17T10:00:00Z",
        },
    ),
]
OF_NO_VIDEO: list[tuple[type[JobPayload], Any]] = [
    (AssessRisk, {"batch_id": "batch-a1b2c3d4"}),
    (Transcribe, {"video_id": VIDEO, "language": "de"}),
    (Embed, {"video_id": VIDEO}),
    (RefineRisk, {"batch_id": "batch-a1b2c3d4"}),
    (EnrichEvent, {"batch_id": "batch-a1b2c3d4"}),
    (Retention, {"dry_run": True}),
    (
        RecordingClip,
        {
            "event_id": 7,
            "camera_key": VIDEO,
            "since": "2026-01-17T10:00:00Z",
            "until": "2026-01-17T10:00:30Z",
            "event_at": "2026-01-17T10:00:10Z",
        },
    ),
    (
        DetectRecording,
        {
            "camera_key": VIDEO,
            "since": "2026-01-17T10:00:00Z",
            "until": "2026-01-17T11:00:00Z",
            "looks_per_s": 3.0,
        },
    ),
    (ExportPerson, {"request_id": VIDEO}),
    (ErasePerson, {"request_id": VIDEO}),
]


@pytest.mark.req(63)
def test_there_is_one_payload_for_each_type():
    of_document = ["transcode", "sample", "ocr", "segment_index", "clip_generate"]
    later = ["analyze", "detect", "transcribe", "embed", "assess_risk", "refine_risk", "enrich_event", "retention"]
    of_recordings = ["recording_clip", "detect_recording"]
    assert [kind.job_type for kind in PAYLOADS] == [
        *of_document,
        *later,
        *of_recordings,
        "person_export",
        "person_erasure",
    ]
    assert set(PIPELINE_TYPES) == set(of_document) - {"clip_generate"}


@pytest.mark.parametrize(("kind", "example"), EXAMPLES, ids=lambda value: getattr(value, "job_type", ""))
def test_the_documents_example_is_read_and_written_unchanged(kind, example):
    payload = parse_payload(kind, example)
    assert payload.video_id == UUID(VIDEO)
    assert payload.to_json() == example
    assert json.loads(payload.model_dump_json()) == example


@pytest.mark.req(96)
def test_sample_takes_ten_frames_a_second_and_skips_95_percent_similar_ones():
    payload = parse_payload(Sample, {"video_id": VIDEO, "s3_original_path": ORIGINAL})
    assert (payload.target_fps, payload.dedupe_threshold) == (10, 0.95)


@pytest.mark.req(102, 103)
def test_ocr_reads_english_and_drops_text_below_60_percent():
    payload = parse_payload(Ocr, {"video_id": VIDEO, "frame_paths": []})
    assert (payload.languages, payload.min_confidence) == (("eng",), 0.6)


@pytest.mark.req(125)
def test_a_clip_gets_two_seconds_before_and_after():
    example = {name: value for name, value in EXAMPLES[4][1].items() if name != "padding_ms"}
    assert parse_payload(ClipGenerate, example).padding_ms == 2000


@pytest.mark.req(148)
def test_a_clip_id_may_be_any_plain_name_but_no_path():
    for good in ("clip-xyz-123", VIDEO, "a.b_c"):
        assert parse_payload(ClipGenerate, EXAMPLES[4][1] | {"clip_id": good}).clip_id == good
    for bad in ("../other", "a/b", "", "a b", "a\0b", "x" * 201, "ok\n"):
        with pytest.raises(InvalidInput, match="clip_id"):
            parse_payload(ClipGenerate, EXAMPLES[4][1] | {"clip_id": bad})


@pytest.mark.req(72)
@pytest.mark.parametrize(
    ("kind", "change", "field"),
    [
        (Transcode, {"video_id": "not-a-uuid"}, "video_id"),
        (Transcode, {"video_id": None}, "video_id"),
        (Transcode, {"s3_original_path": ""}, "s3_original_path"),
        (Transcode, {"s3_original_path": 5}, "s3_original_path"),
        (Transcode, {"s3_orignal_path": "typing error"}, "s3_orignal_path"),
        (Sample, {"target_fps": 0}, "target_fps"),
        (Sample, {"target_fps": "fast"}, "target_fps"),
        (Sample, {"target_fps": float("inf")}, "target_fps"),
        (Sample, {"target_fps": float("nan")}, "target_fps"),
        (Sample, {"dedupe_threshold": 1.01}, "dedupe_threshold"),
        (Sample, {"dedupe_threshold": float("nan")}, "dedupe_threshold"),
        (Ocr, {"frame_paths": "frames/1.jpg"}, "frame_paths"),
        (Ocr, {"frame_paths": ["frames/1.jpg", 7]}, "frame_paths.1"),
        (Ocr, {"languages": []}, "languages"),
        (Ocr, {"min_confidence": -0.1}, "min_confidence"),
        (Ocr, {"min_confidence": 60}, "min_confidence"),
        (SegmentIndex, {"video_id": 17}, "video_id"),
        (ClipGenerate, {"t_start": -1}, "t_start"),
        (ClipGenerate, {"t_start": 1.5}, "t_start"),
        (ClipGenerate, {"t_end": 1500}, "t_end"),
        (ClipGenerate, {"padding_ms": -1}, "padding_ms"),
    ],
)
def test_an_invalid_payload_is_rejected_permanently_and_the_field_is_named(kind, change, field):
    example = dict(EXAMPLES)[kind] | change
    with pytest.raises(InvalidInput) as caught:
        parse_payload(kind, example)
    assert f"invalid {kind.job_type} payload" in caught.value.message
    assert field in caught.value.message
    assert not is_retryable(caught.value)
    assert json.dumps(caught.value.details)


@pytest.mark.req(72)
@pytest.mark.parametrize("kind", PAYLOADS, ids=lambda kind: kind.job_type)
def test_each_missing_required_field_is_named(kind):
    example: Any = dict([*EXAMPLES, *OF_NO_VIDEO])[kind]
    for name, field in kind.model_fields.items():
        if field.is_required():
            with pytest.raises(InvalidInput, match=f"{name}: Field required"):
                parse_payload(kind, {key: value for key, value in example.items() if key != name})


@pytest.mark.req(72)
@pytest.mark.parametrize("payload", [None, [], "text", 1, {}])
def test_a_payload_that_is_not_an_object_is_rejected_in_the_same_way(payload):
    with pytest.raises(InvalidInput, match="invalid segment_index payload"):
        parse_payload(SegmentIndex, payload)
