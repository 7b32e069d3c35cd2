// A video with results: its name, and a strip of its best moments.

import type { HitAnswer, VideoGroupAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { day } from "../../core/format";
import { Link, setQuery } from "../../core/router";
import { Hit } from "./hit";
import { useSearchWords } from "./words";

interface Props {
  group: VideoGroupAnswer;
  current: HitAnswer | null;
  hasMeaning: boolean;
  point: (hit: HitAnswer) => void;
}

export function VideoGroup({ group, current, hasMeaning, point }: Props) {
  const words = useSearchWords();
  const more = group.total - group.hits.length;
  return (
    <section class="group" aria-label={group.video_name}>
      <h2 class="of-video">
        <Link to={`${addressOf("videos")}/${group.video_id}`}>{group.video_name}</Link>
        <span class="soft number">{words.hits(group.total)}</span>
        <span class="soft">{day(group.created_at)}</span>
        {group.tags.slice(0, 3).map((tag) => (
          <button key={tag} type="button" class="tag" onClick={() => setQuery({ tag })}>
            {tag}
          </button>
        ))}
      </h2>
      <div class="strip">
        {group.hits.map((hit) => (
          <Hit
            key={hit.segment_id}
            hit={hit}
            isCurrent={hit === current}
            form="tile"
            hasMeaning={hasMeaning}
            point={point}
          />
        ))}
        {more > 0 && (
          <button type="button" class="more" onClick={() => setQuery({ video: group.video_id })}>
            {words.more(more)}
          </button>
        )}
      </div>
    </section>
  );
}
