// Unfinished uploads known to the server: they can be resumed after a reload or from another device.

import { useMemo, useRef, useState } from "preact/hooks";
import { get, remove } from "../../api/client";
import type { UnfinishedAnswer, UnfinishedUpload } from "../../api/types";
import { useData } from "../../api/use_data";
import { bytes } from "../../core/format";
import { useStore } from "../../core/store";
import { useLive, videoStream } from "../../live/streams";
import { Ago, Button, Progress } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { addUpload, uploads } from "../../upload/uploads";
import { useVideoWords } from "./words";

export function UnfinishedUploads({ accept }: { accept: string }) {
  const words = useVideoWords();
  const data = useData("unfinished", (signal) => get<UnfinishedAnswer>("/uploads", { signal }), { every: 15_000 });
  useLive(videoStream, {
    message: ({ type }) => type !== "job.progress" && data.reload(),
    gap: data.reload,
  });
  const here = useStore(uploads);
  // Uploads of this tab are shown above.
  const left = useMemo(
    () => (data.value?.uploads ?? []).filter((item) => !here.some((own) => own.videoId === item.videoId)),
    [data.value, here],
  );
  if (left.length === 0) return null;
  return (
    <section class="unfinished card">
      <h2>{words.unfinished}</h2>
      <p class="soft">{words.unfinishedHint}</p>
      <ul>
        {left.map((item) => (
          <Row key={item.videoId} upload={item} accept={accept} changed={data.reload} />
        ))}
      </ul>
    </section>
  );
}

function Row({ upload, accept, changed }: { upload: UnfinishedUpload; accept: string; changed: () => void }) {
  const words = useVideoWords();
  const picker = useRef<HTMLInputElement>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const discard = () =>
    remove(`/videos/${upload.videoId}/upload`).then(() => {
      notify(words.discarded);
      changed();
    }, notifyError);
  return (
    <li class="upload">
      <div class="name">{upload.name}</div>
      <Progress share={upload.percentage / 100} label={words.progressOf(upload.name)} />
      <p class="soft number">
        {upload.totalSize === null
          ? words.arrived(upload.uploadedParts)
          : words.kept(bytes(upload.uploadedBytes), bytes(upload.totalSize))}{" "}
        · {words.lastActive} <Ago at={upload.activeAt} />
      </p>
      <div class="actions">
        <Button icon="upload" onClick={() => picker.current?.click()}>
          {words.choose}
        </Button>
        <Button kind="danger" onClick={() => setIsConfirming(true)}>
          {words.discard}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept={accept}
          aria-label={`${words.choose}: ${upload.name}`}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) addUpload(file, upload.videoId);
          }}
        />
      </div>
      {isConfirming && (
        <Confirm
          title={words.discardAsk}
          text={words.discardText(upload.name)}
          action={words.discard}
          run={discard}
          close={() => setIsConfirming(false)}
        />
      )}
    </li>
  );
}
