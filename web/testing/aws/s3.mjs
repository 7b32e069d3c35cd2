// The AWS SDK for JavaScript v3 against an S3 endpoint: s3.mjs BUCKET FILE, credentials from the environment. Prints its results.
import { readFileSync } from "node:fs";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCopyCommand,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";

const [Bucket, path] = process.argv.slice(2);
const client = new S3Client({ forcePathStyle: true, region: "us-east-1", endpoint: process.env.AWS_ENDPOINT_URL });
const content = readFileSync(path);
const seen = {};

try {
  await client.send(new CreateBucketCommand({ Bucket }));
} catch (error) {
  seen.createBucket = error.name;
  seen.hasRequestId = Boolean(error.$metadata.requestId);
}
for (const algorithm of ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"]) {
  const Key = `js/${algorithm}`;
  await client.send(new PutObjectCommand({ Bucket, Key, Body: "bytes", ChecksumAlgorithm: algorithm }));
}
const Key = "js/file.bin";
const Metadata = { colour: "blue" };
const upload = new Upload({ client, params: { Bucket, Key, Body: content, Metadata }, partSize: 5 * 1024 * 1024 });
seen.etag = (await upload.done()).ETag;
const head = await client.send(new HeadObjectCommand({ Bucket, Key }));
seen.metadata = head.Metadata;
const range = await client.send(new GetObjectCommand({ Bucket, Key, Range: "bytes=10-19" }));
seen.range = Buffer.from(await range.Body.transformToByteArray()).equals(content.subarray(10, 20));
await client.send(new CopyObjectCommand({ Bucket, Key: "js/copy.bin", CopySource: `${Bucket}/${Key}` }));
const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: "js/joined.bin" }));
const { CopyPartResult } = await client.send(
  new UploadPartCopyCommand({
    Bucket,
    Key: "js/joined.bin",
    UploadId,
    PartNumber: 1,
    CopySource: `${Bucket}/${Key}`,
    CopySourceRange: "bytes=100-199",
  }),
);
const Parts = [{ PartNumber: 1, ETag: CopyPartResult.ETag }];
await client.send(
  new CompleteMultipartUploadCommand({ Bucket, Key: "js/joined.bin", UploadId, MultipartUpload: { Parts } }),
);
const signed = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: "js/joined.bin" }), { expiresIn: 60 });
seen.signed = Buffer.from(await (await fetch(signed)).arrayBuffer()).equals(content.subarray(100, 200));
const listed = await client.send(new ListObjectsV2Command({ Bucket, Prefix: "js/" }));
seen.keys = listed.Contents.map((one) => one.Key);
const Objects = listed.Contents.map((one) => ({ Key: one.Key }));
seen.deleted = (await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))).Deleted.length;
console.log(JSON.stringify(seen));
