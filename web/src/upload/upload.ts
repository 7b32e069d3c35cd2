// One upload: parts of the size set by the server, several in parallel, each verified by its hash.

import { ApiError, get, post, remove } from "../api/client";
import type { CompletedAnswer, ProgressAnswer, StartedAnswer } from "../api/types";
import { Store } from "../core/store";
import { md5Of } from "./hashing";
import { PartUrls, REQUEST_TIMEOUT_MS } from "./part_urls";
import { PutFailed, putPart } from "./put_part";
import { Rate } from "./rate";

export type Phase =
  | "starting"
  | "checking"
  | "sending"
  | "waiting"
  | "paused"
  | "finishing"
  | "done"
  | "failed"
  | "cancelled";

export interface Progress {
  phase: Phase;
  sentBytes: number;
  /** Bytes of the parts that are stored: they are not sent again, whatever happens. */
  keptBytes: number;
  perSecond: number | null;
  secondsLeft: number | null;
  /** The error of a failed upload, or the reason for waiting. */
  reason: Error | null;
}

/** What a cut connection loses at most. The server makes parts larger where there would be over 10,000. */
const PART_BYTES = 8 * 1024 * 1024;
const PARALLEL_PARTS = 4;
const MAX_ATTEMPTS = 8;
const MAX_RETRY_DELAY_MS = 10_000;
/** No response, or one from a proxy whose server is stopped or starting. */
const OUTAGE = [0, 502, 503, 504];
const MD5 = /^[0-9a-f]{32}$/;

/** The chosen file differs from the one whose upload is resumed, in size or in an uploaded part. */
export class WrongFile extends Error {
  constructor(readonly part: number | null) {
    super(part === null ? "another size" : `another part ${part}`);
  }
}

/** The file has no content. */
export class EmptyFile extends Error {}

class Stopped extends Error {}

export class Upload {
  readonly progress = new Store<Progress>({
    phase: "starting",
    sentBytes: 0,
    keptBytes: 0,
    perSecond: null,
    secondsLeft: null,
    reason: null,
  });
  videoId: string | null;
  private readonly rate = new Rate();
  private readonly inFlight = new Map<number, number>();
  private done = new Map<number, number>();
  private partSize = 0;
  private totalParts = 0;
  private stopping = new AbortController();
  private isChecked = false;

  /** With a video id, resumes the upload of that video; with a team's, the new video belongs to the team. */
  constructor(
    readonly file: File,
    videoId: string | null = null,
    private readonly teamId: string | null = null,
  ) {
    this.videoId = videoId;
  }

  get isActive(): boolean {
    return !["done", "failed", "cancelled", "paused"].includes(this.progress.value.phase);
  }

  async run(): Promise<void> {
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    try {
      if (this.file.size === 0) throw new EmptyFile("This file is empty");
      await this.prepare();
      this.show({ phase: "sending", reason: null });
      await this.sendAll(signal);
      this.show({ phase: "finishing", perSecond: null, secondsLeft: null });
      await this.retry(() => post<CompletedAnswer>(`/videos/${this.videoId}/complete`, { signal }), signal);
      this.finish();
    } catch (error) {
      if (error instanceof Stopped || signal.aborted) return;
      this.stopping.abort(new Stopped());
      if (await this.isComplete(error)) this.finish();
      else this.show({ phase: "failed", reason: error as Error, perSecond: null, secondsLeft: null });
    }
  }

  private finish(): void {
    const size = this.file.size;
    this.show({ phase: "done", sentBytes: size, keptBytes: size, perSecond: null, secondsLeft: null, reason: null });
  }

  /** The server completes an upload by itself when all its parts are stored and the page was away for long. */
  private async isComplete(error: unknown): Promise<boolean> {
    if (this.videoId === null || statusOf(error) !== 409) return false;
    const known = await get<ProgressAnswer>(`/videos/${this.videoId}/progress`).catch(() => null);
    return known !== null && !["CREATED", "UPLOADING", "FAILED"].includes(known.status);
  }

  pause(): void {
    this.stopping.abort(new Stopped());
    this.inFlight.clear();
    this.rate.reset();
    this.show({ phase: "paused", perSecond: null, secondsLeft: null, reason: null, sentBytes: this.sent() });
  }

  async cancel(): Promise<void> {
    this.stopping.abort(new Stopped());
    if (this.videoId !== null) await remove(`/videos/${this.videoId}/upload`);
    this.show({ phase: "cancelled", perSecond: null, secondsLeft: null, reason: null });
  }

  /** Finds out which parts to send: all of a new video, or those an earlier attempt left. */
  private async prepare(): Promise<void> {
    const { signal } = this.stopping;
    if (this.videoId === null) {
      this.show({ phase: "starting" });
      const started = await this.retry(
        () =>
          post<StartedAnswer>("/videos", {
            body: {
              totalSize: this.file.size,
              filename: this.file.name,
              partSize: PART_BYTES,
              ...(this.teamId !== null && { teamId: this.teamId }),
            },
            signal,
            timeoutMs: REQUEST_TIMEOUT_MS,
          }),
        signal,
      );
      this.videoId = started.videoId;
      this.partSize = started.partSize ?? this.file.size;
      this.totalParts = started.totalParts ?? 1;
      this.isChecked = true;
      return;
    }
    const options = { signal, timeoutMs: REQUEST_TIMEOUT_MS };
    const known = await this.retry(() => get<ProgressAnswer>(`/videos/${this.videoId}/progress`, options), signal);
    this.partSize = known.partSize ?? this.file.size;
    this.totalParts = known.totalParts ?? 1;
    if (known.totalSize !== null && known.totalSize !== this.file.size) {
      throw new WrongFile(null);
    }
    if (!this.isChecked) await this.check(known, signal);
    this.done = new Map(known.parts.map((part) => [part.partNumber, this.slice(part.partNumber).size]));
    this.show({ keptBytes: this.kept() });
    this.isChecked = true;
  }

