// The session of this browser. Its cookie cannot be read by scripts; the CSRF token beside it can, and proves that a
// request comes from this page.

import { writeStored } from "./browser_storage";
import { Store } from "./store";

const CSRF_COOKIE = /(?:^|;\s*)(?:__Host-)?sightline_csrf=([^;]+)/;

// Earlier versions kept the access token here.
writeStored("token", null);

/** True once the server has refused a request for lack of a session. */
export const isSignInRequired = new Store(false);

/** Null: this browser is not signed in, or the server requires no sign-in. */
export function readCsrfToken(): string | null {
  return CSRF_COOKIE.exec(document.cookie)?.[1] ?? null;
}

export function requireSignIn(): void {
  isSignInRequired.set(true);
}
