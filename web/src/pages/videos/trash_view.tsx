// Deleted videos: restore them, or delete them for good.

import { useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { TrashAnswer, TrashedVideoAnswer } from "../../api/types";
import { usePagedList } from "../../api/use_paged_list";
import { bytes, clock, relative } from "../../core/format";
import { Ago, Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { VirtualList } from "../../ui/virtual_list";
import { useLibraryWords } from "./library_words";
import { restoreVideos } from "./trash_actions";

const ROW_PX = 72;
const ROW_ON_PHONE_PX = 132;

export function TrashView({ isPhone }: { isPhone: boolean }) {
  const words = useLibraryWords();
  const [asked, setAsked] = useState<TrashedVideoAnswer[] | null>(null);
  const list = usePagedList<TrashedVideoAnswer>("trash", async (cursor, signal) => {
    const answer = await get<TrashAnswer>("/api/trash", { query: { limit: 100, cursor }, signal });
    return { rows: answer.videos, next: answer.next_cursor };
  });
  const end = async (videos: TrashedVideoAnswer[]) => {
    try {
      await post("/api/trash/delete", { body: { video_ids: videos.map((item) => item.video_id) } });
      notify(words.deletedForGood(videos.length));
    } catch (error) {
      notifyError(error);
    }
    list.reload();
  };
  if (list.error) return <ErrorNote error={list.error} retry={list.reload} />;
  if (list.rows.length === 0) {
    return list.isLoading ? (
      <Loading />
    ) : (
      <Empty title={words.trashEmpty} picture="trash">
        <p>{words.trashEmptyText}</p>
      </Empty>
    );
  }
  const [first] = asked ?? [];
  return (
    <>
      <div class="line view-actions">
        <p class="soft">{words.trashText}</p>
        <Button kind="danger" icon="trash" onClick={() => setAsked(list.rows)}>
          {words.emptyTrash}
        </Button>
      </div>
      <VirtualList
        rows={list.rows}
        height={isPhone ? ROW_ON_PHONE_PX : ROW_PX}
        rowKey={(row) => row.video_id}
        label={words.trash}
        loadMore={list.loadMore}
        isLoading={list.isLoading}
      >
        {(row) => (
          <article class="trash-row">
            <div>
              <h2>{row.name}</h2>
              <p class="soft card-line">
                <span>
                  {words.deletedAt} <Ago at={row.trashed_at} />
                </span>
                <span>{words.removedAt(relative(row.removed_at))}</span>
                {row.duration_ms !== null && <span class="number">{clock(row.duration_ms)}</span>}
                {row.size_bytes !== null && <span class="number">{bytes(row.size_bytes)}</span>}
              </p>
            </div>
            <div class="line">
              <Button
                icon="restore"
                onClick={() => void restoreVideos([row.video_id], words, list.reload)}
                aria-label={`${words.restore}: ${row.name}`}
              >
                {words.restore}
              </Button>
              <Button
                kind="quiet"
                icon="trash"
                iconOnly
                onClick={() => setAsked([row])}
                aria-label={`${words.deleteForGood}: ${row.name}`}
              >
                {words.deleteForGood}
              </Button>
            </div>
          </article>
        )}
      </VirtualList>
      {asked !== null && first !== undefined && (
        <Confirm
          title={asked.length === 1 ? words.deleteForGoodAsk : words.emptyTrashAsk}
          text={asked.length === 1 ? words.deleteForGoodText(first.name) : words.emptyTrashText(asked.length)}
          action={words.deleteForGood}
          run={() => void end(asked)}
          close={() => setAsked(null)}
        />
      )}
    </>
  );
}
