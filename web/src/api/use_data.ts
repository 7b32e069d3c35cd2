// Server data for components: loaded when shown, reloaded on request, dropped when the component is gone.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useInterval } from "../core/timing";
import { ApiError } from "./client";

export interface Data<T> {
  value: T | undefined;
  error: ApiError | undefined;
  isLoading: boolean;
  reload: () => void;
  /** Replaces the value without a request, for instance with the response to a change. */
  set: (change: (value: T | undefined) => T | undefined) => void;
}

interface Options<T> {
  /** Reload interval in ms, while the tab is visible. */
  every?: number | null;
  /** What is shown after a reload; by default what was loaded. */
  merge?: (shown: T, loaded: T) => T;
}

/** `key` identifies the request: a new key loads new data and hides the old value. */
export function useData<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  { every = null, merge = (_, loaded) => loaded }: Options<T> = {},
): Data<T> {
  const [state, setState] = useState<{ key: string | null; value?: T; error?: ApiError; isLoading: boolean }>({
    key,
    isLoading: key !== null,
  });
  const [reloads, setReloads] = useState(0);
  const loader = useRef(load);
  loader.current = load;

  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    setState((old) => (old.key === key ? { ...old, isLoading: true } : { key, isLoading: true }));
    loader.current(abort.signal).then(
      (loaded) => {
        if (abort.signal.aborted) return;
        setState((old) => {
          const isReload = old.key === key && old.value !== undefined;
          return { key, value: isReload ? merge(old.value as T, loaded) : loaded, isLoading: false };
        });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const apiError = error instanceof ApiError ? error : new ApiError(0, "UNEXPECTED", String(error));
        // The last value stays visible: an old list with an error is better than no list.
        setState((old) => ({ ...old, key, error: apiError, isLoading: false }));
      },
    );
    return () => abort.abort();
  }, [key, reloads]);

  const reload = useCallback(() => setReloads((n) => n + 1), []);
  useInterval(reload, key === null ? null : every);
  const set = useCallback(
    (change: (value: T | undefined) => T | undefined) =>
      setState((old) => {
        const value = change(old.value);
        return value === undefined ? old : { ...old, value };
      }),
    [],
  );
  const isCurrent = state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    error: isCurrent ? state.error : undefined,
    isLoading: isCurrent ? state.isLoading : key !== null,
    reload,
    set,
  };
}
