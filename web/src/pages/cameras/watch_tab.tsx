// A camera to watch: live or recorded, with its day and the events of that day.

import type { WatchedCameraAnswer } from "../../api/types";
import { CameraView } from "./camera_view";
import { DayBar } from "./day_bar";
import { DayEvents } from "./day_events";
import { DaySummary } from "./day_summary";
import { DayTimeline } from "./day_timeline";
import { useWatching } from "./watching";

export function WatchTab({ camera }: { camera: WatchedCameraAnswer }) {
  const watching = useWatching(camera.camera_id);
  const { day } = watching;
  return (
    <div class="watch-columns">
      <div class="watch">
        <CameraView camera={camera} watching={watching} />
        <DayBar day={day} />
        <DayTimeline view={day.view} data={day.data.value} now={watching.now} seek={watching.seek} />
        <DaySummary day={day} source={camera.source} />
      </div>
      <DayEvents cameraId={camera.camera_id} watching={watching} />
    </div>
  );
}
