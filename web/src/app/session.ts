// Who is here: the token that was given, if the platform wants one.

import { recall, remember } from "./memory";
import { Store } from "./store";

const KEY = "token";

/** Whether somebody has to sign in before anything more can be shown. */
export const signInWanted = new Store(false);

export function readToken(): string | null {
  return recall(KEY);
}

export function signIn(token: string): void {
  remember(KEY, token.trim());
  location.reload();
}

export function signOut(): void {
  remember(KEY, null);
  location.reload();
}

export function wantSignIn(): void {
  signInWanted.set(true);
}
