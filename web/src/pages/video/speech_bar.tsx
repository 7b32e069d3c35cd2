// Speech of a video: the button that transcribes it, how far that is, and one line on how to add it where it is missing.

import { get, post } from "../../api/client";
import type { SpeechAnswer, VideoActionsAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { percent } from "../../core/format";
import { Button, Progress } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { isTranscribing } from "./actions";
import { useSpeechWords } from "./speech_words";

interface Props {
  videoId: string;
  hasSpeech: boolean;
  actions: VideoActionsAnswer | undefined;
  started: () => void;
}

export function SpeechBar({ videoId, hasSpeech, actions, started }: Props) {
  const words = useSpeechWords();
  if (actions === undefined) return null;
  const latest = actions.latest_transcription;
  const { cannot } = actions.transcribe;
  if (isTranscribing(actions) && latest !== null) {
    return (
      <div class="stack" role="status">
        <Progress share={latest.progress} label={`${words.listening} ${percent(latest.progress)}`} />
        {latest.error !== null && <p class="failure">{words.triedAgain(latest.error)}</p>}
      </div>
    );
  }
  if (cannot === "not_installed") return hasSpeech ? null : <HowToAdd />;
  const start = () =>
    post(`/api/videos/${videoId}/transcribe`, { body: {} }).then(() => {
      notify(words.started);
      started();
    }, notifyError);
  const hasFailed = latest?.status === "failed";
  if (hasSpeech && !hasFailed) return null;
  return (
    <div class="line">
      {hasFailed && (
        <p class="note bad" role="alert">
          {words.failed}: {latest.error}
        </p>
      )}
      {latest?.status === "done" && !hasSpeech && <span class="soft">{words.nothingSaid}</span>}
      {cannot === null && <Button onClick={start}>{latest === null ? words.transcribe : words.again}</Button>}
    </div>
  );
}

function HowToAdd() {
  const data = useData("speech", (signal) => get<SpeechAnswer>("/api/speech", { signal }));
  const how = data.value?.how_to_install ?? null;
  return how === null ? null : <p class="soft">{how}</p>;
}
