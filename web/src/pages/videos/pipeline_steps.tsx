// Pipeline steps of a video: upload, video, frames, text, search, each with its status.

import type { PipelineStepAnswer } from "../../api/types";
import { percent } from "../../core/format";
import { Icon } from "../../ui/icons";
import { useVideoWords } from "./words";

export type StepName = "upload" | "transcode" | "sample" | "ocr" | "segment_index";
type State = "waiting" | "queued" | "processing" | "done" | "failed";

export function PipelineSteps({ steps }: { steps: PipelineStepAnswer[] }) {
  const words = useVideoWords();
  const all = [{ name: "upload", status: "done", progress: 1, message: null } as const, ...steps];
  return (
    <ol class="steps" aria-label={words.steps}>
      {all.map((step) => {
        const state = step.status as State;
        const share = state === "processing" ? ` ${percent(step.progress)}` : "";
        return (
          <li key={step.name} class={state} title={step.message ?? undefined}>
            {state === "done" && <Icon name="check" />}
            {state === "failed" && <Icon name="cross" />}
            <span>
              {words[`step_${step.name as StepName}`]}
              {share}
            </span>
            <span class="unseen">{words[`state_${state}`]}</span>
          </li>
        );
      })}
    </ol>
  );
}
