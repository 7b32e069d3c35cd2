// One mail as it would be read: rendered in a frame in which nothing can run, or as text.

import { useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { MailAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { moment, number } from "../../app/format";
import { Link, ROOT } from "../../app/router";
import { Button, Choices, ErrorNote, Loading } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { complain, say } from "../../ui/toasts";
import { MailMark } from "./mail_mark";
import { useMailWords } from "./mail_words";

const EVERY_MS = 5000;
const SENDABLE = ["failed", "queued"];

export function MailDetail({ id, changed }: { id: string; changed: () => void }) {
  const words = useMailWords();
  const [look, setLook] = useState<"html" | "text">("html");
  const path = `/api/mails/${encodeURIComponent(id)}`;
  const data = useData(path, (signal) => get<MailAnswer>(path, { signal }), { every: EVERY_MS });
  const mail = data.value;
  if (mail === undefined) {
    return data.error ? <ErrorNote error={data.error} again={data.error.mayPass ? data.reload : undefined} /> : <Loading />;
  }
  const resend = () => {
    post<MailAnswer>(`${path}/resend`).then((now) => {
      data.set(() => now);
      say(words.resent);
      changed();
    }, complain);
  };
  return (
    <article class="stack message-detail">
      <header class="stack">
        <p class="line">
          <MailMark status={mail.status} />
          <span class="soft">{words[mail.template as "VideoFalhou"] ?? mail.template}</span>
        </p>
        <h2>{mail.subject}</h2>
        {mail.last_error !== null && mail.status !== "sent" && (
          <p class="note bad">
            <span>{mail.last_error}</span>
          </p>
        )}
        {SENDABLE.includes(mail.status) && (
          <p>
            <Button icon="retry" kind="primary" onClick={resend}>
              {words.resend}
            </Button>
          </p>
        )}
      </header>
      {data.error && <ErrorNote error={data.error} again={data.reload} />}
      <Choices
        label={words.look}
        value={look}
        options={(["html", "text"] as const).map((value) => ({ value, label: words[value] }))}
        choose={setLook}
      />
      {look === "html" ? (
        <iframe class="mail-frame" sandbox="" srcdoc={mail.html} title={words.frame(mail.subject)} />
      ) : (
        <pre class="mail-text">{mail.text}</pre>
      )}
      <dl class="fact-list">
        <Fact name={words.to}>{mail.recipient ?? words.noAddress}</Fact>
        <Fact name={words.about}>
          <Link to={`${ROOT}/videos/${mail.video_id}`}>{words.openVideo}</Link>
        </Fact>
        <Fact name={words.channel}>{mail.channel === "sink" ? `sink (${words.sink})` : mail.channel}</Fact>
        <Fact name={words.attempts}>{number(mail.attempts)}</Fact>
        <Fact name={words.created}>{moment(mail.created_at)}</Fact>
        <Fact name={words.sentAt}>{mail.sent_at && moment(mail.sent_at)}</Fact>
        <Fact name={words.language}>{mail.language}</Fact>
        <Fact name={words.provider}>{mail.provider_id && <code>{mail.provider_id}</code>}</Fact>
        <Fact name={words.id}>
          <code>{mail.mail_id}</code>
        </Fact>
      </dl>
    </article>
  );
}
