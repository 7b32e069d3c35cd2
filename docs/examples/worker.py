"""A `transcode` worker for Sightline, written from the job contract: plain SQL, S3 and a media library. See docs/jobs.md.

pip install asyncpg botocore av pillow
DATABASE_URL=… S3_ENDPOINT=… S3_BUCKET=… S3_ACCESS_KEY_ID=… S3_SECRET_ACCESS_KEY=… python worker.py
"""

import asyncio
import json
import os
import socket
import tempfile
from pathlib import Path
from typing import Any

import asyncpg
import av
import botocore.session

WORKER = f"{socket.gethostname()}:{os.getpid()}"
CLAIM = """
    UPDATE jobs SET status = 'processing', locked_by = $1, locked_until = now() + interval '5 minutes'
    WHERE id = (SELECT id FROM jobs
                WHERE status = 'queued' AND job_type = 'transcode' AND (run_after IS NULL OR run_after <= now())
                ORDER BY priority DESC, created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, video_id, payload"""
HEARTBEAT = "UPDATE jobs SET locked_until = now() + interval '5 minutes' WHERE id = $1 AND locked_by = $2 AND status = 'processing'"
DONE = "UPDATE jobs SET status = 'done' WHERE id = $1 AND locked_by = $2 AND status = 'processing' RETURNING id"
FAILED = "UPDATE jobs SET status = 'failed', payload = $3 WHERE id = $1 AND locked_by = $2 AND status = 'processing'"
s3 = botocore.session.get_session().create_client(
    "s3", "us-east-1", endpoint_url=os.environ["S3_ENDPOINT"],
    aws_access_key_id=os.environ["S3_ACCESS_KEY_ID"], aws_secret_access_key=os.environ["S3_SECRET_ACCESS_KEY"],
)  # fmt: skip
BUCKET = os.environ["S3_BUCKET"]


def transcode(video_id: str, original_key: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        (folder / "original").write_bytes(s3.get_object(Bucket=BUCKET, Key=original_key)["Body"].read())
        options = {"hls_playlist_type": "vod", "hls_segment_filename": str(folder / "segment_%05d.ts")}
        with av.open(str(folder / "original")) as original:
            next(original.decode(video=0)).to_image().save(folder / "poster.jpg")
        with (
            av.open(str(folder / "original")) as original,
            av.open(str(folder / "index.m3u8"), "w", format="hls", options=options) as stream,
        ):
            copied = stream.add_stream_from_template(original.streams.video[0])
            for packet in original.demux(video=0):
                if packet.dts is not None:
                    packet.stream = copied
                    stream.mux(packet)
        for path in (*folder.glob("segment_*.ts"), folder / "index.m3u8"):  # the playlist last: it names the segments
            s3.put_object(Bucket=BUCKET, Key=f"videos/proxy/{video_id}/{path.name}", Body=path.read_bytes())
        s3.put_object(Bucket=BUCKET, Key=f"thumbs/{video_id}/poster.jpg", Body=(folder / "poster.jpg").read_bytes())


async def run(database: asyncpg.Pool, job: asyncpg.Record) -> None:
    payload, video_id = json.loads(job["payload"]), str(job["video_id"])
    work = asyncio.create_task(asyncio.to_thread(transcode, video_id, payload["s3_original_path"]))
    try:
        while not (await asyncio.wait((work,), timeout=120))[0]:
            await database.execute(HEARTBEAT, job["id"], WORKER)
        work.result()
    except Exception as error:
        failure = {"error": {"type": type(error).__name__, "message": str(error)}, "original_payload": payload}
        await database.execute(FAILED, job["id"], WORKER, json.dumps(failure))
        return
    async with database.acquire() as connection, connection.transaction():  # done and the next job: both or neither
        if await connection.fetchval(DONE, job["id"], WORKER) is None:
            return  # the lease ran out, and another worker has the job
        proxy, poster = f"videos/proxy/{video_id}/index.m3u8", f"thumbs/{video_id}/poster.jpg"
        await connection.execute(
            "UPDATE videos SET s3_proxy_path = $2, s3_thumb_path = $3 WHERE id = $1", job["video_id"], proxy, poster
        )
        following: dict[str, Any] = {**payload, "target_fps": 10, "dedupe_threshold": 0.95}
        await connection.execute(
            "INSERT INTO jobs (video_id, job_type, payload) VALUES ($1, 'sample', $2)",
            job["video_id"], json.dumps(following),
        )  # fmt: skip


async def main() -> None:
    async with asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=1, max_size=2) as database:
        while True:
            if (job := await database.fetchrow(CLAIM, WORKER)) is not None:
                await run(database, job)
            else:
                await asyncio.sleep(float(os.environ.get("POLL_S", "5")))


asyncio.run(main())
