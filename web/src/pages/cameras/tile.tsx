// One camera on the wall: its picture, name, state and last event.

import { useRef, useState } from "preact/hooks";
import type { WatchedCameraAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { Link } from "../../core/router";
import { useOnScreen } from "../../core/visibility";
import { Ago } from "../../ui/basics";
import { useEventSummary } from "../../ui/event_summary";
import { LevelBadge } from "../events/badges";
import { CameraState, feedOf, stateOf } from "./camera_state";
import type { LastEvent } from "./last_events";
import { LivePicture } from "./live_picture";
import { useFeedMode } from "./stream_budget";
import { useCameraWords } from "./words";

const cameraAddress = (cameraId: string): string => `${addressOf("cameras")}/${encodeURIComponent(cameraId)}`;

export function Tile({ camera, lastEvent }: { camera: WatchedCameraAnswer; lastEvent: LastEvent | undefined }) {
  const words = useCameraWords();
  const summary = useEventSummary();
  const frame = useRef<HTMLLIElement>(null);
  const [isPointed, setIsPointed] = useState(false);
  const state = stateOf(camera);
  const feed = feedOf(camera);
  const isOnScreen = useOnScreen(frame);
  const followMode = useFeedMode(camera.camera_id, isOnScreen && feed === "follow", isPointed);
  return (
    <li
      ref={frame}
      class={`tile ${state}`}
      onPointerEnter={() => setIsPointed(true)}
      onPointerLeave={() => setIsPointed(false)}
      onFocusCapture={() => setIsPointed(true)}
      onBlurCapture={() => setIsPointed(false)}
    >
      <div class="tile-picture">
        <LivePicture
          cameraId={camera.camera_id}
          mode={feed === "still" && isOnScreen ? "still" : followMode}
          feedKey={camera.state?.since ?? ""}
          alt={words.pictureOf(camera.name)}
        />
        <CameraState camera={camera} />
      </div>
      <div class="tile-text">
        <Link class="tile-name" to={cameraAddress(camera.camera_id)}>
          {camera.name}
        </Link>
        {lastEvent !== undefined && (
          <Link class="tile-event" to={`${addressOf("events")}/${lastEvent.id}`} title={summary(lastEvent)}>
            <span class="unseen">
              {words.lastEvent}: {summary(lastEvent)}
            </span>
            <LevelBadge level={lastEvent.risk_level} />
            <Ago at={lastEvent.started_at} />
          </Link>
        )}
      </div>
    </li>
  );
}
