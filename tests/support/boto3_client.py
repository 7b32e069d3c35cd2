"""A boto3 client in the Python of the emulators: boto3_client.py ENDPOINT KEY_ID SECRET FILE. Prints its results."""

import json
import sys
from typing import Any

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config


def main(endpoint: str, key_id: str, secret: str, path: str) -> dict[str, Any]:
    s3 = boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="eu-central-1",
        aws_access_key_id=key_id,
        aws_secret_access_key=secret,
        config=Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1}),
    )
    bucket = s3.list_buckets()["Buckets"][0]["Name"]
    many_parts = TransferConfig(multipart_threshold=1, multipart_chunksize=6 * 1024 * 1024, max_concurrency=4)
    s3.upload_file(path, bucket, "folder/many parts.mp4", Config=many_parts, ExtraArgs={"ContentType": "video/mp4"})
    s3.upload_file(path, bucket, "folder/at once.bin", Config=TransferConfig(multipart_threshold=2**40))
    for number in range(3):
        s3.put_object(Bucket=bucket, Key=f"folder/deep/{number}", Body=b"small", ChecksumAlgorithm="SHA256")
    s3.download_file(bucket, "folder/many parts.mp4", path + ".down", Config=many_parts)
    by_folder = s3.list_objects_v2(Bucket=bucket, Prefix="folder/", Delimiter="/")
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, PaginationConfig={"PageSize": 2})
    keys = [one["Key"] for page in pages for one in page.get("Contents", ())]
    facts = s3.head_object(Bucket=bucket, Key="folder/many parts.mp4")
    deleted = s3.delete_objects(Bucket=bucket, Delete={"Objects": [{"Key": "folder/deep/0"}, {"Key": "nothing"}]})
    s3.delete_object(Bucket=bucket, Key="folder/deep/1")
    try:
        s3.get_object(Bucket=bucket, Key="nothing")
        missing = ""
    except s3.exceptions.NoSuchKey as error:
        missing = error.response["Error"]["Code"]
    return {
        "etag": facts["ETag"],
        "type": facts["ContentType"],
        "size": facts["ContentLength"],
        "prefixes": [one["Prefix"] for one in by_folder["CommonPrefixes"]],
        "contents": [one["Key"] for one in by_folder["Contents"]],
        "keys": keys,
        "deleted": [one["Key"] for one in deleted["Deleted"]],
        "missing": missing,
        "left": s3.list_objects_v2(Bucket=bucket, Prefix="folder/deep/")["KeyCount"],
        "location": s3.get_bucket_location(Bucket=bucket)["LocationConstraint"],
    }


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
