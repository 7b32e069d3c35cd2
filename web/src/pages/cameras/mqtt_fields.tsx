// A camera whose events come over MQTT: of Frigate, or of a sensor of Home Assistant.

import { Choices } from "../../ui/basics";
import { FormField } from "../../ui/form";
import { CredentialFields } from "./credential_fields";
import { type FieldsProps, sourceError } from "./field_props";
import { FRIGATE_TOPIC, isFrigate, type MqttParts, mqttAddress, readMqtt } from "./mqtt_address";
import { useOtherSourceWords } from "./other_source_words";

type Sender = "frigate" | "sensor";

export function MqttFields(props: FieldsProps) {
  const words = useOtherSourceWords();
  const { values, change, form } = props;
  const parts = readMqtt(values.address);
  const sender: Sender = isFrigate(parts) ? "frigate" : "sensor";
  const put = (part: Partial<MqttParts>) => change({ address: mqttAddress({ ...parts, ...part }) });
  const putMore = (name: string, value: string) => {
    const { [name]: _, ...others } = parts.more;
    // The parameter tells a camera of Frigate from a sensor: it stays, though it is empty.
    put({ more: value === "" && name !== "camera" ? others : { ...others, [name]: value } });
  };
  const input = (
    label: string,
    value: string,
    set: (to: string) => void,
    more: { hint?: string; required?: boolean },
  ) => (
    <FormField label={label} hint={more.hint}>
      {(attributes) => (
        <input
          {...attributes}
          autocomplete="off"
          spellcheck={false}
          required={more.required ?? false}
          maxLength={500}
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
  return (
    <>
      <div class="field">
        <span class="label">{words.mqttFrom}</span>
        <Choices<Sender>
          label={words.mqttFrom}
          value={sender}
          options={[
            { value: "frigate", label: "Frigate" },
            { value: "sensor", label: words.sensor },
          ]}
          choose={(to) =>
            put(to === "frigate" ? { topic: FRIGATE_TOPIC, more: { camera: "" } } : { topic: "", more: {} })
          }
        />
      </div>
      <FormField label={words.broker} hint={words.brokerHint} error={sourceError(form, "address")}>
        {(attributes) => (
          <input
            {...attributes}
            autocomplete="off"
            spellcheck={false}
            required
            maxLength={300}
            value={parts.broker}
            onInput={(event) => put({ broker: event.currentTarget.value })}
          />
        )}
      </FormField>
      <div class="form-pair">
        {input(words.topic, parts.topic, (topic) => put({ topic }), {
          hint: sender === "frigate" ? words.frigateTopicHint : words.sensorTopicHint,
          required: true,
        })}
        {sender === "frigate"
          ? input(words.frigateCamera, parts.more.camera ?? "", (to) => putMore("camera", to), {
              hint: words.frigateCameraHint,
              required: true,
            })
          : input(words.label, parts.more.label ?? "", (to) => putMore("label", to), { hint: words.labelHint })}
      </div>
      <CredentialFields {...props} />
      <label class="check">
        <input
          type="checkbox"
          checked={parts.isTls}
          onChange={(event) => put({ isTls: event.currentTarget.checked })}
        />
        {words.tls}
      </label>
    </>
  );
}
