// Timing hooks: intervals that pause in hidden tabs, and debounced values.

import { useEffect, useState } from "preact/hooks";

/** Calls every so many ms while the tab is visible, and once when it becomes visible again. */
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

/** The value after it has not changed for so many ms, for text being typed. */
export function useDebounced<T>(value: T, ms: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return debounced;
}
