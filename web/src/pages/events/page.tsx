// Security events: what happened in front of the cameras, and what people did about it.

import { get } from "../../api/client";
import type { CamerasAnswer } from "../../api/types";
import { useData } from "../../app/data";
import { ROOT, navigate } from "../../app/router";
import type { PageProps } from "../../app/routes";
import { Head } from "../../ui/basics";
import { Tabs } from "../../ui/tabs";
import { CamerasTab } from "./cameras_tab";
import { EventsTab } from "./events_tab";
import { LiveLine } from "./live_line";
import { RulesTab } from "./rules_tab";
import { useEventWords } from "./words";

const TABS = ["events", "cameras", "rules"] as const;
const MOST_CAMERAS = 200;

export default function EventsPage({ rest }: PageProps) {
  const words = useEventWords();
  const tab = rest === "cameras" || rest === "rules" ? rest : "events";
  const openId = /^\d+$/.test(rest) ? Number(rest) : null;
  const cameras = useData("cameras", (signal) =>
    get<CamerasAnswer>("/api/cameras", { query: { limit: MOST_CAMERAS }, signal }),
  );
  return (
    <>
      <Head title={words.title}>
        <LiveLine />
      </Head>
      <Tabs
        label={words.parts}
        tabs={TABS.map((value) => ({ value, label: words[value] }))}
        value={tab}
        choose={(value) => navigate(value === "events" ? `${ROOT}/events` : `${ROOT}/events/${value}`)}
      >
        {tab === "events" && <EventsTab openId={openId} cameras={cameras.value?.cameras ?? []} />}
        {tab === "cameras" && <CamerasTab cameras={cameras} />}
        {tab === "rules" && <RulesTab cameras={cameras.value?.cameras ?? []} />}
      </Tabs>
    </>
  );
}
