// Processing steps of a video, with errors and retry.

import type { PipelineStepAnswer } from "../../api/types";
import { percent } from "../../core/format";
import { Link } from "../../core/router";
import { Badge, Progress, type Tone } from "../../ui/basics";
import type { StepName } from "../videos/pipeline_steps";
import { Retry } from "../videos/retry";
import { useVideoWords } from "../videos/words";
import { useActionWords } from "./action_words";

const TONES: Record<string, Tone> = { done: "good", failed: "bad", queued: "busy", processing: "busy" };

interface Props {
  videoId: string;
  steps: PipelineStepAnswer[];
  canChange: boolean;
  changed: () => void;
}

export function JobsTab({ videoId, steps, canChange, changed }: Props) {
  const words = useVideoWords();
  const actionWords = useActionWords();
  return (
    <ul class="step-list">
      {steps.map((step) => (
        <li key={step.name}>
          <div class="line">
            <strong>
              {step.job_id === null ? (
                words[`step_${step.name as StepName}`]
              ) : (
                <Link to={`/ui/jobs/${step.job_id}`}>{words[`step_${step.name as StepName}`]}</Link>
              )}
            </strong>
            <Badge tone={TONES[step.status] ?? "neutral"}>{words[`state_${step.status as "done"}`]}</Badge>
            {step.can_retry && canChange && <Retry videoId={videoId} done={changed} />}
          </div>
          {step.status === "processing" && (
            <Progress share={step.progress} label={`${step.name} ${percent(step.progress)}`} />
          )}
          {step.message && step.status === "processing" && <p class="soft">{step.message}</p>}
          {step.error && step.status !== "done" && <p class="failure">{step.error}</p>}
          {step.status === "failed" && !step.can_retry && <p class="soft">{actionWords.fileUnreadable}</p>}
        </li>
      ))}
    </ul>
  );
}
