// The list of events with its filters, what is selected of it, and the event that is opened.

import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { CameraAnswer, EventAnswer, WholeEventAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { ROOT, navigate, usePlace } from "../../app/router";
import { useHeight, useIsAtLeast } from "../../app/width";
import { eventStream, useLive } from "../../live/streams";
import { ErrorNote, Loading } from "../../ui/basics";
import { Beside, WIDE_PX } from "../../ui/beside";
import { LongList } from "../../ui/long_list";
import { say } from "../../ui/toasts";
import { BulkBar } from "./bulk_bar";
import { CriticalBanner } from "./critical_banner";
import { EventDetail } from "./detail";
import { patchOf, useFeed } from "./feed";
import { useFilter } from "./filter";
import { FilterBar } from "./filter_bar";
import { NewBar } from "./new_bar";
import { NoEvents } from "./no_events";
import { ResolveDialog } from "./resolve_dialog";
import { EventRow, linkId } from "./row";
import { useRowKeys } from "./row_keys";
import { useSelection } from "./selection";
import { useSettling } from "./settling";
import { useEventWords } from "./words";

const ROW_PX = 68;
const ROW_ON_PHONE_PX = 150;
const PHONE_PX = 640;
const HEADER_PX = 64; // of the frame, where it stays on top

export function EventsTab({ openId, cameras }: { openId: number | null; cameras: CameraAnswer[] }) {
  const words = useEventWords();
  const filter = useFilter();
  const { query } = usePlace();
  const isWide = useIsAtLeast(WIDE_PX);
  const isPhone = !useIsAtLeast(PHONE_PX);
  const { list, waiting, settled, refresh, apply } = useFeed(filter, () => say(words.gap));
  const { rows } = list;
  const selection = useSelection(JSON.stringify(filter), rows.map((one) => one.id));
  const [currentId, setCurrentId] = useState<number | null>(openId);
  const top = useRef<HTMLDivElement>(null);
  const above = useHeight(top);

  const detail = useData(openId === null ? null : `event ${openId}`, (signal) =>
    get<WholeEventAnswer>(`/api/events/${openId}`, { signal }),
  );
  const showInDetail = (event: Partial<EventAnswer> & { id: number }) =>
    detail.set((old) => (old?.id === event.id ? { ...old, ...event } : old));
  useLive(eventStream, {
    message: ({ type, data }) => type !== "event" && showInDetail(patchOf(data as { id: number })),
    gap: detail.reload,
  });
  useEffect(() => {
    if (openId !== null) setCurrentId(openId);
  }, [openId]);

  const settling = useSettling((event) => {
    apply(event);
    showInDetail(event);
  }, selection.clear);
  const search = query.size === 0 ? "" : `?${query}`;
  const addressOf = (id: number) => `${ROOT}/events/${id}${search}`;
  const nameOf = (id: string) => cameras.find((one) => one.camera_id === id)?.name ?? id;
  const selected = rows.filter((one) => selection.ids.has(one.id));
  const isAllSelected = selected.length === rows.length;
  const index = rows.findIndex((one) => one.id === currentId);
  const showNew = () => {
    refresh();
    scrollTo(0, 0);
  };

  /** What keys are about: what is selected, or else the row where one is, or what is opened. */
  const meant = () => (selected.length > 0 ? selected : [rows[index] ?? detail.value].filter((one) => one !== undefined));
  useRowKeys({
    go: (step) => {
      const next = rows[Math.min(rows.length - 1, Math.max(0, index < 0 ? 0 : index + step))];
      if (next === undefined) return;
      setCurrentId(next.id);
      if (openId !== null) navigate(addressOf(next.id), { replace: true });
      setTimeout(() => document.getElementById(linkId(next.id))?.focus({ preventScroll: true }));
    },
    open: () => currentId !== null && navigate(addressOf(currentId), { keepScroll: isWide }),
    select: (isRange) => currentId !== null && selection.toggle(currentId, { isRange }),
    acknowledge: () => settling.acknowledge(meant()),
    resolve: () => settling.askToResolve(meant()),
    showNew,
    close: () => openId !== null && navigate(`${ROOT}/events${search}`, { keepScroll: isWide }),
  });

  return (
    <div style={{ "--above": `${above}px` }}>
      <div ref={top} class="events-top">
        <CriticalBanner addressOf={addressOf} cameraName={nameOf} acknowledge={(event) => settling.acknowledge([event])} />
        <NewBar waiting={waiting} settled={settled} show={showNew} />
        {selected.length > 0 && (
          <BulkBar
            selected={selected}
            progress={settling.progress}
            isAll={isAllSelected}
            toggleAll={() => selection.set(isAllSelected ? [] : rows.map((one) => one.id))}
            acknowledge={settling.acknowledge}
            resolve={settling.askToResolve}
            clear={selection.clear}
          />
        )}
      </div>
      <Beside
        label={words.detail}
        back={`${ROOT}/events${search}`}
        openedKey={openId === null ? null : String(openId)}
        rowId={linkId}
        opened={
          openId !== null && (
            <EventDetail
              data={detail}
              acknowledge={(event) => settling.acknowledge([event])}
              resolve={(event) => settling.askToResolve([event])}
            />
          )
        }
        list={
          <>
            <FilterBar filter={filter} cameras={cameras} />
            {list.error && <ErrorNote error={list.error} again={refresh} />}
            {rows.length === 0 && list.isLoading && <Loading />}
            {rows.length === 0 && list.isWhole && <NoEvents filter={filter} nameOf={nameOf} />}
            {rows.length > 0 && (
              <LongList
                rows={rows}
                height={isPhone ? ROW_ON_PHONE_PX : ROW_PX}
                rowKey={(one) => one.id}
                label={words.list}
                more={list.more}
                isLoading={list.isLoading}
                current={index < 0 ? null : index}
                inset={HEADER_PX + above}
              >
                {(event) => (
                  <EventRow
                    event={event}
                    cameraName={nameOf(event.camera_id)}
                    address={addressOf(event.id)}
                    keepScroll={isWide}
                    isCurrent={event.id === currentId}
                    isOpened={event.id === openId}
                    isSelected={selection.ids.has(event.id)}
                    isNarrow={isWide && openId !== null}
                    select={(isRange) => selection.toggle(event.id, { isRange })}
                    acknowledge={() => settling.acknowledge([event])}
                    resolve={() => settling.askToResolve([event])}
                  />
                )}
              </LongList>
            )}
          </>
        }
      />
      {settling.asking !== null && (
        <ResolveDialog events={settling.asking} close={settling.stopAsking} resolve={settling.resolve} />
      )}
    </div>
  );
}
