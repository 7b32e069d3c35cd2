// The preview of the current result: the moment plays, muted, beside the list. Shown where there is room for it.

import { useEffect, useRef, useState } from "preact/hooks";
import type { HitAnswer } from "../../api/types";
import { clock } from "../../core/format";
import { Link } from "../../core/router";
import { useDebounced } from "../../core/timing";
import { startStream } from "../../ui/hls_stream";
import { Icon } from "../../ui/icons";
import { Marked } from "./hit";
import { useSearchWords } from "./words";

/** Results that one only passes by are not played. */
const REST_MS = 300;
const SHORTEST_MS = 4000;

export function Preview({ hit }: { hit: HitAnswer | null }) {
  const words = useSearchWords();
  const rested = useDebounced(hit, REST_MS);
  if (hit === null) return null;
  return (
    <aside class="preview" aria-label={words.preview}>
      <div class="preview-picture">
        <img key={hit.segment_id} src={hit.thumbnail_url} alt="" decoding="async" />
        {rested === hit && <Moving key={hit.segment_id} hit={hit} />}
      </div>
      <p class="preview-text">
        {hit.lines.map((line, at) => (
          <span key={line.segment_id}>
            {at > 0 && <span class="soft"> / </span>}
            <Marked text={line.text} marks={line.highlights} />
          </span>
        ))}
      </p>
      <p class="soft">
        {hit.video_name} · <span class="number">{clock(hit.t_start)}</span>
      </p>
      <Link class="button primary" to={hit.play_url}>
        <Icon name="play" />
        {words.openMoment}
      </Link>
    </aside>
  );
}

/** Over the picture once the first frame is there; a stream that cannot be played leaves the picture. */
function Moving({ hit }: { hit: HitAnswer }) {
  const player = useRef<HTMLVideoElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  useEffect(() => {
    const video = player.current;
    if (video === null || isCalm) return;
    const from = hit.t_start / 1000;
    const until = Math.max(hit.t_end, hit.t_start + SHORTEST_MS) / 1000;
    const begin = () => {
      video.currentTime = from;
      void video.play().catch(() => undefined); // the browser saves power, or the preview has gone
    };
    const loop = () => {
      if (video.currentTime >= until) video.currentTime = from;
    };
    const appear = () => setIsPlaying(true);
    video.addEventListener("loadedmetadata", begin, { once: true });
    video.addEventListener("timeupdate", loop);
    video.addEventListener("playing", appear);
    const end = startStream(video, hit.stream_url, { failed: () => setIsPlaying(false) });
    return () => {
      video.removeEventListener("loadedmetadata", begin);
      video.removeEventListener("timeupdate", loop);
      video.removeEventListener("playing", appear);
      end();
    };
  }, [hit, isCalm]);
  return <video ref={player} class={isPlaying ? "playing" : ""} muted playsInline tabIndex={-1} aria-hidden="true" />;
}
