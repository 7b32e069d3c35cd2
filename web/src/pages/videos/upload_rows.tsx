// Uploads of this tab: progress, speed and remaining time, with pause, resume and cancel.

import { useEffect } from "preact/hooks";
import { bytes, duration } from "../../core/format";
import { Link } from "../../core/router";
import { useStore } from "../../core/store";
import { Button, Progress } from "../../ui/basics";
import { useErrorTexts } from "../../ui/error_text";
import { notifyError } from "../../ui/toasts";
import { EmptyFile, type Progress as State, type Upload, WrongFile } from "../../upload/upload";
import { removeUpload, resumeUpload, uploads } from "../../upload/uploads";
import { useVideoWords } from "./words";

const FOLD_MS = 5500;

export function UploadRows({ finished }: { finished: () => void }) {
  const words = useVideoWords();
  const all = useStore(uploads);
  if (all.length === 0) return null;
  return (
    <section class="uploads" aria-label={words.uploads}>
      <ul>
        {all.map((item) => (
          <Row key={item} upload={item} finished={finished} />
        ))}
      </ul>
    </section>
  );
}

function Row({ upload, finished }: { upload: Upload; finished: () => void }) {
  const words = useVideoWords();
  const state = useStore(upload.progress);
  useEffect(() => {
    if (state.phase !== "done") return;
    finished();
    // The video is in the grid now. Uploads that failed or are paused stay.
    const timer = setTimeout(() => removeUpload(upload), FOLD_MS);
    return () => clearTimeout(timer);
  }, [state.phase, finished, upload]);
  const isWrongFile = state.reason instanceof WrongFile || state.reason instanceof EmptyFile;
  const cancel = () => upload.cancel().then(() => removeUpload(upload), notifyError);
  return (
    <li class={`upload ${state.phase}`}>
      <div class="name">
        {state.phase === "done" ? (
          <Link to={`/ui/videos/${upload.videoId}`}>{upload.file.name}</Link>
        ) : (
          upload.file.name
        )}
      </div>
      <Progress
        share={upload.file.size === 0 ? 0 : state.sentBytes / upload.file.size}
        label={words.progressOf(upload.file.name)}
      />
      <p class="soft number" role={state.phase === "failed" ? "alert" : undefined}>
        <UploadStatus upload={upload} state={state} />
      </p>
      <div class="actions">
        {upload.isActive && state.phase !== "finishing" && (
          <Button icon="pause" onClick={() => upload.pause()}>
            {words.pause}
          </Button>
        )}
        {state.phase === "paused" && (
          <Button icon="play" onClick={() => resumeUpload(upload)}>
            {words.resume}
          </Button>
        )}
        {state.phase === "failed" && !isWrongFile && (
          <Button icon="retry" onClick={() => resumeUpload(upload)}>
            {words.again}
          </Button>
        )}
        {state.phase === "done" || isWrongFile ? (
          <Button icon="cross" kind="quiet" iconOnly onClick={() => removeUpload(upload)}>
            {words.remove}
          </Button>
        ) : (
          <Button onClick={cancel}>{words.cancel}</Button>
        )}
      </div>
    </li>
  );
}

function UploadStatus({ upload, state }: { upload: Upload; state: State }) {
  const words = useVideoWords();
  const errors = useErrorTexts();
  if (state.reason instanceof WrongFile) {
    const { part } = state.reason;
    return <>{part === null ? words.wrongSize(upload.file.name) : words.wrongPart(upload.file.name, part)}</>;
  }
  if (state.reason instanceof EmptyFile) return <>{words.emptyFile(upload.file.name)}</>;
  const kept = words.kept(bytes(state.keptBytes), bytes(upload.file.size));
  if (state.phase === "failed") return <>{`${words.failed}: ${errors.lineOf(state.reason)} · ${kept}`}</>;
  const isStopped = state.phase === "waiting" || state.phase === "paused";
  const facts = [words[state.phase], isStopped ? kept : `${bytes(state.sentBytes)} / ${bytes(upload.file.size)}`];
  if (state.perSecond !== null) facts.push(words.perSecond(bytes(state.perSecond)));
  if (state.secondsLeft !== null) facts.push(words.left(duration(state.secondsLeft)));
  return <>{facts.join(" · ")}</>;
}
