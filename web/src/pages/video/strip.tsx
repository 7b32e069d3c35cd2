// One strip under the picture: where text is, where techniques are, what is marked for a clip, and where playback is.

import { useMemo, useRef } from "preact/hooks";
import type { DetectionAnswer, TechniqueAnswer } from "../../api/types";
import { useStore } from "../../app/store";
import type { Marks } from "./clip_cutter";
import type { Playhead } from "./playhead";
import type { Segments } from "./segments";
import { useVideoPageWords } from "./words";

const COLUMNS = 400;

interface Props {
  durationMs: number;
  segments: Segments;
  techniques: TechniqueAnswer[];
  detections: DetectionAnswer[];
  marks: Marks;
  playhead: Playhead;
}

export function Strip({ durationMs, segments, techniques, detections, marks, playhead }: Props) {
  const words = useVideoPageWords();
  const now = useStore(playhead.now);
  const frame = useRef<HTMLDivElement>(null);
  // However many texts there are, there are only so many places to draw them at.
  const columns = useMemo(() => {
    const found = new Set<number>();
    for (const one of segments.all) found.add(Math.floor((one.t_start / durationMs) * COLUMNS));
    return [...found];
  }, [segments.all, durationMs]);
  const at = (ms: number) => `${Math.min(100, (ms / durationMs) * 100)}%`;
  const seek = (clientX: number) => {
    const place = frame.current?.getBoundingClientRect();
    if (place) playhead.seek(Math.min(1, Math.max(0, (clientX - place.left) / place.width)) * durationMs);
  };
  return (
    <div
      ref={frame}
      class="strip"
      role="slider"
      tabIndex={0}
      aria-label={words.strip}
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
      {techniques.map((one) => (
        <span key={one.id} class="mark technique" style={{ left: at(one.t_start), width: at(one.t_end - one.t_start) }} />
      ))}
      {detections.map((one) => (
        <span key={one.id} class="mark detection" style={{ left: at(Number(one.attributes.t_ms)) }} />
      ))}
      {marks.start !== null && (
        <span class="mark clip" style={{ left: at(marks.start), width: at((marks.end ?? now) - marks.start) }} />
      )}
      <span class="now" style={{ left: at(now) }} />
    </div>
  );
}
