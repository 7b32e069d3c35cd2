// Where a camera has learned to ignore motion, since something there moves all the time: trees, flags, the time in the picture.

import { useState } from "preact/hooks";
import { get, remove } from "../../api/client";
import type { MotionAnswer, WholeCameraAnswer } from "../../api/types";
import { type Data, useData } from "../../api/use_data";
import { percent } from "../../core/format";
import { Ago, Button } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { Check } from "./check";
import { cameraPath } from "./live_picture";
import { useZoneWords } from "./zone_words";

/** What was learned is stored every two minutes. */
const REFRESH_MS = 60_000;

export interface LearnedMotion {
  /** Null: nothing has been learned, or the camera has no motion gate. */
  motion: MotionAnswer | null;
  isShown: boolean;
  show: (isShown: boolean) => void;
  forget: () => void;
}

export function useLearnedMotion(camera: WholeCameraAnswer): LearnedMotion {
  const words = useZoneWords();
  const path = `${cameraPath(camera.camera_id)}/motion`;
  const [isShown, show] = useState(false);
  const data: Data<MotionAnswer | null> = useData(
    camera.source === null ? null : path,
    (signal) => get<MotionAnswer | null>(`${path}?or_null=true`, { signal }),
    { every: REFRESH_MS },
  );
  const forget = () =>
    void remove(path).then(() => {
      notify(words.forgotten);
      data.set(() => null);
    }, notifyError);
  return { motion: data.value ?? null, isShown, show, forget };
}

/** Over the picture. */
export function LearnedMask({ motion, isShown }: LearnedMotion) {
  const words = useZoneWords();
  if (motion === null || !isShown) return null;
  return <img class="learned-mask" src={motion.picture} alt={words.ignored(percent(motion.share))} />;
}

/** Beside the picture: the switch, how much is ignored, and a new start. */
export function LearnedMaskSwitch({ learned, mayChange }: { learned: LearnedMotion; mayChange: boolean }) {
  const words = useZoneWords();
  const { motion, isShown, show, forget } = learned;
  if (motion === null) return null;
  return (
    <div class="learned">
      <Check label={words.showIgnored} hint={words.showIgnoredHint} isOn={isShown} change={show} />
      {isShown && (
        <p class="line soft">
          <span>
            {words.ignored(percent(motion.share))} · <Ago at={motion.learned_at} />
          </span>
          {mayChange && <Button onClick={forget}>{words.forget}</Button>}
        </p>
      )}
    </div>
  );
}
