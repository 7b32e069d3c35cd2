// tus-js-client in Node: upload.mjs ENDPOINT FILE [PARALLEL]. Prints the address of the upload and how often it was resumed.
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Upload } from "tus-js-client";

const [endpoint, path, parallel] = process.argv.slice(2);
let retries = 0;

const upload = new Upload(createReadStream(path), {
  endpoint,
  metadata: { filename: basename(path), filetype: "video/mp4" },
  parallelUploads: Number(parallel ?? 1),
  chunkSize: parallel ? 4 * 1024 * 1024 : 16 * 1024 * 1024,
  retryDelays: [0, 100, 200, 400, 800, 1600],
  onShouldRetry: () => {
    retries += 1;
    return true;
  },
  onError: (error) => {
    console.error(error);
    process.exit(1);
  },
  onSuccess: () => console.log(JSON.stringify({ url: upload.url, retries })),
});
upload.start();
