// One camera: its view, its day, its events, zones and settings.

import { get } from "../../api/client";
import type { WholeCameraAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { addressOf } from "../../core/addresses";
import { Link, useQueryValue } from "../../core/router";
import { ErrorNote, Loading, PageHeader } from "../../ui/basics";
import { Icon } from "../../ui/icons";
import { Tabs } from "../../ui/tabs";
import { CameraSnooze } from "./camera_snooze";
import { cameraPath } from "./live_picture";
import { SettingsTab } from "./settings_tab";
import { useViewWords } from "./view_words";
import { WatchTab } from "./watch_tab";
import { useCameraWords } from "./words";
import { ZonesTab } from "./zones_tab";

const TABS = ["watch", "zones", "settings"] as const;
type TabName = (typeof TABS)[number];
const STATE_EVERY_MS = 5000;

export function CameraPage({ cameraId }: { cameraId: string }) {
  const words = useCameraWords();
  const data = useData(`camera ${cameraId}`, (signal) => get<WholeCameraAnswer>(cameraPath(cameraId), { signal }), {
    every: STATE_EVERY_MS,
  });
  if (data.value !== undefined) return <Shown camera={data.value} reload={data.reload} />;
  return (
    <>
      <PageHeader title={words.title} />
      {data.error ? <ErrorNote error={data.error} retry={data.reload} /> : <Loading />}
    </>
  );
}

function Shown({ camera, reload }: { camera: WholeCameraAnswer; reload: () => void }) {
  const words = useViewWords();
  const [tabText, setTab] = useQueryValue("tab", "watch");
  const tab = (TABS as readonly string[]).includes(tabText) ? (tabText as TabName) : "watch";
  return (
    <>
      <PageHeader title={camera.name}>
        <CameraSnooze key={camera.camera_id} cameraId={camera.camera_id} name={camera.name} />
        <Link class="button quiet" to={addressOf("cameras")}>
          <Icon name="back" />
          {words.toWall}
        </Link>
      </PageHeader>
      <Tabs<TabName>
        label={words.parts}
        value={tab}
        choose={setTab}
        tabs={TABS.map((value) => ({
          value,
          label: words[value],
          count: value === "zones" ? camera.zones.length : undefined,
        }))}
      >
        {tab === "watch" && <WatchTab camera={camera} />}
        {tab === "zones" && <ZonesTab camera={camera} changed={reload} />}
        {tab === "settings" && <SettingsTab camera={camera} changed={reload} />}
      </Tabs>
    </>
  );
}
