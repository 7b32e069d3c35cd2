// A virtual list: only the visible rows are in the document. Rows have one height, or one per row.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useUiWords } from "./words";

const MARGIN_PX = 600;

interface Props<T> {
  rows: T[];
  /** In pixels, for all rows or per row. */
  height: number | ((row: T) => number);
  rowKey: (row: T) => string | number;
  children: (row: T, index: number) => ComponentChildren;
  label: string;
  /** Called near the end of the list. */
  loadMore?: () => void;
  isLoading?: boolean;
  /** The row to scroll into view when it changes. */
  current?: number | null;
  /** Height of sticky elements at the top of the window, in pixels. */
  inset?: number;
  /** A CSS height: the list then scrolls by itself instead of with the page. */
  within?: string;
  /** Rows hold several items, which are marked as such themselves. */
  hasOwnItems?: boolean;
}

export function VirtualList<T>(props: Props<T>) {
  const { rows, height, loadMore, current = null, inset = 80 } = props;
  const words = useUiWords();
  const frame = useRef<HTMLDivElement>(null);
  const [visible, setVisible] = useState({ top: 0, bottom: 2000 });
  const tops = useMemo(() => {
    const found = new Float64Array(rows.length + 1);
    for (let n = 0; n < rows.length; n += 1) {
      found[n + 1] = (found[n] ?? 0) + (typeof height === "number" ? height : height(rows[n] as T));
    }
    return found;
  }, [rows, height]);
  const total = tops[rows.length] ?? 0;

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = () => {
      const isOwn = props.within !== undefined;
      const top = isOwn ? element.scrollTop : -element.getBoundingClientRect().top;
      const size = isOwn ? element.clientHeight : innerHeight;
      setVisible((old) => {
        const next = { top: top - MARGIN_PX, bottom: top + size + MARGIN_PX };
        const hasMoved =
          Math.abs(next.top - old.top) > MARGIN_PX / 4 || Math.abs(next.bottom - old.bottom) > MARGIN_PX / 4;
        return hasMoved ? next : old;
      });
    };
    measure();
    const target: HTMLElement | Window = props.within === undefined ? window : element;
    target.addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      target.removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [props.within]);

  useEffect(() => {
    if (loadMore && visible.bottom >= total) loadMore();
  }, [loadMore, visible.bottom, total, rows.length]);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null || current === null || current < 0 || current >= rows.length) return;
    const top = tops[current] ?? 0;
    const bottom = tops[current + 1] ?? top;
    if (props.within !== undefined) {
      if (top < element.scrollTop) element.scrollTop = top;
      else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
      return;
    }
    const offset = element.getBoundingClientRect().top;
    if (offset + top < inset) scrollBy(0, offset + top - inset);
    else if (offset + bottom > innerHeight - 16) scrollBy(0, offset + bottom - innerHeight + 16);
  }, [current, props.within]);

  const first = Math.max(0, firstAfter(tops, visible.top) - 1);
  const last = Math.min(rows.length, firstAfter(tops, visible.bottom));
  const shown = [];
  for (let n = first; n < last; n += 1) {
    const row = rows[n] as T;
    const top = tops[n] ?? 0;
    shown.push(
      <div
        key={props.rowKey(row)}
        class="row-frame"
        {...(props.hasOwnItems
          ? { role: "presentation" }
          : { role: "listitem", "aria-setsize": rows.length, "aria-posinset": n + 1 })}
        style={{ top: `${top}px`, height: `${(tops[n + 1] ?? top) - top}px` }}
      >
        {props.children(row, n)}
      </div>,
    );
  }
  return (
    <div
      ref={frame}
      class="virtual-list"
      tabIndex={props.within === undefined ? undefined : 0}
      style={props.within === undefined ? undefined : { height: props.within, overflowY: "auto" }}
    >
      <div class="rows" role="list" aria-label={props.label} style={{ height: `${total}px` }}>
        {shown}
      </div>
      {props.isLoading && rows.length > 0 && (
        <p class="loading" role="status">
          {words.more}
        </p>
      )}
    </div>
  );
}

/** Index of the first row that starts below this height. */
function firstAfter(tops: Float64Array, at: number): number {
  let low = 0;
  let high = tops.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle] ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
