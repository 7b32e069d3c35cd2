// Home page: three doors for newcomers; the latest moments, events and uploads for everybody else.

import { get } from "../../api/client";
import type { CamerasAnswer, EventsAnswer, VideosAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import type { PageProps } from "../../core/addresses";
import { useStore } from "../../core/store";
import { eventStream, useLive, videoStream } from "../../live/streams";
import { ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { uploads } from "../../upload/uploads";
import { Doors } from "./doors";
import { LatestEvents } from "./latest_events";
import { LatestMoments, useLatestMoments } from "./latest_moments";
import { LatestUploads } from "./latest_uploads";
import { useHomeWords } from "./words";

const MAX_CARDS = 6;
export default function HomePage(_: PageProps) {
  const words = useHomeWords();
  const videos = useData("videos", (signal) => get<VideosAnswer>("/videos", { query: { limit: MAX_CARDS }, signal }));
  const events = useData("events", (signal) =>
    get<EventsAnswer>("/api/events", { query: { limit: MAX_CARDS }, signal }),
  );
  const cameras = useData("cameras", (signal) => get<CamerasAnswer>("/api/cameras", { query: { limit: 200 }, signal }));
  const moments = useLatestMoments(videos.value?.videos);
  useLive(videoStream, {
    message: ({ type }) => type === "video.status" && videos.reload(),
    gap: videos.reload,
  });
  useLive(eventStream, { message: events.reload, gap: events.reload });
  const isUploading = useStore(uploads).length > 0;
  const error = videos.error ?? events.error ?? cameras.error;
  const isLoaded = videos.value !== undefined && events.value !== undefined && cameras.value !== undefined;
  const isNew =
    isLoaded &&
    videos.value?.videos.length === 0 &&
    events.value?.events.length === 0 &&
    cameras.value?.cameras.length === 0;
  const nameOf = (id: string) => cameras.value?.cameras.find((camera) => camera.camera_id === id)?.name ?? id;
  return (
    <>
      <PageHeader title={isNew ? words.welcome : words.title} />
      {error && (
        <ErrorNote
          error={error}
          retry={() => {
            videos.reload();
            events.reload();
            cameras.reload();
          }}
        />
      )}
      {!isLoaded && !error && <Loading />}
      {isNew && !isUploading && <Doors isNew made={videos.reload} />}
      {isLoaded && (!isNew || isUploading) && (
        <div class="home-parts">
          <LatestMoments moments={moments} />
          <LatestEvents
            events={events.value?.events ?? []}
            hasCameras={(cameras.value?.cameras.length ?? 0) > 0}
            nameOf={nameOf}
          />
          <LatestUploads videos={videos.value?.videos ?? []} />
          <Doors isNew={false} made={videos.reload} />
        </div>
      )}
    </>
  );
}
