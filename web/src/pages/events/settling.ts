// Settling events from the list or the opened one, with the progress of many and the question for a note.

import { useState } from "preact/hooks";
import type { EventAnswer } from "../../api/types";
import { isOpen, isResolvable } from "./filter";
import { type Change, acknowledge, resolveWith, settleMany, settleOne } from "./settle";
import { useEventWords } from "./words";

export interface Settling {
  /** How many of how many are done, while several are being settled. */
  progress: { done: number; of: number } | null;
  /** Those that wait for the note that they are to be resolved with. */
  asking: EventAnswer[] | null;
  acknowledge: (events: EventAnswer[]) => void;
  askToResolve: (events: EventAnswer[]) => void;
  resolve: (notes: string) => void;
  stopAsking: () => void;
}

/** `show` is given each event as it is afterwards; `afterMany` is called when several are through. */
export function useSettling(show: (event: EventAnswer) => void, afterMany: () => void): Settling {
  const words = useEventWords();
  const [progress, setProgress] = useState<Settling["progress"]>(null);
  const [asking, setAsking] = useState<EventAnswer[] | null>(null);
  const settle = (events: EventAnswer[], change: Change, said: string) => {
    const [first] = events;
    if (first === undefined) return;
    if (events.length === 1) return void settleOne(first, change, show, said, words);
    const tell = (done: number) => setProgress({ done, of: events.length });
    tell(0);
    void settleMany(events, change, show, tell, words).finally(() => {
      setProgress(null);
      afterMany();
    });
  };
  return {
    progress,
    asking,
    acknowledge: (events) => settle(events.filter(isOpen), acknowledge, words.didAcknowledge),
    askToResolve: (events) => {
      const able = events.filter(isResolvable);
      if (able.length > 0) setAsking(able);
    },
    resolve: (notes) => settle(asking ?? [], resolveWith(notes), words.didResolve),
    stopAsking: () => setAsking(null),
  };
}
