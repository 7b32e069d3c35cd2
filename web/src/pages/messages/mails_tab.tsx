// The mail box: every mail that was or would have been sent, and one of them opened.

import { get } from "../../api/client";
import type { MailSummaryAnswer, MailsAnswer, TemplateName } from "../../api/types";
import { useInterval } from "../../app/data";
import { usePaged } from "../../app/pages_list";
import { Link, ROOT, setQuery, usePlace } from "../../app/router";
import { Ago, Button, Choices, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Beside } from "../../ui/beside";
import { LongList } from "../../ui/long_list";
import { MailDetail } from "./mail_detail";
import { MAIL_STATUSES, MailMark } from "./mail_mark";
import { useMailWords } from "./mail_words";
import { rowLinkId, useOpenedRows } from "./opened_rows";

const ROW_PX = 72;
const EVERY_MS = 5000;
const TEMPLATES: TemplateName[] = ["VideoQuaseFinalizado", "VideoConcluido", "VideoFalhou"];

export function MailsTab({ openId }: { openId: string | null }) {
  const words = useMailWords();
  const { query } = usePlace();
  const status = MAIL_STATUSES.find((one) => one === query.get("status")) ?? "all";
  const template = TEMPLATES.find((one) => one === query.get("template")) ?? null;
  const list = usePaged<MailSummaryAnswer>(`${status} ${template}`, async (cursor, signal) => {
    const asked = { status: status === "all" ? null : status, template, cursor };
    const found = await get<MailsAnswer>("/api/mails", { query: asked, signal });
    return { rows: found.mails, next: found.next };
  });
  useInterval(list.reload, EVERY_MS);
  const { rows } = list;
  const root = `${ROOT}/messages/mails`;
  const opened = useOpenedRows(rows.map((one) => one.mail_id), openId, root, root);
  const parts = [status !== "all" && words[status], template !== null && words[template]].filter(Boolean);
  return (
    <Beside
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
            <select aria-label={words.template} value={template ?? ""} onChange={(event) => setQuery({ template: event.currentTarget.value })}>
              <option value="">{words.anyTemplate}</option>
              {TEMPLATES.map((one) => (
                <option key={one} value={one}>
                  {words[one]}
                </option>
              ))}
            </select>
          </div>
          {list.error && <ErrorNote error={list.error} again={list.reload} />}
          {rows.length === 0 && list.isLoading && <Loading />}
          {rows.length === 0 && list.isWhole && parts.length > 0 && (
            <Empty title={words.noneFiltered(parts.join(", "))} icon="search">
              <Button onClick={() => setQuery({ status: null, template: null })}>{words.clear}</Button>
            </Empty>
          )}
          {rows.length === 0 && list.isWhole && parts.length === 0 && (
            <Empty title={words.none} icon="mail">
              <p>{words.noneText}</p>
            </Empty>
          )}
          {rows.length > 0 && (
            <LongList
              rows={rows}
              height={ROW_PX}
              rowKey={(one) => one.mail_id}
              label={words.list}
              more={list.more}
              current={opened.index < 0 ? null : opened.index}
            >
              {(mail) => (
                <div class={`message-row ${mail.mail_id === opened.currentId ? "current" : ""} ${mail.mail_id === openId ? "opened" : ""}`}>
                  <MailMark status={mail.status} />
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
                    {mail.last_error !== null && mail.status !== "sent" && <span class="message-error"> {mail.last_error}</span>}
                  </span>
                </div>
              )}
            </LongList>
          )}
        </>
      }
    />
  );
}
