// Details of one email, shown as HTML in a frame without scripts or as plain text.

import { useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { MailAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { ROOT } from "../../core/addresses";
import { moment, number } from "../../core/format";
import { Link } from "../../core/router";
import { Button, Choices, ErrorNote, Loading } from "../../ui/basics";
import { Fact } from "../../ui/fact";
import { notify, notifyError } from "../../ui/toasts";
import { MailBadge } from "./mail_badge";
import { useMailWords } from "./mail_words";

const REFRESH_MS = 5000;

export function MailDetail({ id, changed }: { id: string; changed: () => void }) {
  const words = useMailWords();
  const [look, setLook] = useState<"html" | "text">("html");
  const path = `/api/mails/${encodeURIComponent(id)}`;
  const data = useData(path, (signal) => get<MailAnswer>(path, { signal }), { every: REFRESH_MS });
  const mail = data.value;
  if (mail === undefined) {
    return data.error ? (
      <ErrorNote error={data.error} retry={data.error.isRetryable ? data.reload : undefined} />
    ) : (
      <Loading />
    );
  }
  const resend = () => {
    post<MailAnswer>(`${path}/resend`).then((now) => {
      data.set(() => now);
      notify(words.resent);
      changed();
    }, notifyError);
  };
  return (
    <article class="stack message-detail">
      <header class="stack">
        <p class="line">
          <MailBadge status={mail.status} />
          <span class="soft">{words[mail.template as "VideoFalhou"] ?? mail.template}</span>
        </p>
        <h2>{mail.subject}</h2>
        {mail.status === "kept" && <p class="note">{words.keptText}</p>}
        {mail.last_error !== null && mail.status !== "sent" && (
          <p class="note bad">
            <span>{mail.last_error}</span>
          </p>
        )}
        {mail.can_resend && (
          <p>
            <Button icon="retry" kind="primary" onClick={resend}>
              {words.resend}
            </Button>
          </p>
        )}
      </header>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
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
        <Fact name={words.channel}>{mail.channel === "sink" ? words.sink : mail.channel}</Fact>
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
