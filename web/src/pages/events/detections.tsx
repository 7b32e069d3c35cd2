// Detections of an event by object: each with its image, if there is one, its bounding box, and what it did.

import { useState } from "preact/hooks";
import type { DetectionAnswer } from "../../api/types";
import { ROOT } from "../../core/addresses";
import { clock, percent } from "../../core/format";
import { Link } from "../../core/router";
import { Ago, Button } from "../../ui/basics";
import { useSummaryWords } from "../../ui/summary_words";
import { type SeenObject, seenObjects } from "./seen_objects";
import { useEventWords } from "./words";

const FIRST = 12;

export function Detections({ detections }: { detections: DetectionAnswer[] }) {
  const words = useEventWords();
  const names = useSummaryWords();
  const [isComplete, setIsWhole] = useState(false);
  const objects = seenObjects(detections);
  const shown = isComplete ? objects : objects.slice(0, FIRST);
  if (detections.length === 0) return <p class="soft">{words.noDetections}</p>;
  return (
    <>
      <ul class="detections">
        {shown.map((item) => (
          <li key={item.shown.id}>
            <ApiImage detection={item.shown} />
            <div class="detection-about">
              <strong>{names.kind(item.shown.object_type)}</strong>{" "}
              <span class="number">{percent(item.shown.confidence)}</span>{" "}
              <span class="soft">
                <Ago at={item.shown.detected_at} />
              </span>
              <WhatItDid item={item} />
              <Attributes of={item.others} />
            </div>
          </li>
        ))}
      </ul>
      {shown.length < objects.length && (
        <Button onClick={() => setIsWhole(true)}>{words.showMore(objects.length - shown.length)}</Button>
      )}
    </>
  );
}

function WhatItDid({ item }: { item: SeenObject }) {
  const words = useEventWords();
  const parts = [
    ...(item.seconds === null ? [] : [words.inView(Math.max(1, Math.round(item.seconds)))]),
    ...(item.direction === null ? [] : [words.moving(item.direction)]),
    ...item.behaviours.map(words.did),
  ];
  return parts.length === 0 ? null : <span class="soft detection-attributes">{parts.join(", ")}</span>;
}

function ApiImage({ detection }: { detection: DetectionAnswer }) {
  const words = useEventWords();
  const name = `${useSummaryWords().kind(detection.object_type)}, ${percent(detection.confidence)}`;
  const [x = 0, y = 0, width = 0, height = 0] = detection.bbox ?? [];
  const isEmpty = detection.image_url === null;
  return (
    <div class={`detection-picture ${isEmpty ? "without" : ""}`}>
      {detection.image_url === null ? (
        <span class="soft">{words.noPicture}</span>
      ) : (
        <img src={detection.image_url} alt={name} loading="lazy" />
      )}
      {detection.bbox !== null && (
        <span
          class="detection-box"
          style={{ left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` }}
        />
      )}
    </div>
  );
}

/** The page of a video at a moment of it. */
export const videoAddress = (videoId: string, ms: number): string =>
  `${ROOT}/videos/${encodeURIComponent(videoId)}?t=${ms / 1000}`;

/** Further attributes from the detector, with a link to the moment in a video if they name one. */
function Attributes({ of: { video_id, t_ms, ...others } }: { of: Record<string, unknown> }) {
  const words = useEventWords();
  const labels = Object.entries(others).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return (
    <>
      {labels.length > 0 && <span class="soft detection-attributes">{labels.join(" · ")}</span>}
      {typeof video_id === "string" && (
        <Link class="detection-attributes" to={videoAddress(video_id, Number(t_ms) || 0)}>
          {words.inVideo(clock(Number(t_ms) || 0))}
        </Link>
      )}
    </>
  );
}
