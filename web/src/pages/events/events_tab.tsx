// The events tab: filters, list, selection and details.

import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { CameraAnswer, EventAnswer, WholeEventAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useMe } from "../../api/use_me";
import { ROOT } from "../../core/addresses";
import { useElementHeight, useMinWidth } from "../../core/element_size";
import { navigate, useLocation } from "../../core/router";
import { eventStream, useLive } from "../../live/streams";
import { ErrorNote, Loading } from "../../ui/basics";
import { CardGrid } from "../../ui/card_grid";
import { useSelection } from "../../ui/selection";
import { SPLIT_MIN_WIDTH_PX, SplitView } from "../../ui/split_view";
import { notify } from "../../ui/toasts";
import { VirtualList } from "../../ui/virtual_list";
import { BulkBar } from "./bulk_bar";
import { CriticalBanner } from "./critical_banner";
import { DayMarks } from "./day_marks";
import { useEventActions } from "./event_actions";
import { EventDetail } from "./event_detail";
import { EventRow, linkId } from "./event_row";
import { useFilter } from "./filter";
import { FilterBar } from "./filter_bar";
import { useLiveList } from "./live_list";
import { type EventPatch, isEventMessage, patched, patchOf } from "./live_patch";
import { NoEvents } from "./no_events";
import { ResolveDialog } from "./resolve_dialog";
import { useRowKeys } from "./row_keys";
import { UpdatesBar } from "./updates_bar";
import { useEventView } from "./view";
import { useEventWords } from "./words";

const ROW_PX = 84;
const ROW_ON_PHONE_PX = 190;
const PHONE_PX = 640;
const CARD_MIN_PX = 240;
const CARD_TEXT_PX = 124;
const HEADER_PX = 64; // Height of the sticky header.

