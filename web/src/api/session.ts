// Sign-in and sign-out: at the identity provider, or by an access token that is exchanged for a cookie and then forgotten.

import { currentSubscription } from "../core/push_browser";
import { encodeQuery, get, post, remove } from "./client";
import type { BrowsersAnswer, EndedSessionAnswer, SignInOptionsAnswer } from "./types";
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
  await stopNotifications();
  const ended = await remove<EndedSessionAnswer | undefined>("/api/session");
  if (ended === undefined) location.reload();
  else location.assign(ended.sign_out_url);
}

/** Otherwise whoever uses the browser next would be shown events of the one who left. */
async function stopNotifications(): Promise<void> {
  const subscription = await currentSubscription();
  if (subscription === null) return;
  try {
    const { browsers } = await get<BrowsersAnswer>("/api/push-browsers");
    const own = browsers.find((item) => item.endpoint === subscription.endpoint);
    if (own !== undefined) await remove(`/api/push-browsers/${own.browser_id}`);
  } finally {
    await subscription.unsubscribe();
  }
}
