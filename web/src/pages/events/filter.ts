// The event filter in the address, and the rules for which events match it.

import type { Query } from "../../api/client";
import type { EventAnswer } from "../../api/types";
import { setQuery, useLocation } from "../../core/router";

export const STATES = ["open", "acknowledged", "resolved", "all", "archived"] as const;
export type StateChoice = (typeof STATES)[number];

export const LEVELS = ["critical", "high", "medium", "low"] as const;
export type Level = (typeof LEVELS)[number];

export interface EventFilter {
  state: StateChoice;
  levels: Level[];
  camera: string;
  words: string;
  object: string;
  zone: string;
  /** "me", "nobody", or "" for anybody. */
  assigned: string;
  /** A day of the reader's own clock, such as 2026-11-18, or "". */
  day: string;
}

const STATES_OF: Record<StateChoice, string[]> = {
  open: ["created", "broadcasted"],
  acknowledged: ["acknowledged"],
  resolved: ["resolved"],
  all: [],
  archived: ["archived"],
};

export const isOpen = (event: { state: string }): boolean => STATES_OF.open.includes(event.state);
export const isResolvable = (event: { state: string }): boolean => isOpen(event) || event.state === "acknowledged";

export function useFilter(): EventFilter {
  const { query } = useLocation();
  const state = query.get("state") as StateChoice | null;
  const levels = (query.get("level") ?? "").split(",");
  return {
    state: state !== null && STATES.includes(state) ? state : "open",
    levels: LEVELS.filter((item) => levels.includes(item)),
    camera: query.get("camera") ?? "",
    words: query.get("q") ?? "",
    object: query.get("object") ?? "",
    zone: query.get("zone") ?? "",
    assigned: query.get("assigned") ?? "",
    day: spanOfDay(query.get("day") ?? "") === null ? "" : (query.get("day") ?? ""),
  };
}

export function changeFilter(change: Partial<EventFilter>): void {
  const values: Record<string, string | null> = {};
  if (change.state !== undefined) values.state = change.state === "open" ? null : change.state;
  if (change.levels !== undefined) values.level = change.levels.join(",");
  if (change.camera !== undefined) values.camera = change.camera;
  if (change.words !== undefined) values.q = change.words.trim();
  for (const name of ["object", "zone", "assigned", "day"] as const) {
    if (change[name] !== undefined) values[name] = change[name];
  }
  setQuery(values);
}

export function queryOf(filter: EventFilter): Query {
  return {
    state: STATES_OF[filter.state],
    risk_level: filter.levels,
    camera_id: filter.camera,
    q: filter.words,
    object: filter.object,
    zone: filter.zone,
    assigned_to: filter.assigned,
    ...spanOfDay(filter.day),
  };
}

/** From midnight to midnight on the reader's own clock; null if the text is no day. */
export function spanOfDay(day: string): { since: string; until: string } | null {
  const start = new Date(`${day}T00:00`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(start.getTime())) return null;
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { since: start.toISOString(), until: end.toISOString() };
}

export const hasState = (filter: EventFilter, state: string): boolean =>
  filter.state === "all" ? state !== "archived" : STATES_OF[filter.state].includes(state);

/** What the filter looks at: an event of the list, or as much of one as a live message shows. */
export type FilteredEvent = Partial<EventAnswer> & {
  /** Whose event it is, as live messages say it; null: nobody's. */
  assigned_to?: string | null;
};

/** Whether the event is of the person that the filter names. `me` is the reader's own id, null until it is known. */
export function hasAssignee(filter: EventFilter, event: FilteredEvent, me: string | null): boolean {
  if (filter.assigned === "") return true;
  const person = event.assigned_to === undefined ? (event.assignee?.user_id ?? null) : event.assigned_to;
  return filter.assigned === "me" ? person !== null && person === me : person === null;
}

/** Whether a live event matches the filter, as far as its message shows. */
export function matchesFilter(filter: EventFilter, event: FilteredEvent, me: string | null): boolean {
  if (filter.levels.length > 0 && !filter.levels.includes(event.risk_level as Level)) return false;
  if (filter.camera !== "" && filter.camera !== event.camera_id) return false;
  if (filter.object !== "" && event.object_types?.includes(filter.object) === false) return false;
  if (filter.zone !== "" && !event.zones?.includes(filter.zone)) return false;
  if (!hasAssignee(filter, event, me)) return false;
  const span = spanOfDay(filter.day);
  if (span !== null && event.started_at !== undefined) {
    const at = Date.parse(event.started_at);
    if (at < Date.parse(span.since) || at >= Date.parse(span.until)) return false;
  }
  const text = `${event.summary ?? ""} ${event.reasoning ?? ""}`.toLowerCase();
  return filter.words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
