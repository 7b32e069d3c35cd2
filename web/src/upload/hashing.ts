// Asks the worker for the md5 of parts of a file.

import type { HashAnswer, HashRequest } from "./hash_worker";

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
  const answer = new Promise<string>((resolve, reject) => waiting.set(request.id, { resolve, reject }));
  worker.postMessage(request);
  return answer;
}

function start(): Worker {
  const started = new Worker(HASH_WORKER, { type: "module" });
  started.onmessage = ({ data }: MessageEvent<HashAnswer>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.md5 !== undefined) one?.resolve(data.md5);
    else one?.reject(new Error(data.error));
  };
  started.onerror = (event) => {
    for (const one of waiting.values()) one.reject(new Error(event.message));
    waiting.clear();
  };
  return started;
}
