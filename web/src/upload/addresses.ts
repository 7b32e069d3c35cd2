// Addresses for parts, asked for just before they are needed, in small groups: slow lines outlive addresses that are given early.

import { get } from "../api/client";
import type { UrlsAnswer } from "../api/types";

const AT_ONCE = 8;
/** An address that ends so soon is not begun with. */
const LEAST_LEFT_MS = 30_000;

interface Address {
  url: string;
  endsAt: number;
}

export class Addresses {
  private readonly known = new Map<number, Address>();
  private asking: Promise<void> = Promise.resolve();

  constructor(private readonly videoId: string) {}

  /** `next` are the parts that follow, whose addresses are fetched along. Null: the part has arrived meanwhile. */
  async of(part: number, next: number[], signal: AbortSignal): Promise<string | null> {
    // One question at a time: the second of two may find its answer in the first's.
    const turn = this.asking.then(() => (this.isGood(part) ? undefined : this.ask([part, ...next].slice(0, AT_ONCE), signal)));
    this.asking = turn.catch(() => undefined);
    await turn;
    return this.known.get(part)?.url ?? null;
  }

  forget(part: number): void {
    this.known.delete(part);
  }

  private isGood(part: number): boolean {
    return (this.known.get(part)?.endsAt ?? 0) > Date.now() + LEAST_LEFT_MS;
  }

  private async ask(parts: number[], signal: AbortSignal): Promise<void> {
    for (const part of parts) this.known.delete(part);
    const answer = await get<UrlsAnswer>(`/videos/${this.videoId}/upload-urls`, {
      query: { partNumbers: [...parts].sort((a, b) => a - b).join(",") },
      signal,
    });
    for (const one of answer.urls) {
      this.known.set(one.partNumber, { url: one.url, endsAt: new Date(one.expiresAt).getTime() });
    }
  }
}
