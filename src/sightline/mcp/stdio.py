"""MCP over standard input and output: one message per line. Everything else goes to standard error."""

import asyncio
import threading
from typing import BinaryIO

from sightline.mcp.json_rpc import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Incoming,
    RequestId,
    RpcError,
    error_message,
    parse,
    result_message,
)
from sightline.mcp.server import McpServer

MAX_LINE_BYTES = 1024 * 1024
MAX_PARALLEL = 8
_CANCELLED = "notifications/cancelled"


async def serve_stdio(server: McpServer, source: BinaryIO, target: BinaryIO) -> None:
    """Until the input ends; requests that are under way are then cancelled."""
    await _StdioConnection(server, target).run(source)


class _StdioConnection:
    def __init__(self, server: McpServer, target: BinaryIO) -> None:
        self._server = server
        self._target = target
        self._writing = asyncio.Lock()
        self._slots = asyncio.Semaphore(MAX_PARALLEL)
        self._tasks: dict[RequestId, asyncio.Task[None]] = {}

    async def run(self, source: BinaryIO) -> None:
        lines = _lines(source)
        try:
            while (line := await lines.get()) is not None:
                await self._handle(line)
        finally:
            tasks = list(self._tasks.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _handle(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            if len(line) > MAX_LINE_BYTES:
                raise RpcError(INVALID_REQUEST, f"a message may have at most {MAX_LINE_BYTES} bytes")
            message = parse(line)
        except RpcError as error:
            await self._write(error_message(None, error))
            return
        if message is None:
            return
        if message.id is None:
            self._notice(message)
            return
        if message.id in self._tasks:
            doubled = RpcError(INVALID_REQUEST, "a request with this id is under way")
            await self._write(error_message(message.id, doubled))
            return
        await self._slots.acquire()  # an assistant that asks faster than it is answered waits here
        self._tasks[message.id] = asyncio.create_task(self._respond(message, message.id))

    def _notice(self, message: Incoming) -> None:
        request_id = message.params.get("requestId")
        if message.method == _CANCELLED and isinstance(request_id, str | int) and request_id in self._tasks:
            self._tasks[request_id].cancel()

    async def _respond(self, message: Incoming, request_id: RequestId) -> None:
        try:
            try:
                answer = result_message(request_id, await self._server.handle(message.method, message.params))
            except RpcError as error:
                answer = error_message(request_id, error)
            except Exception as error:  # one failed request must not end the connection
                answer = error_message(request_id, RpcError(INTERNAL_ERROR, f"{type(error).__name__}: {error}"))
            await self._write(answer)
        finally:
            self._tasks.pop(request_id, None)
            self._slots.release()

    async def _write(self, line: bytes) -> None:
        async with self._writing:
            await asyncio.to_thread(self._write_now, line)

    def _write_now(self, line: bytes) -> None:
        self._target.write(line)
        self._target.flush()


def _lines(source: BinaryIO) -> "asyncio.Queue[bytes | None]":
    """Lines as they come, and None at the end. A daemon thread reads them, since a blocked read cannot be cancelled."""
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[bytes | None](MAX_PARALLEL)

    def read() -> None:
        try:
            while line := source.readline(MAX_LINE_BYTES + 1):
                rest = line
                while not rest.endswith(b"\n") and (rest := source.readline(MAX_LINE_BYTES)):
                    pass  # of a line that is too long only the beginning is kept
                asyncio.run_coroutine_threadsafe(queue.put(line), loop).result()
            asyncio.run_coroutine_threadsafe(queue.put(None), loop).result()
        except (RuntimeError, asyncio.CancelledError):
            return  # the loop has ended

    threading.Thread(target=read, name="mcp-input", daemon=True).start()
    return queue
