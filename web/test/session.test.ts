import "./browser";
import { deepEqual, rejects } from "node:assert/strict";
import { test } from "node:test";
import { signOut } from "../src/api/session";

const OWN = "https://push.example/own";

/** A browser with a subscription, and a server that answers by method and path. Returns what was done, in order. */
function signedIn(answers: Record<string, unknown>): string[] {
  const done: string[] = [];
  const subscription = { endpoint: OWN, unsubscribe: async () => done.push("unsubscribed") };
  Object.assign(navigator, {
    serviceWorker: { getRegistration: async () => ({ pushManager: { getSubscription: async () => subscription } }) },
  });
  Object.assign(location, { reload: () => done.push("reloaded"), origin: "http://sightline.test" });
  Object.assign(globalThis, {
    window: globalThis,
    PushManager: class {},
    Notification: { permission: "granted" },
    fetch: async (address: string | URL, init?: RequestInit) => {
      const call = `${init?.method ?? "GET"} ${new URL(address, "http://sightline.test").pathname}`;
      done.push(call);
      if (!(call in answers)) return new Response('{"error":{"code":"DOWN","message":"down"}}', { status: 503 });
      return answers[call] === null ? new Response(null, { status: 204 }) : Response.json(answers[call]);
    },
  });
  return done;
}

test("signing out ends the notifications of this browser alone, before the session", async () => {
  const browsers = [
    { browser_id: "other", endpoint: "https://push.example/other" },
    { browser_id: "own", endpoint: OWN },
  ];
  const done = signedIn({
    "GET /api/push-browsers": { browsers },
    "DELETE /api/push-browsers/own": null,
    "DELETE /api/session": null,
  });
  await signOut();
  deepEqual(done, [
    "GET /api/push-browsers",
    "DELETE /api/push-browsers/own",
    "unsubscribed",
    "DELETE /api/session",
    "reloaded",
  ]);
});

test("a browser is unsubscribed also if the server cannot be told, and the session stays until it can", async () => {
  const done = signedIn({});
  await rejects(signOut());
  deepEqual(done.includes("unsubscribed"), true);
  deepEqual(done.includes("reloaded"), false);
});
