// Selected rows: one by one, or a range.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export interface Selection<Id> {
  ids: ReadonlySet<Id>;
  toggle: (id: Id, options?: { isRange?: boolean }) => void;
  set: (ids: Iterable<Id>) => void;
  clear: () => void;
}

/** A new `key` is a new list and clears the selection. */
export function useSelection<Id>(key: string, order: Id[]): Selection<Id> {
  const [ids, setIds] = useState<ReadonlySet<Id>>(new Set());
  const anchor = useRef<Id | null>(null);
  const rows = useRef(order);
  rows.current = order;
  useEffect(() => {
    setIds(new Set());
    anchor.current = null;
  }, [key]);
  const toggle = useCallback((id: Id, { isRange = false } = {}) => {
    const from = anchor.current === null ? -1 : rows.current.indexOf(anchor.current);
    const to = rows.current.indexOf(id);
    anchor.current = id;
    setIds((old) => {
      const next = new Set(old);
      if (isRange && from >= 0 && to >= 0) {
        for (const item of rows.current.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(item);
      } else if (!next.delete(id)) {
        next.add(id);
      }
      return next;
    });
  }, []);
  return {
    ids,
    toggle,
    set: useCallback((next: Iterable<Id>) => setIds(new Set(next)), []),
    clear: useCallback(() => setIds(new Set()), []),
  };
}
