// Settings: what a person chooses for themselves, and what operators choose for the installation.

import type { ComponentChildren } from "preact";
import { useMe } from "../../api/use_me";
import { addressOf, type PageProps } from "../../core/addresses";
import { Link } from "../../core/router";
import { Loading, PageHeader } from "../../ui/basics";
import { Icon, type IconName } from "../../ui/icons";
import { KeysPanel } from "../account/keys_panel";
import { PreferencesTab } from "../messages/preferences_tab";
import { TeamsPanel } from "../teams/teams_panel";
import { Appearance } from "./appearance";
import { Browsers } from "./browsers";
import { Channels } from "./channels";
import { Models } from "./models";
import { People } from "./people";
import { Reading } from "./reading";
import { SettingsForm } from "./settings_form";
import { Usage } from "./usage";
import { useSettingsWords } from "./words";
import { YourData } from "./your_data";

const OWN = ["appearance", "notifications", "teams", "keys", "usage", "data"] as const;
const OF_INSTALLATION = ["channels", "retention", "reading", "models", "people"] as const;
type Part = (typeof OWN)[number] | (typeof OF_INSTALLATION)[number];

const ICONS: Record<Part, IconName> = {
  appearance: "sun",
  notifications: "bell",
  teams: "people",
  keys: "key",
  usage: "overview",
  data: "download",
  channels: "message",
  retention: "clock",
  reading: "captions",
  models: "info",
  people: "people",
};

export default function SettingsPage({ rest }: PageProps) {
  const words = useSettingsWords();
  const me = useMe();
  // Which parts there are depends on the person: no other part is shown before that is known, and nothing moves.
  if (me.value === undefined && me.error === undefined) {
    return (
      <>
        <PageHeader title={words.title} />
        <Loading />
      </>
    );
  }
  const isOperator = me.value?.is_operator ?? false;
  const parts: readonly Part[] = isOperator ? [...OWN, ...OF_INSTALLATION] : [...OWN, "models"];
  const part = parts.find((item) => item === rest) ?? "appearance";
  const links = (title: string, group: readonly Part[]) => (
    <section>
      <h2 class="label">{title}</h2>
      <ul>
        {group
          .filter((item) => parts.includes(item))
          .map((item) => (
            <li key={item}>
              <Link to={`${addressOf("settings")}/${item}`} aria-current={item === part ? "page" : undefined}>
                <Icon name={ICONS[item]} />
                {words[item]}
              </Link>
            </li>
          ))}
      </ul>
    </section>
  );
  return (
    <>
      <PageHeader title={words.title} />
      <div class="settings-frame">
        <nav aria-label={words.title}>
          {links(words.yours, OWN)}
          {links(words.installation, OF_INSTALLATION)}
        </nav>
        <div class="settings-part">
          <h2>{words[part]}</h2>
          <Shown part={part} />
        </div>
      </div>
    </>
  );
}

function Shown({ part }: { part: Part }): ComponentChildren {
  const words = useSettingsWords();
  switch (part) {
    case "appearance":
      return <Appearance />;
    case "notifications":
      return (
        <>
          <Browsers />
          <PreferencesTab />
        </>
      );
    case "teams":
      return <TeamsPanel />;
    case "keys":
      return <KeysPanel />;
    case "usage":
      return <Usage />;
    case "data":
      return <YourData />;
    case "channels":
      return <Channels />;
    case "retention":
      return <SettingsForm groups={["retention"]} intro={words.retentionText} />;
    case "reading":
      return <Reading />;
    case "models":
      return <Models />;
    case "people":
      return <People />;
  }
}
