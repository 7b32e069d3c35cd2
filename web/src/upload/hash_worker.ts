// Hashes parts of a file beside the page, so that the page stays quick: md5, because that is what the store's ETag is.

import { createMD5 } from "hash-wasm";

export interface HashRequest {
  id: number;
  part: Blob;
}

export interface HashAnswer {
  id: number;
  md5?: string;
  /** The file could not be read any more. */
  error?: string;
}

self.onmessage = async ({ data }: MessageEvent<HashRequest>) => {
  try {
    const md5 = await createMD5();
    md5.init();
    const reader = data.part.stream().getReader();
    for (let step = await reader.read(); !step.done; step = await reader.read()) md5.update(step.value);
    answer({ id: data.id, md5: md5.digest("hex") });
  } catch (error) {
    answer({ id: data.id, error: String(error) });
  }
};

function answer(told: HashAnswer): void {
  (self as unknown as { postMessage: (told: HashAnswer) => void }).postMessage(told);
}
