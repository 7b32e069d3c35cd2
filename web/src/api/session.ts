// Sign-in and sign-out: at the identity provider, or by an access token that is exchanged for a cookie and then forgotten.

import { encodeQuery, get, post, remove } from "./client";
import type { EndedSessionAnswer, SignInOptionsAnswer } from "./types";
import { type Data, useData } from "./use_data";

export async function signIn(token: string): Promise<void> {
  await post("/api/session", { body: { token: token.trim() } });
  location.reload();
}

/** Where the browser goes to sign in at the identity provider; it comes back to the page that is open now. */
export function signInAddress(): string {
  return `/api/session/oidc/start${encodeQuery({ return_to: location.pathname + location.search })}`;
}

export function useSignInOptions(): Data<SignInOptionsAnswer> {
  return useData("sign-in options", (signal) => get<SignInOptionsAnswer>("/api/session/options", { signal }));
}

/** Ends the session here and, where it began there, at the identity provider. */
export async function signOut(): Promise<void> {
  const ended = await remove<EndedSessionAnswer | undefined>("/api/session");
  if (ended === undefined) location.reload();
  else location.assign(ended.sign_out_url);
}
