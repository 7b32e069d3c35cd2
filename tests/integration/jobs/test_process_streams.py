"""The streams by which processes report, on the event loop that the platform runs on."""

import multiprocessing
import os
import threading
import time
from collections import deque

import pytest
import uvloop

from sightline.jobs.process import stream_of

OPENERS = 2
HELD = 20
STREAMS = 3000


@pytest.mark.req(1090)
def test_closing_the_stream_of_a_process_closes_no_file_of_another_thread():
    lost: list[OSError] = []
    is_over = threading.Event()

    def open_files() -> None:
        held: deque[int] = deque()
        while not is_over.is_set():
            held.append(os.open(os.devnull, os.O_RDONLY))
            time.sleep(0)  # lets the thread of the loop go on
            if len(held) == HELD:
                close(held.popleft())
        for number in held:
            close(number)

    def close(number: int) -> None:
        try:
            os.close(number)
        except OSError as error:
            lost.append(error)

    threads = [threading.Thread(target=open_files) for _ in range(OPENERS)]
    for thread in threads:
        thread.start()
    try:
        uvloop.run(_read_from_many())
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    assert not lost


async def _read_from_many() -> None:
    for number in range(STREAMS):
        ours, theirs = multiprocessing.Pipe(duplex=True)
        async with stream_of(ours, limit=1024) as (reader, _):
            os.write(theirs.fileno(), b"%d\n" % number)
            assert await reader.readline() == b"%d\n" % number
            theirs.close()
            assert await reader.read() == b""
        ours.close()
