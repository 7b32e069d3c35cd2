"""The usual way to broadcast with Starlette: `gather` over `send_text`. Messages come whole with the notification.

live_gather.py DATABASE_URL PORT
"""

import asyncio
import sys
from contextlib import asynccontextmanager

import asyncpg
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect


def make(url):
    clients = set()

    async def follow(socket):
        await socket.accept()
        await socket.send_text('{"type":"hello"}')
        clients.add(socket)
        try:
            while True:
                await socket.receive_text()
        except WebSocketDisconnect:
            clients.discard(socket)

    @asynccontextmanager
    async def lifespan(app):
        heard = asyncio.Queue()
        connection = await asyncpg.connect(url)
        await connection.add_listener("gather", lambda *said: heard.put_nowait(said[3]))

        async def broadcast():
            while True:
                text = await heard.get()
                await asyncio.gather(*(client.send_text(text) for client in tuple(clients)), return_exceptions=True)

        task = asyncio.create_task(broadcast())
        yield
        task.cancel()
        await connection.close()

    async def health(request):
        return PlainTextResponse("ok")

    return Starlette(routes=[WebSocketRoute("/ws/events", follow), Route("/api/health", health)], lifespan=lifespan)


if __name__ == "__main__":
    uvicorn.run(
        make(sys.argv[1]),
        port=int(sys.argv[2]),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        loop="uvloop",
        log_level="warning",
    )
