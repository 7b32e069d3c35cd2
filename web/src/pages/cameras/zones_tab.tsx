// The zones, masks and lines of a camera: drawn on its picture, listed, changed and removed.

import { useState } from "preact/hooks";
import { remove } from "../../api/client";
import type { WholeCameraAnswer, ZoneAnswer } from "../../api/types";
import { Badge, Button } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { notify, notifyError } from "../../ui/toasts";
import { LearnedMask, LearnedMaskSwitch, useLearnedMotion } from "./learned_mask";
import { cameraPath } from "./live_picture";
import { ShapeCanvas } from "./shape_canvas";
import { changeDraft, type DraftChange, draftOf, newDraft, type ShapeDraft } from "./shape_draft";
import type { Shape } from "./shape_drawing";
import type { Point } from "./shape_points";
import { ZoneForm } from "./zone_form";
import { ZonePicture } from "./zone_picture";
import { newValues, type ShapeKind, valuesOf, type ZoneValues } from "./zone_values";
import { useZoneWords } from "./zone_words";

interface Props {
  camera: WholeCameraAnswer;
  /** The API has other zones now. */
  changed: () => void;
}

/** What is being drawn: a zone that is there, or a new one. */
interface Drawn {
  zone: ZoneAnswer | null;
  values: ZoneValues;
  draft: ShapeDraft;
}

const pointsOf = (zone: ZoneAnswer): Point[] => zone.polygon.map(([x = 0, y = 0]) => [x, y] as const);
const shapeOf = (zone: ZoneAnswer): Shape => ({
  id: zone.zone_id,
  name: zone.name,
  kind: zone.kind,
  points: pointsOf(zone),
  direction: zone.direction,
});

export function ZonesTab({ camera, changed }: Props) {
  const words = useZoneWords();
  const { zones } = camera;
  const path = cameraPath(camera.camera_id);
  const [aspect, setAspect] = useState((camera.state?.width ?? 16) / (camera.state?.height ?? 9));
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const learned = useLearnedMotion(camera);
  const [removing, setRemoving] = useState<ZoneAnswer | null>(null);
  const change = (step: DraftChange) => setDrawn((old) => old && { ...old, draft: changeDraft(old.draft, step) });
  const start = (kind: ShapeKind) =>
    setDrawn({ zone: null, values: newValues(kind), draft: newDraft(kind === "line") });
  const edit = (zone: ZoneAnswer) =>
    setDrawn({ zone, values: valuesOf(zone), draft: draftOf(pointsOf(zone), zone.kind === "line") });
  const done = () => {
    setDrawn(null);
    changed();
  };
  return (
    <div class="zones">
      <ShapeCanvas
        picture={
          <>
            <ZonePicture camera={camera} sized={setAspect} />
            <LearnedMask {...learned} />
          </>
        }
        aspect={aspect}
        shapes={zones.filter((zone) => zone.zone_id !== drawn?.zone?.zone_id).map(shapeOf)}
        draft={drawn?.draft ?? null}
        draftKind={drawn?.values.kind ?? ""}
        draftDirection={drawn?.values.direction ?? null}
        change={change}
        cancel={() => setDrawn(null)}
      />
      <div class="zones-side">
        <LearnedMaskSwitch learned={learned} mayChange={camera.may_change} />
        {drawn === null ? (
          <>
            {camera.may_change && (
              <div class="line">
                <Button icon="add" kind="primary" onClick={() => start("entry")}>
                  {words.addZone}
                </Button>
                <Button icon="add" onClick={() => start("mask")}>
                  {words.addMask}
                </Button>
                <Button icon="add" onClick={() => start("line")}>
                  {words.addLine}
                </Button>
              </div>
            )}
            {zones.length === 0 && <p class="soft">{words.none}</p>}
            <ul class="zone-list" aria-label={words.zones}>
              {zones.map((zone) => (
                <li key={zone.zone_id} class={`zone ${zone.kind}`}>
                  <span class="zone-color" />
                  <strong>{zone.name}</strong>
                  <Badge>{words[zone.kind as ShapeKind] ?? zone.kind}</Badge>
                  {camera.may_change && (
                    <>
                      <Button icon="pencil" kind="quiet" iconOnly onClick={() => edit(zone)}>
                        {words.edit(zone.name)}
                      </Button>
                      <Button icon="trash" kind="quiet" iconOnly onClick={() => setRemoving(zone)}>
                        {words.remove(zone.name)}
                      </Button>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </>
        ) : (
          <ZoneForm
            key={drawn.zone?.zone_id ?? "new"}
            cameraId={camera.camera_id}
            zone={drawn.zone}
            values={drawn.values}
            setValues={(values) => setDrawn({ ...drawn, values })}
            draft={drawn.draft}
            change={change}
            saved={done}
            cancel={() => setDrawn(null)}
          />
        )}
      </div>
      {removing !== null && (
        <Confirm
          title={words.removeTitle(removing.name)}
          text={words.removeText}
          action={words.removeNow}
          close={() => setRemoving(null)}
          run={() => {
            remove(`${path}/zones/${removing.zone_id}`).then(() => {
              notify(words.removed);
              changed();
            }, notifyError);
          }}
        />
      )}
    </div>
  );
}
