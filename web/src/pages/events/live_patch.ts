// What a live message changes in an event that the page shows already. Pure.

import type { EventAnswer } from "../../api/types";
import type { LiveMessage } from "../../live/stream";

export type EventPatch = Partial<EventAnswer> & { id: number };

/** Fields that messages carry as the API has them. */
const FIELDS = [
  "state",
  "version",
  "acknowledged_at",
  "acknowledged_by",
  "resolved_at",
  "resolved_by",
  "resolution_notes",
  "risk_score",
  "risk_level",
  "summary",
  "reasoning",
  "assessor",
  "object_types",
  "zones",
  "behaviours",
  "ended_at",
  "snoozed_until",
  "comment_count",
] as const satisfies readonly (keyof EventAnswer)[];

const NOT_RESOLVED = { resolved_at: null, resolved_by: null, resolution_notes: null };

/** The stream `events` also reports alerts and the states of cameras. */
export const isEventMessage = ({ type }: LiveMessage): boolean => type === "event" || type.startsWith("event.");

export function patchOf({ type, data }: Pick<LiveMessage, "type" | "data">): EventPatch {
  const known = FIELDS.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]);
  return {
    id: Number(data.id),
    ...Object.fromEntries(known),
    ...(Array.isArray(data.object_types) && { objects: data.object_types as string[] }),
    ...(type === "event.assigned" && { assignee: assigneeOf(data) }),
    ...(type === "event.reopened" && NOT_RESOLVED),
  };
}

/** A message names the person beside the id. */
function assigneeOf({ assigned_to: person, assignee: name }: Record<string, unknown>): EventAnswer["assignee"] {
  return typeof person === "string" ? { user_id: person, name: typeof name === "string" ? name : null } : null;
}

/** The event after a patch. What is older than the event is dropped: messages, responses and reloads overtake each other. */
export function patched<T extends { version: number }>(event: T, patch: Partial<T>): T {
  return patch.version !== undefined && patch.version < event.version ? event : { ...event, ...patch };
}
