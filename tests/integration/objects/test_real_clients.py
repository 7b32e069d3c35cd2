"""Common S3 clients work with the disk backend, with the checksums that they send by default."""

import asyncio
import datetime as dt
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from aiobotocore.config import AioConfig
from aiobotocore.session import get_session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from conformance.objects import some_bytes
from sightline.api.serving.server import bind
from support.emulators import PYTHON
from support.objects_server import BUCKET, KEY, Served, create_app, open_disk
from support.waiting import until

SCRIPT = str(Path(__file__).resolve().parents[2] / "support" / "boto3_client.py")


async def test_boto3_uploads_downloads_lists_and_deletes(served: Served, tmp_path: Path, directory: Path):
    content = some_bytes(13_000_000)
    source = tmp_path / "source.mp4"
    source.write_bytes(content)
    process = await asyncio.create_subprocess_exec(
        *(str(PYTHON), SCRIPT, served.url, KEY.key_id, KEY.secret, str(source)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()[-3000:]
    seen = json.loads(output)
    assert (seen["size"], seen["type"]) == (len(content), "video/mp4")
    assert seen["etag"].endswith('-3"')
    assert (seen["prefixes"], seen["contents"]) == (["folder/deep/"], ["folder/at once.bin", "folder/many parts.mp4"])
    assert seen["keys"] == [
        *("folder/at once.bin", "folder/deep/0", "folder/deep/1", "folder/deep/2", "folder/many parts.mp4")
    ]
    assert (seen["deleted"], seen["left"]) == (["folder/deep/0", "nothing"], 1)
    assert (seen["missing"], seen["location"]) == ("NoSuchKey", None)
    assert (tmp_path / "source.mp4.down").read_bytes() == content
    for name in ("many parts.mp4", "at once.bin"):
        assert (directory / "folder" / name).read_bytes() == content
    assert sorted({one.reason for one in served.announced}) == ["CompleteMultipartUpload", "PutObject"]


@asynccontextmanager
async def over_tls(directory: Path, tmp_path: Path) -> AsyncIterator[Served]:
    """As behind an https proxy: clients then send checksums in trailers."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    files = tmp_path / "key.pem", tmp_path / "certificate.pem"
    files[0].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    files[1].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    listening = bind("127.0.0.1", 0)
    async with open_disk(directory, f"https://127.0.0.1:{listening.getsockname()[1]}") as opened:
        config = uvicorn.Config(
            create_app(opened.objects),
            log_config=None,
            lifespan="off",
            ssl_keyfile=str(files[0]),
            ssl_certfile=str(files[1]),
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server._serve([listening]))
        await until(lambda: server.started)
        try:
            yield opened
        finally:
            server.should_exit = True
            await serving


@asynccontextmanager
async def s3_client(url: str, key_id: str = KEY.key_id, secret: str = KEY.secret) -> AsyncIterator[Any]:
    config = AioConfig(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1})
    credentials = {"aws_access_key_id": key_id, "aws_secret_access_key": secret}
    async with get_session().create_client(
        "s3", endpoint_url=url, region_name="us-east-1", verify=False, config=config, **credentials
    ) as client:
        yield client


@pytest.mark.filterwarnings("ignore:Unverified HTTPS request")
async def test_checksums_in_trailers_as_sdks_send_them_over_tls_are_accepted(directory: Path, tmp_path: Path):
    content = some_bytes(3_000_000)
    async with over_tls(directory, tmp_path) as opened, s3_client(opened.url) as client:
        seen: list[str] = []

        def note(request: Any, **_: Any) -> None:
            seen.append(request.headers.get("X-Amz-Content-SHA256", b"").decode())

        client.meta.events.register("before-send.s3", note)
        whole = await client.put_object(Bucket=BUCKET, Key="a", Body=content)
        upload = await client.create_multipart_upload(Bucket=BUCKET, Key="b", ChecksumAlgorithm="CRC32")
        part = await client.upload_part(
            Bucket=BUCKET, Key="b", UploadId=upload["UploadId"], PartNumber=1, Body=content, ChecksumAlgorithm="CRC32"
        )
        named = {"PartNumber": 1, "ETag": part["ETag"], "ChecksumCRC32": part["ChecksumCRC32"]}
        await client.complete_multipart_upload(
            Bucket=BUCKET, Key="b", UploadId=upload["UploadId"], MultipartUpload={"Parts": [named]}
        )
        assert seen.count("STREAMING-UNSIGNED-PAYLOAD-TRAILER") == 2
        assert whole["ETag"] == f'"{hashlib.md5(content).hexdigest()}"'
        assert await opened.objects.get("a") == await opened.objects.get("b") == content


@pytest.mark.parametrize("algorithm", ["CRC32", "SHA1", "SHA256"])
async def test_each_checksum_of_the_sdk_is_accepted(served: Served, algorithm: str):
    async with s3_client(served.url) as client:
        response = await client.put_object(Bucket=BUCKET, Key="a", Body=b"bytes", ChecksumAlgorithm=algorithm)
    assert response[f"Checksum{algorithm}"]
    assert await served.objects.get("a") == b"bytes"


@pytest.mark.parametrize(
    ("key_id", "secret", "code"),
    [("other", KEY.secret, "InvalidAccessKeyId"), (KEY.key_id, "other", "SignatureDoesNotMatch")],
)
async def test_an_unknown_key_id_and_a_wrong_secret_give_different_errors(
    served: Served, key_id: str, secret: str, code: str
):
    async with s3_client(served.url, key_id, secret) as client:
        with pytest.raises(client.exceptions.ClientError) as raised:
            await client.list_objects_v2(Bucket=BUCKET)
    assert raised.value.response["Error"]["Code"] == code
