// The address of a camera, with its test, and how it is watched and recorded.

import type { VisionAnswer } from "../../api/types";
import { Choices } from "../../ui/basics";
import { FormField } from "../../ui/form";
import { Check } from "./check";
import { CredentialFields } from "./credential_fields";
import { type FieldsProps, sourceError } from "./field_props";
import { FindCameras } from "./find_cameras";
import { FolderFields } from "./folder_fields";
import { ModelCards, useVision } from "./model_cards";
import { MqttFields } from "./mqtt_fields";
import { kindOf, takeCredentials } from "./source_address";
import { SourceTest } from "./source_test";
import { canRecord, isAddressKind, type RecordMode, type SourceValues } from "./source_values";
import { useSourceWords } from "./source_words";

/** The fields that say how a camera of this kind is reached. */
export function ConnectionFields(props: FieldsProps) {
  const { kind } = props.values;
  if (kind === "folder") return <FolderFields {...props} />;
  if (kind === "mqtt") return <MqttFields {...props} />;
  return <AddressFields {...props} />;
}

function AddressFields(props: FieldsProps) {
  const words = useSourceWords();
  const { values, change, form, cameraId } = props;
  return (
    <>
      <FindCameras values={values} change={change} />
      <FormField label={words.address} hint={words.addressHint} error={sourceError(form, "address")}>
        {(attributes) => (
          <input
            {...attributes}
            type="url"
            inputMode="url"
            autocomplete="off"
            spellcheck={false}
            required
            maxLength={2048}
            value={values.address}
            onInput={(event) => change({ address: event.currentTarget.value })}
            onBlur={() => change(takeCredentials(values.address) ?? {})}
          />
        )}
      </FormField>
      {(values.kind || kindOf(values.address)) === "stream" && <SubAddressField {...props} />}
      <CredentialFields {...props} />
      <SourceTest values={values} cameraId={cameraId} />
    </>
  );
}

/** User name and password of the main stream are used for it too. */
function SubAddressField({ values, change, form }: FieldsProps) {
  const words = useSourceWords();
  return (
    <FormField label={words.subAddress} hint={words.subAddressHint} error={sourceError(form, "sub_address")}>
      {(attributes) => (
        <input
          {...attributes}
          type="url"
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
          maxLength={2048}
          value={values.subAddress}
          onInput={(event) => change({ subAddress: event.currentTarget.value })}
          onBlur={() => change({ subAddress: takeCredentials(values.subAddress)?.address ?? values.subAddress })}
        />
      )}
    </FormField>
  );
}

const MODES: readonly RecordMode[] = ["off", "events", "continuous"];

export function WatchFields(props: FieldsProps) {
  const { values } = props;
  return (
    <>
      {canRecord(values.kind) && <RecordFields {...props} />}
      {/* Frigate and sensors have detected already. */}
      {values.kind !== "mqtt" && <DetectsField {...props} />}
    </>
  );
}

function RecordFields({ values, change, form }: FieldsProps) {
  const words = useSourceWords();
  const labels = { off: words.recordOff, events: words.recordEvents, continuous: words.recordContinuous };
  const hints = { off: words.recordOffHint, events: words.recordEventsHint, continuous: words.recordContinuousHint };
  return (
    <>
      <div class="field">
        <span class="label">{words.record}</span>
        <Choices<RecordMode>
          label={words.record}
          value={values.recordMode}
          options={MODES.map((value) => ({ value, label: labels[value] }))}
          choose={(recordMode) => change({ recordMode })}
        />
        <small>{hints[values.recordMode]}</small>
      </div>
      {values.recordMode !== "off" && (
        <FormField label={words.recordDays} error={sourceError(form, "record_days")}>
          {(attributes) => (
            <input
              {...attributes}
              class="short"
              type="number"
              min={1}
              max={3650}
              required
              value={values.recordDays}
              onInput={(event) => change({ recordDays: event.currentTarget.value })}
            />
          )}
        </FormField>
      )}
    </>
  );
}

/** Offered where the models are installed; otherwise one line how to add them, and movement alone. */
function DetectsField({ values, change }: Pick<FieldsProps, "values" | "change">) {
  const words = useSourceWords();
  const vision = useVision();
  if (vision === undefined) return null;
  if (vision.installed) {
    return (
      <>
        <Check
          label={words.detects}
          hint={words.detectsHint}
          isOn={values.detects}
          change={(detects) => change({ detects })}
        />
        <ModelCards vision={vision} />
        {values.detects && (
          <Check
            label={words.onlyInZones}
            hint={words.onlyInZonesHint}
            isOn={values.onlyInZones}
            change={(onlyInZones) => change({ onlyInZones })}
          />
        )}
      </>
    );
  }
  return (
    <>
      <p class="soft">
        {words.noVision} <code>{commandOf(vision)}</code>
      </p>
      <Check
        label={words.motion}
        hint={words.motionHint}
        isOn={values.reportsMotion}
        change={(reportsMotion) => change({ reportsMotion })}
      />
    </>
  );
}

/** The command of the line that says how to install the models. */
const commandOf = ({ how_to_install: line }: VisionAnswer): string => /`(.+)`/.exec(line ?? "")?.[1] ?? line ?? "";

export function MoreFields({ values, change, form }: FieldsProps) {
  const words = useSourceWords();
  if (!isAddressKind(values.kind)) return null;
  const kinds = { stream: words.kindStream, mjpeg: words.kindMjpeg, snapshot: words.kindSnapshot };
  return (
    <details class="more-fields">
      <summary>{words.more}</summary>
      <div class="stack">
        <div class="form-pair">
          <FormField label={words.kind} error={sourceError(form, "kind")}>
            {(attributes) => (
              <select
                {...attributes}
                value={values.kind}
                onChange={(event) => change({ kind: event.currentTarget.value as SourceValues["kind"] })}
              >
                <option value="">
                  {words.kindAuto} ({kinds[kindOf(values.address)]})
                </option>
                {Object.entries(kinds).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </FormField>
          <FormField label={words.transport} error={sourceError(form, "transport")}>
            {(attributes) => (
              <select
                {...attributes}
                value={values.transport}
                onChange={(event) => change({ transport: event.currentTarget.value as SourceValues["transport"] })}
              >
                <option value="auto">{words.transportAuto}</option>
                <option value="tcp">TCP</option>
                <option value="udp">UDP</option>
              </select>
            )}
          </FormField>
        </div>
        <FormField label={words.looks} hint={words.looksHint} error={sourceError(form, "looks_per_s")}>
          {(attributes) => (
            <input
              {...attributes}
              class="short"
              type="number"
              min={0.1}
              max={30}
              step={0.1}
              required
              value={values.looksPerS}
              onInput={(event) => change({ looksPerS: event.currentTarget.value })}
            />
          )}
        </FormField>
        <Check
          label={words.verifies}
          hint={words.verifiesHint}
          isOn={values.verifiesCertificate}
          change={(verifiesCertificate) => change({ verifiesCertificate })}
        />
      </div>
    </details>
  );
}
