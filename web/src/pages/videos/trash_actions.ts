// Moving videos to the trash, with undo.

import { post } from "../../api/client";
import type { TrashAnswer } from "../../api/types";
import { notify, notifyError } from "../../ui/toasts";
import type { LibraryWords } from "./library_words";

/** Videos that can be moved to the trash. */
export const FINISHED_STATUSES = ["COMPLETED", "FAILED"];

/** `changed` is called after it, and again after an undo. */
export async function moveToTrash(ids: string[], words: LibraryWords, changed: () => void): Promise<boolean> {
  try {
    await post<TrashAnswer>("/api/trash", { body: { video_ids: ids } });
  } catch (error) {
    notifyError(error);
    return false;
  }
  notify(words.trashed(ids.length), { label: words.undo, run: () => void restoreVideos(ids, words, changed) });
  changed();
  return true;
}

export async function restoreVideos(ids: string[], words: LibraryWords, changed: () => void): Promise<void> {
  try {
    await post("/api/trash/restore", { body: { video_ids: ids } });
    notify(words.restored(ids.length));
    changed();
  } catch (error) {
    notifyError(error);
  }
}
