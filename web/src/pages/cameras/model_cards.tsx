// What detects people and objects: the models, what they cannot see, their licences, and whether their scores are calibrated.

import { get } from "../../api/client";
import type { VisionAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Badge } from "../../ui/basics";
import { useModelWords } from "./model_words";

type Model = VisionAnswer["models"][number];

export const useVision = (): VisionAnswer | undefined =>
  useData("vision", (signal) => get<VisionAnswer>("/api/vision", { signal })).value;

export function ModelCards({ vision }: { vision: VisionAnswer }) {
  const words = useModelWords();
  return (
    <>
      {vision.error !== null && (
        <p class="note bad" role="alert">
          {words.broken} {vision.error}
        </p>
      )}
      {vision.models.length > 0 && (
        <details class="model-cards">
          <summary>{words.about}</summary>
          <div class="stack">
            <p class="soft">{words.honesty}</p>
            {vision.models.map((model) => (
              <ModelCard key={model.name} model={model} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}

function ModelCard({ model }: { model: Model }) {
  const words = useModelWords();
  return (
    <section class="card model-card" aria-label={model.name}>
      <p class="line">
        <strong>{model.name}</strong>
        <Badge tone={model.is_calibrated ? "good" : "neutral"} icon={model.is_calibrated ? "check" : "help"}>
          {model.is_calibrated ? words.calibrated : words.uncalibrated}
        </Badge>
      </p>
      <p>{words.text(model.purpose)}</p>
      <p class="soft">{model.is_calibrated ? words.calibratedHint : words.uncalibratedHint}</p>
      {model.cannot_see.length > 0 && (
        <>
          <p class="label">{words.cannotSee}</p>
          <ul>
            {model.cannot_see.map((item) => (
              <li key={item}>{words.text(item)}</li>
            ))}
          </ul>
        </>
      )}
      <p class="soft">
        {words.licence}: {words.text(model.licence)} · {words.source}: {model.source}
      </p>
    </section>
  );
}
