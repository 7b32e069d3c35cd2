// Snooze of a camera: its events alert the reader no more until a moment. They are created and recorded all the same.

import { get, patch } from "../../api/client";
import type { CameraSnoozeAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { notify, notifyError } from "../../ui/toasts";
import { SnoozeMenu } from "../events/snooze";
import { cameraPath } from "./live_picture";
import { useViewWords } from "./view_words";

export function CameraSnooze({ cameraId, name }: { cameraId: string; name: string }) {
  const words = useViewWords();
  const path = `${cameraPath(cameraId)}/snooze`;
  const data = useData(path, (signal) => get<CameraSnoozeAnswer>(path, { signal }));
  if (data.value === undefined) return null;
  const snooze = (until: string | null) =>
    void patch<CameraSnoozeAnswer>(path, { body: { until } }).then((now) => {
      data.set(() => now);
      notify(until === null ? words.snoozeEnded(name) : words.didSnooze(name));
    }, notifyError);
  return <SnoozeMenu label={words.snooze} until={data.value.snoozed_until} snooze={snooze} />;
}
