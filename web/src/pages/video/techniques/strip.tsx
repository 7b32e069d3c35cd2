// The match at a glance: a lane per athlete for what was accepted, and a lane per analyzer for its candidates, side by side.

import type { TechniqueMarkAnswer } from "../../../api/types";
import { clock } from "../../../core/format";
import { useStore } from "../../../core/store";
import type { Playhead } from "../playhead";
import { CATEGORIES, colourOf, useCategoryNames } from "./categories";
import { useSummaryWords } from "./summary_words";

interface Props {
  marks: TechniqueMarkAnswer[];
  durationMs: number;
  playhead: Playhead;
  select: (mark: TechniqueMarkAnswer) => void;
}

export function Strip({ marks, durationMs, playhead, select }: Props) {
  const words = useSummaryWords();
  const categories = useCategoryNames();
  const now = useStore(playhead.now);
  const lanes = lanesOf(marks, words.byHand);
  if (lanes.length === 0) return null;
  const at = (ms: number) => `${Math.min(100, (ms / durationMs) * 100)}%`;
  const used = CATEGORIES.filter((item) => marks.some((mark) => mark.state !== "rejected" && mark.category === item));
  return (
    <section class="match-strip" aria-label={words.strip}>
      {lanes.map((lane) => (
        <div key={lane.label} class="lane">
          <span class="lane-label" title={lane.label}>
            {lane.isCandidates ? words.candidatesOf(lane.label) : lane.label}
          </span>
          <div class="lane-track">
            {lane.marks.map((mark) => (
              <button
                key={mark.id}
                type="button"
                tabIndex={-1}
                class={`${colourOf(mark.category)} ${mark.state}`}
                style={{ left: at(mark.t_start), width: at(mark.t_end - mark.t_start) }}
                aria-label={`${clock(mark.t_start)} ${mark.name}`}
                title={`${clock(mark.t_start)} – ${clock(mark.t_end)} ${mark.name}, ${mark.role}`}
                onClick={() => select(mark)}
              />
            ))}
            <span class="now" style={{ left: at(now) }} />
          </div>
        </div>
      ))}
      <ul class="legend" aria-label={words.legend}>
        {used.map((item) => (
          <li key={item}>
            <span class={`dot ${colourOf(item)}`} />
            {categories[item]}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Lane {
  label: string;
  isCandidates: boolean;
  marks: TechniqueMarkAnswer[];
}

/** Accepted ones by athlete, then candidates by analyzer. */
export function lanesOf(marks: TechniqueMarkAnswer[], byHand: string): Lane[] {
  const lanes = new Map<string, Lane>();
  for (const mark of marks) {
    if (mark.state === "rejected") continue;
    const isCandidates = mark.state === "candidate";
    const label = isCandidates ? (mark.analyzer ?? byHand) : mark.role;
    const key = `${isCandidates} ${label}`;
    const lane = lanes.get(key) ?? { label, isCandidates, marks: [] };
    lane.marks.push(mark);
    lanes.set(key, lane);
  }
  return [...lanes.values()].sort((a, b) => Number(a.isCandidates) - Number(b.isCandidates));
}
