// The share dialog: a new link to the video, a moment or a clip, and the links that were given out.

import { useState } from "preact/hooks";
import { get } from "../../../api/client";
import type { SharesAnswer } from "../../../api/types";
import { useData } from "../../../api/use_data";
import { ErrorNote, Loading } from "../../../ui/basics";
import { Dialog } from "../../../ui/dialog";
import { NewShare } from "./new_share";
import { ShareList } from "./share_list";
import { useShareWords } from "./share_words";
import type { ShareTarget } from "./targets";

interface Props {
  videoId: string;
  /** What can be shared, the first of them preselected. */
  targets: ShareTarget[];
  close: () => void;
}

export default function ShareDialog({ videoId, targets, close }: Props) {
  const words = useShareWords();
  const [newest, setNewest] = useState<string | null>(null);
  const data = useData(`shares ${videoId}`, (signal) =>
    get<SharesAnswer>("/api/shares", { query: { video_id: videoId, limit: 200 }, signal }),
  );
  return (
    <Dialog title={words.title} close={close}>
      <div class="stack">
        <p class="soft">{words.intro}</p>
        <NewShare
          videoId={videoId}
          targets={targets}
          created={(share) => {
            setNewest(share.share_id);
            data.reload();
          }}
        />
        {data.error && <ErrorNote error={data.error} retry={data.reload} />}
        {data.value === undefined && data.isLoading && <Loading />}
        {data.value !== undefined && <ShareList shares={data.value.shares} newest={newest} changed={data.reload} />}
      </div>
    </Dialog>
  );
}
