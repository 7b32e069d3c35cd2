// Zones of a camera: drawn on its last image, listed, added and removed.

import { useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { CameraAnswer, DetectionsAnswer, NewZone, WholeCameraAnswer, ZoneAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { Badge, Button, ErrorNote, Loading } from "../../ui/basics";
import { Confirm, Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { notify, notifyError } from "../../ui/toasts";
import { useCameraWords } from "./camera_words";

const KINDS = ["entry", "restricted", "public", "other"] as const;
const FIRST_CORNERS = "0.1,0.5 0.6,0.5 0.6,1 0.1,1";

/** Parses corners typed as text; null if the text is invalid. */
export function parseCorners(text: string): [number, number][] | null {
  const corners = text
    .trim()
    .split(/\s+/)
    .map((corner) => corner.split(",").map(Number));
  const isGood = corners.every((item) => item.length === 2 && item.every((value) => value >= 0 && value <= 1));
  return isGood ? (corners as [number, number][]) : null;
}

export function CameraZones({ camera, close }: { camera: CameraAnswer; close: () => void }) {
  const words = useCameraWords();
  const path = `/api/cameras/${encodeURIComponent(camera.camera_id)}`;
  const data = useData(path, (signal) => get<WholeCameraAnswer>(path, { signal }));
  const last = useData(`seen by ${camera.camera_id}`, (signal) =>
    get<DetectionsAnswer>("/api/detections", { query: { camera_id: camera.camera_id, limit: 1 }, signal }),
  );
  const [removing, setRemoving] = useState<ZoneAnswer | null>(null);
  const [name, setName] = useState("");
  const [kind, setKind] = useState<NewZone["kind"]>("entry");
  const [text, setText] = useState(FIRST_CORNERS);
  const corners = parseCorners(text);
  const form = useForm(["name", "kind", "polygon"], async () => {
    await post(`${path}/zones`, { body: { name, kind, polygon: corners } });
    notify(words.zoneAdded(name));
    setName("");
    data.reload();
  });
  const zones = data.value?.zones ?? [];
  return (
    <Dialog title={words.zonesOf(camera.name)} close={close}>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {data.value === undefined && data.isLoading && <Loading />}
      {data.value !== undefined && zones.length === 0 && <p class="soft">{words.noZones}</p>}
      <Outline
        zones={zones}
        next={name === "" ? null : corners}
        picture={last.value?.detections[0]?.image_url ?? null}
      />
      <ul class="zone-list">
        {zones.map((zone) => (
          <li key={zone.zone_id} class="line">
            <strong>{zone.name}</strong>
            <Badge>{words[zone.kind as NewZone["kind"]]}</Badge>
            <Button icon="trash" kind="quiet" iconOnly onClick={() => setRemoving(zone)}>
              {words.removeZone(zone.name)}
            </Button>
          </li>
        ))}
      </ul>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        <FormField label={words.zoneName} error={form.errorOf("name")}>
          {(attributes) => (
            <input
              {...attributes}
              required
              maxLength={100}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </FormField>
        <FormField label={words.kind} error={form.errorOf("kind")}>
          {(attributes) => (
            <select
              {...attributes}
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value as NewZone["kind"])}
            >
              {KINDS.map((item) => (
                <option key={item} value={item}>
                  {words[item]}
                </option>
              ))}
            </select>
          )}
        </FormField>
        <FormField
          label={words.corners}
          hint={words.cornersHint}
          error={form.errorOf("polygon") ?? (corners === null ? words.badCorners : undefined)}
        >
          {(attributes) => (
            <input {...attributes} required value={text} onInput={(event) => setText(event.currentTarget.value)} />
          )}
        </FormField>
        <div class="actions">
          <Button type="submit" kind="primary" disabled={form.isSending || corners === null}>
            {words.addZone}
          </Button>
        </div>
      </form>
      {removing !== null && (
        <Confirm
          title={words.removeZone(removing.name)}
          text={words.removeZoneText}
          action={words.remove}
          close={() => setRemoving(null)}
          run={() => {
            remove(`${path}/zones/${removing.zone_id}`).then(() => {
              notify(words.removed);
              data.reload();
            }, notifyError);
          }}
        />
      )}
    </Dialog>
  );
}

interface OutlineProps {
  zones: ZoneAnswer[];
  next: [number, number][] | null;
  picture: string | null;
}

/** Zones are fractions of width and height, so they fit an image of any shape. */
function Outline({ zones, next, picture }: OutlineProps) {
  const points = (polygon: number[][]) => polygon.map(([x = 0, y = 0]) => `${x * 160},${y * 90}`).join(" ");
  return (
    <div class="zone-outline" aria-hidden="true">
      {picture !== null && <img src={picture} alt="" />}
      <svg viewBox="0 0 160 90">
        {zones.map((zone) => (
          <polygon key={zone.zone_id} class={zone.kind} points={points(zone.polygon)} />
        ))}
        {next !== null && <polygon class="next" points={points(next)} />}
      </svg>
    </div>
  );
}
