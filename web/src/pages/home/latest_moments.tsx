// The first moments of the newest videos that can be searched.

import { get } from "../../api/client";
import type { HitAnswer, SearchAnswer, VideoAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { addressOf } from "../../core/addresses";
import { clock } from "../../core/format";
import { Link } from "../../core/router";
import { type ShownText, titleOf } from "../../ui/text_title";
import { Part } from "./part";
import { useHomeWords } from "./words";

const MAX_VIDEOS = 5;
const MAX_MOMENTS = 6;
const MAX_TEXTS = 60;
/** Texts that appear within this time of each other are one moment: a slide is often built line by line. */
const TOGETHER_MS = 2000;

export function useLatestMoments(videos: VideoAnswer[] | undefined): HitAnswer[] {
  const ready = (videos ?? []).filter((video) => video.status === "COMPLETED").slice(0, MAX_VIDEOS);
  const ids = ready.map((video) => video.videoId);
  const data = useData(ids.length === 0 ? null : ids.join(), (signal) =>
    Promise.all(
      ids.map((id) =>
        get<SearchAnswer>("/search", { query: { video_id: id, sort: "time", page_size: MAX_TEXTS }, signal }),
      ),
    ),
  );
  return inTurns((data.value ?? []).map((answer) => momentsOf(answer.hits)));
}

/** One hit for each moment, named by its largest text; moments of which nothing was read well are left out. */
export function momentsOf<T extends ShownText & { t_start: number }>(hits: T[]): T[] {
  const moments: T[][] = [];
  for (const hit of hits) {
    const last = moments.at(-1);
    if (last?.[0] !== undefined && hit.t_start - last[0].t_start < TOGETHER_MS) last.push(hit);
    else moments.push([hit]);
  }
  return moments.flatMap((texts) => titleOf(texts) ?? []);
}

/** One of each list in turn, until there are enough. */
export function inTurns<T>(lists: T[][], most: number = MAX_MOMENTS): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const found = Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat();
  return found.slice(0, most);
}

export function LatestMoments({ moments }: { moments: HitAnswer[] }) {
  const words = useHomeWords();
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
