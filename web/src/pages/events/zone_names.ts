// Names of the zones and lines of cameras, as rules can name them.

import { get } from "../../api/client";
import { useData } from "../../api/use_data";

interface Zones {
  zones: { name: string; kind: string }[];
}

/** Beyond these, names are typed. */
const MAX_CAMERAS = 50;

/** Empty until they are known, and where they cannot be read. */
export function useZoneNames(cameraIds: string[]): string[] {
  const asked = cameraIds.slice(0, MAX_CAMERAS);
  const { value } = useData(`zone names ${asked.join(" ")}`, (signal) =>
    Promise.all(asked.map((id) => get<Zones>(`/api/cameras/${encodeURIComponent(id)}/zones`, { signal }))),
  );
  const zones = (value ?? []).flatMap((answer) => answer.zones).filter((zone) => zone.kind !== "mask");
  return [...new Set(zones.map((zone) => zone.name))].sort();
}
