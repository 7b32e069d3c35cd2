// The download dialog: text and speech as files, moments that match, frames and the original.

import { useState } from "preact/hooks";
import { encodeQuery, get } from "../../../api/client";
import type { DownloadAnswer, WholeVideoAnswer } from "../../../api/types";
import { bytes } from "../../../core/format";
import { Button, Choices } from "../../../ui/basics";
import { Dialog } from "../../../ui/dialog";
import { Icon } from "../../../ui/icons";
import { notifyError } from "../../../ui/toasts";
import { useDownloadWords } from "./download_words";

const FORMATS = ["srt", "vtt", "txt", "csv", "json"] as const;
type Kind = "both" | "speech" | "text";

interface Props {
  video: WholeVideoAnswer;
  /** Whether the original is there, and may be downloaded. */
  hasOriginal: boolean;
  /** Whether there is something of both kinds to choose from. */
  hasBothKinds: boolean;
  /** What the text list is filtered by. */
  find: string;
  close: () => void;
}

export default function DownloadDialog({ video, hasOriginal, hasBothKinds, find, close }: Props) {
  const { videoId } = video;
  const words = useDownloadWords();
  const [kind, setKind] = useState<Kind>("both");
  const [hasTimes, setHasTimes] = useState(false);
  const addressOf = (format: (typeof FORMATS)[number]) => {
    const query = { kind: kind === "both" ? null : kind, timestamps: format === "txt" && hasTimes ? true : null };
    // Excel takes a CSV file for UTF-8 only with a byte order mark.
    return `/videos/${videoId}/transcript.${format}${encodeQuery({ ...query, bom: format === "csv" ? true : null })}`;
  };
  return (
    <Dialog title={words.title} close={close}>
      <div class="stack">
        <h3>{words.files}</h3>
        <ul class="card-list" aria-label={words.files}>
          {hasOriginal && (
            <li class="card">
              <div>
                <strong>{words.originalName}</strong>
                <span class="soft">{originalText(video)}</span>
              </div>
              <Button icon="download" onClick={() => void downloadOriginal(videoId)}>
                {words.originalButton}
              </Button>
            </li>
          )}
          {video.framesRemovedAt === null && (
            <li class="card">
              <div>
                <strong>{words.framesName}</strong>
                <span class="soft">{words.framesText}</span>
              </div>
              <a class="button" href={`/videos/${videoId}/frames.zip`} download>
                <Icon name="download" />
                ZIP
                <span class="unseen"> {words.framesName}</span>
              </a>
            </li>
          )}
        </ul>
        <h3>{words.texts}</h3>
        {hasBothKinds && (
          <Choices<Kind>
            label={words.what}
            value={kind}
            choose={setKind}
            options={[
              { value: "both", label: words.both },
              { value: "speech", label: words.speech },
              { value: "text", label: words.text },
            ]}
          />
        )}
        <ul class="card-list" aria-label={words.formats}>
          {FORMATS.map((format) => (
            <li key={format} class="card">
              <div>
                <strong>{words[`${format}Name`]}</strong>
                <span class="soft">{words[`${format}Text`]}</span>
                {format === "txt" && (
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={hasTimes}
                      onChange={(event) => setHasTimes(event.currentTarget.checked)}
                    />
                    {words.withTimes}
                  </label>
                )}
              </div>
              <a class="button" href={addressOf(format)} download>
                <Icon name="download" />
                {format.toUpperCase()}
                <span class="unseen"> {words.download}</span>
              </a>
            </li>
          ))}
          {find !== "" && (
            <li class="card">
              <div>
                <strong>{words.moments(find)}</strong>
                <span class="soft">{words.momentsText}</span>
              </div>
              <a class="button" href={`/videos/${videoId}/moments.zip${encodeQuery({ q: find })}`} download>
                <Icon name="download" />
                ZIP
              </a>
            </li>
          )}
        </ul>
        <p class="soft">
          {find === "" && `${words.momentsHint} `}
          {words.clipHint}
        </p>
      </div>
    </Dialog>
  );
}

function originalText({ name, sizeBytes, width, height }: WholeVideoAnswer): string {
  const facts = [name, width === null ? null : `${width} × ${height}`, sizeBytes === null ? null : bytes(sizeBytes)];
  return facts.filter((fact) => fact !== null).join(" · ");
}

async function downloadOriginal(videoId: string): Promise<void> {
  try {
    location.assign((await get<DownloadAnswer>(`/videos/${videoId}/download`)).url);
  } catch (error) {
    notifyError(error);
  }
}
