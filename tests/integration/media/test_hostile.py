"""Files that mean harm: each is refused by a reason that names the cause, and reaches neither the network nor another file."""

import random
import re
from contextlib import suppress
from dataclasses import asdict, replace
from urllib.parse import urlsplit

import av
import pytest

from sightline.jobs import LimitExceeded, ProcessCrashed
from sightline.jobs.retry import may_retry
from sightline.media.input import MediaUnreadable, process_limits
from sightline.media.stream.proxy_work import make_proxy
from support import process_work
from support.coded_clip import Form, beeps, make_clip, read_numbers
from support.hostile_files import (
    concat_script,
    dash_manifest,
    halved,
    hls_playlist,
    huge_picture,
    session_description,
    watched_server,
    with_foreign_data,
)
from support.media_rig import MEDIA_LIMITS, SETTINGS, in_process, probed

WEBP_HEAD = b"RIFF\x00\x10\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0" + b"\x7f\x07\x00" + b"\x37\x04\x00"
"""Of an animation of 1920 x 1080."""


@pytest.fixture
def sibling(tmp_path):
    """A video that the tested process must not reach."""
    make_clip(tmp_path / "sibling.mp4", frames=10)
    return tmp_path / "sibling.mp4"


async def proxy_of(path, directory, media_limits=MEDIA_LIMITS, limits=None):
    directory.mkdir(exist_ok=True)
    return await in_process(
        make_proxy,
        directory,
        limits,
        readable=str(path),
        media_limits=asdict(media_limits),
        max_height=720,
        segment_s=6.0,
    )


async def refused(path, directory, reason, **options):
    with pytest.raises(MediaUnreadable, match=reason) as caught:
        await proxy_of(path, directory, **options)
    assert not may_retry(caught.value, 0)


@pytest.mark.parametrize("name", ["x.mp4", "x.m3u8", "x.mpd"])
async def test_manifests_and_scripts_reach_neither_network_nor_files(name, tmp_path, sibling):
    path = tmp_path / name
    with watched_server() as (url, requested):
        port = urlsplit(url).port or 0
        cases = {
            dash_manifest(f"{url}/dash.mp4"): "DASH manifest",
            dash_manifest("sibling.mp4"): "DASH manifest",
            concat_script("sibling.mp4"): "concat script",
            concat_script(str(sibling)): "concat script",
            concat_script(f"{url}/concat.mp4"): "concat script",
            hls_playlist("sibling.mp4"): "HLS playlist",
            hls_playlist(f"{url}/hls.ts"): "HLS playlist",
            session_description(port): "SDP",
        }
        for content, reason in cases.items():
            path.write_bytes(content)
            await refused(path, tmp_path / "work", reason)
        assert requested == []


async def test_the_whitelists_hold_even_when_the_first_bytes_lie(tmp_path, sibling, monkeypatch):
    """As if the sniffing had let it pass: the demuxer that would follow the manifest is not allowed."""
    from sightline.media.input import source

    path = tmp_path / "x.mp4"
    with watched_server() as (url, requested):
        for content, demuxer in [
            (dash_manifest(f"{url}/dash.mp4"), "dash"),
            (concat_script("sibling.mp4"), "concat"),
            (hls_playlist(f"{url}/hls.ts"), "hls"),
            (hls_playlist("sibling.mp4"), "hls"),
        ]:
            path.write_bytes(content)
            monkeypatch.setattr(source, "demuxer_of", lambda head, name=demuxer: name)
            with pytest.raises(MediaUnreadable), source.open_media(str(path), MEDIA_LIMITS):
                pass
        assert requested == []


async def test_samples_that_are_said_to_lie_in_another_file_are_not_fetched_there(tmp_path, sibling):
    path = tmp_path / "x.mp4"
    with_foreign_data(path, str(sibling))
    with av.open(str(path), options={"enable_drefs": "1", "use_absolute_path": "1"}) as container:
        assert list(container.decode(video=0)), "the file leads to its sibling where that is allowed"
    await refused(path, tmp_path / "work", "damaged|cannot be decoded")


async def test_a_huge_picture_is_refused_by_its_size(tmp_path):
    huge_picture(tmp_path / "x.mp4")
    assert (tmp_path / "x.mp4").stat().st_size < 200_000
    await refused(tmp_path / "x.mp4", tmp_path / "work", "9000 x 4000 pixels; 33177600 in all are allowed")


