// The first moments of the newest videos that can be searched.

import type { VideoGroupAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { clock } from "../../core/format";
import { Link } from "../../core/router";
import { Part } from "./part";
import { useHomeWords } from "./words";

const MAX_MOMENTS = 6;

export function LatestMoments({ groups }: { groups: VideoGroupAnswer[] }) {
  const words = useHomeWords();
  const moments = firstMoments(groups);
  if (moments.length === 0) return null;
  return (
    <Part title={words.moments} to={addressOf("search")} all={words.searchAll}>
      <ul class="tiles">
        {moments.map((hit) => (
          <li key={hit.segment_id}>
            <Link class="tile" to={hit.play_url}>
              <span class="picture">
                <img src={hit.thumbnail_url} alt="" loading="lazy" decoding="async" />
                <span class="number at">{clock(hit.t_start)}</span>
              </span>
              <span class="name">{hit.text}</span>
              <span class="soft">{hit.video_name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** In turns, one of each video, until there are enough. */
export function firstMoments(groups: VideoGroupAnswer[]): VideoGroupAnswer["hits"] {
  const found: VideoGroupAnswer["hits"] = [];
  const longest = Math.max(0, ...groups.map((group) => group.hits.length));
  for (let n = 0; n < longest; n++) {
    for (const group of groups) {
      const hit = group.hits[n];
      if (hit !== undefined && found.length < MAX_MOMENTS) found.push(hit);
    }
  }
  return found;
}
