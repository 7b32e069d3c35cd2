// A list with what was opened from it: beside it where there is room, instead of it where there is none.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useIsAtLeast } from "../app/width";
import { Link } from "../app/router";
import { Icon } from "./icons";
import { useUiWords } from "./words";

/** Below this the list and what is opened do not fit beside one another. */
export const WIDE_PX = 1000;

interface Props {
  list: ComponentChildren;
  /** What is opened; null if nothing is. */
  opened: ComponentChildren | null;
  /** Names what is opened: another one begins at its top, and is where the keyboard goes on. */
  openedKey: string | null;
  label: string;
  /** The id of the element in the list that opens it: where the keyboard goes on when it is closed. */
  rowId?: (key: string) => string;
  /** Where the list is by itself. */
  back: string;
}

export function Beside({ list, opened, openedKey, label, rowId, back }: Props) {
  const isWide = useIsAtLeast(WIDE_PX);
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
  // In the same place whether something is opened or not, so that it stays as it is.
  const shown = <div class="beside-list">{list}</div>;
  if (opened === null || opened === false) return <div class="beside">{shown}</div>;
  return (
    <div class={isWide ? "beside open" : "beside"}>
      {isWide && shown}
      <section ref={pane} class="beside-pane card" aria-label={label} tabIndex={isWide ? 0 : -1}>
        <Link
          class={`button quiet beside-back ${isWide ? "icon-only" : ""}`}
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
