// How notifications leave the installation: mail server, ntfy, webhook; each can be tried.

import { get } from "../../api/client";
import type { PreferencesAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { ErrorNote } from "../../ui/basics";
import { ChannelStates } from "../messages/channel_states";
import { SettingsForm } from "./settings_form";
import { useSettingsWords } from "./words";

export function Channels() {
  const words = useSettingsWords();
  const data = useData("preferences", (signal) => get<PreferencesAnswer>("/api/notification-preferences", { signal }));
  return (
    <div class="stack">
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {data.value !== undefined && (
        <section class="card stack">
          <h3>{words.tryChannels}</h3>
          <p class="soft">{words.tryChannelsText}</p>
          <ChannelStates channels={data.value.channels.filter((item) => item.channel !== "web_push")} />
        </section>
      )}
      <h3>{words.mail}</h3>
      <SettingsForm groups={["mail"]} intro={words.mailText} changed={data.reload} />
      <h3>{words.push}</h3>
      <SettingsForm groups={["push"]} intro={words.pushText} changed={data.reload} />
    </div>
  );
}
