"""Workers written from document 001 alone, as a program: document_workers.py TYPE... They know nothing of leases and delays.

Claims with the document's own statements, works on S3 and in plain SQL, and fails as the document says.
DOCUMENT_WORKERS names what goes wrong: `hang` (claims and never ends), `fail` (each job fails), `forget` (enqueues no next job).
"""

import asyncio
import hashlib
import io
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import asyncpg
import av
import botocore.session
import tesserocr
from PIL import Image

MODE = os.environ.get("DOCUMENT_WORKERS", "")
BUCKET = os.environ["S3_BUCKET"]
NEXT = {"transcode": "sample", "sample": "ocr", "ocr": "segment_index"}
POLL = """
    SELECT * FROM jobs WHERE status = 'queued' AND job_type = $1 ORDER BY created_at ASC LIMIT 1 FOR UPDATE SKIP LOCKED"""
ENTITIES = {"mention": r"@[a-zA-Z0-9_]+", "hashtag": r"#[a-zA-Z0-9_]+", "number": r"\d+"}

s3 = botocore.session.get_session().create_client(
    "s3",
    "us-east-1",
    endpoint_url=os.environ["S3_ENDPOINT"],
    aws_access_key_id=os.environ["S3_ACCESS_KEY_ID"],
    aws_secret_access_key=os.environ["S3_SECRET_ACCESS_KEY"],
)


def get(key: str) -> bytes:
    found: bytes = s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()
    return found


def put(key: str, content: bytes) -> str:
    s3.put_object(Bucket=BUCKET, Key=key, Body=content)
    return key


def jpeg(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=92)
    return buffer.getvalue()


async def transcode(database: asyncpg.Connection, video_id: str, payload: dict[str, Any]) -> dict[str, Any]:
    with av.open(io.BytesIO(get(payload["s3_original_path"])), "r") as original:
        picture = next(original.decode(video=0)).to_image()
    thumb = put(f"thumbs/{video_id}/poster.jpg", jpeg(picture))
    put(f"videos/proxy/{video_id}/segment_0.ts", b"a stream")
    proxy = put(f"videos/proxy/{video_id}/index.m3u8", b"#EXTM3U\n#EXTINF:3,\nsegment_0.ts\n#EXT-X-ENDLIST\n")
    await database.execute(
        "UPDATE videos SET s3_proxy_path = $2, s3_thumb_path = $3 WHERE id = $1", video_id, proxy, thumb
    )
    return {"s3_original_path": payload["s3_original_path"], "target_fps": 10, "dedupe_threshold": 0.95}


async def sample(_: asyncpg.Connection, video_id: str, payload: dict[str, Any]) -> dict[str, Any]:
    paths: list[str] = []
    with av.open(io.BytesIO(get(payload["s3_original_path"])), "r") as original:
        for frame in original.decode(video=0):
            if frame.time >= len(paths) / 2:  # two frames per second
                paths.append(put(f"frames/{video_id}/{round(frame.time * 1000)}.jpg", jpeg(frame.to_image())))
    return {"frame_paths": paths, "languages": ["eng"], "min_confidence": 0.6}


async def ocr(database: asyncpg.Connection, video_id: str, payload: dict[str, Any]) -> dict[str, Any]:
    (video,) = await database.fetch("SELECT owner_id, team_id FROM videos WHERE id = $1", video_id)
    with tesserocr.PyTessBaseAPI(path=str(Path(sys.prefix) / "share" / "tessdata"), lang="eng") as reader:
        for path in payload["frame_paths"]:
            at = int(path.rpartition("/")[2].removesuffix(".jpg"))
            reader.SetImage(Image.open(io.BytesIO(get(path))))
            reader.Recognize()
            for line in tesserocr.iterate_level(reader.GetIterator(), tesserocr.RIL.TEXTLINE):
                text, confidence = line.GetUTF8Text(tesserocr.RIL.TEXTLINE).strip(), line.Confidence(3) / 100
                left, top, right, bottom = line.BoundingBox(tesserocr.RIL.TEXTLINE)
                if not text or confidence < payload["min_confidence"]:
                    continue
                normalized = " ".join(text.lower().split())
                await database.execute(
                    "INSERT INTO segments (video_id, text, normalized_text, text_hash, t_start, t_end, confidence,"
                    " bounding_box, language, owner_id, team_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'eng', $9, $10)",
                    *(video_id, text, normalized, hashlib.sha256(normalized.encode()).hexdigest(), at, at + 500),
                    *(
                        confidence,
                        json.dumps({"x": left, "y": top, "width": right - left, "height": bottom - top}),
                    ),
                    *(video["owner_id"], video["team_id"]),
                )
    return {}


async def segment_index(database: asyncpg.Connection, video_id: str, _: dict[str, Any]) -> dict[str, Any]:
    rows = await database.fetch("SELECT * FROM segments WHERE video_id = $1 ORDER BY t_start", video_id)
    last: dict[str, asyncpg.Record] = {}
    for row in rows:
        if (first := last.get(row["text_hash"])) is None:
            last[row["text_hash"]] = row
            continue
        await database.execute("UPDATE segments SET t_end = $2 WHERE id = $1", first["id"], row["t_end"])
        await database.execute("DELETE FROM segments WHERE id = $1", row["id"])
    for row in last.values():
        for kind, pattern in ENTITIES.items():
            for value in re.findall(pattern, row["text"]):
                await database.execute(
                    "INSERT INTO entities (segment_id, entity_type, value, normalized_value) VALUES ($1, $2, $3, $4)",
                    *(row["id"], kind, value, value.lower().lstrip("@#")),
                )
    await database.execute("SELECT refresh_search_materialized()")
    await database.execute("UPDATE videos SET status = 'ready' WHERE id = $1", video_id)
    return {}


async def work(database: asyncpg.Connection, job: asyncpg.Record) -> None:
    job_type, payload = job["job_type"], json.loads(job["payload"])
    video_id = payload["video_id"]
    print("claimed", job["id"], flush=True)
    if MODE == "hang":
        await asyncio.Event().wait()
    try:
        if MODE == "fail":
            raise OSError("the disk is on fire")
        following = await globals()[job_type](database, video_id, payload)
    except OSError as error:
        failure = {"error": {"type": "OSError", "message": str(error), "retry_count": job["retry_count"]}}
        await database.execute(
            "UPDATE jobs SET status = 'failed', retry_count = retry_count + 1, payload = $2 WHERE id = $1",
            *(job["id"], json.dumps(failure | {"original_payload": payload})),
        )
        return
    await database.execute("UPDATE jobs SET status = 'done' WHERE id = $1", job["id"])
    if (next_type := NEXT.get(job_type)) and MODE != "forget":
        await database.execute(
            "INSERT INTO jobs (video_id, job_type, payload) VALUES ($1, $2, $3)",
            *(video_id, next_type, json.dumps({"video_id": video_id, **following})),
        )


async def main(types: list[str]) -> None:
    # As `ALTER ROLE … SET sightline.default_lease` would have it; nobody waits for an hour here.
    lease = {"sightline.default_lease": os.environ["DEFAULT_LEASE"]} if "DEFAULT_LEASE" in os.environ else {}
    database = await asyncpg.connect(os.environ["DATABASE_URL"], server_settings=lease)
    while True:
        for job_type in types:
            async with database.transaction():
                job = await database.fetchrow(POLL, job_type)
                if job is not None:
                    await database.execute("UPDATE jobs SET status = 'processing' WHERE id = $1", job["id"])
            if job is not None:
                await work(database, job)
        await asyncio.sleep(0.2)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
