// All share links that work: copy, embed, revoke.

import { useState } from "preact/hooks";
import { get, remove } from "../../api/client";
import type { ShareAnswer, SharesAnswer } from "../../api/types";
import { usePagedList } from "../../api/use_paged_list";
import { clock } from "../../core/format";
import { Link } from "../../core/router";
import { Ago, Badge, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { VirtualList } from "../../ui/virtual_list";
import { useSharedWords } from "./shared_words";

const ROW_PX = 76;
const ROW_ON_PHONE_PX = 148;

export function SharedView({ isPhone }: { isPhone: boolean }) {
  const words = useSharedWords();
  const [revoking, setRevoking] = useState<ShareAnswer | null>(null);
  const list = usePagedList<ShareAnswer>("shares", async (cursor, signal) => {
    const answer = await get<SharesAnswer>("/api/shares", { query: { limit: 100, cursor }, signal });
    return { rows: answer.shares, next: answer.next_cursor };
  });
  const revoke = (share: ShareAnswer) =>
    remove(`/api/shares/${share.share_id}`).then(() => {
      notify(words.revoked);
      list.reload();
    }, notifyError);
  if (list.error) return <ErrorNote error={list.error} retry={list.reload} />;
  if (list.rows.length === 0) {
    return list.isLoading ? (
      <Loading />
    ) : (
      <Empty title={words.none} picture="links">
        <p>{words.noneText}</p>
      </Empty>
    );
  }
  return (
    <>
      <p class="soft view-actions">{words.intro}</p>
      <VirtualList
        rows={list.rows}
        height={isPhone ? ROW_ON_PHONE_PX : ROW_PX}
        rowKey={(row) => row.share_id}
        label={words.shared}
        loadMore={list.loadMore}
        isLoading={list.isLoading}
      >
        {(share) => (
          <article class="trash-row">
            <div>
              <h2>
                <Link to={`/ui/videos/${share.video_id}`}>{share.title}</Link>
              </h2>
              <p class="soft card-line">
                <Badge>{spanOf(share, words)}</Badge>
                <span>{words.views(share.views)}</span>
                <span>
                  {words.expires} <Ago at={share.expires_at} />
                </span>
              </p>
            </div>
            <div class="line">
              {share.url !== null && (
                <Button
                  icon="copy"
                  onClick={() => void copyText(share.url ?? "", words.copied)}
                  aria-label={`${words.copy}: ${share.title}`}
                >
                  {words.copy}
                </Button>
              )}
              {share.embed_html !== null && (
                <Button
                  onClick={() => void copyText(share.embed_html ?? "", words.embedCopied)}
                  aria-label={`${words.copyEmbed}: ${share.title}`}
                >
                  {words.copyEmbed}
                </Button>
              )}
              <Button kind="danger" onClick={() => setRevoking(share)} aria-label={`${words.revoke}: ${share.title}`}>
                {words.revoke}
              </Button>
            </div>
          </article>
        )}
      </VirtualList>
      {revoking !== null && (
        <Confirm
          title={words.revokeAsk}
          text={words.revokeText(revoking.title)}
          action={words.revoke}
          run={() => void revoke(revoking)}
          close={() => setRevoking(null)}
        />
      )}
    </>
  );
}

function spanOf(share: ShareAnswer, words: ReturnType<typeof useSharedWords>): string {
  if (share.what === "moment") return `${clock(share.start_ms ?? 0)} – ${clock(share.end_ms ?? 0)}`;
  return share.what === "clip" ? words.clip : words.whole;
}
