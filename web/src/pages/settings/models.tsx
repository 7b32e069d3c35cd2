// What is installed to detect objects, recognize speech and find passages by meaning.

import { get } from "../../api/client";
import type { MeaningAnswer, SpeechAnswer, VisionAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Badge, ErrorNote, Loading } from "../../ui/basics";
import { useSettingsWords } from "./words";

interface Shown {
  name: string;
  text: string;
  models: string[];
  isInstalled: boolean;
  command: string;
}

export function Models() {
  const words = useSettingsWords();
  const data = useData("models", async (signal) => ({
    vision: await get<VisionAnswer>("/api/vision", { signal }),
    speech: await get<SpeechAnswer>("/api/speech", { signal }),
    meaning: await get<MeaningAnswer>("/api/meaning", { signal }),
  }));
  if (data.value === undefined) return data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />;
  const { vision, speech, meaning } = data.value;
  const shown: Shown[] = [
    {
      name: words.vision,
      text: words.visionText,
      models: vision.models.map((model) => model.name),
      isInstalled: vision.installed,
      command: "sightline vision install",
    },
    {
      name: words.speech,
      text: words.speechText,
      models: speech.installed ? [speech.model] : [],
      isInstalled: speech.installed,
      command: "sightline speech install",
    },
    {
      name: words.meaning,
      text: words.meaningText,
      models: meaning.installed ? [meaning.model] : [],
      isInstalled: meaning.installed,
      command: "sightline meaning install",
    },
  ];
  return (
    <ul class="card-list" aria-label={words.models}>
      {shown.map((item) => (
        <li key={item.name} class="card">
          <div>
            <span class="line">
              <strong>{item.name}</strong>
              {item.isInstalled ? (
                <Badge tone="good" icon="check">
                  {words.installed}
                </Badge>
              ) : (
                <Badge>{words.notInstalled}</Badge>
              )}
            </span>
            <span class="soft">{item.text}</span>
            {item.isInstalled ? (
              <span>{item.models.join(", ")}</span>
            ) : (
              <span>
                {words.installBy} <code>{item.command}</code>
              </span>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
