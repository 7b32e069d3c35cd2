// The search query in the address, and its results. Typing updates the address after a pause.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { FacetsAnswer, HitAnswer, NamedHitAnswer, SearchAnswer } from "../../api/types";
import { type PagedList, usePagedList } from "../../api/use_paged_list";
import { setQuery, useLocation } from "../../core/router";
import { useDebounced } from "../../core/timing";
import { type Moment, momentsOf, type Row, withSimilar } from "./result_rows";

export const KINDS = ["mention", "hashtag", "url", "emoji", "number"] as const;
export type Kind = (typeof KINDS)[number];
export const SORTS = ["best", "newest", "oldest", "time"] as const;
export type Sort = (typeof SORTS)[number];
/** Names of facets in the address. */
export const FACETS = ["kind", "tag", "video", "month", "language"] as const;
export type FacetName = (typeof FACETS)[number];

export interface SearchQuery {
  q: string;
  kind: Kind | "";
  isExact: boolean;
  sort: Sort;
  facets: Record<FacetName, string>;
  /** A segment: what is similar to it in meaning is shown instead of results of the box. */
  like: string;
}

const DEBOUNCE_MS = 180;
const VIDEOS_PER_PAGE = 10;
const HITS_PER_PAGE = 50;

export function useSearchQuery(): SearchQuery {
  const { query } = useLocation();
  const kind = query.get("type") ?? "";
  const sort = query.get("sort") ?? "";
  return {
    q: query.get("q") ?? "",
    kind: (KINDS as readonly string[]).includes(kind) ? (kind as Kind) : "",
    isExact: query.get("exact") === "1",
    sort: (SORTS as readonly string[]).includes(sort) ? (sort as Sort) : "best",
    facets: Object.fromEntries(FACETS.map((name) => [name, query.get(name) ?? ""])) as Record<FacetName, string>,
    like: query.get("like") ?? "",
  };
}

export const isNarrowed = (query: SearchQuery): boolean =>
  query.kind !== "" || query.isExact || FACETS.some((name) => query.facets[name] !== "");

/** Whether there is something to search for. */
export const isAsking = ({ q, kind, facets, like }: SearchQuery): boolean =>
  q !== "" || kind !== "" || facets.tag !== "" || facets.video !== "" || like !== "";

export const clearFilters = (): void =>
  setQuery({ type: null, exact: null, ...Object.fromEntries(FACETS.map((name) => [name, null])) });

/** The whole search in the words of the box, so that it can be saved. */
export function asWritten({ q, kind, facets }: SearchQuery): string {
  const quoted = (text: string) => (/\s/.test(text) ? `"${text}"` : text);
  const month = facets.month === "" ? [] : [`after:${facets.month}`, `before:${nextMonth(facets.month)}`];
  const parts = [
    q,
    kind && `kind:${kind}`,
    facets.kind && `kind:${facets.kind}`,
    facets.tag && `tag:${quoted(facets.tag)}`,
    facets.video && `in:${facets.video}`,
    ...month,
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** The text in the input. The address follows it, and it follows changes of the address. */
export function useSearchText(q: string): [string, (text: string) => void] {
  const [text, setText] = useState(q);
  const debounced = useDebounced(text.trim(), DEBOUNCE_MS);
  const written = useRef(q);
  useEffect(() => {
    if (q === written.current) return;
    written.current = q;
    setText(q);
  }, [q]);
  useEffect(() => {
    if (debounced === written.current) return;
    written.current = debounced;
    setQuery({ q: debounced, like: null });
  }, [debounced]);
  return [text, setText];
}

interface Found {
  total: number;
  videos: number | null;
  named: NamedHitAnswer[];
  facets: FacetsAnswer | null;
  similar: HitAnswer[];
  isPartial: boolean;
}

export interface Results extends Found {
  rows: Row[];
  moments: Moment[];
  /** The rows belong to the previous query while the new one is loading. */
  isStale: boolean;
  paged: PagedList<Row>;
}

const NOTHING: Found = { total: 0, videos: null, named: [], facets: null, similar: [], isPartial: false };

export function useResults(query: SearchQuery): Results {
  const key = JSON.stringify(query);
  const isNothing = !isAsking(query);
  const found = useRef(new Map<string, Found>());
  const load = async (cursor: string | null, signal: AbortSignal) => {
    if (isNothing) return { rows: [], next: null };
    const page = Number(cursor ?? "1");
    const answer = await (query.like === ""
      ? get<SearchAnswer>("/search", { query: requestOf(query, page), signal })
      : get<SearchAnswer>("/search/similar", {
          query: { segment_id: query.like, page, page_size: HITS_PER_PAGE },
          signal,
        }));
    if (page === 1) {
      const { total, named, facets, similar, is_partial: isPartial, total_videos: videos } = answer;
      found.current.set(key, { total, named, facets, similar, isPartial, videos });
    }
    const groups = (answer.groups ?? []).map((group): Row => ({ kind: "group", key: group.video_id, group }));
    const hits = answer.hits.map((hit): Row => ({ kind: "hit", key: hit.segment_id, hit }));
    const rows = [...groups, ...hits];
    const all = answer.total_videos ?? answer.total;
    return { rows, next: page * answer.page_size < all && rows.length > 0 ? String(page + 1) : null };
  };
  const paged = usePagedList(key, load);
  const last = useRef<{ rows: Row[]; found: Found }>({ rows: [], found: NOTHING });
  const isStale = paged.isLoading && paged.rows.length === 0;
  if (!isStale) {
    const now = found.current.get(key) ?? NOTHING;
    last.current = { rows: paged.isComplete ? withSimilar(paged.rows, now.similar) : paged.rows, found: now };
  }
  const { rows } = last.current;
  const moments = useMemo(() => momentsOf(rows), [rows]);
  return { ...last.current.found, rows, moments, isStale, paged };
}

/** Results by video; those of one video in order of time. */
function requestOf({ q, kind, isExact, sort, facets }: SearchQuery, page: number) {
  const isOfOneVideo = facets.video !== "";
  const month = facets.month === "" ? null : facets.month;
  return {
    q,
    entity_type: kind,
    match: isExact ? "substring" : "words",
    kind: facets.kind,
    tag: facets.tag === "" ? [] : [facets.tag],
    video_id: facets.video,
    language: facets.language,
    created_from: month && `${month}-01T00:00:00Z`,
    created_until: month && `${nextMonth(month)}-01T00:00:00Z`,
    sort: isOfOneVideo && sort === "best" ? "time" : sort,
    group: isOfOneVideo ? "none" : "video",
    facets: page === 1,
    page,
    page_size: isOfOneVideo ? HITS_PER_PAGE : VIDEOS_PER_PAGE,
  };
}

/** "2026-12" becomes "2027-01". */
export function nextMonth(month: string): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}

/** The current result, moved by keys. */
export function useCurrent(moments: Moment[], key: string): [Moment | null, (step: number) => Moment | null] {
  const [at, setAt] = useState<{ key: string; moment: number } | null>(null);
  const current = at !== null && at.key === key && at.moment < moments.length ? at.moment : null;
  const move = useCallback(
    (step: number) => {
      const next = (current ?? (step > 0 ? -1 : moments.length)) + step;
      // Down from the last result stays there; up from the first returns to the input.
      if (next >= moments.length) return current === null ? null : (moments[current] ?? null);
      setAt(next < 0 ? null : { key, moment: next });
      return moments[next] ?? null;
    },
    [moments, current, key],
  );
  return [current === null ? null : (moments[current] ?? null), move];
}
