// What goes out: publishes the accepted techniques as they were reviewed, and imports and exports them as files.

import { useRef, useState } from "preact/hooks";
import { post } from "../../../api/client";
import type { AnalysisAnswer, ImportedMarksAnswer, PublishingAnswer, VideoActionsAnswer } from "../../../api/types";
import { Ago, Badge, Button, Progress } from "../../../ui/basics";
import { Confirm } from "../../../ui/dialog";
import { Menu } from "../../../ui/menu";
import { notify, notifyError } from "../../../ui/toasts";
import { isPublished, type MarksData } from "./marks";
import { useMarkWords } from "./words";

const CSV_NAME = /\.csv$/i;

interface Props {
  videoId: string;
  marks: MarksData;
  actions: VideoActionsAnswer | undefined;
  analysis: AnalysisAnswer | null;
  started: () => void;
}

export function PublishBar({ videoId, marks, actions, analysis, started }: Props) {
  const words = useMarkWords();
  const [isAsking, setIsAsking] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const found = marks.value;
  if (found === undefined) return null;
  const path = `/videos/${videoId}/marks`;
  const accepted = found.marks.filter((mark) => mark.state === "accepted").length;
  const open = found.marks.filter((mark) => mark.state === "candidate").length;
  const { published } = found;
  const job = actions?.latest_analysis ?? null;
  const own = published !== null && job?.job_id === published.job_id ? job : null;
  const isGoing = own !== null && (own.status === "queued" || own.status === "processing");
  const again = isPublished(found);
  const hasArrived = published !== null && analysis?.job_id === published.job_id && analysis.finalized;

  const publish = () => {
    setIsSending(true);
    post<PublishingAnswer>(`${path}/publish`, { body: { revision: found.revision, again } })
      .then((answer) => {
        notify(words.publishStarted(answer.total_event_count));
        started();
      }, notifyError)
      .finally(() => {
        setIsSending(false);
        marks.reload();
      });
  };
  const importFile = async (file: File) => {
    const type = CSV_NAME.test(file.name) ? "text/csv" : "application/json";
    try {
      const done = await post<ImportedMarksAnswer>(`${path}/import`, { file: new Blob([file], { type }) });
      notify(words.imported(done.added, done.changed, done.unchanged));
    } catch (error) {
      notifyError(error);
    }
    marks.reload();
  };
  return (
    <div class="stack publish-bar">
      <div class="line">
        {found.can_change && (
          <Button
            kind={accepted > 0 ? "primary" : "plain"}
            disabled={found.marks.length === 0 || isGoing || isSending}
            onClick={() => (accepted === 0 ? setIsAsking(true) : publish())}
          >
            {again || own?.status === "failed" ? words.publishAgain : words.publish(accepted)}
          </Button>
        )}
        <Menu label={words.files} icon="download">
          <a href={`${path}/export?format=csv`} download>
            {words.exportCsv}
          </a>
          <a href={`${path}/export?format=json`} download>
            {words.exportJson}
          </a>
          {found.can_change && (
            <button type="button" onClick={() => input.current?.click()}>
              {words.importFile}
            </button>
          )}
        </Menu>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.json,text/csv,application/json"
          aria-label={words.importFile}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) void importFile(file);
            event.currentTarget.value = "";
          }}
        />
        {found.can_change && marks.undo !== null && (
          <Button icon="undo" kind="quiet" onClick={() => void marks.undo?.()}>
            {words.undo}
          </Button>
        )}
      </div>
      {isGoing && <Progress share={own.progress} label={words.publishing} />}
      {own?.status === "failed" && (
        <p class="note bad" role="alert">
          {words.publishFailed}: {own.error}
        </p>
      )}
      {published !== null && !isGoing && own?.status !== "failed" && (
        <p class="line soft" role="status">
          <Badge tone={hasArrived ? "good" : "busy"}>{words.published(published.total_event_count)}</Badge>
          <Ago at={published.published_at} />
          {published.revision !== found.revision && <Badge tone="warn">{words.changedSince}</Badge>}
        </p>
      )}
      {open > 0 && <p class="soft">{words.open(open)}</p>}
      {isAsking && (
        <Confirm
          title={words.publishNone}
          text={words.publishNoneText}
          action={words.publish(0)}
          run={publish}
          close={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
