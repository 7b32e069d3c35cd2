// Requests MD5 hashes of file parts from the worker.

import type { HashRequest, HashResult } from "./hash_worker";

interface Waiting {
  resolve: (md5: string) => void;
  reject: (error: Error) => void;
}

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let count = 0;

export function md5Of(part: Blob): Promise<string> {
  worker ??= start();
  count += 1;
  const request: HashRequest = { id: count, part };
  const result = new Promise<string>((resolve, reject) => waiting.set(request.id, { resolve, reject }));
  worker.postMessage(request);
  return result;
}

function start(): Worker {
  const started = new Worker(HASH_WORKER, { type: "module" });
  started.onmessage = ({ data }: MessageEvent<HashResult>) => {
    const item = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.md5 !== undefined) item?.resolve(data.md5);
    else item?.reject(new Error(data.error));
  };
  started.onerror = (event) => {
    for (const item of waiting.values()) item.reject(new Error(event.message));
    waiting.clear();
  };
  return started;
}
