// Timeline below the video: chapters, texts, techniques, people and objects, detections, clip marks and the playback position.
// While the pointer is over it, it shows the picture of that time.

import { useMemo, useRef, useState } from "preact/hooks";
import type { DetectionAnswer, TechniqueMarkAnswer, VideoTrackAnswer, WholeVideoAnswer } from "../../../api/types";
import { clock } from "../../../core/format";
import { useStore } from "../../../core/store";
import { SpriteTile } from "../../../ui/sprite_tile";
import type { Marks } from "../clip_editor";
import type { Playhead } from "../playhead";
import type { Segments } from "../segments";
import { coloursOf } from "../tracks";
import { useVideoPageWords } from "../words";
import { type Chapter, chapterAt } from "./chapters";

const COLUMNS = 400;

interface Props {
  video: WholeVideoAnswer;
  chapters: Chapter[];
  segments: Segments;
  techniques: TechniqueMarkAnswer[];
  detections: DetectionAnswer[];
  tracks: VideoTrackAnswer[];
  marks: Marks;
  playhead: Playhead;
}

export function Timeline({ video, chapters, segments, techniques, detections, tracks, marks, playhead }: Props) {
  const words = useVideoPageWords();
  const durationMs = Math.max(1, video.durationMs ?? 1);
  const now = useStore(playhead.now);
  const frame = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  // Merges texts into columns, so that long videos draw quickly.
  const columns = useMemo(() => {
    const found = new Set<number>();
    for (const item of segments.all) found.add(Math.floor((item.t_start / durationMs) * COLUMNS));
    return [...found];
  }, [segments.all, durationMs]);
  const colours = useMemo(() => coloursOf(tracks), [tracks]);
  const at = (ms: number) => `${Math.min(100, (ms / durationMs) * 100)}%`;
  const timeAt = (clientX: number): number => {
    const place = frame.current?.getBoundingClientRect();
    if (!place || place.width === 0) return 0;
    return Math.min(1, Math.max(0, (clientX - place.left) / place.width)) * durationMs;
  };
  return (
    <div class="strip">
      {pointed !== null && <Pointed video={video} ms={pointed} share={pointed / durationMs} chapters={chapters} />}
      <div
        ref={frame}
        class="video-timeline"
        role="slider"
        tabIndex={0}
        aria-label={words.timeline}
        aria-valuemin={0}
        aria-valuemax={Math.round(durationMs / 1000)}
        aria-valuenow={Math.round(now / 1000)}
        aria-valuetext={clock(now)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          playhead.seek(timeAt(event.clientX));
        }}
        onPointerMove={(event) => {
          setPointed(timeAt(event.clientX));
          if (event.buttons === 1) playhead.seek(timeAt(event.clientX));
        }}
        onPointerLeave={() => setPointed(null)}
        onPointerUp={(event) => event.pointerType === "touch" && setPointed(null)}
      >
        <span class="played" style={{ width: at(now) }} />
        {chapters.slice(1).map((item) => (
          <span key={item.startMs} class="mark chapter" style={{ left: at(item.startMs) }} />
        ))}
        {columns.map((column) => (
          <span key={column} class="mark text" style={{ left: `${(column / COLUMNS) * 100}%` }} />
        ))}
        {techniques.map((item) => (
          <span
            key={item.id}
            class="mark technique"
            style={{ left: at(item.t_start), width: at(item.t_end - item.t_start) }}
          />
        ))}
        {tracks.map((item) => (
          <span
            key={item.track_id}
            class={`mark object object-${colours.get(item.label) ?? 0}`}
            title={item.label}
            style={{ left: at(item.t_start), width: at(item.t_end - item.t_start) }}
          />
        ))}
        {detections.map((item) => (
          <span key={item.id} class="mark detection" style={{ left: at(Number(item.attributes.t_ms)) }} />
        ))}
        {marks.start !== null && (
          <span class="mark clip" style={{ left: at(marks.start), width: at((marks.end ?? now) - marks.start) }} />
        )}
        {pointed !== null && <span class="pointed" style={{ left: at(pointed) }} />}
        <span class="now" style={{ left: at(now) }} />
      </div>
    </div>
  );
}

function Pointed(props: { video: WholeVideoAnswer; ms: number; share: number; chapters: Chapter[] }) {
  const { video, chapters } = props;
  const chapter = chapters[chapterAt(chapters, props.ms)];
  return (
    <div class="strip-preview" aria-hidden="true" style={{ "--share": props.share }}>
      {video.spriteSheet !== null && (
        <span class="strip-picture">
          <SpriteTile videoId={video.videoId} sheet={video.spriteSheet} ms={props.ms} />
        </span>
      )}
      {chapter !== undefined && <span class="strip-chapter">{chapter.title}</span>}
      <span class="number">{clock(props.ms)}</span>
    </div>
  );
}
