// A list that comes from the server page by page, as far as somebody scrolls.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api/client";

export interface Portion<T> {
  rows: T[];
  /** Where to go on; null at the end. */
  next: string | null;
}

export interface Paged<T> {
  rows: T[];
  isLoading: boolean;
  isWhole: boolean;
  error: ApiError | undefined;
  /** Asks for what follows, unless it is being asked for or there is nothing more. */
  more: () => void;
  /** Asks afresh for as much as is shown, and shows it at once when it is there. */
  reload: () => void;
  set: (change: (rows: T[]) => T[]) => void;
}

const MOST_REFRESHED = 200;

export function usePaged<T>(
  key: string,
  load: (cursor: string | null, signal: AbortSignal) => Promise<Portion<T>>,
): Paged<T> {
  const [state, setState] = useState<{ key: string; rows: T[]; next: string | null; isLoading: boolean; error?: ApiError }>({
    key,
    rows: [],
    next: null,
    isLoading: true,
  });
  const loader = useRef(load);
  loader.current = load;
  const going = useRef<AbortController | null>(null);
  const shown = useRef(state);
  shown.current = state;

  const fetch = useCallback(
    async (cursor: string | null, least: number) => {
      going.current?.abort();
      const abort = new AbortController();
      going.current = abort;
      setState((old) => (old.key === key ? { ...old, isLoading: true } : { key, rows: [], next: null, isLoading: true }));
      try {
        let rows: T[] = [];
        let next = cursor;
        do {
          const portion = await loader.current(next, abort.signal);
          rows = rows.concat(portion.rows);
          next = portion.next;
        } while (next !== null && rows.length < least);
        if (abort.signal.aborted) return;
        setState((old) => ({
          key,
          rows: cursor === null ? rows : old.rows.concat(rows),
          next,
          isLoading: false,
        }));
      } catch (error) {
        if (abort.signal.aborted) return;
        const told = error instanceof ApiError ? error : new ApiError(0, "UNEXPECTED", String(error));
        setState((old) => ({ ...old, key, isLoading: false, error: told }));
      } finally {
        if (going.current === abort) going.current = null;
      }
    },
    [key],
  );

  useEffect(() => {
    void fetch(null, 0);
    return () => going.current?.abort();
  }, [fetch]);

  const more = useCallback(() => {
    const { next, isLoading, key: of } = shown.current;
    if (of === key && next !== null && !isLoading) void fetch(next, 0);
  }, [fetch, key]);
  const reload = useCallback(() => {
    // Somebody who has scrolled far keeps what is there; the first rows are what changes.
    const count = shown.current.key === key ? shown.current.rows.length : 0;
    if (count <= MOST_REFRESHED) void fetch(null, count);
  }, [fetch, key]);
  const set = useCallback((change: (rows: T[]) => T[]) => setState((old) => ({ ...old, rows: change(old.rows) })), []);

  const isCurrent = state.key === key;
  return {
    rows: isCurrent ? state.rows : [],
    isLoading: isCurrent ? state.isLoading : true,
    isWhole: isCurrent && !state.isLoading && state.next === null && state.error === undefined,
    error: isCurrent ? state.error : undefined,
    more,
    reload,
    set,
  };
}
