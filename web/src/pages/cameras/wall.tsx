// The wall: every camera with its live picture, and the doors to the first one.

import { useState } from "preact/hooks";
import { get } from "../../api/client";
import type { CamerasAnswer, WatchedCameraAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { setQuery, useLocation } from "../../core/router";
import { Button, ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { AddDialog, type Door } from "./add_dialog";
import { UploadDialog } from "./folder_fields";
import { HowToDialog } from "./how_to_dialog";
import { useLastEvents } from "./last_events";
import { NoCameras } from "./no_cameras";
import { Tile } from "./tile";
import { useCameraWords } from "./words";

const MAX_CAMERAS = 200;
const STATES_EVERY_MS = 5000;

export function Wall() {
  const words = useCameraWords();
  const cameras = useData(
    "cameras",
    (signal) => get<CamerasAnswer>("/api/cameras", { query: { limit: MAX_CAMERAS }, signal }),
    { every: STATES_EVERY_MS },
  );
  // The home page and the palette lead straight to the dialog.
  const isAsked = useLocation().query.has("add");
  const [door, setDoor] = useState<Door | null>(isAsked ? "address" : null);
  /** The camera whose detector is to be set up. */
  const [howTo, setHowTo] = useState<string | null>(null);
  /** The new camera whose uploads are to be set up. */
  const [uploading, setUploading] = useState<WatchedCameraAnswer | null>(null);
  const lastEvents = useLastEvents();
  const list = cameras.value?.cameras;
  return (
    <>
      <PageHeader title={words.title}>
        {list !== undefined && list.length > 0 && (
          <Button icon="add" kind="primary" onClick={() => setDoor("address")}>
            {words.add}
          </Button>
        )}
      </PageHeader>
      {cameras.error && <ErrorNote error={cameras.error} retry={cameras.reload} />}
      {list === undefined && cameras.isLoading && <Loading />}
      {list?.length === 0 && <NoCameras open={setDoor} added={cameras.reload} />}
      {list !== undefined && list.length > 0 && (
        <ul class="wall" aria-label={words.list}>
          {list.map((camera) => (
            <Tile
              key={`${camera.camera_id} ${camera.created_at}`}
              camera={camera}
              lastEvent={lastEvents.get(camera.camera_id)}
            />
          ))}
        </ul>
      )}
      {cameras.value?.next_cursor && <p class="soft">{words.more}</p>}
      {door !== null && (
        <AddDialog
          door={door}
          close={() => {
            setDoor(null);
            setQuery({ add: null });
          }}
          added={(camera, chosen) => {
            if (chosen === "post" && camera !== null) setHowTo(camera.camera_id);
            if (chosen === "folder") setUploading(camera);
            cameras.reload();
          }}
        />
      )}
      {uploading?.upload && (
        <UploadDialog name={uploading.name} upload={uploading.upload} close={() => setUploading(null)} />
      )}
      {howTo !== null && <HowToDialog camera={howTo} close={() => setHowTo(null)} />}
    </>
  );
}
