// Keys of a grid of cards: move, open, select one or a range.

import { useEffect, useRef, useState } from "preact/hooks";
import { navigate } from "../../core/router";
import { type Shortcut, useShortcuts } from "../../core/shortcuts";
import type { Selection } from "../../ui/selection";
import { useLibraryWords } from "./library_words";

export const cardId = (id: string): string => `card-${id}`;

/** The cards of a row are counted in the document: the grid knows how many fit. */
function columnsNow(): number {
  return Number(document.querySelector<HTMLElement>(".card-grid")?.dataset.columns ?? 1);
}

interface Options {
  ids: string[];
  selection: Selection<string>;
  address: (id: string) => string;
  /** Keys of the page for what is selected. */
  more?: Shortcut[];
}

/** Returns the place of the card that keys apply to; null before the first key. */
export function useCardKeys({ ids, selection, address, more = [] }: Options): number | null {
  const words = useLibraryWords();
  const [currentId, setCurrentId] = useState<string | null>(null);
  // Keys may come faster than the page is drawn, so the card is known apart from what is focused.
  const latest = useRef<string | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const card = (target as HTMLElement | null)?.closest<HTMLElement>("[data-card]")?.dataset.card;
      if (card !== undefined) latest.current = card;
    };
    addEventListener("focusin", note);
    return () => removeEventListener("focusin", note);
  }, []);
  const go = (step: number) => {
    const at = ids.indexOf(latest.current ?? "");
    const id = ids[Math.min(ids.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
    if (id === undefined) return;
    latest.current = id;
    setCurrentId(id);
    setTimeout(() => {
      if (latest.current === id) document.getElementById(cardId(id))?.focus({ preventScroll: true });
    });
  };
  const onCurrent = (run: (id: string) => void) => () => {
    if (latest.current !== null) run(latest.current);
  };
  useShortcuts([
    { keys: "j", help: words.keyNext, run: () => go(1) },
    { keys: "k", help: words.keyPrevious, run: () => go(-1) },
    { keys: "ArrowRight", help: words.keyNext, run: () => go(1) },
    { keys: "ArrowLeft", help: words.keyPrevious, run: () => go(-1) },
    { keys: "ArrowDown", help: words.keyBelow, run: () => go(columnsNow()) },
    { keys: "ArrowUp", help: words.keyAbove, run: () => go(-columnsNow()) },
    { keys: "Enter", help: words.keyOpen, run: onCurrent((id) => navigate(address(id))) },
    { keys: "x", help: words.keySelect, run: onCurrent((id) => selection.toggle(id)) },
    { keys: "X", help: words.keyRange, run: onCurrent((id) => selection.toggle(id, { isRange: true })) },
    { keys: "A", help: words.keyAll, run: () => selection.set(ids) },
    { keys: "Escape", help: words.keyClear, run: selection.clear },
    ...more,
  ]);
  const at = currentId === null ? -1 : ids.indexOf(currentId);
  return at < 0 ? null : at;
}
