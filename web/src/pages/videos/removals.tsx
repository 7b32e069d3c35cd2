// What retention rules will remove of a video, with the day.

import type { VideoAnswer } from "../../api/types";
import { day } from "../../core/format";
import { Badge } from "../../ui/basics";
import { useVideoWords } from "./words";

export function Removals({ video }: { video: VideoAnswer }) {
  const words = useVideoWords();
  const texts: Record<string, (day: string) => string> = {
    video: words.videoRemovedOn,
    original: words.originalRemovedOn,
    frames: words.framesRemovedOn,
  };
  return (
    <>
      {video.removals.map(({ part, at }) => (
        <Badge key={part} tone="warn">
          {texts[part]?.(day(at)) ?? part}
        </Badge>
      ))}
    </>
  );
}
