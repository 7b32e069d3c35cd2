"""Procrastinate on psycopg's pool."""

import asyncio
import time

import procrastinate
from contest import PAYLOAD, Latency, from_tasks, go, main


def _app(url: str) -> procrastinate.App:
    return procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=url, min_size=4, max_size=16))


async def setup(url: str, count: int) -> None:
    async with _app(url).open_async() as app:
        await app.schema_manager.apply_schema_async()


async def fill(url: str, count: int) -> float:
    app = _app(url)

    @app.task(name="noop")
    async def noop(**_payload) -> None: ...

    async with app.open_async():
        started = time.perf_counter()
        for start in range(0, count, 1000):
            await noop.batch_defer_async(*([PAYLOAD] * min(1000, count - start)))
        return time.perf_counter() - started


async def drain(url: str, count: int) -> dict[str, float]:
    app = _app(url)
    done = 0

    @app.task(name="noop")
    async def noop(**_payload) -> None:
        nonlocal done
        done += 1

    async with app.open_async():
        await go()
        began = time.perf_counter()
        await app.run_worker_async(concurrency=50, wait=False, install_signal_handlers=False)
        return {"done": done, "seconds": time.perf_counter() - began}


async def singly(url: str, count: int) -> float:
    app = _app(url)

    @app.task(name="noop")
    async def noop(**_payload) -> None: ...

    async with app.open_async():
        return await from_tasks(count, lambda: noop.defer_async(**PAYLOAD))


async def latency(url: str, count: int) -> list[float]:
    app = _app(url)
    timing = Latency()

    @app.task(name="noop")
    async def noop(**_payload) -> None:
        timing.handler_started()

    async with app.open_async():
        task = asyncio.create_task(app.run_worker_async(concurrency=10, install_signal_handlers=False))
        await asyncio.sleep(1.0)
        found = await timing.measure(count, lambda: noop.defer_async(**PAYLOAD))
        task.cancel()
        await asyncio.wait((task,), timeout=5)
        return found


main(setup=setup, fill=fill, drain=drain, singly=singly, latency=latency)
