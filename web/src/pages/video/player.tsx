// Video player: hls.js, loaded on demand, or the browser's own HLS support.

import { useEffect, useRef, useState } from "preact/hooks";
import type { SegmentAnswer, WholeVideoAnswer } from "../../api/types";
import { Controls } from "./controls";
import type { Playhead } from "./playhead";
import { useVideoPageWords } from "./words";

interface Props {
  video: WholeVideoAnswer;
  playhead: Playhead;
  /** Texts whose boxes are drawn on the video. */
  shown: SegmentAnswer[];
  /** Whether there are captions to show. */
  hasText: boolean;
}

export function Player({ video, playhead, shown, hasText }: Props) {
  const words = useVideoPageWords();
  const element = useRef<HTMLVideoElement>(null);
  const [player, setPlayer] = useState<HTMLVideoElement | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const source = `/videos/${video.videoId}/stream/index.m3u8`;
  useEffect(() => {
    const found = element.current;
    if (found === null) return;
    setPlayer(found);
    const detach = playhead.attach(found);
    const ended = { isOver: false, end: () => {} };
    void play(found, source, () => setHasFailed(true)).then((end) => {
      if (ended.isOver) end();
      else ended.end = end;
    });
    return () => {
      ended.isOver = true;
      ended.end();
      detach();
    };
  }, [source, playhead]);
  const width = video.width ?? 16;
  const height = video.height ?? 9;
  return (
    <>
      <div class="player" style={{ aspectRatio: `${width} / ${height}`, maxWidth: `calc(68vh * ${width / height})` }}>
        <video
          ref={element}
          playsInline
          preload="auto"
          aria-label={words.player(video.name)}
          crossOrigin="anonymous"
          onClick={() => playhead.toggle()}
        >
          <track kind="captions" src={`/videos/${video.videoId}/captions.vtt`} label={words.captions} />
        </video>
        <svg class="boxes" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" preserveAspectRatio="none">
          {shown.map((item) => (
            <rect
              key={item.segment_id}
              x={item.bounding_box.x - 4}
              y={item.bounding_box.y - 4}
              width={item.bounding_box.width + 8}
              height={item.bounding_box.height + 8}
            />
          ))}
        </svg>
        {hasFailed && (
          <p class="note bad" role="alert">
            {words.noStream}
          </p>
        )}
      </div>
      <Controls player={player} playhead={playhead} durationMs={video.durationMs ?? 0} hasText={hasText} />
    </>
  );
}

/** Starts playback and returns a function that ends it. */
async function play(player: HTMLVideoElement, source: string, failed: () => void): Promise<() => void> {
  const { default: Hls } = await import("hls.js/light");
  if (!Hls.isSupported()) {
    player.src = source;
    player.addEventListener("error", failed, { once: true });
    return () => player.removeAttribute("src");
  }
  const hls = new Hls({
    enableWorker: false, // The content policy forbids workers made from a text.
    maxBufferLength: 30,
  });
  hls.on(Hls.Events.ERROR, (_, error) => {
    if (!error.fatal) return;
    if (error.type === Hls.ErrorTypes.MEDIA_ERROR) hls.recoverMediaError();
    else failed();
  });
  hls.loadSource(source);
  hls.attachMedia(player);
  return () => hls.destroy();
}
