// One message: what it says, how far it has come, and every step of it.

import { useEffect, useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { MessageAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { moment, number } from "../../app/format";
import { useShortcuts } from "../../app/keys";
import { Button, ErrorNote, Loading } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { complain, say } from "../../ui/toasts";
import { StatusMark } from "./status_mark";
import { channelWord, useMessageWords } from "./words";

const EVERY_MS = 1000;
const EVERY_MS_AT_ITS_END = 10_000; // where it can still be tried again, by somebody else or by redelivery
const ENDED = ["completed", "failed"];
const RETRYABLE = ["failed", "queued"];

export function MessageDetail({ id, changed }: { id: string; changed: () => void }) {
  const words = useMessageWords();
  const path = `/api/messages/${encodeURIComponent(id)}`;
  const [every, setEvery] = useState(EVERY_MS);
  const data = useData(path, (signal) => get<MessageAnswer>(path, { signal }), { every });
  const message = data.value;
  const status = message?.status;
  useEffect(() => {
    setEvery(status !== undefined && ENDED.includes(status) ? EVERY_MS_AT_ITS_END : EVERY_MS);
    if (status !== undefined) changed(); // the list may not know yet
  }, [status]);
  const mayRetry = message !== undefined && RETRYABLE.includes(message.status);
  const retry = () => {
    if (!mayRetry) return;
    post<MessageAnswer>(`${path}/retry`)
      .then((now) => {
        data.set(() => now);
        say(words.retried);
      }, complain)
      .finally(() => {
        data.reload();
        changed();
      });
  };
  useShortcuts([{ keys: "r", help: words.keyRetry, run: retry }]);
  if (message === undefined) {
    return data.error ? <ErrorNote error={data.error} again={data.error.mayPass ? data.reload : undefined} /> : <Loading />;
  }
  return (
    <article class="stack message-detail">
      <header class="stack">
        <p>
          <StatusMark status={message.status} />
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
      {data.error && <ErrorNote error={data.error} again={data.reload} />}
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
          <Button icon="copy" kind="quiet" iconOnly onClick={() => copy(message.correlation_id, words.copied)}>
            {words.copy}
          </Button>
        </Fact>
        <Fact name={words.kept}>{moment(new Date(message.ttl * 1000).toISOString())}</Fact>
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

function copy(text: string, said: string): void {
  // Pages of plain http, other than on this machine, have no clipboard.
  if (navigator.clipboard === undefined) return complain(new Error(text));
  navigator.clipboard.writeText(text).then(() => say(said), complain);
}
