// What happened to the video, and what detectors saw in it.

import type { DetectionAnswer, WholeVideoAnswer } from "../../api/types";
import { clock, moment, percent } from "../../app/format";
import { Link } from "../../app/router";
import type { Playhead } from "./playhead";
import { statusWord, useVideoWords } from "../videos/words";
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
          {detections.map((one) => (
            <li key={one.id} class="line">
              <button type="button" class="link number" onClick={() => playhead.seek(Number(one.attributes.t_ms))}>
                {clock(Number(one.attributes.t_ms))}
              </button>
              <span>{one.object_type}</span>
              <span class="soft number">{percent(one.confidence)}</span>
              <Link to={`/ui/events?camera=${encodeURIComponent(one.camera_id)}`}>{one.camera_id}</Link>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>{words.history}</h2>
        <ol class="history">
          {video.history.map((one) => (
            <li key={one.at}>
              <strong>{statusWord(one.status, videoWords)}</strong> <time dateTime={one.at}>{moment(one.at)}</time>
              {one.reason && <p class="soft">{one.reason}</p>}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
