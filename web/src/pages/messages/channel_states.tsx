// Channels: whether something reaches the user over each, why not, and a test of those that work.

import type { PreferencesAnswer } from "../../api/types";
import { Badge } from "../../ui/basics";
import { ChannelTest } from "./channel_test";
import { usePreferenceWords } from "./preference_words";
import { channelWord, useMessageWords } from "./words";

type Channels = PreferencesAnswer["channels"];

export function ChannelStates({ channels }: { channels: Channels }) {
  const words = usePreferenceWords();
  const shared = useMessageWords();
  return (
    <ul class="channel-states" aria-label={words.channels}>
      {channels.map((item) => {
        const name = channelWord(item.channel, shared);
        return (
          <li key={item.channel} class="line">
            <strong>{name}</strong>
            {item.cannot ? (
              <Badge tone="warn" icon="info">
                {item.cannot === "no_mail_server" ? words.noMailServer : words.notSetUp}
              </Badge>
            ) : (
              <Badge tone="good" icon="check">
                {words.setUp}
              </Badge>
            )}
            {item.cannot === "no_address" && (
              <span class="soft">{item.channel === "web_push" ? words.howBrowser : words.howAddress}</span>
            )}
            {item.cannot !== "no_address" && item.channel !== "web_push" && (
              <ChannelTest channel={item.channel} name={name} />
            )}
          </li>
        );
      })}
    </ul>
  );
}