async def test_a_picture_larger_than_its_header_says_is_refused_before_it_is_made_room_for(tmp_path):
    make_clip(tmp_path / "x.mkv", frames=5, width=640, height=480)
    small = replace(MEDIA_LIMITS, pixels=640 * 400)
    with pytest.raises(MediaUnreadable, match="pixels"):
        await probed(tmp_path / "x.mkv", small)


@pytest.mark.parametrize("name", ["x.mp4", "x.mkv"])
async def test_a_gap_of_hours_between_two_pictures_is_refused(name, tmp_path):
    make_clip(tmp_path / name, times=[0.0, 0.1, 10_800.0, 10_800.1], fps=10)
    assert (tmp_path / name).stat().st_size < 5000
    await refused(tmp_path / name, tmp_path / "work", "timestamps are broken: one picture would stand for 10[78]..")


async def test_a_video_that_announces_too_much_is_refused(tmp_path):
    make_clip(tmp_path / "x.mp4", frames=60)
    await refused(
        tmp_path / "x.mp4", tmp_path / "work", "hours long", media_limits=replace(MEDIA_LIMITS, duration_s=1.0)
    )


@pytest.mark.parametrize("codec", ["libx264", "libvpx-vp9"])
async def test_a_video_that_announces_nothing_and_never_ends_is_refused(codec, tmp_path):
    form = Form(frames=90, codec=codec, container="matroska", container_options={"live": "1"})
    make_clip(tmp_path / "x.mkv", form)
    await refused(
        tmp_path / "x.mkv", tmp_path / "work", "longer than", media_limits=replace(MEDIA_LIMITS, duration_s=1.0)
    )


async def test_too_many_streams_are_refused(tmp_path):
    make_clip(tmp_path / "x.mkv", frames=3, pictures=6)
    await refused(
        tmp_path / "x.mkv", tmp_path / "work", "more than 4 streams", media_limits=replace(MEDIA_LIMITS, streams=4)
    )


async def test_a_file_that_breaks_off_before_its_index_is_refused(tmp_path):
    halved(tmp_path / "end.mp4", frames=300)
    await refused(tmp_path / "end.mp4", tmp_path / "work", r"its index \(moov\) is missing")


@pytest.mark.req(714)
@pytest.mark.parametrize(
    ("name", "form", "said"),
    [
        (
            "begin.mp4",
            {"frames": 300, "container_options": {"movflags": "+faststart"}},
            r"cut off after .* announces 10\.0",
        ),
        ("x.mkv", {"frames": 300}, r"cut off after .* announces 10\.0"),
        ("v.mkv", {"frames": 300, "codec": "mpeg4"}, r"cut off after .* announces 10\.0"),
        ("x.avi", {"frames": 300, "options": {"bf": "0"}}, r"cut off after .* s of video"),
        ("x.flv", {"frames": 300}, r"cut off after .* announces 10\."),
    ],
)
async def test_a_file_that_breaks_off_is_used_and_says_where(name, form, said, tmp_path):
    halved(tmp_path / name, **form)
    made = await proxy_of(tmp_path / name, tmp_path / "work")
    assert re.search(said, made["note"])
    assert 2000 < made["duration_ms"] < 8000


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b"hello", "a text"),
        (b"\0\0\0\x20ftypisom" + bytes(1000), "moov"),
        (b"\x1a\x45\xdf\xa3" + bytes(1000), "damaged"),
        (b"RIFF\x10\0\0\0AVI " + bytes(1000), "damaged|no picture"),
        ((b"G" + bytes(187)) * 50, "damaged|no picture"),
        (b"FLV\x01\x05" + bytes(1000), "damaged|no picture"),
        (b"OggS" + bytes(1000), "damaged|no picture"),
        (b"\0\0\x01\xba" + bytes(1000), "damaged|no picture"),
        (b"\x30\x26\xb2\x75\x8e\x66\xcf\x11" + bytes(1000), "damaged|no picture"),
        (b"GIF89a\xff\xff\xff\xff\x00\x00\x00\x21\xf9\x04\x00\x0a\x00\x00\x00" + bytes(1000), "damaged|pixels|picture"),
        (b"\0\0\0\x01\x67" + bytes(1000), "damaged|no picture|codec"),
        (b"\0\0\0\x01\x40\x01" + bytes(1000), "damaged|no picture|codec"),
        (b"\0\0\x01\xb3" + bytes(1000), "damaged|no picture|codec"),
        (WEBP_HEAD + bytes(1000), "damaged"),
        (WEBP_HEAD[:24] + b"\xff" * 6 + bytes(1000), "pixels"),
        (WEBP_HEAD + (b"ANMF\0\0\0\0" * 400), "too much"),
    ],
)
async def test_what_only_begins_like_a_video_is_refused(content, reason, tmp_path):
    (tmp_path / "x.mp4").write_bytes(content)
    await refused(tmp_path / "x.mp4", tmp_path / "work", reason)


