// Techniques found in a video, or what starts an analysis.

import type { AnalysisAnswer, TechniqueAnswer, VideoActionsAnswer } from "../../api/types";
import { clock, percent } from "../../core/format";
import { Button } from "../../ui/basics";
import { VirtualList } from "../../ui/virtual_list";
import type { Playhead } from "./playhead";
import { StartAnalysis } from "./start_analysis";
import { useVideoPageWords } from "./words";

interface Props {
  videoId: string;
  analysis: AnalysisAnswer | null;
  techniques: TechniqueAnswer[];
  playhead: Playhead;
  mark: (start: number, end: number) => void;
  actions: VideoActionsAnswer | undefined;
  started: () => void;
}

export function TechniquesTab({ videoId, analysis, techniques, playhead, mark, actions, started }: Props) {
  const words = useVideoPageWords();
  if (analysis === null) return <StartAnalysis videoId={videoId} actions={actions} started={started} />;
  return (
    <>
      {!analysis.finalized && (
        <p class="soft" role="status">
          {words.arriving(analysis.received_count, analysis.total_event_count)}
        </p>
      )}
      {techniques.length === 0 ? (
        <p class="soft">{words.noTechniques}</p>
      ) : (
        <VirtualList
          rows={techniques}
          height={64}
          rowKey={(row) => row.id}
          label={words.techniques}
          within="min(60vh, 560px)"
        >
          {(row) => (
            <div class="technique-row">
              <button type="button" class="text-row" onClick={() => playhead.seek(row.t_start)}>
                <span class="number soft">{clock(row.t_start)}</span>
                <span class="screen-text">
                  {row.skill_name}
                  <small class="soft">
                    {row.category} · {row.role}
                  </small>
                </span>
                <span class="number soft">{percent(row.confidence)}</span>
              </button>
              <Button icon="cut" kind="quiet" iconOnly onClick={() => mark(row.t_start, row.t_end)}>
                {words.clipThis}
              </Button>
            </div>
          )}
        </VirtualList>
      )}
    </>
  );
}
