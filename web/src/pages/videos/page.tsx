// The videos: what is being uploaded, what is being worked on, what can be watched.

import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { VideoAnswer, VideosAnswer } from "../../api/types";
import { usePaged } from "../../app/pages_list";
import { useQueryValue } from "../../app/router";
import type { PageProps } from "../../app/routes";
import { useLive, videoStream } from "../../live/streams";
import { Button, Choices, Empty, ErrorNote, Head, Loading } from "../../ui/basics";
import { LongList } from "../../ui/long_list";
import { complain, say } from "../../ui/toasts";
import { add } from "../../upload/uploads";
import VideoPage from "../video/page";
import { DropZone } from "./drop_zone";
import { usePipelines } from "./pipelines";
import { IN_WORK } from "./states";
import { Unfinished } from "./unfinished";
import { UploadRows } from "./upload_rows";
import { VideoRow } from "./video_row";
import { useVideoWords } from "./words";

const FILTERS = {
  all: [],
  uploading: ["CREATED", "UPLOADING"],
  processing: IN_WORK,
  ready: ["COMPLETED"],
  failed: ["FAILED"],
} satisfies Record<string, string[]>;
type Filter = keyof typeof FILTERS;
const ACCEPTED = ".mp4,.mov,.avi,.mkv,.webm,video/mp4,video/quicktime,video/x-msvideo,video/x-matroska,video/webm";
const ROW_HEIGHT = 112;

export default function VideosPage({ rest }: PageProps) {
  return rest === "" ? <Videos /> : <VideoPage key={rest} rest={rest} />;
}

function Videos() {
  const words = useVideoWords();
  const [text, setFilter] = useQueryValue("status", "all");
  const filter: Filter = text in FILTERS ? (text as Filter) : "all";
  const picker = useRef<HTMLInputElement>(null);
  const list = usePaged<VideoAnswer>(`videos ${filter}`, async (cursor, signal) => {
    const query = { limit: 50, cursor, status: FILTERS[filter] };
    const answer = await get<VideosAnswer>("/videos", { query, signal });
    return { rows: answer.videos, next: answer.nextCursor };
  });
  useLive(videoStream, {
    message: ({ type, data }) => {
      if (type !== "video.status") return; // how far it is, the steps tell
      // At once, and wherever the list has been scrolled to; what else has changed comes with the list itself.
      list.set((rows) => rows.map((row) => (row.videoId === data.videoId ? { ...row, status: String(data.status) } : row)));
      list.reload();
    },
    gap: list.reload,
  });
  const working = useMemo(() => list.rows.filter((one) => IN_WORK.includes(one.status) || one.status === "FAILED"), [list.rows]);
  const pipelines = usePipelines(working);
  const take = useCallback((files: Iterable<File>) => {
    for (const file of files) add(file);
  }, []);
  return (
    <>
      <Head title={words.title}>
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
            take([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
          }}
        />
      </Head>
      <DropZone take={take} text={words.drop} />
      <UploadRows finished={list.reload} />
      <Unfinished accept={ACCEPTED} />
      <div class="filters">
        <Choices
          label={words.filter}
          value={filter}
          options={(Object.keys(FILTERS) as Filter[]).map((value) => ({ value, label: words[value] }))}
          choose={setFilter}
        />
      </div>
      {list.error && <ErrorNote error={list.error} again={list.reload} />}
      {list.rows.length > 0 ? (
        <LongList
          rows={list.rows}
          height={ROW_HEIGHT}
          rowKey={(row) => row.videoId}
          label={words.list}
          more={list.more}
          isLoading={list.isLoading}
        >
          {(row) => <VideoRow video={row} steps={pipelines.get(row.videoId)} changed={list.reload} />}
        </LongList>
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
      say(words.sampleMade);
      made();
    } catch (error) {
      complain(error);
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
