"""`Sightline`: the client for programs without asyncio. Each call runs that of `AsyncSightline` on another thread (ADR 0078)."""

import asyncio
import threading
import weakref
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from sightline.client.async_client import AsyncSightline, VideoRef

P = ParamSpec("P")
T = TypeVar("T")

CLOSED = "this Sightline client is closed"


class LoopThread:
    """An event loop that runs on a daemon thread until it is stopped."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="sightline-client", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._loop.run_forever()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Waits for the result. An interruption such as Ctrl-C cancels the work."""
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("this client cannot be used from its own progress function")
        if self._loop.is_closed():
            work.close()
            raise RuntimeError(CLOSED)
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except CancelledError as error:
            raise RuntimeError(CLOSED) from error
        except BaseException:
            future.cancel()
            raise

    def stop(self, last_work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Cancels what runs, so that no thread waits for it forever, and runs the last work."""

        async def end() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            await last_work()
            await self._loop.shutdown_asyncgens()

        if threading.current_thread() is self._thread:  # collected there as garbage: nobody can wait for the end
            self._loop.create_task(end()).add_done_callback(lambda _: self._loop.stop())
            return
        self.run(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()


def _blocking(
    method: Callable[Concatenate[AsyncSightline, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate["Sightline", P], T]:
    @wraps(method)
    def call(self: "Sightline", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._thread.run(method(self._client, *args, **kwargs))

    return call


def _iterating(
    method: Callable[Concatenate[AsyncSightline, P], AsyncIterable[T]],
) -> Callable[Concatenate["Sightline", P], Iterator[T]]:
    @wraps(method)
    def call(self: "Sightline", /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        items = aiter(method(self._client, *args, **kwargs))
        try:
            while True:
                item = self._thread.run(_next_of(items))
                if isinstance(item, _End):
                    return
                yield item
        finally:
            if self._stop.alive:
                self._thread.run(_close(items))

    return call


class _End:
    """The end of an iterator; an exception would keep the client alive until the garbage collector runs."""


async def _next_of(items: AsyncIterator[T]) -> T | _End:
    return await anext(items, _End())


async def _close(items: Any) -> None:
    while items.ag_running:  # noqa: ASYNC110 - nothing tells when an interrupted step has been cancelled
        await asyncio.sleep(0)
    await items.aclose()


class Sightline:
    """A client of one platform. Close it, or use it in a `with` block. It may be used from several threads.

    Every failure is a `sightline.client.PlatformError`. Calls that are safe to repeat are repeated with growing delays while the
    server is away; `timeout_s` limits each attempt. Functions passed as `progress` are called on the client's own thread.
    """

    def __init__(self, url: str, *, token: str | None = None, api_key: str | None = None, **options: Any) -> None:
        """`options` are those of `AsyncSightline`, such as `timeout_s`."""
        self._client = AsyncSightline(url, token=token, api_key=api_key, **options)
        self._thread = LoopThread()
        self._stop = weakref.finalize(self, self._thread.stop, self._client.close)

    @property
    def url(self) -> str:
        return self._client.url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends what other threads wait for, too."""
        self._stop()

    def page_url(self, video: VideoRef, *, at_ms: int | None = None) -> str:
        """Address of the web page that plays the video, from this time on."""
        return self._client.page_url(video, at_ms=at_ms)

    upload = _blocking(AsyncSightline.upload)
    wait_until_searchable = _blocking(AsyncSightline.wait_until_searchable)
    videos = _iterating(AsyncSightline.videos)
    video = _blocking(AsyncSightline.video)
    delete_video = _blocking(AsyncSightline.delete_video)

    search = _iterating(AsyncSightline.search)
    search_page = _blocking(AsyncSightline.search_page)
    segments = _iterating(AsyncSightline.segments)
    captions = _blocking(AsyncSightline.captions)

    frames = _iterating(AsyncSightline.frames)
    frame_at = _blocking(AsyncSightline.frame_at)
    picture = _blocking(AsyncSightline.picture)

    make_clip = _blocking(AsyncSightline.make_clip)
    clip = _blocking(AsyncSightline.clip)
    clips = _iterating(AsyncSightline.clips)
    wait_for_clip = _blocking(AsyncSightline.wait_for_clip)
    download_clip = _blocking(AsyncSightline.download_clip)

    events = _iterating(AsyncSightline.events)
    event = _blocking(AsyncSightline.event)
    acknowledge = _blocking(AsyncSightline.acknowledge)
    resolve = _blocking(AsyncSightline.resolve)
    live = _iterating(AsyncSightline.live)

    jobs = _iterating(AsyncSightline.jobs)
    job = _blocking(AsyncSightline.job)
