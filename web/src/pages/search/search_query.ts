// The search query in the address, and its results. Typing updates the address after a pause.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { SearchAnswer } from "../../api/types";
import { type PagedList, usePagedList } from "../../api/use_paged_list";
import { setQuery, useLocation } from "../../core/router";
import { useDebounced } from "../../core/timing";
import { type FoundHit, groupedRows, type Row } from "./result_rows";

export const KINDS = ["mention", "hashtag", "url", "emoji", "number"] as const;
export type Kind = (typeof KINDS)[number];

export interface SearchQuery {
  q: string;
  kind: Kind | "";
  isExact: boolean;
  /** A text whose similar ones are listed instead; empty otherwise. */
  like: string;
}

const DEBOUNCE_MS = 180;
const PAGE_SIZE = 50;

export function useSearchQuery(): SearchQuery {
  const { query } = useLocation();
  const kind = query.get("type") ?? "";
  return {
    q: query.get("q") ?? "",
    kind: (KINDS as readonly string[]).includes(kind) ? (kind as Kind) : "",
    isExact: query.get("exact") === "1",
    like: query.get("like") ?? "",
  };
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

export interface Hits {
  rows: Row[];
  total: number;
  /** The rows belong to the previous query while the new one is loading. */
  isStale: boolean;
  paged: PagedList<FoundHit>;
}

export function useHits({ q, kind, isExact, like }: SearchQuery): Hits {
  const key = JSON.stringify([q, kind, isExact, like]);
  const isNothing = q === "" && kind === "" && like === "";
  const totals = useRef(new Map<string, number>());
  const load = async (cursor: string | null, signal: AbortSignal) => {
    if (isNothing) return { rows: [], next: null };
    const page = Number(cursor ?? "1");
    const query = { q, entity_type: kind, match: isExact ? "substring" : "words", page, page_size: PAGE_SIZE };
    const answer =
      like === ""
        ? await get<SearchAnswer>("/search", { query, signal })
        : await get<SearchAnswer>("/search/similar", {
            query: { segment_id: like, page, page_size: PAGE_SIZE },
            signal,
          });
    totals.current.set(key, answer.total);
    const rows = answer.hits.map((hit) => ({ ...hit, page }));
    return { rows, next: page * PAGE_SIZE < answer.total && rows.length > 0 ? String(page + 1) : null };
  };
  const paged = usePagedList(key, load);
  const last = useRef<{ hits: FoundHit[]; total: number }>({ hits: [], total: 0 });
  const isStale = paged.isLoading && paged.rows.length === 0;
  if (!isStale) last.current = { hits: paged.rows, total: totals.current.get(key) ?? 0 };
  const { hits, total } = last.current;
  const rows = useMemo(() => groupedRows(hits), [hits]);
  return { rows, total, isStale, paged };
}

/** Index of the current result, moved by keys. */
export function useCurrent(rows: Row[], key: string): [number | null, (step: number) => number | null] {
  const [at, setAt] = useState<{ key: string; row: number } | null>(null);
  const current = at !== null && at.key === key && at.row < rows.length ? at.row : null;
  const move = useCallback(
    (step: number) => {
      let next = current ?? (step > 0 ? -1 : rows.length);
      do next += step;
      while ((rows[next]?.kind ?? "hit") !== "hit");
      const found = rows[next] === undefined ? null : next;
      // Down from the last result stays there; up from the first returns to the input.
      if (found === null && step > 0) return current;
      setAt(found === null ? null : { key, row: found });
      return found;
    },
    [rows, current, key],
  );
  return [current, move];
}
