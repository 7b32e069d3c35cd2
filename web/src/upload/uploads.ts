// All uploads of this tab: they go on whatever page is shown, and the browser asks before the tab is closed on them.

import { Store } from "../app/store";
import { Upload } from "./upload";

export const uploads = new Store<readonly Upload[]>([]);

/** Files one after another: each has the whole line, and the first is there soonest. */
let queue: Promise<void> = Promise.resolve();

export function add(file: File, videoId: string | null = null): Upload {
  const upload = new Upload(file, videoId);
  uploads.update((all) => [...all.filter((one) => videoId === null || one.videoId !== videoId), upload]);
  enqueue(upload);
  return upload;
}

export function goOn(upload: Upload): void {
  enqueue(upload);
}

function enqueue(upload: Upload): void {
  queue = queue.then(() => (upload.progress.value.phase === "cancelled" ? undefined : upload.run()));
}

export function forget(upload: Upload): void {
  uploads.update((all) => all.filter((one) => one !== upload));
}

addEventListener("beforeunload", (event) => {
  if (uploads.value.some((one) => one.isActive)) event.preventDefault();
});
