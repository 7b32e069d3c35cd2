// Uploads that stopped somewhere: the server knows them, so they can be gone on with after a reload or on another device.

import { useMemo, useRef, useState } from "preact/hooks";
import { get, remove } from "../../api/client";
import type { UnfinishedAnswer, UnfinishedUpload } from "../../api/types";
import { useData } from "../../app/data";
import { bytes } from "../../app/format";
import { useStore } from "../../app/store";
import { useLive, videoStream } from "../../live/streams";
import { Ago, Button, Progress } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { complain, say } from "../../ui/toasts";
import { add, uploads } from "../../upload/uploads";
import { useVideoWords } from "./words";

export function Unfinished({ accept }: { accept: string }) {
  const words = useVideoWords();
  const data = useData("unfinished", (signal) => get<UnfinishedAnswer>("/uploads", { signal }), { every: 15_000 });
  useLive(videoStream, {
    message: ({ type }) => type !== "job.progress" && data.reload(),
    gap: data.reload,
  });
  const here = useStore(uploads);
  // What this tab is sending is shown above.
  const left = useMemo(
    () => (data.value?.uploads ?? []).filter((one) => !here.some((own) => own.videoId === one.videoId)),
    [data.value, here],
  );
  if (left.length === 0) return null;
  return (
    <section class="unfinished card">
      <h2>{words.unfinished}</h2>
      <p class="soft">{words.unfinishedHint}</p>
      <ul>
        {left.map((one) => (
          <Row key={one.videoId} upload={one} accept={accept} changed={data.reload} />
        ))}
      </ul>
    </section>
  );
}

function Row({ upload, accept, changed }: { upload: UnfinishedUpload; accept: string; changed: () => void }) {
  const words = useVideoWords();
  const picker = useRef<HTMLInputElement>(null);
  const [asks, setAsks] = useState(false);
  const discard = () =>
    remove(`/videos/${upload.videoId}/upload`).then(() => {
      say(words.discarded);
      changed();
    }, complain);
  return (
    <li class="upload">
      <div class="name">{upload.name}</div>
      <Progress share={upload.percentage / 100} label={words.progressOf(upload.name)} />
      <p class="soft number">
        {words.arrived(upload.uploadedParts, upload.totalParts)}
        {upload.totalSize !== null && ` · ${bytes(upload.totalSize)}`} · {words.lastActive} <Ago at={upload.activeAt} />
      </p>
      <div class="actions">
        <Button icon="upload" onClick={() => picker.current?.click()}>
          {words.choose}
        </Button>
        <Button kind="danger" onClick={() => setAsks(true)}>
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
            if (file) add(file, upload.videoId);
          }}
        />
      </div>
      {asks && (
        <Confirm
          title={words.discardAsk}
          text={words.discardText(upload.name)}
          action={words.discard}
          run={discard}
          close={() => setAsks(false)}
        />
      )}
    </li>
  );
}
