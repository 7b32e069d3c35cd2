// Web Push of this browser: whether it can, and its subscription.

/** "blocked": the person refused it in the browser, which alone can allow it again. */
export type PushAbility = "able" | "blocked" | "unable";

export function pushAbility(): PushAbility {
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return "unable";
  return Notification.permission === "denied" ? "blocked" : "able";
}

export async function currentSubscription(): Promise<PushSubscription | null> {
  if (pushAbility() === "unable") return null;
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Asks the person, and subscribes at the browser's push service. Null: the person refused. */
export async function subscribe(publicKey: string): Promise<PushSubscription | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  const old = await pushManager.getSubscription();
  // A subscription under another key of the server cannot be used any more.
  if (old !== null && encodeKey(old.options.applicationServerKey) !== publicKey) await old.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

export function encodeKey(key: ArrayBuffer | null): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** "Chrome on Android", for the list of browsers. */
export function browserName(agent: string = navigator.userAgent): string {
  const first = (names: [RegExp, string][], fallback: string) =>
    names.find(([pattern]) => pattern.test(agent))?.[1] ?? fallback;
  const browser = first(
    [
      [/Edg\//, "Edge"],
      [/OPR\//, "Opera"],
      [/Firefox\//, "Firefox"],
      [/Chrome\//, "Chrome"],
      [/Safari\//, "Safari"],
    ],
    "Browser",
  );
  const system = first(
    [
      [/Android/, "Android"],
      [/iPhone|iPad/, "iOS"],
      [/Windows/, "Windows"],
      [/Mac OS X/, "macOS"],
      [/Linux/, "Linux"],
    ],
    "",
  );
  return system === "" ? browser : `${browser} · ${system}`;
}
