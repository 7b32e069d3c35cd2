// How much was recorded on the day, or why nothing was.

import type { SourceAnswer } from "../../api/types";
import { bytes, duration } from "../../core/format";
import type { Day } from "./use_day";
import { useViewWords } from "./view_words";

export function DaySummary({ day, source }: { day: Day; source: SourceAnswer | null }) {
  const words = useViewWords();
  const { data, recorded } = day;
  if (data.value === undefined) return <p class="day-summary soft">&nbsp;</p>;
  const seconds = recorded.reduce((sum, span) => sum + (span.to - span.from) / 1000, 0);
  const size = data.value.recordings.reduce((sum, span) => sum + span.bytes, 0);
  const isOff = source === null || source.record_mode === "off";
  const { recorder } = data.value;
  return (
    <p class="day-summary soft">
      {seconds > 0 ? words.recorded(duration(seconds), bytes(size)) : isOff ? words.recordOff : words.notRecorded}
      {recorder.state === "paused" && ` ${words.paused(recorder.reason ?? "")}`}
    </p>
  );
}
