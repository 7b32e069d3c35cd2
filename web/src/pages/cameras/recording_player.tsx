// Plays what was recorded, from the time asked for, and reports the time of the frame that is shown.

import { useEffect, useRef, useState } from "preact/hooks";
import { encodeQuery } from "../../api/client";
import { type StreamSegment, startStream } from "../../ui/hls_stream";
import { cameraPath } from "./live_picture";
import { playerPosition, wallTime } from "./recording_clock";
import { useViewWords } from "./view_words";
import { spanToLoad } from "./watching";

interface Props {
  cameraId: string;
  name: string;
  /** The time to play from; a new value jumps there. */
  at: number;
  /** The time of the visible frame. */
  showTime: (ms: number) => void;
  /** The loaded stretch, which ends at this time, was played to its end. */
  ended: (ms: number) => void;
  attach: (player: HTMLVideoElement | null) => void;
  playing: (isPlaying: boolean) => void;
}

export function RecordingPlayer({ cameraId, name, at, showTime, ended, attach, playing }: Props) {
  const words = useViewWords();
  const element = useRef<HTMLVideoElement>(null);
  const segments = useRef<StreamSegment[]>([]);
  const [hasFailed, setHasFailed] = useState(false);
  const [loaded, setLoaded] = useState(() => spanToLoad(at, null));
  const latest = useRef(at);
  latest.current = at;
  const { from, to } = spanToLoad(at, loaded);
  useEffect(() => {
    attach(element.current);
    return () => attach(null);
  }, []);

  const jump = () => {
    const player = element.current;
    const position = playerPosition(segments.current, latest.current);
    if (player === null || position === null) return;
    // Slightly past the start of a segment: times are rounded.
    player.currentTime = position + 0.01;
    void player.play().catch(() => undefined); // Browsers may require a click first.
  };
  useEffect(() => {
    setLoaded({ from, to });
    setHasFailed(false);
    segments.current = [];
    if (element.current === null) return;
    const query = encodeQuery({ since: new Date(from).toISOString(), until: new Date(to).toISOString() });
    return startStream(element.current, `${cameraPath(cameraId)}/recording/index.m3u8${query}`, {
      failed: () => setHasFailed(true),
      loaded: (list) => {
        segments.current = list;
        jump();
      },
    });
  }, [cameraId, from, to]);
  useEffect(jump, [at]);
  return (
    <>
      <video
        ref={element}
        playsInline
        muted
        preload="auto"
        aria-label={words.recordingOf(name)}
        onClick={({ currentTarget: player }) => togglePlay(player)}
        onTimeUpdate={({ currentTarget: player }) => {
          const time = wallTime(segments.current, player.currentTime);
          if (time !== null && !player.seeking) showTime(time);
        }}
        onPlay={() => playing(true)}
        onPause={() => playing(false)}
        onEnded={() => ended(to)}
      />
      {hasFailed && (
        <p class="note bad" role="alert">
          {words.noStream}
        </p>
      )}
    </>
  );
}

export function togglePlay(player: HTMLVideoElement): void {
  if (player.paused) void player.play().catch(() => undefined);
  else player.pause();
}
