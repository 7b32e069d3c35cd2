// The cameras tab: list, new cameras, and the zones of each.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { CameraAnswer, CamerasAnswer } from "../../api/types";
import type { Data } from "../../api/use_data";
import { ROOT } from "../../core/addresses";
import { Link } from "../../core/router";
import { Button, Empty, ErrorNote, Loading } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { localTimeZone, TimeZoneInput } from "../../ui/time_zone_input";
import { notify } from "../../ui/toasts";
import { useCameraWords } from "./camera_words";
import { CameraZones } from "./camera_zones";

export function CamerasTab({ cameras }: { cameras: Data<CamerasAnswer> }) {
  const words = useCameraWords();
  const [isAdding, setIsAdding] = useState(false);
  const [zonesCamera, setZonesCamera] = useState<CameraAnswer | null>(null);
  const list = cameras.value?.cameras;
  return (
    <>
      <p class="tab-actions">
        <Button icon="camera" kind="primary" onClick={() => setIsAdding(true)}>
          {words.add}
        </Button>
      </p>
      {cameras.error && <ErrorNote error={cameras.error} retry={cameras.reload} />}
      {list === undefined && cameras.isLoading && <Loading />}
      {list?.length === 0 && (
        <Empty title={words.none} icon="camera">
          <p>{words.noneText}</p>
        </Empty>
      )}
      {list !== undefined && list.length > 0 && (
        <ul class="card-list" aria-label={words.list}>
          {list.map((camera) => (
            <li key={camera.camera_id} class="card">
              <div>
                <strong>{camera.name}</strong>
                <span class="soft">
                  <code>{camera.camera_id}</code> · {camera.zone}
                </span>
              </div>
              <span class="line">
                <Link class="button" to={`${ROOT}/events?state=all&camera=${encodeURIComponent(camera.camera_id)}`}>
                  {words.events}
                </Link>
                <Button onClick={() => setZonesCamera(camera)}>{words.zones}</Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {cameras.value?.next_cursor && <p class="soft">{words.more}</p>}
      <HowTo camera={list?.[0]?.camera_id ?? "front_door"} />
      {isAdding && <NewCamera close={() => setIsAdding(false)} added={cameras.reload} />}
      {zonesCamera !== null && <CameraZones camera={zonesCamera} close={() => setZonesCamera(null)} />}
    </>
  );
}

function NewCamera({ close, added }: { close: () => void; added: () => void }) {
  const words = useCameraWords();
  const [name, setName] = useState("");
  const [zone, setZone] = useState(localTimeZone);
  const form = useForm(["name", "zone"], async () => {
    const made = await post<CameraAnswer>("/api/cameras", { body: { name, zone } });
    notify(words.added(made.camera_id));
    added();
    close();
  });
  return (
    <Dialog title={words.add} close={close}>
      <form class="stack" onSubmit={form.submit}>
        {form.note}
        <FormField label={words.name} hint={words.nameHint} error={form.errorOf("name")}>
          {(attributes) => (
            <input
              {...attributes}
              autofocus
              required
              maxLength={100}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </FormField>
        <FormField label={words.zone} hint={words.zoneHint} error={form.errorOf("zone")}>
          {(attributes) => <TimeZoneInput {...attributes} value={zone} change={setZone} />}
        </FormField>
        <div class="actions">
          <Button type="submit" kind="primary" disabled={form.isSending}>
            {words.add}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function HowTo({ camera }: { camera: string }) {
  const words = useCameraWords();
  const body = JSON.stringify({
    camera_id: camera,
    object_type: "person",
    confidence: 0.93,
    bbox: [0.4, 0.3, 0.15, 0.5],
  });
  return (
    <details class="how-to">
      <summary>{words.howTo}</summary>
      <pre>{`curl -X POST ${location.origin}/api/detections -H 'content-type: application/json' \\\n  -d '${body}'`}</pre>
    </details>
  );
}
