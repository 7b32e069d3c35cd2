// Actions on events: acknowledge and resolve, one or many, with progress and the resolution dialog.

import { useState } from "preact/hooks";
import type { EventAnswer } from "../../api/types";
import { acknowledge, type Change, resolveWith, updateEvent, updateEvents } from "./event_updates";
import { isOpen, isResolvable } from "./filter";
import { useEventWords } from "./words";

export interface EventActions {
  /** Progress of a bulk update; null when none is running. */
  progress: { done: number; of: number } | null;
  /** Events waiting for a resolution note; null when the dialog is closed. */
  resolving: EventAnswer[] | null;
  acknowledge: (events: EventAnswer[]) => void;
  startResolving: (events: EventAnswer[]) => void;
  resolve: (notes: string) => void;
  cancelResolving: () => void;
}

/** `show` receives each updated event; `afterMany` is called after a bulk update. */
export function useEventActions(show: (event: EventAnswer) => void, afterMany: () => void): EventActions {
  const words = useEventWords();
  const [progress, setProgress] = useState<EventActions["progress"]>(null);
  const [resolving, setResolving] = useState<EventAnswer[] | null>(null);
  const update = (events: EventAnswer[], change: Change, draft: string) => {
    const [first] = events;
    if (first === undefined) return;
    if (events.length === 1) return void updateEvent(first, change, show, draft, words);
    const report = (done: number) => setProgress({ done, of: events.length });
    report(0);
    void updateEvents(events, change, show, report, words).finally(() => {
      setProgress(null);
      afterMany();
    });
  };
  return {
    progress,
    resolving,
    acknowledge: (events) => update(events.filter(isOpen), acknowledge, words.didAcknowledge),
    startResolving: (events) => {
      const able = events.filter(isResolvable);
      if (able.length > 0) setResolving(able);
    },
    resolve: (notes) => update(resolving ?? [], resolveWith(notes), words.didResolve),
    cancelResolving: () => setResolving(null),
  };
}
