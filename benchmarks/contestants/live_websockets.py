"""`websockets.broadcast`, the fast way of the library `websockets`. Messages come whole with the notification.

live_websockets.py DATABASE_URL PORT
"""

import asyncio
import http
import sys

import asyncpg
import uvloop
from websockets.asyncio.server import broadcast, serve


async def main(url, port):
    clients = set()

    async def follow(socket):
        await socket.send('{"type":"hello"}')
        clients.add(socket)
        try:
            await socket.wait_closed()
        finally:
            clients.discard(socket)

    def health(connection, request):
        return connection.respond(http.HTTPStatus.OK, "ok") if request.path == "/api/health" else None

    connection = await asyncpg.connect(url)
    await connection.add_listener("gather", lambda *said: broadcast(clients, said[3]))
    async with serve(follow, "127.0.0.1", port, compression=None, process_request=health, ping_interval=None):
        await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], int(sys.argv[2])))
