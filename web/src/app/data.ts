// Data of the server, as components use it: asked for when shown, again when told to, never after they are gone.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../api/client";

export interface Data<T> {
  value: T | undefined;
  error: ApiError | undefined;
  isLoading: boolean;
  reload: () => void;
  /** Shows something before the server is asked again, for instance what it has just answered to a change. */
  set: (change: (value: T | undefined) => T | undefined) => void;
}

interface Options {
  /** Ask again so often, in ms, while the tab is seen. */
  every?: number | null;
}

/** `key` names what is asked for: another key is another question, and the old answer is not shown for it. */
export function useData<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  { every = null }: Options = {},
): Data<T> {
  const [state, setState] = useState<{ key: string | null; value?: T; error?: ApiError; isLoading: boolean }>({
    key,
    isLoading: key !== null,
  });
  const [round, setRound] = useState(0);
  const loader = useRef(load);
  loader.current = load;

  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    setState((old) => (old.key === key ? { ...old, isLoading: true } : { key, isLoading: true }));
    loader.current(abort.signal).then(
      (value) => abort.signal.aborted || setState({ key, value, isLoading: false }),
      (error: unknown) => {
        if (abort.signal.aborted) return;
        const told = error instanceof ApiError ? error : new ApiError(0, "UNEXPECTED", String(error));
        // What was shown stays: an old list with a note is better than none.
        setState((old) => ({ ...old, key, error: told, isLoading: false }));
      },
    );
    return () => abort.abort();
  }, [key, round]);

  const reload = useCallback(() => setRound((n) => n + 1), []);
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

/** Calls so often, in ms, while the tab is seen; at once when it is seen again. */
export function useInterval(call: () => void, every: number | null): void {
  useEffect(() => {
    if (every === null) return;
    const tick = () => document.visibilityState === "visible" && call();
    const timer = setInterval(tick, every);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [call, every]);
}

/** A value that follows after it has rested for so long: for what is typed. */
export function useRested<T>(value: T, ms: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return rested;
}
