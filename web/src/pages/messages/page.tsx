// Messages page: log, compose, schedules, preferences and emails.

import { type PageProps, ROOT } from "../../core/addresses";
import { navigate } from "../../core/router";
import { PageHeader } from "../../ui/basics";
import { Tabs } from "../../ui/tabs";
import { ComposeTab } from "./compose_tab";
import { LogTab } from "./log_tab";
import { MailsTab } from "./mails_tab";
import { PreferencesTab } from "./preferences_tab";
import { SchedulesTab } from "./schedules_tab";
import { useMessageWords } from "./words";

const TABS = ["log", "compose", "schedules", "preferences", "mails"] as const;
type TabName = (typeof TABS)[number];

export default function MessagesPage({ rest }: PageProps) {
  const words = useMessageWords();
  const [first = "", id = ""] = rest.split("/");
  const tab: TabName = TABS.find((item) => item === first) ?? "log";
  const openId = id === "" ? null : id;
  return (
    <>
      <PageHeader title={words.title} />
      <Tabs
        label={words.parts}
        tabs={TABS.map((value) => ({ value, label: words[value] }))}
        value={tab}
        choose={(value) => navigate(value === "log" ? `${ROOT}/messages` : `${ROOT}/messages/${value}`)}
      >
        {tab === "log" && <LogTab openId={openId} />}
        {tab === "compose" && <ComposeTab />}
        {tab === "schedules" && <SchedulesTab />}
        {tab === "preferences" && <PreferencesTab />}
        {tab === "mails" && <MailsTab openId={openId} />}
      </Tabs>
    </>
  );
}
