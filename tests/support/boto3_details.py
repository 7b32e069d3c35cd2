"""Requests of boto3 beyond the usual ones, in the Python of the emulators: boto3_details.py ENDPOINT BUCKET. Prints its results."""

import json
import sys
from collections.abc import Callable
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

PART = b"p" * 5 * 1024 * 1024


def code(call: Callable[..., Any], **arguments: Any) -> str:
    try:
        call(**arguments)
    except ClientError as error:
        return str(error.response["Error"]["Code"])
    return ""


def main(endpoint: str, bucket: str) -> dict[str, Any]:
    config = Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1})
    s3 = boto3.client("s3", endpoint_url=endpoint, config=config)
    seen: dict[str, Any] = {"create_bucket": code(s3.create_bucket, Bucket=bucket)}
    for number in range(3):
        s3.put_object(Bucket=bucket, Key=f"p/{number}", Body=b"x")
    pages = s3.get_paginator("list_objects").paginate(
        Bucket=bucket, Prefix="p/", Delimiter="/", PaginationConfig={"PageSize": 2}
    )
    seen["v1_pages"] = [[one["Key"] for one in page["Contents"]] for page in pages]

    stored = s3.put_object(
        Bucket=bucket,
        Key="p/from",
        Body=PART,
        ContentType="text/special",
        CacheControl="max-age=60",
        Metadata={"colour": "blue"},
    )
    source = {"Bucket": bucket, "Key": "p/from"}
    s3.copy_object(Bucket=bucket, Key="p/to", CopySource=source, CopySourceIfMatch=stored["ETag"])
    facts = s3.head_object(Bucket=bucket, Key="p/to")
    seen["copied"] = [facts["ContentType"], facts["Metadata"], facts["CacheControl"]]
    seen["conditions"] = {
        "CopySourceIfNoneMatch": code(
            s3.copy_object, Bucket=bucket, Key="p/no", CopySource=source, CopySourceIfNoneMatch=stored["ETag"]
        ),
        "IfMatch": code(s3.get_object, Bucket=bucket, Key="p/to", IfMatch='"other"'),
    }

    upload = s3.create_multipart_upload(Bucket=bucket, Key="p/joined")["UploadId"]
    parts = {"Bucket": bucket, "Key": "p/joined", "UploadId": upload, "CopySource": source}
    first = s3.upload_part_copy(PartNumber=1, **parts)["CopyPartResult"]["ETag"]
    second = s3.upload_part_copy(PartNumber=2, CopySourceRange="bytes=0-9", **parts)["CopyPartResult"]["ETag"]
    seen["range"] = code(s3.upload_part_copy, PartNumber=3, CopySourceRange="bytes=9-0", **parts)
    named = [{"PartNumber": 1, "ETag": first}, {"PartNumber": 2, "ETag": second}]
    s3.complete_multipart_upload(Bucket=bucket, Key="p/joined", UploadId=upload, MultipartUpload={"Parts": named})
    seen["joined"] = s3.head_object(Bucket=bucket, Key="p/joined")["ContentLength"]
    seen["uploads"] = s3.list_multipart_uploads(Bucket=bucket).get("Uploads", [])

    seen["not_implemented"] = [
        code(s3.put_object, Bucket=bucket, Key="p/no", Body=b"", IfNoneMatch="*"),
        code(s3.put_object, Bucket=bucket, Key="p/no", Body=b"", ServerSideEncryption="AES256"),
        code(s3.list_object_versions, Bucket=bucket),
        code(s3.put_bucket_versioning, Bucket=bucket, VersioningConfiguration={"Status": "Enabled"}),
    ]
    keys = [{"Key": one["Key"]} for one in s3.list_objects_v2(Bucket=bucket, Prefix="p/")["Contents"]]
    s3.delete_objects(Bucket=bucket, Delete={"Objects": keys})
    return seen


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