export function EventsTab({ openId, cameras }: { openId: number | null; cameras: CameraAnswer[] }) {
  const words = useEventWords();
  const filter = useFilter();
  const me = useMe().value?.user_id ?? null;
  const { query } = useLocation();
  const isWide = useMinWidth(SPLIT_MIN_WIDTH_PX);
  const isPhone = !useMinWidth(PHONE_PX);
  const { list, waiting, settled, refresh, apply } = useLiveList(filter, me, () => notify(words.gap));
  const { rows } = list;
  const view = useEventView();
  // Beside an opened event there is room for a list only.
  const isGrid = view.value === "grid" && !(isWide && openId !== null);
  const selection = useSelection(
    JSON.stringify(filter),
    rows.map((item) => item.id),
  );
  const [currentId, setCurrentId] = useState<number | null>(openId);
  const top = useRef<HTMLDivElement>(null);
  const above = useElementHeight(top);

  const detail = useData(
    openId === null ? null : `event ${openId}`,
    (signal) => get<WholeEventAnswer>(`/api/events/${openId}`, { signal }),
    { merge: patched },
  );
  const showInDetail = (event: EventPatch) => detail.set((old) => (old?.id === event.id ? patched(old, event) : old));
  /** Counts what happened to the opened event, also what leaves its version as it is. */
  const [happened, setHappened] = useState(0);
  useLive(eventStream, {
    message: (message) => {
      if (message.type === "event" || !isEventMessage(message) || message.data.id !== openId) return;
      showInDetail(patchOf(message));
      setHappened((n) => n + 1);
      // Later sightings bring detections and a better picture.
      if (message.type === "event.updated") detail.reload();
    },
    gap: () => {
      detail.reload();
      setHappened((n) => n + 1);
    },
  });
  useEffect(() => {
    if (openId !== null) setCurrentId(openId);
  }, [openId]);

  const actions = useEventActions((event) => {
    apply(event);
    showInDetail(event);
  }, selection.clear);
  const search = query.size === 0 ? "" : `?${query}`;
  const addressOf = (id: number) => `${ROOT}/events/${id}${search}`;
  const nameOf = (id: string) => cameras.find((item) => item.camera_id === id)?.name ?? id;
  const selected = rows.filter((item) => selection.ids.has(item.id));
  const isAllSelected = selected.length === rows.length;
  const index = rows.findIndex((item) => item.id === currentId);
  const showNew = () => {
    refresh();
    scrollTo(0, 0);
  };

  /** The events a key applies to: the selected ones, else the current row, else the opened event. */
  const letters = () =>
    selected.length > 0 ? selected : [rows[index] ?? detail.value].filter((item) => item !== undefined);
  const go = (step: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, index < 0 ? 0 : index + step))];
    if (next === undefined) return;
    setCurrentId(next.id);
    if (openId !== null) navigate(addressOf(next.id), { replace: true });
    setTimeout(() => document.getElementById(linkId(next.id))?.focus({ preventScroll: true }));
  };
  useRowKeys({
    go,
    open: () => currentId !== null && navigate(addressOf(currentId), { keepScroll: isWide }),
    select: (isRange) => currentId !== null && selection.toggle(currentId, { isRange }),
    acknowledge: () => {
      const done = letters();
      actions.acknowledge(done);
      // On to the next one, as one goes through a list; a selection is done at once.
      if (selected.length === 0 && done.length === 1 && index >= 0) go(1);
    },
    resolve: () => actions.startResolving(letters()),
    showNew,
    close: () => openId !== null && navigate(`${ROOT}/events${search}`, { keepScroll: isWide }),
  });

  const rowOf = (event: EventAnswer) => (
    <EventRow
      event={event}
      cameraName={nameOf(event.camera_id)}
      address={addressOf(event.id)}
      keepScroll={isWide}
      isCurrent={event.id === currentId}
      isOpened={event.id === openId}
      isSelected={selection.ids.has(event.id)}
      isNarrow={isWide && openId !== null}
      isCard={isGrid}
      select={(isRange) => selection.toggle(event.id, { isRange })}
      acknowledge={() => actions.acknowledge([event])}
      resolve={() => actions.startResolving([event])}
    />
  );

  return (
    <div style={{ "--above": `${above}px` }}>
      <div ref={top} class="events-top">
        <CriticalBanner
          addressOf={addressOf}
          cameraName={nameOf}
          acknowledge={(event) => actions.acknowledge([event])}
        />
        <UpdatesBar waiting={waiting} settled={settled} show={showNew} />
        {selected.length > 0 && (
          <BulkBar
            selected={selected}
            progress={actions.progress}
            isAll={isAllSelected}
            toggleAll={() => selection.set(isAllSelected ? [] : rows.map((item) => item.id))}
            acknowledge={actions.acknowledge}
            resolve={actions.startResolving}
            clear={selection.clear}
          />
        )}
      </div>
      <SplitView
        label={words.detail}
        back={`${ROOT}/events${search}`}
        openedKey={openId === null ? null : String(openId)}
        rowId={linkId}
        opened={
          openId !== null && (
            <EventDetail
              data={detail}
              happened={happened}
              acknowledge={(event) => actions.acknowledge([event])}
              resolve={(event) => actions.startResolving([event])}
              show={(event) => {
                apply(event);
                showInDetail(event);
              }}
            />
          )
        }
        list={
          <>
            <FilterBar
              filter={filter}
              cameras={cameras}
              objects={rows.flatMap((item) => item.objects)}
              zones={rows.flatMap((item) => item.zones)}
              view={view}
            />
            <DayMarks filter={filter} addressOf={addressOf} happened={rows} />
            {list.error && <ErrorNote error={list.error} retry={refresh} />}
            {rows.length === 0 && list.isLoading && <Loading />}
            {rows.length === 0 && list.isComplete && <NoEvents filter={filter} nameOf={nameOf} />}
            {rows.length > 0 && isGrid && (
              <CardGrid
                items={rows}
                itemKey={(item) => item.id}
                label={words.list}
                minWidth={CARD_MIN_PX}
                textHeight={CARD_TEXT_PX}
                loadMore={list.loadMore}
                isLoading={list.isLoading}
                current={index < 0 ? null : index}
                inset={HEADER_PX + above}
              >
                {rowOf}
              </CardGrid>
            )}
            {rows.length > 0 && !isGrid && (
              <VirtualList
                rows={rows}
                height={isPhone ? ROW_ON_PHONE_PX : ROW_PX}
                rowKey={(item) => item.id}
                label={words.list}
                loadMore={list.loadMore}
                isLoading={list.isLoading}
                current={index < 0 ? null : index}
                inset={HEADER_PX + above}
              >
                {rowOf}
              </VirtualList>
            )}
          </>
        }
      />
      {actions.resolving !== null && (
        <ResolveDialog events={actions.resolving} close={actions.cancelResolving} resolve={actions.resolve} />
      )}
    </div>
  );
}
