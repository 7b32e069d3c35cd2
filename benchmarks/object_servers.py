"""Object servers for benchmarks: each starts on a free port with its own directory, and returns URLs for parts."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from aiobotocore.config import AioConfig
from aiobotocore.session import get_session

from harness import ROOT

HERE = Path(__file__).resolve().parent
BUCKET = "fiapx-videos"
OURS = ("TESTKEY", "test-secret-test-secret")
NGINX = os.environ.get("SIGHTLINEBENCH_NGINX") or shutil.which("nginx")
"""A build with the DAV module, like that of Debian; the one on the package registry has none."""
S3RVER = "s3rver@3.7.1"

_NGINX_CONF = """
daemon off; error_log stderr error; pid {directory}/nginx.pid; worker_processes 1; user root;
events {{}}
http {{
  access_log off; client_max_body_size 0; client_body_temp_path {directory}/temporary;
  proxy_temp_path {directory}/t1; fastcgi_temp_path {directory}/t2; uwsgi_temp_path {directory}/t3; scgi_temp_path {directory}/t4;
  server {{ listen 127.0.0.1:{port}; root {directory}/files; location / {{ dav_methods PUT; create_full_put_path on; }} }}
}}
"""


@dataclass
class Running:
    name: str
    url: str
    process: psutil.Process
    directory: Path
    credentials: tuple[str, str] | None

    def cpu_s(self) -> float:
        """CPU time of the server and its children so far."""
        total = 0.0
        for one in (self.process, *self.process.children(recursive=True)):
            times = one.cpu_times()
            total += times.user + times.system
        return total

    def rss(self) -> int:
        return sum(one.memory_info().rss for one in (self.process, *self.process.children(recursive=True)))

    @asynccontextmanager
    async def s3(self) -> AsyncIterator[Any]:
        key_id, secret = self.credentials or ("", "")
        config = AioConfig(
            signature_version="s3v4",
            s3={"addressing_style": "path"},
            request_checksum_calculation="when_required",
            read_timeout=600,
        )
        async with get_session().create_client(
            "s3",
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id=key_id,
            aws_secret_access_key=secret,
            config=config,
        ) as client:
            yield client

    async def part_urls(self, key: str, count: int, signed: Mapping[str, str] | None = None) -> tuple[str, list[str]]:
        """Starts an upload; returns its id and the URLs of its parts, with parameters of each part that are signed, if any. nginx
        has no uploads: it gets a file per part."""
        if self.credentials is None:
            return "", [f"{self.url}/{key}/{number}" for number in range(1, count + 1)]
        async with self.s3() as s3:
            upload_id = (await s3.create_multipart_upload(Bucket=BUCKET, Key=key))["UploadId"]
            wanted = {"Bucket": BUCKET, "Key": key, "UploadId": upload_id, **(signed or {})}
            return upload_id, [
                await s3.generate_presigned_url("upload_part", Params={**wanted, "PartNumber": number}, ExpiresIn=86400)
                for number in range(1, count + 1)
            ]


class Unavailable(Exception):
    """This server is not available here; the message says why."""


@asynccontextmanager
async def running(name: str, prefix: Sequence[str] = ()) -> AsyncIterator[Running]:
    """`prefix` goes before the command that starts the server."""
    with tempfile.TemporaryDirectory(prefix="sightline-bench-", ignore_cleanup_errors=True) as holder:
        directory = Path(holder)
        port = _free_port()
        command, environment, path, credentials = _RECIPES[name](directory, port)
        output = (directory / "server.log").open("wb")
        process = await asyncio.to_thread(
            subprocess.Popen,
            [*prefix, *command],
            env=os.environ | environment,
            cwd=directory,
            stdout=output,
            stderr=output,
        )
        url = f"http://127.0.0.1:{port}{path}"
        try:
            await asyncio.to_thread(_wait_for, url, process, directory / "server.log")
            found = Running(name, url, psutil.Process(process.pid), directory, credentials)
            if name in ("ministack", "s3rver"):
                async with found.s3() as s3:
                    await s3.create_bucket(Bucket=BUCKET)
            yield found
        finally:
            with suppress(psutil.NoSuchProcess):
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
            process.kill()
            process.wait()
            output.close()


Recipe = tuple[list[str], dict[str, str], str, tuple[str, str] | None]


def _sightline(directory: Path, port: int) -> Recipe:
    script = str(HERE / "contestants" / "objects_ours.py")
    return [sys.executable, script, str(directory / "objects"), str(port)], {}, "/objects", OURS


def _nginx(directory: Path, port: int) -> Recipe:
    if NGINX is None:
        raise Unavailable("nginx is not installed")
    for folder in ("files", "temporary"):
        (directory / folder).mkdir()
    (directory / "nginx.conf").write_text(_NGINX_CONF.format(directory=directory, port=port))
    return [NGINX, "-p", str(directory), "-c", str(directory / "nginx.conf")], {}, "", None


def _ministack(directory: Path, port: int) -> Recipe:
    python = ROOT / ".venv" / "emulators" / "bin" / "python"
    environment = {
        "GATEWAY_PORT": str(port),
        "BIND_HOST": "127.0.0.1",
        "SERVICES": "s3",
        "IOT_MTLS_ENABLED": "0",
        "SFTP_ENABLED": "0",
        "LOG_LEVEL": "WARNING",
    }
    return [str(python), "-m", "ministack"], environment, "", ("test", "test")


def _s3rver(directory: Path, port: int) -> Recipe:
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable("node is not installed")
    installed = subprocess.run(
        [npm, "install", "--no-fund", "--no-audit", "--prefix", str(directory), S3RVER],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if installed.returncode:
        raise Unavailable(f"s3rver cannot be installed: {installed.stderr[-200:]}")
    script = str(directory / "node_modules" / "s3rver" / "bin" / "s3rver.js")
    command = ["node", script, "-d", str(directory / "data"), "-a", "127.0.0.1", "-p", str(port), "--silent"]
    return command, {}, "", ("S3RVER", "S3RVER")


_RECIPES: dict[str, Callable[[Path, int], Recipe]] = {
    "sightline": _sightline,
    "nginx DAV": _nginx,
    "s3rver": _s3rver,
    "ministack": _ministack,
}


def _wait_for(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError as error:
            if process.poll() is not None or time.monotonic() > deadline:
                raise Unavailable(f"it does not answer: {error}; it said {log.read_text()[-300:]!r}") from error
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
