// Video player: the stream, and boxes around the texts of the current frame.

import { useEffect, useRef, useState } from "preact/hooks";
import type { SegmentAnswer, WholeVideoAnswer } from "../../api/types";
import { startStream } from "../../ui/hls_stream";
import { Controls } from "./controls";
import { useObjectWords } from "./object_words";
import type { Playhead } from "./playhead";
import { useSpeechWords } from "./speech_words";
import type { ShownBox } from "./tracks";
import { useVideoPageWords } from "./words";

interface Props {
  video: WholeVideoAnswer;
  playhead: Playhead;
  /** Texts whose boxes are drawn on the video. */
  shown: SegmentAnswer[];
  /** People and objects whose boxes are drawn on the video. */
  objects: ShownBox[];
  /** Whether there are captions to show. */
  hasText: boolean;
  /** Whether there are subtitles of what is said. */
  hasSpeech: boolean;
}

export function Player({ video, playhead, shown, objects, hasText, hasSpeech }: Props) {
  const speechWords = useSpeechWords();
  const words = useVideoPageWords();
  const objectWords = useObjectWords();
  const element = useRef<HTMLVideoElement>(null);
  const [player, setPlayer] = useState<HTMLVideoElement | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const source = `/videos/${video.videoId}/stream/index.m3u8`;
  useEffect(() => {
    const found = element.current;
    if (found === null) return;
    setPlayer(found);
    const detach = playhead.attach(found);
    const end = startStream(found, source, { failed: () => setHasFailed(true) });
    return () => {
      end();
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
          {hasSpeech && (
            <track
              kind="subtitles"
              src={`/videos/${video.videoId}/captions.vtt?kind=speech`}
              label={speechWords.speech}
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
      </div>
      <Controls
        player={player}
        playhead={playhead}
        durationMs={video.durationMs ?? 0}
        hasText={hasText}
        hasSpeech={hasSpeech}
      />
    </>
  );
}
