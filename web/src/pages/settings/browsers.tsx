// Browsers that are notified of events, this one among them or not.

import { useState } from "preact/hooks";
import { get, post, remove } from "../../api/client";
import type { BrowserAnswer, BrowsersAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { browserName, currentSubscription, pushAbility, subscribe } from "../../core/push_browser";
import { Ago, Badge, Button, ErrorNote } from "../../ui/basics";
import { notify, notifyError } from "../../ui/toasts";
import { ChannelTest } from "../messages/channel_test";
import { useSettingsWords } from "./words";

const PATH = "/api/push-browsers";

export function Browsers() {
  const words = useSettingsWords();
  const [isBusy, setIsBusy] = useState(false);
  const data = useData("browsers", async (signal) => ({
    answer: await get<BrowsersAnswer>(PATH, { signal }),
    own: (await currentSubscription())?.endpoint ?? null,
  }));
  const ability = pushAbility();
  const list = data.value?.answer.browsers ?? [];
  const own = list.find((item) => item.endpoint === data.value?.own);
  const turnOn = async () => {
    const found = data.value;
    if (found === undefined) return;
    setIsBusy(true);
    try {
      const subscription = await subscribe(found.answer.public_key);
      if (subscription === null) return notify(words.pushRefused);
      await post(PATH, { body: { ...subscription.toJSON(), name: browserName() } });
      notify(words.pushOn);
    } catch (error) {
      notifyError(error);
    } finally {
      setIsBusy(false);
      data.reload();
    }
  };
  const turnOff = async (browser: BrowserAnswer) => {
    try {
      await remove(`${PATH}/${browser.browser_id}`);
      if (browser === own) await (await currentSubscription())?.unsubscribe();
      notify(words.pushOff(browser.name));
    } catch (error) {
      notifyError(error);
    } finally {
      data.reload();
    }
  };
  return (
    <section class="card stack browsers">
      <h3>{words.thisBrowser}</h3>
      <p class="soft">{words.pushText2}</p>
      {data.error && <ErrorNote error={data.error} retry={data.reload} />}
      {ability === "unable" && <p class="note">{words.pushUnable}</p>}
      {ability === "blocked" && <p class="note warn">{words.pushBlocked}</p>}
      {ability === "able" && own === undefined && data.value !== undefined && (
        <p>
          <Button icon="bell" kind="primary" disabled={isBusy} onClick={turnOn}>
            {words.turnOn}
          </Button>
        </p>
      )}
      {list.length > 0 && (
        <ul class="card-list" aria-label={words.browsers}>
          {list.map((browser) => (
            <li key={browser.browser_id} class="card">
              <div>
                <span class="line">
                  <strong>{browser.name}</strong>
                  {browser === own && <Badge tone="good">{words.thisOne}</Badge>}
                </span>
                <span class="soft">
                  {browser.last_sent_at === null ? (
                    words.neverSent
                  ) : (
                    <>
                      {words.lastSent} <Ago at={browser.last_sent_at} />
                    </>
                  )}
                </span>
                <ChannelTest channel="web_push" name={browser.name} browserId={browser.browser_id} />
              </div>
              <Button icon="trash" kind="quiet" iconOnly onClick={() => turnOff(browser)}>
                {words.removeBrowser(browser.name)}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
