"""Object store benchmark: speed, CPU and memory of parts on the disk backend, nginx, S3 emulators and the bare disk.

.venv/bin/python benchmarks/uploads.py [--quick] [--json] [--only put]
"""

import asyncio
import base64
import hashlib
import http.client
import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from harness import Result, main
from object_servers import BUCKET, Running, Unavailable, running
from sightline.objects.disk.parts import PartRecord, record_part
from sightline.objects.protocol import Digests
from sightline.timing import utc_now
from slow_disk import throttled_disk

MIB, GIB = 1024**2, 1024**3
CONNECTIONS = 4
CHOSEN = "sightline, CRC64NVME chosen"
CRC64_HEADER = "x-amz-checksum-crc64nvme"
SLOW = 100_000_000
"""Bytes per second."""


def send_parts(
    urls: Sequence[str],
    source: Path,
    length: int,
    connections: int = CONNECTIONS,
    headers: Mapping[str, str] | None = None,
) -> float:
    """Sends the same bytes from the page cache to each URL; returns the seconds it took."""
    left = list(reversed(urls))
    failures: list[str] = []
    lock = threading.Lock()

    def work() -> None:
        where = urlsplit(urls[0])
        connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=600)
        connection.connect()
        with source.open("rb") as file:
            while True:
                with lock:
                    if not left or failures:
                        return
                    parts = urlsplit(left.pop())
                connection.putrequest("PUT", f"{parts.path}?{parts.query}" if parts.query else parts.path)
                connection.putheader("Content-Length", str(length))
                for name, value in (headers or {}).items():
                    connection.putheader(name, value)
                connection.endheaders()
                file.seek(0)
                connection.sock.sendfile(file, 0, length)
                answer = connection.getresponse()
                text = answer.read()
                if answer.status not in (200, 201, 204):
                    failures.append(f"{answer.status} {text[:300]!r}")

    threads = [threading.Thread(target=work) for _ in range(connections)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise RuntimeError(failures[0])
    return time.perf_counter() - started


def some_file(directory: str, length: int) -> Path:
    """Random bytes, which no file system can compress."""
    path = Path(directory) / "source"
    with path.open("wb") as file:
        for _ in range(length // MIB):
            file.write(os.urandom(MIB))
    return path


def bare_disk(directory: str, source: Path, length: int, count: int, prefix: Sequence[str] = ()) -> float:
    """MiB/s of dd with the same bytes, a file and an fdatasync per part."""
    target = Path(directory) / "target"
    started = time.perf_counter()
    for _ in range(count):
        command = ["dd", f"if={source}", f"of={target}", "bs=1M", "conv=fdatasync", "status=none"]
        subprocess.run([*prefix, *command], check=True)
    seconds = time.perf_counter() - started
    target.unlink()
    return length * count / MIB / seconds


def crc64_header(source: Path, length: int) -> dict[str, str]:
    """The checksum that a client sends which chooses one that the processor computes."""
    digests = Digests(["crc64nvme"], with_md5=False)
    digests.update(source.read_bytes()[:length])
    return {CRC64_HEADER: base64.b64encode(digests.digest("crc64nvme")).decode()}


def md5_rate(source: Path) -> float:
    content = source.read_bytes()
    started = time.perf_counter()
    hashlib.md5(content).hexdigest()
    return len(content) / MIB / (time.perf_counter() - started)


async def put(is_quick: bool) -> Result:
    """Rounds alternate between servers, because the machine is shared; the median counts."""
    length, count, rounds = (8 * MIB, 16, 1) if is_quick else (32 * MIB, 32, 5)
    rates: dict[str, list[float]] = {}
    costs: dict[str, list[float]] = {}
    notes = [f"{count} parts of {length // MIB} MiB over {CONNECTIONS} connections, {rounds} rounds, median"]
    notes.append("ours: md5, fsync, atomic; nginx: neither md5 nor fsync; s3rver, ministack: md5, no fsync")
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as directory:
        source = await asyncio.to_thread(some_file, directory, length)
        for number in range(rounds):
            rates.setdefault("dd conv=fdatasync", []).append(
                await asyncio.to_thread(bare_disk, directory, source, length, count)
            )
            rates.setdefault("md5 of one core", []).append(await asyncio.to_thread(md5_rate, source))
            chosen = await asyncio.to_thread(crc64_header, source, length)
            for name in ("sightline", CHOSEN, "nginx DAV", "s3rver", "ministack"):
                try:
                    async with running("sightline" if name == CHOSEN else name) as server:
                        some = count if name != "ministack" else count // 4
                        rate, cost = await _one_round(server, source, length, some, chosen if name == CHOSEN else None)
                except Unavailable as error:
                    if not number:
                        notes.append(f"{name}: {error}")
                    continue
                rates.setdefault(name, []).append(rate)
                costs.setdefault(name, []).append(cost)
    figures = {f"{name}, MiB/s": median(found) for name, found in rates.items()}
    figures |= {f"{name}, CPU-s per GiB": median(found) for name, found in costs.items()}
    ours = figures["sightline, MiB/s"]
    others = {name: median(found) for name, found in rates.items() if name not in ("sightline", CHOSEN)}
    ratios = {f"sightline / {name}": ours / rate for name, rate in others.items()}
    ratios |= {f"{CHOSEN} / {name}": figures[f"{CHOSEN}, MiB/s"] / rate for name, rate in others.items()}
    return Result("PUT of parts", figures, "MiB/s and CPU-s of the server per GiB", ratios, notes)


async def _one_round(
    server: Running, source: Path, length: int, count: int, headers: Mapping[str, str] | None = None
) -> tuple[float, float]:
    signed = {"ChecksumCRC64NVME": headers[CRC64_HEADER]} if headers else None
    _, urls = await server.part_urls("video.mp4", count, signed)
    before = server.cpu_s()
    seconds = await asyncio.to_thread(send_parts, urls, source, length, CONNECTIONS, headers)
    return length * count / MIB / seconds, (server.cpu_s() - before) / (length * count / GIB)


async def slow_disk(is_quick: bool) -> Result:
    """The same on a disk that the kernel limits to 100 MB/s, like a hard disk or a small cloud volume."""
    length, count = (8 * MIB, 8) if is_quick else (32 * MIB, 16)
    figures: dict[str, float] = {}
    ratios: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as directory:
        source = await asyncio.to_thread(some_file, directory, length)
        try:
            with throttled_disk(Path(directory), SLOW) as prefix:
                figures["dd conv=fdatasync"] = disk = await asyncio.to_thread(
                    bare_disk, directory, source, length, count, prefix
                )
                for connections in (1, CONNECTIONS):
                    async with running("sightline", prefix) as server:
                        _, urls = await server.part_urls("video.mp4", count)
                        seconds = await asyncio.to_thread(send_parts, urls, source, length, connections)
                    figures[f"sightline, {connections} connections"] = rate = length * count / MIB / seconds
                    ratios[f"sightline / disk, {connections} connections"] = rate / disk
        except Unavailable as error:
            return Result("PUT of parts to a slow disk", {}, "MiB/s", notes=[str(error)])
    return Result("PUT of parts to a slow disk", figures, "MiB/s", ratios)


async def complete(is_quick: bool) -> Result:
    """Completes an upload of 10 GiB: in place, and where part lengths force a copy; its files are sparse."""
    size, length = (GIB, 32 * MIB) if is_quick else (10 * GIB, 32 * MIB)
    figures: dict[str, float] = {}
    async with running("sightline") as server:
        for label, is_even in (("parts of one length, in place", True), ("parts of all lengths, copied", False)):
            before = server.rss()
            seconds = await _complete_sparse(server, size, length, is_even=is_even)
            figures[f"{label}, ms"] = seconds * 1000
            figures[f"{label}, memory grew by MiB"] = (server.rss() - before) / MIB
        for parts in (100, 10_000):
            seconds = await _complete_sparse(server, parts * 5 * MIB, 5 * MIB, is_even=True)
            figures[f"{parts} parts of 5 MiB, in place, ms"] = seconds * 1000
    return Result(f"completing a sparse upload of {size // GIB} GiB", figures, "ms, MiB")


async def _complete_sparse(server: Running, size: int, length: int, *, is_even: bool) -> float:
    """Creates the parts on disk as the backend would have written them, without their bytes."""
    key = f"sparse-{is_even}-{size}"
    async with server.s3() as s3:
        upload_id = (await s3.create_multipart_upload(Bucket=BUCKET, Key=key))["UploadId"]
        folder = server.directory / "objects" / ".sightline" / "uploads" / upload_id
        records = await asyncio.to_thread(_create_parts, folder, size, length, is_even)
        named = [{"PartNumber": one.number, "ETag": f'"{one.etag}"'} for one in records]
        started = time.perf_counter()
        await s3.complete_multipart_upload(Bucket=BUCKET, Key=key, UploadId=upload_id, MultipartUpload={"Parts": named})
        seconds = time.perf_counter() - started
        found = await s3.head_object(Bucket=BUCKET, Key=key)
        assert found["ContentLength"] == sum(one.size for one in records)
        return seconds


def _create_parts(folder: Path, size: int, length: int, is_even: bool) -> list[PartRecord]:
    file = f"data-{length}"
    with (folder / file).open("wb") as data:
        data.truncate(size)
    records = []
    for number in range(1, size // length + 1):
        # Where lengths differ, each part ends before the next one starts, and no part but the first is in position.
        kept = length if is_even else length - number
        records.append(PartRecord(number, f"{number:032x}", kept, file, (number - 1) * length, utc_now()))
    for record in records[:-1]:
        _record_fast(folder, record)
    record_part(folder, records[-1])
    return records


def _record_fast(folder: Path, part: PartRecord) -> None:
    """Appends to the journal without waiting for the disk."""
    line = [part.number, part.etag, part.size, part.file, part.offset, part.stored_at.isoformat()]
    with (folder / "parts.jsonl").open("a") as journal:
        journal.write(json.dumps(line) + "\n")


async def memory(is_quick: bool) -> Result:
    """Peak memory of the server while it receives and sends an object of each size, in parts of 32 MiB."""
    sizes = (10 * MIB, 256 * MIB) if is_quick else (10 * MIB, 100 * MIB, GIB, 10 * GIB)
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as directory:
        source = await asyncio.to_thread(some_file, directory, 32 * MIB)
        async with running("sightline") as server:
            await _whole_upload(server, source, 10 * MIB)  # the one-time cost of the first request
            for size in sizes:
                peak = await _peak_of(server, source, size)
                figures[f"{size // MIB} MiB"] = peak / MIB
    smallest, largest = figures[f"{sizes[0] // MIB} MiB"], figures[f"{sizes[-1] // MIB} MiB"]
    return Result(
        "peak memory of the server by size of the object", figures, "MiB", {"largest / smallest": largest / smallest}
    )


async def _peak_of(server: Running, source: Path, size: int) -> int:
    stop = threading.Event()
    peaks: list[int] = []

    def watch() -> None:
        while not stop.wait(0.02):
            peaks.append(server.rss())

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        await _whole_upload(server, source, size)
    finally:
        stop.set()
        watching.join()
    return max(peaks)


async def _whole_upload(server: Running, source: Path, size: int) -> None:
    length = min(size, 32 * MIB)
    count = -(-size // length)
    upload_id, urls = await server.part_urls("memory.mp4", count)
    await asyncio.to_thread(send_parts, urls, source, length)
    async with server.s3() as s3:
        wanted = {"Bucket": BUCKET, "Key": "memory.mp4", "UploadId": upload_id}
        parts = []
        async for page in s3.get_paginator("list_parts").paginate(**wanted):
            parts += [{"PartNumber": one["PartNumber"], "ETag": one["ETag"]} for one in page["Parts"]]
        await s3.complete_multipart_upload(**wanted, MultipartUpload={"Parts": parts})
        body = (await s3.get_object(Bucket=BUCKET, Key="memory.mp4"))["Body"]
        async for _ in body.iter_chunks(MIB):
            pass


async def get(is_quick: bool) -> Result:
    """Eight clients each read a range of 32 MiB."""
    length, rounds = (8 * MIB, 1) if is_quick else (32 * MIB, 5)
    figures: dict[str, list[float]] = {}
    notes: list[str] = []
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as directory:
        source = await asyncio.to_thread(some_file, directory, length)
        for number in range(rounds):
            for name in ("sightline", "nginx DAV", "s3rver"):
                try:
                    async with running(name) as server:
                        figures.setdefault(name, []).append(await _read_rate(server, source, length))
                except Unavailable as error:
                    if not number:
                        notes.append(f"{name}: {error}")
    shown = {name: median(found) for name, found in figures.items()}
    ratios = {f"sightline / {name}": shown["sightline"] / rate for name, rate in shown.items() if name != "sightline"}
    return Result("GET of ranges, 8 clients", shown, "MiB/s, median of rounds", ratios, notes)


async def _read_rate(server: Running, source: Path, length: int) -> float:
    if server.credentials is None:
        url = f"{server.url}/video.mp4"
        await asyncio.to_thread(send_parts, [url], source, length, 1)
    else:
        async with server.s3() as s3:
            await s3.put_object(Bucket=BUCKET, Key="video.mp4", Body=await asyncio.to_thread(source.read_bytes))
            url = await s3.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "video.mp4"})
    command = ["curl", "-s", "-o", "/dev/null", "-r", f"1-{length - 1}", url]
    started = time.perf_counter()
    readers = [await asyncio.create_subprocess_exec(*command) for _ in range(8)]
    for reader in readers:
        await reader.wait()
    return 8 * length / MIB / (time.perf_counter() - started)


if __name__ == "__main__":
    main(__doc__ or "", {"put": put, "slow": slow_disk, "complete": complete, "memory": memory, "get": get})
