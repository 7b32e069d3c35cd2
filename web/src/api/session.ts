// Sign-in and sign-out: the access token is exchanged for a cookie and then forgotten.

import { post, remove } from "./client";

export async function signIn(token: string): Promise<void> {
  await post("/api/session", { body: { token: token.trim() } });
  location.reload();
}

export async function signOut(): Promise<void> {
  await remove("/api/session");
  location.reload();
}
