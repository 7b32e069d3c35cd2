// Video player: the stream or the original, and boxes around the texts and objects of the current frame.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SegmentAnswer, WholeVideoAnswer } from "../../../api/types";
import { startStream } from "../../../ui/hls_stream";
import { notify } from "../../../ui/toasts";
import { useObjectWords } from "../object_words";
import type { Playhead } from "../playhead";
import type { ShownBox } from "../tracks";
import { useVideoPageWords } from "../words";
import { originalAddress, type Quality } from "./playback";
import { useWatchWords } from "./watch_words";

interface Props {
  video: WholeVideoAnswer;
  playhead: Playhead;
  quality: Quality;
  setQuality: (quality: Quality) => void;
  ready: (player: HTMLVideoElement | null) => void;
  /** Texts whose boxes are drawn on the video. */
  shown: SegmentAnswer[];
  /** People and objects whose boxes are drawn on the video. */
  objects: ShownBox[];
  hasText: boolean;
  hasSpeech: boolean;
  children?: ComponentChildren;
}

export function Player({ video, playhead, quality, setQuality, ready, shown, objects, ...rest }: Props) {
  const watchWords = useWatchWords();
  const words = useVideoPageWords();
  const objectWords = useObjectWords();
  const element = useRef<HTMLVideoElement>(null);
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const found = element.current;
    if (found === null) return;
    ready(found);
    const detach = playhead.attach(found);
    return () => {
      detach();
      ready(null);
    };
  }, [playhead, ready]);
  useEffect(() => {
    const found = element.current;
    if (found === null) return;
    setHasFailed(false);
    const at = playhead.now.value;
    const wasPlaying = !found.paused;
    const resume = () => {
      if (at > 0) playhead.seek(at);
      if (wasPlaying) playhead.play();
    };
    if (quality === "stream") {
      const end = startStream(found, `/videos/${video.videoId}/stream/index.m3u8`, {
        failed: () => setHasFailed(true),
      });
      resume();
      return end;
    }
    let isOver = false;
    const back = () => {
      if (isOver) return;
      notify(watchWords.noOriginal);
      setQuality("stream");
    };
    found.addEventListener("error", back);
    originalAddress(video.videoId).then((address) => {
      if (isOver) return;
      found.src = address;
      resume();
    }, back);
    return () => {
      isOver = true;
      found.removeEventListener("error", back);
      found.removeAttribute("src");
      found.load();
    };
  }, [video.videoId, playhead, quality]);
  const width = video.width ?? 16;
  const height = video.height ?? 9;
  return (
    <div class="player" style={{ aspectRatio: `${width} / ${height}`, "--shape": width / height }}>
      <video
        ref={element}
        playsInline
        preload="auto"
        aria-label={words.player(video.name)}
        crossOrigin="anonymous"
        onClick={() => playhead.toggle()}
      >
        {rest.hasText && (
          <track kind="captions" src={`/videos/${video.videoId}/captions.vtt`} label={watchWords.captionsShown} />
        )}
        {rest.hasSpeech && (
          <track
            kind="subtitles"
            src={`/videos/${video.videoId}/captions.vtt?kind=speech`}
            label={watchWords.captionsSaid}
          />
        )}
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
        {objects.map((item) => (
          <rect
            key={item.key}
            class={`object-${item.colour}`}
            x={item.x * width}
            y={item.y * height}
            width={item.width * width}
            height={item.height * height}
          />
        ))}
      </svg>
      {objects.map((item) => (
        <span
          key={item.key}
          class={`box-label object-${item.colour}`}
          aria-hidden="true"
          style={{ left: `${item.x * 100}%`, top: `${item.y * 100}%` }}
        >
          {objectWords.label(item.label)}
        </span>
      ))}
      {hasFailed && (
        <p class="note bad" role="alert">
          {words.noStream}
        </p>
      )}
      {rest.children}
    </div>
  );
}
