// The text that was on screen: found as one types, followed as it plays, jumped to by a click.

import { useMemo, useState } from "preact/hooks";
import type { SegmentAnswer } from "../../api/types";
import { clock, percent } from "../../app/format";
import { useShortcuts } from "../../app/keys";
import { useQueryValue } from "../../app/router";
import { useStore } from "../../app/store";
import { Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { LongList } from "../../ui/long_list";
import type { Playhead } from "./playhead";
import { type Segments, lastBegun, plain } from "./segments";
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
  const [find, setFind] = useQueryValue("find");
  const [follows, setFollows] = useState(true);
  const wanted = plain(find.trim());
  const rows = useMemo(
    () => (wanted === "" ? segments.all : segments.all.filter((one) => plain(one.text).includes(wanted))),
    [segments.all, wanted],
  );
  const current = lastBegun(rows, now);
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
  if (!segments.isWhole && segments.all.length === 0) return <Loading />;
  if (segments.total === 0) return <p class="soft">{words.noText}</p>;
  return (
    <div class="text-tab">
      <div class="line">
        <input
          type="search"
          value={find}
          placeholder={words.find}
          aria-label={words.find}
          onInput={(event) => setFind(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && jump(wanted === "" ? current : 0)}
        />
        <span class="soft number" role="status">
          {words.found(rows.length, segments.total)}
        </span>
        <label class="line">
          <input type="checkbox" checked={follows} onChange={(event) => setFollows(event.currentTarget.checked)} />
          {words.follows}
        </label>
      </div>
      {rows.length === 0 ? (
        <Empty title={words.noMatch(find)}>
          <Button onClick={() => setFind("")}>{words.clearFind}</Button>
        </Empty>
      ) : (
        <LongList
          rows={rows}
          height={ROW_HEIGHT}
          rowKey={(row) => row.segment_id}
          label={words.text}
          current={follows ? current : null}
          within="min(60vh, 560px)"
        >
          {(row) => (
            <button
              type="button"
              class={`text-row ${row.t_start <= now && now < row.t_end ? "now" : ""}`}
              aria-current={row.t_start <= now && now < row.t_end ? "true" : undefined}
              onClick={() => choose(row)}
            >
              <span class="number soft">{clock(row.t_start)}</span>
              <span class="said">
                <Marked text={row.text} wanted={wanted} />
              </span>
              <span class="number soft" title={words.confidence}>
                {percent(row.confidence)}
              </span>
            </button>
          )}
        </LongList>
      )}
    </div>
  );
}

function Marked({ text, wanted }: { text: string; wanted: string }) {
  const at = wanted === "" ? -1 : plain(text).indexOf(wanted);
  // Where letters fall away with their accents, places would be off: then the row itself is the mark.
  if (at < 0 || plain(text).length !== text.length) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  );
}
