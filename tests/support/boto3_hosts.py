"""boto3 at a host name that no server of names knows: boto3_hosts.py API HOST BUCKET, in the Python of the emulators."""

import json
import socket
import sys
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config


def main(api: str, host: str, bucket: str) -> dict[str, str]:
    port = urlsplit(api).port
    resolve = socket.getaddrinfo

    def resolve_here(name: Any, *arguments: Any, **options: Any) -> Any:
        return resolve("127.0.0.1" if str(name).endswith(host) else name, *arguments, **options)

    setattr(socket, "getaddrinfo", resolve_here)  # noqa: B010 - mypy knows the types of the original
    seen = {}
    for style in ("path", "virtual"):
        s3 = boto3.client("s3", endpoint_url=f"http://{host}:{port}", config=Config(s3={"addressing_style": style}))
        s3.put_object(Bucket=bucket, Key=f"hosts/{style}", Body=b"bytes")
        seen[style] = s3.get_object(Bucket=bucket, Key=f"hosts/{style}")["Body"].read().decode()
        s3.delete_object(Bucket=bucket, Key=f"hosts/{style}")
    return seen


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
