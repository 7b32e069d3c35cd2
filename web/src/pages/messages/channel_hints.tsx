// Channels over which nothing reaches the user, and why.

import type { PreferencesAnswer } from "../../api/types";
import { usePreferenceWords } from "./preference_words";
import { channelWord, useMessageWords } from "./words";

interface Props {
  channels: PreferencesAnswer["channels"];
  /** Only about this channel. */
  only?: string | null;
}

export function ChannelHints({ channels, only }: Props) {
  const words = usePreferenceWords();
  const shared = useMessageWords();
  const blocked = channels.filter((item) => item.cannot && (only === undefined || item.channel === only));
  return (
    <>
      {blocked.map((item) => (
        <p key={item.channel} class="soft">
          <strong>{channelWord(item.channel as "ntfy", shared)}</strong>:{" "}
          {item.cannot === "no_mail_server" ? words.noMailServer : words.noAddress}
        </p>
      ))}
    </>
  );
}
