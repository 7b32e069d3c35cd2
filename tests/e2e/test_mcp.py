"""`sightline mcp` as assistants use it: started by a client of the official SDK, against a platform that runs."""

import asyncio
import base64
import json
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

from support.events_by_http import report_knife
from support.platform_process import environment
from support.sample_film import make_film
from support.waiting import soon

READING = {
    "search_videos",
    "list_videos",
    "get_transcript",
    "list_moments",
    "get_frame",
    "get_moment_link",
    "list_events",
}
CHANGING = {"acknowledge_event", "upload_video"}

pytestmark = pytest.mark.asyncio(loop_scope="session")


def assistant(address: str, *options: str, mode: str = "legacy", **variables: str) -> Client:
    arguments = ["-m", "sightline", "mcp", "--server", address, *options]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=environment() | variables)
    return Client(stdio_client(server), mode=mode)


async def text_of(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return "\n".join(part.text for part in result.content if part.type == "text")


async def error_of(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.content
    (said,) = result.content
    assert said.type == "text"
    return said.text


@pytest.mark.req(778)
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_an_assistant_finds_reads_and_opens_a_moment(address: str, video_id: str, mode: str):
    async with assistant(address, mode=mode) as client:
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == READING
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
        found = await text_of(client, "search_videos", query="invoice total")
        assert f"({video_id}) 3" in found
        assert "shown: Invoice total: $1,475.25" in found
        assert f"{address}/ui/videos/{video_id}?t=3" in found
        around = await text_of(client, "get_transcript", video_id=video_id, from_seconds=3, until_seconds=5)
        assert "Invoice total" in around
        assert "Welcome" not in around
        picture, caption = (await client.call_tool("get_frame", {"video_id": video_id, "at_seconds": 4})).content
        assert picture.type == "image"
        assert caption.type == "text"
        assert picture.mime_type == "image/jpeg"
        assert base64.b64decode(picture.data).startswith(b"\xff\xd8")
        assert f"/ui/videos/{video_id}?t=4" in caption.text
        assert (await text_of(client, "list_moments", video_id=video_id)).count("/ui/videos/") == 4
        link = await text_of(client, "get_moment_link", video_id=video_id, at_seconds=6.5)
        assert link == f"{address}/ui/videos/{video_id}?t=6.5"
        assert video_id in await text_of(client, "list_videos")


@pytest.mark.req(779)
async def test_changes_are_offered_only_where_they_are_allowed(address: str, tmp_path: Path):
    film = tmp_path / "harbour.mp4"
    await asyncio.to_thread(make_film, film, 9, 11)
    async with httpx.AsyncClient(base_url=address, timeout=None) as http:
        event_id = await report_knife(http, "Gate")
        async with assistant(address) as client:
            assert f"event {event_id} " in await text_of(client, "list_events", state="broadcasted")
            with pytest.raises(MCPError, match="no tool"):
                await client.call_tool("acknowledge_event", {"event_id": event_id})
        async with assistant(address, "--allow-changes") as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == READING | CHANGING
            assert "acknowledged" in await text_of(client, "acknowledge_event", event_id=event_id)
            assert "Uploaded as video" in await text_of(client, "upload_video", path=str(film))
            secret = tmp_path / "passwords.mp4"
            secret.write_text("root:x:0:0")
            for path in (str(secret), "/etc/passwd", "talk.mp4", "/", "/dev/zero", "\x00", "~/.ssh/id_rsa"):
                assert await error_of(client, "upload_video", path=path)
        assert (await http.get(f"/api/events/{event_id}")).json()["state"] == "acknowledged"


@pytest.mark.req(779)
async def test_wrong_arguments_are_explained_and_change_nothing(address: str, video_id: str):
    unknown = "00000000-0000-0000-0000-000000000000"
    async with assistant(address) as client:
        cases: list[tuple[str, dict[str, Any], str]] = [
            ("search_videos", {}, "query: Field required"),
            ("search_videos", {"query": "x" * 501}, "at most 500"),
            ("search_videos", {"query": "x", "limit": 10**9}, "less than or equal to 50"),
            ("search_videos", {"query": "x", "password": "y"}, "password: Extra inputs"),
            ("get_transcript", {"video_id": "../../etc/passwd"}, "video_id: Input should be a valid UUID"),
            ("get_transcript", {"video_id": unknown}, "no video"),
            ("get_transcript", {"video_id": video_id, "from_seconds": 5, "until_seconds": 5}, "must be after"),
            ("get_frame", {"video_id": video_id, "at_seconds": -1}, "greater than or equal to 0"),
            ("get_frame", {"video_id": video_id, "at_seconds": "NaN"}, "finite"),
            ("get_frame", {"video_id": unknown, "at_seconds": 1}, "no video"),
            ("get_moment_link", {"video_id": video_id, "at_seconds": 4000}, "15 s long"),
            ("list_events", {"since": "yesterday"}, "since"),
        ]
        for tool, arguments, expected in cases:
            assert expected in await error_of(client, tool, **arguments), tool
        with pytest.raises(MCPError, match="no tool"):
            await client.call_tool("drop_table", {})
        assert video_id in await text_of(client, "list_videos")


@pytest.mark.req(779)
async def test_a_platform_that_is_away_is_an_error_that_says_so(unused_tcp_port: int):
    async with assistant(f"http://127.0.0.1:{unused_tcp_port}") as client:
        assert "no response from the server at http://127.0.0.1" in await error_of(client, "list_videos")


@pytest.mark.req(779)
async def test_lines_that_are_no_requests_are_refused_and_the_next_is_answered(address: str):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightline", "mcp", "--server", address),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=environment(),
        limit=4 * 1024 * 1024,
    )
    wrong = [
        b"hello",
        b"[" * 100_000,
        b"[]",
        b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * 2_000_000 + b'"}',
        b"\xff\xfe",
    ]
    ping = b'{"jsonrpc": "2.0", "id": "last", "method": "ping"}'
    ignored = [
        b"",
        b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        b'{"jsonrpc":"2.0","id":9,"result":{}}',
    ]
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"\n".join([*wrong, *ignored, ping, b""]))
    answers: list[dict[str, Any]] = []
    # The input ends after the last answer: what is under way by then is cancelled.
    while not answers or answers[-1].get("id") != "last":
        answers.append(json.loads(await soon(process.stdout.readline(), within_s=60)))
    out, _ = await soon(process.communicate(b""), within_s=60)  # ends the input
    assert out == b""
    assert [answer["error"]["code"] in (-32700, -32600) for answer in answers[:-1]] == [True] * len(wrong)
    assert answers[-1] == {"jsonrpc": "2.0", "id": "last", "result": {}}
    assert process.returncode == 0
