// The poster of a video. While the pointer moves over it, it shows the moment at that place of the video.

import { useState } from "preact/hooks";
import type { VideoAnswer } from "../../api/types";
import { clock } from "../../core/format";
import { Link } from "../../core/router";
import { ApiImage } from "../../ui/api_image";
import { Icon } from "../../ui/icons";
import { SpriteTile } from "../../ui/sprite_tile";

interface Props {
  video: VideoAnswer;
  address: string;
  /** How far processing is, from 0 to 1; null if it is over. */
  processed: number | null;
}

export function PosterPreview({ video, address, processed }: Props) {
  const [share, setShare] = useState<number | null>(null);
  const sheet = video.spriteSheet;
  const length = video.durationMs;
  const canPreview = sheet !== null && length !== null;
  const ms = share === null || length === null ? 0 : share * length;
  return (
    // The name below is the link for keyboards and screen readers.
    <Link
      class="poster"
      to={address}
      tabIndex={-1}
      aria-hidden="true"
      onPointerMove={(event) => {
        if (!canPreview || event.pointerType === "touch") return;
        const place = event.currentTarget.getBoundingClientRect();
        setShare(Math.min(1, Math.max(0, (event.clientX - place.left) / place.width)));
      }}
      onMouseLeave={() => setShare(null)}
    >
      {video.hasPoster ? <ApiImage src={`/videos/${video.videoId}/poster`} /> : <Icon name="video" />}
      {share !== null && canPreview && (
        <>
          <span class="preview">
            <SpriteTile videoId={video.videoId} sheet={sheet} ms={ms} />
          </span>
          <span class="preview-line" style={{ width: `${share * 100}%` }} />
        </>
      )}
      {processed !== null && <span class="preview-line" style={{ width: `${processed * 100}%` }} />}
      {length !== null && <span class="length number">{clock(share === null ? length : ms)}</span>}
    </Link>
  );
}
