// Timeline below the video: texts, techniques, people and objects, detections, clip marks and the playback position.

import { useMemo, useRef } from "preact/hooks";
import type { DetectionAnswer, TechniqueAnswer, VideoTrackAnswer } from "../../api/types";
import { useStore } from "../../core/store";
import type { Marks } from "./clip_editor";
import type { Playhead } from "./playhead";
import type { Segments } from "./segments";
import { coloursOf } from "./tracks";
import { useVideoPageWords } from "./words";

const COLUMNS = 400;

interface Props {
  durationMs: number;
  segments: Segments;
  techniques: TechniqueAnswer[];
  detections: DetectionAnswer[];
  tracks: VideoTrackAnswer[];
  marks: Marks;
  playhead: Playhead;
}

export function Timeline({ durationMs, segments, techniques, detections, tracks, marks, playhead }: Props) {
  const words = useVideoPageWords();
  const now = useStore(playhead.now);
  const frame = useRef<HTMLDivElement>(null);
  // Merges texts into columns, so that long videos draw quickly.
  const columns = useMemo(() => {
    const found = new Set<number>();
    for (const item of segments.all) found.add(Math.floor((item.t_start / durationMs) * COLUMNS));
    return [...found];
  }, [segments.all, durationMs]);
  const colours = useMemo(() => coloursOf(tracks), [tracks]);
  const at = (ms: number) => `${Math.min(100, (ms / durationMs) * 100)}%`;
  const seek = (clientX: number) => {
    const place = frame.current?.getBoundingClientRect();
    if (place) playhead.seek(Math.min(1, Math.max(0, (clientX - place.left) / place.width)) * durationMs);
  };
  return (
    <div
      ref={frame}
      class="video-timeline"
      role="slider"
      tabIndex={0}
      aria-label={words.timeline}
      aria-valuemin={0}
      aria-valuemax={Math.round(durationMs / 1000)}
      aria-valuenow={Math.round(now / 1000)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seek(event.clientX);
      }}
      onPointerMove={(event) => event.buttons === 1 && seek(event.clientX)}
    >
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
      <span class="now" style={{ left: at(now) }} />
    </div>
  );
}
