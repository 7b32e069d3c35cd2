// All uploads of this tab. They continue on every page, and the browser asks before the tab is closed.

import { Store } from "../core/store";
import { Upload } from "./upload";

export const uploads = new Store<readonly Upload[]>([]);

/** Files upload one after another, so that the first is done soonest. */
let queue: Promise<void> = Promise.resolve();

export function addUpload(file: File, videoId: string | null = null, teamId: string | null = null): Upload {
  const upload = new Upload(file, videoId, teamId);
  uploads.update((all) => [...all.filter((item) => videoId === null || item.videoId !== videoId), upload]);
  enqueue(upload);
  return upload;
}

export function resumeUpload(upload: Upload): void {
  enqueue(upload);
}

function enqueue(upload: Upload): void {
  queue = queue.then(() => (upload.progress.value.phase === "cancelled" ? undefined : upload.run()));
}

export function removeUpload(upload: Upload): void {
  uploads.update((all) => all.filter((item) => item !== upload));
}

addEventListener("beforeunload", (event) => {
  if (uploads.value.some((item) => item.isActive)) event.preventDefault();
});
