// A new camera: by its address, with a test picture; one that uploads files or sends events over MQTT; the sample; or one whose detector sends what it sees.

import { useState } from "preact/hooks";
import { post } from "../../api/client";
import type { WatchedCameraAnswer } from "../../api/types";
import { Button, Choices } from "../../ui/basics";
import { Dialog } from "../../ui/dialog";
import { FormField, useForm } from "../../ui/form";
import { localTimeZone, TimeZoneInput } from "../../ui/time_zone_input";
import { notify } from "../../ui/toasts";
import { SOURCE_FIELDS, SOURCE_GUESSES } from "./field_props";
import { NEW_MQTT_ADDRESS, readMqtt } from "./mqtt_address";
import { SampleButton } from "./sample_camera";
import { hostName } from "./source_address";
import { ConnectionFields, MoreFields, WatchFields } from "./source_fields";
import { connectionOf, NEW_SOURCE, type SourceValues, watchBodyOf } from "./source_values";
import { useSourceWords } from "./source_words";
import { useCameraWords } from "./words";

export type Door = "address" | "folder" | "mqtt" | "sample" | "post";

/** What each door begins with: a kind that is set, or found out from the address. */
const BEGINNINGS: Partial<Record<Door, Partial<SourceValues>>> = {
  address: { kind: "", address: "" },
  folder: { kind: "folder", address: "" },
  mqtt: { kind: "mqtt", address: NEW_MQTT_ADDRESS },
};

interface Props {
  door: Door;
  close: () => void;
  /** Without a camera: the sample. */
  added: (camera: WatchedCameraAnswer | null, door: Door) => void;
}

export function AddDialog({ door: firstDoor, close, added }: Props) {
  const words = useSourceWords();
  const [door, setDoor] = useState(firstDoor);
  const [values, setValues] = useState<SourceValues>(NEW_SOURCE);
  const [typedName, setName] = useState<string | null>(null);
  const [zone, setZone] = useState(localTimeZone);
  const hasSource = door in BEGINNINGS;
  // Until a name is typed, the address proposes one.
  const name = typedName ?? proposedName(door, values.address, words.proposedName);
  const form = useForm(
    ["name", "zone", ...SOURCE_FIELDS],
    async () => {
      const source = hasSource ? { source: { ...connectionOf(values), ...watchBodyOf(values) } } : {};
      const camera = await post<WatchedCameraAnswer>("/api/cameras", { body: { name, zone, ...source } });
      notify(words.added(camera.name));
      close();
      added(camera, door);
    },
    SOURCE_GUESSES,
  );
  const fields = {
    values,
    form,
    cameraId: null,
    hasPassword: false,
    change: (change: Partial<SourceValues>) => setValues((old) => ({ ...old, ...change })),
  };
  const newCamera = () => (
    <>
      {form.note}
      {hasSource && <ConnectionFields {...fields} />}
      <FormField label={words.name} hint={words.nameHint} error={form.errorOf("name")}>
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
      {hasSource && <WatchFields {...fields} />}
      <FormField label={words.zone} hint={words.zoneHint} error={form.errorOf("zone")}>
        {(attributes) => <TimeZoneInput {...attributes} value={zone} change={setZone} />}
      </FormField>
      {hasSource && <MoreFields {...fields} />}
      <div class="actions">
        <Button type="submit" kind="primary" disabled={form.isSending}>
          {words.add}
        </Button>
      </div>
    </>
  );
  return (
    <Dialog title={words.add} close={close}>
      <form class="stack" onSubmit={form.submit}>
        <Choices<Door>
          label={words.how}
          value={door}
          options={[
            { value: "address", label: words.byAddress },
            { value: "folder", label: words.byFolder },
            { value: "mqtt", label: "MQTT" },
            { value: "sample", label: words.bySample },
            { value: "post", label: words.byPost },
          ]}
          choose={(to) => {
            setDoor(to);
            // The account of one kind of camera is not that of another.
            setValues((old) => ({ ...old, ...BEGINNINGS[to], username: "", password: "" }));
          }}
        />
        {door === "sample" ? <SampleDoor close={close} added={() => added(null, door)} /> : newCamera()}
      </form>
    </Dialog>
  );
}

function SampleDoor({ close, added }: { close: () => void; added: () => void }) {
  const words = useCameraWords();
  return (
    <>
      <p>{words.doorSampleText}</p>
      <div class="actions">
        <SampleButton
          kind="primary"
          added={() => {
            close();
            added();
          }}
        />
      </div>
    </>
  );
}

/** The name of the camera in Frigate, or that of the host. */
function proposedName(door: Door, address: string, ofHost: (host: string) => string): string {
  if (door === "mqtt") return readMqtt(address).more.camera ?? "";
  const host = door === "address" ? hostName(address) : "";
  return host === "" ? "" : ofHost(host);
}
