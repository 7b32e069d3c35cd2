// Keyboard navigation and selection in a list.

import { useCallback, useEffect, useState } from "preact/hooks";
import { useShortcuts } from "../../core/shortcuts";
import { useJobWords } from "./words";

export interface RowSelection {
  /** Index of the current row; null before the first key. */
  current: number | null;
  selected: ReadonlySet<string>;
  toggle: (id: string) => void;
  clear: () => void;
}

interface RowActions {
  open: (id: string) => void;
  /** Applies to the selected rows, else to the current row. */
  retry: (ids: string[]) => void;
  close: () => void;
  canSelect: (id: string) => boolean;
}

export const rowLinkId = (id: string): string => `row-${id}`;

/** A new `key` is a new list and clears the selection. An opened row is the current one. */
export function useRowSelection(key: string, ids: string[], opened: string | null, actions: RowActions): RowSelection {
  const words = useJobWords();
  const [currentId, setCurrentId] = useState<string | null>(opened);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setChosen(new Set()), [key]);
  useEffect(() => {
    if (opened !== null) setCurrentId(opened);
  }, [opened]);

  // Rows that left the list are no longer selected, because nobody can see them.
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
    // At once: an Enter that follows quickly would otherwise open the row that had the focus before.
    document.getElementById(rowLinkId(next))?.focus({ preventScroll: true });
    if (opened !== null) actions.open(next);
  };
  const here = index < 0 ? null : currentId;
  useShortcuts([
    { keys: "j", help: words.keyNext, run: () => go(1) },
    { keys: "k", help: words.keyPrevious, run: () => go(-1) },
    { keys: "Enter", help: words.keyOpen, run: () => here !== null && actions.open(here) },
    { keys: "x", help: words.keySelect, run: () => here !== null && actions.canSelect(here) && toggle(here) },
    {
      keys: "r",
      help: words.keyRetry,
      run: () => {
        const letters = selected.size > 0 ? [...selected] : [here ?? opened].filter((id) => id !== null);
        if (letters.length > 0) actions.retry(letters);
      },
    },
    { keys: "Escape", help: words.keyClose, run: actions.close },
  ]);
  return {
    current: index < 0 ? null : index,
    selected,
    toggle,
    clear: useCallback(() => setChosen(new Set()), []),
  };
}
