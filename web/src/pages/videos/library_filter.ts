// Which videos the library shows, and in which order: all of it is in the address.

import { setQuery, useLocation } from "../../core/router";
import { PROCESSING_STATUSES } from "./statuses";

export const STATUS_FILTERS = {
  all: [],
  uploading: ["CREATED", "UPLOADING"],
  processing: PROCESSING_STATUSES,
  ready: ["COMPLETED"],
  failed: ["FAILED"],
} satisfies Record<string, string[]>;

export type StatusFilter = keyof typeof STATUS_FILTERS;

export const ORDERS = ["newest", "oldest", "name", "longest", "largest"] as const;
export type Order = (typeof ORDERS)[number];

export interface LibraryFilter {
  status: StatusFilter;
  sort: Order;
  q: string;
  tag: string;
  collection: string;
  /** A team's id, or the person's own. */
  team: string;
}

export function readFilter(query: URLSearchParams): LibraryFilter {
  const status = query.get("status") ?? "all";
  const sort = query.get("sort") ?? "newest";
  return {
    status: status in STATUS_FILTERS ? (status as StatusFilter) : "all",
    sort: (ORDERS as readonly string[]).includes(sort) ? (sort as Order) : "newest",
    q: query.get("q") ?? "",
    tag: query.get("tag") ?? "",
    collection: query.get("collection") ?? "",
    team: query.get("team") ?? "",
  };
}

export const useLibraryFilter = (): LibraryFilter => readFilter(useLocation().query);

export function changeLibraryFilter(change: Partial<LibraryFilter>): void {
  setQuery(
    Object.fromEntries(
      Object.entries(change).map(([name, value]) => [name, value === "all" || value === "newest" ? null : value]),
    ),
  );
}

/** Whether videos may be missing because of the filter. */
export const isNarrowed = (filter: LibraryFilter): boolean =>
  filter.status !== "all" || filter.q !== "" || filter.tag !== "" || filter.team !== "";
