"""python-socketio's `emit` to everybody. Messages come whole with the notification.

live_socketio.py DATABASE_URL PORT
"""

import asyncio
import json
import sys

import asyncpg
import socketio
import uvicorn


async def health(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


async def main(url, port):
    server = socketio.AsyncServer(async_mode="asgi", ping_interval=600, transports=["websocket"])
    heard = asyncio.Queue()

    async def emit():
        while True:
            await server.emit("message", json.loads(await heard.get()))

    connection = await asyncpg.connect(url)
    await connection.add_listener("gather", lambda *said: heard.put_nowait(said[3]))
    emitting = asyncio.create_task(emit())
    await uvicorn.Server(
        uvicorn.Config(
            socketio.ASGIApp(server, health),
            port=port,
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            loop="uvloop",
            log_level="warning",
        )
    ).serve()
    emitting.cancel()


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(sys.argv[1], int(sys.argv[2])))
