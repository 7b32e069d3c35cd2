// Worker that hashes file parts. MD5, because the ETag of the store is an MD5.

import { createMD5 } from "hash-wasm";

export interface HashRequest {
  id: number;
  part: Blob;
}

export interface HashResult {
  id: number;
  md5?: string;
  /** The file can no longer be read. */
  error?: string;
}

self.onmessage = async ({ data }: MessageEvent<HashRequest>) => {
  try {
    const md5 = await createMD5();
    md5.init();
    const reader = data.part.stream().getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) md5.update(step.value);
    reply({ id: data.id, md5: md5.digest("hex") });
  } catch (error) {
    reply({ id: data.id, error: String(error) });
  }
};

function reply(result: HashResult): void {
  (self as unknown as { postMessage: (result: HashResult) => void }).postMessage(result);
}
