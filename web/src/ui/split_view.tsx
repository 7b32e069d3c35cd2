// A list with details: side by side on wide windows, one at a time on narrow ones.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useMinWidth } from "../core/element_size";
import { Link } from "../core/router";
import { Icon } from "./icons";
import { useUiWords } from "./words";

/** Below this width, list and details do not fit side by side. */
export const SPLIT_MIN_WIDTH_PX = 1000;

interface Props {
  list: ComponentChildren;
  /** The details; null if nothing is open. */
  opened: ComponentChildren | null;
  /** Identifies the details: a new key scrolls to the top and takes focus. */
  openedKey: string | null;
  label: string;
  /** The id of the row element that opens the details; it gets focus when they close. */
  rowId?: (key: string) => string;
  /** The address of the list alone. */
  back: string;
}

export function SplitView({ list, opened, openedKey, label, rowId, back }: Props) {
  const isWide = useMinWidth(SPLIT_MIN_WIDTH_PX);
  const words = useUiWords();
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    pane.current?.scrollTo(0, 0);
    if (!isWide && openedKey !== null) pane.current?.focus({ preventScroll: true });
  }, [openedKey, isWide]);
  const before = useRef(openedKey);
  useEffect(() => {
    if (openedKey === null && before.current !== null && rowId !== undefined) {
      document.getElementById(rowId(before.current))?.focus({ preventScroll: true });
    }
    before.current = openedKey;
  }, [openedKey]);
  // The list keeps its position in the tree, so that opening details does not remount it.
  const shown = <div class="split-view-list">{list}</div>;
  if (opened === null || opened === false) return <div class="split-view">{shown}</div>;
  return (
    <div class={isWide ? "split-view open" : "split-view"}>
      {isWide && shown}
      <section ref={pane} class="split-view-pane card" aria-label={label} tabIndex={isWide ? 0 : -1}>
        <Link
          class={`button quiet split-view-back ${isWide ? "icon-only" : ""}`}
          to={back}
          keepScroll={isWide}
          aria-label={isWide ? words.close : words.back}
        >
          <Icon name={isWide ? "cross" : "back"} />
          {!isWide && words.back}
        </Link>
        {opened}
      </section>
    </div>
  );
}
