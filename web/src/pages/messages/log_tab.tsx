// The log of messages: what there was, what became of it, and one of them opened.

import { get } from "../../api/client";
import type { MessageSummaryAnswer, MessagesAnswer } from "../../api/types";
import { useInterval } from "../../app/data";
import { usePaged } from "../../app/pages_list";
import { Link, ROOT } from "../../app/router";
import { Ago, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Beside } from "../../ui/beside";
import { LongList } from "../../ui/long_list";
import { Figures } from "./figures";
import { type LogFilter, LogFilterBar, clearLogFilter, useLogFilter } from "./log_filter";
import { MessageDetail } from "./message_detail";
import { rowLinkId, useOpenedRows } from "./opened_rows";
import { StatusMark } from "./status_mark";
import { type MessageWords, channelWord, useMessageWords } from "./words";

const ROW_PX = 72;
const EVERY_MS = 5000;

export function LogTab({ openId }: { openId: string | null }) {
  const words = useMessageWords();
  const filter = useLogFilter();
  const list = usePaged<MessageSummaryAnswer>(JSON.stringify(filter), async (cursor, signal) => {
    const query = {
      status: filter.status === "all" ? null : filter.status,
      stage: filter.stage,
      message_type: filter.type,
      cursor,
    };
    const found = await get<MessagesAnswer>("/api/messages", { query, signal });
    return { rows: found.messages, next: found.next_cursor };
  });
  useInterval(list.reload, EVERY_MS);
  const { rows } = list;
  const opened = useOpenedRows(rows.map((one) => one.message_id), openId, `${ROOT}/messages`, `${ROOT}/messages/log`);
  return (
    <>
      {(openId === null || opened.isWide) && <Figures />}
      <Beside
        label={words.detail}
        back={opened.back}
        openedKey={openId}
        rowId={rowLinkId}
        opened={openId === null ? null : <MessageDetail id={openId} changed={list.reload} />}
        list={
          <>
            <LogFilterBar filter={filter} seenTypes={rows.map((one) => one.message_type)} />
            {list.error && <ErrorNote error={list.error} again={list.reload} />}
            {rows.length === 0 && list.isLoading && <Loading />}
            {rows.length === 0 && list.isWhole && <NoMessages filter={filter} />}
            {rows.length > 0 && (
              <LongList
                rows={rows}
                height={ROW_PX}
                rowKey={(one) => one.message_id}
                label={words.list}
                more={list.more}
                current={opened.index < 0 ? null : opened.index}
              >
                {(one) => (
                  <MessageRow
                    message={one}
                    address={opened.addressOf(one.message_id)}
                    keepScroll={opened.isWide}
                    isCurrent={one.message_id === opened.currentId}
                    isOpened={one.message_id === openId}
                    words={words}
                  />
                )}
              </LongList>
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
      <StatusMark status={message.status} />
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
