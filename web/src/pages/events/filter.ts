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
  };
}

export function changeFilter(change: Partial<EventFilter>): void {
  const values: Record<string, string | null> = {};
  if (change.state !== undefined) values.state = change.state === "open" ? null : change.state;
  if (change.levels !== undefined) values.level = change.levels.join(",");
  if (change.camera !== undefined) values.camera = change.camera;
  if (change.words !== undefined) values.q = change.words.trim();
  setQuery(values);
}

export function queryOf(filter: EventFilter): Query {
  return {
    state: STATES_OF[filter.state],
    risk_level: filter.levels,
    camera_id: filter.camera,
    q: filter.words,
  };
}

export const hasState = (filter: EventFilter, state: string): boolean =>
  filter.state === "all" ? state !== "archived" : STATES_OF[filter.state].includes(state);

/** Whether a live event matches the filter, as far as its message shows. */
export function matchesFilter(filter: EventFilter, event: Partial<EventAnswer>): boolean {
  if (filter.levels.length > 0 && !filter.levels.includes(event.risk_level as Level)) return false;
  if (filter.camera !== "" && filter.camera !== event.camera_id) return false;
  const text = `${event.summary ?? ""} ${event.reasoning ?? ""}`.toLowerCase();
  return filter.words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