async def test_sound_without_pictures_is_refused(tmp_path):
    with av.open(str(tmp_path / "x.mp4"), "w") as output:
        stream = output.add_stream("aac", rate=48_000)
        for frame in beeps(Form(frames=30)):
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))
    await refused(tmp_path / "x.mp4", tmp_path / "work", "no picture in the file")


async def test_an_unknown_codec_is_refused(tmp_path):
    make_clip(tmp_path / "x.mp4", frames=5)
    content = (tmp_path / "x.mp4").read_bytes()
    (tmp_path / "x.mp4").write_bytes(content.replace(b"avc1\0\0\0\0", b"zzz1\0\0\0\0"))
    await refused(tmp_path / "x.mp4", tmp_path / "work", "codec that is not known|cannot be decoded")


async def test_bytes_changed_at_random_end_in_a_stream_or_in_a_reason(tmp_path):
    """Never in a crash, a hang or an unexpected file."""
    chance = random.Random(5)
    for name in ("x.mp4", "x.mkv", "x.ts"):
        make_clip(tmp_path / name, frames=30, sound="aac", options={"preset": "medium"})
        whole = (tmp_path / name).read_bytes()
        for number in range(6):
            broken = bytearray(whole)
            for _ in range(chance.choice((3, 30, 300))):
                broken[chance.randrange(12, len(broken))] = chance.randrange(256)
            (tmp_path / name).write_bytes(broken)
            with suppress(MediaUnreadable):
                made = await proxy_of(tmp_path / name, tmp_path / f"work-{name}-{number}")
                assert made["duration_ms"] > 0


async def test_work_that_eats_memory_ends_at_its_limit(tmp_path):
    quick = {"preset": "ultrafast"}
    make_clip(tmp_path / "x.mp4", frames=10, width=1920, height=1080, plain=90, rotation=90, options=quick)
    libraries = (await in_process(process_work.address_space, None))["bytes"]
    tight = replace(process_limits(SETTINGS), memory_bytes=libraries + 60 * 1024 * 1024)
    with pytest.raises(LimitExceeded, match="of memory, which is its limit"):
        await proxy_of(tmp_path / "x.mp4", tmp_path / "work", limits=tight)


async def test_work_that_writes_without_end_ends_at_its_limit(tmp_path):
    make_clip(tmp_path / "x.mp4", frames=150, width=320, height=240)
    tight = replace(process_limits(SETTINGS), file_bytes=5000)
    with pytest.raises(LimitExceeded, match="into one file"):
        await proxy_of(tmp_path / "x.mp4", tmp_path / "work", limits=tight)


async def test_work_that_takes_too_long_ends_at_its_limit(tmp_path):
    make_clip(tmp_path / "x.webm", frames=30, codec="libvpx-vp9")
    tight = replace(process_limits(SETTINGS), wall_s=0.01)
    with pytest.raises(LimitExceeded, match=r"longer than 0\.01 s"):
        await proxy_of(tmp_path / "x.webm", tmp_path / "work", limits=tight)


async def test_a_crashing_decoder_does_not_affect_other_jobs(tmp_path):
    with pytest.raises(ProcessCrashed, match="SIGSEGV"):
        await in_process(process_work.crash, None)
    make_clip(tmp_path / "x.mp4", frames=30)
    assert (await proxy_of(tmp_path / "x.mp4", tmp_path / "work"))["duration_ms"] == 1000
    playlist = tmp_path / "work" / "stream" / "index.m3u8"
    assert len(read_numbers(playlist, options={"allowed_extensions": "ALL"})) == 30


async def test_the_reason_contains_no_internal_path(tmp_path):
    (tmp_path / "x.mp4").write_bytes(b"\x1a\x45\xdf\xa3" + bytes(1000))
    with pytest.raises(MediaUnreadable) as caught:
        await proxy_of(tmp_path / "x.mp4", tmp_path / "work")
    assert str(tmp_path) not in str(caught.value)
