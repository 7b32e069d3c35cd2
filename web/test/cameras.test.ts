import "./browser";
import { deepEqual, equal, throws } from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../src/api/client";
import { type LastEvent, newestByCamera } from "../src/pages/cameras/last_events";
import { isFrigate, mqttAddress, NEW_MQTT_ADDRESS, readMqtt } from "../src/pages/cameras/mqtt_address";
import { PartReader } from "../src/pages/cameras/part_reader";
import { hostName, kindOf, takeCredentials } from "../src/pages/cameras/source_address";
import { MAX_STREAMS, modeOf } from "../src/pages/cameras/stream_budget";
import { errorTexts } from "../src/ui/error_text";
import { errorsByField } from "../src/ui/form";

const bytes = (text: string) => new TextEncoder().encode(text);
const part = (body: string) =>
  `--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ${body.length}\r\n\r\n${body}\r\n`;

test("pictures are read from a stream however it is cut into pieces", () => {
  const whole = bytes(part("first\r\n\r\none") + part("second"));
  for (const size of [1, 7, whole.length]) {
    const reader = new PartReader();
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size)
      for (const picture of reader.push(whole.slice(at, at + size))) found.push(new TextDecoder().decode(picture));
    deepEqual(found, ["first\r\n\r\none", "second"]);
  }
});

test("a page that is no stream of pictures is refused", () => {
  throws(() => new PartReader().push(bytes("<html>\r\n\r\n")));
  throws(() => new PartReader().push(new Uint8Array(10_000)));
});

test("streams leave connections for the rest of the page", () => {
  equal(modeOf(MAX_STREAMS, false), "stream");
  equal(modeOf(MAX_STREAMS + 1, false), "stills");
  equal(modeOf(MAX_STREAMS + 1, true), "stream");
});

test("the kind of a camera's address is told by its path", () => {
  equal(kindOf("rtsp://10.0.0.2/snapshot.jpg"), "stream");
  equal(kindOf("http://10.0.0.2/cgi-bin/snapshot.cgi"), "snapshot");
  equal(kindOf("http://10.0.0.2/axis-cgi/mjpg/video.cgi"), "mjpeg");
  equal(kindOf("https://cam.example/live.m3u8"), "stream");
  equal(kindOf("no address"), "stream");
});

test("a name is proposed by the host", () => {
  equal(hostName("rtsp://frontdoor.lan:554/1"), "frontdoor");
  equal(hostName("rtsp://192.168.1.20/1"), "192.168.1.20");
  equal(hostName("rtsp://"), "");
});

test("user name and password leave an address that was pasted with them", () => {
  deepEqual(takeCredentials("rtsp://me:s%40p:x@host/1"), {
    address: "rtsp://host/1",
    username: "me",
    password: "s@p:x",
  });
  deepEqual(takeCredentials("rtsp://me:100%@host"), { address: "rtsp://host", username: "me", password: "100%" });
  equal(takeCredentials("rtsp://host/user@1"), null);
});

test("each camera shows its newest event", () => {
  const event = (id: number, camera_id: string, started_at: string) => ({ id, camera_id, started_at }) as LastEvent;
  const newest = newestByCamera([
    event(1, "a", "2026-01-01"),
    event(2, "a", "2026-01-02"),
    event(3, "b", "2026-01-01"),
  ]);
  deepEqual([newest.get("a")?.id, newest.get("b")?.id], [2, 3]);
});

const english = errorTexts("en", {} as never, {} as never);

test("an error of the whole body is shown at the field that it names", () => {
  const error = (field: string, message: string) =>
    new ApiError(422, "VALIDATION_ERROR", "", { errors: [{ field, message }] });
  deepEqual(errorsByField(error("body", "polygon: it is too small"), [], english), { polygon: "it is too small" });
  deepEqual(errorsByField(error("body", "it is too small"), [], english), { body: "it is too small" });
  deepEqual(errorsByField(error("name", "note: too long"), [], english), { name: "note: too long" });
});

test("the address of an MQTT camera is taken apart and put together without a loss", () => {
  for (const address of [
    "mqtt://192.168.1.5/frigate/events?camera=yard&width=640&height=480",
    "mqtts://broker.lan:8883/zigbee2mqtt/porch?label=person",
    "mqtt://192.168.1.5/homeassistant/binary_sensor/porch/state",
    NEW_MQTT_ADDRESS,
  ])
    equal(mqttAddress(readMqtt(address)), address);
  deepEqual(readMqtt("mqtts://b:1/a%20b/c%3Fd?label=x"), {
    isTls: true,
    broker: "b:1",
    topic: "a b/c?d",
    more: { label: "x" },
  });
  equal(mqttAddress({ isTls: false, broker: " b ", topic: "a b/c?d", more: {} }), "mqtt://b/a%20b/c%3Fd");
  equal(isFrigate(readMqtt(NEW_MQTT_ADDRESS)), true);
  equal(isFrigate(readMqtt("mqtt://b/frigate/events")), true);
  equal(isFrigate(readMqtt("mqtt://b/zigbee2mqtt/porch")), false);
  // While it is typed, half an address is no error.
  equal(readMqtt("").topic, "");
});
