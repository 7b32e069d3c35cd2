// The access token of this browser, if the server requires one.

import { readStored, writeStored } from "./browser_storage";
import { Store } from "./store";

const KEY = "token";

/** True once the server has refused a request for lack of a valid token. */
export const isSignInRequired = new Store(false);

export function readToken(): string | null {
  return readStored(KEY);
}

export function signIn(token: string): void {
  writeStored(KEY, token.trim());
  location.reload();
}

export function signOut(): void {
  writeStored(KEY, null);
  location.reload();
}

export function requireSignIn(): void {
  isSignInRequired.set(true);
}
