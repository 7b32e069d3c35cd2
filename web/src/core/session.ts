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

export type SignInProblem = "cancelled" | "expired" | "unavailable" | "refused";
const PROBLEMS: readonly string[] = ["cancelled", "expired", "unavailable", "refused"] satisfies SignInProblem[];

/** What went wrong at the identity provider, which has sent the browser back. */
export const signInProblem = new Store<SignInProblem | null>(takeProblem());
if (signInProblem.value !== null) requireSignIn();

/** Reads it from the address and takes it out, so that it is not shown again after a reload. */
function takeProblem(): SignInProblem | null {
  const address = new URL(location.href);
  const found = address.searchParams.get("sign_in_error");
  if (found === null) return null;
  address.searchParams.delete("sign_in_error");
  history.replaceState(null, "", address.pathname + address.search + address.hash);
  return PROBLEMS.includes(found) ? (found as SignInProblem) : "refused";
}
