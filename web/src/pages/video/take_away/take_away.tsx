// The buttons in the head of the video page: download text, share.

import { useState } from "preact/hooks";
import type { VideoActionsAnswer, WholeVideoAnswer } from "../../../api/types";
import { useLocation } from "../../../core/router";
import { Button } from "../../../ui/basics";
import DownloadDialog from "./download_dialog";
import { useDownloadWords } from "./download_words";
import ShareDialog from "./share_dialog";
import { useShareWords } from "./share_words";
import type { ShareTarget } from "./targets";

interface Props {
  video: WholeVideoAnswer;
  actions: VideoActionsAnswer | undefined;
  hasBothKinds: boolean;
  /** The moment that is offered to be shared. */
  moment: () => { start: number; end: number };
}

export function TakeAway({ video, actions, hasBothKinds, moment }: Props) {
  const words = useDownloadWords();
  const shareWords = useShareWords();
  const { query } = useLocation();
  const [isDownloading, setIsDownloading] = useState(false);
  const [targets, setTargets] = useState<ShareTarget[] | null>(null);
  return (
    <>
      {actions?.share.cannot === null && (
        <Button icon="link" onClick={() => setTargets([{ what: "moment", ...moment() }, { what: "video" }])}>
          {shareWords.open}
        </Button>
      )}
      {video.status === "COMPLETED" && (
        <Button icon="download" onClick={() => setIsDownloading(true)}>
          {words.open}
        </Button>
      )}
      {isDownloading && (
        <DownloadDialog
          video={video}
          hasOriginal={actions?.download.cannot === null}
          hasBothKinds={hasBothKinds}
          find={(query.get("find") ?? "").trim()}
          close={() => setIsDownloading(false)}
        />
      )}
      {targets !== null && <ShareDialog videoId={video.videoId} targets={targets} close={() => setTargets(null)} />}
    </>
  );
}
