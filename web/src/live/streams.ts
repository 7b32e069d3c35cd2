// The streams of the live feed that this page follows, each over one socket, however many parts of it listen.

import { useEffect, useRef } from "preact/hooks";
import { recall, remember } from "../app/memory";
import { type Follower, LiveStream } from "./stream";

/** This browser's name, under which acknowledgements of critical messages are remembered. */
function deviceName(): string {
  const known = recall("device");
  if (known !== null) return known;
  // Not crypto.randomUUID: pages of plain http do not have it.
  const name = `page-${Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(16).padStart(2, "0")).join("")}`;
  remember("device", name);
  return name;
}

export const eventStream = new LiveStream("events", deviceName());
export const videoStream = new LiveStream("videos");

/** Listens while the component is shown. The functions may be new ones each time. */
export function useLive(stream: LiveStream, follower: Follower): void {
  const latest = useRef(follower);
  latest.current = follower;
  useEffect(
    () => stream.follow({ message: (message) => latest.current.message(message), gap: () => latest.current.gap() }),
    [stream],
  );
}
