// Which camera a video is treated as a recording of: its zones and rules apply, and what is found becomes its events.

import { get } from "../../api/client";
import type { CamerasAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { useObjectWords } from "./object_words";

const MAX_CAMERAS = 200;

export function CameraChoice({ value, choose }: { value: string; choose: (cameraId: string) => void }) {
  const words = useObjectWords();
  const data = useData("cameras of objects", (signal) =>
    get<CamerasAnswer>("/api/cameras", { query: { limit: MAX_CAMERAS }, signal }),
  );
  const cameras = data.value?.cameras ?? [];
  if (cameras.length === 0) return null;
  return (
    <label class="line camera-choice">
      {words.treatAs}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{words.noCamera}</option>
        {cameras.map((camera) => (
          <option key={camera.camera_id} value={camera.camera_id}>
            {camera.name}
          </option>
        ))}
      </select>
    </label>
  );
}
