// Upload URLs of file parts, requested in small groups just before use, because they expire.

import { get } from "../api/client";
import type { UrlsAnswer } from "../api/types";

const URLS_PER_REQUEST = 8;
/** A URL that expires sooner is not used. */
const MIN_REMAINING_MS = 30_000;
/** A cut cable or a sleeping laptop sends no error; the request is repeated then. */
export const REQUEST_TIMEOUT_MS = 60_000;

interface PartUrl {
  url: string;
  expiresAt: number;
}

export class PartUrls {
  private readonly known = new Map<number, PartUrl>();
  private pending: Promise<void> = Promise.resolve();

  constructor(private readonly videoId: string) {}

  /** `next` are the following parts, whose URLs are requested along. Null: the part is already uploaded. */
  async of(part: number, next: number[], signal: AbortSignal): Promise<string | null> {
    // One request at a time: the second call may find its URL in the first response.
    const turn = this.pending.then(() =>
      this.isValid(part) ? undefined : this.request([part, ...next].slice(0, URLS_PER_REQUEST), signal),
    );
    this.pending = turn.catch(() => undefined);
    await turn;
    return this.known.get(part)?.url ?? null;
  }

  forget(part: number): void {
    this.known.delete(part);
  }

  private isValid(part: number): boolean {
    return (this.known.get(part)?.expiresAt ?? 0) > Date.now() + MIN_REMAINING_MS;
  }

  private async request(parts: number[], signal: AbortSignal): Promise<void> {
    for (const part of parts) this.known.delete(part);
    const answer = await get<UrlsAnswer>(`/videos/${this.videoId}/upload-urls`, {
      query: { partNumbers: [...parts].sort((a, b) => a - b).join(",") },
      signal,
      timeoutMs: REQUEST_TIMEOUT_MS,
    });
    for (const item of answer.urls) {
      this.known.set(item.partNumber, { url: item.url, expiresAt: new Date(item.expiresAt).getTime() });
    }
  }
}
