// The progress of all uploads of this tab together.

import { Store } from "../core/store";
import type { Upload } from "./upload";
import { uploads } from "./uploads";

export interface TotalProgress {
  /** Uploads that are not done. */
  active: number;
  /** From 0 to 1, by bytes. */
  share: number;
}

/** Null while nothing uploads. */
export const totalProgress = new Store<TotalProgress | null>(null);

export function totalOf(all: readonly Pick<Upload, "isActive" | "file" | "progress">[]): TotalProgress | null {
  const counted = all.filter((item) => item.isActive || item.progress.value.phase === "done");
  const active = counted.filter((item) => item.isActive).length;
  if (active === 0) return null;
  const total = counted.reduce((sum, item) => sum + item.file.size, 0);
  const sent = counted.reduce((sum, item) => sum + item.progress.value.sentBytes, 0);
  return { active, share: total === 0 ? 0 : Math.min(1, sent / total) };
}

let followed: (() => void)[] = [];

function update(): void {
  const next = totalOf(uploads.value);
  const old = totalProgress.value;
  const isSame =
    old !== null && next !== null && old.active === next.active && percentOf(old.share) === percentOf(next.share);
  if (!isSame) totalProgress.set(next);
}

const percentOf = (share: number): number => Math.floor(share * 100);

uploads.subscribe((all) => {
  for (const stop of followed) stop();
  followed = all.map((item) => item.progress.subscribe(update));
  update();
});
