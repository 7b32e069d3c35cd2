// Details of one message: content, status and history.

import { useEffect, useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { MessageAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useMe } from "../../api/use_me";
import { moment, number } from "../../core/format";
import { useShortcuts } from "../../core/shortcuts";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { Fact } from "../../ui/fact";
import { notify, notifyError } from "../../ui/toasts";
import { StatusBadge } from "./status_badge";
import { channelWord, useMessageWords } from "./words";

const REFRESH_MS = 1000;
const EVERY_MS_AT_ITS_END = 10_000; // The message can still change, by a retry or a redelivery.
const ENDED = ["completed", "failed"];
const RETRYABLE = ["failed", "queued"];

export function MessageDetail({ id, changed }: { id: string; changed: () => void }) {
  const words = useMessageWords();
  const path = `/api/messages/${encodeURIComponent(id)}`;
  const [every, setEvery] = useState(REFRESH_MS);
  const data = useData(path, (signal) => get<MessageAnswer>(path, { signal }), { every });
  const message = data.value;
  const status = message?.status;
  useEffect(() => {
    setEvery(status !== undefined && ENDED.includes(status) ? EVERY_MS_AT_ITS_END : REFRESH_MS);
    if (status !== undefined) changed(); // The list may not know yet.
  }, [status]);
  const me = useMe();
  const mayRetry = message !== undefined && RETRYABLE.includes(message.status) && me.value?.is_operator === true;
  const retry = () => {
    if (!mayRetry) return;
    post<MessageAnswer>(`${path}/retry`)
      .then((now) => {
        data.set(() => now);
        notify(words.retried);
      }, notifyError)
      .finally(() => {
        data.reload();
        changed();
      });
  };
  useShortcuts([{ keys: "r", help: words.keyRetry, run: retry }]);
  if (message === undefined) {
    return data.error ? (
      <ErrorNote error={data.error} retry={data.error.isRetryable ? data.reload : undefined} />
    ) : (
      <Loading />
    );
  }
  return (
    <article class="stack message-detail">
      <header class="stack">
        <p>
          <StatusBadge status={message.status} isKept={message.is_kept} />
        </p>
        <h2>{message.title || message.message_type}</h2>
        {message.error_message !== null && message.status !== "completed" && (
          <p class="note bad">
            <span>{message.error_message}</span>
          </p>
        )}
        {mayRetry && (
          <p>
            <Button icon="retry" kind="primary" onClick={retry}>
              {words.retry}
            </Button>
          </p>
        )}
      </header>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      <dl class="fact-list">
        <Fact name={words.type}>{message.message_type}</Fact>
        <Fact name={words.channel}>{channelWord(message.channel, words)}</Fact>
        <Fact name={words.stage}>{message.stage}</Fact>
        <Fact name={words.createdBy}>{message.created_by}</Fact>
        <Fact name={words.started}>{message.processing_started_at && moment(message.processing_started_at)}</Fact>
        <Fact name={words.ended}>{message.processing_completed_at && moment(message.processing_completed_at)}</Fact>
        <Fact name={words.failedAttempts}>{number(message.retry_count)}</Fact>
        <Fact name={words.notification}>{message.notification_id}</Fact>
        <Fact name={words.id}>
          <code>{message.message_id}</code>
        </Fact>
        <Fact name={words.correlation}>
          <code>{message.correlation_id}</code>{" "}
          <Button icon="copy" kind="quiet" iconOnly onClick={() => void copyText(message.correlation_id, words.copied)}>
            {words.copy}
          </Button>
        </Fact>
        <Fact name={words.kept}>{message.ttl !== null && moment(new Date(message.ttl * 1000).toISOString())}</Fact>
      </dl>
      <h3>{words.payload}</h3>
      <pre>{JSON.stringify(message.payload, null, 2)}</pre>
      <h3>{words.history}</h3>
      <ol class="timeline">
        {message.history.map((step, n) => (
          <li key={n}>
            <span>
              {words[step.status as "created"] ?? step.status}
              {step.by && <span class="soft"> {words.by(step.by)}</span>}
              {step.note && <q>{step.note}</q>}
            </span>
            <time dateTime={step.at} class="soft">
              {moment(step.at)}
            </time>
          </li>
        ))}
      </ol>
    </article>
  );
}
