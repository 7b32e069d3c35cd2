// Sends a test notification over one channel and says what came of it.

import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get, post } from "../../api/client";
import type { CreatedAnswer, MessageAnswer, PreferencesAnswer } from "../../api/types";
import { Button } from "../../ui/basics";
import { useErrorTexts } from "../../ui/error_text";
import { Icon } from "../../ui/icons";
import { usePreferenceWords } from "./preference_words";

const LOOK_EVERY_MS = 700;
const LOOK_FOR_MS = 60_000;

type Channel = PreferencesAnswer["channels"][number]["channel"];
type Outcome = { state: "sending" } | { state: "sent" | "kept" | "late" } | { state: "failed"; reason: unknown };

interface Props {
  channel: Channel;
  /** What the button is for, for screen readers. */
  name: string;
  browserId?: string;
}

export function ChannelTest({ channel, name, browserId }: Props) {
  const words = usePreferenceWords();
  const errors = useErrorTexts();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const send = () => {
    abort.current?.abort();
    const current = new AbortController();
    abort.current = current;
    setOutcome({ state: "sending" });
    sendTest(channel, browserId ?? null, current.signal).then(
      (found) => current.signal.aborted || setOutcome(found),
      (reason: unknown) => current.signal.aborted || setOutcome({ state: "failed", reason }),
    );
  };
  return (
    <span class="line channel-test">
      <Button icon="message" disabled={outcome?.state === "sending"} aria-label={words.testOf(name)} onClick={send}>
        {words.test}
      </Button>
      <span role="status" class={outcome?.state === "failed" ? "failure" : "soft"}>
        {outcome?.state === "sending" && words.testing}
        {outcome?.state === "sent" && (
          <>
            <Icon name="check" /> {channel === "log" ? words.testLogged : words.testSent}
          </>
        )}
        {outcome?.state === "kept" && words.testKept}
        {outcome?.state === "late" && words.testLate}
        {outcome?.state === "failed" && `${words.testFailed} ${errors.lineOf(outcome.reason)}`}
      </span>
    </span>
  );
}

async function sendTest(channel: Channel, browserId: string | null, signal: AbortSignal): Promise<Outcome> {
  const body = { channel, browser_id: browserId };
  const { message_id: id } = await post<CreatedAnswer>("/api/notification-preferences/test", { body, signal });
  for (let waited = 0; waited < LOOK_FOR_MS; waited += LOOK_EVERY_MS) {
    const message = await get<MessageAnswer>(`/api/messages/${id}`, { signal });
    if (message.status === "completed") return { state: message.is_kept ? "kept" : "sent" };
    // A failed message may be tried again later; the person wants to know now what is wrong.
    if (message.status === "failed" || message.error_message !== null) {
      return { state: "failed", reason: new ApiError(0, "FAILED", message.error_message ?? "") };
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return { state: "late" };
}
