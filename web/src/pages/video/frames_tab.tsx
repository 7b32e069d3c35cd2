// Frames that show something new in rows of three, all sampled ones behind a switch, and all of them as a ZIP.

import { useMemo, useState } from "preact/hooks";
import { get } from "../../api/client";
import type { FrameAnswer, FramesAnswer, WholeVideoAnswer } from "../../api/types";
import { usePagedList } from "../../api/use_paged_list";
import { clock, day } from "../../core/format";
import { Empty, ErrorNote, Loading } from "../../ui/basics";
import { VirtualList } from "../../ui/virtual_list";
import { useUiWords } from "../../ui/words";
import type { Playhead } from "./playhead";
import { useVideoPageWords } from "./words";

const ACROSS = 3;
const ROW_HEIGHT = 96;

interface Props {
  video: WholeVideoAnswer;
  isReady: boolean;
  playhead: Playhead;
}

export function FramesTab({ video, isReady, playhead }: Props) {
  const words = useVideoPageWords();
  const uiWords = useUiWords();
  if (video.framesRemovedAt !== null) return <p class="soft">{uiWords.framesRemoved(day(video.framesRemovedAt))}</p>;
  return isReady ? <Frames videoId={video.videoId} playhead={playhead} /> : <Empty title={words.noFrames} />;
}

function Frames({ videoId, playhead }: { videoId: string; playhead: Playhead }) {
  const words = useVideoPageWords();
  const [isAll, setIsAll] = useState(false);
  const [count, setCount] = useState({ shown: 0, sampled: 0 });
  const list = usePagedList<FrameAnswer>(`frames ${videoId} ${isAll}`, async (cursor, signal) => {
    const query = { limit: 300, after_ms: cursor, all: isAll ? "true" : undefined };
    const answer = await get<FramesAnswer>(`/videos/${videoId}/frames`, { query, signal });
    setCount({ shown: answer.total, sampled: answer.sampled });
    return { rows: answer.frames, next: answer.next_after_ms === null ? null : String(answer.next_after_ms) };
  });
  const rows = useMemo(() => {
    const found: FrameAnswer[][] = [];
    for (let n = 0; n < list.rows.length; n += ACROSS) found.push(list.rows.slice(n, n + ACROSS));
    return found;
  }, [list.rows]);
  if (list.error) return <ErrorNote error={list.error} retry={list.reload} />;
  if (list.rows.length === 0) return list.isLoading ? <Loading /> : <p class="soft">{words.noFrames}</p>;
  return (
    <>
      <div class="line frame-list-head">
        <span class="soft number">{words.frameCount(count.shown, count.sampled)}</span>
        {(isAll || count.sampled > count.shown) && (
          <label class="line">
            <input type="checkbox" checked={isAll} onChange={(event) => setIsAll(event.currentTarget.checked)} />
            {words.allFrames}
          </label>
        )}
        <a class="button" href={`/videos/${videoId}/frames.zip`} download>
          {words.zip}
        </a>
      </div>
      <VirtualList
        rows={rows}
        height={ROW_HEIGHT}
        rowKey={(row) => row[0]?.timestamp_ms ?? 0}
        label={words.frames}
        loadMore={list.loadMore}
        isLoading={list.isLoading}
        within="min(60vh, 560px)"
      >
        {(row) => (
          <div class="frame-row">
            {row.map((item) => (
              <button key={item.timestamp_ms} type="button" onClick={() => playhead.seek(item.timestamp_ms)}>
                <img src={item.url} alt={words.frameAt(clock(item.timestamp_ms, { exact: true }))} loading="lazy" />
                <span class="number">{clock(item.timestamp_ms)}</span>
              </button>
            ))}
          </div>
        )}
      </VirtualList>
    </>
  );
}
