// Keyboard navigation in a list whose rows open beside it.

import { useEffect, useState } from "preact/hooks";
import { useMinWidth } from "../../core/element_size";
import { navigate, useLocation } from "../../core/router";
import { useShortcuts } from "../../core/shortcuts";
import { SPLIT_MIN_WIDTH_PX } from "../../ui/split_view";
import { useMessageWords } from "./words";

export interface RowKeys {
  currentId: string | null;
  index: number;
  /** True if details open beside the list, which then keeps its scroll position. */
  isWide: boolean;
  addressOf: (id: string) => string;
  back: string;
}

export const rowLinkId = (id: string): string => `row-${id}`;

/** `root` is the address of the list; `rowRoot` that of a row, without its id. */
export function useRowKeys(ids: string[], openId: string | null, root: string, rowRoot: string): RowKeys {
  const words = useMessageWords();
  const { query } = useLocation();
  const isWide = useMinWidth(SPLIT_MIN_WIDTH_PX);
  const [currentId, setCurrentId] = useState(openId);
  useEffect(() => {
    if (openId !== null) setCurrentId(openId);
  }, [openId]);
  const search = query.size === 0 ? "" : `?${query}`;
  const addressOf = (id: string) => `${rowRoot}/${encodeURIComponent(id)}${search}`;
  const back = root + search;
  const index = currentId === null ? -1 : ids.indexOf(currentId);
  const go = (step: number) => {
    const next = ids[Math.min(ids.length - 1, Math.max(0, index < 0 ? 0 : index + step))];
    if (next === undefined) return;
    setCurrentId(next);
    if (openId !== null) navigate(addressOf(next), { replace: true });
    setTimeout(() => document.getElementById(rowLinkId(next))?.focus({ preventScroll: true }));
  };
  useShortcuts([
    { keys: "j", help: words.keyNext, run: () => go(1) },
    { keys: "k", help: words.keyPrevious, run: () => go(-1) },
    {
      keys: "Enter",
      help: words.keyOpen,
      run: () => currentId !== null && navigate(addressOf(currentId), { keepScroll: isWide }),
    },
    { keys: "Escape", help: words.keyClose, run: () => openId !== null && navigate(back, { keepScroll: isWide }) },
  ]);
  return { currentId, index, isWide, addressOf, back };
}
