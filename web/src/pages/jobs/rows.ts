// A list that is worked through with keys: where one is, and what is selected.

import { useCallback, useEffect, useState } from "preact/hooks";
import { useShortcuts } from "../../app/keys";
import { useJobWords } from "./words";

export interface Rows {
  /** Where one is; null before the first key. */
  current: number | null;
  selected: ReadonlySet<string>;
  toggle: (id: string) => void;
  clear: () => void;
}

interface Does {
  open: (id: string) => void;
  /** For what is selected, or else the row where one is. */
  retry: (ids: string[]) => void;
  close: () => void;
  canSelect: (id: string) => boolean;
}

export const rowLinkId = (id: string): string => `row-${id}`;

/** Another `key` is another list, of which nothing is selected. `opened` is where one is when a row is open. */
export function useRows(key: string, ids: string[], opened: string | null, does: Does): Rows {
  const words = useJobWords();
  const [currentId, setCurrentId] = useState<string | null>(opened);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setChosen(new Set()), [key]);
  useEffect(() => {
    if (opened !== null) setCurrentId(opened);
  }, [opened]);

  // What has left the list is no longer selected: nobody sees it.
  const selected = new Set(ids.filter((id) => chosen.has(id)));
  const index = currentId === null ? -1 : ids.indexOf(currentId);
  const toggle = useCallback((id: string) => {
    setChosen((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const go = (step: number) => {
    const next = ids[Math.min(ids.length - 1, Math.max(0, index < 0 ? 0 : index + step))];
    if (next === undefined) return;
    setCurrentId(next);
    if (opened !== null) does.open(next);
    setTimeout(() => document.getElementById(rowLinkId(next))?.focus({ preventScroll: true }));
  };
  const here = index < 0 ? null : currentId;
  useShortcuts([
    { keys: "j", help: words.keyNext, run: () => go(1) },
    { keys: "k", help: words.keyPrevious, run: () => go(-1) },
    { keys: "Enter", help: words.keyOpen, run: () => here !== null && does.open(here) },
    { keys: "x", help: words.keySelect, run: () => here !== null && does.canSelect(here) && toggle(here) },
    {
      keys: "r",
      help: words.keyRetry,
      run: () => {
        const meant = selected.size > 0 ? [...selected] : [here ?? opened].filter((id) => id !== null);
        if (meant.length > 0) does.retry(meant);
      },
    },
    { keys: "Escape", help: words.keyClose, run: does.close },
  ]);
  return {
    current: index < 0 ? null : index,
    selected,
    toggle,
    clear: useCallback(() => setChosen(new Set()), []),
  };
}
