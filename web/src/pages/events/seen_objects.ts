// The objects of an event: detections of one track are one object, shown once with its best picture.

import type { DetectionAnswer } from "../../api/types";

export interface SeenObject {
  /** The detection with the picture that shows it best. */
  shown: DetectionAnswer;
  /** How often it was reported. */
  reports: number;
  /** How long it was in view; null if nobody followed it. */
  seconds: number | null;
  direction: string | null;
  behaviours: Behaviour[];
  /** What its detector said beyond that, by name. */
  others: Record<string, unknown>;
}

export interface Behaviour {
  kind: string;
  zone: string | null;
}

/** What the platform's own cameras say of a track; the page has words for it, or no use. */
const OF_TRACKS = ["track_id", "path", "model", "ended", "seconds", "direction", "behaviours"];

/** In the order in which they were first seen. */
export function seenObjects(detections: DetectionAnswer[]): SeenObject[] {
  const groups = new Map<string, DetectionAnswer[]>();
  for (const item of detections) {
    const track = item.attributes.track_id;
    const key = typeof track === "string" ? `track ${track}` : `detection ${item.id}`;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].map(objectOf);
}

function objectOf(group: DetectionAnswer[]): SeenObject {
  const isFollowed = typeof group[0]?.attributes.track_id === "string";
  const shown = group.reduce((best, item) => (quality(item) > quality(best) ? item : best));
  const said = group.map((item) => item.attributes);
  const seconds = Math.max(...said.map((one) => Number(one.seconds) || 0));
  const others = Object.fromEntries(
    Object.entries(shown.attributes).filter(([name]) => !isFollowed || !OF_TRACKS.includes(name)),
  );
  return {
    shown,
    reports: group.length,
    seconds: isFollowed ? seconds : null,
    direction: isFollowed
      ? (said.map((one) => one.direction).findLast((one) => typeof one === "string") ?? null)
      : null,
    behaviours: isFollowed ? distinct(said.flatMap((one) => behavioursIn(one.behaviours))) : [],
    others,
  } as SeenObject;
}

/** A picture counts more than anything; then how large and certain the object is in it. */
function quality(item: DetectionAnswer): number {
  const [, , width = 0, height = 0] = item.bbox ?? [];
  return (item.image_url === null ? 0 : 10) + item.confidence * Math.sqrt(width * height);
}

function behavioursIn(value: unknown): Behaviour[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((one): one is Record<string, unknown> => typeof one === "object" && one !== null)
    .map((one) => ({ kind: String(one.kind), zone: typeof one.zone === "string" ? one.zone : null }));
}

function distinct(behaviours: Behaviour[]): Behaviour[] {
  return [...new Map(behaviours.map((one) => [`${one.kind} ${one.zone}`, one])).values()];
}
