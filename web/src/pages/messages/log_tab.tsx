// The message log: metrics, filters, list and details.

import { get } from "../../api/client";
import type { MessageSummaryAnswer, MessagesAnswer } from "../../api/types";
import { nextCursor, usePagedList } from "../../api/use_paged_list";
import { ROOT } from "../../core/addresses";
import { Link } from "../../core/router";
import { useInterval } from "../../core/timing";
import { Ago, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { SplitView } from "../../ui/split_view";
import { VirtualList } from "../../ui/virtual_list";
import { clearLogFilter, type LogFilter, LogFilterBar, useLogFilter } from "./log_filter";
import { MessageDetail } from "./message_detail";
import { Metrics } from "./metrics";
import { rowLinkId, useRowKeys } from "./row_keys";
import { StatusBadge } from "./status_badge";
import { channelWord, type MessageWords, useMessageWords } from "./words";

const ROW_PX = 72;
const REFRESH_MS = 5000;

export function LogTab({ openId }: { openId: string | null }) {
  const words = useMessageWords();
  const filter = useLogFilter();
  const list = usePagedList<MessageSummaryAnswer>(JSON.stringify(filter), async (cursor, signal) => {
    const query = {
      status: filter.status === "all" ? null : filter.status,
      stage: filter.stage,
      message_type: filter.type,
      cursor,
    };
    const found = await get<MessagesAnswer>("/api/messages", { query, signal });
    return { rows: found.messages, next: nextCursor(found) };
  });
  useInterval(list.reload, REFRESH_MS);
  const { rows } = list;
  const opened = useRowKeys(
    rows.map((item) => item.message_id),
    openId,
    `${ROOT}/messages`,
    `${ROOT}/messages/log`,
  );
  return (
    <>
      {(openId === null || opened.isWide) && <Metrics />}
      <SplitView
        label={words.detail}
        back={opened.back}
        openedKey={openId}
        rowId={rowLinkId}
        opened={openId === null ? null : <MessageDetail id={openId} changed={list.reload} />}
        list={
          <>
            <LogFilterBar filter={filter} seenTypes={rows.map((item) => item.message_type)} />
            {list.error && <ErrorNote error={list.error} retry={list.reload} />}
            {rows.length === 0 && list.isLoading && <Loading />}
            {rows.length === 0 && list.isComplete && <NoMessages filter={filter} />}
            {rows.length > 0 && (
              <VirtualList
                rows={rows}
                height={ROW_PX}
                rowKey={(item) => item.message_id}
                label={words.list}
                loadMore={list.loadMore}
                current={opened.index < 0 ? null : opened.index}
              >
                {(item) => (
                  <MessageRow
                    message={item}
                    address={opened.addressOf(item.message_id)}
                    keepScroll={opened.isWide}
                    isCurrent={item.message_id === opened.currentId}
                    isOpened={item.message_id === openId}
                    words={words}
                  />
                )}
              </VirtualList>
            )}
          </>
        }
      />
    </>
  );
}

interface RowProps {
  message: MessageSummaryAnswer;
  address: string;
  keepScroll: boolean;
  isCurrent: boolean;
  isOpened: boolean;
  words: MessageWords;
}

function MessageRow({ message, words, ...row }: RowProps) {
  return (
    <div class={`message-row ${row.isCurrent ? "current" : ""} ${row.isOpened ? "opened" : ""}`}>
      <StatusBadge status={message.status} isKept={message.is_kept} />
      <Link
        id={rowLinkId(message.message_id)}
        class="message-name"
        to={row.address}
        keepScroll={row.keepScroll}
        aria-current={row.isOpened ? "true" : undefined}
      >
        {message.title || message.message_type}
      </Link>
      <span class="message-when soft">
        <Ago at={message.created_date} />
      </span>
      <span class="message-about soft">
        {message.error_message !== null && message.status !== "completed" ? (
          <span class="message-error">{message.error_message}</span>
        ) : (
          [message.message_type, channelWord(message.channel, words), words.by(message.created_by)].join(" · ")
        )}
      </span>
    </div>
  );
}

function NoMessages({ filter }: { filter: LogFilter }) {
  const words = useMessageWords();
  const parts = [
    filter.status !== "all" && `${words.status}: ${words[filter.status]}`,
    filter.stage !== "" && `${words.stage}: ${filter.stage}`,
    filter.type !== "" && `${words.type}: ${filter.type}`,
  ].filter(Boolean);
  if (parts.length > 0) {
    return (
      <Empty title={words.noneFiltered(parts.join(", "))} icon="search">
        <Button onClick={clearLogFilter}>{words.clear}</Button>
      </Empty>
    );
  }
  return (
    <Empty title={words.none} icon="message">
      <p>{words.noneText}</p>
      <Link class="button primary" to={`${ROOT}/messages/compose`}>
        {words.compose}
      </Link>
    </Empty>
  );
}
