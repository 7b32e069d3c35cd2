// Which events are wanted, as the address says it. Pure, but for reading and writing the address.

import type { Query } from "../../api/client";
import type { EventAnswer } from "../../api/types";
import { setQuery, usePlace } from "../../app/router";

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
  const { query } = usePlace();
  const state = query.get("state") as StateChoice | null;
  const levels = (query.get("level") ?? "").split(",");
  return {
    state: state !== null && STATES.includes(state) ? state : "open",
    levels: LEVELS.filter((one) => levels.includes(one)),
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

/** Whether an event that was told belongs here, so far as can be known without asking. */
export function mayMatch(filter: EventFilter, told: Partial<EventAnswer>): boolean {
  if (filter.levels.length > 0 && !filter.levels.includes(told.risk_level as Level)) return false;
  if (filter.camera !== "" && filter.camera !== told.camera_id) return false;
  const text = `${told.summary ?? ""} ${told.reasoning ?? ""}`.toLowerCase();
  return filter.words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
