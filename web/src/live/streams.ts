// The streams of the live feed, one socket each, shared by all components.

import { useEffect, useRef } from "preact/hooks";
import { readStored, writeStored } from "../core/browser_storage";
import { LiveStream, type Subscriber } from "./stream";

/** The name of this browser, used to acknowledge critical messages. */
function deviceName(): string {
  const known = readStored("device");
  if (known !== null) return known;
  // crypto.randomUUID is missing on plain http pages.
  const name = `page-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (item) => item.toString(16).padStart(2, "0")).join("")}`;
  writeStored("device", name);
  return name;
}

export const eventStream = new LiveStream("events", deviceName());
export const videoStream = new LiveStream("videos");

/** Subscribes while the component is mounted. The functions may be new on every render. */
export function useLive(stream: LiveStream, subscriber: Subscriber): void {
  const latest = useRef(subscriber);
  latest.current = subscriber;
  useEffect(
    () => stream.subscribe({ message: (message) => latest.current.message(message), gap: () => latest.current.gap() }),
    [stream],
  );
}
