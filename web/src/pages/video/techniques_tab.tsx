// Techniques found in a video, or the button that starts an analysis.

import { post } from "../../api/client";
import type { AnalysisAnswer, TechniqueAnswer } from "../../api/types";
import { clock, percent } from "../../core/format";
import { Button, Empty } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { VirtualList } from "../../ui/virtual_list";
import type { Playhead } from "./playhead";
import { useVideoPageWords } from "./words";

interface Props {
  videoId: string;
  analysis: AnalysisAnswer | null;
  techniques: TechniqueAnswer[];
  playhead: Playhead;
  mark: (start: number, end: number) => void;
  reload: () => void;
}

export function TechniquesTab({ videoId, analysis, techniques, playhead, mark, reload }: Props) {
  const words = useVideoPageWords();
  const analyze = async () => {
    try {
      await post("/jobs", { body: { video_id: videoId } });
      notify(words.analyzeStarted);
      reload();
    } catch (error) {
      notifyError(error);
    }
  };
  if (analysis === null) {
    return (
      <Empty title={words.noAnalysis}>
        <Button kind="primary" onClick={analyze}>
          {words.analyze}
        </Button>
      </Empty>
    );
  }
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
