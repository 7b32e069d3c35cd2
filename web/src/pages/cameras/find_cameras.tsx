// Cameras of the local network that answer an ONVIF probe: one click takes the address of a camera's largest stream.

import { useState } from "preact/hooks";
import { ApiError, get, post } from "../../api/client";
import type { DeviceAnswer, DeviceStreamAnswer, DeviceStreamsAnswer, DevicesAnswer } from "../../api/types";
import { Button, ErrorNote } from "../../ui/basics";
import { FormField } from "../../ui/form";
import { useOtherSourceWords } from "./other_source_words";
import { problemText, useProblemWords } from "./problem_words";
import type { SourceValues } from "./source_values";

const PATH = "/api/cameras/discover";

interface Props {
  values: SourceValues;
  change: (change: Partial<SourceValues>) => void;
}

/** Null: no one has looked yet. */
type Found = DeviceAnswer[] | null;

export function FindCameras({ values, change }: Props) {
  const words = useOtherSourceWords();
  const problems = useProblemWords();
  const [found, setFound] = useState<Found>(null);
  const [streams, setStreams] = useState<DeviceStreamAnswer[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const [running, setRunning] = useState<"devices" | "streams" | null>(null);
  const run = async (what: "devices" | "streams", work: () => Promise<void>) => {
    setRunning(what);
    setError(null);
    setStreams([]);
    try {
      await work();
    } catch (failed) {
      const known = failed instanceof ApiError ? failed : new ApiError(0, "UNEXPECTED", String(failed));
      const text = problemText(problems, known.details.reason, known.message);
      setError(new ApiError(known.status, known.code, text, known.details));
    } finally {
      setRunning(null);
    }
  };
  const look = () => run("devices", async () => setFound((await get<DevicesAnswer>(PATH)).devices));
  const take = (stream: DeviceStreamAnswer) => change({ address: stream.address, kind: "" });
  const use = (device: DeviceAnswer) =>
    run("streams", async () => {
      const { username, password, verifiesCertificate } = values;
      const body = {
        xaddr: device.xaddr,
        verifies_certificate: verifiesCertificate,
        ...(username !== "" && { username, password }),
      };
      const { streams: all } = await post<DeviceStreamsAnswer>(PATH, { body });
      setStreams(all);
      if (all[0] !== undefined) take(all[0]);
    });
  return (
    <div class="find-cameras">
      <div class="line">
        <Button icon="search" disabled={running !== null} onClick={() => void look()}>
          {words.find}
        </Button>
        <span class="soft" role="status">
          {running === "devices" && words.finding}
          {running === "streams" && words.askingStreams}
          {running === null && found !== null && (found.length === 0 ? words.foundNone : words.found(found.length))}
        </span>
      </div>
      {found !== null && found.length > 0 && (
        <ul class="found-cameras" aria-label={words.foundList}>
          {found.map((device) => (
            <li key={device.xaddr}>
              <span>
                <strong>{device.name}</strong> <span class="soft">{device.address}</span>
              </span>
              <Button
                disabled={running !== null}
                onClick={() => void use(device)}
                aria-label={words.useOne(device.name)}
              >
                {words.use}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {error !== null && (
        <>
          <ErrorNote error={error} />
          {/password/.test(String(error.details.reason)) && <p class="soft">{words.passwordFirst}</p>}
        </>
      )}
      {streams.length > 1 && (
        <FormField label={words.stream} hint={words.streamHint}>
          {(attributes) => (
            <select
              {...attributes}
              value={values.address}
              onChange={(event) => change({ address: event.currentTarget.value, kind: "" })}
            >
              {streams.map((stream) => (
                <option key={stream.address} value={stream.address}>
                  {streamText(stream)}
                </option>
              ))}
            </select>
          )}
        </FormField>
      )}
    </div>
  );
}

function streamText({ name, width, height, codec }: DeviceStreamAnswer): string {
  return [name, width !== null && height !== null && `${width} × ${height}`, codec].filter(Boolean).join(", ");
}
