// The pictures of a camera, one after the other: by its MJPEG stream, or requested one by one.

import { PartReader } from "./part_reader";

/** Stream: as they come, on a connection of its own. Stills: the newest one every second. Still: one alone. */
export type FeedMode = "stream" | "stills" | "still";

const STILL_EVERY_MS = 1000;
/** A stream without a picture for so long is opened again: a connection may be dead without an error. */
const STALL_MS = 15_000;
const MAX_PAUSE_MS = 15_000;

type Show = (picture: Blob) => void;

/** Follows a camera until the signal aborts. While its stream cannot be opened, stills take its place. */
export async function followPictures(path: string, mode: FeedMode, show: Show, signal: AbortSignal): Promise<void> {
  let streamPause = STILL_EVERY_MS;
  let nextStreamAt = 0;
  let stillPause = STILL_EVERY_MS;
  let etag: string | null = null;
  while (!signal.aborted) {
    if (mode === "stream" && performance.now() >= nextStreamAt) {
      const count = await readStream(`${path}/live.mjpeg`, show, signal);
      if (signal.aborted) return;
      streamPause = count > 0 ? STILL_EVERY_MS : Math.min(MAX_PAUSE_MS, streamPause * 2);
      nextStreamAt = performance.now() + streamPause;
    }
    try {
      etag = await readStill(`${path}/picture.jpg`, etag, show, signal);
      stillPause = STILL_EVERY_MS;
    } catch {
      if (signal.aborted) return;
      stillPause = Math.min(MAX_PAUSE_MS, stillPause * 2);
    }
    if (mode === "still") return;
    await sleep(stillPause, signal);
  }
}

/** The number of pictures until the stream ended, failed or stalled. */
async function readStream(address: string, show: Show, signal: AbortSignal): Promise<number> {
  const abort = new AbortController();
  const either = AbortSignal.any([signal, abort.signal]);
  let stall = setTimeout(() => abort.abort(), STALL_MS);
  let count = 0;
  try {
    const response = await fetch(address, { signal: either, cache: "no-store" });
    if (!response.ok || response.body === null) return 0;
    const parts = new PartReader();
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      // Only the newest counts: a slow device skips what it could not show in time.
      const newest = parts.push(piece.value).at(-1);
      if (newest === undefined) continue;
      clearTimeout(stall);
      stall = setTimeout(() => abort.abort(), STALL_MS);
      count += 1;
      show(new Blob([newest], { type: "image/jpeg" }));
    }
  } catch {
    // Whatever went wrong, the caller tries again.
  } finally {
    clearTimeout(stall);
    abort.abort();
  }
  return count;
}

/** Shows the newest picture unless it was shown already; returns its ETag. */
async function readStill(
  address: string,
  etag: string | null,
  show: Show,
  signal: AbortSignal,
): Promise<string | null> {
  const headers: Record<string, string> = etag === null ? {} : { "if-none-match": etag };
  const response = await fetch(address, { signal, cache: "no-store", headers });
  if (response.status === 304) return etag;
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  show(await response.blob());
  return response.headers.get("etag");
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
