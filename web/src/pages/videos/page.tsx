// Videos page: uploads, processing and ready videos.

import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { VideoAnswer, VideosAnswer } from "../../api/types";
import { usePagedList } from "../../api/use_paged_list";
import type { PageProps } from "../../core/addresses";
import { useQueryValue } from "../../core/router";
import { useLive, videoStream } from "../../live/streams";
import { Button, Choices, Empty, ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { VirtualList } from "../../ui/virtual_list";
import { ACCEPTED } from "../../upload/accepted_files";
import { addUpload } from "../../upload/uploads";
import { DropZone } from "./drop_zone";
import { usePipelines } from "./pipelines";
import { PROCESSING_STATUSES } from "./statuses";
import { UnfinishedUploads } from "./unfinished_uploads";
import { UploadRows } from "./upload_rows";
import { VideoRow } from "./video_row";
import { useVideoWords } from "./words";

const FILTERS = {
  all: [],
  uploading: ["CREATED", "UPLOADING"],
  processing: PROCESSING_STATUSES,
  ready: ["COMPLETED"],
  failed: ["FAILED"],
} satisfies Record<string, string[]>;
type Filter = keyof typeof FILTERS;
const ROW_HEIGHT = 112;

export default function VideosPage(_: PageProps) {
  const words = useVideoWords();
  const [text, setFilter] = useQueryValue("status", "all");
  const filter: Filter = text in FILTERS ? (text as Filter) : "all";
  const picker = useRef<HTMLInputElement>(null);
  const list = usePagedList<VideoAnswer>(`videos ${filter}`, async (cursor, signal) => {
    const query = { limit: 50, cursor, status: FILTERS[filter] };
    const answer = await get<VideosAnswer>("/videos", { query, signal });
    return { rows: answer.videos, next: answer.nextCursor };
  });
  useLive(videoStream, {
    message: ({ type, data }) => {
      if (type !== "video.status") return; // Progress messages only concern the pipeline steps.
      // Updates the row right away, because a long list is not reloaded.
      list.set((rows) =>
        rows.map((row) => (row.videoId === data.videoId ? { ...row, status: String(data.status) } : row)),
      );
      list.reload();
    },
    gap: list.reload,
  });
  const working = useMemo(
    () => list.rows.filter((item) => PROCESSING_STATUSES.includes(item.status) || item.status === "FAILED"),
    [list.rows],
  );
  const pipelines = usePipelines(working);
  const upload = useCallback((files: Iterable<File>) => {
    for (const file of files) addUpload(file);
  }, []);
  return (
    <>
      <PageHeader title={words.title}>
        <Button icon="upload" kind="primary" onClick={() => picker.current?.click()}>
          {words.upload}
        </Button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          accept={ACCEPTED}
          aria-label={words.upload}
          onChange={(event) => {
            upload([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </PageHeader>
      <DropZone onFiles={upload} text={words.drop} />
      <UploadRows finished={list.reload} />
      <UnfinishedUploads accept={ACCEPTED} />
      <div class="filters">
        <Choices
          label={words.filter}
          value={filter}
          options={(Object.keys(FILTERS) as Filter[]).map((value) => ({ value, label: words[value] }))}
          choose={setFilter}
        />
      </div>
      {list.error && <ErrorNote error={list.error} retry={list.reload} />}
      {list.rows.length > 0 ? (
        <VirtualList
          rows={list.rows}
          height={ROW_HEIGHT}
          rowKey={(row) => row.videoId}
          label={words.list}
          loadMore={list.loadMore}
          isLoading={list.isLoading}
        >
          {(row) => <VideoRow video={row} steps={pipelines.get(row.videoId)} changed={list.reload} />}
        </VirtualList>
      ) : list.isLoading ? (
        <Loading />
      ) : (
        <NoVideos filter={filter} clear={() => setFilter("all")} made={list.reload} />
      )}
    </>
  );
}

function NoVideos({ filter, clear, made }: { filter: Filter; clear: () => void; made: () => void }) {
  const words = useVideoWords();
  const [isMaking, setIsMaking] = useState(false);
  if (filter !== "all") {
    return (
      <Empty title={words.noneHere(words[filter])} icon="video">
        <Button onClick={clear}>{words.showAll}</Button>
      </Empty>
    );
  }
  const make = async () => {
    setIsMaking(true);
    try {
      await post("/api/sample-video");
      notify(words.sampleMade);
      made();
    } catch (error) {
      notifyError(error);
    } finally {
      setIsMaking(false);
    }
  };
  return (
    <Empty title={words.none} icon="video">
      <p>{words.dropAnywhere}</p>
      <Button kind="primary" icon="play" disabled={isMaking} onClick={make}>
        {isMaking ? words.sampleMaking : words.sample}
      </Button>
      <p>
        {words.curl} <code>sightline upload talk.mp4</code>
      </p>
    </Empty>
  );
}
