// The grid of videos with its filters, selection and actions; of the whole library, or of a collection.

import { useMemo, useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { TeamItemAnswer, VideoAnswer, VideosAnswer } from "../../api/types";
import { usePagedList } from "../../api/use_paged_list";
import { useLive, videoStream } from "../../live/streams";
import { Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { CardGrid } from "../../ui/card_grid";
import { Confirm } from "../../ui/dialog";
import { useSelection } from "../../ui/selection";
import { notify, notifyError } from "../../ui/toasts";
import { MoveToTeam } from "../teams/move_dialog";
import { isEditable } from "../teams/use_teams";
import { AddToCollection } from "./collection_dialog";
import { AddTagsDialog, EditDialog } from "./edit_dialog";
import { changeLibraryFilter, isNarrowed, STATUS_FILTERS, useLibraryFilter } from "./library_filter";
import { LibraryToolbar } from "./library_toolbar";
import { useLibraryWords } from "./library_words";
import { NoVideos } from "./no_videos";
import { usePipelines } from "./pipelines";
import { SelectionBar } from "./selection_bar";
import { PROCESSING_STATUSES } from "./statuses";
import { FINISHED_STATUSES, moveToTrash } from "./trash_actions";
import { UploadRows } from "./upload_rows";
import { useCardKeys } from "./use_card_keys";
import { VideoCard } from "./video_card";
import { useVideoWords } from "./words";

const CARD_MIN_PX = 250;
const CARD_TEXT_PX = 68;

type Opened =
  | { what: "edit"; video: VideoAnswer }
  | { what: "delete"; video: VideoAnswer }
  | { what: "tags"; videos: VideoAnswer[] }
  | { what: "add"; ids: string[] }
  | { what: "move"; ids: string[] };

export function LibraryView({ teams }: { teams: TeamItemAnswer[] }) {
  const words = useVideoWords();
  const library = useLibraryWords();
  const filter = useLibraryFilter();
  const hasTeams = teams.some(isEditable);
  const teamName = (video: VideoAnswer) =>
    video.isOfTeam ? (teams.find((item) => item.team_id === video.teamId)?.name ?? null) : null;
  const [opened, setOpened] = useState<Opened | null>(null);
  const key = JSON.stringify(filter);
  const list = usePagedList<VideoAnswer>(`videos ${key}`, async (cursor, signal) => {
    const query = { ...filter, limit: 50, cursor, status: STATUS_FILTERS[filter.status] };
    const answer = await get<VideosAnswer>("/videos", { query, signal });
    return { rows: answer.videos, next: answer.nextCursor };
  });
  useLive(videoStream, {
    message: ({ type, data }) => {
      if (type === "video.owner_changed") list.reload();
      if (type !== "video.status") return; // Progress messages only concern the pipeline steps.
      // Updates the card right away, because a long list is not reloaded.
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
  const ids = list.rows.map((item) => item.videoId);
  const selection = useSelection(key, ids);
  const selected = list.rows.filter((item) => selection.ids.has(item.videoId));
  const isAll = selected.length === list.rows.length;

  const trash = async (videos: VideoAnswer[]) => {
    if (videos.length === 0) return;
    if (videos.some((item) => !FINISHED_STATUSES.includes(item.status))) return notify(library.notFinished);
    const gone = new Set(videos.map((item) => item.videoId));
    if (await moveToTrash([...gone], library, list.reload)) {
      // A long list is not reloaded.
      list.set((rows) => rows.filter((row) => !gone.has(row.videoId)));
      selection.clear();
    }
  };
  const removeFrom = async (videos: VideoAnswer[]) => {
    try {
      const body = { remove: videos.map((item) => item.videoId) };
      await post(`/api/collections/${filter.collection}/videos`, { body });
      notify(library.removedFrom(videos.length));
      selection.clear();
      list.reload();
    } catch (error) {
      notifyError(error);
    }
  };
  const deleteNow = (video: VideoAnswer) =>
    remove(`/videos/${video.videoId}`).then(() => {
      notify(library.deleted);
      list.reload();
    }, notifyError);
  const current = useCardKeys({
    ids,
    selection,
    address: (id) => `/ui/videos/${id}`,
    more: [{ keys: "Delete", help: library.keyTrash, run: () => void trash(selected) }],
  });
  const isInCollection = filter.collection !== "";
  const close = () => setOpened(null);
  return (
    <>
      <UploadRows finished={list.reload} />
      <LibraryToolbar filter={filter} teams={teams} />
      {selected.length > 0 && (
        <SelectionBar
          selected={selected}
          isAll={isAll}
          toggleAll={() => selection.set(isAll ? [] : ids)}
          addTo={() => setOpened({ what: "add", ids: selected.map((item) => item.videoId) })}
          addTags={() => setOpened({ what: "tags", videos: selected })}
          trash={() => void trash(selected)}
          move={hasTeams ? () => setOpened({ what: "move", ids: selected.map((item) => item.videoId) }) : null}
          removeFrom={isInCollection ? () => void removeFrom(selected) : null}
          clear={selection.clear}
        />
      )}
      {list.error && <ErrorNote error={list.error} retry={list.reload} />}
      {list.rows.length > 0 ? (
        <CardGrid
          items={list.rows}
          itemKey={(row) => row.videoId}
          label={words.list}
          minWidth={CARD_MIN_PX}
          textHeight={CARD_TEXT_PX}
          loadMore={list.loadMore}
          isLoading={list.isLoading}
          current={current}
        >
          {(row) => (
            <VideoCard
              video={row}
              team={teamName(row)}
              steps={pipelines.get(row.videoId)}
              isSelected={selection.ids.has(row.videoId)}
              select={(isRange) => selection.toggle(row.videoId, { isRange })}
              changed={list.reload}
              actions={{
                edit: () => setOpened({ what: "edit", video: row }),
                addTo: () => setOpened({ what: "add", ids: [row.videoId] }),
                move: hasTeams ? () => setOpened({ what: "move", ids: [row.videoId] }) : null,
                trash: () => void trash([row]),
                deleteNow: () => setOpened({ what: "delete", video: row }),
                removeFrom: isInCollection ? () => void removeFrom([row]) : null,
              }}
            />
          )}
        </CardGrid>
      ) : list.isLoading ? (
        <Loading />
      ) : isNarrowed(filter) ? (
        <Empty title={library.noMatch} picture="search">
          <p>{library.noMatchText}</p>
          <Button onClick={() => changeLibraryFilter({ status: "all", q: "", tag: "", team: "" })}>
            {library.clearFilters}
          </Button>
        </Empty>
      ) : (
        <NoVideos isInCollection={isInCollection} made={list.reload} />
      )}
      {opened?.what === "edit" && (
        <EditDialog
          video={opened.video}
          close={close}
          saved={(video) => list.set((rows) => rows.map((row) => (row.videoId === video.videoId ? video : row)))}
        />
      )}
      {opened?.what === "tags" && <AddTagsDialog videos={opened.videos} close={close} saved={list.reload} />}
      {opened?.what === "add" && <AddToCollection ids={opened.ids} close={close} done={selection.clear} />}
      {opened?.what === "move" && (
        <MoveToTeam
          ids={opened.ids}
          teams={teams.filter(isEditable)}
          close={close}
          done={() => {
            selection.clear();
            list.reload();
          }}
        />
      )}
      {opened?.what === "delete" && (
        <Confirm
          title={library.deleteNowAsk}
          text={library.deleteNowText(opened.video.name)}
          action={library.deleteNow}
          run={() => void deleteNow(opened.video)}
          close={close}
        />
      )}
    </>
  );
}
