// Whether each saved address is confirmed, and what to do about it.

import { useState } from "preact/hooks";
import { ApiError, get, post } from "../../api/client";
import type { AddressAnswer, AddressesAnswer, SecretAnswer } from "../../api/types";
import { useData } from "../../api/use_data";
import { moment } from "../../core/format";
import { Badge, Button, ErrorNote } from "../../ui/basics";
import { copyText } from "../../ui/clipboard";
import { Dialog } from "../../ui/dialog";
import { notify } from "../../ui/toasts";
import { useAddressWords } from "./address_words";
import { channelWord, useMessageWords } from "./words";

const PATH = "/api/notification-addresses";

/** `version` changes when preferences are saved, which may change the addresses. */
export function AddressStates({ version }: { version: string }) {
  const words = useAddressWords();
  const data = useData(`addresses ${version}`, (signal) => get<AddressesAnswer>(PATH, { signal }));
  if (data.error) return <ErrorNote error={data.error} retry={data.reload} />;
  const addresses = data.value?.addresses ?? [];
  if (addresses.length === 0) return null;
  return (
    <ul class="address-states" aria-label={words.title}>
      {addresses.map((address) => (
        <AddressRow
          key={`${address.channel} ${address.address}`}
          address={address}
          onChange={(now) => data.set(() => now)}
        />
      ))}
    </ul>
  );
}

function AddressRow({ address, onChange }: { address: AddressAnswer; onChange: (now: AddressesAnswer) => void }) {
  const words = useAddressWords();
  const shared = useMessageWords();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const [secret, setSecret] = useState<string>();
  const run = async (action: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
    } catch (problem) {
      setError(problem instanceof ApiError ? problem : new ApiError(0, "UNEXPECTED", String(problem)));
    } finally {
      setBusy(false);
    }
  };
  const challenge = () =>
    run(async () => {
      onChange(await post<AddressesAnswer>(`${PATH}/${address.channel}/challenge`));
      notify(address.channel === "webhook" ? words.checked : words.sent);
    });
  const needsProof = address.state === "pending" || address.confirmed_until !== null;
  return (
    <li class="stack">
      <span class="line">
        <strong>{channelWord(address.channel, shared)}</strong>
        <span class="address">{address.address}</span>
        <Badge tone={address.state === "pending" ? "warn" : address.state === "confirmed" ? "good" : "neutral"}>
          {words[address.state]}
        </Badge>
        {address.state === "not_needed" && <span class="soft">{words.whyNotNeeded}</span>}
        {address.state === "confirmed" && address.confirmed_until !== null && (
          <span class="soft">{words.until(moment(address.confirmed_until))}</span>
        )}
      </span>
      {needsProof && <span class="soft">{words[`${address.channel}Hint`]}</span>}
      <span class="line">
        {needsProof && address.channel === "ntfy" && (
          <CodeForm
            isBusy={isBusy}
            send={(code) =>
              run(async () => {
                onChange(await post<AddressesAnswer>(`${PATH}/ntfy/code`, { body: { code } }));
              })
            }
          />
        )}
        {needsProof && (
          <Button disabled={isBusy} onClick={challenge}>
            {address.channel === "webhook" ? words.check : words.sendAgain}
          </Button>
        )}
        {address.channel === "webhook" && (
          <Button
            disabled={isBusy}
            onClick={() => run(async () => setSecret((await post<SecretAnswer>(`${PATH}/webhook/secret`)).secret))}
          >
            {address.has_secret || secret ? words.rotate : words.makeSecret}
          </Button>
        )}
      </span>
      {error && <ErrorNote error={error} />}
      {secret !== undefined && (
        <Dialog title={words.secret} close={() => setSecret(undefined)}>
          <p>{words.shownOnce}</p>
          <pre class="secret">{secret}</pre>
          <div class="actions">
            <Button onClick={() => void copyText(secret, words.copied)}>{words.copy}</Button>
          </div>
        </Dialog>
      )}
    </li>
  );
}

function CodeForm({ isBusy, send }: { isBusy: boolean; send: (code: string) => void }) {
  const words = useAddressWords();
  const [code, setCode] = useState("");
  // The row is inside the form of the preferences, and forms cannot be nested.
  return (
    <>
      <input
        class="code"
        aria-label={words.code}
        placeholder={words.code}
        inputMode="numeric"
        autocomplete="one-time-code"
        maxLength={8}
        value={code}
        onInput={(event) => setCode(event.currentTarget.value.trim())}
      />
      <Button kind="primary" disabled={isBusy || !/^\d{8}$/.test(code)} onClick={() => send(code)}>
        {words.confirm}
      </Button>
    </>
  );
}
