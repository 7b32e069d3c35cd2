// Events page: security events and alert rules.

import { get } from "../../api/client";
import type { CamerasAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { type PageProps, ROOT } from "../../core/addresses";
import { navigate } from "../../core/router";
import { PageHeader } from "../../ui/basics";
import { Tabs } from "../../ui/tabs";
import { ConnectionLine } from "./connection_line";
import { EventsTab } from "./events_tab";
import { RulesTab } from "./rules_tab";
import { useEventWords } from "./words";

const TABS = ["events", "rules"] as const;
const MAX_CAMERAS = 200;

export default function EventsPage({ rest }: PageProps) {
  const words = useEventWords();
  const tab = rest === "rules" ? rest : "events";
  const openId = /^\d+$/.test(rest) ? Number(rest) : null;
  const cameras = useData("cameras", (signal) =>
    get<CamerasAnswer>("/api/cameras", { query: { limit: MAX_CAMERAS }, signal }),
  );
  return (
    <>
      <PageHeader title={words.title}>
        <ConnectionLine />
      </PageHeader>
      <Tabs
        label={words.parts}
        tabs={TABS.map((value) => ({ value, label: words[value] }))}
        value={tab}
        choose={(value) => navigate(value === "events" ? `${ROOT}/events` : `${ROOT}/events/${value}`)}
      >
        {tab === "events" && <EventsTab openId={openId} cameras={cameras.value?.cameras ?? []} />}
        {tab === "rules" && <RulesTab cameras={cameras.value?.cameras ?? []} />}
      </Tabs>
    </>
  );
}
