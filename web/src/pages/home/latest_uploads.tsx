// The newest videos, with what has become of them.

import type { VideoAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { clock } from "../../core/format";
import { Link } from "../../core/router";
import { ApiImage } from "../../ui/api_image";
import { Ago, Badge } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { groupOf, TONES } from "../videos/statuses";
import { statusWord, useVideoWords } from "../videos/words";
import { Part } from "./part";
import { useHomeWords } from "./words";

export function LatestUploads({ videos }: { videos: VideoAnswer[] }) {
  const words = useHomeWords();
  const statuses = useVideoWords();
  if (videos.length === 0) return null;
  return (
    <Part title={words.uploads} to={addressOf("videos")} all={words.allVideos}>
      <ul class="tiles">
        {videos.map((video) => (
          <li key={video.videoId}>
            <Link class="tile" to={`${addressOf("videos")}/${video.videoId}`}>
              <span class="picture">
                {video.durationMs === null || video.status === "FAILED" ? (
                  <Icon name="video" />
                ) : (
                  <ApiImage src={`/videos/${video.videoId}/poster`} />
                )}
                {video.durationMs !== null && video.status !== "FAILED" && (
                  <span class="number at">{clock(video.durationMs)}</span>
                )}
              </span>
              <span class="name">{video.name}</span>
              <span class="line soft">
                {video.status !== "COMPLETED" && (
                  <Badge tone={TONES[groupOf(video.status)]}>{statusWord(video.status, statuses)}</Badge>
                )}
                <Ago at={video.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}
