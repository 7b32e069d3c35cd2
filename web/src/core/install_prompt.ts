// The browser's offer to install the page as an app. It comes once, early, and is kept until the settings show it.

import { Store } from "./store";

interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

/** Null: the browser has no such offer, or the app is installed. */
export const installPrompt = new Store<InstallPrompt | null>(null);

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // the browser's own banner would come at a moment of its choice
  installPrompt.set(event as InstallPrompt);
});
addEventListener("appinstalled", () => installPrompt.set(null));
