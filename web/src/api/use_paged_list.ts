// A list loaded page by page as the user scrolls.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "./client";

export interface ListPage<T> {
  rows: T[];
  /** Cursor of the next page; null at the end. */
  next: string | null;
}

/** The cursor of the next page. Servers of the previous release call the field `next`. */
export function nextCursor(answer: { next_cursor?: string | null; next?: string | null }): string | null {
  return answer.next_cursor ?? answer.next ?? null;
}

export interface PagedList<T> {
  rows: T[];
  isLoading: boolean;
  isComplete: boolean;
  error: ApiError | undefined;
  /** Loads the next page, unless it is already loading or the list is complete. */
  loadMore: () => void;
  /** Loads as many rows again as are shown, and replaces them in one go. */
  reload: () => void;
  set: (change: (rows: T[]) => T[]) => void;
}

const MAX_REFRESHED_ROWS = 200;

export function usePagedList<T>(
  key: string,
  load: (cursor: string | null, signal: AbortSignal) => Promise<ListPage<T>>,
): PagedList<T> {
  const [state, setState] = useState<{
    key: string;
    rows: T[];
    next: string | null;
    isLoading: boolean;
    error?: ApiError;
  }>({
    key,
    rows: [],
    next: null,
    isLoading: true,
  });
  const loader = useRef(load);
  loader.current = load;
  const request = useRef<AbortController | null>(null);
  const latest = useRef(state);
  latest.current = state;

  const fetch = useCallback(
    async (cursor: string | null, minRows: number) => {
      request.current?.abort();
      const abort = new AbortController();
      request.current = abort;
      setState((old) =>
        old.key === key ? { ...old, isLoading: true } : { key, rows: [], next: null, isLoading: true },
      );
      try {
        let rows: T[] = [];
        let next = cursor;
        do {
          const page = await loader.current(next, abort.signal);
          rows = rows.concat(page.rows);
          next = page.next;
        } while (next !== null && rows.length < minRows);
        if (abort.signal.aborted) return;
        setState((old) => ({
          key,
          rows: cursor === null ? rows : old.rows.concat(rows),
          next,
          isLoading: false,
        }));
      } catch (error) {
        if (abort.signal.aborted) return;
        const apiError = error instanceof ApiError ? error : new ApiError(0, "UNEXPECTED", String(error));
        setState((old) => ({ ...old, key, isLoading: false, error: apiError }));
      } finally {
        if (request.current === abort) request.current = null;
      }
    },
    [key],
  );

  useEffect(() => {
    void fetch(null, 0);
    return () => request.current?.abort();
  }, [fetch]);

  const loadMore = useCallback(() => {
    const { next, isLoading, key: latestKey } = latest.current;
    if (latestKey === key && next !== null && !isLoading) void fetch(next, 0);
  }, [fetch, key]);
  const reload = useCallback(() => {
    // A list that was scrolled far is kept: only its first rows change.
    const count = latest.current.key === key ? latest.current.rows.length : 0;
    if (count <= MAX_REFRESHED_ROWS) void fetch(null, count);
  }, [fetch, key]);
  const set = useCallback((change: (rows: T[]) => T[]) => setState((old) => ({ ...old, rows: change(old.rows) })), []);

  const isCurrent = state.key === key;
  return {
    rows: isCurrent ? state.rows : [],
    isLoading: isCurrent ? state.isLoading : true,
    isComplete: isCurrent && !state.isLoading && state.next === null && state.error === undefined,
    error: isCurrent ? state.error : undefined,
    loadMore,
    reload,
    set,
  };
}
