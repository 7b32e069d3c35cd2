// A grid of cards in a virtual list: as many beside each other as fit, and only visible rows in the document.

import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { useElementWidth } from "../core/element_width";
import { VirtualList } from "./virtual_list";

export const GAP_PX = 16;
const PICTURE_SHARE = 9 / 16;

interface Props<T> {
  items: T[];
  itemKey: (item: T) => string | number;
  label: string;
  /** The least width of a card. */
  minWidth: number;
  /** The height of a card below its picture of 16 to 9. */
  textHeight: number;
  loadMore?: () => void;
  isLoading?: boolean;
  /** The card to scroll into view when it changes. */
  current?: number | null;
  inset?: number;
  children: (item: T, index: number) => ComponentChildren;
}

export function columnsOf(width: number, minWidth: number): number {
  return Math.max(1, Math.floor((width + GAP_PX) / (minWidth + GAP_PX)));
}

/** Items in rows of so many. */
export function rowsOf<T>(items: T[], columns: number): T[][] {
  const rows: T[][] = [];
  for (let n = 0; n < items.length; n += columns) rows.push(items.slice(n, n + columns));
  return rows;
}

export function CardGrid<T>(props: Props<T>) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame);
  const columns = columnsOf(width, props.minWidth);
  const rows = useMemo(() => rowsOf(props.items, columns), [props.items, columns]);
  const cardWidth = (width - GAP_PX * (columns - 1)) / columns;
  const height = Math.round(cardWidth * PICTURE_SHARE) + props.textHeight;
  const { current = null } = props;
  return (
    <div ref={frame} class="card-grid" data-columns={columns}>
      {width > 0 && (
        <VirtualList
          rows={rows}
          height={height + GAP_PX}
          rowKey={(row) => props.itemKey(row[0] as T)}
          label={props.label}
          hasOwnItems
          current={current === null ? null : Math.floor(current / columns)}
          {...(props.loadMore && { loadMore: props.loadMore })}
          {...(props.isLoading !== undefined && { isLoading: props.isLoading })}
          {...(props.inset !== undefined && { inset: props.inset })}
        >
          {(row, index) => (
            <div
              class="card-grid-row"
              role="presentation"
              style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, height: `${height}px` }}
            >
              {row.map((item, place) => (
                <div
                  key={props.itemKey(item)}
                  class="card-frame"
                  role="listitem"
                  aria-setsize={props.items.length}
                  aria-posinset={index * columns + place + 1}
                >
                  {props.children(item, index * columns + place)}
                </div>
              ))}
            </div>
          )}
        </VirtualList>
      )}
    </div>
  );
}
