// Notification channels per event, as checkboxes.

import type { Preferences, PreferencesAnswer } from "../../api/types";
import { Badge, Button } from "../../ui/basics";
import { usePreferenceWords } from "./preference_words";
import { type EventChannel as Channel, EVENT_CHANNELS } from "./selects";
import { channelWord, useMessageWords } from "./words";

type Chosen = NonNullable<Preferences["events"]>;

interface Props {
  rules: PreferencesAnswer["rules"];
  /** Choices that differ from the defaults. */
  chosen: Chosen;
  change: (chosen: Chosen) => void;
  channels: PreferencesAnswer["channels"];
  /** Destinations as they are typed: a channel can be chosen before its destination is saved. */
  typed: Partial<Record<Channel, string | null | undefined>>;
}

export function EventChannels({ rules, chosen, change, channels: states, typed }: Props) {
  const words = usePreferenceWords();
  const shared = useMessageWords();
  const keepsMails = states.some((item) => item.cannot === "no_mail_server");
  /** Nothing can go there, so nothing is ticked; a destination brings the choice back. */
  const isWithoutDestination = (channel: Channel) =>
    !typed[channel] && states.some((item) => item.channel === channel && item.cannot === "no_address");
  const nameOf = (event: string) => {
    const word = words[event as keyof typeof words];
    return typeof word === "string" ? word : event;
  };
  return (
    <ul class="event-channels">
      {rules.map((rule) => {
        const name = nameOf(rule.event);
        const own = chosen[rule.event];
        // The server knows the default channels; after a reset they are unknown until saved.
        const channels = own ?? (rule.is_default ? (rule.channels as Channel[]) : null);
        return (
          <li key={rule.event}>
            <span class="line">
              <strong>{name}</strong>
              {own === undefined && <Badge>{words.asDefault}</Badge>}
              {own?.length === 0 && <Badge tone="warn">{words.silent}</Badge>}
              {rule.has_mail && <span class="soft">{keepsMails ? words.hasKeptMail : words.hasMail}</span>}
            </span>
            <span class="line" role="group" aria-label={name}>
              {channels === null && <span class="soft">{words.afterSaving}</span>}
              {(channels === null ? [] : EVENT_CHANNELS)
                .filter((item) => !(item === "email" && rule.has_mail))
                .map((channel) => (
                  <label key={channel} class="check" title={isWithoutDestination(channel) ? words.notSetUp : undefined}>
                    <input
                      type="checkbox"
                      aria-label={words.tells(channelWord(channel, shared), name)}
                      disabled={isWithoutDestination(channel)}
                      checked={(channels?.includes(channel) ?? false) && !isWithoutDestination(channel)}
                      onChange={(event) => {
                        const others = (channels ?? []).filter((item) => item !== channel);
                        change({
                          ...chosen,
                          [rule.event]: event.currentTarget.checked ? [...others, channel] : others,
                        });
                      }}
                    />
                    {channelWord(channel, shared)}
                    {isWithoutDestination(channel) && <small class="soft">({words.notSetUp})</small>}
                    {channel === "email" && keepsMails && <small class="soft">({words.keptOnly})</small>}
                  </label>
                ))}
              {own !== undefined && (
                <Button
                  icon="retry"
                  kind="quiet"
                  iconOnly
                  onClick={() => {
                    const { [rule.event]: _, ...others } = chosen;
                    change(others);
                  }}
                >
                  {words.restore(name)}
                </Button>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