  /** Compares the file with the parts that are already uploaded. */
  private async check(known: ProgressAnswer, signal: AbortSignal): Promise<void> {
    this.show({ phase: "checking" });
    let checked = 0;
    for (const part of known.parts) {
      if (signal.aborted) throw new Stopped();
      const slice = this.slice(part.partNumber);
      if (MD5.test(part.etag) && (await md5Of(slice)) !== part.etag) {
        throw new WrongFile(part.partNumber);
      }
      checked += slice.size;
      this.show({ sentBytes: checked });
    }
  }

  private async sendAll(signal: AbortSignal): Promise<void> {
    const missing = Array.from({ length: this.totalParts }, (_, n) => n + 1).filter((part) => !this.done.has(part));
    const addresses = new PartUrls(this.videoId ?? "");
    const sender = async () => {
      for (let part = missing.shift(); part !== undefined; part = missing.shift()) {
        await this.send(part, missing.slice(0, PARALLEL_PARTS), addresses, signal);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_PARTS }, sender));
  }

  private async send(part: number, next: number[], addresses: PartUrls, signal: AbortSignal): Promise<void> {
    const slice = this.slice(part);
    const md5 = await md5Of(slice);
    await this.retry(async () => {
      const url = await addresses.of(part, next, signal);
      if (url === null) return; // The part was uploaded before, and only the response was lost.
      let etag: string;
      try {
        etag = await putPart(url, slice, { signal, onSent: (bytes) => this.noteSent(part, bytes) });
      } catch (error) {
        this.noteSent(part, 0);
        // The URL has expired or is invalid; a new one is requested.
        addresses.forget(part);
        throw error;
      }
      if (MD5.test(etag) && etag !== md5) throw new PutFailed(0, `part ${part} arrived damaged`);
      const options = { body: { etag }, signal, timeoutMs: REQUEST_TIMEOUT_MS };
      await post(`/videos/${this.videoId}/parts/${part}`, options);
    }, signal);
    this.inFlight.delete(part);
    this.done.set(part, slice.size);
    this.show({ keptBytes: this.kept() });
    this.noteSent(part, 0);
  }

  /** Retries with a growing delay; waits without limit while offline, or while the server is away. */
  private async retry<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    let errors = 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        const value = await call();
        if (this.progress.value.phase === "waiting") this.show({ phase: "sending", reason: null });
        return value;
      } catch (error) {
        if (signal.aborted) throw new Stopped();
        const isOffline = !navigator.onLine || OUTAGE.includes(statusOf(error));
        // An outage says nothing about the request, and does not use up its attempts.
        if (!isOffline) errors += 1;
        if (!isRetryable(error) || errors > MAX_ATTEMPTS) throw error;
        this.rate.reset();
        if (isOffline || attempt > 1)
          this.show({
            phase: "waiting",
            reason: error as Error,
            sentBytes: this.kept(),
            perSecond: null,
            secondsLeft: null,
          });
        await pause(Math.min(MAX_RETRY_DELAY_MS, 400 * 2 ** Math.min(attempt, 6)) * (0.75 + Math.random() / 2), signal);
      }
    }
  }

  private slice(part: number): Blob {
    return this.file.slice((part - 1) * this.partSize, part * this.partSize);
  }

  private noteSent(part: number, bytes: number): void {
    if (bytes === 0) this.inFlight.delete(part);
    else this.inFlight.set(part, bytes);
    const sent = this.sent();
    this.rate.note(sent, performance.now());
    if (this.progress.value.phase !== "sending") return;
    this.show({
      sentBytes: sent,
      perSecond: this.rate.perSecond(),
      secondsLeft: this.rate.secondsLeft(this.file.size - sent),
    });
  }

  private kept(): number {
    let sum = 0;
    for (const size of this.done.values()) sum += size;
    return sum;
  }

  private sent(): number {
    let sum = this.kept();
    for (const size of this.inFlight.values()) sum += size;
    return Math.min(sum, this.file.size);
  }

  private show(change: Partial<Progress>): void {
    this.progress.update((old) => ({ ...old, ...change }));
  }
}

function statusOf(error: unknown): number {
  return error instanceof ApiError || error instanceof PutFailed ? error.status : -1;
}

/** 403 means an expired URL; a new one can be requested. */
function isRetryable(error: unknown): boolean {
  return error instanceof PutFailed
    ? [0, 403, 408, 429].includes(error.status) || error.status >= 500
    : error instanceof ApiError && error.isRetryable;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      if (signal.aborted) reject(new Stopped());
      else resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
