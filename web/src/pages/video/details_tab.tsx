// What is known of the video, its original, and its end.

import { useState } from "preact/hooks";
import { get, remove } from "../../api/client";
import type { DownloadAnswer, WholeVideoAnswer } from "../../api/types";
import { bytes, clock, moment, number } from "../../app/format";
import { navigate } from "../../app/router";
import { Button } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { complain, say } from "../../ui/toasts";
import { statusWord, useVideoWords } from "../videos/words";
import { useVideoPageWords } from "./words";

export function DetailsTab({ video }: { video: WholeVideoAnswer }) {
  const words = useVideoPageWords();
  const videoWords = useVideoWords();
  const [asks, setAsks] = useState(false);
  const facts: [string, string | null][] = [
    [words.name, video.name],
    [words.status, statusWord(video.status, videoWords)],
    [words.duration, video.durationMs === null ? null : clock(video.durationMs, { exact: true })],
    [words.picture, video.width === null ? null : `${video.width} × ${video.height}`],
    [words.rate, video.fps === null ? null : number(video.fps, 3)],
    [words.size, video.sizeBytes === null ? null : bytes(video.sizeBytes)],
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
      complain(error);
    }
  };
  const end = () =>
    remove(`/videos/${video.videoId}`).then(() => {
      say(words.removed);
      navigate("/ui/videos");
    }, complain);
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
      <div class="line">
        <Button icon="download" onClick={download}>
          {words.original}
        </Button>
        <Button icon="trash" kind="danger" onClick={() => setAsks(true)}>
          {words.remove}
        </Button>
      </div>
      {asks && (
        <Confirm
          title={words.removeAsk}
          text={words.removeText(video.name)}
          action={words.remove}
          run={end}
          close={() => setAsks(false)}
        />
      )}
    </>
  );
}
