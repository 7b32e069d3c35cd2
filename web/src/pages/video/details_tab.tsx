// Details of a video: metadata, download, delete.

import { useState } from "preact/hooks";
import { get, remove } from "../../api/client";
import type { DownloadAnswer, VideoActionsAnswer, WholeVideoAnswer } from "../../api/types";
import { bytes, clock, day, moment, number } from "../../core/format";
import { navigate } from "../../core/router";
import { Button } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { useUiWords } from "../../ui/words";
import { useTeams } from "../teams/use_teams";
import { useTeamWords } from "../teams/words";
import { useLibraryWords } from "../videos/library_words";
import { FINISHED_STATUSES, moveToTrash } from "../videos/trash_actions";
import { statusWord, useVideoWords } from "../videos/words";
import { useActionWords } from "./action_words";
import { useVideoPageWords } from "./words";

export function DetailsTab({ video, actions }: { video: WholeVideoAnswer; actions: VideoActionsAnswer | undefined }) {
  const words = useVideoPageWords();
  const actionWords = useActionWords();
  const videoWords = useVideoWords();
  const uiWords = useUiWords();
  const library = useLibraryWords();
  const teamWords = useTeamWords();
  const team = useTeams().value?.teams.find((item) => video.isOfTeam && item.team_id === video.teamId)?.name;
  const [isConfirming, setIsConfirming] = useState(false);
  const facts: [string, string | null][] = [
    [words.name, video.name],
    [words.status, statusWord(video.status, videoWords)],
    [words.duration, video.durationMs === null ? null : clock(video.durationMs, { exact: true })],
    [words.picture, video.width === null ? null : `${video.width} × ${video.height}`],
    [words.rate, video.fps === null ? null : number(video.fps, 3)],
    [words.size, video.sizeBytes === null ? null : bytes(video.sizeBytes)],
    [teamWords.team, team ?? null],
    [words.added, moment(video.createdAt)],
    [words.changed, moment(video.updatedAt)],
    [words.reason, video.errorReason],
    [words.id, video.videoId],
  ];
  const download = async () => {
    try {
      const { url } = await get<DownloadAnswer>(`/videos/${video.videoId}/download`);
      location.assign(url);
    } catch (error) {
      notifyError(error);
    }
  };
  const isFinished = FINISHED_STATUSES.includes(video.status);
  const trash = async () => {
    // Back on the list, an undo shows it again there.
    if (await moveToTrash([video.videoId], library, () => undefined)) navigate("/ui/videos");
  };
  const end = () =>
    remove(`/videos/${video.videoId}`).then(() => {
      notify(words.removed);
      navigate("/ui/videos");
    }, notifyError);
  return (
    <>
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {video.originalRemovedAt !== null && <p class="soft">{uiWords.originalRemoved(day(video.originalRemovedAt))}</p>}
      <div class="line">
        {actions?.download.cannot === null && (
          <Button icon="download" onClick={download}>
            {words.original}
          </Button>
        )}
        {actions?.delete.cannot === null && (
          <Button icon="trash" kind="danger" onClick={() => (isFinished ? void trash() : setIsConfirming(true))}>
            {isFinished ? library.remove : words.remove}
          </Button>
        )}
        {actions?.delete.cannot === "not_owner" && <span class="soft">{actionWords.cannotDelete}</span>}
      </div>
      {isConfirming && (
        <Confirm
          title={words.removeAsk}
          text={words.removeText(video.name)}
          action={words.remove}
          run={end}
          close={() => setIsConfirming(false)}
        />
      )}
    </>
  );
}
