// The address of an MQTT camera in its parts, and put together again. Pure.

export interface MqttParts {
  isTls: boolean;
  /** Host, with a port if it is not the usual one. */
  broker: string;
  topic: string;
  /** Parameters of the address by name, such as camera (Frigate) or label (sensors). */
  more: Record<string, string>;
}

export const FRIGATE_TOPIC = "frigate/events";
/** A new camera of Frigate, whose broker and name are still to be typed. */
export const NEW_MQTT_ADDRESS = `mqtt:///${FRIGATE_TOPIC}?camera=`;

/** As the platform tells them apart. */
export const isFrigate = ({ topic, more }: MqttParts): boolean => "camera" in more || topic === FRIGATE_TOPIC;

export function readMqtt(address: string): MqttParts {
  const [, scheme = "mqtt", broker = "", path = "", query = ""] =
    /^(mqtts?):\/\/([^/?]*)\/?([^?]*)\??(.*)$/is.exec(address.trim()) ?? [];
  return {
    isTls: scheme.toLowerCase() === "mqtts",
    broker,
    topic: path.split("/").map(decodeSegment).join("/"),
    more: Object.fromEntries(new URLSearchParams(query)),
  };
}

export function mqttAddress({ isTls, broker, topic, more }: MqttParts): string {
  const path = topic.split("/").map(encodeURIComponent).join("/");
  const query = new URLSearchParams(more).toString();
  return `${isTls ? "mqtts" : "mqtt"}://${broker.trim()}/${path}${query === "" ? "" : `?${query}`}`;
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A percent sign that was not encoded.
  }
}
