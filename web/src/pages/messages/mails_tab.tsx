// The emails tab: every email, sent or kept, with details.

import { get } from "../../api/client";
import type { MailSummaryAnswer, MailsAnswer, TemplateName } from "../../api/types";
import { nextCursor, usePagedList } from "../../api/use_paged_list";
import { ROOT } from "../../core/addresses";
import { Link, setQuery, useLocation } from "../../core/router";
import { useInterval } from "../../core/timing";
import { Ago, Button, Choices, Empty, ErrorNote, Loading } from "../../ui/basics";
import { SplitView } from "../../ui/split_view";
import { VirtualList } from "../../ui/virtual_list";
import { MAIL_STATUSES, MailBadge } from "./mail_badge";
import { MailDetail } from "./mail_detail";
import { useMailWords } from "./mail_words";
import { rowLinkId, useRowKeys } from "./row_keys";

const ROW_PX = 72;
const REFRESH_MS = 5000;
const TEMPLATES: TemplateName[] = ["VideoQuaseFinalizado", "VideoConcluido", "VideoFalhou"];

export function MailsTab({ openId }: { openId: string | null }) {
  const words = useMailWords();
  const { query } = useLocation();
  const status = MAIL_STATUSES.find((item) => item === query.get("status")) ?? "all";
  const template = TEMPLATES.find((item) => item === query.get("template")) ?? null;
  const list = usePagedList<MailSummaryAnswer>(`${status} ${template}`, async (cursor, signal) => {
    const filter = { status: status === "all" ? null : status, template, cursor };
    const found = await get<MailsAnswer>("/api/mails", { query: filter, signal });
    return { rows: found.mails, next: nextCursor(found) };
  });
  useInterval(list.reload, REFRESH_MS);
  const { rows } = list;
  const root = `${ROOT}/messages/mails`;
  const opened = useRowKeys(
    rows.map((item) => item.mail_id),
    openId,
    root,
    root,
  );
  const parts = [status !== "all" && words[status], template !== null && words[template]].filter(Boolean);
  return (
    <SplitView
      label={words.detail}
      back={opened.back}
      openedKey={openId}
      rowId={rowLinkId}
      opened={openId === null ? null : <MailDetail id={openId} changed={list.reload} />}
      list={
        <>
          <div class="message-filters">
            <Choices
              label={words.status}
              value={status}
              options={(["all", ...MAIL_STATUSES] as const).map((value) => ({ value, label: words[value] }))}
              choose={(value) => setQuery({ status: value === "all" ? null : value })}
            />
            <select
              aria-label={words.template}
              value={template ?? ""}
              onChange={(event) => setQuery({ template: event.currentTarget.value })}
            >
              <option value="">{words.anyTemplate}</option>
              {TEMPLATES.map((item) => (
                <option key={item} value={item}>
                  {words[item]}
                </option>
              ))}
            </select>
          </div>
          {list.error && <ErrorNote error={list.error} retry={list.reload} />}
          {rows.length === 0 && list.isLoading && <Loading />}
          {rows.length === 0 && list.isComplete && parts.length > 0 && (
            <Empty title={words.noneFiltered(parts.join(", "))} icon="search">
              <Button onClick={() => setQuery({ status: null, template: null })}>{words.clear}</Button>
            </Empty>
          )}
          {rows.length === 0 && list.isComplete && parts.length === 0 && (
            <Empty title={words.none} icon="mail">
              <p>{words.noneText}</p>
            </Empty>
          )}
          {rows.length > 0 && (
            <VirtualList
              rows={rows}
              height={ROW_PX}
              rowKey={(item) => item.mail_id}
              label={words.list}
              loadMore={list.loadMore}
              current={opened.index < 0 ? null : opened.index}
            >
              {(mail) => (
                <div
                  class={`message-row ${mail.mail_id === opened.currentId ? "current" : ""} ${mail.mail_id === openId ? "opened" : ""}`}
                >
                  <MailBadge status={mail.status} />
                  <Link
                    id={rowLinkId(mail.mail_id)}
                    class="message-name"
                    to={opened.addressOf(mail.mail_id)}
                    keepScroll={opened.isWide}
                    aria-current={mail.mail_id === openId ? "true" : undefined}
                  >
                    {mail.subject}
                  </Link>
                  <span class="message-when soft">
                    <Ago at={mail.created_at} />
                  </span>
                  <span class="message-about soft">
                    {mail.recipient ?? words.noAddress}
                    {mail.last_error !== null && mail.status !== "sent" && (
                      <span class="message-error"> {mail.last_error}</span>
                    )}
                  </span>
                </div>
              )}
            </VirtualList>
          )}
        </>
      }
    />
  );
}
