// The settings of a camera, and its end.

import { useState } from "preact/hooks";
import { patch, remove } from "../../api/client";
import type { SourceBody, WatchedCameraAnswer } from "../../api/types";
import { addressOf } from "../../core/addresses";
import { navigate } from "../../core/router";
import { Button } from "../../ui/basics";
import { Confirm } from "../../ui/dialog";
import { Fact } from "../../ui/fact";
import { FormField, useForm } from "../../ui/form";
import { TimeZoneInput } from "../../ui/time_zone_input";
import { notify, notifyError } from "../../ui/toasts";
import { Check } from "./check";
import { SOURCE_FIELDS, SOURCE_GUESSES } from "./field_props";
import { UploadFacts } from "./folder_fields";
import { cameraPath } from "./live_picture";
import { ConnectionFields, MoreFields, WatchFields } from "./source_fields";
import { connectionOf, isAddressKind, NEW_SOURCE, type SourceValues, valuesOf, watchBodyOf } from "./source_values";
import { useSourceWords } from "./source_words";

export function SettingsTab({ camera, changed }: { camera: WatchedCameraAnswer; changed: () => void }) {
  const words = useSourceWords();
  const { source, state } = camera;
  const [name, setName] = useState(camera.name);
  const [zone, setZone] = useState(camera.zone);
  const [isEnabled, setIsEnabled] = useState(source?.is_enabled ?? true);
  const [values, setValues] = useState<SourceValues>(source === null ? NEW_SOURCE : valuesOf(source));
  const [isDeleting, setIsDeleting] = useState(false);
  const [wantsAddress, setWantsAddress] = useState(false);
  const hasSource = source !== null || wantsAddress;
  const hasAddress = wantsAddress || (source !== null && hasConnection(source.kind));
  const form = useForm(
    ["name", "zone", "is_enabled", ...SOURCE_FIELDS],
    async () => {
      const own = hasSource ? { source: sourceBody(values, hasAddress), is_enabled: isEnabled } : {};
      await patch(cameraPath(camera.camera_id), { body: { name, zone, ...own } });
      notify(words.saved);
      setValues((old) => ({ ...old, password: "" }));
      changed();
    },
    SOURCE_GUESSES,
  );
  const fields = {
    values,
    form,
    cameraId: camera.camera_id,
    hasPassword: source?.has_password ?? false,
    change: (change: Partial<SourceValues>) => setValues((old) => ({ ...old, ...change })),
  };
  return (
    <div class="settings">
      <dl class="fact-list">
        <Fact name={words.id}>
          <code>{camera.camera_id}</code>
        </Fact>
        <Fact name={words.picture}>
          {state?.width &&
            `${state.width} × ${state.height}, ${state.codec ?? ""} ${state.fps ? `${Math.round(state.fps)} fps` : ""}`}
        </Fact>
      </dl>
      {!camera.may_change && <p class="note">{words.notYours}</p>}
      <form onSubmit={form.submit}>
        {form.note}
        <fieldset class="stack" disabled={!camera.may_change}>
          {source !== null && (
            <Check label={words.isEnabled} hint={words.isEnabledHint} isOn={isEnabled} change={setIsEnabled} />
          )}
          <FormField label={words.name} error={form.errorOf("name")}>
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
          <FormField label={words.zone} hint={words.zoneHint} error={form.errorOf("zone")}>
            {(attributes) => <TimeZoneInput {...attributes} value={zone} change={setZone} />}
          </FormField>
          {source === null && (
            <Check
              label={words.wantsAddress}
              hint={words.wantsAddressHint}
              isOn={wantsAddress}
              change={setWantsAddress}
            />
          )}
          {hasAddress && <ConnectionFields {...fields} />}
          {camera.upload !== null && <UploadFacts upload={camera.upload} />}
          {hasSource && <WatchFields {...fields} />}
          {hasAddress && <MoreFields {...fields} />}
          <div class="line">
            <Button type="submit" kind="primary" disabled={form.isSending}>
              {words.save}
            </Button>
            <Button icon="trash" kind="danger" onClick={() => setIsDeleting(true)}>
              {words.delete}
            </Button>
          </div>
        </fieldset>
      </form>
      {isDeleting && (
        <Confirm
          title={words.deleteTitle(camera.name)}
          text={words.deleteText}
          action={words.delete}
          close={() => setIsDeleting(false)}
          run={() => {
            remove(cameraPath(camera.camera_id)).then(() => {
              notify(words.deleted(camera.name));
              navigate(addressOf("cameras"));
            }, notifyError);
          }}
        />
      )}
    </div>
  );
}

/** Kinds whose connection a person types. */
const hasConnection = (kind: SourceValues["kind"]): boolean =>
  isAddressKind(kind) || kind === "folder" || kind === "mqtt";

/** A source without an address, such as the sample, keeps how it is reached. */
function sourceBody(values: SourceValues, hasAddress: boolean): SourceBody {
  return { ...watchBodyOf(values), ...(hasAddress && connectionOf(values)) };
}
