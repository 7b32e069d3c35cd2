// Copies a text to the clipboard, with a toast.

import { notify, notifyError } from "./toasts";

/** Plain http pages have no clipboard, except on localhost: `fallback` is then shown to be copied by hand. */
export async function copyText(text: string, copied: string, fallback: string = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(copied);
  } catch {
    notifyError(fallback);
  }
}
