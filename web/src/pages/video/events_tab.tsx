// Detections in a video, and the history of its status.

import type { DetectionAnswer, WholeVideoAnswer } from "../../api/types";
import { clock, moment, percent } from "../../core/format";
import { Link } from "../../core/router";
import { statusWord, useVideoWords } from "../videos/words";
import type { Playhead } from "./playhead";
import { useVideoPageWords } from "./words";

interface Props {
  video: WholeVideoAnswer;
  detections: DetectionAnswer[];
  playhead: Playhead;
}

export function EventsTab({ video, detections, playhead }: Props) {
  const words = useVideoPageWords();
  const videoWords = useVideoWords();
  return (
    <div class="stack">
      <section>
        <h2>{words.detections}</h2>
        {detections.length === 0 && <p class="soft">{words.noEvents}</p>}
        <ul class="bare-list">
          {detections.map((item) => (
            <li key={item.id} class="line">
              <button type="button" class="link number" onClick={() => playhead.seek(Number(item.attributes.t_ms))}>
                {clock(Number(item.attributes.t_ms))}
              </button>
              <span>{item.object_type}</span>
              <span class="soft number">{percent(item.confidence)}</span>
              <Link to={`/ui/events?camera=${encodeURIComponent(item.camera_id)}`}>{item.camera_id}</Link>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{words.history}</h2>
        <ol class="history">
          {video.history.map((item) => (
            <li key={item.at}>
              <strong>{statusWord(item.status, videoWords)}</strong> <time dateTime={item.at}>{moment(item.at)}</time>
              {item.reason && <p class="soft">{item.reason}</p>}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
