// The share links of a video: copy, embed, revoke.

import { useEffect, useRef, useState } from "preact/hooks";
import { remove } from "../../../api/client";
import type { ShareAnswer } from "../../../api/types";
import { clock } from "../../../core/format";
import { Ago, Badge, Button } from "../../../ui/basics";
import { copyText } from "../../../ui/clipboard";
import { Confirm } from "../../../ui/dialog";
import { notify, notifyError } from "../../../ui/toasts";
import { useShareWords } from "./share_words";

interface Props {
  shares: ShareAnswer[];
  /** The link that was just created; its address is shown to be copied. */
  newest: string | null;
  changed: () => void;
}

export function ShareList({ shares, newest, changed }: Props) {
  const words = useShareWords();
  const [revoking, setRevoking] = useState<ShareAnswer | null>(null);
  if (shares.length === 0) return <p class="soft">{words.none}</p>;
  return (
    <>
      <h3>{words.list}</h3>
      <ul class="card-list shares" aria-label={words.list}>
        {shares.map((share) => (
          <li key={share.share_id} class="card">
            <div>
              <span class="line">
                <strong>{share.title}</strong>
                <Badge tone="neutral">{spanOf(share, words)}</Badge>
              </span>
              <span class="soft">
                {words.views(share.views)} · {words.expiresAt}: <Ago at={share.expires_at} />
              </span>
              {share.share_id === newest && share.url !== null && <NewAddress url={share.url} label={words.address} />}
            </div>
            <span class="line">
              {share.url !== null && (
                <Button icon="copy" onClick={() => void copyText(share.url ?? "", words.copied)}>
                  {words.copy}
                  <span class="unseen"> {share.title}</span>
                </Button>
              )}
              {share.embed_html !== null && (
                <Button onClick={() => void copyText(share.embed_html ?? "", words.embedCopied)}>
                  {words.copyEmbed}
                  <span class="unseen"> {share.title}</span>
                </Button>
              )}
              <Button icon="trash" kind="quiet" iconOnly onClick={() => setRevoking(share)}>
                {words.revoke(share.title)}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {revoking !== null && (
        <Confirm
          title={words.revokeAsk}
          text={words.revokeText(revoking.title)}
          action={words.revokeAction}
          close={() => setRevoking(null)}
          run={() => {
            remove(`/api/shares/${revoking.share_id}`).then(() => {
              notify(words.revoked);
              changed();
            }, notifyError);
          }}
        />
      )}
    </>
  );
}

/** The link that was just created, selected and in sight, for those whose browser does not let it be copied. */
function NewAddress({ url, label }: { url: string; label: string }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <input ref={input} readOnly aria-label={label} value={url} onFocus={(event) => event.currentTarget.select()} />
  );
}

function spanOf(share: ShareAnswer, words: ReturnType<typeof useShareWords>): string {
  if (share.what === "moment") return `${clock(share.start_ms ?? 0)} – ${clock(share.end_ms ?? 0)}`;
  return share.what === "clip" ? words.clipBadge : words.video;
}
