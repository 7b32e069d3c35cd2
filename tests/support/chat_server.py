"""A model behind an OpenAI-compatible chat API, as a real HTTP server that answers what a test says."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

Decide = Callable[[dict[str, Any], int], Awaitable[web.StreamResponse] | web.StreamResponse]
"""Given the request and how many came before it."""


class ChatServer:
    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.at_once = 0
        self.most_at_once = 0
        self.decide: Decide = lambda _, __: completion(clips())
        self.url = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        number = len(self.asked)
        self.asked.append(body)
        self.headers.append(dict(request.headers))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(0)
            answer = self.decide(body, number)
            return await answer if isinstance(answer, Awaitable) else answer
        finally:
            self.at_once -= 1


def clips(*found: dict[str, Any], summary: str = "They fight.") -> dict[str, Any]:
    return {"clips": list(found), "summary": summary}


def one_clip(start_ms: int, end_ms: int, **changes: Any) -> dict[str, Any]:
    usual = {
        "start_ms": start_ms,
        "end_ms": end_ms,
        "category": "GUARD_PLAY",
        "specific_technique": "Scissor Sweep",
        "role": "athlete in white gi",
        "reasoning": "the legs cross",
        "confidence": 0.8,
    }
    return usual | changes


def completion(content: object, **message: Any) -> web.Response:
    text = content if isinstance(content, str) else json.dumps(content)
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text} | message}
    usage = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
    return web.json_response({"id": "1", "object": "chat.completion", "choices": [choice], "usage": usage})


def shown_ms(body: dict[str, Any]) -> list[int]:
    """The times of the frames that a question shows."""
    texts = [one["text"] for one in body["messages"][1]["content"] if one["type"] == "text"]
    return [int(text.split()[2]) for text in texts if text.startswith("Frame at ")]


@asynccontextmanager
async def chat_server() -> AsyncIterator[ChatServer]:
    server = ChatServer()
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/chat/completions", server.serve)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    server.url = f"http://127.0.0.1:{port}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()
