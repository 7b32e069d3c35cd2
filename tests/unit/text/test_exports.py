"""Export formats: files that players, spreadsheets and programs read back as what was on screen and said."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import av
import pytest

from sightline.text import Box, TextSegment
from sightline.text.exports import ExportOptions, export_file_name, export_text
from sightline.text.exports.reading_order import in_reading_order

VIDEO = UUID(int=7)
HOSTILE = ["1 --> 2", "<b>bold</b> & <i>x", "{\\an8}top", "a\n\nb", "=HYPERLINK(1)", "Grüße 漢字 😀", "x < y > z"]


def segment(text: str, start: int, end: int, *, kind="text", box=Box(10, 20, 200, 30)) -> TextSegment:  # noqa: B008
    return TextSegment(
        UUID(int=start * 100 + len(text)), VIDEO, text, text, start, end, 0.9, box, "eng", start, 1, kind=kind
    )


async def exported(segments, options, *, page_size=2) -> bytes:
    async def pages():
        for at in range(0, len(segments), page_size):
            yield segments[at : at + page_size]

    return b"".join([piece async for piece in export_text(pages(), options, video_id=VIDEO, name="talk.mp4")])


def read_back(content: bytes, file: Path) -> list[tuple[int, str]]:
    """Start in ms and text of each cue, as the libraries of ffmpeg read the file."""
    file.write_bytes(content)
    found = []
    with av.open(str(file)) as container:
        stream = container.streams.subtitles[0]
        for packet in container.demux(stream):
            if packet.pts is not None:
                assert stream.time_base is not None
                found.append((round(packet.pts * stream.time_base * 1000), bytes(packet).decode()))
    return found


def decoded(content: bytes, file: Path) -> list[str]:
    """What a player shows of each cue."""
    file.write_bytes(content)
    texts = []
    with av.open(str(file)) as container:
        for packet in container.demux(container.streams.subtitles[0]):
            for subtitle in packet.decode():
                texts.append(subtitle.dialogue.decode() if hasattr(subtitle, "dialogue") else str(subtitle))
    return texts


@pytest.mark.req(757)
@pytest.mark.parametrize("file_format", ["srt", "vtt"])
async def test_subtitles_are_read_back_by_a_real_parser_with_their_times(tmp_path, file_format):
    segments = [segment(text, at * 1000 + 45, at * 1000 + 900) for at, text in enumerate(HOSTILE)]
    content = await exported(segments, ExportOptions(file_format, "text"))
    cues = read_back(content, tmp_path / f"cues.{file_format}")
    assert [at for at, _ in cues] == [one.t_start for one in segments]


@pytest.mark.req(757)
@pytest.mark.parametrize("file_format", ["srt", "vtt"])
async def test_a_player_shows_hostile_text_as_text(tmp_path, file_format):
    segments = [segment(text, at * 1000, at * 1000 + 900) for at, text in enumerate(HOSTILE)]
    content = await exported(segments, ExportOptions(file_format, "text"))
    shown = [text.replace("\u2060", "") for text in decoded(content, tmp_path / f"cues.{file_format}")]
    for text, cue in zip(HOSTILE, shown, strict=True):
        wanted = " ".join(text.split())
        # Of a style nothing may be hidden or applied; its brace differs.
        assert wanted.removeprefix("{") in cue.replace("\\\\", "\\"), (wanted, cue)


@pytest.mark.req(757)
async def test_srt_counts_from_one_and_writes_times_with_commas():
    segments = [segment("one", 3_723_045, 3_724_000), segment("two", 360_000_000, 360_000_000)]
    assert await exported(segments, ExportOptions("srt", "text")) == (
        b"1\n01:02:03,045 --> 01:02:04,000\none\n\n2\n100:00:00,000 --> 100:00:00,001\ntwo\n\n"
    )


@pytest.mark.req(758)
async def test_csv_runs_nothing_in_a_spreadsheet_and_has_a_byte_order_mark_only_if_wanted():
    segments = [segment(text, at * 1000, at * 1000 + 900) for at, text in enumerate([*HOSTILE, "-1+1", '"q", r'])]
    content = await exported(segments, ExportOptions("csv", "text"))
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert [row["text"] for row in rows][4:5] == ["'=HYPERLINK(1)"]
    assert [row["text"] for row in rows][-2:] == ["'-1+1", '"q", r']
    assert (rows[1]["start"], rows[1]["start_ms"], rows[1]["x"]) == ("00:00:01.000", "1000", "10")
    assert not content.startswith(b"\xef\xbb\xbf")
    assert (await exported(segments, ExportOptions("csv", "text", has_bom=True))).startswith(b"\xef\xbb\xbfkind,")


@pytest.mark.req(758)
async def test_json_is_one_document_with_every_segment_however_it_is_paged():
    segments = [segment(text, at * 1000, at * 1000 + 900) for at, text in enumerate(HOSTILE)]
    said = replace(segment("Good morning", 9000, 9500, kind="speech"), words=[{"text": "Good", "t_start": 9000}])
    for page_size in (1, 3, 100):
        found = json.loads(await exported([*segments, said], ExportOptions("json"), page_size=page_size))
        assert (found["video_id"], found["name"], found["kind"]) == (str(VIDEO), "talk.mp4", "both")
        assert [one["text"] for one in found["segments"]] == [*HOSTILE, "Good morning"]
        assert found["segments"][-1]["words"] == [{"text": "Good", "t_start": 9000}]
        assert "bounding_box" not in found["segments"][-1]
    assert json.loads(await exported([], ExportOptions("json")))["segments"] == []


@pytest.mark.req(758)
async def test_plain_text_has_times_only_if_wanted_and_marks_what_is_shown_beside_what_is_said():
    segments = [segment("Agenda", 0, 900), segment("Good\nmorning", 61_500, 62_000, kind="speech")]
    assert await exported(segments, ExportOptions("txt")) == b"[Agenda]\nGood morning\n"
    with_times = await exported(segments[1:], ExportOptions("txt", "speech", has_timestamps=True))
    assert with_times == b"[00:01:01.500] Good morning\n"


@pytest.mark.req(758)
def test_texts_of_one_moment_are_read_row_by_row():
    rows = [
        segment("right", 0, 900, box=Box(400, 12, 100, 30)),
        segment("said", 0, 900, kind="speech", box=Box(0, 0, 0, 0)),
        segment("below", 0, 900, box=Box(10, 60, 100, 30)),
        segment("left", 0, 900, box=Box(10, 18, 100, 30)),
    ]
    assert [one.text for one in in_reading_order(rows)] == ["left", "right", "below", "said"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("talk.mp4", "talk.speech.srt"),
        ("../../etc/passwd.mp4", "etc passwd.speech.srt"),
        ('a"b\r\nset-cookie: x.mp4', "a b set-cookie  x.speech.srt"),
        (".mp4", "mp4.speech.srt"),
        ("講義.mov", "講義.speech.srt"),
    ],
)
def test_the_file_is_named_like_the_video_without_letters_that_lead_elsewhere(name, wanted):
    assert export_file_name(name, ExportOptions("srt", "speech")) == wanted
