// On-screen texts and speech: filtered as the user types, following playback, with jumps on click.

import { useMemo, useState } from "preact/hooks";
import type { SegmentAnswer } from "../../api/types";
import { clock } from "../../core/format";
import { useQueryValue } from "../../core/router";
import { useShortcuts } from "../../core/shortcuts";
import { useStore } from "../../core/store";
import { Button, Choices, Empty, ErrorNote, Loading } from "../../ui/basics";
import { VirtualList } from "../../ui/virtual_list";
import { MoreLikeThis, useHasMeaning } from "../search/meaning";
import type { Playhead } from "./playhead";
import { lastStartedIndex, plain, type Segments } from "./segments";
import { useSpeechWords } from "./speech_words";
import { useVideoPageWords } from "./words";

const ROW_HEIGHT = 46;

interface Props {
  segments: Segments;
  playhead: Playhead;
  isReady: boolean;
  choose: (segment: SegmentAnswer) => void;
}

export function TextTab({ segments, playhead, isReady, choose }: Props) {
  const words = useVideoPageWords();
  const now = useStore(playhead.now);
  const [searchText, setSearchText] = useQueryValue("find");
  const [kind, setKind] = useQueryValue("kind");
  const speechWords = useSpeechWords();
  const hasMeaning = useHasMeaning();
  const [follows, setFollows] = useState(true);
  const needle = plain(searchText.trim());
  const hasBoth = new Set(segments.all.map((item) => item.kind)).size > 1;
  const chosen = hasBoth ? kind : "";
  const rows = useMemo(
    () =>
      segments.all.filter(
        (item) => (chosen === "" || item.kind === chosen) && (needle === "" || plain(item.text).includes(needle)),
      ),
    [segments.all, chosen, needle],
  );
  const current = lastStartedIndex(rows, now);
  const jump = (index: number) => {
    const row = rows[index];
    if (row !== undefined) choose(row);
  };
  useShortcuts([
    { keys: "n", help: words.nextHit, run: () => jump(current + 1) },
    { keys: "N", help: words.previousHit, run: () => jump(Math.max(0, current - 1)) },
  ]);
  if (segments.error) return <ErrorNote error={segments.error} />;
  if (!isReady) return <Empty title={words.notReady}>{words.notReadyText}</Empty>;
  if (!segments.isComplete && segments.all.length === 0) return <Loading />;
  if (segments.total === 0) return <p class="soft">{words.noText}</p>;
  return (
    <div class="text-tab">
      <div class="line">
        <input
          type="search"
          value={searchText}
          placeholder={words.find}
          aria-label={words.find}
          onInput={(event) => setSearchText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && jump(needle === "" ? current : 0)}
        />
        <span class="soft number" role="status">
          {words.found(rows.length, segments.total)}
        </span>
        <label class="line">
          <input type="checkbox" checked={follows} onChange={(event) => setFollows(event.currentTarget.checked)} />
          {words.follows}
        </label>
      </div>
      {hasBoth && (
        <Choices
          label={speechWords.filter}
          value={chosen}
          choose={setKind}
          options={[
            { value: "", label: speechWords.all },
            { value: "text", label: speechWords.shown },
            { value: "speech", label: speechWords.said },
          ]}
        />
      )}
      {rows.length === 0 ? (
        <Empty title={words.noMatch(searchText)}>
          <Button onClick={() => setSearchText("")}>{words.clearFind}</Button>
        </Empty>
      ) : (
        <VirtualList
          rows={rows}
          height={ROW_HEIGHT}
          rowKey={(row) => row.segment_id}
          label={words.text}
          current={follows ? current : null}
          within="min(60vh, 560px)"
        >
          {(row) => (
            <div class="with-more">
              <button
                type="button"
                class={`text-row ${row.t_start <= now && now < row.t_end ? "now" : ""}`}
                aria-current={row.t_start <= now && now < row.t_end ? "true" : undefined}
                onClick={() => choose(row)}
              >
                <span class="number soft">{clock(row.t_start)}</span>
                <span class="screen-text">
                  <Marked text={row.text} needle={needle} />
                </span>
                {row.unsure && (
                  <span class="soft" title={words.unsureText}>
                    {words.unsure}
                  </span>
                )}
              </button>
              {hasMeaning && <MoreLikeThis segmentId={row.segment_id} />}
            </div>
          )}
        </VirtualList>
      )}
    </div>
  );
}

function Marked({ text, needle }: { text: string; needle: string }) {
  const at = needle === "" ? -1 : plain(text).indexOf(needle);
  // Folding accents can change the length; the match position would then be wrong.
  if (at < 0 || plain(text).length !== text.length) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + needle.length)}</mark>
      {text.slice(at + needle.length)}
    </>
  );
}
